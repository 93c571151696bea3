//! Consistency checks of a catalog after all changes.

use std::collections::{HashMap, HashSet};

use super::super::Group;
use super::super::fields::{Catalog, Format, Name, Species};
use super::reader::Place;
use super::{Edit, Kind, MAX_SPECIES, name_and_class};

/// Letters for the types of parameters and results of core functions: integer, string, coordinate, region, map
/// character, object, monster, and variables of any type.
const TYPES: &str = "iscrmOMv";

impl Edit<'_> {
    /// Reports contradictions. A contradiction with an inherited value is reported at the place where the file changed
    /// one of its sides.
    pub(super) fn check(&mut self, draft: &Catalog) {
        self.check_classes(draft);
        self.check_species("monsters", "monster", &draft.monsters, &draft.monster_classes);
        self.check_species("objects", "object", &draft.objects, &draft.object_classes);
        self.check_numbered(draft);
        self.check_terrain(draft);
        self.check_opcodes(draft);
        self.check_loads(draft);
        self.check_functions(draft);
        self.check_headers(draft);
    }

    /// Returns the place of the first of `paths` that this file sets, or the beginning of the file.
    fn place(&self, paths: &[&str]) -> Place {
        paths.iter().find_map(|path| self.places.get(*path)).cloned().unwrap_or(0..0)
    }

    fn conflict(&mut self, paths: &[&str], message: String, help: Option<&str>) {
        let place = self.place(paths);
        self.problems.push(Kind::Conflict, place, message, help.map(str::to_owned));
    }

    fn check_classes(&mut self, draft: &Catalog) {
        for (key, classes) in [("monster_classes", &draft.monster_classes), ("object_classes", &draft.object_classes)] {
            let mut seen = HashSet::new();
            // Classes without a symbol are \0 and may repeat.
            let wrong = classes.chars().find(|&class| !class.is_ascii() || class != '\0' && !seen.insert(class));
            let many = classes.chars().count() > 127;
            if let Some(class) = wrong {
                let class = class.escape_debug();
                self.conflict(&[key], format!("`{key}` has '{class}' twice, or it is not ASCII"), None);
            } else if many {
                self.conflict(&[key], format!("`{key}` has more than 127 classes"), None);
            }
        }
    }

    fn check_species(&mut self, key: &str, what: &str, table: &[Species], classes: &str) {
        if table.len() > MAX_SPECIES {
            self.conflict(&[key], format!("more than {MAX_SPECIES} {key}"), None);
        }
        let mut seen: HashMap<(&str, char), usize> = HashMap::with_capacity(table.len());
        for (number, Species { name, class, .. }) in table.iter().enumerate() {
            let paths =
                [format!("{key}.{name}"), format!("{key}[{number}]"), format!("{}_classes", key.trim_end_matches('s'))];
            let paths = paths.each_ref().map(String::as_str);
            if !classes.contains(*class) || *class == '\0' {
                let message = format!("no class of {key} has the symbol '{}'", class.escape_debug());
                let help = format!("the classes are {}", classes.escape_debug());
                self.conflict(&paths, message, Some(&help));
            }
            if let Some(first) = seen.insert((name, *class), number).filter(|_| !name.is_empty()) {
                let class = class.escape_debug();
                let message = format!(
                    "{what}s {first} and {number} are both \"{name}\" of class '{class}': the second can never be \
                     found"
                );
                self.conflict(&paths, message, None);
            }
        }
    }

    /// Reports duplicate names and numbers in `numbers`.
    fn twice(&mut self, prefix: &str, what: &str, numbers: &[(Name, i64)]) {
        let (mut names, mut seen) = (HashSet::new(), HashMap::new());
        for (name, number) in numbers {
            let path = format!("{prefix}.{name}");
            if !names.insert(name) {
                self.conflict(&[&path, prefix], format!("there are two {what}s \"{name}\""), None);
            } else if let Some(other) = seen.insert(*number, name).filter(|_| !self.places.contains_key(prefix)) {
                // A file that lists a table in full may have two names for one number, as some games' own tables do.
                let other_path = format!("{prefix}.{other}");
                let message = format!("\"{other}\" and \"{name}\" are both {what} number {number}");
                let help = "write `shift = true` to renumber the entries from that number on";
                let help = Some(help).filter(|_| !prefix.starts_with("words"));
                self.conflict(&[&path, &other_path, prefix], message, help);
            }
        }
    }

    fn check_numbered(&mut self, draft: &Catalog) {
        let room_types = i64::from(draft.limits.room_types);
        let trap_types = i64::from(draft.loader.trap_types);
        for (key, what, numbers, most, limit) in [
            ("traps", "trap", &draft.traps, trap_types - 1, format!("`trap_types` is {trap_types}")),
            ("rooms", "room type", &draft.rooms, room_types, format!("`room_types` is {room_types}")),
        ] {
            self.twice(key, what, numbers);
            for (name, number) in numbers.iter() {
                let path = format!("{key}.{name}");
                if !(0..=127).contains(number) {
                    let message = format!("{what} \"{name}\" has number {number}, which does not fit in its byte");
                    self.conflict(&[&path, key], message, Some("use a number from 0 to 127"));
                } else if *number > most {
                    let message = format!("{what} \"{name}\" has number {number}, but {limit}");
                    self.conflict(&[&path, key], message, None);
                }
            }
        }
        for (key, numbers) in [
            ("value_types", &draft.value_types),
            ("monster_parts", &draft.monster_parts),
            ("object_parts", &draft.object_parts),
            ("level_regions", &draft.level_regions),
            ("init_styles", &draft.init_styles),
            ("drawbridge_directions", &draft.drawbridge_directions),
        ] {
            self.twice(key, "entry", numbers);
            for (name, number) in numbers.iter().filter(|(_, number)| !(0..=255).contains(number)) {
                let message = format!("\"{name}\" has number {number}");
                self.conflict(&[&format!("{key}.{name}")], message, Some("use a number from 0 to 255"));
            }
        }
        let flags = &draft.words[Group::Flag as usize];
        self.twice("words.flag", "flag", flags);
        for (name, number) in flags.iter().filter(|(_, number)| *number <= 0) {
            let message = format!("flag \"{name}\" is {number}");
            self.conflict(&[&format!("words.flag.{name}")], message, Some("use one or more bits of an int"));
        }
        for (group, words) in Group::ALL.iter().zip(&draft.words).skip(1) {
            if let Some((name, number)) = words.iter().find(|(_, number)| i32::try_from(*number).is_err()) {
                let path = format!("words.{}.{name}", group.as_str());
                self.conflict(&[&path], format!("\"{name}\" is {number}, which does not fit in an int"), None);
            }
        }
    }

    fn check_terrain(&mut self, draft: &Catalog) {
        let types = &draft.level_types;
        let mut seen = HashSet::new();
        if let Some(name) = types.iter().find(|name| !seen.insert(*name)) {
            let path = format!("level_types.{name}");
            self.conflict(&[&path, "level_types"], format!("there are two types of squares \"{name}\""), None);
        }
        if types.len() > 126 {
            let message = format!("{} types of squares, but a byte of a map holds 126", types.len());
            self.conflict(&["level_types"], message, None);
        }
        let count = types.len();
        let mut characters = HashSet::new();
        for &(character, number) in draft.terrain.iter() {
            let path = format!("terrain.{character}");
            let paths = [path.as_str(), "terrain", "map_characters", "level_types"];
            let shown = character.escape_debug();
            if character.is_ascii_digit() || character.is_ascii_control() {
                let help = "use another character: digits of a map are line numbers";
                self.conflict(&paths, format!("'{shown}' cannot be a map character"), Some(help));
            } else if !characters.insert(character) {
                self.conflict(&paths, format!("the map character '{shown}' has two types of squares"), None);
            } else if number > count {
                self.conflict(&paths, format!("the map character '{shown}' has type {number} of {count}"), None);
            }
            // Terrain outside `map_characters` is allowed: some lexers lack map characters that their compilers
            // support.
        }
        let stranger = draft.map_characters.chars().find(|character| !characters.contains(character));
        if let Some(stranger) = stranger {
            let message = format!("the map character '{}' is not terrain", stranger.escape_debug());
            self.conflict(&["map_characters", "terrain", "remove_terrain"], message, None);
        }
    }

    fn check_opcodes(&mut self, draft: &Catalog) {
        let names: Vec<&str> = draft.opcodes.iter().map(|opcode| opcode.as_str()).collect();
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(**name)) {
            let path = format!("opcodes.{name}");
            self.conflict(&[&path, "opcodes"], format!("there are two opcodes \"{name}\""), None);
        }
        for (word, number) in draft.place_statements.iter().zip(1..) {
            let opcode = format!("place_{number}");
            let path = format!("place_statements.{word}");
            let is_word = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_word || !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
                self.conflict(&[&path], format!("\"{word}\" cannot begin a statement"), None);
            } else if draft.format != Format::Parts && !names.contains(&opcode.as_str()) {
                let help = "call the opcode of the first statement place_1, of the second place_2, up to place_8";
                self.conflict(&[&path, "opcodes"], format!("{word} needs the opcode \"{opcode}\""), Some(help));
            }
        }
        if draft.format == Format::Parts && !draft.opcodes.is_empty() {
            self.conflict(&["opcodes", "format"], "level files of parts have no opcodes".to_owned(), None);
        }
    }

    /// Checks a line of `empty_lists`.
    pub fn empty_list(&mut self, line: &str, place: Place) -> bool {
        let words: Vec<&str> = line.split(' ').collect();
        let is_fine = matches!(words.as_slice(), ["room" | "part", _, "after", _, ..]);
        if !is_fine {
            let message = format!("invalid list \"{line}\"");
            let help = "write `room NAME after LIST` or `part NAME after LIST`".to_owned();
            self.problems.push(Kind::Entry, place, message, Some(help));
        }
        is_fine
    }

    fn check_loads(&mut self, draft: &Catalog) {
        let loader = &draft.loader;
        for room in loader.stocked_rooms.iter() {
            if !draft.rooms.iter().any(|(name, _)| name == room) {
                let path = format!("stocked_rooms.{room}");
                self.conflict(&[&path, "rooms"], format!("unknown room type \"{room}\" in `stocked_rooms`"), None);
            }
        }
        for item in loader.escape_items.iter() {
            let class = name_and_class(item);
            let fits = |known: &Species| match class {
                Some((name, class)) => known.name == name && known.class == class,
                None => known.name == *item,
            };
            if !draft.objects.iter().any(fits) {
                let path = format!("escape_items.{item}");
                self.conflict(&[&path, "objects"], format!("unknown object \"{item}\" in `escape_items`"), None);
            }
        }
        for (first, last) in loader.merging_objects.iter() {
            if first > last || usize::from(*last) >= draft.objects.len() {
                let message = format!("there are no objects {first} to {last}");
                self.conflict(&["merging_objects", "objects"], message, None);
            }
        }
    }

    fn check_functions(&mut self, draft: &Catalog) {
        let mut seen = HashSet::new();
        for function in draft.core_functions.iter() {
            let path = format!("core_functions.{}", function.name);
            let paths = [path.as_str(), "core_functions"];
            if !seen.insert(function.name.as_ref()) {
                self.conflict(&paths, format!("there are two core functions \"{}\"", function.name), None);
            }
            let letters = function.parameters.chars().chain([function.result]);
            if let Some(letter) = letters.into_iter().find(|letter| !TYPES.contains(*letter)) {
                let message = format!("'{}' is not a type letter", letter.escape_debug());
                self.conflict(&paths, message, Some("use the letters i, s, c, r, m, O, M and v"));
            }
        }
        let mut of = draft.methods.iter().map(|method| &method.of);
        if let Some(of) = of.find(|of| !draft.value_types.iter().any(|(name, _)| name == *of)) {
            self.conflict(&["methods"], format!("`value_types` does not have \"{of}\""), None);
        }
    }

    fn check_headers(&mut self, draft: &Catalog) {
        let header = &draft.headers;
        if header.is_empty() && draft.format != Format::Lua {
            self.conflict(&["header"], "no header for any machine".to_owned(), None);
        }
        for (abi, longs) in header.iter().filter(|(_, longs)| longs.is_empty()) {
            let path = format!("header.{abi}");
            self.conflict(&[&path], format!("the header for \"{abi}\" has {} numbers", longs.len()), None);
        }
    }
}
