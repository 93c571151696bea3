//! Functions, keys, words and values that the catalog of a game adds to those of NetHack 5.0.0.
//!
//! splc does not know what they do. A call is noted in the level and gives a plain value of the declared kind; a key is
//! noted with its value; a word is like the one that the catalog names.

use mlua::{Lua, MultiValue, Table, Value};
use splc_ir::catalog::ValueKind;
use splc_lua::{libraries, own};

use super::calls::{call_in_words, value_in_words};
use super::objects::Handle;
use super::running::{Run, Shared};
use super::selections::{self, numbers};
use crate::limits::MAX_THINGS;
use crate::selection::Selection;
use crate::settings::Surrounding;
use crate::terrain::Terrain;

/// Returns a plain value: zero, or an empty one.
pub(super) fn plain(lua: &Lua, kind: ValueKind) -> mlua::Result<Value> {
    Ok(match kind {
        ValueKind::Any | ValueKind::Nothing | ValueKind::Function => Value::Nil,
        ValueKind::Boolean => Value::Boolean(false),
        ValueKind::Number | ValueKind::NumberOrRandom => Value::Integer(0),
        ValueKind::Selection => {
            return selections::give(lua, Selection::new()).map(|mut given| given.pop_front().unwrap_or(Value::Nil));
        }
        ValueKind::Object => Value::UserData(lua.create_userdata(Handle(None))?),
        ValueKind::Place => Value::Table(numbers(lua, &[("x", 0), ("y", 0)])?),
        ValueKind::Table | ValueKind::Region => Value::Table(lua.create_table()?),
        ValueKind::Text
        | ValueKind::Word
        | ValueKind::Monster
        | ValueKind::MonsterClass
        | ValueKind::ObjectClass
        | ValueKind::Trap
        | ValueKind::Room
        | ValueKind::MapCharacter => Value::String(lua.create_string("")?),
    })
}

/// Notes a call of the game's own function `name`, and gives a plain value.
pub(super) fn called(
    lua: &Lua,
    run: Shared<'_, '_>,
    name: &str,
    gives: ValueKind,
    arguments: &MultiValue,
) -> mlua::Result<MultiValue> {
    run.borrow_mut().note_call(&call_in_words(name, arguments));
    Ok(match gives {
        ValueKind::Nothing => MultiValue::new(),
        gives => {
            run.borrow_mut().loader.ask(Surrounding::Own);
            MultiValue::from_vec(vec![plain(lua, gives)?])
        }
    })
}

/// Notes the game's own keys in the table that the function `name` gets.
pub(super) fn keep(run: Shared<'_, '_>, name: &str, table: &Table) -> mlua::Result<()> {
    let catalog = run.borrow().loader.game.catalog.clone();
    let known = name.split_once('.').and_then(|(library, name)| libraries::function(library, name));
    for key in own::keys(&catalog, name) {
        let value: Value = table.raw_get(key.name.as_ref())?;
        if value.is_nil() || known.is_some_and(|function| function.key(&catalog, &key.name).is_some()) {
            continue;
        }
        run.borrow_mut().note_call(&format!("{name}.{} = {}", key.name, value_in_words(&value, false)));
    }
    Ok(())
}

impl Run<'_> {
    fn note_call(&mut self, words: &str) {
        let level = &mut self.loader.level;
        if level.calls.len() < MAX_THINGS {
            let words = level.keep_text(words);
            level.calls.push(words);
        }
    }

    /// Returns the word that the game's own `word` for the key or argument `name` of the current function is like.
    pub(super) fn own_word(&self, name: &str, word: &str) -> Option<&str> {
        let (library, function) = self.calling;
        let catalog = &self.loader.game.catalog;
        if catalog.lua.keys.is_empty() {
            return None;
        }
        own::word(catalog, &format!("{library}.{function}"), name, word)
    }

    /// Returns the terrain of the game's own feature `word`; the inner value is `None` if splc does not know it.
    pub(super) fn own_feature(&self, word: &str) -> Option<Option<Terrain>> {
        let like = self.own_word("type", word)?;
        Some(Terrain::of_type(if like.is_empty() { word } else { like }, &self.loader.game.catalog))
    }
}
