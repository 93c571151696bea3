//! Helpers of the grammar's actions: they build nodes and record failures.

use std::ops::Range;

use lalrpop_util::{ErrorRecovery, ParseError};
use splc_ir::catalog::{Catalog, Feature};
use splc_ir::diagnostic::{Message, Mistake};
use splc_ir::level::*;
use splc_ir::resolve::coerce;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::*;

use super::lexer::Token;
use super::old_forms;

/// A place where the source did not match the grammar.
pub enum Failure<'input> {
    /// A syntax error that the parser recovered from.
    Syntax {
        /// The error.
        error: ParseError<usize, Token<'input>, ()>,
        /// The text that the parser skipped to recover.
        skipped: Range<usize>,
    },
    /// A construct that parses but is invalid.
    Construct {
        /// Its span.
        span: Span,
        /// The message.
        message: Message,
        /// The advice for the help line.
        help: String,
        /// An edit that corrects it, if that is certain: what is replaced, and the right text.
        right: Option<(Span, String)>,
    },
}

/// The failures in a file, up to a limit.
pub struct Failures<'input> {
    /// The largest number of failures that are examined.
    most: usize,
    /// The first failures.
    pub list: Vec<Failure<'input>>,
    /// The offsets of the others, which are too many to be shown.
    pub more: Vec<u32>,
    /// True if a MONSTER or OBJECT may have the form of NetHack 3.4.3. Otherwise that check is skipped.
    pub suspects_old_forms: bool,
}

impl<'input> Failures<'input> {
    /// Creates an empty list of at most `most` failures.
    pub fn new(most: usize) -> Self {
        Failures { most, list: Vec::new(), more: Vec::new(), suspects_old_forms: false }
    }

    /// Adds a failure.
    pub fn push(&mut self, failure: Failure<'input>) {
        if self.list.len() < self.most {
            self.list.push(failure);
            return;
        }
        let start = match failure {
            Failure::Construct { span, .. } => span.start,
            Failure::Syntax {
                error:
                    ParseError::UnrecognizedToken { token: (start, ..), .. } | ParseError::ExtraToken { token: (start, ..) },
                ..
            } => start as u32,
            Failure::Syntax { .. } => return,
        };
        self.more.push(start);
    }

    /// Returns true if there are no failures.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<'input> Failure<'input> {
    /// Converts a recovered error. Only the range of the skipped tokens is kept.
    pub fn new(error: ErrorRecovery<usize, Token<'input>, ()>) -> Self {
        let skipped = match error.dropped_tokens.as_slice() {
            [(start, ..), .., (.., end)] => *start..*end,
            _ => 0..0,
        };
        Failure::Syntax { error: error.error, skipped }
    }

    fn construct(span: Span, message: impl Into<Message>, help: impl Into<String>) -> Self {
        Failure::Construct { span, message: message.into(), help: help.into(), right: None }
    }
}

/// Converts a word whose group the lexer has already determined.
pub fn word<T>(text: &str, from_word: impl Fn(&str) -> Option<T>, default: T) -> T {
    from_word(text).unwrap_or(default)
}

/// Returns a string, up to its first NUL: the compilers store strings as C does.
pub fn string(text: &str) -> Text {
    Text::from(text.split('\0').next().unwrap_or_default())
}

/// Returns an integer as a value.
pub fn integer(number: Spanned<i32>) -> Expr {
    Expr { kind: ExprKind::Integer(number.node), span: number.span }
}

/// Returns a use of a variable, whose type is not known yet.
pub fn variable(name: Spanned<Text>, index: Option<Expr>) -> ExprKind {
    ExprKind::Variable(Variable { name: name.node, index: index.map(Box::new), ty: Type::of(ValueType::Integer) })
}

/// Returns a chain of operators of one precedence.
pub fn chain(first: Expr, rest: Vec<(Operator, Expr)>, span: Span) -> Expr {
    Expr { kind: ExprKind::Chain { first: Box::new(first), rest }, span }
}

/// Splits a sum into the two limits of a gradient.
///
/// # Errors
/// Returns an error if the sum does not end in a difference.
pub fn gradient_range<'input>(sum: Expr) -> Result<(Expr, Expr), ParseError<usize, Token<'input>, ()>> {
    let span = sum.span;
    if let ExprKind::Chain { first, mut rest } = sum.kind
        && let Some((Operator::Subtract, maximum)) = rest.pop()
    {
        let minimum = if rest.is_empty() { *first } else { Expr { kind: ExprKind::Chain { first, rest }, span } };
        return Ok((minimum, maximum));
    }
    Err(ParseError::UnrecognizedToken {
        token: (span.end as usize, Token::CloseParen, span.end as usize + 1),
        expected: vec!["\"-\"".to_owned()],
    })
}

/// Returns the union of several selections.
pub fn union(first: Selection, rest: Vec<Selection>, span: Span) -> Selection {
    let mut parts = vec![first];
    parts.extend(rest);
    Selection { kind: SelectionKind::Union(parts), span }
}

/// The keyword of a statement that may have a chance before its colon.
fn keyword(kind: &StatementKind) -> Option<&'static str> {
    match kind {
        StatementKind::Monster(_) => Some("MONSTER"),
        StatementKind::Object(Object { contents: None, .. }) => Some("OBJECT"),
        StatementKind::Object(_) => Some("CONTAINER"),
        StatementKind::Trap { .. } => Some("TRAP"),
        StatementKind::Terrain { .. } => Some("TERRAIN"),
        _ => None,
    }
}

/// Returns `[condition]: statement`.
pub fn chance(
    condition: Spanned<Condition>,
    then: Option<Statement>,
    catalog: &Catalog,
    failures: &mut Failures<'_>,
) -> StatementKind {
    if catalog.has(Feature::ChanceBeforeColon) {
        let statement = then.as_ref().and_then(|then| Some((keyword(&then.kind)?, then.span)));
        let (help, right) = match (statement, &condition.node) {
            (Some((word, statement)), Condition::Percent(percent)) => {
                let right = format!("{word}[{}%]", percent.node);
                let end = statement.start + word.len() as u32;
                (format!("write it before the colon: {right}:"), Some((Span { end, ..condition.span }, right)))
            }
            (_, Condition::Percent(percent)) => (format!("write IF [{}%] {{ statements }}", percent.node), None),
            _ => ("write IF [condition] { statements }".to_owned(), None),
        };
        let message = format!("{} does not take a chance before a statement", catalog.title);
        failures.push(Failure::Construct { span: condition.span, message: message.into(), help, right });
    }
    match then {
        Some(then) => StatementKind::Chance { condition: condition.node, then: Box::new(then) },
        // The grammar always passes a statement here. An empty IF would be equivalent.
        None => StatementKind::If { condition: condition.node, then: Vec::new(), otherwise: None },
    }
}

/// Returns a statement that may have a chance before the colon: `MONSTER[50%]: ...`.
pub fn with_chance(
    chance: Option<Spanned<Condition>>,
    kind: StatementKind,
    span: Span,
    catalog: &Catalog,
    failures: &mut Failures<'_>,
) -> StatementKind {
    failures.suspects_old_forms |= old_forms::is_suspect(&kind);
    let Some(condition) = chance else { return kind };
    if !catalog.has(Feature::ChanceBeforeColon) {
        let (help, right) = match (keyword(&kind), &condition.node) {
            (Some(word), Condition::Percent(percent)) => {
                let right = format!("[{}%]: {word}", percent.node);
                let replaced = Span { end: condition.span.end, ..span };
                (format!("write it before the statement: {right}:"), Some((replaced, right)))
            }
            _ => ("write it before the statement: [condition]: statement".to_owned(), None),
        };
        let message = format!("{} does not take a chance before the colon", catalog.title);
        failures.push(Failure::Construct { span: condition.span, message: message.into(), help, right });
    }
    StatementKind::Chance { condition: condition.node, then: Box::new(Statement { kind, span }) }
}

/// Returns a place with computed coordinates.
pub fn coordinate(x: Expr, y: Expr) -> ExprKind {
    ExprKind::ComputedCoordinate { x: Box::new(x), y: Box::new(y) }
}

/// Returns a use of a variable without an index.
pub fn plain_variable(name: Spanned<Text>) -> Expr {
    let span = name.span;
    Expr { kind: variable(name, None), span }
}

/// The separator between the ends of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineJoin {
    /// `-`
    Dash,
    /// `,`
    Comma,
}

/// Records a failure if the ends of a line are joined as in another dialect.
pub fn line_to(span: Span, join: LineJoin, catalog: &Catalog, failures: &mut Failures<'_>) {
    let (known, sign, other) = match catalog.has(Feature::CommaLines) {
        true => (LineJoin::Comma, ",", "-"),
        false => (LineJoin::Dash, "-", ","),
    };
    // The lexer has already rejected the dash if the dialect lacks it.
    if join != known && !(join == LineJoin::Dash && catalog.has(Feature::DashedWords)) {
        failures.push(Failure::Construct {
            span,
            message: format!("{} separates the ends of a line with `{sign}`", catalog.title).into(),
            help: format!("write `{sign}` instead of `{other}`"),
            right: Some((span, sign.to_owned())),
        });
    }
}

/// Returns the definition of a variable as a selection.
pub fn selection_definition(selection: Selection) -> Definition {
    let span = selection.span;
    Definition::Value { ty: ValueType::Selection, value: Expr { kind: ExprKind::Selection(Box::new(selection)), span } }
}

/// Returns the definition of a variable as an array.
pub fn array(ty: ValueType, mut values: Vec<Expr>) -> Definition {
    // A file may consist mostly of arrays.
    values.shrink_to_fit();
    Definition::Array { ty, values }
}

/// A MONSTER.
pub fn monster(
    monster: Expr,
    place: Expr,
    details: Vec<Spanned<MonsterDetail>>,
    inventory: Option<Vec<Statement>>,
) -> StatementKind {
    StatementKind::Monster(Monster { monster, place, details, inventory })
}

/// Converts a positional detail of an OBJECT: a number is its enchantment, anything else its place.
pub fn place_or_enchantment(value: Expr) -> ObjectDetail {
    match value.kind {
        ExprKind::Integer(_) | ExprKind::Dice { .. } => ObjectDetail::Enchantment(value),
        _ => ObjectDetail::Place(value),
    }
}

/// Converts `monster: ...`, an argument of a core function.
pub fn monster_argument(mut monster: Expr, span: Span) -> Expr {
    coerce(&mut monster, ValueType::Monster);
    Expr { span, ..monster }
}

/// The operands of ROOM and SUBROOM.
pub struct RoomBegin {
    /// The type.
    pub room_type: OrRandom<Spanned<Text>>,
    /// The chance of that type.
    pub chance: Option<Spanned<i32>>,
    /// The light.
    pub light: OrRandom<Light>,
}

/// A ROOM or SUBROOM.
pub fn room(
    begin: RoomBegin,
    placement: RoomPlacement,
    size: OrRandom<(Spanned<i32>, Spanned<i32>)>,
    flags: Option<Vec<Spanned<RoomFlag>>>,
    body: Vec<Statement>,
) -> StatementKind {
    let RoomBegin { room_type, chance, light } = begin;
    let room = Room { room_type, chance, light, placement, size, flags, body, name: None, order: None };
    StatementKind::Room(Box::new(room))
}

/// Converts the parameters of a FUNCTION. Their types are keywords only there.
pub fn parameters(parameters: Vec<(Spanned<Text>, Spanned<Text>)>, failures: &mut Failures<'_>) -> Vec<Parameter> {
    parameters
        .into_iter()
        .map(|(name, ty)| {
            let value = match ty.node.as_str() {
                "int" | "integer" => ValueType::Integer,
                "str" | "string" => ValueType::String,
                other => {
                    failures.push(Failure::construct(
                        ty.span,
                        format!("'{other}' is not a type for a parameter"),
                        "write int or string",
                    ));
                    ValueType::Integer
                }
            };
            Parameter { name, ty: Type::of(value) }
        })
        .collect()
}

/// A region of STAIR, PORTAL, TELEPORT_REGION or BRANCH, or a place.
pub enum LevRegion {
    /// Without `levregion`.
    Value(Expr),
    /// With `levregion`.
    Level(RegionSpec),
}

impl LevRegion {
    fn region(self, failures: &mut Failures<'_>) -> RegionSpec {
        match self {
            LevRegion::Level(region) => region,
            LevRegion::Value(Expr { kind: ExprKind::Region { corners }, span }) => {
                RegionSpec { level: false, corners, span }
            }
            LevRegion::Value(Expr { span, .. }) => {
                failures.push(Failure::construct(
                    span,
                    Mistake::NotRegion,
                    "write (x1,y1,x2,y2), or levregion(x1,y1,x2,y2) for coordinates of the whole level",
                ));
                RegionSpec { level: false, corners: [0; 4], span }
            }
        }
    }
}

/// Returns a level region.
pub fn level_region(
    kind: LevelRegionKind,
    inside: LevRegion,
    outside: LevRegion,
    failures: &mut Failures<'_>,
) -> StatementKind {
    let (inside, outside) = (inside.region(failures), outside.region(failures));
    StatementKind::LevelRegion(LevelRegion { kind, inside, outside })
}

/// Returns a STAIR on a single square.
pub fn stair(place: LevRegion, direction: UpDown, failures: &mut Failures<'_>) -> StatementKind {
    let place = match place {
        LevRegion::Value(place) => place,
        LevRegion::Level(region) => {
            failures.push(Failure::construct(
                region.span,
                "STAIR needs two regions or one place",
                "write STAIR: region, excluded region, up or down; or give one place (x,y)",
            ));
            Expr { kind: ExprKind::Error, span: region.span }
        }
    };
    StatementKind::Stair { place, direction }
}

/// An argument of INIT_MAP.
pub enum InitArgument {
    /// A map character.
    Terrain(char),
    /// A map character with light.
    LitTerrain(char, OrRandom<Light>),
    /// true, false.
    Boolean(bool),
    /// lit, unlit.
    Light(Light),
    /// random.
    Random,
}

impl InitArgument {
    /// Returns it as it is written.
    fn written(&self) -> String {
        let light = |light: OrRandom<Light>| match light {
            OrRandom::Is(light) => light.as_str(),
            OrRandom::Random => "random",
        };
        match self {
            InitArgument::Terrain(character) => format!("'{character}'"),
            InitArgument::LitTerrain(character, lit) => format!("('{character}', {})", light(*lit)),
            InitArgument::Boolean(value) => value.to_string(),
            InitArgument::Light(lit) => light(OrRandom::Is(*lit)).to_owned(),
            InitArgument::Random => "random".to_owned(),
        }
    }

    /// Returns it as a light, if it is one.
    fn light(&self) -> Option<OrRandom<Light>> {
        match self {
            InitArgument::Light(light) => Some(OrRandom::Is(*light)),
            InitArgument::Random => Some(OrRandom::Random),
            _ => None,
        }
    }
}

/// Corrects the order of the arguments of an INIT_MAP, and returns what was wrong with them.
fn in_order<'input>(style: &str, arguments: &mut Vec<Spanned<InitArgument>>) -> Option<Failure<'input>> {
    use InitArgument as A;
    // The light of mines: after its two characters, and after whether it is smoothed and joined.
    const LIGHT: usize = 4;
    let whole = arguments.first()?.span.to(arguments.last()?.span);
    let message = match (style, arguments.as_slice()) {
        ("solidfill", [Spanned { node: A::Terrain(character), .. }, light]) => {
            let lit = A::LitTerrain(*character, light.node.light()?);
            *arguments = vec![Spanned::new(lit, whole)];
            "solidfill takes its character and its light in parentheses"
        }
        ("mines", [_, _, _, _, light, _]) if light.node.light().is_none() => {
            let mut lights = (2..arguments.len()).filter(|&at| arguments[at].node.light().is_some());
            let (Some(at), None) = (lights.next(), lights.next()) else { return None };
            let light = arguments.remove(at);
            arguments.insert(LIGHT, light);
            "the values of this INIT_MAP are in the wrong order"
        }
        _ => return None,
    };
    let right = arguments.iter().map(|argument| argument.node.written()).collect::<Vec<_>>().join(", ");
    let help = format!("write INIT_MAP: {style}, {right}");
    Some(Failure::Construct { span: whole, message: message.to_owned().into(), help, right: Some((whole, right)) })
}

/// Returns an INIT_MAP with this style and these arguments.
pub fn init_map(
    style: Spanned<Text>,
    mut arguments: Vec<Spanned<InitArgument>>,
    failures: &mut Failures<'_>,
) -> InitMap {
    use InitArgument as A;
    if let Some(failure) = in_order(&style.node, &mut arguments) {
        failures.push(failure);
    }
    let mut rest = arguments.into_iter();
    // An argument is missing after the last one.
    let end = rest.as_slice().last().map_or(style.span, |last| last.span);
    let end = Span { start: end.end, ..end };
    // Several missing arguments are one error.
    let reported = std::cell::Cell::new(false);
    let usage = |failures: &mut Failures<'_>, at: Option<Span>, message: &'static str, form: &str| {
        if !(at.is_none() && reported.replace(at.is_none())) {
            failures.push(Failure::construct(at.unwrap_or(end), message, form));
        }
    };
    let nothing_more = |rest: &mut std::vec::IntoIter<Spanned<A>>, failures: &mut Failures<'_>, form: &str| {
        if let Some(extra) = rest.next() {
            failures.push(Failure::construct(
                extra.span,
                format!("INIT_MAP: {} takes no more values", style.node),
                form,
            ));
        }
    };
    let blank = Spanned::new(' ', style.span);
    match style.node.as_str() {
        "solidfill" => {
            const FORM: &str = "write INIT_MAP: solidfill, ' ' or INIT_MAP: solidfill, (' ', lit)";
            let (filling, light) = match rest.next() {
                Some(Spanned { node: A::Terrain(character), span }) => (Spanned::new(character, span), None),
                Some(Spanned { node: A::LitTerrain(character, light), span }) => {
                    (Spanned::new(character, span), Some(light))
                }
                other => {
                    usage(failures, other.map(|other| other.span), "solidfill needs a map character", FORM);
                    (blank, None)
                }
            };
            nothing_more(&mut rest, failures, FORM);
            InitMap::Solid { filling, light }
        }
        "mazegrid" => {
            const FORM: &str = "write INIT_MAP: mazegrid, '-'";
            let filling = match rest.next() {
                Some(Spanned { node: A::Terrain(character), span }) => Spanned::new(character, span),
                other => {
                    usage(failures, other.map(|other| other.span), "mazegrid needs a map character", FORM);
                    blank
                }
            };
            nothing_more(&mut rest, failures, FORM);
            InitMap::MazeGrid { filling }
        }
        "mines" => {
            const FORM: &str = "write INIT_MAP: mines, foreground, background, smoothed, joined, light, walled, e.g. \
                                INIT_MAP: mines, '.', ' ', true, true, lit, true";
            let character = |rest: &mut std::vec::IntoIter<Spanned<A>>, failures: &mut Failures<'_>| match rest.next() {
                Some(Spanned { node: A::Terrain(character), span }) => Spanned::new(character, span),
                other => {
                    usage(failures, other.map(|other| other.span), "mines needs a map character here", FORM);
                    blank
                }
            };
            let foreground = character(&mut rest, failures);
            let background = character(&mut rest, failures);
            let boolean = |rest: &mut std::vec::IntoIter<Spanned<A>>, failures: &mut Failures<'_>| match rest.next() {
                Some(Spanned { node: A::Boolean(value), span }) => Spanned::new(value, span),
                other => {
                    let at = other.map(|other| other.span);
                    usage(failures, at, "mines needs true or false here", FORM);
                    Spanned::new(false, at.unwrap_or(end))
                }
            };
            let smoothed = boolean(&mut rest, failures).node;
            let joined = boolean(&mut rest, failures);
            let light = match rest.as_slice() {
                // Only the light is missing: the last value says whether there are walls.
                [Spanned { node: A::Boolean(_), span }] => {
                    let what = "mines needs lit, unlit or random before this value";
                    failures.push(Failure::construct(*span, what, FORM));
                    Some(Spanned::new(A::Random, *span))
                }
                _ => rest.next(),
            };
            let light = match light {
                Some(Spanned { node: A::Light(light), .. }) => OrRandom::Is(light),
                Some(Spanned { node: A::Random, .. }) => OrRandom::Random,
                other => {
                    usage(failures, other.map(|other| other.span), "mines needs lit, unlit or random here", FORM);
                    OrRandom::Random
                }
            };
            let walled = match rest.next() {
                Some(Spanned { node: A::Boolean(value), .. }) => OrRandom::Is(value),
                Some(Spanned { node: A::Random, .. }) => OrRandom::Random,
                other => {
                    usage(failures, other.map(|other| other.span), "mines needs true, false or random here", FORM);
                    OrRandom::Random
                }
            };
            let filling = match rest.next() {
                None => None,
                Some(Spanned { node: A::Terrain(character), span }) => Some(Spanned::new(character, span)),
                Some(other) => {
                    failures.push(Failure::construct(
                        other.span,
                        Mistake::Expected { expected: "a map character".to_owned(), found: None },
                        FORM,
                    ));
                    None
                }
            };
            nothing_more(&mut rest, failures, FORM);
            InitMap::Mines { foreground, background, smoothed, joined, light, walled, filling, iced: None }
        }
        style => {
            nothing_more(&mut rest, failures, "write the style alone");
            if style == "rogue" { InitMap::Rogue } else { InitMap::Sheol }
        }
    }
}
