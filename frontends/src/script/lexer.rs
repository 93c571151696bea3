//! Tokens of the script dialects: UnNetHack, SporkHack, NetHack 3.6.
//!
//! The rules are those of `util/lev_comp.l` of UnNetHack 6.0.4, which includes those of the others. As there, a word
//! that the dialect's catalog does not list as a keyword is a plain name. A MAP is one token, from `MAP` to `ENDMAP`.
//!
//! The lexer never fails. Invalid text is reported as a diagnostic and, if a token is needed, becomes
//! [`Token::Unknown`].

mod map;

use logos::{Lexer as LogosLexer, Logos};
use splc_ir::catalog::{Catalog, Feature, OwnWord};
use splc_ir::check::meant;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Mistake, nearest};
use splc_ir::level::{Comparison, MapRows};
use splc_ir::limits::{MAX_NESTING, MAX_STATEMENTS};
use splc_ir::source::{FileId, Span};

use crate::teach::usage::ASSIGNMENT;
use crate::teach::words::no_maze;
use crate::teach::{Unread, entity};

macro_rules! tokens {
    (
        statements { $($(#[$sdoc:meta])* $statement:ident = $sword:literal,)* }
        words { $($word:ident = $($text:literal)|+,)* }
        plain { $($plain:ident = $ptext:literal,)* }
    ) => {
        /// A token.
        // With a tag of four bytes, tokens are copied in whole words. Otherwise a copy waits for bytes just written.
        #[repr(u32)]
        #[derive(Logos, Clone, Debug, PartialEq)]
        #[logos(skip r"[ \t]+")]
        #[logos(skip r"\r?\n")]
        #[logos(extras = Notes)]
        #[allow(missing_docs)] // each variant is the text it stands for
        pub enum Token<'input> {
            $(#[token($sword)] $statement,)*
            $($(#[token($text)])+ $word(&'input str),)*
            $(#[token($ptext)] $plain,)*

            #[token("[")]
            OpenBracket,
            /// `[` after a variable, on the same line.
            IndexBracket,
            Percent(i32),
            #[token("random")]
            Random,
            RandomBracket,
            #[regex(r"[0-9]+", number)]
            Number(Number),
            #[regex(r"-[0-9]+", signed)]
            Minus(i32),
            #[regex(r"\+[0-9]+", signed)]
            Plus(i32),
            #[token("\"", string)]
            String(&'input str),
            #[token("'", character)]
            Character(char),
            #[token("==", |_| Comparison::Equal)]
            #[token("!=", |_| Comparison::NotEqual)]
            #[token("<>", |_| Comparison::NotEqual)]
            #[token("<=", |_| Comparison::LessEqual)]
            #[token(">=", |_| Comparison::GreaterEqual)]
            #[token("<", |_| Comparison::Less)]
            #[token(">", |_| Comparison::Greater)]
            Comparison(Comparison),
            #[regex(r"\$[a-zA-Z_](\.?[a-zA-Z_0-9]+)*")]
            Variable(&'input str),
            #[regex(r"[a-zA-Z_](\.?[a-zA-Z_0-9]+)*")]
            Name(&'input str),
            /// The name of a core function.
            CoreName(&'input str),
            /// A catalog-defined word that begins a statement of one place.
            OwnStatement(&'input str),
            /// A catalog-defined word for a detail of a monster.
            OwnMonsterDetail(&'input str),
            /// A catalog-defined word for a detail of an object.
            OwnObjectDetail(&'input str),
            /// A catalog-defined word for a material or flag of doors.
            OwnDoorDetail(&'input str),
            /// A catalog-defined flag of doors, after `&`.
            OwnDoorFlag(&'input str),
            /// MINDEPTH, in catalogs that have it.
            VaultDepth,
            /// The comma between the limits of a gradient, in catalogs that have one.
            RangeComma,
            // Boxed to keep other tokens small.
            Map(Box<MapRows>),
            #[token("#", comment)]
            Comment,
            /// Text that is not a token. A diagnostic was reported.
            Unknown,

            // `Number` becomes one of these.
            Integer(i32),
            Dice((i32, i32)),
            SignlessPercent(i32),
        }

        /// The words that begin a statement.
        pub const STATEMENT_WORDS: &[&str] = &[$($sword),*];

        impl<'input> Token<'input> {
            /// Returns the word, if the token begins a statement.
            pub fn statement_word(&self) -> Option<&'static str> {
                match self { $(Token::$statement => Some($sword),)* _ => None }
            }

            /// Returns the text of a keyword that may be a plain name in another dialect.
            fn keyword(&self) -> Option<&'input str> {
                match self {
                    $(Token::$statement => Some($sword),)*
                    $(Token::$word(text) => Some(text),)*
                    Token::Random => Some("random"),
                    _ => None,
                }
            }
        }
    };
}

tokens! {
    statements {
        Message = "MESSAGE", NoMap = "NOMAP", Level = "LEVEL", Maze = "MAZE", InitMap = "INIT_MAP", Flags = "FLAGS",
        Geometry = "GEOMETRY", Object = "OBJECT", Container = "CONTAINER", Monster = "MONSTER", Trap = "TRAP",
        Door = "DOOR", RoomDoor = "ROOMDOOR", Drawbridge = "DRAWBRIDGE", MazeWalk = "MAZEWALK", Wallify = "WALLIFY",
        Region = "REGION", Altar = "ALTAR", Ladder = "LADDER", Stair = "STAIR", Portal = "PORTAL",
        TeleportRegion = "TELEPORT_REGION", Branch = "BRANCH", Fountain = "FOUNTAIN", Sink = "SINK", Pool = "POOL",
        WallWalk = "WALLWALK", NonDiggable = "NON_DIGGABLE", NonPasswall = "NON_PASSWALL", If = "IF", Else = "ELSE",
        Exit = "EXIT", Room = "ROOM", Subroom = "SUBROOM", RandomCorridors = "RANDOM_CORRIDORS",
        Corridor = "CORRIDOR", Spill = "SPILL", Terrain = "TERRAIN", ReplaceTerrain = "REPLACE_TERRAIN",
        MonGeneration = "MON_GENERATION", Gold = "GOLD", Grave = "GRAVE", Engraving = "ENGRAVING",
        Mineralize = "MINERALIZE", Chance = "CHANCE", For = "FOR", To = "TO", Loop = "LOOP", Switch = "SWITCH",
        Case = "CASE", Break = "BREAK", Default = "DEFAULT", Function = "FUNCTION", Include = "INCLUDE",
        Sounds = "SOUNDS", Shuffle = "SHUFFLE", VaultGen = "VAULTGEN", Topologize = "TOPOLOGIZE",
    }
    words {
        InitStyle = "mazegrid" | "solidfill" | "mines" | "sheollev" | "rogue",
        LowerObject = "obj" | "object",
        LowerMonster = "monster",
        LowerTerrain = "terrain",
        NameWord = "NAME" | "name",
        MonType = "montype",
        SelectionWord = "selection",
        Rect = "rect",
        FillRect = "fillrect",
        Line = "line",
        RandLine = "randline",
        Grow = "grow",
        FloodFill = "floodfill",
        RndCoord = "rndcoord",
        CoordWord = "coord",
        Circle = "circle",
        Ellipse = "ellipse",
        Filter = "filter",
        Gradient = "gradient",
        Complement = "complement",
        GradientType = "radial" | "square",
        Humidity = "dry" | "wet" | "hot" | "solid" | "any",
        Sound = "hear" | "pline" | "verbal" | "feel",
        LevRegion = "levregion",
        Quantity = "quantity",
        Buried = "buried",
        Eroded = "eroded",
        Erodeproof = "erodeproof",
        Trapped = "trapped" | "not_trapped",
        Recharged = "recharged",
        Invisible = "invisible",
        Greased = "greased",
        Female = "female",
        Cancelled = "cancelled",
        Revived = "revived",
        Avenge = "avenge",
        Fleeing = "fleeing",
        Blinded = "blinded",
        Paralyzed = "paralyzed",
        Stunned = "stunned",
        Confused = "confused",
        SeenTraps = "seen_traps",
        All = "all",
        Axis = "horizontal" | "vertical",
        DoorState = "open" | "closed" | "locked" | "nodoor" | "broken" | "secret",
        Direction = "north" | "east" | "south" | "west",
        NoneWord = "none",
        Align = "align",
        LeftRight = "left" | "right",
        Center = "center",
        TopBottom = "top" | "bottom",
        Light = "lit" | "unlit",
        Filling = "filled" | "unfilled",
        Irregular = "regular" | "irregular",
        Joined = "joined" | "unjoined",
        Limited = "limited" | "unlimited",
        Alignment = "noalign" | "law" | "neutral" | "chaos" | "coaligned" | "noncoaligned",
        Attitude = "peaceful" | "hostile",
        Alertness = "asleep" | "awake",
        Appearance = "m_feature" | "m_monster" | "m_object",
        AltarType = "sanctum" | "shrine" | "altar",
        UpDown = "up" | "down",
        Boolean = "false" | "true",
        EngravingType = "dust" | "engrave" | "burn" | "mark" | "blood",
        Curse = "blessed" | "uncursed" | "cursed",
        Flag = "rndvault" | "noteleport" | "sheol" | "hardfloor" | "nommap" | "arboreal" | "shortsighted" | "noflipx"
            | "noflipy" | "noflip" | "mazelevel" | "premapped" | "shroud" | "stormy" | "graveyard" | "sky"
            | "icedpools" | "solidify" | "corrmaze" | "inaccessibles",
    }
    plain {
        Colon = ":", Comma = ",", OpenParen = "(", CloseParen = ")", CloseBracket = "]", OpenBrace = "{",
        CloseBrace = "}", Equals = "=", Dot = ".", Ampersand = "&", Pipe = "|", PlusSign = "+", MinusSign = "-",
        Star = "*", Slash = "/", PercentSign = "%",
    }
}

/// A run of digits with its suffix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// `12`
    Integer(i32),
    /// `2d6`
    Dice(i32, i32),
    /// `12%`
    Percent(i32),
}

/// What the callbacks of a token leave for [`Lexer`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Notes {
    problem: Option<Problem>,
}

/// A problem inside a token, which [`Lexer`] reports with the token's span.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Problem {
    NumberRange,
    Percentage(i32),
    UnterminatedString,
    Character,
    StrayComment,
}

type Callback<'a, 'input> = &'a mut LogosLexer<'input, Token<'input>>;

/// Converts digits to an int. A number that does not fit is rejected, because lev_comp reads it with `atoi`, whose
/// result then depends on the machine.
fn int(lexer: Callback<'_, '_>, digits: &str) -> i32 {
    digits.parse().unwrap_or_else(|_| {
        lexer.extras.problem = Some(Problem::NumberRange);
        0
    })
}

fn percentage(lexer: Callback<'_, '_>, digits: &str) -> i32 {
    let number = int(lexer, digits);
    if number > 100 {
        lexer.extras.problem = Some(Problem::Percentage(number));
    }
    number
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn number<'input>(lexer: Callback<'_, 'input>) -> Number {
    let digits: &'input str = lexer.slice();
    let rest = lexer.remainder();
    if let Some(sides) = rest.strip_prefix('d') {
        let length = leading_digits(sides);
        if length > 0 {
            let sides = &sides[..length];
            lexer.bump(1 + length);
            return Number::Dice(int(lexer, digits), int(lexer, sides));
        }
    }
    if rest.starts_with('%') {
        lexer.bump(1);
        return Number::Percent(percentage(lexer, digits));
    }
    Number::Integer(int(lexer, digits))
}

fn signed<'input>(lexer: Callback<'_, 'input>) -> i32 {
    let text: &'input str = lexer.slice();
    int(lexer, text)
}

/// Matches the rest of `[ 50% ]` after its first bracket: lev_comp reads it as one token.
fn percent_bracket(rest: &str) -> Option<(usize, &str)> {
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let digits = leading_digits(&rest[blanks..]);
    let after = rest[blanks + digits..].strip_prefix('%')?;
    let inner = after.trim_start_matches(' ').strip_prefix(']')?;
    (digits > 0).then(|| (rest.len() - inner.len(), &rest[blanks..blanks + digits]))
}

fn string<'input>(lexer: Callback<'_, 'input>) -> &'input str {
    let rest = lexer.remainder();
    match memchr::memchr(b'"', rest.as_bytes()) {
        Some(end) => {
            lexer.bump(end + 1);
            &rest[..end]
        }
        None => {
            // Skip to the end of the line, so that the next line is read as usual.
            let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
            lexer.extras.problem = Some(Problem::UnterminatedString);
            lexer.bump(end);
            &rest[..end]
        }
    }
}

fn character(lexer: Callback<'_, '_>) -> char {
    let rest = lexer.remainder();
    let mut characters = rest.chars();
    let (first, second, third) = (characters.next(), characters.next(), characters.next());
    match (first, second, third) {
        (Some('\\'), Some(escaped), Some('\'')) if escaped != '\n' => {
            lexer.bump(2 + escaped.len_utf8());
            escaped
        }
        (Some(plain), Some('\''), _) if plain != '\n' => {
            lexer.bump(1 + plain.len_utf8());
            plain
        }
        _ => {
            lexer.extras.problem = Some(Problem::Character);
            // A name in single quotes is one error.
            let letters = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_');
            let length = rest.bytes().take_while(letters).count();
            let sentence = |byte: &u8| letters(byte) || b".,!?:".contains(byte);
            let sentence = rest.bytes().take_while(sentence).count();
            if length > 1 && rest[length..].starts_with('\'') {
                lexer.bump(length + 1);
            } else if sentence > 3 && rest[..sentence].contains(' ') && rest[sentence..].starts_with('\'') {
                lexer.bump(sentence + 1);
            } else if let Some(length) = few_signs(rest) {
                lexer.bump(length + 1);
            }
            ' '
        }
    }
}

/// Returns the length of the two or three signs before the quote that closes them, as in `'""'`.
fn few_signs(rest: &str) -> Option<usize> {
    let length = rest.find(['\'', '\n'])?;
    let signs = &rest[..length];
    let separates = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | ')' | ':');
    (rest[length..].starts_with('\'') && (2..=3).contains(&signs.chars().count()) && !signs.contains(separates))
        .then_some(length)
}

/// Matches a comment, which must be alone on its line except for leading blanks.
fn comment(lexer: Callback<'_, '_>) -> logos::Filter<()> {
    let before = &lexer.source()[..lexer.span().start];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let rest = lexer.remainder();
    let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |newline| newline + 1);
    lexer.bump(end);
    if !before[line..].bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
        lexer.extras.problem = Some(Problem::StrayComment);
        return logos::Filter::Emit(());
    }
    logos::Filter::Skip
}

/// A statement keyword in the file, recorded so that messages can refer to the statement.
#[derive(Clone, Copy, Debug)]
pub struct StatementStart {
    /// Its offset.
    pub offset: usize,
    /// Its text.
    pub word: &'static str,
}

/// The tokens of a file with their ranges, in the form that the parser takes.
pub struct Lexer<'input> {
    inner: LogosLexer<'input, Token<'input>>,
    text: &'input str,
    file: FileId,
    catalog: &'input Catalog,
    /// The diagnostics about tokens.
    pub diagnostics: Vec<Diagnostic>,
    /// The largest number of them.
    most: usize,
    /// The number of further diagnostics of each kind.
    pub untold: Vec<(Code, usize)>,
    /// The statement keywords so far.
    pub statements: Vec<StatementStart>,
    /// The start and end of each string so far that spans several lines.
    pub long_strings: Vec<(usize, usize)>,
    depth: usize,
    /// The progress through a gradient whose limits are separated by a comma.
    gradient: Gradient,
    /// The depth of conditions and operators that nest without brackets: `[50%]: [50%]: ...`.
    chain: usize,
    after_condition: bool,
    /// The range of the previous token, if that is a variable. A bracket after it on the same line is an index; one on
    /// the next line begins a condition. (lev_comp uses the type of the variable instead.)
    variable: Option<(usize, usize)>,
    /// The bytes that a map row may contain.
    in_map: [bool; 256],
    /// True if the file nests too deeply or has too many statements. No more tokens follow.
    pub gave_up: bool,
}

/// The progress through a gradient, up to the comma between its limits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gradient {
    None,
    Word,
    Open,
    /// Inside the brackets of its limits, at this depth.
    Range(usize),
}

impl<'input> Lexer<'input> {
    /// Creates a lexer of `text`, the text of `file`, for the dialect of `catalog`.
    pub fn new(text: &'input str, file: FileId, catalog: &'input Catalog) -> Self {
        let mut in_map = [false; 256];
        catalog.map_characters.bytes().chain(b'0'..=b'9').for_each(|byte| in_map[usize::from(byte)] = true);
        Lexer {
            inner: Token::lexer(text),
            text,
            file,
            catalog,
            diagnostics: Vec::new(),
            most: Diagnostics::new().most_failures(),
            untold: Vec::new(),
            statements: Vec::new(),
            long_strings: Vec::new(),
            depth: 0,
            gradient: Gradient::None,
            chain: 0,
            after_condition: false,
            variable: None,
            in_map,
            gave_up: false,
        }
    }

    /// Keeps at most `most` diagnostics.
    pub fn keeping(self, most: usize) -> Self {
        Lexer { most, ..self }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn report(&mut self, problem: Problem, start: usize, end: usize) {
        let span = self.span(start, end);
        let diagnostic = match problem {
            Problem::NumberRange => Diagnostic::new(Code::NumberRange, span, "the number is too large")
                .with_label("does not fit into an int")
                .with_help(format!("use a number up to {}", i32::MAX)),
            // SporkHack's compiler checks only some percentages; see `check`.
            Problem::Percentage(number) if self.catalog.has(Feature::LatePercentages) => {
                Diagnostic::new(Code::Ignored, span, format!("{number}% is more than 100%"))
                    .with_label("treated as 100%")
            }
            Problem::Percentage(number) => {
                Diagnostic::new(Code::Percentage, span, format!("{number}% is more than 100%"))
                    .with_label("percentages go from 0% to 100%")
            }
            Problem::UnterminatedString => Diagnostic::new(Code::UnterminatedString, span, Mistake::UnclosedString)
                .with_label("opened here")
                .with_help("close it with '\"'"),
            Problem::Character if end - start > 3 => {
                let name = self.text[start..end].trim_matches('\'');
                if let Some(drawn) = meant::terrain(self.catalog, name).filter(|_| self.takes_terrain()) {
                    let diagnostic =
                        Diagnostic::new(Code::Lexical, span, "terrain must be written as its map character")
                            .with_help(format!("write '{drawn}'"))
                            .with_suggestion(span, format!("'{drawn}'"), true);
                    return self.diagnose(diagnostic);
                }
                let is_known = self.catalog.monster(name, None).is_some() || self.catalog.object(name, None).is_some();
                let first = name.chars().next().unwrap_or('.');
                if name.chars().all(|sign| sign == first && !sign.is_alphanumeric()) {
                    let right = format!("'{first}'");
                    let diagnostic = Diagnostic::new(Code::Lexical, span, "single quotes contain one character")
                        .with_help(format!("write {right}"))
                        .with_suggestion(span, right, true);
                    return self.diagnose(diagnostic);
                }
                let is_short = name.chars().count() < 4 && !is_known && self.takes_class();
                if is_short || name.chars().all(|character| self.catalog.terrain(character).is_some()) {
                    let diagnostic = Diagnostic::new(Code::Lexical, span, "single quotes contain one character")
                        .with_help(format!("write '{first}', or double quotes for a name: \"{name}\""));
                    return self.diagnose(diagnostic);
                }
                if name == "random" {
                    let diagnostic = Diagnostic::new(Code::Lexical, span, "this value takes no quotes")
                        .with_help("write random")
                        .with_suggestion(span, "random", false);
                    return self.diagnose(diagnostic);
                }
                Diagnostic::new(Code::Lexical, span, "this name is in single quotes")
                    .with_help(format!("use double quotes for names: \"{name}\""))
                    .with_suggestion(span, format!("\"{name}\""), true)
            }
            Problem::Character
                if entity(&self.text[start + 1..]).is_some()
                    && let rest = self.text[start + 1..].split(['\n', '\r']).next().unwrap_or("")
                    && let Some(diagnostic) = Unread::entities(self.file, start + 1, rest) =>
            {
                diagnostic
            }
            // The closing quote of such a character.
            Problem::Character
                if self.text[..start]
                    .rsplit_once('\'')
                    .is_some_and(|(_, inner)| entity(inner).is_some_and(|(entity, _)| entity == inner)) =>
            {
                return;
            }
            Problem::Character
                if self.text[start..].chars().nth(2).is_some_and(|third| {
                    let sign = |letter: char| !letter.is_alphanumeric();
                    matches!(third, ',' | ')' | '\n' | '\r')
                        || matches!(third, ' ' | '}') && self.text[start + 1..].starts_with(sign)
                }) =>
            {
                let letter: String = self.text[start..].chars().skip(1).take(1).collect();
                let after = start + 1 + letter.len();
                Diagnostic::new(Code::Lexical, self.span(start, after), "this character has no closing quote")
                    .with_help(format!("write '{letter}'"))
                    .with_suggestion(self.span(after, after), "'", true)
            }
            // `'a"`
            Problem::Character
                if {
                    let mut letters = self.text[start..].chars().skip(1);
                    letters.next().is_some_and(|class| !matches!(class, ',' | ' '))
                        && letters.next() == Some('"')
                        && matches!(letters.next(), Some(',' | ')'))
                } =>
            {
                let letter: String = self.text[start..].chars().skip(1).take(1).collect();
                let span = self.span(start, start + 2 + letter.len());
                let right = format!("'{letter}'");
                Diagnostic::new(Code::Lexical, span, "this character begins and ends with different quotes")
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true)
            }
            Problem::Character => Diagnostic::new(Code::Lexical, span, "a character literal must be one character")
                .with_label("expected as in '.' or '\\\\'")
                .with_help("put longer names in double quotes, e.g. \"giant eel\""),
            Problem::StrayComment => Diagnostic::new(Code::Lexical, span, "a comment must be on its own line")
                .with_label("begins after other text")
                .with_help("move the comment to its own line"),
        };
        self.diagnose(diagnostic);
    }

    /// Reports `diagnostic`, or only counts it if it would not be shown.
    fn diagnose(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < self.most {
            self.diagnostics.push(diagnostic);
        } else {
            match self.untold.iter_mut().find(|(code, _)| *code == diagnostic.code) {
                Some((_, count)) => *count += 1,
                None => self.untold.push((diagnostic.code, 1)),
            }
        }
    }

    /// Updates the nesting depth. Returns true if it is too deep.
    fn too_deep(&mut self, token: &Token<'input>, begins_statement: bool) -> bool {
        let condition_before = std::mem::take(&mut self.after_condition);
        match token {
            Token::OpenParen | Token::OpenBrace | Token::OpenBracket | Token::IndexBracket | Token::RandomBracket => {
                self.depth += 1
            }
            Token::CloseParen | Token::CloseBrace => self.depth = self.depth.saturating_sub(1),
            Token::CloseBracket => {
                self.depth = self.depth.saturating_sub(1);
                self.after_condition = true;
            }
            Token::Percent(_) => self.after_condition = true,
            Token::Colon if condition_before => self.chain += 1,
            Token::Complement(_) => self.chain += 1,
            Token::OwnStatement(_) => self.chain = 0,
            _ if begins_statement => self.chain = 0,
            _ => {}
        }
        self.depth > MAX_NESTING || self.chain > MAX_NESTING
    }
}

impl<'input> Iterator for Lexer<'input> {
    type Item = (usize, Token<'input>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        if self.gave_up {
            return None;
        }
        let (token, start, mut end) = loop {
            let token = self.inner.next()?;
            let (start, end) = (self.inner.span().start, self.inner.span().end);
            let problem = self.inner.extras.problem.take();
            if let Some(problem) = problem {
                self.report(problem, start, end);
            }
            if problem != Some(Problem::StrayComment) {
                break (token, start, end);
            }
        };
        let token = self.dialect_word(token.unwrap_or(Token::Unknown), start, &mut end);
        let token = match token {
            Token::Number(Number::Integer(number)) => Token::Integer(number),
            Token::Number(Number::Dice(count, sides)) => Token::Dice((count, sides)),
            Token::Number(Number::Percent(percent)) => Token::SignlessPercent(percent),
            Token::OpenBracket => match percent_bracket(self.inner.remainder()) {
                Some((length, digits)) => {
                    let percent = percentage(&mut self.inner, digits);
                    self.inner.bump(length);
                    end += length;
                    if let Some(problem) = self.inner.extras.problem.take() {
                        self.report(problem, start, end);
                    }
                    Token::Percent(percent)
                }
                None if self.variable.is_some_and(|(_, from)| !self.text[from..start].contains('\n')) => {
                    Token::IndexBracket
                }
                None => Token::OpenBracket,
            },
            Token::Random if self.inner.remainder().starts_with('[') && self.catalog.has(Feature::RandomHumidity) => {
                self.inner.bump(1);
                end += 1;
                Token::RandomBracket
            }
            Token::Ampersand if self.catalog.has_own_words() => match self.own_door_flag() {
                Some((length, word)) => {
                    self.inner.bump(length);
                    end += length;
                    Token::OwnDoorFlag(word)
                }
                None => Token::Ampersand,
            },
            Token::Name("half") if !self.catalog.has(Feature::DashedWords) => {
                match ["-left", "-right"].into_iter().find(|tail| self.inner.remainder().starts_with(tail)) {
                    Some(tail) => {
                        self.inner.bump(tail.len());
                        end += tail.len();
                        Token::LeftRight(&self.text[start..end])
                    }
                    None => Token::Name("half"),
                }
            }
            Token::Name("MAP") if self.is_map_line(start, end) => {
                let rows = self.map(start);
                end = self.inner.span().end;
                Token::Map(Box::new(rows))
            }
            Token::Name(word) if self.is_misspelt_level(word, start, end) => Token::Level,
            // A level of another game is read on, so that its other mistakes are reported.
            Token::Maze if self.catalog.lacks_keyword("MAZE") && self.has_level_name(end) => {
                self.no_maze(start, end);
                Token::Maze
            }
            token => match token.keyword() {
                Some(word) if self.catalog.lacks_keyword(word) => Token::Name(&self.text[start..end]),
                _ => token,
            },
        };
        let token = match token {
            Token::Name(name) => match self.catalog.own_word(name) {
                None if name == "MINDEPTH" && self.catalog.has(Feature::VaultDepths) => Token::VaultDepth,
                Some(OwnWord::Of(splc_ir::words::Group::Light)) => Token::Light(name),
                None | Some(OwnWord::Of(_)) => token,
                Some(OwnWord::Flag) => Token::Flag(name),
                Some(OwnWord::Statement) => Token::OwnStatement(name),
                Some(OwnWord::MonsterDetail) => Token::OwnMonsterDetail(name),
                Some(OwnWord::ObjectDetail) => Token::OwnObjectDetail(name),
                Some(OwnWord::DoorDetail) => Token::OwnDoorDetail(name),
            },
            Token::Boolean(word) if self.catalog.has(Feature::IrregularTruth) && self.is_in("REGION") => {
                Token::Irregular(if word == "true" { "irregular" } else { "regular" })
            }
            token if self.catalog.has(Feature::CommaGradients) => self.in_gradient(token),
            token => token,
        };
        let token = match token {
            // Without functions there are no user-defined names.
            Token::Name(_) if !self.catalog.has(Feature::Functions) => Token::Unknown,
            Token::Name(name) if self.catalog.core_function(name).is_some() => Token::CoreName(name),
            token => token,
        };
        if matches!(token, Token::String(text) if text.contains('\n')) {
            self.long_strings.push((start, end));
        }
        let word = token.statement_word();
        if let Some(word) = word {
            self.statements.push(StatementStart { offset: start, word });
        } else if matches!(token, Token::Equals)
            && let Some((offset, _)) = self.variable
            && !self.text[..offset].trim_end().ends_with("FOR")
        {
            self.statements.push(StatementStart { offset, word: ASSIGNMENT });
        }
        self.variable = matches!(token, Token::Variable(_)).then_some((start, end));
        if self.statements.len() > MAX_STATEMENTS {
            self.gave_up = true;
            let message = format!("the file has more than {MAX_STATEMENTS} statements");
            self.diagnose(
                Diagnostic::new(Code::TooLarge, self.span(start, end), message)
                    .with_label("the rest is not read")
                    .with_help("split its levels into several files"),
            );
            return None;
        }
        if self.too_deep(&token, word.is_some()) {
            self.gave_up = true;
            let span = self.span(start, end);
            self.diagnose(
                Diagnostic::new(Code::Nesting, span, format!("nested more than {MAX_NESTING} deep"))
                    .with_label("one level too many")
                    .with_help("look for a missing closing bracket above, or move the inner part into a FUNCTION"),
            );
            return None;
        }
        Some((start, token, end))
    }
}

impl<'input> Lexer<'input> {
    /// Adjusts the token at `start..end` to the words of the dialect, and moves `end` if they are split differently.
    ///
    /// The tokens are UnNetHack's, whose words may contain dots. SporkHack's may not. In NetHack 3.6 letters, digits,
    /// `_` and `-` form one word, and names of variables contain no digits.
    fn dialect_word(&mut self, token: Token<'input>, start: usize, end: &mut usize) -> Token<'input> {
        let dashed = self.catalog.has(Feature::DashedWords);
        if !dashed && !self.catalog.has(Feature::UndottedWords) {
            return token;
        }
        let text = &self.text[start..];
        let length =
            |from: usize, part: fn(u8) -> bool| from + text[from..].bytes().take_while(|&byte| part(byte)).count();
        let cut = match &token {
            Token::Variable(_) if dashed => length(1, |byte| byte.is_ascii_alphabetic() || byte == b'_'),
            Token::Variable(_) => length(1, |byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            Token::Name(_) if !dashed => length(0, |byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            _ if dashed => {
                let word = length(0, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
                // The longest match wins. Of equally long matches, the other tokens come first.
                if word > *end - start || matches!(token, Token::Name(_)) { word } else { *end - start }
            }
            _ => *end - start,
        };
        if start + cut == *end {
            if dashed && token == Token::MinusSign {
                self.no_minus(start);
            }
            return token;
        }
        *end = start + cut;
        self.inner = Token::lexer(self.text);
        self.inner.bump(*end);
        let word = &text[..cut];
        match token {
            Token::Variable(_) => Token::Variable(word),
            _ if matches!(word, "half-left" | "half-right") => Token::LeftRight(word),
            _ => Token::Name(word),
        }
    }

    /// Returns true if a colon and a string follow on the line of `end`, as in the first line of a level.
    fn has_level_name(&self, end: usize) -> bool {
        let blanks = [' ', '\t'];
        let rest = self.text[end..].trim_start_matches(blanks).strip_prefix(':');
        rest.is_some_and(|rest| rest.trim_start_matches(blanks).starts_with('"'))
    }

    /// Returns true if `word` begins a level and is a misspelt LEVEL, which is then reported. Without the start of its
    /// level, the parser could read none of it.
    fn is_misspelt_level(&mut self, word: &str, start: usize, end: usize) -> bool {
        let first = self.text[..start].ends_with('\n') || start == 0;
        let is_near = || word.len() > 3 && !nearest(&word.to_ascii_uppercase(), ["LEVEL"]).is_empty();
        if !first || !self.has_level_name(end) || !is_near() {
            return false;
        }
        let span = self.span(start, end);
        let message = match word.eq_ignore_ascii_case("LEVEL") {
            true => format!("`{word}` is not a statement: keywords are in capitals"),
            false => format!("unknown statement {word}"),
        };
        let help = if word.eq_ignore_ascii_case("LEVEL") { "write LEVEL" } else { "did you mean \"LEVEL\"?" };
        self.diagnose(
            Diagnostic::new(Code::Syntax, span, message).with_help(help).with_suggestion(span, "LEVEL", true),
        );
        true
    }

    /// Reports a MAZE in a game without it.
    fn no_maze(&mut self, start: usize, end: usize) {
        let diagnostic = no_maze(&self.text[end..], self.span(start, end), self.catalog);
        self.diagnose(diagnostic);
    }

    /// Returns true if the latest statement has a class as a value.
    fn takes_class(&self) -> bool {
        let last = self.statements.last();
        last.is_some_and(|statement| matches!(statement.word, "MONSTER" | "OBJECT" | "CONTAINER"))
    }

    /// Returns true if the latest statement has a map character as a value.
    fn takes_terrain(&self) -> bool {
        let words = ["TERRAIN", "REPLACE_TERRAIN", "SPILL", "WALLWALK", "INIT_MAP", "MAZE"];
        self.statements.last().is_some_and(|statement| words.contains(&statement.word))
    }

    /// Returns true if `word` is the latest statement keyword.
    fn is_in(&self, word: &str) -> bool {
        self.statements.last().is_some_and(|statement| statement.word == word)
    }

    /// Distinguishes the comma between the limits of a gradient from other commas.
    fn in_gradient(&mut self, token: Token<'input>) -> Token<'input> {
        self.gradient = match (self.gradient, &token) {
            (_, Token::Gradient(_)) => Gradient::Word,
            (Gradient::Word, Token::OpenParen) => Gradient::Open,
            (Gradient::Open, Token::OpenParen) => Gradient::Range(self.depth + 1),
            (Gradient::Range(depth), Token::Comma) if depth == self.depth => {
                self.gradient = Gradient::None;
                return Token::RangeComma;
            }
            (Gradient::Range(depth), Token::CloseParen) if depth == self.depth => Gradient::None,
            (state, _) => state,
        };
        token
    }

    /// Returns the catalog-defined door flag that comes next, and the number of bytes up to its end.
    fn own_door_flag(&self) -> Option<(usize, &'input str)> {
        let rest: &'input str = self.inner.remainder();
        let trimmed = rest.trim_start_matches([' ', '\t']);
        let length = trimmed.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let word = &trimmed[..length];
        let is_flag = self.catalog.own_word(word) == Some(OwnWord::DoorDetail);
        is_flag.then(|| (rest.len() - trimmed.len() + length, word))
    }

    /// Reports a lone dash, a word that no rule of NetHack 3.6 matches.
    fn no_minus(&mut self, at: usize) {
        // In a row of a map, the missing MAP line is the error.
        if self.is_in_row(at) {
            return;
        }
        let span = self.span(at, at + 1);
        if self.text[at + 1..].starts_with('>') {
            let arrow = self.span(at, at + 2);
            self.diagnose(
                Diagnostic::new(Code::Syntax, arrow, "expected `,`, found `->`")
                    .with_help("separate values with commas")
                    .with_suggestion(arrow, ", ", true),
            );
            return;
        }
        // `(0,0)-(13,4)`
        let numbers = |pair: &str| {
            let numbers: Vec<&str> = pair.split(',').map(str::trim).collect();
            let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            (numbers.len() == 2 && numbers.iter().all(is_number)).then(|| numbers.join(","))
        };
        // A pair of numbers is short, and a line can be long.
        const MOST_BYTES: usize = 40;
        let bytes = self.text.as_bytes();
        let ahead = bytes[..at].strip_suffix(b")").unwrap_or_default();
        let first =
            ahead.iter().rev().take(MOST_BYTES).position(|&byte| byte == b'(').map(|back| ahead.len() - 1 - back);
        let rest = bytes[at + 1..].strip_prefix(b"(").unwrap_or_default();
        let last = rest.iter().take(MOST_BYTES).position(|&byte| byte == b')');
        if let (Some(open), Some(length)) = (first, last)
            // A line has two places.
            && self.text[..open].trim_end_matches([' ', '\t']).ends_with([':', ','])
            && let (Some(one), Some(other)) =
                (numbers(&self.text[open + 1..at - 1]), numbers(&self.text[at + 2..at + 2 + length]))
        {
            let (span, right) = (self.span(open, at + length + 3), format!("({one},{other})"));
            self.diagnose(
                Diagnostic::new(Code::Syntax, span, "a region is four numbers in one pair of parentheses")
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true),
            );
            return;
        }
        let message = format!("{} has no `-` between values", self.catalog.title);
        self.diagnose(Diagnostic::new(Code::WrongDialect, span, message).with_help(
            match self.text[..at].ends_with(')') && self.text[at + 1..].starts_with('(') {
                true => "write a comma between the places",
                false => "in a sum, add a negative number, as in $x + (-1); in a line, write a comma",
            },
        ));
    }

    /// Returns true if the word at `start..end` is alone on its line: `^MAP\r?\n`.
    fn is_map_line(&self, start: usize, end: usize) -> bool {
        let rest = &self.text[end..];
        (start == 0 || self.text.as_bytes()[start - 1] == b'\n') && (rest.starts_with('\n') || rest.starts_with("\r\n"))
    }
}
