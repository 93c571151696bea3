//! From levels to programs: the one place where structure becomes opcodes.
//!
//! What comes out is, opcode for opcode, what the game's own compiler makes, quirks included; a quirk has a
//! function of its own whose name begins with `quirk_`. The rules are those of `lev_comp` of UnNetHack
//! 6.0.4, NetHack 3.6 and SporkHack 0.7.0 (`util/lev_comp.y` of each); where they differ, the catalog's
//! [`Feature`]s decide.
//!
//! The module must have passed the front end and [`check`](crate::check) without errors. Two things can
//! still go wrong here, because only here code is copied: a function that calls itself, and a program that
//! grows without measure.

use indexmap::IndexMap;

use crate::catalog::{Catalog, Feature};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::level::*;
use crate::limits::{MAX_NUMBER_WIDTH, MAX_OPCODES};
use crate::program::{self, Coordinate, LightCode, Named, Op, Opcode, Operand, Program, Role, Rows};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// Lowers every level of `module` for the game of `catalog`, in order.
///
/// Level names keep their `%i`; see [`number_name`].
pub fn lower(module: &Module, catalog: &Catalog, diagnostics: &mut Diagnostics) -> Vec<Program> {
    let mut programs = Vec::new();
    lower_each(module, catalog, diagnostics, |_, program, _| programs.push(program));
    programs
}

/// Lowers like [`lower`], and hands over each level's program with the level and the diagnostics, before the next
/// one is made: so a file with very many levels takes no more memory than its longest level.
pub fn lower_each(
    module: &Module,
    catalog: &Catalog,
    diagnostics: &mut Diagnostics,
    mut take: impl FnMut(&Level, Program, &mut Diagnostics),
) {
    let mut lowering = Lowering {
        catalog,
        narrow: catalog.has(Feature::NarrowIntegers),
        diagnostics,
        buffers: vec![Vec::new()],
        current: 0,
        functions: IndexMap::new(),
        breaks: Vec::new(),
        depth: 0,
        containers: 0,
        span: Span::default(),
        overflowed: false,
        vault: None,
    };
    for item in module.all_items() {
        match item {
            Item::Include { .. } => {}
            Item::Function(function) => lowering.function(function),
            Item::Level(level) => {
                let mut program = lowering.level(level);
                program.charset = module.charset;
                take(level, program, lowering.diagnostics);
            }
        }
    }
}

/// The name of the `counter`-th numbered level: `%i` or `%02i` in `name` becomes the number.
///
/// Returns the name and whether it was numbered. Only one number is put in, and only in these forms
/// (UnNetHack 6.0.4, `mangle_fname`); [`check`](crate::check) rejects others. In games without
/// [`Feature::NumberedLevels`] a name stays what it is.
pub fn number_name(name: &str, counter: usize, catalog: &Catalog) -> (Text, bool) {
    if !catalog.has(Feature::NumberedLevels) {
        return (Text::from(name), false);
    }
    let Some(percent) = name.find('%') else { return (Text::from(name), false) };
    let digits: String = name[percent + 1..].chars().take_while(char::is_ascii_digit).collect();
    let rest = &name[percent + 1 + digits.len()..];
    let Some(rest) = rest.strip_prefix('i') else { return (Text::from(name), false) };
    let width = digits.parse::<usize>().unwrap_or(0).min(MAX_NUMBER_WIDTH);
    let number = if digits.starts_with('0') { format!("{counter:0width$}") } else { format!("{counter:width$}") };
    (Text::from(format!("{}{number}{rest}", &name[..percent])), true)
}

/// A function and where its code was last put.
struct FunctionState {
    /// Index of its code among the buffers.
    buffer: usize,
    /// Its parameters, the last one first, as the compilers keep them.
    parameters: Vec<Text>,
    /// How often it was called in this level.
    calls: usize,
    /// Where its code was put at its first call.
    address: usize,
    /// In which buffer that was.
    home: usize,
    /// Whether its body is still being lowered.
    open: bool,
}

/// A BREAK whose end is not known yet.
struct PendingBreak {
    depth: usize,
    buffer: usize,
    /// Index of the push that will hold the distance.
    push: usize,
    span: Span,
}

/// SporkHack counts the distance of a BREAK from the jump's operand, not from the jump: it leads one opcode
/// further, past the one that takes the SWITCH's value from the stack.
const QUIRK_OLD_BREAK: usize = 1;

/// The room flag that is set where none are written.
const FILLED: i64 = 1;

struct Lowering<'a> {
    catalog: &'a Catalog,
    /// Whether negative literals lose their upper half on x86-64.
    narrow: bool,
    diagnostics: &'a mut Diagnostics,
    /// Code of the level (0) and of each function.
    buffers: Vec<Vec<Op>>,
    current: usize,
    functions: IndexMap<Text, FunctionState>,
    breaks: Vec<PendingBreak>,
    /// How many blocks around can be left by BREAK.
    depth: usize,
    /// How many containers or inventories are around.
    containers: usize,
    span: Span,
    overflowed: bool,
    vault: Option<i32>,
}

impl Lowering<'_> {
    // --- Emitting

    fn here(&self) -> usize {
        self.buffers[self.current].len()
    }

    fn emit(&mut self, op: Op) {
        if self.here() < MAX_OPCODES {
            self.buffers[self.current].push(op);
        } else if !self.overflowed {
            self.overflowed = true;
            self.diagnostics.push(
                Diagnostic::new(Code::ProgramSize, op.span, format!("the level needs more than {MAX_OPCODES} opcodes"))
                    .with_help("functions are copied into each level that calls them: split the level, or call less"),
            );
        }
    }

    fn op(&mut self, code: Opcode) {
        let span = self.span;
        self.emit(Op { code, operand: None, span });
    }

    fn push(&mut self, operand: Operand) {
        let span = self.span;
        self.emit(Op { code: Opcode::Push, operand: Some(operand), span });
    }

    fn integer(&mut self, number: impl Into<i64>) {
        self.push(Operand::Integer(number.into()));
    }

    /// Pushes a negative literal that the game's compiler hands over in an `int`; see
    /// [`Operand::NarrowInteger`].
    fn quirk_narrow_integer(&mut self, number: i32) {
        self.push(if self.narrow { Operand::NarrowInteger(number) } else { Operand::Integer(number.into()) });
    }

    fn named(&mut self, named: Named) {
        self.push(Operand::Named(named));
    }

    /// Pushes the number that the game's compiler puts in by itself, by its name if it has one in its role.
    fn named_number(&mut self, role: Role, number: i64) {
        self.push(role.operand(number, self.catalog).unwrap_or(Operand::Integer(number)));
    }

    fn word(&mut self, group: Group, word: &'static str) {
        self.named(Named::Word(group, Text::const_new(word)));
    }

    /// Pushes the number of a word, or -1 for `random`.
    fn word_or_random(&mut self, group: Group, word: OrRandom<&'static str>) {
        match word {
            OrRandom::Random => self.integer(-1),
            OrRandom::Is(word) => self.word(group, word),
        }
    }

    fn light(&mut self, light: OrRandom<Light>) {
        self.word_or_random(Group::Light, light.map(Light::as_str));
    }

    fn string(&mut self, text: Option<&str>) {
        self.push(Operand::String(text.map(Text::from)));
    }

    /// Sets the variable to what is on the stack: `count` values for an array, 0 for one.
    fn define(&mut self, name: &str, count: usize) {
        self.integer(count as i64);
        self.string(Some(name));
        self.op(Opcode::VarInit);
    }

    // --- Jumps

    /// Emits a jump whose distance is not known yet; returns the index of its push.
    fn jump_ahead(&mut self, code: Opcode) -> usize {
        let push = self.here();
        self.push(Operand::Offset(0));
        self.op(code);
        push
    }

    /// Emits the jump of a BREAK. Until its end is known, the compilers keep its own position where the
    /// distance will be, and that is what is copied if a function with a BREAK for the block around its
    /// definition is called before that block ends.
    fn quirk_break_distance(&mut self) -> usize {
        let push = self.jump_ahead(Opcode::Jmp);
        if let Some(op) = self.buffers[self.current].get_mut(push) {
            op.operand = Some(Operand::Offset(push as i32));
        }
        push
    }

    /// Emits a jump to `target`.
    fn jump_to(&mut self, code: Opcode, target: usize) {
        let jump = self.here() + 1;
        self.push(Operand::Offset((target as i64 - jump as i64) as i32));
        self.op(code);
    }

    /// Lets the jump made at `push` of buffer `buffer` lead to `target`.
    fn patch(&mut self, buffer: usize, push: usize, target: usize) {
        // The push may be missing if the program overflowed.
        if let Some(op) = self.buffers[buffer].get_mut(push) {
            op.operand = Some(Operand::Offset((target as i64 - (push as i64 + 1)) as i32));
        }
    }

    fn patch_here(&mut self, push: usize) {
        let target = self.here();
        self.patch(self.current, push, target);
    }

    fn open_breakable(&mut self) {
        self.depth += 1;
    }

    /// Ends a block that BREAK can leave.
    ///
    /// A BREAK in a FUNCTION that is defined inside such a block belongs to the block around the
    /// definition, as the compilers keep one list for both.
    fn close_breakable(&mut self) {
        let depth = self.depth;
        let target = self.here() + if self.catalog.has(Feature::ShiftedBreaks) { QUIRK_OLD_BREAK } else { 0 };
        let lose_the_rest = self.quirk_lost_breaks();
        let mut at = 0;
        while at < self.breaks.len() {
            if self.breaks[at].depth == depth {
                let pending = self.breaks.remove(at);
                self.patch(pending.buffer, pending.push, target);
            } else {
                at += 1;
            }
        }
        if lose_the_rest {
            for lost in std::mem::take(&mut self.breaks) {
                self.diagnostics.push(
                    Diagnostic::new(Code::Miscompiled, lost.span, "the game will not leave the block at this BREAK")
                        .with_note(
                            "its compiler forgets the BREAKs of a block when a block inside it, that has BREAKs too, \
                             ends: this one jumps to a wrong place",
                        )
                        .with_help("put the inner block with its BREAK before this one, or use IF and ELSE"),
                );
            }
        }
        self.depth -= 1;
    }

    /// Whether the BREAKs of the blocks around are forgotten when this one ends: the compilers empty their
    /// list when its newest entry belongs to the block. A forgotten BREAK jumps by its own position.
    fn quirk_lost_breaks(&self) -> bool {
        self.breaks.last().is_some_and(|newest| newest.depth == self.depth)
    }

    // --- Levels and functions

    fn level(&mut self, level: &Level) -> Program {
        self.current = 0;
        self.buffers[0].clear();
        self.span = level.name.span;
        if !self.quirk_vault_remembered() {
            self.vault = None;
        }
        for function in self.functions.values_mut() {
            function.calls = 0;
        }
        if let LevelKind::Maze { filling } = &level.kind {
            self.maze_background(*filling);
        }
        let flags = level.flags.as_deref().unwrap_or(&[]);
        if let Some(first) = flags.first() {
            self.span = first.span;
        }
        self.named(Named::Words(Group::Flag, flags.iter().map(|flag| flag.node.clone()).collect()));
        self.op(Opcode::LevelFlags);
        if self.catalog.has(Feature::RandomVaults) && flags.iter().any(|flag| flag.node == "rndvault") {
            self.vault = Some(1);
        }
        self.block(&level.body);
        let mut ops = Vec::with_capacity(self.buffers[0].len());
        ops.append(&mut self.buffers[0]);
        let program = Program { name: level.name.node.clone(), ops, vault_frequency: self.vault, ..Program::default() };
        if cfg!(debug_assertions) && !self.diagnostics.has_errors() {
            if let Err(mismatch) = program::verify(&program, self.catalog) {
                let near = &program.ops[mismatch.at.saturating_sub(8)..program.ops.len().min(mismatch.at + 1)];
                panic!(
                    "lowering does not keep to the table of opcodes, in level {}: {mismatch}: {near:#?}",
                    program.name
                );
            }
        }
        program
    }

    /// SporkHack never forgets that a level was a random vault: those behind it in its file are listed in
    /// `vaults.dat` too, with the same weight.
    fn quirk_vault_remembered(&self) -> bool {
        self.catalog.has(Feature::VaultRemembered)
    }

    /// What MAZE of NetHack 3.6 stands for: a background, and the flag `mazelevel`.
    fn maze_background(&mut self, filling: Option<Spanned<char>>) {
        match filling {
            None => {
                self.named(Named::InitStyle(Text::const_new("mazegrid")));
                self.named(Named::Terrain(Some('-')));
                self.integer(0);
                self.integer(0);
            }
            Some(filling) => {
                self.named(Named::InitStyle(Text::const_new("solidfill")));
                self.quirk_maze_filling(filling.node);
                self.integer(0);
                self.named_number(Role::Word(Group::Light), 0);
            }
        }
        for _ in 0..4 {
            self.integer(0);
        }
        self.op(Opcode::InitLevel);
        self.named(Named::Words(Group::Flag, vec![Text::const_new("mazelevel")]));
        self.op(Opcode::LevelFlags);
    }

    /// NetHack 3.6 takes MAZE's fill character for terrain twice: the number of its terrain is looked up
    /// as if it were a map character again.
    fn quirk_maze_filling(&mut self, filling: char) {
        let number = self.catalog.terrain(filling).unwrap_or(0);
        let again = char::from_u32(number as u32).and_then(|character| self.catalog.terrain(character));
        self.named_number(Role::Terrain, again.unwrap_or(127).into());
    }

    fn function(&mut self, function: &Function) {
        let buffer = self.buffers.len();
        self.buffers.push(Vec::new());
        let outer = std::mem::replace(&mut self.current, buffer);
        let name = function.name.node.clone();
        let parameters = function.parameters.iter().rev().map(|parameter| parameter.name.node.clone()).collect();
        self.functions
            .insert(name.clone(), FunctionState { buffer, parameters, calls: 0, address: 0, home: 0, open: true });
        self.block(&function.body);
        self.span = function.name.span;
        self.integer(0);
        self.op(Opcode::Return);
        self.current = outer;
        if let Some(state) = self.functions.get_mut(&name) {
            state.open = false;
        }
    }

    fn call(&mut self, name: &Spanned<Text>, arguments: &[Expr]) {
        for argument in arguments {
            self.expr(argument);
        }
        self.span = name.span;
        let Some(state) = self.functions.get_mut(&name.node) else { return };
        if state.open {
            let message = format!("function '{}' calls itself", name.node);
            self.diagnostics.push(
                Diagnostic::new(Code::Arguments, name.span, message)
                    .with_label("called while it is being defined")
                    .with_help(
                        "a function is copied to where it is first called, so it cannot be recursive: use LOOP or FOR",
                    ),
            );
            return;
        }
        let first = state.calls == 0;
        state.calls += 1;
        if first {
            let buffer = state.buffer;
            let parameters = std::mem::take(&mut state.parameters);
            let over = self.jump_ahead(Opcode::Jmp);
            let address = self.here();
            for parameter in &parameters {
                self.define(parameter, 0);
            }
            let code = std::mem::take(&mut self.buffers[buffer]);
            for op in &code {
                self.emit(op.clone());
            }
            self.buffers[buffer] = code;
            self.patch_here(over);
            let home = self.current;
            if let Some(state) = self.functions.get_mut(&name.node) {
                state.parameters = parameters;
                state.address = address;
                state.home = home;
            }
        }
        self.integer(arguments.len() as i64);
        if self.functions.get(&name.node).is_some_and(|state| state.home != self.current) {
            let message = format!("the game will not find function '{}' here", name.node);
            self.diagnostics.push(
                Diagnostic::new(Code::Miscompiled, name.span, message)
                    .with_note(
                        "its compiler copies a function to where it is first called, and forgets that this was inside \
                         another function: the call jumps to a wrong place",
                    )
                    .with_help("call it before the function that calls it as well"),
            );
        }
        let distance = self.quirk_call_distance(&name.node);
        self.push(Operand::Offset(distance));
        self.op(Opcode::Call);
    }

    /// Distance from a CALL, whose own push comes next, to the function's code.
    ///
    /// The compilers remember where they put the code but not in what: called again from inside another
    /// function, or from the level after only a function had called it, the distance leads astray.
    fn quirk_call_distance(&self, name: &str) -> i32 {
        let address = self.functions.get(name).map_or(0, |state| state.address);
        // The count of arguments is already pushed; the games' compilers count before they push it.
        (address as i64 - (self.here() as i64 - 1) - 2) as i32
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.overflowed {
                return;
            }
            self.statement(statement);
        }
    }

    // --- Statements

    fn statement(&mut self, statement: &Statement) {
        self.span = statement.span;
        match &statement.kind {
            StatementKind::Message { text } => {
                self.expr(text);
                self.op(Opcode::Message);
            }
            StatementKind::InitMap(init) => self.init_map(init),
            StatementKind::Map(map) => self.map(map),
            StatementKind::Monster(monster) => self.monster(monster),
            StatementKind::Object(object) => self.object(object),
            StatementKind::Trap { trap, place } => {
                self.expr(place);
                match trap {
                    OrRandom::Random => self.integer(-1),
                    OrRandom::Is(name) => self.named(Named::Trap(name.node.clone())),
                }
                self.op(Opcode::Trap);
            }
            StatementKind::Room(room) => self.room(room),
            StatementKind::RoomDoor { secret, state, walls, position, .. } => {
                self.integer(position.number());
                self.word_or_random(Group::DoorState, state.map(|state| state.node.as_str()));
                self.boolean_or_random(*secret);
                match walls {
                    OrRandom::Random => self.integer(-1),
                    OrRandom::Is(walls) => self.directions(walls),
                }
                self.op(Opcode::RoomDoor);
            }
            StatementKind::Door { state, at } => {
                self.selection(at);
                self.word_or_random(Group::DoorState, state.map(|state| state.node.as_str()));
                self.op(Opcode::Door);
            }
            StatementKind::Region(region) => self.region(region),
            StatementKind::Stair { place, direction } => self.up_down(place, *direction, Opcode::Stair),
            StatementKind::Ladder { place, direction } => self.up_down(place, *direction, Opcode::Ladder),
            StatementKind::LevelRegion(region) => self.level_region(region),
            StatementKind::Altar { place, alignment, altar } => {
                self.expr(place);
                self.word_or_random(Group::Altar, altar.map(AltarType::as_str));
                self.alignment(*alignment);
                self.op(Opcode::Altar);
            }
            StatementKind::Grave { place, epitaph } => {
                self.expr(place);
                let kind = match epitaph {
                    Epitaph::Text(text) => {
                        self.expr(text);
                        2
                    }
                    Epitaph::Random => {
                        self.string(None);
                        1
                    }
                    Epitaph::None => {
                        self.string(None);
                        0
                    }
                };
                self.integer(kind);
                self.op(Opcode::Grave);
            }
            StatementKind::Fountain { at } => self.on_selection(at, Opcode::Fountain),
            StatementKind::Sink { at } => self.on_selection(at, Opcode::Sink),
            StatementKind::Pool { at } => self.on_selection(at, Opcode::Pool),
            StatementKind::Gold { amount, place } => {
                self.expr(amount);
                self.expr(place);
                self.op(Opcode::Gold);
            }
            StatementKind::Engraving { place, engraving, text } => {
                self.expr(place);
                self.expr(text);
                self.word_or_random(Group::Engraving, engraving.map(EngravingType::as_str));
                self.op(Opcode::Engraving);
            }
            StatementKind::Drawbridge { place, direction, state } => {
                self.expr(place);
                self.integer(match state {
                    OrRandom::Random => -1,
                    OrRandom::Is(state) => i64::from(state.node == DoorState::Open),
                });
                self.named(Named::DrawbridgeDirection(Text::const_new(direction.node.as_str())));
                self.op(Opcode::Drawbridge);
            }
            StatementKind::MazeWalk { place, direction, stocked, filling } => {
                self.expr(place);
                self.word(Group::Direction, direction.as_str());
                match stocked {
                    None => {
                        self.integer(1);
                        self.integer(0);
                    }
                    Some(stocked) => {
                        self.integer(*stocked);
                        self.named(Named::Terrain(filling.map(|filling| filling.node)));
                    }
                }
                self.op(Opcode::MazeWalk);
            }
            StatementKind::Wallify { at } => {
                match at {
                    None => {
                        self.push(Operand::NarrowEverywhere);
                        if !self.catalog.has(Feature::WallifyTakesRegions) {
                            self.integer(0);
                        }
                    }
                    Some(WallifyArea::Selection(at)) => {
                        self.selection(at);
                        self.integer(1);
                    }
                    Some(WallifyArea::Region(region)) => self.expr(region),
                }
                self.op(Opcode::Wallify);
            }
            StatementKind::NonDiggable { region } => self.on_expr(region, Opcode::NonDiggable),
            StatementKind::NonPasswall { region } => self.on_expr(region, Opcode::NonPasswall),
            StatementKind::Topologize { place } => self.on_expr(place, Opcode::Topography),
            StatementKind::Corridor { from, to } => {
                self.corridor_end(from);
                match to {
                    CorridorTarget::Door(to) => self.corridor_end(to),
                    CorridorTarget::Number(number) => {
                        self.quirk_narrow_integer(-1);
                        self.integer(-1);
                        self.integer(number.node);
                    }
                }
                self.op(Opcode::Corridor);
            }
            StatementKind::RandomCorridors { style } => {
                self.quirk_narrow_integer(-1);
                match style {
                    CorridorStyle::Default => self.integer(0),
                    CorridorStyle::Number(number) => self.integer(number.node),
                    CorridorStyle::Random => self.quirk_narrow_integer(-1),
                }
                self.quirk_narrow_integer(-1);
                self.quirk_narrow_integer(-1);
                self.integer(-1);
                self.integer(-1);
                self.op(Opcode::Corridor);
            }
            StatementKind::Terrain { at, terrain } => {
                self.selection(at);
                self.expr(terrain);
                self.op(Opcode::Terrain);
            }
            StatementKind::ReplaceTerrain { region, from, to, chance } => {
                self.expr(region);
                self.expr(from);
                self.expr(to);
                self.integer(chance.node.clamp(0, 100));
                self.op(Opcode::ReplaceTerrain);
            }
            StatementKind::Spill { place, terrain, direction, amount }
                if self.catalog.has(Feature::SpillTakesNumbers) =>
            {
                self.expr(place);
                self.old_terrain(terrain);
                self.word(Group::Direction, direction.as_str());
                self.expr(amount);
                match terrain.kind {
                    ExprKind::MapCharacter { light: Some(light), .. } => self.light(light),
                    _ => self.integer(LightCode::Unchanged.number()),
                }
                self.op(Opcode::Spill);
            }
            StatementKind::Spill { place, terrain, direction, amount } => {
                self.expr(place);
                self.expr(terrain);
                self.expr(amount);
                self.word(Group::Direction, direction.as_str());
                self.op(Opcode::Spill);
            }
            StatementKind::WallWalk { place, from, to, chance } => {
                self.expr(place);
                self.expr(to);
                match from {
                    Some(from) => self.expr(from),
                    None => self.push(if self.narrow {
                        Operand::NarrowMapCharacter('.')
                    } else {
                        Operand::MapCharacter { symbol: '.', light: LightCode::Unchanged }
                    }),
                }
                self.integer(chance.map_or(100, |chance| chance.node));
                self.op(Opcode::WallWalk);
            }
            StatementKind::Mineralize { chances } => {
                match chances {
                    Some(chances) => chances.iter().for_each(|chance| self.expr(chance)),
                    None => (0..4).for_each(|_| self.integer(-1)),
                }
                self.op(Opcode::Mineralize);
            }
            StatementKind::MonsterGeneration { chance, entries } => {
                for entry in entries {
                    self.expr(&entry.frequency);
                    let class = match &entry.monster {
                        SpeciesName::Class(class) => {
                            self.named(Named::MonsterClass(*class));
                            1
                        }
                        SpeciesName::Name(name) => {
                            self.named(Named::MonsterIndex(name.clone()));
                            0
                        }
                        SpeciesName::Random | SpeciesName::ClassAndName(..) | SpeciesName::RandomAndName(_) => {
                            self.no_such(entry.span, "monsters here that are neither a class nor one kind");
                            0
                        }
                    };
                    self.integer(class);
                }
                self.integer(chance.node.clamp(0, 100));
                self.integer(entries.len() as i64);
                self.op(Opcode::MonGeneration);
            }
            StatementKind::Sounds { frequency, sounds } => {
                self.expr(frequency);
                for sound in sounds {
                    self.expr(&sound.text);
                    self.word(Group::Sound, sound.kind.as_str());
                }
                self.integer(sounds.len() as i64);
                self.op(Opcode::LevelSounds);
            }
            StatementKind::VaultGeneration { frequency } => {
                if self.vault.is_some() {
                    self.vault = Some(frequency.node);
                }
            }
            StatementKind::Define { variable, value } => self.definition(&variable.node, value),
            StatementKind::Shuffle { variable } => {
                self.string(Some(&variable.node));
                self.op(Opcode::ShuffleArray);
            }
            StatementKind::Function(function) => self.function(function),
            StatementKind::Call { function, arguments } => self.call(function, arguments),
            StatementKind::If { condition, then, otherwise } => {
                let over = self.branch(condition);
                self.block(then);
                match otherwise {
                    None => self.patch_here(over),
                    Some(otherwise) => {
                        let end = self.jump_ahead(Opcode::Jmp);
                        self.patch_here(over);
                        self.block(otherwise);
                        self.patch_here(end);
                    }
                }
            }
            StatementKind::Chance { condition, then } => {
                let over = self.branch(condition);
                self.statement(then);
                self.patch_here(over);
            }
            StatementKind::Switch { value, cases } => self.switch(value, cases),
            StatementKind::For { variable, from, to, body } if self.catalog.has(Feature::ConstantFor) => {
                self.constant_for_loop(&variable.node, from, to, body);
            }
            StatementKind::For { variable, from, to, body } => self.for_loop(&variable.node, from, to, body),
            StatementKind::Loop { count, body } => {
                self.expr(count);
                let start = self.here();
                self.op(Opcode::Dec);
                self.open_breakable();
                self.block(body);
                self.op(Opcode::Copy);
                self.integer(0);
                self.op(Opcode::Cmp);
                self.jump_to(Opcode::Jg, start);
                self.op(Opcode::Pop);
                self.close_breakable();
            }
            StatementKind::Break => {
                let push = self.quirk_break_distance();
                self.breaks.push(PendingBreak { depth: self.depth, buffer: self.current, push, span: statement.span });
            }
            StatementKind::Exit => self.op(Opcode::Exit),
            StatementKind::Registers { .. } | StatementKind::Error => {}
        }
    }

    fn on_selection(&mut self, selection: &Selection, code: Opcode) {
        self.selection(selection);
        self.op(code);
    }

    fn on_expr(&mut self, expr: &Expr, code: Opcode) {
        self.expr(expr);
        self.op(code);
    }

    fn up_down(&mut self, place: &Expr, direction: UpDown, code: Opcode) {
        self.expr(place);
        self.word(Group::VerticalDirection, direction.as_str());
        self.op(code);
    }

    fn boolean_or_random(&mut self, value: OrRandom<bool>) {
        self.integer(match value {
            OrRandom::Random => -1,
            OrRandom::Is(value) => i64::from(value),
        });
    }

    fn directions(&mut self, directions: &[Spanned<Direction>]) {
        let words = directions.iter().map(|direction| Text::const_new(direction.node.as_str())).collect();
        self.named(Named::Words(Group::Direction, words));
    }

    fn alignment(&mut self, alignment: AlignmentSpec) {
        match alignment {
            AlignmentSpec::Is(word) => self.word(Group::Alignment, word.as_str()),
            AlignmentSpec::Register(index) => self.integer(-index.node - 1),
            AlignmentSpec::Random => self.integer(-self.catalog.limits.registers - 1),
        }
    }

    fn corridor_end(&mut self, end: &CorridorEnd) {
        self.integer(end.room.node);
        self.integer(end.door.number());
        self.word(Group::Direction, end.wall.node.as_str());
    }

    fn init_map(&mut self, init: &InitMap) {
        let (style, filling) = match init {
            InitMap::Solid { filling, .. } => ("solidfill", Named::Terrain(Some(filling.node))),
            InitMap::MazeGrid { filling } => ("mazegrid", Named::Terrain(Some(filling.node))),
            InitMap::Mines { filling, .. } => ("mines", Named::Terrain(filling.map(|filling| filling.node))),
            InitMap::Sheol | InitMap::Rogue => {
                let style = if matches!(init, InitMap::Sheol) { "sheol" } else { "rogue" };
                self.named(Named::InitStyle(Text::const_new(style)));
                (0..7).for_each(|_| self.integer(0));
                self.op(Opcode::InitLevel);
                return;
            }
        };
        self.named(Named::InitStyle(Text::const_new(style)));
        self.named(filling);
        match init {
            InitMap::Mines { foreground, background, smoothed, joined, light, walled, .. } => {
                self.boolean_or_random(*walled);
                self.light(*light);
                self.integer(joined.node);
                self.integer(*smoothed);
                self.named(Named::Terrain(Some(background.node)));
                self.named(Named::Terrain(Some(foreground.node)));
            }
            _ => {
                self.integer(0);
                match init {
                    InitMap::Solid { light: Some(light), .. } => self.light(*light),
                    InitMap::Solid { light: None, .. } => self.integer(LightCode::Unchanged.number()),
                    _ => self.integer(0),
                }
                (0..4).for_each(|_| self.integer(0));
            }
        }
        self.op(Opcode::InitLevel);
    }

    fn map(&mut self, map: &Map) {
        match map {
            Map::None => {
                self.push(Operand::Coordinate(Coordinate::At { x: 0, y: 0 }));
                self.integer(0);
                self.integer(1);
                self.string(None);
                self.integer(0);
                self.integer(0);
            }
            Map::Drawn { position, keep_regions, rows } => {
                let style = match position {
                    MapPosition::Aligned { horizontal, vertical } => {
                        // A pair of alignments travels as a coordinate.
                        let number = |group, word| self.catalog.word(group, word).unwrap_or(0) as i32;
                        let x = number(Group::Horizontal, horizontal.as_str());
                        let y = number(Group::Vertical, vertical.as_str());
                        self.push(Operand::Coordinate(Coordinate::At { x, y }));
                        1
                    }
                    MapPosition::At(place) => {
                        self.expr(place);
                        2
                    }
                };
                self.integer(style);
                self.integer(keep_regions.unwrap_or(true));
                // A map of empty rows has a height and no width.
                let height = rows.rows.len();
                let rows = rows.cells(self.catalog);
                let width = rows.width;
                self.push(Operand::Rows(rows));
                self.integer(height as i64);
                self.integer(width as i64);
            }
        }
        self.op(Opcode::Map);
    }

    fn monster(&mut self, monster: &Monster) {
        self.expr(&monster.monster);
        self.expr(&monster.place);
        self.named(Named::MonsterPart(Text::const_new("end")));
        let statement = self.span;
        for detail in &monster.details {
            self.span = detail.span;
            let part = match &detail.node {
                MonsterDetail::Name(name) => {
                    self.expr(name);
                    "name"
                }
                MonsterDetail::Attitude(attitude) => {
                    self.word_or_random(Group::Attitude, attitude.map(Attitude::as_str));
                    "peaceful"
                }
                MonsterDetail::Alertness(alertness) => {
                    self.word_or_random(Group::Alertness, alertness.map(Alertness::as_str));
                    "asleep"
                }
                MonsterDetail::Alignment(alignment) => {
                    self.alignment(*alignment);
                    "align"
                }
                MonsterDetail::Appearance(appearance, name) => {
                    self.expr(name);
                    self.word(Group::Appearance, appearance.as_str());
                    "appear"
                }
                MonsterDetail::Female => self.yes("female"),
                MonsterDetail::Invisible => self.yes("invis"),
                MonsterDetail::Cancelled => self.yes("cancelled"),
                MonsterDetail::Revived => self.yes("revived"),
                MonsterDetail::Avenge => self.yes("avenge"),
                MonsterDetail::Stunned => self.yes("stunned"),
                MonsterDetail::Confused => self.yes("confused"),
                MonsterDetail::Fleeing(turns) => {
                    self.expr(turns);
                    "fleeing"
                }
                MonsterDetail::Blinded(turns) => {
                    self.expr(turns);
                    "blinded"
                }
                MonsterDetail::Paralyzed(turns) => {
                    self.expr(turns);
                    "paralyzed"
                }
                MonsterDetail::SeenTraps(traps) => {
                    let (traps, all) = match traps {
                        SeenTraps::All => (Vec::new(), true),
                        SeenTraps::These { traps, and_all } => {
                            (traps.iter().map(|trap| trap.node.clone()).collect(), *and_all)
                        }
                    };
                    self.named(Named::Traps { traps, all });
                    "seentraps"
                }
            };
            self.named(Named::MonsterPart(Text::const_new(part)));
        }
        self.span = statement;
        self.integer(monster.inventory.is_some());
        self.op(Opcode::Monster);
        if let Some(inventory) = &monster.inventory {
            self.contents(inventory);
            self.op(Opcode::EndMonInvent);
        }
    }

    fn yes(&mut self, part: &'static str) -> &'static str {
        self.integer(1);
        part
    }

    fn contents(&mut self, contents: &[Statement]) {
        self.containers += 1;
        self.open_breakable();
        self.block(contents);
        self.close_breakable();
        self.containers -= 1;
    }

    fn object(&mut self, object: &Object) {
        self.expr(&object.object);
        self.named(Named::ObjectPart(Text::const_new("end")));
        let statement = self.span;
        for detail in &object.details {
            self.span = detail.span;
            let part = match &detail.node {
                ObjectDetail::Place(place) => {
                    self.expr(place);
                    "coord"
                }
                ObjectDetail::Curse(curse) => {
                    self.word_or_random(Group::Curse, curse.map(Curse::as_str));
                    "curse"
                }
                ObjectDetail::MonsterType(monster) => {
                    self.expr(monster);
                    "corpsenm"
                }
                ObjectDetail::Enchantment(number) => {
                    self.expr(number);
                    "spe"
                }
                ObjectDetail::Name(name) => {
                    self.expr(name);
                    "name"
                }
                ObjectDetail::Quantity(number) => {
                    self.expr(number);
                    "quan"
                }
                ObjectDetail::Buried => self.yes("buried"),
                ObjectDetail::Light(light) => {
                    self.word(Group::Light, light.as_str());
                    "lit"
                }
                ObjectDetail::Eroded(number) => {
                    self.expr(number);
                    "eroded"
                }
                ObjectDetail::Erodeproof => {
                    self.quirk_narrow_integer(-1);
                    "eroded"
                }
                ObjectDetail::State(state) => self.yes(if *state == DoorState::Locked { "locked" } else { "broken" }),
                ObjectDetail::Trapped(trapped) => {
                    self.integer(*trapped == Trapped::Trapped);
                    "trapped"
                }
                ObjectDetail::Recharged(number) => {
                    self.expr(number);
                    "recharged"
                }
                ObjectDetail::Invisible => self.yes("invis"),
                ObjectDetail::Greased => self.yes("greased"),
            };
            self.named(Named::ObjectPart(Text::const_new(part)));
        }
        self.span = statement;
        /// The object is in a container or inventory.
        const CONTENT: i64 = 1;
        /// The object is a container.
        const CONTAINER: i64 = 2;
        let content = if self.containers > 0 { CONTENT } else { 0 };
        let container = if object.contents.is_some() { CONTAINER } else { 0 };
        self.integer(content | container);
        self.op(Opcode::Object);
        if let Some(contents) = &object.contents {
            self.contents(contents);
            self.op(Opcode::PopContainer);
        }
    }

    fn room(&mut self, room: &Room) {
        self.room_type(&room.room_type, false);
        self.integer(room.chance.map_or(100, |chance| chance.node));
        self.light(room.light);
        let size = match &room.size {
            OrRandom::Random => (-1, -1),
            OrRandom::Is((width, height)) => (width.node, height.node),
        };
        let pair = |position: &OrRandom<Spanned<(i32, i32)>>| match position {
            OrRandom::Random => (-1, -1),
            OrRandom::Is(position) => position.node,
        };
        let code = match &room.placement {
            RoomPlacement::Level { position, alignment } => {
                if self.catalog.has(Feature::RoomFlagsFromAlignment) {
                    self.quirk_room_flags(alignment);
                } else {
                    self.room_flags(room.flags.as_deref());
                }
                match alignment {
                    OrRandom::Random => (0..2).for_each(|_| self.integer(-1)),
                    OrRandom::Is((horizontal, vertical)) => {
                        self.word(Group::Horizontal, horizontal.as_str());
                        self.word(Group::Vertical, vertical.as_str());
                    }
                }
                let (x, y) = pair(position);
                self.integer(x);
                self.integer(y);
                Opcode::Room
            }
            RoomPlacement::Stray { parent, .. } => {
                return self.no_such(parent.span, "subrooms outside of the room that they are in");
            }
            RoomPlacement::Room { position, .. } => {
                self.room_flags(room.flags.as_deref());
                self.quirk_narrow_integer(-1);
                self.quirk_narrow_integer(-1);
                let (x, y) = pair(position);
                self.integer(x);
                self.integer(y);
                Opcode::Subroom
            }
        };
        self.integer(size.0);
        self.integer(size.1);
        self.op(code);
        self.open_breakable();
        self.block(&room.body);
        self.close_breakable();
        self.op(Opcode::EndRoom);
    }

    /// UnNetHack 6.0.4 looks for a ROOM's flags one comma too early, where it finds the number of the last
    /// word before it: that of the vertical alignment. `random` there counts as no flags.
    fn quirk_room_flags(&mut self, alignment: &OrRandom<(Horizontal, Vertical)>) {
        match alignment {
            OrRandom::Random => self.integer(1),
            OrRandom::Is((_, vertical)) => {
                self.integer(self.catalog.word(Group::Vertical, vertical.as_str()).unwrap_or(0));
            }
        }
    }

    /// Bits of room flags: their numbers shifted by 0 (filling), 1 (irregular), 2 (joined).
    fn room_flag_bits(&self, flags: &[Spanned<RoomFlag>]) -> i64 {
        let number = |group, word: &str| self.catalog.word(group, word).unwrap_or(0);
        flags.iter().fold(0, |bits, flag| {
            bits | match flag.node {
                RoomFlag::Filling(word) => number(Group::Filling, word.as_str()),
                RoomFlag::Irregular(word) => number(Group::Irregular, word.as_str()) << 1,
                RoomFlag::Joined(word) => number(Group::Joined, word.as_str()) << 2,
            }
        })
    }

    fn room_flags(&mut self, flags: Option<&[Spanned<RoomFlag>]>) {
        let bits = flags.map_or(FILLED, |flags| self.room_flag_bits(flags));
        self.integer(bits);
    }

    fn room_type(&mut self, room_type: &OrRandom<Spanned<Text>>, unfilled: bool) {
        let name = match room_type {
            OrRandom::Random => None,
            // Unknown room types were warned about and become ordinary rooms.
            OrRandom::Is(name) if self.catalog.room(&name.node).is_none() => Some(Text::const_new("ordinary")),
            OrRandom::Is(name) => Some(name.node.clone()),
        };
        self.named(Named::Room { name, unfilled });
    }

    fn region(&mut self, region: &Region) {
        self.expr(&region.area);
        self.light(region.light);
        let default = if self.catalog.has(Feature::FilledIsAFlag) { 0 } else { FILLED };
        let flags = region.flags.as_deref().map_or(default, |flags| self.room_flag_bits(flags));
        self.room_type(&region.room_type, !self.catalog.has(Feature::FilledIsAFlag) && flags & FILLED == 0);
        self.integer(flags);
        self.op(Opcode::Region);
        self.open_breakable();
        self.block(region.body.as_deref().unwrap_or(&[]));
        self.close_breakable();
        if !self.catalog.has(Feature::RegionsWithoutEnd) || region.is_old_room(self.catalog) {
            self.op(Opcode::EndRoom);
        }
    }

    fn level_region(&mut self, region: &LevelRegion) {
        for spec in [&region.inside, &region.outside] {
            spec.corners.iter().for_each(|&corner| self.integer(corner));
            self.integer(spec.level);
        }
        let (kind, name) = match &region.kind {
            LevelRegionKind::Stair(UpDown::Up) => ("up_stairs", None),
            LevelRegionKind::Stair(UpDown::Down) => ("down_stairs", None),
            LevelRegionKind::Portal(name) => ("portal", Some(name.node.as_str())),
            LevelRegionKind::Teleport(None) => ("teleport", None),
            LevelRegionKind::Teleport(Some(UpDown::Up)) => ("up_teleport", None),
            LevelRegionKind::Teleport(Some(UpDown::Down)) => ("down_teleport", None),
            LevelRegionKind::Branch => ("branch", None),
        };
        self.named(Named::LevelRegion(Text::const_new(kind)));
        self.integer(0);
        self.string(name);
        self.op(Opcode::LevRegion);
    }

    // --- Flow control

    /// Emits the test and the jump that is taken when it fails; returns the index of the jump's push.
    fn branch(&mut self, condition: &Condition) -> usize {
        let fails = match condition {
            Condition::Percent(percent) => {
                self.integer(percent.node);
                self.integer(100);
                self.op(Opcode::Rn2);
                Opcode::Jle
            }
            Condition::Compare { left, comparison, right } => {
                self.expr(left);
                self.expr(right);
                match comparison {
                    Comparison::Equal => Opcode::Jne,
                    Comparison::NotEqual => Opcode::Je,
                    Comparison::Less => Opcode::Jge,
                    Comparison::LessEqual => Opcode::Jg,
                    Comparison::Greater => Opcode::Jle,
                    Comparison::GreaterEqual => Opcode::Jl,
                }
            }
            Condition::NonZero(value) => {
                self.expr(value);
                self.integer(0);
                Opcode::Je
            }
        };
        self.op(Opcode::Cmp);
        self.jump_ahead(fails)
    }

    fn switch(&mut self, value: &Expr, cases: &[Case]) {
        self.expr(value);
        if self.catalog.has(Feature::SwitchAlwaysDraws) || value.is_constant() {
            self.op(Opcode::Rn2);
        }
        let check = self.jump_ahead(Opcode::Jmp);
        self.open_breakable();
        let mut targets = Vec::with_capacity(cases.len());
        for case in cases {
            targets.push(self.here());
            self.block(&case.body);
        }
        let end = self.jump_ahead(Opcode::Jmp);
        self.patch_here(check);
        for (case, &target) in cases.iter().zip(&targets) {
            if let Some(value) = case.value {
                self.span = case.span;
                self.op(Opcode::Copy);
                self.integer(value.node);
                self.op(Opcode::Cmp);
                self.jump_to(Opcode::Je, target);
            }
        }
        for (case, &target) in cases.iter().zip(&targets) {
            if case.value.is_none() {
                self.span = case.span;
                self.jump_to(Opcode::Jmp, target);
            }
        }
        self.patch_here(end);
        self.close_breakable();
        self.op(Opcode::Pop);
    }

    /// FOR keeps two more variables, whose names no source can write: `$i end` and `$i step`.
    fn for_loop(&mut self, variable: &str, from: &Expr, to: &Expr, body: &[Statement]) {
        let end = format!("{variable} end");
        let step = format!("{variable} step");
        self.expr(from);
        self.expr(to);
        self.define(&end, 0);
        self.define(variable, 0);
        self.variable(&end);
        self.variable(variable);
        self.op(Opcode::MathSub);
        self.op(Opcode::MathSign);
        self.define(&step, 0);
        let start = self.here();
        self.open_breakable();
        self.block(body);
        self.variable(variable);
        self.variable(&end);
        self.op(Opcode::Cmp);
        self.variable(&step);
        self.variable(variable);
        self.op(Opcode::MathAdd);
        self.define(variable, 0);
        self.jump_to(Opcode::Jne, start);
        self.close_breakable();
    }

    /// FOR of SporkHack, whose ends are known when it is compiled.
    fn constant_for_loop(&mut self, variable: &str, from: &Expr, to: &Expr, body: &[Statement]) {
        let (Some(first), Some(last)) = (self.constant(from), self.constant(to)) else { return };
        self.expr(from);
        self.define(variable, 0);
        let start = self.here();
        self.block(body);
        let (step, again) = if first <= last { (1, Opcode::Jle) } else { (-1, Opcode::Jge) };
        self.integer(step);
        self.variable(variable);
        self.op(Opcode::MathAdd);
        self.op(Opcode::Copy);
        self.define(variable, 0);
        self.expr(to);
        self.op(Opcode::Cmp);
        self.jump_to(again, start);
    }

    /// The number that `expr` is; if it is none, that is reported.
    fn constant(&mut self, expr: &Expr) -> Option<i32> {
        if let ExprKind::Integer(number) = expr.kind {
            return Some(number);
        }
        self.no_such(expr.span, "values here that are no plain numbers");
        None
    }

    /// The terrain of `expr` as a plain number; if it is none, that is reported.
    fn old_terrain(&mut self, expr: &Expr) {
        match expr.kind {
            ExprKind::MapCharacter { character, .. } => self.named(Named::Terrain(Some(character))),
            _ => self.no_such(expr.span, "terrain here that is no map character"),
        }
    }

    fn no_such(&mut self, span: Span, what: &str) {
        let message = format!("{} has no {what}", self.catalog.title);
        self.diagnostics.push(Diagnostic::new(Code::Target, span, message));
    }

    fn definition(&mut self, variable: &str, value: &Definition) {
        match value {
            Definition::Value { value, .. } => {
                self.expr(value);
                self.define(variable, 0);
            }
            Definition::Array { values, .. } => {
                values.iter().for_each(|value| self.expr(value));
                self.define(variable, values.len());
            }
            Definition::Copy { variable: source, .. } => {
                self.string(Some(&source.node));
                self.quirk_narrow_integer(-1);
                self.string(Some(variable));
                self.op(Opcode::VarInit);
            }
        }
    }

    // --- Expressions

    fn variable(&mut self, name: &str) {
        self.push(Operand::Variable(Text::from(name)));
    }

    fn use_variable(&mut self, variable: &Variable) {
        if let Some(index) = &variable.index {
            self.expr(index);
        }
        self.variable(&variable.name);
    }

    fn core_call(&mut self, call: &CoreCall) {
        for argument in call.arguments.iter().flatten() {
            self.expr(argument);
        }
        self.named(Named::CoreFunction(call.function.node.clone()));
        self.op(Opcode::CoreFunc);
    }

    fn expr(&mut self, expr: &Expr) {
        // What comes behind it belongs to the statement again.
        let outer = std::mem::replace(&mut self.span, expr.span);
        match &expr.kind {
            ExprKind::Integer(number) => self.integer(*number),
            ExprKind::Dice { count, sides } => {
                self.integer(*count);
                self.integer(*sides);
                self.op(Opcode::Dice);
            }
            ExprKind::String(text) => self.push(Operand::String(Some(text.clone()))),
            ExprKind::Coordinate { x, y } => self.push(Operand::Coordinate(Coordinate::At { x: *x, y: *y })),
            ExprKind::RandomCoordinate { humidity } => {
                let words = humidity.iter().map(|word| Text::const_new(word.node.as_str())).collect();
                self.push(Operand::Coordinate(Coordinate::Random(words)));
            }
            ExprKind::ComputedCoordinate { x, y } => {
                self.expr(x);
                self.expr(y);
                self.named(Named::ValueType(ValueType::Coordinate));
                self.named(Named::ValueType(ValueType::Integer));
                self.op(Opcode::ConvertType);
            }
            ExprKind::SelectedCoordinate(selection) => {
                self.selection(selection);
                self.op(Opcode::SelRndCoord);
            }
            ExprKind::Region { corners } => self.push(Operand::Region(*corners)),
            ExprKind::MapCharacter { character, light } => {
                self.push(Operand::MapCharacter { symbol: *character, light: light_code(*light) });
            }
            ExprKind::Monster(name) => self.push(Operand::Monster(name.clone())),
            ExprKind::Object(name) => self.push(Operand::Object(name.clone())),
            ExprKind::Selection(selection) => self.selection(selection),
            ExprKind::Variable(variable) => self.use_variable(variable),
            ExprKind::Method { variable, method, .. } => {
                self.variable(&variable.node);
                self.named(Named::Method(method.clone()));
                self.op(Opcode::CoreFunc);
            }
            ExprKind::CoreCall(call) => self.core_call(call),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                for (operator, value) in rest {
                    self.expr(value);
                    self.op(match operator {
                        Operator::Add | Operator::Concatenate => Opcode::MathAdd,
                        Operator::Subtract => Opcode::MathSub,
                        Operator::Multiply => Opcode::MathMul,
                        Operator::Divide => Opcode::MathDiv,
                        Operator::Remainder => Opcode::MathMod,
                    });
                }
            }
            ExprKind::Group(inner) => self.expr(inner),
            ExprKind::Random => self.integer(-1),
            ExprKind::Register { .. } | ExprKind::NamedRegister { .. } | ExprKind::Error => {}
        }
        self.span = outer;
    }

    fn selection(&mut self, selection: &Selection) {
        // What comes behind it belongs to the statement again.
        let outer = std::mem::replace(&mut self.span, selection.span);
        match &selection.kind {
            SelectionKind::Point(place) => self.on_expr(place, Opcode::SelPoint),
            SelectionKind::Rectangle(region) => self.on_expr(region, Opcode::SelRect),
            SelectionKind::FilledRectangle(region) => self.on_expr(region, Opcode::SelFillRect),
            SelectionKind::Line(from, to) => {
                self.expr(from);
                self.expr(to);
                self.op(Opcode::SelLine);
            }
            SelectionKind::RandomLine(from, to, roughness) => {
                self.expr(from);
                self.expr(to);
                self.expr(roughness);
                self.op(Opcode::SelRndLine);
            }
            SelectionKind::Grow { directions, selection } => {
                self.selection(selection);
                match directions {
                    Some(directions) => self.directions(directions),
                    None => {
                        let words = Direction::ALL.iter().map(|word| Text::const_new(word.as_str())).collect();
                        self.named(Named::Words(Group::Direction, words));
                    }
                }
                self.op(Opcode::SelGrow);
            }
            SelectionKind::FilterPercent { percent, selection } => {
                self.selection(selection);
                self.integer(percent.node);
                self.integer(0);
                self.op(Opcode::SelFilter);
            }
            SelectionKind::FilterSelection { filter, selection } => {
                self.selection(filter);
                self.selection(selection);
                self.integer(1);
                self.op(Opcode::SelFilter);
            }
            SelectionKind::FilterTerrain { terrain, selection } => {
                self.expr(terrain);
                self.selection(selection);
                self.integer(2);
                self.op(Opcode::SelFilter);
            }
            SelectionKind::FloodFill(place) => self.on_expr(place, Opcode::SelFlood),
            SelectionKind::Circle { center, radius, filling } => {
                self.expr(center);
                self.expr(radius);
                self.op(Opcode::Copy);
                self.filling(*filling);
                self.op(Opcode::SelEllipse);
            }
            SelectionKind::Ellipse { center, x_radius, y_radius, filling } => {
                self.expr(center);
                self.expr(x_radius);
                self.expr(y_radius);
                self.filling(*filling);
                self.op(Opcode::SelEllipse);
            }
            SelectionKind::Gradient { gradient, minimum, maximum, limited, center, center2 } => {
                self.expr(minimum);
                self.expr(maximum);
                self.expr(center);
                match center2 {
                    Some(center2) => self.expr(center2),
                    None => self.op(Opcode::Copy),
                }
                match limited {
                    Some(limited) => self.word(Group::Limited, limited.as_str()),
                    None => self.named_number(Role::Word(Group::Limited), 0),
                }
                self.word(Group::Gradient, gradient.as_str());
                self.op(Opcode::SelGradient);
            }
            SelectionKind::Complement(selection) => self.on_selection(selection, Opcode::SelComplement),
            SelectionKind::Variable(variable) => self.use_variable(variable),
            SelectionKind::Group(selection) => self.selection(selection),
            SelectionKind::Union(parts) => {
                parts.iter().for_each(|part| self.selection(part));
                (1..parts.len()).for_each(|_| self.op(Opcode::SelAdd));
            }
            SelectionKind::Error => {}
        }
        self.span = outer;
    }

    fn filling(&mut self, filling: Option<Filling>) {
        match filling {
            Some(filling) => self.word(Group::Filling, filling.as_str()),
            None => self.named_number(Role::Word(Group::Filling), 1),
        }
    }
}

/// The number that light stands for beside terrain.
pub fn light_code(light: Option<OrRandom<Light>>) -> LightCode {
    match light {
        None => LightCode::Unchanged,
        Some(OrRandom::Random) => LightCode::Random,
        Some(OrRandom::Is(Light::Unlit)) => LightCode::Unlit,
        Some(OrRandom::Is(Light::Lit)) => LightCode::Lit,
    }
}

impl<T> OrRandom<T> {
    /// Applies `function` to the word.
    pub fn map<U>(&self, function: impl FnOnce(T) -> U) -> OrRandom<U>
    where
        T: Copy,
    {
        match self {
            OrRandom::Random => OrRandom::Random,
            OrRandom::Is(word) => OrRandom::Is(function(*word)),
        }
    }
}

impl OrRandom<Spanned<i32>> {
    /// The number, or -1 for `random`.
    pub fn number(&self) -> i32 {
        match self {
            OrRandom::Random => -1,
            OrRandom::Is(number) => number.node,
        }
    }
}

impl Expr {
    /// Whether the script compilers count it as a constant: made of whole numbers alone.
    pub fn is_constant(&self) -> bool {
        match &self.kind {
            ExprKind::Integer(_) => true,
            ExprKind::Group(inner) => inner.is_constant(),
            ExprKind::Chain { first, rest } => first.is_constant() && rest.iter().all(|(_, value)| value.is_constant()),
            _ => false,
        }
    }
}

impl Region {
    /// Whether SporkHack makes a room of it: if it has a type, is irregular or has the flag of its first bit.
    pub fn is_old_room(&self, catalog: &Catalog) -> bool {
        let ordinary = matches!(&self.room_type, OrRandom::Is(name) if catalog.room(&name.node).unwrap_or(0) == 0);
        let counts = |flag: &Spanned<RoomFlag>| match flag.node {
            RoomFlag::Filling(word) => catalog.word(Group::Filling, word.as_str()) == Some(1),
            RoomFlag::Irregular(word) => catalog.word(Group::Irregular, word.as_str()) == Some(1),
            RoomFlag::Joined(_) => false,
        };
        !ordinary || self.flags.iter().flatten().any(counts)
    }
}

impl MapRows {
    /// The rows without line numbers, filled up with blanks to the longest; unknown characters are blanks.
    pub fn cells(&self, catalog: &Catalog) -> Rows {
        let width = self.width();
        let mut cells = Vec::with_capacity(width * self.rows.len());
        for row in &self.rows {
            let end = cells.len() + width;
            cells.extend(
                row.bytes()
                    .filter(|byte| !byte.is_ascii_digit())
                    .map(|byte| if catalog.terrain(char::from(byte)).is_some() { byte } else { b' ' }),
            );
            cells.resize(end, b' ');
        }
        Rows { cells, width }
    }

    /// Columns, line numbers not counted.
    pub fn width(&self) -> usize {
        self.rows.iter().map(|row| row.bytes().filter(|byte| !byte.is_ascii_digit()).count()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Catalog, number_name};

    #[test]
    fn numbers_are_put_into_names() {
        let number = |name, target| number_name(name, 7, Catalog::by_name(target).expect("the catalog exists"));
        assert_eq!(number("vlt-%04i", "unnethack-6.0.4").0, "vlt-0007");
        assert_eq!(number("vlt-%i", "unnethack-6.0.4").0, "vlt-7");
        assert_eq!(number("vlt-%3i!", "unnethack-6.0.4").0, "vlt-  7!");
        assert_eq!(number("plain", "unnethack-6.0.4"), ("plain".into(), false));
        assert_eq!(number("vlt-%i", "nethack-3.6.7"), ("vlt-%i".into(), false));
    }
}
