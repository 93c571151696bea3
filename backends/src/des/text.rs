//! The text of a des-file under construction: lines, indentation, and the small forms shared by all dialects.

use splc_ir::level::{
    CorridorEnd, LevelRegion, LevelRegionKind, MapRows, OrRandom, RegionSpec, Statement, StatementKind, Trivia,
    TriviaKind,
};
use splc_ir::source::{FileId, Span, Spanned};
use splc_ir::words::{DoorState, Horizontal, Light, Vertical};

use super::{Style, Unprintable};
use crate::comments::{Comments, in_one_line};

/// Indentation of a block.
const INDENT: &str = "  ";

/// The text written so far, and the values that could not be written.
pub(super) struct DesText {
    style: Style,
    /// Set if every number may be negative.
    signs: bool,
    text: String,
    depth: usize,
    /// Comments and blank lines not written yet.
    comments: Comments,
    /// The files of which something has been written.
    written: Vec<FileId>,
    pub(super) problems: Vec<Unprintable>,
}

impl DesText {
    /// Creates an empty text. `comments` are written along with the statements.
    pub(super) fn new(style: Style, comments: Comments) -> DesText {
        // Comments of the main file come first, and are written even if it is otherwise empty.
        let written = comments.main().into_iter().collect();
        DesText { style, signs: false, text: String::new(), depth: 0, comments, written, problems: Vec::new() }
    }

    /// Returns the text, or everything that could not be written. Comments at the end of a file come last. Comments of
    /// files that are included by name are left out.
    pub(super) fn finish(mut self) -> Result<String, Vec<Unprintable>> {
        for file in std::mem::take(&mut self.written) {
            let comments = self.comments.all(file);
            self.comments(comments);
        }
        self.text.truncate(self.text.trim_end_matches('\n').len());
        if !self.text.is_empty() {
            self.end_line();
        }
        if self.problems.is_empty() { Ok(self.text) } else { Err(self.problems) }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn number(&mut self, number: i32) {
        self.text.push_str(&number.to_string());
    }

    /// Writes a number at a position where the script dialects do not allow a negative one.
    pub(super) fn natural(&mut self, number: i32, span: Span) {
        if number < 0 && !self.signs {
            self.cannot(span, "a negative number here");
        }
        self.number(number);
    }

    /// Allows negative numbers everywhere, as NetHack 3.4.3 does.
    pub(super) fn with_signs(self) -> DesText {
        DesText { signs: true, ..self }
    }

    /// Begins a line with the indentation of the enclosing blocks.
    pub(super) fn begin_line(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str(INDENT);
        }
    }

    pub(super) fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// Writes a line without indentation: a row of a map.
    pub(super) fn flush_line(&mut self, text: &str) {
        self.push(text);
        self.end_line();
    }

    /// Writes an empty line, unless the text is empty or already ends with one.
    pub(super) fn blank_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.end_line();
        }
    }

    /// Writes the comments of the node at `span`, each on its own line before it, because most of the games' compilers
    /// allow no comment after a statement.
    pub(super) fn comments_before(&mut self, span: Span) {
        if span.is_nowhere() {
            return;
        }
        if !self.written.contains(&span.file) {
            self.written.push(span.file);
        }
        let comments = self.comments.before(span);
        self.comments(comments);
    }

    /// Writes the comments before `span` without indentation: above the rows of a map, where they may be a ruler.
    pub(super) fn comments_at_edge(&mut self, span: Span) {
        let depth = std::mem::take(&mut self.depth);
        self.comments_before(span);
        self.depth = depth;
    }

    /// Writes the comments at the end of the block that ends with `span`.
    pub(super) fn comments_within(&mut self, span: Span) {
        let comments = self.comments.within(span);
        self.comments(comments);
    }

    /// Writes the comments before the ELSE of the condition at `span`, whose second block is `otherwise`.
    pub(super) fn comments_before_else(&mut self, span: Span, otherwise: &[Statement]) {
        let comments = self.comments.before_else(span, otherwise);
        self.comments(comments);
    }

    fn comments(&mut self, comments: Vec<Trivia>) {
        comments.iter().for_each(|comment| self.comment(comment));
    }

    fn comment(&mut self, trivia: &Trivia) {
        match trivia.kind {
            TriviaKind::BlankLines if self.text.ends_with("{\n") => {}
            TriviaKind::BlankLines => self.blank_line(),
            TriviaKind::Comment | TriviaKind::TrailingComment => {
                self.begin_line();
                self.push(&in_one_line(&trivia.text));
                self.end_line();
            }
            // These have no meaning here.
            TriviaKind::Skipped | TriviaKind::Else => {}
        }
    }

    /// Returns true if the text gets a layout of its own, without comments.
    pub(super) fn is_read_back(&self) -> bool {
        self.style == Style::ReadBack
    }

    /// Returns the positions of the statements of a level before which a blank line is written.
    pub(super) fn partings(&self, statements: &[Statement]) -> Vec<usize> {
        if self.style != Style::ReadBack {
            return Vec::new();
        }
        let mut partings = Vec::new();
        // The preceding run of statements of one topic.
        let mut run = 0..0;
        for group in statements.chunk_by(|left, right| topic(left) == topic(right)) {
            let alone = run.len() == 1 && group.len() == 1;
            let drawn = |at: usize| statements.get(at).is_some_and(|at| topic(at) == Topic::Map);
            if !run.is_empty() && (!alone || drawn(run.start) || drawn(run.end)) {
                partings.push(run.end);
            }
            run = run.end..run.end + group.len();
        }
        partings
    }

    /// Writes a ruler for the columns of a map, in comments.
    pub(super) fn ruler(&mut self, rows: &MapRows) {
        const LEAST_WIDTH: usize = 10;
        let width = rows.width();
        if self.style != Style::ReadBack || width < LEAST_WIDTH {
            return;
        }
        // The comment sign takes up the first column.
        let tens: String = (1..width).map(|column| if column % 10 == 0 { digit(column / 10) } else { ' ' }).collect();
        let units: String = (1..width).map(digit).collect();
        for line in [tens.trim_end(), &units] {
            if !line.is_empty() {
                self.push("#");
                self.flush_line(line);
            }
        }
    }

    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    pub(super) fn shallower(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn cannot(&mut self, span: Span, what: &'static str) {
        self.problems.push(Unprintable { span, what });
    }

    // --- Small forms

    /// Writes `"text"`. No dialect can escape a quote in a string, and their compilers end a string at a NUL.
    pub(super) fn quoted(&mut self, text: &str, span: Span) {
        if text.contains('"') {
            self.cannot(span, "a string that contains '\"'");
        }
        if text.contains('\0') {
            self.cannot(span, "a string that contains a NUL character");
        }
        self.push("\"");
        self.push(text);
        self.push("\"");
    }

    /// Writes `'x'`, or `'\x'` if the character would end the quotes.
    pub(super) fn character(&mut self, character: char, span: Span) {
        if character == '\n' {
            self.cannot(span, "a line break as a character");
        }
        self.push(if matches!(character, '\'' | '\\') { "'\\" } else { "'" });
        self.text.push(character);
        self.push("'");
    }

    pub(super) fn pair(&mut self, x: i32, y: i32, span: Span) {
        self.push("(");
        self.natural(x, span);
        self.push(",");
        self.natural(y, span);
        self.push(")");
    }

    pub(super) fn corners(&mut self, corners: [i32; 4], span: Span) {
        self.push("(");
        for (at, corner) in corners.into_iter().enumerate() {
            if at > 0 {
                self.push(",");
            }
            self.natural(corner, span);
        }
        self.push(")");
    }

    /// Writes the value with `write`, or `random`.
    pub(super) fn or_random<T>(&mut self, value: &OrRandom<T>, write: impl FnOnce(&mut Self, &T)) {
        match value {
            OrRandom::Random => self.push("random"),
            OrRandom::Is(value) => write(self, value),
        }
    }

    pub(super) fn door_state(&mut self, state: &OrRandom<Spanned<DoorState>>) {
        self.or_random(state, |out, state| out.push(state.node.as_str()));
    }

    pub(super) fn light(&mut self, light: OrRandom<Light>) {
        self.or_random(&light, |out, light| out.push(light.as_str()));
    }

    /// Writes the alignment of a room in its cell.
    pub(super) fn alignments(&mut self, alignments: &OrRandom<(Horizontal, Vertical)>) {
        self.or_random(alignments, |out, (horizontal, vertical)| {
            out.push("(");
            out.push(horizontal.as_str());
            out.push(",");
            out.push(vertical.as_str());
            out.push(")");
        });
    }

    pub(super) fn corridor_end(&mut self, end: &CorridorEnd) {
        self.push("(");
        self.natural(end.room.node, end.room.span);
        self.push(",");
        self.push(end.wall.node.as_str());
        self.push(",");
        self.or_random(&end.door, |out, door| out.natural(door.node, door.span));
        self.push(")");
    }

    fn region_spec(&mut self, region: &RegionSpec) {
        if region.level {
            self.push("levregion");
            // One square past the last of any level: a variant's empty region.
            if region.corners[0] >= 80 {
                return self.push("()");
            }
        }
        self.corners(region.corners, region.span);
    }

    /// Writes the statement for a level region, with `comma` between its parts.
    pub(super) fn level_region(&mut self, region: &LevelRegion, colon: &str, comma: &str) {
        self.push(match region.kind {
            LevelRegionKind::Stair(_) => "STAIR",
            LevelRegionKind::Portal(_) => "PORTAL",
            LevelRegionKind::Teleport(_) => "TELEPORT_REGION",
            LevelRegionKind::Branch => "BRANCH",
            LevelRegionKind::Register(_) => "RANDOM_REGION",
        });
        if let LevelRegionKind::Register(index) = &region.kind {
            self.push(&format!("[{}]", index.node));
        }
        self.push(colon);
        self.region_spec(&region.inside);
        self.push(comma);
        self.region_spec(&region.outside);
        match &region.kind {
            LevelRegionKind::Stair(direction) | LevelRegionKind::Teleport(Some(direction)) => {
                self.push(comma);
                self.push(direction.as_str());
            }
            LevelRegionKind::Portal(level) => {
                self.push(comma);
                self.quoted(&level.node, level.span);
            }
            LevelRegionKind::Teleport(None) | LevelRegionKind::Branch | LevelRegionKind::Register(_) => {}
        }
    }
}

/// The last digit of `number`.
fn digit(number: usize) -> char {
    char::from(b'0' + (number % 10) as u8)
}

/// The topic of a statement, for grouping.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Topic {
    Ground,
    Message,
    Map,
    Names,
    Areas,
    Doors,
    Ways,
    Features,
    Traps,
    Things,
    Monsters,
    Rooms,
    Flow,
}

fn topic(statement: &Statement) -> Topic {
    match &statement.kind {
        StatementKind::Chance { then, .. } => topic(then),
        StatementKind::InitMap(_) => Topic::Ground,
        StatementKind::Message { .. } => Topic::Message,
        StatementKind::Map(_) => Topic::Map,
        StatementKind::Define { .. } | StatementKind::Shuffle { .. } | StatementKind::Registers { .. } => Topic::Names,
        StatementKind::Region(_)
        | StatementKind::NonDiggable { .. }
        | StatementKind::NonPasswall { .. }
        | StatementKind::Wallify { .. }
        | StatementKind::Terrain { .. }
        | StatementKind::ReplaceTerrain { .. }
        | StatementKind::Spill { .. }
        | StatementKind::WallWalk { .. }
        | StatementKind::Mineralize { .. }
        | StatementKind::Topologize { .. }
        | StatementKind::MazeWalk { .. } => Topic::Areas,
        StatementKind::Door { .. } | StatementKind::RoomDoor { .. } | StatementKind::Drawbridge { .. } => Topic::Doors,
        StatementKind::Stair { .. } | StatementKind::Ladder { .. } | StatementKind::LevelRegion(_) => Topic::Ways,
        StatementKind::Altar { .. }
        | StatementKind::Grave { .. }
        | StatementKind::Fountain { .. }
        | StatementKind::Sink { .. }
        | StatementKind::Pool { .. }
        | StatementKind::Place { .. }
        | StatementKind::Engraving { .. } => Topic::Features,
        StatementKind::Trap { .. } => Topic::Traps,
        StatementKind::Object(_) | StatementKind::Gold { .. } => Topic::Things,
        StatementKind::Monster(_) | StatementKind::MonsterGeneration { .. } | StatementKind::Sounds { .. } => {
            Topic::Monsters
        }
        StatementKind::Room(_) | StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } => Topic::Rooms,
        StatementKind::Function(_)
        | StatementKind::Call { .. }
        | StatementKind::If { .. }
        | StatementKind::Switch { .. }
        | StatementKind::For { .. }
        | StatementKind::Loop { .. }
        | StatementKind::Break
        | StatementKind::Exit
        | StatementKind::VaultGeneration { .. }
        | StatementKind::VaultDepth { .. }
        | StatementKind::Error => Topic::Flow,
    }
}

/// Returns the keyword of a truth value.
pub(super) fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}
