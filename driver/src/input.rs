//! Inputs of a compilation: a name and bytes.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use splc_frontends::json;
use splc_ir::catalog::dialect::LUA;

use crate::recognise::Build;
use crate::target::{Reported, Target, TargetError, Wanted};

/// The number of bytes of an input examined to recognise a script.
const HEAD: usize = 1 << 16;

/// A des-file, levels as JSON, a level file, or a Lua script.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its display name.
    pub name: String,
    /// Its path, if it is a file, the same for every name of the same file. It identifies recursive INCLUDEs, and
    /// included files are searched next to it.
    pub place: Option<PathBuf>,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The types of input that a caller takes. Any other input is read as the first of them that is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepts {
    /// Des-files, levels as JSON, and Lua scripts.
    Sources,
    /// Also level files.
    Levels,
}

/// The type of an input.
pub(crate) enum Form {
    /// A des-file.
    Source,
    /// Levels as JSON.
    Document,
    /// A compiled level.
    LevelFile(Build),
    /// A Lua script.
    Lua,
}

impl Input {
    /// Creates an input that is not a file.
    ///
    /// A name in `.lua` makes it a Lua script, and a name in `.des` a des-file. Otherwise bytes that begin like a level
    /// file are read as one, and bytes that begin with a brace as JSON.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Input { name: name.into(), place: None, bytes: bytes.into() }
    }

    /// Creates an input for the file at `place` with these `bytes`.
    pub fn file(name: impl Into<String>, place: PathBuf, bytes: Vec<u8>) -> Self {
        Input { name: name.into(), place: Some(place), bytes }
    }

    /// Returns its name without folder and extension, for naming outputs: `stdin` for `(stdin)`.
    pub fn stem(&self) -> Cow<'_, str> {
        let bare = self.name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
        match (bare, &self.place) {
            (Some(bare), None) => bare.into(),
            _ => {
                let stem = Path::new(&self.name).file_stem().unwrap_or_default().to_string_lossy();
                // An archive entry is named after the file in it: `nhdat:castle.lev`.
                match (&self.place, stem.rsplit_once(':')) {
                    (None, Some((_, inner))) => inner.to_owned().into(),
                    _ => stem,
                }
            }
        }
    }

    /// Returns true if it is a Lua script by its name or, if its name is inconclusive, by its first bytes.
    pub fn is_script(&self) -> bool {
        if self.is_called("lua") {
            return true;
        }
        let extension = Path::new(&self.name).extension();
        if extension
            .is_some_and(|extension| ["des", "lev", "json", "def", "txt"].iter().any(|other| extension == *other))
        {
            return false;
        }
        // The first lines of a script are distinctive.
        let head = &self.bytes[..self.bytes.len().min(HEAD)];
        head.starts_with(splc_lua::COMPILED) || splc_lua::looks_like_script(&String::from_utf8_lossy(head))
    }

    /// Determines its type and its game.
    ///
    /// # Errors
    /// If its game cannot be determined.
    pub(crate) fn recognise(self, accepts: Accepts, wanted: &Wanted) -> Result<Recognised, TargetError> {
        let form = match accepts {
            Accepts::Sources => self.form_of_source(),
            Accepts::Levels => self.form(wanted),
        };
        self.recognised(form, wanted)
    }

    /// Determines its game, given its type.
    ///
    /// # Errors
    /// If its game cannot be determined.
    pub(crate) fn recognised(self, form: Form, wanted: &Wanted) -> Result<Recognised, TargetError> {
        let reported = self.target(&form, wanted)?;
        Ok(Recognised { input: self, form, reported })
    }

    /// Returns its type, by its name or else by its bytes.
    fn form(&self, wanted: &Wanted) -> Form {
        if self.is_called_source() {
            return Form::Source;
        }
        if self.is_script() {
            return Form::Lua;
        }
        wanted.build(&self.bytes).map_or_else(|| self.form_of_source(), Form::LevelFile)
    }

    /// Returns its type, given that it is not a level file.
    fn form_of_source(&self) -> Form {
        if self.is_script() {
            return Form::Lua;
        }
        if !self.is_called_source() && json::is_json(&self.bytes) { Form::Document } else { Form::Source }
    }

    fn is_called_source(&self) -> bool {
        self.is_called("des")
    }

    /// Returns true if its name has this extension.
    fn is_called(&self, wanted: &str) -> bool {
        Path::new(&self.name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
    }

    fn target(&self, form: &Form, wanted: &Wanted) -> Result<Reported, TargetError> {
        let own = match form {
            Form::Source | Form::Lua => wanted.target_of(&self.bytes)?,
            Form::Document | Form::LevelFile(_) => None,
        };
        let reported = match (form, own) {
            (_, Some(target)) => Reported::known(target),
            (Form::LevelFile(build), None) => Reported::known(Target::of_build(build)),
            _ => match (wanted.target()?, form) {
                (Some(target), _) => Reported::known(target),
                (None, Form::Document) => Reported::known(Target::named(&self.bytes, wanted)?),
                (None, Form::Lua) => {
                    let game = LUA.default_target().ok_or(TargetError::Unknown)?;
                    Reported::known(Target::new(game, wanted.abi())?)
                }
                (None, _) => Target::reported(&self.bytes, wanted.abi())?,
            },
        };
        Ok(reported.in_dungeon(wanted.dungeon.as_deref()))
    }
}

/// An input whose type and game are known.
pub(crate) struct Recognised {
    pub input: Input,
    pub form: Form,
    pub reported: Reported,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_their_input() {
        let stem = |name: &str| Input::new(name, "").stem().into_owned();
        assert_eq!([stem("a.des"), stem("x/b.c.des"), stem("(stdin)"), stem("plain")], ["a", "b.c", "stdin", "plain"]);
        assert_eq!(Input::file("(x)", "/y/(x)".into(), Vec::new()).stem(), "(x)");
    }
}
