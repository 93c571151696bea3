//! A level in the form its game loads: a program, the parts and rooms of NetHack 3.4.3, or a Lua script of NetHack 5.
//!
//! Code that passes levels from front ends to back ends and the VM need not know which.

use std::sync::Arc;

use crate::abi::Abi;
use crate::catalog::{Catalog, Format};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::level::{Level, Module};
use crate::parts::{Body, PartsLevel};
use crate::program::Program;
use crate::source::{FileId, Text};

/// A level as its game loads it.
#[derive(Clone, Debug, PartialEq)]
pub enum Loadable {
    /// Opcodes.
    Program(Program),
    /// Parts or rooms.
    Parts(PartsLevel),
    /// A Lua script.
    Lua(LuaLevel),
}

/// A level of NetHack 5: a Lua script.
#[derive(Clone, Debug, PartialEq)]
pub struct LuaLevel {
    /// Its name, taken from its file.
    pub name: Text,
    /// The script.
    pub text: Arc<str>,
    /// The source that contains it.
    pub file: FileId,
}

impl Loadable {
    /// Returns the name of the level.
    pub fn name(&self) -> &Text {
        match self {
            Loadable::Program(program) => &program.name,
            Loadable::Parts(level) => &level.name,
            Loadable::Lua(level) => &level.name,
        }
    }

    /// Renames the level.
    pub fn rename(&mut self, name: Text) {
        match self {
            Loadable::Program(program) => program.name = name,
            Loadable::Parts(level) => level.name = name,
            Loadable::Lua(level) => level.name = name,
        }
    }

    /// Returns the unit in which the level is measured (`opcodes`, `parts`, `rooms`, `lines`) and its size.
    pub fn size(&self) -> (&'static str, usize) {
        match self {
            Loadable::Program(program) => ("opcodes", program.ops.len()),
            Loadable::Parts(PartsLevel { body: Body::Maze(maze), .. }) => ("parts", maze.parts.len()),
            Loadable::Parts(PartsLevel { body: Body::Rooms(rooms), .. }) => ("rooms", rooms.rooms.len()),
            Loadable::Lua(level) => ("lines", level.text.lines().count()),
        }
    }
}

/// Lowers every level of `module` in order, for the game of `catalog` on a machine of `abi`, and passes each result to
/// `take` with its level and the diagnostics.
///
/// Level names keep their `%i`; see [`number_name`](crate::lower::number_name). The machine matters only for games
/// whose compilers depend on it: see [`lower::parts`](crate::lower::parts).
pub fn lower_each(
    module: &Module,
    catalog: &Catalog,
    abi: &Abi,
    diagnostics: &mut Diagnostics,
    mut take: impl FnMut(&Level, Loadable, &mut Diagnostics),
) {
    match catalog.format {
        Format::Opcodes => crate::lower::lower_each(module, catalog, diagnostics, |level, program, diagnostics| {
            take(level, Loadable::Program(program), diagnostics);
        }),
        Format::Parts => {
            crate::lower::parts::lower_each(module, catalog, abi, diagnostics, |level, lowered, diagnostics| {
                take(level, Loadable::Parts(lowered), diagnostics);
            })
        }
        // A port to NetHack 5 prints these levels as Lua; they are not lowered.
        Format::Lua => {
            for level in module.levels() {
                let message = format!("{} has no level files: its levels are Lua scripts", catalog.title);
                let help = "`splc port --to nethack-5.0 FILE` writes this level as a Lua script";
                diagnostics.push(Diagnostic::new(Code::Target, level.name.span, message).with_help(help));
            }
        }
    }
}
