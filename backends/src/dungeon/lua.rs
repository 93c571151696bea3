//! A description of a dungeon as `dungeon.lua` for NetHack 5.

use std::fmt::Write as _;

use splc_ir::dungeon::{Bones, Branch, Connection, Description, Direction, Dungeon, Level, Range, Trait};
use splc_lua::quoted;

/// Returns `description` as a `dungeon.lua`. Reading it results in the same description, with the levels of a dungeon
/// before its branches.
pub fn print(description: &Description) -> String {
    let mut out = "-- The dungeon\ndungeon = {\n".to_owned();
    for dungeon in &description.dungeons {
        print_dungeon(dungeon, &mut out);
    }
    out.push_str("}\n");
    out
}

/// The keys of a table, one per line.
struct Keys<'a> {
    out: &'a mut String,
    indent: usize,
}

impl Keys<'_> {
    fn line(&mut self, key: &str, value: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "{:indent$}{key} = {value},", "", indent = self.indent);
    }

    fn text(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.line(key, format_args!("{}", quoted(value)));
        }
    }

    /// Writes a name. The game needs it even if it is empty.
    fn name(&mut self, name: &str) {
        self.line("name", format_args!("{}", quoted(name)));
    }

    fn bones(&mut self, bones: Bones) {
        if let Some(bones) = bones {
            self.text("bonetag", bones.encode_utf8(&mut [0; 4]));
        }
    }

    fn range(&mut self, range: Range) {
        self.line("base", format_args!("{}", range.base));
        if range.random != 0 {
            self.line("range", format_args!("{}", range.random));
        }
    }

    fn traits(&mut self, traits: &[Trait], more: Option<&str>) {
        let alignment = traits.iter().rev().find(|one| one.is_alignment());
        if let Some(alignment) = alignment {
            self.text("alignment", alignment.word());
        }
        let flags = traits.iter().filter(|one| !one.is_alignment()).map(|one| one.word()).chain(more);
        let flags: Vec<String> = flags.map(quoted).collect();
        match flags.as_slice() {
            [] => {}
            [only] => self.line("flags", format_args!("{only}")),
            several => self.line("flags", format_args!("{{ {} }}", several.join(", "))),
        }
    }
}

fn print_dungeon(dungeon: &Dungeon, out: &mut String) {
    out.push_str("   {\n");
    let mut keys = Keys { out, indent: 6 };
    keys.name(&dungeon.name.node);
    keys.bones(dungeon.bones.node);
    keys.range(dungeon.size);
    // The game draws for 100 too, but the draw always succeeds.
    if dungeon.chance != 0 && dungeon.chance < 100 {
        keys.line("chance", format_args!("{}", dungeon.chance));
    }
    if dungeon.entry != 0 {
        keys.line("entry", format_args!("{}", dungeon.entry));
    }
    keys.text("protofile", &dungeon.prototype.node);
    keys.traits(&dungeon.traits, dungeon.lua.unconnected.then_some("unconnected"));
    keys.text("lvlfill", &dungeon.lua.filling);
    keys.text("themerooms", &dungeon.lua.theme_rooms);
    let branches: Vec<&Branch> = dungeon.branches().collect();
    if !branches.is_empty() {
        out.push_str("      branches = {\n");
        branches.into_iter().for_each(|branch| print_branch(branch, out));
        out.push_str("      },\n");
    }
    let levels: Vec<&Level> = dungeon.levels().collect();
    if !levels.is_empty() {
        out.push_str("      levels = {\n");
        levels.into_iter().for_each(|level| print_level(level, out));
        out.push_str("      },\n");
    }
    out.push_str("   },\n");
}

fn print_branch(branch: &Branch, out: &mut String) {
    out.push_str("         {\n");
    let mut keys = Keys { out, indent: 12 };
    keys.name(&branch.target.node);
    if let Some(chain) = &branch.chain {
        keys.text("chainlevel", &chain.node);
    }
    keys.range(branch.place);
    if branch.connection != Connection::Stair {
        keys.text("branchtype", branch.connection.word());
    }
    if branch.direction != Direction::Down {
        keys.text("direction", branch.direction.word());
    }
    out.push_str("         },\n");
}

fn print_level(level: &Level, out: &mut String) {
    out.push_str("         {\n");
    let mut keys = Keys { out, indent: 12 };
    keys.name(&level.name.node);
    keys.bones(level.bones.node);
    if let Some(chain) = &level.chain {
        keys.text("chainlevel", &chain.node);
    }
    keys.range(level.place);
    if level.chance != 100 {
        keys.line("chance", format_args!("{}", level.chance));
    }
    if level.variants != 0 {
        keys.line("nlevels", format_args!("{}", level.variants));
    }
    keys.traits(&level.traits, None);
    out.push_str("         },\n");
}

/// Returns messages about the parts of `description` that a `dungeon.def`, and the file compiled from it, cannot
/// express.
pub fn lost_without(description: &Description) -> Vec<String> {
    let mut lost = Vec::new();
    let mut lose = |what: String| lost.push(format!("only a dungeon.lua can express this, it is lost: {what}"));
    for dungeon in &description.dungeons {
        let name = &dungeon.name.node;
        if !dungeon.lua.filling.is_empty() {
            lose(format!("\"{name}\" is filled with the level {}", dungeon.lua.filling.as_str()));
        }
        if !dungeon.lua.theme_rooms.is_empty() {
            lose(format!("\"{name}\" has the themed rooms of {}", dungeon.lua.theme_rooms.as_str()));
        }
        if dungeon.lua.unconnected {
            lose(format!("no branch leads to \"{name}\""));
        }
    }
    lost
}

/// Returns messages about the parts of `description` that a `dungeon.lua` cannot express.
pub fn lost_in(description: &Description) -> Vec<String> {
    let mut lost = Vec::new();
    for dungeon in &description.dungeons {
        let levels = dungeon.levels().map(|level| (&level.name.node, &level.traits));
        for (name, traits) in levels.chain([(&dungeon.name.node, &dungeon.traits)]) {
            for one in traits.iter().filter(|one| matches!(one, Trait::Own(_))) {
                lost.push(format!("NetHack 5 has no descriptor {}: \"{name}\" loses it", one.word()));
            }
        }
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use splc_ir::dungeon::Item;
    use splc_ir::source::{Span, Spanned, Text};

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a\"b\\\n\u{1}"), "\"a\\\"b\\\\\\n\\001\"");
    }

    #[test]
    fn what_only_lua_says_is_named() {
        let text = |text: &str| Spanned::new(Text::from(text), Span::NOWHERE);
        let range = Range { span: Span::NOWHERE, base: 1, random: 0 };
        let mut dungeon = Dungeon {
            span: Span::NOWHERE,
            name: text("A"),
            bones: Spanned::new(None, Span::NOWHERE),
            size: range,
            chance: 0,
            entry: 0,
            prototype: text(""),
            overwritten: Vec::new(),
            traits: Vec::new(),
            lua: Default::default(),
            items: vec![Item::Branch(Branch {
                span: Span::NOWHERE,
                target: text("B"),
                chain: None,
                place: range,
                connection: Connection::Portal,
                direction: Direction::Up,
                entry: 0,
            })],
        };
        assert!(lost_without(&Description { charset: Default::default(), dungeons: vec![dungeon.clone()] }).is_empty());
        dungeon.chance = i32::MAX;
        dungeon.name = text("");
        let printed = print(&Description { charset: Default::default(), dungeons: vec![dungeon.clone()] });
        assert!(printed.contains("name = \"\",") && !printed.contains("chance"), "{printed}");
        dungeon.name = text("A");
        dungeon.lua.filling = Text::from("hellfill");
        let description = Description { charset: Default::default(), dungeons: vec![dungeon] };
        assert_eq!(
            lost_without(&description),
            ["only a dungeon.lua can express this, it is lost: \"A\" is filled with the level hellfill"]
        );
        assert!(print(&description).contains("direction = \"up\","));
    }
}
