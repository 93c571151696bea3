//! Lowering of levels to programs.
//!
//! The output equals that of the game's own compiler, opcode for opcode, quirks included. Each quirk has its own
//! function, whose name begins with `quirk_`. The rules are those of `lev_comp` of UnNetHack 6.0.4, NetHack 3.6 and
//! SporkHack 0.7.0 (`util/lev_comp.y` of each); the catalog's [`Feature`]s decide between them.
//!
//! The module must have passed the front end and [`check`](crate::check) without errors. Two errors can still occur
//! here, because only lowering copies code: a function that calls itself, and a program that grows without bound. An
//! unchecked module may contain nodes for which the game has no opcode. They are errors too, reported as
//! [`lacks`](mod@crate::lacks) describes them, and the level becomes an empty program.

mod buffer;
mod flow;
pub mod parts;
mod statements;
mod things;
mod values;

use buffer::Buffer;
use indexmap::IndexMap;

pub use self::values::light_code;

use crate::catalog::{Catalog, Feature};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::lacks::{self, Node, lacks};
use crate::level::*;
use crate::limits::{MAX_NUMBER_WIDTH, MAX_OPCODES};
use crate::program::{
    self, Coordinate, LightCode, Mismatch, MismatchKind, Named, Op, Opcode, Operand, Program, Role, Rows,
};
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

/// Lowers like [`lower`], and passes each level's program to `take` with the level and the diagnostics before it lowers
/// the next one. A file with many levels thus takes no more memory than its longest level.
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
        buffers: vec![Buffer::default()],
        current: 0,
        levels: 0,
        copied: 0,
        functions: IndexMap::new(),
        breaks: Vec::new(),
        depth: 0,
        containers: 0,
        span: Span::default(),
        overflowed: false,
        leaves_indices: false,
        vault: None,
        vault_depth: 0,
    };
    for item in module.all_items() {
        match item {
            // `all_items` continues with the items of the included file.
            Item::Include { .. } => {}
            Item::Function(function) => {
                if lowering.holds(Node::Function(function)) {
                    lowering.function(function);
                }
            }
            Item::Level(level) => {
                let mut program = if lowering.holds(Node::Level(level)) {
                    lowering.level(level)
                } else {
                    Program { name: level.name.node.clone(), ..Program::default() }
                };
                program.charset = module.charset;
                take(level, program, lowering.diagnostics);
            }
        }
    }
}

/// Returns the error for a node that cannot be lowered although [`lacks`] did not report it: a bug in splc.
pub(crate) fn refusal(catalog: &Catalog, span: Span) -> Diagnostic {
    let message = format!("{}: splc cannot compile this", catalog.title);
    Diagnostic::new(Code::Target, span, message)
}

/// Returns the name of the `counter`-th numbered level, with `%i` or `%02i` in `name` replaced by the number, and
/// whether it was numbered.
///
/// Only one number is inserted, and only in these forms (UnNetHack 6.0.4, `mangle_fname`); [`check`](crate::check)
/// rejects others. In games without [`Feature::NumberedLevels`] the name is unchanged.
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

/// A function and the position of its inlined code.
struct FunctionState {
    /// Index of the buffer with its code.
    buffer: usize,
    /// Its parameters, the last one first, as the compilers keep them.
    parameters: Vec<Text>,
    /// The number of the level that last called it.
    called_in: Option<usize>,
    /// Position of its code, inlined at the first call.
    address: usize,
    /// Buffer of that position.
    home: usize,
    /// Set while its body is being lowered.
    open: bool,
}

/// Length from which a program is moved out of its buffer. Shorter ones are copied, so that the buffer can be reused.
const LONG_PROGRAM: usize = 1 << 14;

/// A BREAK whose target is not known yet.
struct PendingBreak {
    depth: usize,
    buffer: usize,
    /// Index of the push of the distance.
    push: usize,
    span: Span,
}

struct Lowering<'a> {
    catalog: &'a Catalog,
    /// Set if negative literals lose their upper half on x86-64.
    narrow: bool,
    diagnostics: &'a mut Diagnostics,
    /// Code of the level (0) and of each function.
    buffers: Vec<Buffer>,
    current: usize,
    /// Number of levels so far.
    levels: usize,
    /// Number of opcodes copied before their BREAKs had targets.
    copied: usize,
    functions: IndexMap<Text, FunctionState>,
    breaks: Vec<PendingBreak>,
    /// Number of surrounding blocks that BREAK can leave.
    depth: usize,
    /// Number of surrounding containers or inventories.
    containers: usize,
    span: Span,
    overflowed: bool,
    /// Set if the code leaves values on the stack: see `quirk_element_switched`.
    leaves_indices: bool,
    vault: Option<i32>,
    /// Least depth of the random vault.
    vault_depth: i32,
}

impl Lowering<'_> {
    fn here(&self) -> usize {
        self.buffers[self.current].len()
    }

    fn emit(&mut self, op: Op) {
        if self.here() < MAX_OPCODES {
            self.buffers[self.current].push(op);
        } else {
            self.overflow(op.span);
        }
    }

    /// Reports, once, that the level is too long.
    fn overflow(&mut self, span: Span) {
        if !self.overflowed {
            self.overflowed = true;
            self.diagnostics.push(
                Diagnostic::new(Code::ProgramSize, span, format!("the level needs more than {MAX_OPCODES} opcodes"))
                    .with_help(
                        "split the level, or call functions less often: each level contains a copy of the \
                     functions it calls",
                    ),
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

    /// Pushes a negative literal that the game's compiler passes as an `int`; see [`Operand::NarrowInteger`].
    fn quirk_narrow_integer(&mut self, number: i32) {
        self.push(if self.narrow { Operand::NarrowInteger(number) } else { Operand::Integer(number.into()) });
    }

    fn named(&mut self, named: Named) {
        self.push(Operand::Named(named));
    }

    /// Pushes a number that the game's compiler inserts, by its name in `role` if it has one.
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

    /// Sets the variable to the values on the stack: `count` values for an array, or a single value if `count` is 0.
    fn define(&mut self, name: &str, count: usize) {
        self.integer(count as i64);
        self.string(Some(name));
        self.op(Opcode::VarInit);
    }

    /// Returns true if the game supports `node`, and reports what it lacks otherwise.
    fn holds(&mut self, node: Node<'_>) -> bool {
        let lacking = lacks(node, self.catalog);
        lacking.iter().for_each(|lack| self.diagnostics.push(lack.diagnostic(self.catalog)));
        lacking.is_empty()
    }

    /// Reports a node that [`lacks`] should have reported, so that nothing is dropped silently.
    fn refuse(&mut self) {
        self.diagnostics.push(refusal(self.catalog, self.span));
    }

    fn level(&mut self, level: &Level) -> Program {
        self.current = 0;
        self.buffers[0].clear();
        self.span = level.name.span;
        if !self.quirk_vault_remembered() {
            self.vault = None;
        }
        self.vault_depth = 0;
        self.levels += 1;
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
        let ops = match self.buffers[0].plain() {
            None => buffer::flatten(&self.buffers, 0),
            Some(own) if own.len() < LONG_PROGRAM => {
                // Keep the buffer for the next level.
                let mut ops = Vec::with_capacity(own.len());
                ops.append(own);
                ops
            }
            Some(own) => std::mem::take(own),
        };
        let program = Program {
            name: level.name.node.clone(),
            ops,
            vault_frequency: self.vault,
            vault_depth: self.vault.filter(|_| self.catalog.has(Feature::VaultDepths)).map(|_| self.vault_depth),
            ..Program::default()
        };
        if cfg!(debug_assertions) && !self.diagnostics.has_errors() {
            let quirk = |mismatch: &Mismatch| match mismatch.kind {
                MismatchKind::LeftOver(_) => self.leaves_indices,
                // A variable that a function does not find leaves no value; see `Code::LostVariable`.
                MismatchKind::Missing => self.catalog.has(Feature::OneScope),
                _ => false,
            };
            if let Err(mismatch) = program::verify(&program, self.catalog)
                && !quirk(&mismatch)
            {
                let near = &program.ops[mismatch.at.saturating_sub(8)..program.ops.len().min(mismatch.at + 1)];
                panic!("lowering violates the opcode table in level {}: {mismatch}: {near:#?}", program.name);
            }
        }
        program
    }

    /// SporkHack never resets the random vault flag: the later levels of the file are listed in `vaults.dat` too, with
    /// the same weight.
    fn quirk_vault_remembered(&self) -> bool {
        self.catalog.has(Feature::VaultRemembered)
    }

    /// Lowers MAZE of NetHack 3.6: a background, and the flag `mazelevel`.
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

    /// NetHack 3.6 converts MAZE's fill character to terrain twice: the terrain number is looked up again as if it were
    /// a map character.
    fn quirk_maze_filling(&mut self, filling: char) {
        let number = self.catalog.terrain(filling).unwrap_or(0);
        let again = char::from_u32(number as u32).and_then(|character| self.catalog.terrain(character));
        self.named_number(Role::Terrain, again.unwrap_or(127).into());
    }

    fn boolean_or_random(&mut self, value: OrRandom<bool>) {
        self.integer(match value {
            OrRandom::Random => -1,
            OrRandom::Is(value) => i64::from(value),
        });
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
