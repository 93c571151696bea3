//! The listing: the data that a game loads, in readable form.
//!
//! For a program it has one opcode per line, with its position, its name, and the operand of a push by name. Jump
//! targets have labels (`L12:`), and comments show the source line of the following opcodes. Numbers of the target's
//! names follow the names in parentheses.
//!
//! ```text
//!                         ; 17: OBJECT:('*',"diamond"),random
//!      4  push            object ('*',"diamond") (99882)
//!      5  push            int part end (15)
//! ```
//!
//! For the parts or rooms of NetHack 3.4.3 it has one thing per line, in the order of the loader:
//!
//! ```text
//!                         ; 9: OBJECT:'*',"diamond",(2,3)
//!      1  object          corpse none (-1), number "diamond" (392), enchantment random (-127), x 2, y 3, chance 100, ...
//! ```

use std::fmt::Write as _;

use splc_ir::catalog::Catalog;
use splc_ir::loadable::Loadable;
use splc_ir::program::{Coordinate, LightCode, Named, Opcode, Operand, Program, Rows, Value};
use splc_ir::source::{SourceMap, Span};
use splc_ir::value::SpeciesName;
use splc_ir::wording::{picture, visible};

/// Maximum length of a source line in a comment, in characters.
const COMMENT_LENGTH: usize = 90;

mod parts;

/// Returns the listing of `level` for the game of `catalog`.
///
/// `sources` contains the files that the level's spans point into. Without it (a level read from a level file) there
/// are no source lines. A name that the game lacks is shown without a number.
pub fn write(level: &Loadable, catalog: &Catalog, sources: Option<&SourceMap>) -> String {
    match level {
        Loadable::Program(program) => write_program(program, catalog, sources),
        Loadable::Parts(level) => parts::write(level, catalog, sources),
        Loadable::Lua(level) => level.text.to_string(),
    }
}

fn write_program(program: &Program, catalog: &Catalog, sources: Option<&SourceMap>) -> String {
    let mut out = String::with_capacity(64 + program.ops.len() * 48);
    let comments = Comments { sources, shown: None };
    let mut listing = Listing { program, catalog, comments, out: &mut out };
    listing.write();
    out
}

struct Listing<'a> {
    program: &'a Program,
    catalog: &'a Catalog,
    comments: Comments<'a>,
    out: &'a mut String,
}

impl Listing<'_> {
    fn write(&mut self) {
        let Listing { program, catalog, .. } = *self;
        let labels = labels(program);
        line(self.out, format_args!("; level {}, {}", quoted(&program.name), catalog.title));
        if let Some(frequency) = program.vault_frequency {
            line(self.out, format_args!("; a random vault of weight {frequency}"));
        }
        line(self.out, format_args!("; {} opcodes", program.ops.len()));
        for (at, op) in program.ops.iter().enumerate() {
            if labels[at] {
                line(self.out, format_args!("L{at}:"));
            }
            self.comments.write(op.span, self.out);
            let _ = write!(self.out, "{at:>6}  ");
            match &op.operand {
                None => line(self.out, format_args!("{}", op.code)),
                Some(operand) => {
                    let _ = write!(self.out, "{:<16}", op.code);
                    self.operand(at, operand);
                    self.out.push('\n');
                }
            }
        }
        if labels.last() == Some(&true) {
            line(self.out, format_args!("L{}:", program.ops.len()));
        }
    }

    fn operand(&mut self, at: usize, operand: &Operand) {
        match operand {
            Operand::Rows(rows) => self.rows(rows),
            Operand::Offset(offset) => {
                let known = target(at, *offset, self.program.ops.len());
                let _ = match known {
                    Some(target) => write!(self.out, "int L{target} ({offset:+})"),
                    None => write!(self.out, "int {offset:+}, outside of the program"),
                };
            }
            _ => {
                let text = describe(operand);
                let value = operand.resolve(self.catalog);
                let _ = write!(self.out, "{} {text}", operand.value_type().as_str());
                let _ = match value {
                    Err(_) => write!(self.out, " (unknown to {})", self.catalog.title),
                    // The operand already shows the number.
                    Ok(_) if matches!(operand, Operand::Integer(_) | Operand::NarrowInteger(_) | Operand::Raw(..)) => {
                        Ok(())
                    }
                    Ok(Value::Number(_, number)) => write!(self.out, " ({number})"),
                    Ok(Value::Narrow(_, number)) => write!(self.out, " ({number})"),
                    Ok(Value::Text(..) | Value::Bytes(_)) => Ok(()),
                };
            }
        }
    }

    /// Writes the rows of a map, each on its own line.
    fn rows(&mut self, rows: &Rows) {
        let _ = write!(self.out, "string map {} by {}", rows.width, rows.height());
        if rows.width > 0 {
            for row in rows.cells.chunks(rows.width) {
                let row: String = row.iter().map(|&cell| picture(char::from(cell))).collect();
                let _ = write!(self.out, "\n{:24}; {row}", "");
            }
        }
    }
}

/// The source lines between the lines of a listing.
struct Comments<'a> {
    sources: Option<&'a SourceMap>,
    /// File and line of the last source line shown.
    shown: Option<(u32, usize)>,
}

impl Comments<'_> {
    /// Writes a comment with the source line at `span`, unless it was the last line shown. If the file changes, a
    /// comment with its name comes first.
    fn write(&mut self, span: Span, out: &mut String) {
        let Some((name, number, text)) = self.sources.and_then(|sources| line_of(sources, span)) else { return };
        if self.shown == Some((span.file.0, number)) {
            return;
        }
        if self.shown.is_none_or(|(file, _)| file != span.file.0) {
            line(out, format_args!("{:24}; {}", "", visible(name)));
        }
        self.shown = Some((span.file.0, number));
        let cut: String = text.trim().chars().take(COMMENT_LENGTH).map(picture).collect();
        let more = if text.trim().chars().nth(COMMENT_LENGTH).is_some() { "..." } else { "" };
        line(out, format_args!("{:24}; {number}: {cut}{more}", ""));
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Returns the target of the jump whose offset is pushed at `at`, or `None` if it lies outside the program.
fn target(at: usize, offset: i32, length: usize) -> Option<usize> {
    // The jump follows its push, and its offset is relative to itself.
    let target = at as i64 + 1 + i64::from(offset);
    usize::try_from(target).ok().filter(|&target| target <= length)
}

/// Returns for each opcode, and for the end, true if it is a jump target.
fn labels(program: &Program) -> Vec<bool> {
    let mut labels = vec![false; program.ops.len() + 1];
    for (at, op) in program.ops.iter().enumerate() {
        if let (Opcode::Push, Some(Operand::Offset(offset))) = (op.code, &op.operand)
            && let Some(target) = target(at, *offset, program.ops.len())
        {
            labels[target] = true;
        }
    }
    labels
}

/// Returns the file name, the line number from 1, and the text of the line at `span`.
fn line_of(sources: &SourceMap, span: Span) -> Option<(&str, usize, &str)> {
    let source = sources.get(span.somewhere()?.file);
    let number = source.place(span.start as usize).line;
    Some((&source.name, number, source.line(number)))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text))
}

fn joined<'a>(words: impl IntoIterator<Item = &'a str>, between: &str) -> String {
    words.into_iter().collect::<Vec<_>>().join(between)
}

/// Describes an operand by its names, as close as possible to the syntax of a des-file.
fn describe(operand: &Operand) -> String {
    match operand {
        Operand::Integer(number) => number.to_string(),
        Operand::NarrowInteger(number) => number.to_string(),
        Operand::Offset(offset) => format!("{offset:+}"),
        Operand::Named(named) => describe_named(named),
        Operand::String(None) => "null".to_owned(),
        Operand::String(Some(text)) => quoted(text),
        Operand::Variable(name) => visible(name).into_owned(),
        Operand::Coordinate(Coordinate::At { x, y }) => format!("({x},{y})"),
        Operand::Coordinate(Coordinate::Random(humidity)) if humidity.is_empty() => "random".to_owned(),
        Operand::Coordinate(Coordinate::Random(humidity)) => {
            format!("random[{}]", joined(humidity.iter().map(|word| word.as_str()), ","))
        }
        Operand::Region([x1, y1, x2, y2]) => format!("({x1},{y1},{x2},{y2})"),
        Operand::NarrowEverywhere => "(-1,-1,-1,-1)".to_owned(),
        Operand::MapCharacter { symbol, light } => match light {
            LightCode::Unchanged => format!("'{symbol}'"),
            LightCode::Random => format!("('{symbol}',random)"),
            LightCode::Unlit => format!("('{symbol}',unlit)"),
            LightCode::Lit => format!("('{symbol}',lit)"),
        },
        Operand::NarrowMapCharacter(symbol) => format!("'{symbol}'"),
        Operand::Monster(creature) | Operand::Object(creature) => match creature {
            SpeciesName::Random | SpeciesName::RandomAndName(_) => "random".to_owned(),
            SpeciesName::Class(class) => format!("'{class}'"),
            SpeciesName::Name(name) => quoted(name),
            SpeciesName::ClassAndName(class, name) => format!("('{class}',{})", quoted(name)),
        },
        Operand::Rows(rows) => format!("map {} by {}", rows.width, rows.height()),
        Operand::Raw(_, number) => number.to_string(),
    }
}

fn describe_named(named: &Named) -> String {
    match named {
        Named::Word(_, word) => word.to_string(),
        Named::Words(_, words) if words.is_empty() => "none".to_owned(),
        Named::Words(_, words) => joined(words.iter().map(|word| word.as_str()), "|"),
        Named::Terrain(None) => "no terrain".to_owned(),
        Named::Terrain(Some(symbol)) => format!("terrain '{symbol}'"),
        Named::Trap(name) => format!("trap {}", quoted(name)),
        Named::Traps { traps, all } => {
            let names = traps.iter().map(|name| name.as_str()).chain(all.then_some("all"));
            format!("traps {}", joined(names, "|"))
        }
        Named::Room { name, unfilled } => {
            let name = name.as_deref().map_or_else(|| "random".to_owned(), quoted);
            format!("room {name}{}", if *unfilled { " unfilled" } else { "" })
        }
        Named::MonsterClass(symbol) => format!("monster class '{symbol}'"),
        Named::MonsterIndex(name) => format!("monster {}", quoted(name)),
        Named::MonsterPart(part) => format!("part {part}"),
        Named::ObjectPart(part) => format!("part {part}"),
        Named::LevelRegion(kind) => format!("levregion {kind}"),
        Named::InitStyle(style) => format!("style {style}"),
        Named::DrawbridgeDirection(direction) => format!("direction {direction}"),
        Named::CoreFunction(name) => format!("function {name}"),
        Named::Method(name) => format!("method {name}"),
        Named::ValueType(tag) => format!("type {}", tag.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use splc_ir::program::Op;
    use splc_ir::source::Text;

    use super::*;

    fn op(code: Opcode, operand: Option<Operand>) -> Op {
        Op { code, operand, span: Span::default() }
    }

    fn listing(ops: Vec<Op>) -> String {
        let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
        write(&Loadable::Program(Program { name: "x".into(), ops, ..Program::default() }), catalog, None)
    }

    #[test]
    fn jumps_have_labels() {
        let text = listing(vec![
            op(Opcode::Push, Some(Operand::Offset(2))),
            op(Opcode::Jmp, None),
            op(Opcode::Exit, None),
            op(Opcode::Push, Some(Operand::Offset(-4))),
            op(Opcode::Jmp, None),
            op(Opcode::Push, Some(Operand::Offset(1))),
            op(Opcode::Jmp, None),
        ]);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[2], "L0:");
        assert_eq!(lines[3].split_whitespace().collect::<Vec<_>>(), ["0", "push", "int", "L3", "(+2)"]);
        assert_eq!(lines[6], "L3:");
        assert!(lines[7].ends_with("int L0 (-4)"), "{}", lines[7]);
        assert_eq!(lines.last().copied(), Some("L7:"));
    }

    #[test]
    fn jumps_out_of_the_program_are_said_to_be() {
        let text = listing(vec![op(Opcode::Push, Some(Operand::Offset(i32::MIN))), op(Opcode::Jmp, None)]);
        assert!(text.contains("outside of the program"), "{text}");
    }

    #[test]
    fn operands_have_names_and_numbers() {
        let flags = Named::Words(splc_ir::words::Group::Flag, vec![Text::from("noteleport"), Text::from("hardfloor")]);
        let text = listing(vec![
            op(Opcode::Push, Some(Operand::Named(flags))),
            op(Opcode::Push, Some(Operand::Monster(SpeciesName::Name("giant ant".into())))),
            op(Opcode::Push, Some(Operand::Monster(SpeciesName::Name("xyzzy".into())))),
            op(Opcode::Push, Some(Operand::Rows(Rows { cells: b"-.-|.|".to_vec(), width: 3 }))),
            op(Opcode::Push, Some(Operand::String(Some("a\u{1b}[2J".into())))),
        ]);
        assert!(text.contains("int noteleport|hardfloor (3)"), "{text}");
        assert!(text.contains("monster \"giant ant\" (97)"), "{text}");
        assert!(text.contains("monster \"xyzzy\" (unknown to UnNetHack 6.0.4)"), "{text}");
        assert!(text.contains("map 3 by 2\n") && text.contains("; -.-\n") && text.contains("; |.|\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
