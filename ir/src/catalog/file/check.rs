//! Consistency checks of a catalog after all changes.

use std::collections::{HashMap, HashSet};

use super::reader::Place;
use super::{Edit, Kind, LIMITS, LUA, MAX_SPECIES, Numbers, SpeciesDraft, TABLES};

/// Letters for the types of parameters and results of core functions: integer, string, coordinate, region, map
/// character, object, monster, and variables of any type.
const TYPES: &str = "iscrmOMv";

impl Edit<'_> {
    /// Reports contradictions. A contradiction with an inherited value is reported at the place where the file changed
    /// one of its sides.
    pub(super) fn check(&mut self) {
        self.check_classes();
        self.check_species("monsters", "monster");
        self.check_species("objects", "object");
        self.check_numbered();
        self.check_terrain();
        self.check_opcodes();
        self.check_loads();
        self.check_functions();
        self.check_headers();
    }

    /// Returns the place of the first of `paths` that this file sets, or the beginning of the file.
    fn place(&self, paths: &[&str]) -> Place {
        paths.iter().find_map(|path| self.places.get(*path)).cloned().unwrap_or(0..0)
    }

    fn conflict(&mut self, paths: &[&str], message: String, help: Option<&str>) {
        let place = self.place(paths);
        self.problems.push(Kind::Conflict, place, message, help.map(str::to_owned));
    }

    fn check_classes(&mut self) {
        for key in ["monster_classes", "object_classes"] {
            let classes =
                if key == "monster_classes" { &self.draft.monster_classes } else { &self.draft.object_classes };
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

    fn check_species(&mut self, key: &str, what: &str) {
        let (table, classes) = match key {
            "monsters" => (std::mem::take(&mut self.draft.monsters), self.draft.monster_classes.clone()),
            _ => (std::mem::take(&mut self.draft.objects), self.draft.object_classes.clone()),
        };
        if table.len() > MAX_SPECIES {
            self.conflict(&[key], format!("more than {MAX_SPECIES} {key}"), None);
        }
        let mut seen: HashMap<(&str, char), usize> = HashMap::with_capacity(table.len());
        for (number, SpeciesDraft { name, class, .. }) in table.iter().enumerate() {
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
        drop(seen);
        match key {
            "monsters" => self.draft.monsters = table,
            _ => self.draft.objects = table,
        }
    }

    /// Reports duplicate names and numbers in `numbers`.
    fn twice(&mut self, prefix: &str, what: &str, numbers: &Numbers) {
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
                self.conflict(&[&path, &other_path, prefix], message, Some(help));
            }
        }
    }

    fn check_numbered(&mut self) {
        let room_types = LIMITS.iter().position(|(name, _)| *name == "room_types");
        let room_types = room_types.map_or(127, |at| self.draft.limits[at]);
        let trap_types = self.draft.loader.trap_types;
        for (key, what, most, limit) in [
            ("traps", "trap", trap_types - 1, "`trap_types` is"),
            ("rooms", "room type", room_types, "`room_types` is"),
        ] {
            let numbers = std::mem::take(if key == "traps" { &mut self.draft.traps } else { &mut self.draft.rooms });
            self.twice(key, what, &numbers);
            for (name, number) in &numbers {
                let path = format!("{key}.{name}");
                if !(0..=127).contains(number) {
                    let message = format!("{what} \"{name}\" has number {number}, which does not fit in its byte");
                    self.conflict(&[&path, key], message, Some("use a number from 0 to 127"));
                } else if *number > most {
                    let limit = format!("{limit} {}", if key == "traps" { trap_types } else { room_types });
                    let message = format!("{what} \"{name}\" has number {number}, but {limit}");
                    self.conflict(&[&path, key], message, None);
                }
            }
            *(if key == "traps" { &mut self.draft.traps } else { &mut self.draft.rooms }) = numbers;
        }
        for (at, key) in TABLES.iter().enumerate() {
            let numbers = std::mem::take(&mut self.draft.tables[at]);
            self.twice(key, "entry", &numbers);
            for (name, number) in numbers.iter().filter(|(_, number)| !(0..=255).contains(number)) {
                let message = format!("\"{name}\" has number {number}");
                self.conflict(&[&format!("{key}.{name}")], message, Some("use a number from 0 to 255"));
            }
            self.draft.tables[at] = numbers;
        }
        let flags = std::mem::take(&mut self.draft.words[0]);
        self.twice("words.flag", "flag", &flags);
        for (name, number) in flags.iter().filter(|(_, number)| *number <= 0) {
            let message = format!("flag \"{name}\" is {number}");
            self.conflict(&[&format!("words.flag.{name}")], message, Some("use one or more bits of an int"));
        }
        for at in 0..self.draft.words.len() {
            let too_large = self.draft.words[at].iter().find(|(_, number)| i32::try_from(*number).is_err()).cloned();
            if let Some((name, number)) = too_large {
                let path = format!("words.{}.{name}", super::GROUPS[at]);
                self.conflict(&[&path], format!("\"{name}\" is {number}, which does not fit in an int"), None);
            }
        }
        self.draft.words[0] = flags;
    }

    fn check_terrain(&mut self) {
        let types = std::mem::take(&mut self.draft.level_types);
        let mut seen = HashSet::new();
        if let Some(name) = types.iter().find(|name| !seen.insert(name.as_str())) {
            let path = format!("level_types.{name}");
            self.conflict(&[&path, "level_types"], format!("there are two types of squares \"{name}\""), None);
        }
        if types.len() > 126 {
            let message = format!("{} types of squares, but a byte of a map holds 126", types.len());
            self.conflict(&["level_types"], message, None);
        }
        let count = types.len();
        self.draft.level_types = types;
        let terrain = self.draft.terrain.clone();
        let mut characters = HashSet::new();
        for &(character, number) in &terrain {
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
        let stranger = self.draft.map_characters.chars().find(|character| !characters.contains(character));
        if let Some(stranger) = stranger {
            let message = format!("the map character '{}' is not terrain", stranger.escape_debug());
            self.conflict(&["map_characters", "terrain", "remove_terrain"], message, None);
        }
    }

    fn check_opcodes(&mut self) {
        let mut seen = HashSet::new();
        let twice = self.draft.opcodes.iter().find(|name| !seen.insert(name.as_str())).cloned();
        if let Some(name) = twice {
            let path = format!("opcodes.{name}");
            self.conflict(&[&path, "opcodes"], format!("there are two opcodes \"{name}\""), None);
        }
        for (word, number) in self.draft.place_statements.clone().iter().zip(1..) {
            let opcode = format!("place_{number}");
            let path = format!("place_statements.{word}");
            let is_word = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_word || !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
                self.conflict(&[&path], format!("\"{word}\" cannot begin a statement"), None);
            } else if self.draft.format != "parts" && !self.draft.opcodes.contains(&opcode) {
                let help = "call the opcode of the first statement place_1, of the second place_2, up to place_8";
                self.conflict(&[&path, "opcodes"], format!("{word} needs the opcode \"{opcode}\""), Some(help));
            }
        }
        if self.draft.format == "parts" && !self.draft.opcodes.is_empty() {
            self.conflict(&["opcodes", "format"], "level files of parts have no opcodes".to_owned(), None);
        }
    }

    fn check_loads(&mut self) {
        let loader = self.draft.loader.clone();
        for room in &loader.stocked_rooms {
            if !self.draft.rooms.iter().any(|(name, _)| name == room) {
                let path = format!("stocked_rooms.{room}");
                self.conflict(&[&path, "rooms"], format!("unknown room type \"{room}\" in `stocked_rooms`"), None);
            }
        }
        for item in &loader.escape_items {
            let class = item.rsplit_once('@').and_then(|(name, class)| Some((name, class.chars().next()?)));
            let fits = |known: &SpeciesDraft| match class {
                Some((name, class)) => known.name == name && known.class == class,
                None => known.name == *item,
            };
            if !self.draft.objects.iter().any(fits) {
                let path = format!("escape_items.{item}");
                self.conflict(&[&path, "objects"], format!("unknown object \"{item}\" in `escape_items`"), None);
            }
        }
        for (first, last) in &loader.merging_objects {
            if first > last || usize::from(*last) >= self.draft.objects.len() {
                let message = format!("there are no objects {first} to {last}");
                self.conflict(&["merging_objects", "objects"], message, None);
            }
        }
    }

    fn check_functions(&mut self) {
        let functions = std::mem::take(&mut self.draft.core_functions);
        let mut seen = HashSet::new();
        for function in &functions {
            let path = format!("core_functions.{}", function.name);
            let paths = [path.as_str(), "core_functions"];
            if !seen.insert(function.name.as_str()) {
                self.conflict(&paths, format!("there are two core functions \"{}\"", function.name), None);
            }
            let letters = function.parameters.chars().chain([function.result]);
            if let Some(letter) = letters.into_iter().find(|letter| !TYPES.contains(*letter)) {
                let message = format!("'{}' is not a type letter", letter.escape_debug());
                self.conflict(&paths, message, Some("use the letters i, s, c, r, m, O, M and v"));
            }
        }
        self.draft.core_functions = functions;
        let of = self.draft.methods.iter().map(|method| method.of.clone());
        let unknown = of.into_iter().find(|of| !self.draft.tables[0].iter().any(|(name, _)| name == of));
        if let Some(of) = unknown {
            self.conflict(&["methods"], format!("`value_types` does not have \"{of}\""), None);
        }
    }

    fn check_headers(&mut self) {
        let header = self.draft.header.clone();
        if header.is_empty() && self.draft.format != LUA {
            self.conflict(&["header"], "no header for any machine".to_owned(), None);
        }
        for (abi, longs) in header.iter().filter(|(_, longs)| longs.is_empty()) {
            let path = format!("header.{abi}");
            self.conflict(&[&path], format!("the header for \"{abi}\" has {} numbers", longs.len()), None);
        }
    }
}
