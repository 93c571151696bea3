//! Writes a run of a level as a script without draws, conditions, loops and functions: each statement with the values
//! that it got in the run. Coordinates outside of rooms count from the corner of the level.

use mlua::{Function, Lua, MultiValue, Table, Value};
use splc_ir::order::Order;

use super::raised::{line, mistake};
use super::running::{Run, Shared};
use super::selections::squares;
use crate::limits::MAX_TRANSCRIPT_BYTES;
use crate::selection::Selection;

/// Maximum operands of a sum.
const MAX_OPERANDS: usize = 100;

/// Maximum nesting of tables in arguments.
const MAX_DEPTH: usize = 8;

/// The values of a statement.
struct Writer<'r, 'a> {
    run: &'r Run<'a>,
    name: &'static str,
    contents: Option<Function>,
}

/// Executes a statement and writes it.
pub(super) fn statement(
    lua: &Lua,
    run: Shared<'_, '_>,
    name: &'static str,
    arguments: MultiValue,
    execute: impl FnOnce(MultiValue) -> mlua::Result<MultiValue>,
) -> mlua::Result<MultiValue> {
    let at = line(lua);
    let (head, has_block) = {
        let state = run.borrow();
        let mut writer = Writer { run: &state, name, contents: None };
        let head = writer.call(&arguments)?;
        (head, writer.contents.is_some() && name != "map")
    };
    {
        let mut state = run.borrow_mut();
        let Some(script) = &mut state.transcript else { return Err(mistake("no script is written")) };
        if script.text.len() > MAX_TRANSCRIPT_BYTES {
            return Err(mistake("the script of the run is too long"));
        }
        script.line(&head, at);
        if name == "map" {
            // Coordinates count from the corner of the level again.
            script.line("des.map(\" \")", at);
        }
    }
    let results = execute(arguments)?;
    if has_block && let Some(script) = &mut run.borrow_mut().transcript {
        script.line("end })", at);
    }
    Ok(results)
}

impl Writer<'_, '_> {
    /// Returns the distance from the current origin to the corner of the level; 0 in a room.
    fn shift(&self) -> (i64, i64) {
        match self.run.room() {
            Some(_) => (0, 0),
            None => (i64::from(self.run.loader.start_x) - 1, i64::from(self.run.loader.start_y)),
        }
    }

    fn call(&mut self, arguments: &MultiValue) -> mlua::Result<String> {
        let values: Vec<&Value> = arguments.iter().collect();
        // Two numbers at the end are a place.
        let numbers = values.iter().rev().take_while(|value| matches!(value, Value::Integer(_))).count();
        let numbers = match self.name {
            "mazewalk" if values.len() == 3 => Some(0),
            "terrain" | "grave" if values.len() == 3 => Some(0),
            _ if numbers >= 2 => Some(values.len() - 2),
            _ => None,
        };
        let (dx, dy) = self.shift();
        let mut parts = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let by = match numbers {
                Some(first) if at == first => dx,
                Some(first) if at == first + 1 => dy,
                _ => 0,
            };
            parts.push(match value {
                Value::Integer(number) if by != 0 && *number >= 0 => (number + by).to_string(),
                Value::Table(table) => self.table(table, 0)?,
                value => self.value(value, 1)?,
            });
        }
        let list = parts.join(", ");
        Ok(match &self.contents {
            Some(_) if self.name != "map" => format!("des.{}({list}", self.name),
            _ => format!("des.{}({list})", self.name),
        })
    }

    fn value(&mut self, value: &Value, depth: usize) -> mlua::Result<String> {
        Ok(match value {
            Value::Nil => "nil".to_owned(),
            Value::Boolean(truth) => truth.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Number(number) if number.fract() == 0.0 => format!("{number:.0}"),
            Value::String(text) => splc_lua::quoted(&String::from_utf8_lossy(&text.as_bytes())),
            Value::Table(table) if depth < MAX_DEPTH => self.table(table, depth)?,
            Value::UserData(_) => self.selection(&squares(value)?),
            _ => return Err(mistake("a value that cannot be written")),
        })
    }

    fn table(&mut self, table: &Table, depth: usize) -> mlua::Result<String> {
        let (mut items, mut named) = (Vec::new(), Vec::new());
        for pair in table.pairs::<Value, Value>() {
            match pair? {
                (Value::Integer(number), value) => items.push((number, value)),
                (Value::String(key), value) => named.push((key.to_string_lossy(), value)),
                _ => return Err(mistake("a key that cannot be written")),
            }
        }
        items.order_by_key(|(number, _)| *number);
        named.order_by(|(one, _), (other, _)| one.cmp(other));
        let is_set = |key: &str| {
            let value = named.iter().find(|(known, _)| known == key).map(|(_, value)| value);
            matches!(value, Some(Value::Boolean(true))) || matches!(value, Some(Value::Integer(number)) if *number != 0)
        };
        let (in_level, outside_in_level) = (is_set("region_islev"), is_set("exclude_islev"));
        let counts = !matches!(self.name, "room" | "map" | "wallify");
        let (dx, dy) = if counts { self.shift() } else { (0, 0) };
        let moved = |value: &Value, by: i64| match value {
            Value::Integer(number) if *number >= 0 => Value::Integer(number + by),
            value => value.clone(),
        };
        let mut parts = Vec::new();
        // A bare place: { x, y }.
        let is_place = depth == 0 && items.len() == 2 && named.is_empty();
        for (at, (_, value)) in items.iter().enumerate() {
            let by = match at {
                _ if !is_place => 0,
                0 => dx,
                _ => dy,
            };
            parts.push(self.value(&moved(value, by), depth + 1)?);
        }
        let mut block = None;
        for (key, value) in &named {
            let text = match (key.as_str(), value) {
                ("contents" | "inventory", Value::Function(function)) => {
                    self.contents = Some(function.clone());
                    block = Some(key.clone());
                    continue;
                }
                ("x" | "x1" | "x2", value) => self.value(&moved(value, dx), depth + 1)?,
                ("y" | "y1" | "y2", value) => self.value(&moved(value, dy), depth + 1)?,
                ("coord" | "region" | "exclude", Value::Table(inner)) => {
                    let fixed = key == "region" && in_level || key == "exclude" && outside_in_level;
                    let by = if fixed { (0, 0) } else { (dx, dy) };
                    self.numbers(inner, by)?
                }
                (_, value) => self.value(value, depth + 1)?,
            };
            parts.push(format!("{key} = {text}"));
        }
        let list = parts.join(", ");
        Ok(match block {
            Some(key) if self.name != "map" => format!("{{ {list}, {key} = function()"),
            _ => format!("{{ {list} }}"),
        })
    }

    /// Writes the numbers of a place or region, columns and rows in turn.
    fn numbers(&self, table: &Table, (dx, dy): (i64, i64)) -> mlua::Result<String> {
        let mut numbers = Vec::new();
        for at in 1..=4 {
            let value: Value = table.raw_get(at)?;
            if let Value::Integer(number) = value {
                numbers.push(number);
            }
        }
        if numbers.is_empty() {
            for key in ["x", "y", "x1", "y1", "x2", "y2"] {
                if let Value::Integer(number) = table.raw_get(key)? {
                    numbers.push(number);
                }
            }
        }
        let is_random = numbers.iter().all(|number| *number < 0);
        let shifted = numbers.iter().zip([dx, dy].into_iter().cycle());
        let texts: Vec<String> =
            shifted.map(|(number, by)| (if is_random { *number } else { number + by }).to_string()).collect();
        Ok(format!("{{ {} }}", texts.join(", ")))
    }

    /// Writes a selection as the union of vertical strips and rectangles.
    fn selection(&self, of: &Selection) -> String {
        let (dx, dy) = match self.run.room() {
            Some(room) => {
                let room = &self.run.loader.level.rooms[room];
                (room.low_x, room.low_y)
            }
            None => (1, 0),
        };
        // Runs of each column, joined with equal runs of the column before.
        let mut done: Vec<[i32; 4]> = Vec::new();
        let mut strips: Vec<[i32; 4]> = Vec::new();
        let mut all: Vec<(i32, i32)> = of.iter().collect();
        all.sort_unstable();
        for (x, y) in all {
            match strips.last_mut() {
                Some([column, _, _, last]) if *column == x && *last + 1 == y => *last = y,
                _ => strips.push([x, y, x, y]),
            }
        }
        strips.sort_unstable();
        for [x, y1, _, y2] in strips {
            let before = done.iter_mut().rev().find(|known| known[1] == y1 && known[3] == y2 && known[2] + 1 == x);
            match before {
                Some(known) => known[2] = x,
                None => done.push([x, y1, x, y2]),
            }
        }
        let area =
            |[x1, y1, x2, y2]: &[i32; 4]| format!("selection.area({}, {}, {}, {})", x1 - dx, y1 - dy, x2 - dx, y2 - dy);
        // A long sum is deeply nested for a parser.
        let groups = done.chunks(MAX_OPERANDS).map(|group| {
            let areas: Vec<String> = group.iter().map(area).collect();
            format!("({})", areas.join(" | "))
        });
        let groups: Vec<String> = groups.collect();
        if groups.is_empty() { "selection.new()".to_owned() } else { groups.join(" | ") }
    }
}
