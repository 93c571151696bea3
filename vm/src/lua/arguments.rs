//! Arguments of the game's functions, read as the game does it (`luaL_check...` and `get_table_...` of `nhlua.c`).

use mlua::{Integer, Lua, MultiValue, Table, Value};
use splc_lua::functions::{Need, boolean_word};
use splc_lua::keys::{self, Area, Corners, Key, Number, NumberOrRandom, Place, Text, Truth, Typed, Word};

use super::raised::{kind, mistake};
use super::running::Shared;

/// The arguments of a call.
pub(super) struct Arguments {
    values: Vec<Value>,
}

impl Arguments {
    pub fn new(values: MultiValue) -> Self {
        Arguments { values: values.into_vec() }
    }

    /// Number of arguments.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the argument with that number, from 1; nil if it is missing.
    pub fn get(&self, number: usize) -> &Value {
        const NIL: &Value = &Value::Nil;
        self.values.get(number - 1).unwrap_or(NIL)
    }

    pub fn is_text(&self, number: usize) -> bool {
        matches!(self.get(number), Value::String(_))
    }

    pub fn is_table(&self, number: usize) -> bool {
        matches!(self.get(number), Value::Table(_))
    }

    pub fn is_number(&self, number: usize) -> bool {
        matches!(self.get(number), Value::Integer(_) | Value::Number(_))
    }

    /// Reads a whole number (`luaL_checkinteger`).
    pub fn integer(&self, number: usize) -> mlua::Result<i64> {
        integer(self.get(number)).ok_or_else(|| self.wrong(number, "number"))
    }

    /// Reads a whole number, with a default (`luaL_optinteger`).
    pub fn integer_or(&self, number: usize, otherwise: i64) -> mlua::Result<i64> {
        if self.get(number).is_nil() { Ok(otherwise) } else { self.integer(number) }
    }

    /// Reads a whole number, or 0 if it is not one (`lua_tointeger`).
    pub fn integer_or_zero(&self, number: usize) -> i64 {
        integer(self.get(number)).unwrap_or(0)
    }

    /// Reads a text (`luaL_checkstring`).
    pub fn text(&self, number: usize) -> mlua::Result<Vec<u8>> {
        text(self.get(number)).ok_or_else(|| self.wrong(number, "string"))
    }

    /// Reads the keyword of a key that is an argument.
    pub fn word<T: Copy>(&self, run: Shared<'_, '_>, number: usize, key: &Typed<Word<T>>) -> mlua::Result<T> {
        self.keyword(run, number, key.key().name, key.value)
    }

    /// Reads the keyword called `name` (`luaL_checkoption`).
    pub fn keyword<T: Copy>(&self, run: Shared<'_, '_>, number: usize, name: &str, word: Word<T>) -> mlua::Result<T> {
        let value = self.get(number);
        option(run, value, name, word).map_err(|wrong| {
            mistake(match wrong {
                Some(word) => format!("bad argument #{number} (invalid option '{word}')"),
                None => format!("bad argument #{number} (string expected, got {})", kind(value)),
            })
        })
    }

    /// Returns the table that is the only argument, or an empty one (`lcheck_param_table`).
    pub fn only_table(&self, lua: &Lua) -> mlua::Result<Fields> {
        match self.values.first() {
            None => Ok(Fields(lua.create_table()?)),
            Some(Value::Table(table)) => Ok(Fields(table.clone())),
            Some(_) => Err(self.wrong(1, "table")),
        }
    }

    fn wrong(&self, number: usize, wanted: &str) -> mlua::Error {
        let found = if number > self.values.len() { "no value" } else { kind(self.get(number)) };
        mistake(format!("bad argument #{number} ({wanted} expected, got {found})"))
    }
}

/// Converts a number without a fraction, or a text that contains one.
pub(super) fn integer(value: &Value) -> Option<Integer> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::Number(number) => whole(*number),
        Value::String(text) => {
            let text = text.to_str().ok()?;
            let text = text.trim();
            text.parse().ok().or_else(|| whole(text.parse().ok()?))
        }
        _ => None,
    }
}

fn whole(number: f64) -> Option<Integer> {
    const LEAST: f64 = -9_223_372_036_854_775_808.0;
    (number.fract() == 0.0 && (LEAST..-LEAST).contains(&number)).then_some(number as Integer)
}

/// Converts a text or number to a text. For the games, a text ends at the first zero byte.
pub(super) fn text(value: &Value) -> Option<Vec<u8>> {
    let mut bytes = match value {
        Value::String(text) => text.as_bytes().to_vec(),
        Value::Integer(number) => number.to_string().into_bytes(),
        Value::Number(_) => value.to_string().ok()?.into_bytes(),
        _ => return None,
    };
    if let Some(end) = memchr::memchr(0, &bytes) {
        bytes.truncate(end);
    }
    Some(bytes)
}

/// Looks up a keyword. The error is the unknown keyword, or `None` if the value is not a text.
fn option<T: Copy>(run: Shared<'_, '_>, value: &Value, name: &str, word: Word<T>) -> Result<T, Option<String>> {
    let text = match (value, word.usual) {
        (Value::Nil, Some(usual)) => usual.as_bytes().to_vec(),
        (value, _) => text(value).ok_or(None)?,
    };
    let text = String::from_utf8_lossy(&text);
    let run = run.borrow();
    let catalog = &run.loader.game.catalog;
    let own = || {
        let like = run.own_word(name, &text)?;
        let usual = || word.usual.and_then(|usual| word.words.meaning(catalog, usual)).or(word.words.first());
        word.words.meaning(catalog, like).or_else(usual)
    };
    word.words.meaning(catalog, &text).or_else(own).ok_or_else(|| Some(text.into_owned()))
}

/// Fields of a table passed to a function of the game.
pub(super) struct Fields(pub Table);

impl Fields {
    /// Returns the value of a key, whatever its type.
    pub fn raw(&self, key: &Key) -> mlua::Result<Value> {
        #[cfg(test)]
        super::tests::note(key);
        self.0.raw_get(key.name)
    }

    pub fn get(&self, key: &Typed<keys::Value>) -> mlua::Result<Value> {
        self.raw(key.key())
    }

    /// Reads a number in an `int` (`get_table_int`, `get_table_int_opt`).
    pub fn number(&self, key: &Typed<Number>) -> mlua::Result<i64> {
        self.number_or(key, key.value.0)
    }

    /// Reads a number in an `int`, with a default that depends on the game.
    pub fn number_or(&self, key: &Typed<Number>, otherwise: i64) -> mlua::Result<i64> {
        let value = self.raw(key.key())?;
        if value.is_nil() && key.key().need == Need::Optional {
            return Ok(otherwise);
        }
        let number = integer(&value).ok_or_else(|| wrong(key.key(), "an integer", &value))?;
        Ok(i64::from(number as i32))
    }

    /// Reads a number or `"random"` (`get_table_int_or_random`).
    pub fn number_or_random(&self, key: &Typed<NumberOrRandom>) -> mlua::Result<i64> {
        let value = self.raw(key.key())?;
        if let Some(number) = integer(&value) {
            return Ok(number);
        }
        match text(&value) {
            None if value.is_nil() => Ok(key.value.0),
            Some(word) if word.eq_ignore_ascii_case(b"random") => Ok(key.value.0),
            _ => Err(wrong(key.key(), "an integer or \"random\"", &value)),
        }
    }

    /// Reads a required text (`get_table_str`).
    pub fn text(&self, key: &Typed<Text>) -> mlua::Result<Vec<u8>> {
        let value = self.raw(key.key())?;
        text(&value).ok_or_else(|| wrong(key.key(), "a string", &value))
    }

    /// Reads a keyword (`get_table_option`).
    pub fn word<T: Copy>(&self, run: Shared<'_, '_>, key: &Typed<Word<T>>) -> mlua::Result<T> {
        let value = self.raw(key.key())?;
        option(run, &value, key.key().name, key.value).map_err(|word| match word {
            Some(word) => mistake(format!("invalid option '{word}' for \"{}\"", key.key().name)),
            None => wrong(key.key(), "a string", &value),
        })
    }

    /// Reads yes (1) or no (0) (`get_table_boolean_opt`). Of the positions of [`boolean_word`], only the first two are
    /// valid truth values.
    pub fn truth(&self, key: &Typed<Truth>) -> mlua::Result<i32> {
        let value = self.raw(key.key())?;
        let truth = match &value {
            Value::Nil => return Ok(key.value.0),
            Value::Boolean(truth) => return Ok(i32::from(*truth)),
            Value::String(_) => text(&value).and_then(|word| boolean_word(std::str::from_utf8(&word).ok()?)),
            value => integer(value).filter(|truth| matches!(truth, 0 | 1)).map(|truth| truth as usize),
        };
        truth.map(|truth| truth as i32).ok_or_else(|| wrong(key.key(), "a boolean", &value))
    }

    /// Reads a flag that can also be `"random"` or -1, as in games before NetHack 5.0.0.
    pub fn truth_or_random(&self, key: &Typed<Truth>) -> mlua::Result<i32> {
        let value = self.raw(key.key())?;
        let is_random = match &value {
            Value::String(_) => text(&value).is_some_and(|word| word.eq_ignore_ascii_case(b"random")),
            value => integer(value) == Some(-1),
        };
        if is_random { Ok(-1) } else { self.truth(key) }
    }

    /// Reads a flag.
    pub fn is(&self, key: &Typed<Truth>) -> mlua::Result<bool> {
        Ok(self.truth(key)? != 0)
    }

    /// Reads a place from `x` and `y`, or from `coord`; (-1, -1) if it is missing (`get_table_xy_or_coord`).
    pub fn place(&self, keys: &Place) -> mlua::Result<(i64, i64)> {
        let (x, y) = (self.number(&keys.x)?, self.number(&keys.y)?);
        if (x, y) != (-1, -1) {
            return Ok((x, y));
        }
        Ok(place(&self.get(&keys.coord)?)?.unwrap_or((x, y)))
    }

    /// Reads two corners from a list of four numbers (`get_table_region`); `None` if it is missing.
    pub fn region(&self, key: &Typed<Area>) -> mlua::Result<Option<[i64; 4]>> {
        let key = key.key();
        let value = self.raw(key)?;
        let table = match &value {
            Value::Nil => return Ok(None),
            Value::Table(table) => table,
            value => return Err(wrong(key, "a list of four numbers", value)),
        };
        if table.raw_len() != 4 {
            return Err(mistake(format!("Not a region: \"{}\" is not a list of four numbers", key.name)));
        }
        let mut corners = [0; 4];
        for (number, corner) in (1..).zip(&mut corners) {
            *corner = entry(table, number)?;
        }
        Ok(Some(corners))
    }

    /// Reads two corners from `x1`, `y1`, `x2` and `y2`, or otherwise from `region`; `None` if it is missing too
    /// (`get_table_coords_or_region`).
    pub fn corners(&self, keys: &Corners) -> mlua::Result<Option<[i64; 4]>> {
        let mut corners = [-1; 4];
        for (corner, key) in corners.iter_mut().zip(&keys.numbers) {
            *corner = self.number(key)?;
        }
        if corners == [-1; 4] { self.region(&keys.region) } else { Ok(Some(corners)) }
    }
}

/// Reads an element of a list of numbers (`get_table_intarray_entry`).
fn entry(table: &Table, number: i64) -> mlua::Result<i64> {
    let value: Value = table.raw_get(number)?;
    match (&value, integer(&value)) {
        (Value::Integer(_) | Value::Number(_) | Value::String(_), Some(number)) => Ok(number),
        _ => Err(mistake(format!("Array entry #{number} is {}, expected number", kind(&value)))),
    }
}

/// Reads a place from a table: `x` and `y`, or two numbers; `None` for nil (`get_coord`).
pub(super) fn place(value: &Value) -> mlua::Result<Option<(i64, i64)>> {
    let table = match value {
        Value::Nil => return Ok(None),
        Value::Table(table) => table,
        _ => return Err(mistake("non-table coord specified")),
    };
    let x: Value = table.raw_get("x")?;
    if !x.is_nil() {
        let y: Value = table.raw_get("y")?;
        return match (integer(&x), integer(&y)) {
            (Some(x), Some(y)) => Ok(Some((x, y))),
            _ => Err(mistake("Not a coordinate")),
        };
    }
    if table.raw_len() != 2 {
        return Err(mistake("Not a coordinate"));
    }
    Ok(Some((entry(table, 1)?, entry(table, 2)?)))
}

/// An error about a field with an invalid value.
pub(super) fn wrong(key: &Key, wanted: &str, value: &Value) -> mlua::Error {
    let key = key.name;
    match text(value) {
        _ if value.is_nil() => mistake(format!("\"{key}\" is missing: {wanted}")),
        Some(found) => mistake(format!("\"{key}\" is not {wanted}: \"{}\"", String::from_utf8_lossy(&found))),
        None => mistake(format!("\"{key}\" is not {wanted} but a {}", kind(value))),
    }
}
