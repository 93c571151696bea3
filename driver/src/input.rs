//! What is compiled: a name and bytes.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use splc_frontends::{json, lua};
use splc_ir::catalog::dialect::LUA;

use crate::recognise::Build;
use crate::target::{Target, TargetError, Told, Wanted};

/// How much of an input is looked at to tell a script, in bytes.
const HEAD: usize = 1 << 16;

/// A des-file, levels as JSON, a level file, or a Lua script.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name for people.
    pub name: String,
    /// Where it is, if it is a file, the same for the same file however it is named: an INCLUDE of itself is known by
    /// it, and what it includes is looked for beside it.
    pub place: Option<PathBuf>,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What an input is.
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
    /// An input that is nowhere on a disk.
    ///
    /// What is called `.lua` is a Lua script. Unless the name ends in `.des`, bytes that begin like a level file are
    /// taken for one, and what begins with a brace for JSON.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Input { name: name.into(), place: None, bytes: bytes.into() }
    }

    /// The file at `place` with these `bytes`.
    pub fn file(name: impl Into<String>, place: PathBuf, bytes: Vec<u8>) -> Self {
        Input { name: name.into(), place: Some(place), bytes }
    }

    /// Its name without folder and extension, for what is named after it: `stdin` for `(stdin)`.
    pub fn stem(&self) -> Cow<'_, str> {
        let bare = self.name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
        match (bare, &self.place) {
            (Some(bare), None) => bare.into(),
            _ => {
                let stem = Path::new(&self.name).file_stem().unwrap_or_default().to_string_lossy();
                // What comes out of an archive is called by that, too: `nhdat:castle.lev`.
                match (&self.place, stem.rsplit_once(':')) {
                    (None, Some((_, inner))) => inner.to_owned().into(),
                    _ => stem,
                }
            }
        }
    }

    /// Whether it is a Lua script: by its name, or by how it begins if its name does not say what it is.
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
        // A script has something telling in its first lines.
        let head = &self.bytes[..self.bytes.len().min(HEAD)];
        head.starts_with(lua::COMPILED) || lua::looks_like_script(&String::from_utf8_lossy(head))
    }

    /// What it is, by its bytes; what is called a des-file is one.
    pub(crate) fn form(&self, wanted: &Wanted) -> Form {
        if self.is_called_source() {
            return Form::Source;
        }
        if self.is_script() {
            return Form::Lua;
        }
        wanted.build(&self.bytes).map_or_else(|| self.form_of_source(), Form::LevelFile)
    }

    /// What it is, if it is not a level file.
    pub(crate) fn form_of_source(&self) -> Form {
        if self.is_script() {
            return Form::Lua;
        }
        if !self.is_called_source() && json::is_json(&self.bytes) { Form::Document } else { Form::Source }
    }

    fn is_called_source(&self) -> bool {
        self.is_called("des")
    }

    /// Whether its name has this extension.
    fn is_called(&self, wanted: &str) -> bool {
        Path::new(&self.name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
    }

    /// What it is for.
    ///
    /// # Errors
    /// If that cannot be told.
    pub(crate) fn target(&self, form: &Form, wanted: &Wanted) -> Result<Told, TargetError> {
        let told = match form {
            Form::LevelFile(build) => Told::known(Target::of_build(build)),
            _ => match (wanted.target()?, form) {
                (Some(target), _) => Told::known(target),
                (None, Form::Document) => Told::known(Target::named(&self.bytes, wanted)?),
                (None, Form::Lua) => {
                    let game = LUA.default_target().ok_or(TargetError::Unknown)?;
                    Told::known(Target::new(game, wanted.abi())?)
                }
                (None, _) => Target::told(&self.bytes, wanted.abi())?,
            },
        };
        Ok(told.in_dungeon(wanted.dungeon.as_deref()))
    }
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
