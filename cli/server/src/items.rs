//! The list of a completion.

use std::collections::HashSet;
use std::ops::Range;

use gen_lsp_types as lsp;
use splc_ir::visit::SpeciesRole;

/// An item of a completion list.
pub(crate) struct Item {
    pub label: String,
    pub kind: lsp::CompletionItemKind,
    pub detail: Option<String>,
    pub documentation: Option<String>,
    /// A monster or object, described when the client asks.
    pub species: Option<SpeciesRole>,
    pub insert: Option<String>,
    pub snippet: Option<String>,
    /// Items of a lower rank come first.
    pub rank: u8,
}

impl Item {
    pub fn new(label: &str, kind: lsp::CompletionItemKind) -> Self {
        Item {
            label: label.to_owned(),
            kind,
            detail: None,
            documentation: None,
            species: None,
            insert: None,
            snippet: None,
            rank: 5,
        }
    }

    pub fn detail(mut self, text: &str) -> Self {
        self.detail = (!text.is_empty()).then(|| text.to_owned());
        self
    }

    pub fn documentation(mut self, text: String) -> Self {
        self.documentation = Some(text);
        self
    }

    /// Makes it a monster or object, whose name is the label.
    pub fn species(mut self, role: SpeciesRole) -> Self {
        self.species = Some(role);
        self
    }

    /// Sets the text to insert, if it is not the label.
    pub fn insert(mut self, text: &str) -> Self {
        self.insert = Some(text.to_owned());
        self
    }

    /// Sets the snippet to insert, for clients that have them.
    pub fn snippet(mut self, text: &str) -> Self {
        self.snippet = Some(text.to_owned());
        self
    }

    pub fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }
}

/// A completion list.
pub(crate) struct List {
    pub items: Vec<Item>,
    pub known: HashSet<String>,
    /// The text that an item replaces.
    pub replace: Range<usize>,
    pub snippets: bool,
}

impl List {
    /// Adds an item, unless there is one of that name.
    pub fn add(&mut self, item: Item) {
        if self.known.insert(item.label.clone()) {
            self.items.push(item);
        }
    }
}
