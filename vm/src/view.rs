//! The state of a run between two steps, for debuggers.

use splc_ir::catalog::{Catalog, Species};
use splc_ir::source::Span;
use splc_ir::value::ValueType;

use crate::level::{Level, Place};
use crate::prepared::{Prepared, StepKind, decode};
use crate::selection::Selection;
use crate::value::{Content, Memory, Value};

/// The machine before it runs a step.
pub struct View<'a> {
    pub(crate) prepared: &'a Prepared,
    pub(crate) memory: &'a Memory,
    pub(crate) level: &'a Level,
    pub(crate) at: usize,
    pub(crate) origin: Place,
    pub(crate) corner: Place,
    pub(crate) blocks: usize,
}

/// A value in readable form.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// No value.
    Null,
    /// A number with its type, as the game packs it.
    Number(ValueType, i64),
    /// A text.
    Text(String),
    /// The name of a variable.
    Variable(String),
    /// A set of squares.
    Selection(Box<Selection>),
}

impl<'a> View<'a> {
    /// Number of the step.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Square of the level at (0,0) for the statements: the corner of the last map, or of the current room.
    pub fn origin(&self) -> Place {
        self.origin
    }

    /// Square of the level at (0,0) for statements outside all rooms: the corner of the last map.
    pub fn corner(&self) -> Place {
        self.corner
    }

    /// Nesting depth of rooms at the current statement of a script. Regions that are rooms count.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Action of the step.
    pub fn step(&self) -> Option<StepKind> {
        self.prepared.step(self.at)
    }

    /// Statement, or value in one, that the step comes from.
    pub fn span(&self) -> Option<Span> {
        self.prepared.span(self.at)
    }

    /// Number of running functions; 0 in the level itself.
    pub fn depth(&self) -> usize {
        self.memory.callers.len()
    }

    /// The level so far.
    pub fn level(&self) -> &'a Level {
        self.level
    }

    /// Stack of the running function, lowest value first.
    pub fn stack(&self) -> Vec<Shown> {
        let values = self.memory.stack.get(self.memory.frame.stack..).unwrap_or_default();
        values.iter().map(|&value| self.show(value)).collect()
    }

    /// Variables of the running function: name and value, or the values of an array.
    pub fn variables(&self) -> Vec<(String, Vec<Shown>)> {
        let variables = self.memory.variables.get(self.memory.frame.variables..).unwrap_or_default();
        let show = |variable: &crate::value::Variable| {
            let name = self.memory.text(&self.prepared.bytes, variable.name);
            let values = match variable.content {
                Content::Single(value) => vec![self.show(value)],
                Content::Array { start, length } => {
                    let range = start as usize..(start + length) as usize;
                    self.memory.arrays[range].iter().map(|&value| self.show(value)).collect()
                }
            };
            (decode(name, self.prepared.charset).into_owned(), values)
        };
        variables.iter().map(show).collect()
    }

    fn show(&self, value: Value) -> Shown {
        let text = |text| decode(self.memory.text(&self.prepared.bytes, text), self.prepared.charset).into_owned();
        match value {
            Value::Null => Shown::Null,
            Value::Number(tag, number) => Shown::Number(tag, number),
            Value::Text(name) => Shown::Text(text(name)),
            Value::Variable(name) => Shown::Variable(text(name)),
            Value::Selection(at) => Shown::Selection(Box::new(self.memory.selection(at))),
        }
    }
}

impl Shown {
    /// Writes the value as in a des-file of `catalog`'s game.
    pub fn describe(&self, catalog: &Catalog) -> String {
        match self {
            Shown::Null => "nothing".to_owned(),
            Shown::Number(tag, number) => describe_number(*tag, *number, catalog),
            Shown::Text(text) => format!("{text:?}"),
            Shown::Variable(name) => format!("${name}"),
            Shown::Selection(selection) => match selection.iter().collect::<Vec<_>>().as_slice() {
                [] => "selection of nothing".to_owned(),
                [(x, y)] => format!("selection of ({x},{y})"),
                [(x, y), rest @ ..] => format!("selection of ({x},{y}) and {} more", rest.len()),
            },
        }
    }
}

fn describe_number(tag: ValueType, number: i64, catalog: &Catalog) -> String {
    let byte = |shift: u32| (number >> shift) as i8;
    let class = || match number as u8 {
        0 | 0xff => None,
        class => Some(char::from(class)),
    };
    let species = || usize::try_from((number >> 8) - catalog.packing.species_bias).ok();
    let creature = |kinds: &[Species], what: &str| {
        let kind = species().and_then(|species| kinds.get(species));
        match (class(), kind) {
            (Some(class), Some(kind)) => format!("('{class}',\"{}\")", kind.name),
            (None, Some(kind)) => format!("\"{}\"", kind.name),
            (Some(class), None) => format!("'{class}'"),
            (None, None) => format!("random {what}"),
        }
    };
    match tag {
        ValueType::Integer => number.to_string(),
        // The other bits restrict the place.
        ValueType::Coordinate if number & catalog.packing.random_place == catalog.packing.random_place => {
            "random place".to_owned()
        }
        ValueType::Coordinate => format!("({},{})", byte(0), byte(16)),
        ValueType::Region => format!("({},{},{},{})", byte(0), byte(8), byte(16), byte(24)),
        ValueType::MapCharacter => match catalog.map_character((number & 0xff) as i32) {
            Some(symbol) => format!("'{symbol}'"),
            None => format!("terrain {}", number & 0xff),
        },
        ValueType::Monster => creature(&catalog.monsters, "monster"),
        ValueType::Object => creature(&catalog.objects, "object"),
        _ => format!("{} {number}", tag.as_str()),
    }
}
