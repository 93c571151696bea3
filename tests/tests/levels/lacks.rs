//! Every type of node for every game: nodes that `lacks` does not name are lowered, nodes that it names are errors, and
//! nothing is dropped silently.

use std::collections::BTreeSet;

use splc_ir::abi;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Code, Diagnostics};
use splc_ir::lacks::{Construct, Node, lacks};
use splc_ir::level::*;
use splc_ir::loadable::{Loadable, lower_each};
use splc_ir::parts::Body;
use splc_ir::source::{SourceMap, Span, Spanned, Text};
use splc_ir::words::*;
use splc_tests::{Beside, corpus_files};

const TARGETS: [&str; 4] = ["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7", "nethack-3.4.3"];

/// Defines a function that names the variants of an enum, and the list of those names. A new variant does not compile
/// until it is listed, and then needs a sample.
macro_rules! kinds {
    ($names:ident, $name:ident: $kind:ty { $($variant:ident),* $(,)? }) => {
        const $names: &[&str] = &[$(stringify!($variant)),*];

        fn $name(kind: &$kind) -> &'static str {
            type Kind = $kind;
            match kind { $(Kind::$variant { .. } => stringify!($variant),)* }
        }
    };
}

kinds! {
    STATEMENTS, statement_name: StatementKind {
        Message, InitMap, Map, Monster, Object, Trap, Room, RoomDoor, Door, Region, Stair, Ladder, LevelRegion, Altar,
        Grave, Fountain, Sink, Pool, Place, Gold, Engraving, Drawbridge, MazeWalk, Wallify, NonDiggable, NonPasswall, Corridor,
        RandomCorridors, Terrain, ReplaceTerrain, Spill, WallWalk, Mineralize, MonsterGeneration, Sounds,
        VaultGeneration, VaultDepth, Topologize, Define, Shuffle, Function, Call, If, Chance, Switch, For, Loop, Break, Exit,
        Registers, Error,
    }
}

kinds! {
    EXPRESSIONS, expression_name: ExprKind {
        Integer, Dice, String, Coordinate, ComputedCoordinate, RandomCoordinate, SelectedCoordinate, Region,
        MapCharacter, Monster, Object, Selection, Variable, Method, CoreCall, Chain, Checked, Group, Register,
        NamedRegister, Random, Error,
    }
}

kinds! {
    SELECTIONS, selection_name: SelectionKind {
        Point, Rectangle, FilledRectangle, Line, RandomLine, Grow, FilterPercent, FilterSelection, FilterTerrain,
        FloodFill, Circle, Ellipse, Gradient, Complement, Variable, Group, Union, Error,
    }
}

kinds! {
    MONSTER_DETAILS, monster_detail_name: MonsterDetail {
        Name, Attitude, Alertness, Alignment, Appearance, Female, Invisible, Cancelled, Revived, Avenge, Fleeing,
        Blinded, Paralyzed, Stunned, Confused, SeenTraps, Own,
    }
}

kinds! {
    OBJECT_DETAILS, object_detail_name: ObjectDetail {
        Place, Curse, MonsterType, Enchantment, Name, Quantity, Buried, Light, Eroded, Erodeproof, State, Trapped,
        Recharged, Invisible, Greased, Own,
    }
}

fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::NOWHERE)
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::NOWHERE }
}

fn place() -> Expr {
    expr(ExprKind::Coordinate { x: 3, y: 4 })
}

fn area() -> Expr {
    expr(ExprKind::Region { corners: [1, 1, 5, 5] })
}

fn number() -> Expr {
    expr(ExprKind::Integer(5))
}

fn text() -> Expr {
    expr(ExprKind::String(Text::from("x")))
}

fn terrain() -> Expr {
    expr(ExprKind::MapCharacter { character: '.', light: None })
}

fn monster() -> Expr {
    expr(ExprKind::Monster(SpeciesName::Class('a')))
}

fn object() -> Expr {
    expr(ExprKind::Object(SpeciesName::Class('(')))
}

fn selection(kind: SelectionKind) -> Selection {
    Selection { kind, span: Span::NOWHERE }
}

fn point() -> Selection {
    selection(SelectionKind::Point(place()))
}

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NOWHERE }
}

fn variable() -> Variable {
    Variable { name: Text::from("$x"), index: None, ty: Type::of(ValueType::Integer) }
}

fn core_call() -> CoreCall {
    CoreCall { function: Box::new(at(Text::from("time.midnight"))), arguments: None }
}

fn room(placement: RoomPlacement) -> StatementKind {
    StatementKind::Room(Box::new(Room {
        room_type: OrRandom::Random,
        chance: None,
        light: OrRandom::Random,
        placement,
        size: OrRandom::Random,
        flags: None,
        body: Vec::new(),
        name: None,
        order: None,
    }))
}

fn region_spec() -> RegionSpec {
    RegionSpec { level: false, corners: [1, 1, 2, 2], span: Span::NOWHERE }
}

fn function() -> Function {
    Function { name: at(Text::from("f")), parameters: Vec::new(), body: Vec::new(), span: Span::NOWHERE }
}

fn a_monster(details: Vec<Spanned<MonsterDetail>>, inventory: Option<Vec<Statement>>) -> StatementKind {
    StatementKind::Monster(Monster { monster: monster(), place: place(), details, inventory })
}

fn an_object(details: Vec<Spanned<ObjectDetail>>, contents: Option<Vec<Statement>>) -> StatementKind {
    let details = [vec![at(ObjectDetail::Place(place()))], details].concat();
    StatementKind::Object(Object { object: object(), details, contents, contained_span: Span::NOWHERE })
}

fn rows() -> MapRows {
    MapRows { rows: vec![Text::from("...")], row_spans: Vec::new(), span: Span::NOWHERE }
}

/// Returns every type of statement, some in more than one form.
fn statements() -> Vec<StatementKind> {
    use StatementKind as S;
    let percent = || Condition::Percent(at(50));
    let exit = || vec![statement(S::Exit)];
    let end = || CorridorEnd { room: at(0), wall: at(Direction::North), door: OrRandom::Random };
    let region = |flags, body| {
        S::Region(Region { area: area(), light: OrRandom::Random, room_type: OrRandom::Random, flags, body })
    };
    let level_region = |kind| S::LevelRegion(LevelRegion { kind, inside: region_spec(), outside: region_spec() });
    let map = |position, keep_regions| S::Map(Map::Drawn { position, keep_regions, rows: rows() });
    let aligned = || MapPosition::Aligned { horizontal: Horizontal::Left, vertical: Vertical::Top };
    let mines = |filling| {
        S::InitMap(InitMap::Mines {
            foreground: at('.'),
            background: at(' '),
            smoothed: true,
            joined: at(true),
            light: OrRandom::Random,
            walled: OrRandom::Is(true),
            filling,
            iced: None,
        })
    };
    let mut named = room(RoomPlacement::Level { position: OrRandom::Random, alignment: OrRandom::Random });
    if let S::Room(room) = &mut named {
        room.name = Some(at(Text::from("hall")));
        room.order = Some(0);
        room.flags = Some(vec![at(RoomFlag::Joined(Joined::Joined)), at(RoomFlag::Irregular(Irregular::Irregular))]);
    }
    vec![
        S::Message { text: text(), to: Audience::Everyone },
        mines(None),
        mines(Some(at('.'))),
        S::InitMap(InitMap::Solid { filling: at('.'), light: None }),
        S::InitMap(InitMap::MazeGrid { filling: at('.') }),
        S::InitMap(InitMap::Sheol),
        S::InitMap(InitMap::Rogue),
        S::Map(Map::None),
        map(aligned(), None),
        map(aligned(), Some(true)),
        map(MapPosition::At(place()), None),
        a_monster(Vec::new(), None),
        a_monster(Vec::new(), Some(Vec::new())),
        an_object(Vec::new(), None),
        an_object(Vec::new(), Some(vec![statement(an_object(Vec::new(), None))])),
        an_object(Vec::new(), Some(vec![statement(an_object(Vec::new(), Some(Vec::new())))])),
        an_object(Vec::new(), Some(exit())),
        S::Trap { trap: OrRandom::Random, place: place() },
        room(RoomPlacement::Level { position: OrRandom::Random, alignment: OrRandom::Random }),
        room(RoomPlacement::Room { position: OrRandom::Random, parent_span: Span::NOWHERE }),
        room(RoomPlacement::Stray { position: OrRandom::Random, parent: at(Text::from("hall")) }),
        named,
        S::RoomDoor {
            secret: OrRandom::Random,
            state: OrRandom::Random,
            walls: OrRandom::Is(vec![at(Direction::North)]),
            position: OrRandom::Random,
            walls_span: Span::NOWHERE,
            also: Vec::new(),
        },
        S::RoomDoor {
            secret: OrRandom::Random,
            state: OrRandom::Is(at(DoorState::Open)),
            walls: OrRandom::Is(vec![at(Direction::North), at(Direction::South)]),
            position: OrRandom::Random,
            walls_span: Span::NOWHERE,
            also: Vec::new(),
        },
        S::Door { state: OrRandom::Is(at(DoorState::Secret)), at: point(), also: Vec::new() },
        S::Door { state: OrRandom::Random, at: point(), also: vec![at(Text::from("iron"))] },
        region(None, None),
        region(Some(vec![at(RoomFlag::Joined(Joined::Joined))]), None),
        region(Some(vec![at(RoomFlag::Irregular(Irregular::Irregular))]), None),
        region(None, Some(exit())),
        S::Stair { place: place(), direction: UpDown::Up },
        S::Ladder { place: place(), direction: UpDown::Up },
        level_region(LevelRegionKind::Stair(UpDown::Up)),
        level_region(LevelRegionKind::Portal(at(Text::from("x")))),
        level_region(LevelRegionKind::Teleport(None)),
        level_region(LevelRegionKind::Branch),
        S::Altar {
            place: place(),
            alignment: AlignmentSpec::Is(Alignment::Coaligned),
            altar: OrRandom::Random,
            also: Vec::new(),
        },
        S::Altar {
            place: place(),
            alignment: AlignmentSpec::Register(at(0)),
            altar: OrRandom::Is(AltarType::Shrine),
            also: vec![at(Text::from("\"Anhur\""))],
        },
        S::Grave { place: place(), epitaph: Epitaph::Text(text()) },
        S::Fountain { at: point() },
        S::Sink { at: point() },
        S::Pool { at: point() },
        S::Place { word: Text::from("FORGE"), at: point() },
        S::Gold { amount: number(), place: place() },
        S::Engraving { place: place(), engraving: OrRandom::Is(EngravingType::Burn), text: text() },
        S::Drawbridge { place: place(), direction: at(Direction::East), state: OrRandom::Is(at(DoorState::Open)) },
        S::MazeWalk { place: place(), direction: Direction::East, stocked: None, filling: None },
        S::MazeWalk { place: place(), direction: Direction::East, stocked: Some(true), filling: Some(at('.')) },
        S::Wallify { at: None },
        S::Wallify { at: Some(WallifyArea::Selection(Box::new(point()))) },
        S::Wallify { at: Some(WallifyArea::Region(area())) },
        S::NonDiggable { region: area() },
        S::NonPasswall { region: area() },
        S::Corridor { from: end(), to: CorridorTarget::Door(end()) },
        S::Corridor { from: end(), to: CorridorTarget::Number(at(1)) },
        S::RandomCorridors { style: CorridorStyle::Default },
        S::RandomCorridors { style: CorridorStyle::Number(at(1)) },
        S::Terrain { at: point(), terrain: terrain() },
        S::ReplaceTerrain { region: area(), from: terrain(), to: Box::new(terrain()), chance: at(50) },
        S::Spill { place: place(), terrain: terrain(), direction: Direction::East, amount: Box::new(number()) },
        S::Spill {
            place: place(),
            terrain: expr(ExprKind::Variable(variable())),
            direction: Direction::East,
            amount: Box::new(number()),
        },
        S::WallWalk { place: place(), from: None, to: Box::new(terrain()), chance: None },
        S::Mineralize { chances: None },
        S::MonsterGeneration {
            chance: at(50),
            entries: [SpeciesName::Class('a'), SpeciesName::Name(Text::from("newt"))]
                .map(|monster| GenerationEntry { frequency: number(), monster, span: Span::NOWHERE })
                .into(),
        },
        S::MonsterGeneration {
            chance: at(50),
            entries: vec![GenerationEntry { frequency: number(), monster: SpeciesName::Random, span: Span::NOWHERE }],
        },
        S::Sounds { frequency: number(), sounds: vec![Sound { kind: SoundType::Hear, text: text() }] },
        S::VaultGeneration { frequency: at(5) },
        S::VaultDepth { depth: at(5) },
        S::Topologize { place: place() },
        S::Define {
            variable: at(Text::from("$x")),
            value: Definition::Value { ty: ValueType::Integer, value: number() },
        },
        S::Define {
            variable: at(Text::from("$x")),
            value: Definition::Array { ty: ValueType::Integer, values: vec![number()] },
        },
        S::Define {
            variable: at(Text::from("$x")),
            value: Definition::Copy { ty: Type::of(ValueType::Integer), variable: at(Text::from("$y")) },
        },
        S::Shuffle { variable: at(Text::from("$x")) },
        S::Function(function()),
        S::Function(Function {
            parameters: vec![Parameter { name: at(Text::from("$x")), ty: Type::of(ValueType::Integer) }],
            ..function()
        }),
        S::Call { function: at(Text::from("f")), arguments: Vec::new() },
        S::If { condition: percent(), then: exit(), otherwise: None },
        S::Chance { condition: percent(), then: Box::new(statement(a_monster(Vec::new(), None))) },
        S::Chance { condition: percent(), then: Box::new(statement(S::Gold { amount: number(), place: place() })) },
        S::Chance { condition: Condition::NonZero(number()), then: Box::new(statement(a_monster(Vec::new(), None))) },
        S::Chance {
            condition: percent(),
            then: Box::new(statement(S::Chance {
                condition: percent(),
                then: Box::new(statement(a_monster(Vec::new(), None))),
            })),
        },
        S::Switch { value: number(), cases: vec![Case { value: Some(at(1)), body: exit(), span: Span::NOWHERE }] },
        S::For { variable: at(Text::from("$i")), from: number(), to: Box::new(number()), body: exit() },
        S::For {
            variable: at(Text::from("$i")),
            from: number(),
            to: Box::new(expr(ExprKind::Variable(variable()))),
            body: exit(),
        },
        S::Loop { count: number(), body: exit() },
        S::Break,
        S::Exit,
        S::Registers { of: RegisterKind::Object, values: vec![object()] },
        S::Registers { of: RegisterKind::Place, values: vec![place()] },
        S::Registers { of: RegisterKind::Monster, values: vec![number()] },
        S::Error,
    ]
}

/// Returns every type of value.
fn expressions() -> Vec<ExprKind> {
    use ExprKind as E;
    let species = [
        SpeciesName::Random,
        SpeciesName::Class('a'),
        SpeciesName::Name(Text::from("newt")),
        SpeciesName::ClassAndName(':', Text::from("newt")),
        SpeciesName::RandomAndName(Text::from("newt")),
    ];
    let operators = [
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Remainder,
        Operator::Concatenate,
    ];
    let chains = operators.map(|operator| {
        let part = if operator == Operator::Concatenate { text } else { number };
        E::Chain { first: Box::new(part()), rest: vec![(operator, part())] }
    });
    let registers = [RegisterKind::Object, RegisterKind::Monster, RegisterKind::Place];
    [
        vec![
            E::Integer(1),
            E::Dice { count: 2, sides: 6 },
            E::String(Text::from("x")),
            E::Coordinate { x: 1, y: 2 },
            E::ComputedCoordinate { x: Box::new(number()), y: Box::new(number()) },
            E::RandomCoordinate { humidity: Vec::new() },
            E::RandomCoordinate { humidity: vec![at(Humidity::Wet)] },
            E::SelectedCoordinate(Box::new(point())),
            E::Region { corners: [1, 2, 3, 4] },
            E::MapCharacter { character: '.', light: Some(OrRandom::Is(Light::Lit)) },
            E::Selection(Box::new(point())),
            E::Variable(variable()),
            E::Method {
                variable: Box::new(at(Text::from("$x"))),
                ty: Type::of(ValueType::Integer),
                method: Text::from("length"),
            },
            E::CoreCall(core_call()),
            E::Group(Box::new(number())),
            E::Checked { place: Box::new(place()), word: Text::from("skipcheck") },
            E::Random,
            E::Error,
        ],
        species.iter().cloned().map(E::Monster).collect(),
        species.iter().cloned().map(E::Object).collect(),
        chains.into(),
        registers.map(|of| E::Register { of, index: at(0) }).into(),
        registers.map(|of| E::NamedRegister { of, index: at(0), name: Text::from("x") }).into(),
    ]
    .concat()
}

/// Returns every type of selection.
fn selections() -> Vec<SelectionKind> {
    use SelectionKind as S;
    let inner = || Box::new(point());
    vec![
        S::Point(place()),
        S::Rectangle(area()),
        S::FilledRectangle(area()),
        S::Line(place(), Box::new(place())),
        S::RandomLine(place(), Box::new(place()), Box::new(number())),
        S::Grow { directions: Some(vec![at(Direction::North)]), selection: inner() },
        S::FilterPercent { percent: at(50), selection: inner() },
        S::FilterSelection { filter: inner(), selection: inner() },
        S::FilterTerrain { terrain: terrain(), selection: inner() },
        S::FloodFill(place()),
        S::Circle { center: place(), radius: Box::new(number()), filling: Some(Filling::Filled) },
        S::Ellipse { center: place(), x_radius: Box::new(number()), y_radius: Box::new(number()), filling: None },
        S::Gradient {
            gradient: GradientType::Radial,
            minimum: Box::new(number()),
            maximum: Box::new(number()),
            limited: Some(Limited::Limited),
            center: place(),
            center2: None,
        },
        S::Complement(inner()),
        S::Variable(variable()),
        S::Group(inner()),
        S::Union(vec![point(), point()]),
        S::Error,
    ]
}

/// Returns a detail that no built-in game has.
fn own_detail() -> OwnDetail {
    OwnDetail { word: Text::from("dead"), value: Some(number()) }
}

fn monster_details() -> Vec<MonsterDetail> {
    use MonsterDetail as D;
    vec![
        D::Name(text()),
        D::Attitude(OrRandom::Is(Attitude::Peaceful)),
        D::Alertness(OrRandom::Is(Alertness::Asleep)),
        D::Alignment(AlignmentSpec::Is(Alignment::Noncoaligned)),
        D::Appearance(Appearance::Object, text()),
        D::Female,
        D::Invisible,
        D::Cancelled,
        D::Revived,
        D::Avenge,
        D::Fleeing(number()),
        D::Blinded(number()),
        D::Paralyzed(number()),
        D::Stunned,
        D::Confused,
        D::SeenTraps(SeenTraps::All),
        D::Own(own_detail()),
    ]
}

/// Returns every type of object detail. `of` is the monster of a corpse.
fn object_details(of: fn() -> Expr) -> Vec<ObjectDetail> {
    use ObjectDetail as D;
    vec![
        D::Place(place()),
        D::Curse(OrRandom::Is(Curse::Cursed)),
        D::MonsterType(of()),
        D::Enchantment(number()),
        D::Enchantment(expr(ExprKind::Random)),
        D::Name(text()),
        D::Quantity(number()),
        D::Buried,
        D::Light(Light::Lit),
        D::Eroded(number()),
        D::Erodeproof,
        D::State(DoorState::Locked),
        D::State(DoorState::Broken),
        D::Trapped(Trapped::Trapped),
        D::Recharged(number()),
        D::Invisible,
        D::Greased,
        D::Own(own_detail()),
    ]
}

/// The result of lowering a level.
struct Lowered {
    /// The constructs that the game lacks.
    lacking: Vec<Construct>,
    /// Number of opcodes of a program, or of things of parts and rooms; 0 if there are errors.
    size: usize,
}

/// Lowers a level with this body, and checks that lowering and `lacks` agree.
fn lower(kind: LevelKind, body: Vec<Statement>, target: &str) -> Lowered {
    let catalog = Catalog::by_name(target).unwrap();
    let shown = format!("{target}: {body:?}");
    let level = Level { name: at(Text::from("x")), kind, flags: None, body, span: Span::NOWHERE };
    let module = Module { items: vec![Item::Function(function()), Item::Level(level)], ..Module::default() };
    // Top-level functions are checked separately.
    let has_functions = lacks(Node::Function(&function()), catalog).is_empty();
    let module = if has_functions { module } else { Module { items: module.items[1..].to_vec(), ..Module::default() } };
    let lacking = lacks(Node::Module(&module), catalog);
    let mut diagnostics = Diagnostics::new();
    let mut size = 0;
    lower_each(&module, catalog, &abi::ALL[0], &mut diagnostics, |_, level, _| {
        size = match &level {
            Loadable::Program(program) => program.ops.len(),
            Loadable::Lua(_) => 0,
            Loadable::Parts(level) => {
                serde_json::to_string(level).unwrap().len() + usize::from(matches!(level.body, Body::Rooms(_)))
            }
        };
    });
    for diagnostic in diagnostics.iter() {
        assert_eq!(diagnostic.code, Code::Target, "{shown}: {}", diagnostic.message);
        assert!(!diagnostic.message.text().contains("splc cannot compile"), "{shown}: {}", diagnostic.message);
    }
    assert_eq!(diagnostics.errors(), lacking.len(), "{shown}: {lacking:?}");
    Lowered {
        lacking: lacking.into_iter().map(|lack| lack.construct).collect(),
        size: if diagnostics.has_errors() { 0 } else { size },
    }
}

/// Returns levels with the statement in each allowed position.
fn around(inner: Statement, target: &str) -> Vec<(LevelKind, Vec<Statement>)> {
    if Catalog::by_name(target).unwrap().format == Format::Opcodes {
        return vec![(LevelKind::Script, vec![inner])];
    }
    let maze = LevelKind::Maze { filling: None };
    let mut hall = room(RoomPlacement::Level { position: OrRandom::Random, alignment: OrRandom::Random });
    if let StatementKind::Room(hall) = &mut hall {
        hall.body.push(inner.clone());
    }
    let container = an_object(Vec::new(), Some(vec![inner.clone()]));
    vec![
        (LevelKind::Rooms, vec![inner.clone()]),
        (maze, vec![inner.clone()]),
        (maze, vec![statement(StatementKind::Map(Map::None)), inner]),
        (LevelKind::Rooms, vec![statement(hall)]),
        (maze, vec![statement(StatementKind::Map(Map::None)), statement(container)]),
    ]
}

#[test]
fn every_statement_is_lowered_or_rejected_for_every_game() {
    let samples = statements();
    let covered: BTreeSet<&str> = samples.iter().map(statement_name).collect();
    assert_eq!(covered, STATEMENTS.iter().copied().collect(), "a kind of statement has no sample");
    for target in TARGETS {
        let mut held = BTreeSet::new();
        for kind in &samples {
            for (level, body) in around(statement(kind.clone()), target) {
                let empty = lower(level, Vec::new(), target).size;
                let lowered = lower(level, body, target);
                if lowered.lacking.is_empty() {
                    held.insert(statement_name(kind));
                    // These statements produce no code of their own.
                    let makes = !matches!(
                        kind,
                        StatementKind::VaultGeneration { .. }
                            | StatementKind::VaultDepth { .. }
                            | StatementKind::Function(_)
                    );
                    assert!(!makes || lowered.size > empty, "{target}: nothing was made of {kind:?}");
                }
            }
        }
        println!("{target} holds {} kinds of statement: {held:?}", held.len());
        assert!(held.len() >= 25, "{held:?}");
    }
}

/// Returns statements that use a value of this type. For a game with opcodes they need its type, as resolving has
/// checked; only `lacks` knows which values lists of things accept.
fn uses(kind: &ExprKind, opcodes: bool) -> Vec<StatementKind> {
    use ExprKind as E;
    use StatementKind as S;
    let value = || expr(kind.clone());
    let number_use = || S::Gold { amount: value(), place: place() };
    let place_use = || S::Gold { amount: number(), place: value() };
    let text_use = || S::Message { text: value(), to: Audience::Everyone };
    let region_use = || S::NonDiggable { region: value() };
    let monster_use = || S::Monster(Monster { monster: value(), place: place(), details: Vec::new(), inventory: None });
    let object_use = || {
        let details = vec![at(ObjectDetail::Place(place()))];
        S::Object(Object { object: value(), details, contents: None, contained_span: Span::NOWHERE })
    };
    if !opcodes {
        let registers = |of| S::Registers { of, values: vec![value()] };
        let (classes, places) = (registers(RegisterKind::Monster), registers(RegisterKind::Place));
        return vec![number_use(), place_use(), text_use(), region_use(), monster_use(), object_use(), classes, places];
    }
    vec![match kind {
        E::String(_) => text_use(),
        E::Chain { rest, .. } if rest.iter().any(|(operator, _)| *operator == Operator::Concatenate) => text_use(),
        E::Coordinate { .. }
        | E::ComputedCoordinate { .. }
        | E::RandomCoordinate { .. }
        | E::SelectedCoordinate(_)
        | E::Checked { .. } => place_use(),
        E::Region { .. } => region_use(),
        E::MapCharacter { .. } => S::Terrain { at: point(), terrain: value() },
        E::Monster(_) => monster_use(),
        E::Object(_) => object_use(),
        E::Selection(_) => S::Define {
            variable: at(Text::from("$s")),
            value: Definition::Value { ty: ValueType::Selection, value: value() },
        },
        E::Integer(_)
        | E::Dice { .. }
        | E::Variable(_)
        | E::Method { .. }
        | E::CoreCall(_)
        | E::Chain { .. }
        | E::Group(_)
        | E::Register { .. }
        | E::NamedRegister { .. }
        | E::Random
        | E::Error => number_use(),
    }]
}

#[test]
fn every_value_is_lowered_or_rejected_for_every_game() {
    let samples = expressions();
    let covered: BTreeSet<&str> = samples.iter().map(expression_name).collect();
    assert_eq!(covered, EXPRESSIONS.iter().copied().collect(), "a kind of value has no sample");
    for target in TARGETS {
        let opcodes = Catalog::by_name(target).unwrap().format == Format::Opcodes;
        let mut held = BTreeSet::new();
        for kind in &samples {
            for used in uses(kind, opcodes) {
                for (level, body) in around(statement(used.clone()), target) {
                    let empty = lower(level, Vec::new(), target).size;
                    let lowered = lower(level, body, target);
                    if lowered.lacking.is_empty() {
                        held.insert(expression_name(kind));
                        assert!(lowered.size > empty, "{target}: nothing was made of {used:?}");
                    }
                }
            }
        }
        println!("{target} holds {} kinds of value: {held:?}", held.len());
        assert!(held.len() >= 8, "{held:?}");
    }
}

#[test]
fn every_selection_is_lowered_or_rejected_for_every_game() {
    let samples = selections();
    let covered: BTreeSet<&str> = samples.iter().map(selection_name).collect();
    assert_eq!(covered, SELECTIONS.iter().copied().collect(), "a kind of selection has no sample");
    for target in TARGETS {
        for kind in &samples {
            let fountain = statement(StatementKind::Fountain { at: selection(kind.clone()) });
            for (level, body) in around(fountain, target) {
                lower(level, body, target);
            }
        }
    }
}

#[test]
fn every_detail_is_lowered_or_rejected_for_every_game() {
    let (monster_details, object_details) = (monster_details(), object_details(text));
    let covered: BTreeSet<&str> = monster_details.iter().map(monster_detail_name).collect();
    assert_eq!(covered, MONSTER_DETAILS.iter().copied().collect(), "a detail of monsters has no sample");
    let covered: BTreeSet<&str> = object_details.iter().map(object_detail_name).collect();
    assert_eq!(covered, OBJECT_DETAILS.iter().copied().collect(), "a detail of objects has no sample");
    for target in TARGETS {
        let opcodes = Catalog::by_name(target).unwrap().format == Format::Opcodes;
        let object_details = self::object_details(if opcodes { monster } else { text });
        let monsters = monster_details.iter().cloned().map(|detail| a_monster(vec![at(detail)], None));
        let objects = object_details.into_iter().map(|detail| an_object(vec![at(detail)], None));
        for kind in monsters.chain(objects) {
            let plain = match kind {
                StatementKind::Monster(_) => a_monster(Vec::new(), None),
                _ => an_object(Vec::new(), None),
            };
            for (level, body) in around(statement(kind.clone()), target) {
                let lowered = lower(level, body, target);
                if opcodes && lowered.lacking.is_empty() {
                    let least = lower(level, vec![statement(plain.clone())], target).size + 2;
                    assert!(lowered.size >= least, "{target}: {kind:?} is not pushed");
                }
            }
        }
    }
}

#[test]
fn every_type_of_level_is_lowered_or_rejected_for_every_game() {
    let kinds = [
        LevelKind::Script,
        LevelKind::Rooms,
        LevelKind::Maze { filling: None },
        LevelKind::Maze { filling: Some(at('.')) },
    ];
    for target in TARGETS {
        let held = kinds.iter().filter(|&&kind| lower(kind, Vec::new(), target).lacking.is_empty()).count();
        assert!((1..kinds.len()).contains(&held), "{target}");
    }
}

#[test]
fn no_game_lacks_constructs_of_its_corpus() {
    let mut levels = 0;
    for (path, catalog) in corpus_files() {
        let mut sources = SourceMap::new();
        let file = sources.add(path.to_string_lossy(), Some(path.clone()), std::fs::read(&path).unwrap());
        let mut diagnostics = Diagnostics::new();
        let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
        splc_ir::check::check(&mut module, catalog, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{}", path.display());
        assert_eq!(lacks(Node::Module(&module), catalog), [], "{}", path.display());
        levels += module.levels().count();
    }
    assert!(levels > 100, "{levels}");
}
