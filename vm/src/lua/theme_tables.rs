//! The tables of themed rooms and fills that `themerms.lua` leaves.

use mlua::{Function, Lua, Table, Value};

use crate::level::Kind;
use crate::themes::{Entry, Themes};

/// The table of themed rooms, and that of fills.
const TABLES: [(Kind, &str); 2] = [(Kind::Room, "themerooms"), (Kind::Fill, "themeroom_fills")];

/// Replaces each entry's function by one that first notes the choice.
const NOTED: &str = r#"
local note, rooms, fills, type = ...
local function noted(list, kind)
   if type(list) ~= "table" then return end
   for number = 1, #list do
      local entry = list[number]
      if type(entry) == "function" then
         list[number] = function(...)
            note(kind, number)
            return entry(...)
         end
      elseif type(entry) == "table" and type(entry.contents) == "function" then
         local contents = entry.contents
         entry.contents = function(...)
            note(kind, number)
            return contents(...)
         end
      end
   end
end
noted(rooms, 0)
noted(fills, 1)
"#;

/// Makes the file's entries note their choice.
pub(super) fn watch(lua: &Lua, note: &Function) -> mlua::Result<()> {
    let globals = lua.globals();
    let table = |name: &str| globals.get::<Value>(name);
    let noted: Function = lua.load(NOTED).set_name("=themes").into_function()?;
    noted.call((note, table(TABLES[0].1)?, table(TABLES[1].1)?, table("type")?))
}

/// Returns the table of the entries of one type, if the file has it.
pub(super) fn entries(lua: &Lua, kind: Kind) -> mlua::Result<Option<Table>> {
    let name = TABLES.iter().find(|(of, _)| *of == kind).map_or("", |(_, name)| name);
    Ok(match lua.globals().get::<Value>(name)? {
        Value::Table(table) => Some(table),
        _ => None,
    })
}

/// Reads the entries of the file.
pub(super) fn list(lua: &Lua) -> mlua::Result<Themes> {
    let mut themes = Themes::default();
    for (kind, _) in TABLES {
        let Some(list) = entries(lua, kind)? else { continue };
        let into = match kind {
            Kind::Room => &mut themes.rooms,
            Kind::Fill => &mut themes.fills,
        };
        for number in 1..=list.raw_len() {
            let entry: Value = list.raw_get(number)?;
            into.push(read(&entry)?);
        }
    }
    Ok(themes)
}

fn read(entry: &Value) -> mlua::Result<Entry> {
    let line = |function: &Function| function.info().line_defined;
    Ok(match entry {
        Value::Function(function) => Entry { line: line(function), ..Entry::default() },
        Value::Table(table) => {
            let number = |key: &str| -> mlua::Result<Option<i64>> {
                Ok(match table.get::<Value>(key)? {
                    Value::Integer(number) => Some(number),
                    Value::Number(number) => Some(number as i64),
                    _ => None,
                })
            };
            let function = |key: &str| -> mlua::Result<Option<Function>> {
                Ok(match table.get::<Value>(key)? {
                    Value::Function(function) => Some(function),
                    _ => None,
                })
            };
            Entry {
                name: match table.get::<Value>("name")? {
                    Value::String(name) => Some(name.to_string_lossy()),
                    _ => None,
                },
                line: function("contents")?.and_then(|function| line(&function)),
                frequency: number("frequency")?,
                least: number("mindiff")?,
                most: number("maxdiff")?,
                conditional: function("eligible")?.is_some(),
            }
        }
        _ => Entry::default(),
    })
}
