//! Painting on the page as edits of the source.
//!
//! An edit is as small as possible: a letter of a MAP, the two numbers of a place, a new line. The text stays the
//! truth, so a change that the text cannot express is refused with the reason.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use splc_driver::{Content, Loaded, NoIncludes, Options, Runnable, Wanted, read};
use splc_ir::level::{Expr, ExprKind, MapRows, Statement};
use splc_ir::order::Order;
use splc_ir::source::{Source, Span};
use splc_ir::visit::{self, Visit};
use splc_vm::{Chronicle, Level, Machine, Maker, Place, Settings, SplitMix};

use crate::sheet::Sheet;

/// A change that the user makes on the page. Places are those of the finished level.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Changes the terrain of squares of a map.
    Paint {
        /// The squares.
        squares: Vec<[i32; 2]>,
        /// The map character.
        letter: char,
    },
    /// Moves the topmost thing of a square, or its stairs.
    Move {
        /// Its square.
        from: [i32; 2],
        /// Its new square.
        to: [i32; 2],
    },
    /// Adds a region.
    Region {
        /// A corner.
        from: [i32; 2],
        /// The opposite corner.
        to: [i32; 2],
        /// Lit or dark.
        lit: bool,
        /// Its type, e.g. "ordinary" or "temple".
        kind: String,
    },
    /// Adds a thing.
    Add {
        /// Its kind: "monster", "object" or "trap".
        kind: String,
        /// Its name.
        name: String,
        /// Its square.
        at: [i32; 2],
    },
}

/// An edit of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    /// Its bytes before.
    pub before: Vec<u8>,
    /// Its bytes after.
    pub after: Vec<u8>,
    /// A sentence for the user.
    pub done: String,
}

/// Most squares of one change.
const MAX_SQUARES: usize = 1659;

/// A range of the text with its new text.
type Replacement = (Range<usize>, String);

/// Returns the edit that makes `change` in the source of a level.
///
/// # Errors
/// The reason why the source cannot express it.
pub fn edit(
    sheet: &Sheet,
    loaded: &Loaded,
    runnable: &Runnable,
    settings: &Settings,
    seed: u64,
    change: &Change,
    options: &Options,
) -> Result<Edit, String> {
    if !sheet.listed_as_editable() {
        return Err("only a source file can be changed".to_owned());
    }
    let (mut machine, mut chronicle) = (Machine::new(), Chronicle::new());
    let run = machine.run(&runnable.program, settings, &mut SplitMix::new(seed), &mut chronicle).map(|_| ());
    run.map_err(|_| "the game cannot load this level")?;
    let level = machine.level();
    chronicle.finish(level);
    let tree = Tree::of(sheet, loaded, options);
    let work = Work { loaded, runnable, level, chronicle: &chronicle, tree: &tree };
    let (file, replacements, done) = match change {
        Change::Paint { squares, letter } => work.paint(squares, *letter)?,
        Change::Move { from, to } => work.drag((from[0], from[1]), (to[0], to[1]))?,
        Change::Region { from, to, lit, kind } => work.region((from[0], from[1]), (to[0], to[1]), *lit, kind)?,
        Change::Add { kind, name, at } => work.add(kind, name, (at[0], at[1]))?,
    };
    let source = loaded.sources.get(file);
    let path = source.path.clone().ok_or("the statement is not in a file")?;
    let mut text = source.text.clone();
    let mut sorted = replacements;
    sorted.order_by_key(|(range, _)| range.start);
    for (range, new) in sorted.into_iter().rev() {
        text.replace_range(range, &new);
    }
    let bytes = |text: &str| {
        let mut bytes = Vec::with_capacity(text.len());
        source.charset.encode_into(text, &mut bytes);
        bytes
    };
    Ok(Edit { path, before: bytes(&source.text), after: bytes(&text), done })
}

impl Sheet {
    /// Returns true if painting can change its source.
    fn listed_as_editable(&self) -> bool {
        self.input.place.is_some() && matches!(self.matter, crate::Matter::Levels { decompiled: false, .. })
    }
}

/// The statements and maps of a source, with their places in the text.
#[derive(Default)]
struct Tree {
    /// The literal places in each statement that no inner statement contains.
    places: Vec<(Span, Place, Span)>,
    statement: Span,
    maps: Vec<MapRows>,
}

impl Tree {
    fn of(sheet: &Sheet, loaded: &Loaded, options: &Options) -> Self {
        let mut tree = Tree::default();
        let catalog = loaded.target.catalog().clone();
        let wanted = Wanted { catalog: Some(catalog), ..options.wanted.clone() };
        let options = Options { wanted, lints: options.lints.clone() };
        // Statements of included files are not edited.
        if let Ok(read) = read(sheet.input.clone(), &options, &mut NoIncludes)
            && let Content::DesFile(module) = &read.content
        {
            tree.module(module);
        }
        tree
    }
}

impl<'a> Visit<'a> for Tree {
    fn statement(&mut self, statement: &'a Statement) {
        let outer = std::mem::replace(&mut self.statement, statement.span);
        visit::walk::statement(self, statement);
        self.statement = outer;
    }

    fn expression(&mut self, expression: &'a Expr) {
        if let ExprKind::Coordinate { x, y } = expression.kind {
            self.places.push((self.statement, (x, y), expression.span));
        }
        visit::walk::expression(self, expression);
    }

    fn map_rows(&mut self, rows: &'a MapRows) {
        self.maps.push(rows.clone());
    }
}

struct Work<'a> {
    loaded: &'a Loaded,
    runnable: &'a Runnable,
    level: &'a Level,
    chronicle: &'a Chronicle,
    tree: &'a Tree,
}

type Replacements = (splc_ir::source::FileId, Vec<Replacement>, String);

impl Work<'_> {
    fn source(&self, span: Span) -> &Source {
        self.loaded.sources.get(span.file)
    }

    fn span(&self, maker: Maker) -> Result<Span, String> {
        let span = self.runnable.program.span(maker.at).filter(|span| !self.loaded.sources.text(*span).is_empty());
        span.ok_or_else(|| "the game makes this when it finishes the level".to_owned())
    }

    fn line(&self, span: Span) -> usize {
        self.loaded.sources.line_column(span.file, span.start).0
    }

    /// Replaces letters of maps.
    fn paint(&self, squares: &[[i32; 2]], letter: char) -> Result<Replacements, String> {
        if !(letter.is_ascii_graphic() || letter == ' ') {
            return Err("this is not a map character".to_owned());
        }
        if squares.is_empty() || squares.len() > MAX_SQUARES {
            return Err(format!("paint 1 to {MAX_SQUARES} squares"));
        }
        let (mut file, mut list) = (None, Vec::new());
        for &[x, y] in squares {
            let (span, range) = self.letter((x, y))?;
            if *file.get_or_insert(span.file) != span.file {
                return Err("the squares are in maps of different files".to_owned());
            }
            list.push((range, letter.to_string()));
        }
        list.order_by_key(|(range, _)| range.start);
        list.dedup();
        let done = match list.len() {
            1 => format!("1 square painted '{letter}'"),
            count => format!("{count} squares painted '{letter}'"),
        };
        Ok((file.unwrap_or_default(), list, done))
    }

    /// Returns the statement and the letter of the map that made a square.
    fn letter(&self, place: Place) -> Result<(Span, Range<usize>), String> {
        let maker = self.chronicle.square(place, self.level).ok_or("no statement made this square")?;
        let span = self.span(maker)?;
        if !self.runnable.program.step(maker.at).is_some_and(splc_vm::StepKind::is_map) {
            let line = self.line(span);
            return Err(format!("line {line} made this square, which is not a map: change that statement"));
        }
        let (column, row) = self.chronicle.as_written(place, maker, self.level);
        let outside = || "this square lies outside the map that made it".to_owned();
        let (column, row) = (usize::try_from(column).ok(), usize::try_from(row).ok());
        let (Some(column), Some(row)) = (column, row) else { return Err(outside()) };
        let source = self.source(span);
        let drawn = self
            .tree
            .maps
            .iter()
            .find(|rows| rows.span.file == span.file && rows.span.start < span.end && span.start < rows.span.end);
        let row = match drawn {
            Some(rows) => {
                let span = rows.row_spans.get(row).ok_or_else(outside)?;
                source.range(*span)
            }
            None => script_row(source, span, row).ok_or_else(outside)?,
        };
        let text = source.text.get(row.clone()).unwrap_or("");
        let (at, letter) = text.char_indices().nth(column).ok_or_else(outside)?;
        Ok((span, row.start + at..row.start + at + letter.len_utf8()))
    }

    /// Returns the maker of the topmost thing of a square, or of its stairs.
    fn thing(&self, place: Place) -> Option<(Maker, &'static str)> {
        let (level, chronicle) = (self.level, self.chronicle);
        let last = |found: Option<usize>| found;
        let monster = last(level.monsters().iter().rposition(|it| (it.x, it.y) == place));
        let object = last(
            level
                .objects()
                .iter()
                .rposition(|it| (it.x, it.y) == place && it.whereabouts == splc_vm::Whereabouts::Floor),
        );
        let gold = last(level.gold().iter().rposition(|it| (it.x, it.y) == place));
        let trap = last(level.traps().iter().rposition(|it| (it.x, it.y) == place));
        let found = |maker: Option<Maker>, what| maker.map(|maker| (maker, what));
        monster
            .and_then(|at| found(chronicle.monster(at), "the monster"))
            .or_else(|| object.and_then(|at| found(chronicle.object(at), "the object")))
            .or_else(|| gold.and_then(|at| found(chronicle.gold(at), "the gold")))
            .or_else(|| trap.and_then(|at| found(chronicle.trap(at), "the trap")))
            .or_else(|| {
                let furniture = level.terrain(place.0, place.1).is_furniture();
                found(chronicle.square(place, level).filter(|_| furniture), "the furniture")
            })
    }

    /// Changes the place in a statement.
    fn drag(&self, from: Place, to: Place) -> Result<Replacements, String> {
        let (maker, what) = self.thing(from).ok_or("nothing on this square can be moved")?;
        let span = self.span(maker)?;
        let line = self.line(span);
        if self.chronicle.runs(maker.at) > 1 {
            return Err(format!("line {line} runs more than once, so its place is that of several things"));
        }
        let (x, y) = self.chronicle.as_written(to, maker, self.level);
        let old = self.chronicle.as_written(from, maker, self.level);
        let source = self.source(span);
        let range = match self.tree.places.iter().filter(|(statement, ..)| *statement == span).collect::<Vec<_>>()[..] {
            [(_, place, literal)] if *place == old => source.range(*literal),
            [(_, place, _)] => {
                let (x, y) = place;
                return Err(format!("line {line} names ({x},{y}), where {what} did not fit"));
            }
            [] => script_place(source, span, old)
                .ok_or_else(|| format!("line {line} names no fixed place for {what}: it is random or computed"))?,
            _ => return Err(format!("line {line} names several places")),
        };
        let written = source.text.get(range.clone()).unwrap_or("");
        // A place in a script may have no parentheses.
        let new = if written.starts_with('(') { format!("({x},{y})") } else { format!("{x},{y}") };
        Ok((span.file, vec![(range, new)], format!("{what} of line {line} moved to ({x},{y})")))
    }

    /// Inserts a statement after the map, or after the statements that follow it.
    fn add(&self, kind: &str, name: &str, at: Place) -> Result<Replacements, String> {
        let maker = self.map_of(at)?;
        let (x, y) = self.chronicle.as_written(at, maker, self.level);
        let catalog = self.loaded.target.catalog();
        let class = match kind {
            "monster" => catalog.monsters.iter().find(|it| it.name == name).map(|it| Some(it.class)),
            "object" => catalog.objects.iter().find(|it| it.name == name).map(|it| Some(it.class)),
            "trap" => catalog.trap(name).map(|_| None),
            _ => None,
        };
        let class = class.ok_or_else(|| format!("{} has no {kind} \"{name}\"", catalog.title))?;
        let word = kind.to_uppercase();
        let (of, and) = self.spacing(maker)?;
        let statement = match (catalog.dialect.as_ref(), class) {
            ("nethack5", _) if kind == "trap" => format!("des.trap(\"{name}\", {x}, {y});"),
            ("nethack5", _) => format!("des.{kind}({{ id = \"{name}\", x = {x}, y = {y} }});"),
            ("nethack343", Some(class)) => format!("{word}:{of}'{class}',{and}\"{name}\",{and}({x},{y})"),
            ("nethack343", None) => format!("{word}:{of}\"{name}\",{and}({x},{y})"),
            (_, Some(class)) => format!("{word}:{of}('{class}',{and}\"{name}\"),{and}({x},{y})"),
            (_, None) => format!("{word}:{of}\"{name}\",{and}({x},{y})"),
        };
        self.after_map(maker, &statement, format!("{name} added at ({x},{y})"))
    }

    /// Returns the map that made a square, or the last one around it if another statement changed the square.
    fn map_of(&self, place: Place) -> Result<Maker, String> {
        let map = |place| {
            let maker = self.chronicle.square(place, self.level)?;
            self.runnable.program.step(maker.at).is_some_and(splc_vm::StepKind::is_map).then_some(maker)
        };
        if let Some(maker) = map(place) {
            return Ok(maker);
        }
        // The corners of the squares that each map made.
        let mut maps: BTreeMap<usize, (Maker, [i32; 4])> = BTreeMap::new();
        for (x, y) in crate::palette::squares() {
            let Some(maker) = map((x, y)) else { continue };
            let (_, [x1, y1, x2, y2]) = maps.entry(maker.at).or_insert((maker, [x, y, x, y]));
            (*x1, *y1, *x2, *y2) = ((*x1).min(x), (*y1).min(y), (*x2).max(x), (*y2).max(y));
        }
        let (x, y) = place;
        let around =
            maps.into_values().rev().find(|(_, [x1, y1, x2, y2])| *x1 <= x && x <= *x2 && *y1 <= y && y <= *y2);
        let (maker, _) = around.ok_or("only the squares of a map have places that a new statement can name")?;
        Ok(maker)
    }

    /// Returns the author's blanks after the colon of a statement and after commas: those of most statements.
    fn spacing(&self, maker: Maker) -> Result<(&'static str, &'static str), String> {
        let text = &self.source(self.span(maker)?).text;
        let (mut colons, mut commas) = ([0_usize; 2], [0_usize; 2]);
        for line in text.lines().map(str::trim_start) {
            let Some((word, rest)) = line.split_once(':') else { continue };
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') {
                continue;
            }
            colons[usize::from(rest.starts_with(' '))] += 1;
            // Commas within places are rarely followed by blanks.
            for separator in ["),", "\","] {
                for (at, _) in rest.match_indices(separator) {
                    commas[usize::from(rest[at + separator.len()..].starts_with(' '))] += 1;
                }
            }
        }
        let of = |counts: [usize; 2], usual| match counts[0].cmp(&counts[1]) {
            std::cmp::Ordering::Less => " ",
            std::cmp::Ordering::Equal => usual,
            std::cmp::Ordering::Greater => "",
        };
        let usual = if self.loaded.target.catalog().dialect == "nethack343" { "" } else { " " };
        Ok((of(colons, usual), of(commas, usual)))
    }

    /// Inserts a region between two corners of one map.
    fn region(&self, from: Place, to: Place, lit: bool, kind: &str) -> Result<Replacements, String> {
        let maker = self.map_of(from)?;
        if self.map_of(to)?.at != maker.at {
            return Err("the corners are in different maps".to_owned());
        }
        let catalog = self.loaded.target.catalog();
        if !catalog.rooms.iter().any(|(name, _)| name == kind) {
            return Err(format!("{} has no room type \"{kind}\"", catalog.title));
        }
        let [one, two] = [from, to].map(|place| self.chronicle.as_written(place, maker, self.level));
        let (x1, y1, x2, y2) = (one.0.min(two.0), one.1.min(two.1), one.0.max(two.0), one.1.max(two.1));
        let statement = if catalog.dialect == "nethack5" {
            let lit = i32::from(lit);
            format!("des.region({{ region = {{{x1},{y1},{x2},{y2}}}, lit = {lit}, type = \"{kind}\" }});")
        } else {
            let (of, and) = self.spacing(maker)?;
            let light = if lit { "lit" } else { "unlit" };
            format!("REGION:{of}({x1},{y1},{x2},{y2}),{and}{light},{and}\"{kind}\"")
        };
        self.after_map(maker, &statement, format!("{kind} region added at ({x1},{y1},{x2},{y2})"))
    }

    /// Inserts a statement as a line after a map.
    fn after_map(&self, maker: Maker, statement: &str, done: String) -> Result<Replacements, String> {
        let span = self.span(maker)?;
        let source = self.source(span);
        let end = match self
            .tree
            .maps
            .iter()
            .find(|rows| rows.span.file == span.file && rows.span.start < span.end && span.start < rows.span.end)
        {
            Some(rows) => rows.span.end as usize,
            None => script_map(source, span).ok_or("the map has no end")?.end,
        };
        let end = source.text[source.floor(end)..].find('\n').map_or(source.text.len(), |at| source.floor(end) + at);
        let line = &source.text[..source.range(span).start];
        let line = &line[line.rfind('\n').map_or(0, |at| at + 1)..];
        let indent = if line.trim().is_empty() { line } else { "" };
        Ok((span.file, vec![(end..end, format!("\n{indent}{statement}"))], done))
    }
}

/// Returns the text of the long string in the `des.map` at `span`.
fn script_map(source: &Source, span: Span) -> Option<Range<usize>> {
    let start = source.range(span).start;
    let after = start + source.text.get(start..)?.find("[[")? + 2;
    let end = after + source.text.get(after..)?.find("]]")?;
    Some(after..end)
}

/// Returns a row of the map of a script.
fn script_row(source: &Source, span: Span, row: usize) -> Option<Range<usize>> {
    let map = script_map(source, span)?;
    let text = source.text.get(map.clone())?;
    // A newline right after the bracket does not count.
    let skipped = usize::from(text.starts_with('\n'));
    let mut start = map.start + skipped;
    for (at, line) in text.get(skipped..)?.split('\n').enumerate() {
        if at == row {
            return Some(start..start + line.trim_end_matches('\r').len());
        }
        start += line.len() + 1;
    }
    None
}

/// Returns the only `x,y` in the line of a script's statement, also as `x = 1, y = 2`.
fn script_place(source: &Source, span: Span, (x, y): Place) -> Option<Range<usize>> {
    let range = source.range(span);
    let line = source.text.get(range.clone())?;
    if !line.contains("des.") {
        return None;
    }
    let mut found = None;
    for separator in [",", ", "] {
        let place = format!("{x}{separator}{y}");
        for (at, _) in line.match_indices(&place) {
            let before = line[..at].chars().next_back();
            let after = line[at + place.len()..].chars().next();
            let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
            if is_part(before) || is_part(after) {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = Some(range.start + at..range.start + at + place.len());
        }
    }
    found
}
