//! Arguments of the game's functions, read as the game does it (`luaL_check...` and `get_table_...` of `nhlua.c`).

use mlua::{Integer, Lua, MultiValue, Table, Value};

use super::calls::mistake;

/// The arguments of a call.
pub(super) struct Arguments {
    values: Vec<Value>,
}

/// Keywords with their meanings.
pub(super) type Words<T> = &'static [(&'static str, T)];

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

    /// Reads a keyword (`luaL_checkoption`).
    pub fn word<T: Copy>(&self, number: usize, otherwise: Option<&str>, words: Words<T>) -> mlua::Result<T> {
        let value = self.get(number);
        option(value, otherwise, words).map_err(|wrong| {
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

/// Name of a value's type in Lua.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) | Value::Number(_) => "number",
        value => value.type_name(),
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
    if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
        bytes.truncate(end);
    }
    Some(bytes)
}

/// Looks up a keyword. The error is the unknown keyword, or `None` if the value is not a text.
fn option<T: Copy>(value: &Value, otherwise: Option<&str>, words: Words<T>) -> Result<T, Option<String>> {
    let word = match (value, otherwise) {
        (Value::Nil, Some(otherwise)) => otherwise.as_bytes().to_vec(),
        (value, _) => text(value).ok_or(None)?,
    };
    let known = words.iter().find(|(known, _)| known.as_bytes() == word);
    known.map(|&(_, meaning)| meaning).ok_or_else(|| Some(String::from_utf8_lossy(&word).into_owned()))
}

/// Fields of a table passed to a function of the game.
pub(super) struct Fields(pub Table);

impl Fields {
    pub fn get(&self, key: &str) -> mlua::Result<Value> {
        self.0.raw_get(key)
    }

    /// Reads a number in an `int`, with a default (`get_table_int_opt`).
    pub fn integer_or(&self, key: &str, otherwise: i64) -> mlua::Result<i64> {
        let value = self.get(key)?;
        if value.is_nil() {
            return Ok(otherwise);
        }
        let number = integer(&value).ok_or_else(|| wrong(key, "an integer", &value))?;
        Ok(i64::from(number as i32))
    }

    /// Reads a required number (`get_table_int`).
    pub fn integer(&self, key: &str) -> mlua::Result<i64> {
        let value = self.get(key)?;
        let number = integer(&value).ok_or_else(|| wrong(key, "an integer", &value))?;
        Ok(i64::from(number as i32))
    }

    /// Reads a number or `"random"` (`get_table_int_or_random`).
    pub fn integer_or_random(&self, key: &str, random: i64) -> mlua::Result<i64> {
        let value = self.get(key)?;
        if value.is_nil() {
            return Ok(random);
        }
        if let Some(number) = integer(&value) {
            return Ok(number);
        }
        match text(&value) {
            Some(word) if word.eq_ignore_ascii_case(b"random") => Ok(random),
            _ => Err(wrong(key, "an integer or \"random\"", &value)),
        }
    }

    /// Reads a required text (`get_table_str`).
    pub fn text(&self, key: &str) -> mlua::Result<Vec<u8>> {
        let value = self.get(key)?;
        text(&value).ok_or_else(|| wrong(key, "a string", &value))
    }

    /// Reads a keyword (`get_table_option`).
    pub fn word<T: Copy>(&self, key: &str, otherwise: Option<&str>, words: Words<T>) -> mlua::Result<T> {
        let value = self.get(key)?;
        option(&value, otherwise, words).map_err(|word| match word {
            Some(word) => mistake(format!("invalid option '{word}' for \"{key}\"")),
            None => wrong(key, "a string", &value),
        })
    }

    /// Reads yes (1) or no (0), with a default (`get_table_boolean_opt`). The game uses the positions of the keywords
    /// `"true"`, `"false"`, `"yes"` and `"no"` in this list as their values. Only the first two positions are valid
    /// truth values.
    pub fn truth_or(&self, key: &str, otherwise: i32) -> mlua::Result<i32> {
        let value = self.get(key)?;
        match &value {
            Value::Nil => Ok(otherwise),
            Value::Boolean(truth) => Ok(i32::from(*truth)),
            Value::String(_) => option(&value, None, &[("true", 0), ("false", 1), ("yes", 2), ("no", 3)])
                .map_err(|_| wrong(key, "a boolean", &value)),
            value => match integer(value) {
                Some(truth @ (0 | 1)) => Ok(truth as i32),
                _ => Err(wrong(key, "a boolean", value)),
            },
        }
    }

    /// Reads a flag; the default is no.
    pub fn is(&self, key: &str) -> mlua::Result<bool> {
        Ok(self.truth_or(key, 0)? != 0)
    }

    /// Reads a place from `x` and `y`, or from `coord`; (-1, -1) if it is missing (`get_table_xy_or_coord`).
    pub fn place(&self) -> mlua::Result<(i64, i64)> {
        let (x, y) = (self.integer_or("x", -1)?, self.integer_or("y", -1)?);
        if (x, y) != (-1, -1) {
            return Ok((x, y));
        }
        Ok(place(&self.get("coord")?)?.unwrap_or((x, y)))
    }

    /// Reads two corners from a list of four numbers (`get_table_region`); `None` if it is missing.
    pub fn region(&self, key: &str) -> mlua::Result<Option<[i64; 4]>> {
        let value = self.get(key)?;
        let table = match &value {
            Value::Nil => return Ok(None),
            Value::Table(table) => table,
            value => return Err(wrong(key, "a list of four numbers", value)),
        };
        if table.raw_len() != 4 {
            return Err(mistake(format!("Not a region: \"{key}\" is not a list of four numbers")));
        }
        let mut corners = [0; 4];
        for (number, corner) in (1..).zip(&mut corners) {
            *corner = entry(table, number)?;
        }
        Ok(Some(corners))
    }

    /// Reads two corners from `x1`, `y1`, `x2` and `y2`, or otherwise from `region`, which is then required
    /// (`get_table_coords_or_region`).
    pub fn corners(&self) -> mlua::Result<[i64; 4]> {
        let mut corners = [-1; 4];
        for (corner, key) in corners.iter_mut().zip(["x1", "y1", "x2", "y2"]) {
            *corner = self.integer_or(key, -1)?;
        }
        if corners != [-1; 4] {
            return Ok(corners);
        }
        self.region("region")?.ok_or_else(|| mistake("\"region\" is missing: a list of four numbers"))
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
pub(super) fn wrong(key: &str, wanted: &str, value: &Value) -> mlua::Error {
    match text(value) {
        _ if value.is_nil() => mistake(format!("\"{key}\" is missing: {wanted}")),
        Some(found) => mistake(format!("\"{key}\" is not {wanted}: \"{}\"", String::from_utf8_lossy(&found))),
        None => mistake(format!("\"{key}\" is not {wanted} but a {}", kind(value))),
    }
}
