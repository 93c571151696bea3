//! The values that an incomplete statement lacks.

use splc_ir::catalog::Format;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Span;
use splc_ir::wording::{Conjunction, listed};

use super::shapes::{self, Shapes};
use super::usage::usage;

/// Most values that are added to a statement.
const MAX_MISSING: usize = 4;

/// A value of a statement, as its syntax names it, with the noun for messages and the values to try.
type Kind = (&'static str, &'static str, &'static [&'static str]);

/// The values of all statements.
const VALUES: &[Kind] = &[
    ("place", "place", &["random", "(1,1)"]),
    ("\"room type\"", "room type", &["\"ordinary\""]),
    ("lit|unlit|random", "light", &["lit"]),
    ("\"type\"", "room type", &["\"ordinary\""]),
    ("\"name\"|random", "name", &["random"]),
    ("'class'", "class", &["random"]),
    ("position|random", "position", &["random"]),
    ("alignment|random", "alignment", &["random"]),
    ("size|random", "size", &["random"]),
    ("amount", "amount", &["random", "10"]),
    ("alignment", "alignment", &["random"]),
    ("altar|shrine|sanctum|random", "kind", &["altar"]),
    ("direction", "direction", &["random", "north", "east"]),
    ("up|down", "direction", &["down"]),
    ("open|closed|random", "state", &["closed"]),
    ("open|closed", "state", &["closed"]),
    ("state", "state", &["closed"]),
    ("wall", "wall", &["random"]),
    ("position", "position in the wall", &["random"]),
    ("secret", "word for whether it is secret", &["false"]),
    ("dust|engrave|burn|mark|blood|random", "kind", &["dust"]),
    ("dust|engrave|burn|mark|random", "kind", &["dust"]),
    ("\"text\"|random", "text", &["random"]),
    ("\"text\"", "text", &["\"text\""]),
    ("\"level\"", "name of the level it leads to", &["\"level\""]),
    ("filling|random", "filling", &["' '"]),
    ("'filling'|random", "filling", &["' '"]),
    ("terrain", "terrain", &["'.'"]),
    ("terrain to walk over", "terrain to walk over", &["'.'"]),
    ("from", "terrain to replace", &["'.'"]),
    ("to", "new terrain", &["'.'"]),
    ("percent%", "percentage", &["100%"]),
    ("top|center|bottom", "vertical position", &["center"]),
    ("smoothed", "value for smoothing", &["true"]),
    ("joined", "value for joining", &["true"]),
    ("walled", "value for walls", &["true"]),
    ("(room,wall,door)", "second door", &["(1,random,0)"]),
    ("(room, wall, door)", "second door", &["(1, random, 0)"]),
    ("enchantment", "enchantment", &["0"]),
    ("object", "object", &["random"]),
    ("monster", "monster", &["random"]),
];

/// A region in the second place is the part that does not count.
const EXCLUDED: Kind = ("(x1,y1,x2,y2)", "region to exclude", &["(0,0,0,0)"]);

/// Returns the syntax of the values of a statement of which some are written.
fn syntax<'u>(word: &str, written: &[&str], usage: &'u str, format: Format) -> &'u str {
    match (format, word) {
        (Format::Parts, "DOOR") if matches!(written.first(), Some(&("true" | "false"))) => "secret,state,wall,position",
        (Format::Parts, "DOOR") => "state,place",
        (Format::Parts, "OBJECT") if written.len() > 3 => "'class',\"name\"|random,place,curse,enchantment",
        (Format::Opcodes, "ROOMDOOR") => "secret, state, wall, position",
        (_, "STAIR") if written.len() > 1 => "(x1,y1,x2,y2),(x1,y1,x2,y2),up|down",
        (_, "MAZE") => usage.split_once(':').map_or("", |(_, values)| values.trim()),
        _ => {
            let values = usage.split_once(':').map_or("", |(_, values)| values.trim());
            let end = [" {", ", then ", ", or ", "; "].iter().filter_map(|end| values.find(end)).min();
            &values[..end.unwrap_or(values.len())]
        }
    }
}

impl Shapes<'_> {
    /// Reports the values that are missing at the end of a statement, and shows it with them.
    pub(super) fn incomplete(&self) -> Option<Diagnostic> {
        let Shapes { text, word, .. } = *self;
        if self.found.start < self.statement.end || word.is_empty() {
            return None;
        }
        let statement = text.get(self.statement.clone())?;
        let rest = statement.strip_prefix(word)?;
        let (colon, values) = match rest.trim_start().strip_prefix(':') {
            Some(values) => ("", values),
            None if rest.trim().is_empty() => (":", ""),
            // `CONTAINER[50%]:`
            None => return None,
        };
        if values.contains('#') {
            return None;
        }
        if word == "FLAGS" && values.trim().is_empty() {
            let span = Span::new(self.file, self.statement.start, self.statement.end);
            return Some(
                Diagnostic::new(Code::Syntax, span, "this FLAGS has no flag")
                    .with_help("write a flag, as in FLAGS:noteleport, or remove the line"),
            );
        }
        let start = self.statement.end - values.len();
        let trimmed = values.trim_end();
        let trimmed = trimmed.strip_suffix(',').unwrap_or(trimmed).trim_end();
        let written: Vec<&str> = match trimmed.trim().is_empty() {
            true => Vec::new(),
            false => shapes::values(trimmed).into_iter().map(|range| trimmed[range].trim()).collect(),
        };
        let format = self.catalog.format;
        let syntax = syntax(word, &written, usage(word, self.catalog)?, format);
        let wanted: Vec<&str> = shapes::values(syntax).into_iter().map(|range| syntax[range].trim()).collect();
        let wanted: Vec<&str> = wanted.into_iter().filter(|value| !value.ends_with("...")).collect();
        let missing = wanted.get(written.len()..).filter(|missing| !missing.is_empty())?;
        if missing.len() > MAX_MISSING || (written.is_empty() && missing.len() > 1) {
            return None;
        }
        let kind = |(at, value): (usize, &&str)| match (*value, written.len() + at) {
            ("(x1,y1,x2,y2)", 1) => Some(EXCLUDED),
            (value, _) => VALUES.iter().copied().find(|(known, ..)| *known == value),
        };
        let kinds: Vec<Kind> = missing.iter().enumerate().map(kind).collect::<Option<_>>()?;
        let end = start + trimmed.len();
        let is_spaced = trimmed.contains(", ") || (written.len() < 2 && trimmed.starts_with(' '));
        let comma = if is_spaced { ", " } else { "," };
        let before = if written.is_empty() { colon } else { comma };
        let most = kinds.iter().map(|(_, _, values)| values.len()).max().unwrap_or(0);
        let (added, whole) = (0..most).find_map(|choice| {
            let values: Vec<&str> = kinds
                .iter()
                .map(|(_, _, values)| values.get(choice).or(values.first()).copied().unwrap_or("random"))
                .collect();
            let added = format!("{before}{}", values.join(comma));
            let edits = [(end..self.statement.end, added.clone())];
            self.works(&edits).then(|| Some((added, self.edited(&edits)?))).flatten()
        })?;
        let nouns: Vec<&str> = kinds.iter().map(|(_, noun, _)| *noun).collect();
        let nouns = listed(nouns, Conjunction::Or);
        let span = Span::new(self.file, self.statement.start, end.max(self.statement.start + word.len()));
        let edit = Span::new(self.file, end, self.statement.end);
        Some(
            Diagnostic::new(Code::Syntax, span, format!("this {word} has no {nouns}"))
                .with_help(format!("write {whole}"))
                .with_suggestion(edit, added, false),
        )
    }
}
