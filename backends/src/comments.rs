//! Comments of a source in another file: their text, and the statement with which each is written.
//!
//! A comment belongs to what follows it in the source: a statement, a level, the end of a block. It goes where that
//! goes, because a port may change the order of statements. If statements under one heading change their order only
//! among themselves, the heading stays above them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use splc_ir::level::{Case, Function, Item, Level, MapRows, Module, Statement, StatementKind, Trivia, TriviaKind};
use splc_ir::order::Order;
use splc_ir::source::{FileId, Span};
use splc_ir::visit::{Visit, walk};

/// The comments and blank lines of a module that have not been written yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comments {
    files: HashMap<FileId, OfFile>,
    /// The first file with comments.
    main: Option<FileId>,
}

/// The comments of a file.
#[derive(Clone, Debug, Default)]
struct OfFile {
    /// The starts of statements, and the ends of blocks, in order.
    nodes: Vec<u32>,
    /// The comments before each node, and those at the end of the file.
    groups: Vec<VecDeque<Trivia>>,
    /// The comments on the line of a statement without a block.
    trailing: BTreeMap<u32, Vec<Trivia>>,
}

/// Copied comments of a file.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    file: FileId,
    groups: Vec<(usize, VecDeque<Trivia>)>,
    trailing: Vec<(u32, Vec<Trivia>)>,
}

/// The ends of blocks as places for comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockEnds {
    /// The language has blocks.
    Written,
    /// The language has none: a comment there belongs to the next statement.
    Missing,
}

impl Comments {
    /// Finds the node of each comment among the [trivia](Module::trivia) of a module.
    pub(crate) fn of(module: &Module, ends: BlockEnds) -> Comments {
        let mut comments = Comments { files: HashMap::new(), main: module.trivia.first().map(|first| first.span.file) };
        if comments.main.is_none() {
            return comments;
        }
        let mut nodes = Nodes { ends, of_file: HashMap::new(), plain: HashSet::new(), bodies: Vec::new() };
        nodes.module(module);
        for trivia in &module.trivia {
            comments.files.entry(trivia.span.file).or_insert_with(|| {
                let mut starts = nodes.of_file.remove(&trivia.span.file).unwrap_or_default();
                starts.order();
                starts.dedup();
                OfFile { groups: vec![VecDeque::new(); starts.len() + 1], nodes: starts, trailing: BTreeMap::new() }
            });
        }
        for trivia in &module.trivia {
            if let Some(file) = comments.files.get_mut(&trivia.span.file) {
                let at = file.at(trivia.span.end);
                let before = at.checked_sub(1).map(|before| file.nodes[before]);
                match before.filter(|&before| nodes.plain.contains(&(trivia.span.file, before))) {
                    Some(node) if trivia.kind == TriviaKind::TrailingComment && file.groups[at].is_empty() => {
                        file.trailing.entry(node).or_default().push(trivia.clone());
                    }
                    _ => file.groups[at].push_back(trivia.clone()),
                }
            }
        }
        let mut headings = HashMap::new();
        for body in nodes.bodies {
            comments.keep_headings(&body, &mut headings);
        }
        comments
    }

    /// Moves the comments before a paragraph to the first of its statements, in the order in which they are written.
    /// `headings` has the groups of comments that begin a paragraph.
    fn keep_headings(&mut self, body: &[Span], headings: &mut HashMap<FileId, BTreeSet<usize>>) {
        // A comment that a port added has no text in the source, and begins no paragraph.
        let is_heading = |group: &VecDeque<Trivia>| group.iter().any(|trivia| trivia.span.start < trivia.span.end);
        let mut placed = Vec::with_capacity(body.len());
        for span in body {
            let Some(file) = self.files.get(&span.file) else { continue };
            let of_file = headings.entry(span.file).or_insert_with(|| {
                file.groups.iter().enumerate().filter(|(_, group)| is_heading(group)).map(|(at, _)| at).collect()
            });
            let at = file.at(span.start);
            // The paragraph of a statement is the last group of comments before it.
            placed.push((span.file, of_file.range(..=at).next_back().map_or(0, |heading| heading + 1), at));
        }
        let mut first: Option<(FileId, usize, usize)> = None;
        for (id, paragraph, at) in placed {
            match first {
                Some((known, same, begin)) if known == id && same == paragraph => {
                    if paragraph == at + 1
                        && begin != at
                        && let (Some(file), Some(of_file)) = (self.files.get_mut(&id), headings.get_mut(&id))
                    {
                        let mut heading = std::mem::take(&mut file.groups[at]);
                        heading.append(&mut file.groups[begin]);
                        file.groups[begin] = heading;
                        of_file.remove(&at);
                        of_file.insert(begin);
                    }
                }
                _ => first = Some((id, paragraph, at)),
            }
        }
    }

    /// Takes the comments of the node that begins at `span`, with those on its line.
    pub(crate) fn before(&mut self, span: Span) -> Vec<Trivia> {
        if span.is_nowhere() {
            return Vec::new();
        }
        let mut comments = self.until(span.file, span.start);
        if let Some(file) = self.files.get_mut(&span.file) {
            comments.extend(file.trailing.remove(&span.start).into_iter().flatten());
        }
        comments
    }

    /// Takes the comments at the end of the block that ends with `span`.
    pub(crate) fn within(&mut self, span: Span) -> Vec<Trivia> {
        if span.is_nowhere() { Vec::new() } else { self.until(span.file, span.end) }
    }

    /// Takes the comments before the ELSE of the condition at `span`, whose second block is `otherwise`.
    pub(crate) fn before_else(&mut self, span: Span, otherwise: &[Statement]) -> Vec<Trivia> {
        let second = otherwise.iter().find_map(|statement| statement.span.somewhere());
        let end = second.filter(|second| second.file == span.file).map_or(span.end, |second| second.start);
        let Some(file) = self.files.get_mut(&span.file) else { return Vec::new() };
        let at = file.at(end);
        let group = &mut file.groups[at];
        let word = group.iter().rposition(|trivia| trivia.kind == TriviaKind::Else && trivia.span.end <= end);
        word.map(|word| group.drain(..=word).collect()).unwrap_or_default()
    }

    /// Takes the notice of the authors and the license at the top of the file, which belongs in every file made of it.
    pub(crate) fn notice(&mut self) -> Vec<Trivia> {
        const WORDS: [&str; 8] =
            ["copyright", "licen", "redistribut", "sccs", "nhdt", "author", "written by", "designed by"];
        let Some(file) = self.main.and_then(|main| self.files.get_mut(&main)) else { return Vec::new() };
        let Some(group) = file.groups.first_mut() else { return Vec::new() };
        let is_notice = |trivia: &Trivia| {
            let text = trivia.text.to_ascii_lowercase();
            WORDS.iter().any(|word| text.contains(word))
        };
        let last = group.iter().rposition(is_notice);
        last.map(|last| group.drain(..=last).collect()).unwrap_or_default()
    }

    /// Takes the other paragraphs at the top of the file, except the last, which belongs to the first node.
    pub(crate) fn preface(&mut self) -> Vec<Trivia> {
        let Some(file) = self.main.and_then(|main| self.files.get_mut(&main)) else { return Vec::new() };
        let Some(group) = file.groups.first_mut() else { return Vec::new() };
        let last = group.iter().rposition(|trivia| trivia.kind == TriviaKind::BlankLines);
        last.map(|last| group.drain(..=last).collect()).unwrap_or_default()
    }

    /// Takes the comments of all nodes from `span` to the level or function at `next`, or to the end of the file.
    pub(crate) fn rest(&mut self, span: Span, next: Option<Span>) -> Vec<Trivia> {
        let Some(file) = self.files.get_mut(&span.file) else { return Vec::new() };
        let to = next.filter(|next| next.file == span.file).map_or(file.nodes.len(), |next| file.at(next.start));
        let from = file.at(span.start).min(to);
        let last = usize::from(next.is_none());
        let mut rest: Vec<Trivia> = file.groups[from..to + last].iter_mut().flat_map(std::mem::take).collect();
        // A paragraph directly after the last statement.
        if let Some(after) = file.groups.get_mut(to).filter(|_| last == 0) {
            let parting = after.iter().position(|trivia| trivia.kind == TriviaKind::BlankLines);
            rest.extend(after.drain(..parting.unwrap_or(0)));
        }
        let until = file.nodes.get(to).copied().unwrap_or(u32::MAX);
        let nodes: Vec<u32> = file.trailing.range(span.start..until.max(span.start)).map(|(node, _)| *node).collect();
        rest.extend(nodes.into_iter().filter_map(|node| file.trailing.remove(&node)).flatten());
        rest.order_by_key(|trivia| trivia.span.start);
        rest
    }

    /// Copies the comments of the function at `span`, which may be written in several files.
    pub(crate) fn copy(&self, span: Span) -> Kept {
        let mut kept = Kept { file: span.file, groups: Vec::new(), trailing: Vec::new() };
        if let Some(file) = self.files.get(&span.file).filter(|_| !span.is_nowhere()) {
            let (from, to) = (file.at(span.start), file.at(span.end).min(file.groups.len() - 1));
            kept.groups = (from..=to).map(|at| (at, file.groups[at].clone())).collect();
            let nodes = file.nodes[from..to].iter();
            kept.trailing = nodes.filter_map(|node| Some((*node, file.trailing.get(node)?.clone()))).collect();
        }
        kept
    }

    /// Makes copied comments available again.
    pub(crate) fn restore(&mut self, kept: Kept) {
        let Some(file) = self.files.get_mut(&kept.file) else { return };
        for (at, group) in kept.groups {
            file.groups[at] = group;
        }
        file.trailing.extend(kept.trailing);
    }

    /// Takes all comments of a file.
    pub(crate) fn all(&mut self, file: FileId) -> Vec<Trivia> {
        let Some(file) = self.files.remove(&file) else { return Vec::new() };
        let trailing = file.trailing.into_values().flatten();
        let mut all: Vec<Trivia> = file.groups.into_iter().flatten().chain(trailing).collect();
        all.order_by_key(|trivia| trivia.span.start);
        all
    }

    /// Returns the first file with comments.
    pub(crate) fn main(&self) -> Option<FileId> {
        self.main
    }

    fn until(&mut self, file: FileId, end: u32) -> Vec<Trivia> {
        let Some(file) = self.files.get_mut(&file) else { return Vec::new() };
        let at = file.at(end);
        let group = &mut file.groups[at];
        // All of them, if this is the node of the group.
        if file.nodes.get(at) == Some(&end) {
            return std::mem::take(group).into();
        }
        let count = group.iter().take_while(|trivia| trivia.span.end <= end).count();
        group.drain(..count).collect()
    }
}

impl OfFile {
    /// Returns the first node at or after a position.
    fn at(&self, position: u32) -> usize {
        self.nodes.partition_point(|&node| node < position)
    }
}

/// The nodes of a module that may have comments.
struct Nodes {
    ends: BlockEnds,
    of_file: HashMap<FileId, Vec<u32>>,
    /// The starts of statements without a block.
    plain: HashSet<(FileId, u32)>,
    /// The statements of each block, in order.
    bodies: Vec<Vec<Span>>,
}

impl Nodes {
    fn add(&mut self, span: Span, position: u32) {
        if !span.is_nowhere() {
            self.of_file.entry(span.file).or_default().push(position);
        }
    }

    fn end(&mut self, span: Span) {
        if self.ends == BlockEnds::Written {
            self.add(span, span.end);
        }
    }

    fn body(&mut self, body: &[Statement]) {
        self.bodies.push(body.iter().filter_map(|statement| statement.span.somewhere()).collect());
    }
}

impl<'tree> Visit<'tree> for Nodes {
    fn item(&mut self, item: &'tree Item) {
        if let Item::Include { path, .. } = item {
            self.add(path.span, path.span.start);
        }
        walk::item(self, item);
    }

    fn level(&mut self, level: &'tree Level) {
        self.add(level.span, level.span.start);
        self.add(level.name.span, level.name.span.start);
        self.body(&level.body);
        walk::level(self, level);
    }

    fn function(&mut self, function: &'tree Function) {
        self.add(function.span, function.span.start);
        self.end(function.span);
        self.body(&function.body);
        walk::function(self, function);
    }

    fn statement(&mut self, statement: &'tree Statement) {
        self.add(statement.span, statement.span.start);
        let cases: &[Case] = match &statement.kind {
            StatementKind::Switch { cases, .. } => cases,
            _ => &[],
        };
        cases.iter().for_each(|case| self.add(case.span, case.span.start));
        let blocks = blocks(&statement.kind);
        if !blocks.is_empty() || !cases.is_empty() {
            self.end(statement.span);
        } else if !matches!(statement.kind, StatementKind::Function(_)) {
            self.plain.insert((statement.span.file, statement.span.start));
        }
        blocks.into_iter().chain(cases.iter().map(|case| case.body.as_slice())).for_each(|body| self.body(body));
        walk::statement(self, statement);
    }

    fn map_rows(&mut self, rows: &'tree MapRows) {
        self.add(rows.span, rows.span.start);
    }
}

/// Returns the blocks of a statement, except cases.
fn blocks(kind: &StatementKind) -> Vec<&[Statement]> {
    match kind {
        StatementKind::If { then, otherwise, .. } => {
            std::iter::once(then.as_slice()).chain(otherwise.as_deref()).collect()
        }
        StatementKind::For { body, .. } | StatementKind::Loop { body, .. } => vec![body],
        StatementKind::Room(room) => vec![&room.body],
        StatementKind::Region(region) => region.body.as_deref().into_iter().collect(),
        StatementKind::Monster(monster) => monster.inventory.as_deref().into_iter().collect(),
        StatementKind::Object(object) => object.contents.as_deref().into_iter().collect(),
        StatementKind::Chance { then, .. } => blocks(&then.kind),
        _ => Vec::new(),
    }
}

/// Returns the text of a comment as a single line of any language. A line feed or carriage return within it would end
/// the comment for some readers, and the rest would be code.
pub(crate) fn in_one_line(text: &str) -> Cow<'_, str> {
    let breaks = |character: char| character.is_ascii_control() && character != '\t';
    if text.contains(breaks) { text.replace(breaks, " ").into() } else { text.into() }
}
