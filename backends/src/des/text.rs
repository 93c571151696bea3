//! Text of a des-file in the making: lines, indentation, and the small forms that every dialect writes alike.

use splc_ir::level::{LevelRegion, LevelRegionKind, MapRows, OrRandom, RegionSpec, Statement, StatementKind};
use splc_ir::source::Span;

use super::{Style, Unprintable};

/// Blanks that a block is indented by.
const INDENT: &str = "  ";

/// What has been written, and what could not be.
pub(super) struct DesText {
    style: Style,
    text: String,
    depth: usize,
    pub(super) problems: Vec<Unprintable>,
}

impl DesText {
    pub(super) fn new(style: Style) -> DesText {
        DesText { style, text: String::new(), depth: 0, problems: Vec::new() }
    }

    /// What was written, or everything that could not be.
    pub(super) fn finish(self) -> Result<String, Vec<Unprintable>> {
        if self.problems.is_empty() { Ok(self.text) } else { Err(self.problems) }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn number(&mut self, number: i32) {
        let mut digits = itoa::Buffer::new();
        self.text.push_str(digits.format(number));
    }

    /// Begins a line at the depth of the blocks around.
    pub(super) fn begin_line(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str(INDENT);
        }
    }

    pub(super) fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// A line that stays at the edge, whatever is around it: a row of a map.
    pub(super) fn flush_line(&mut self, text: &str) {
        self.push(text);
        self.end_line();
    }

    /// An empty line, unless one stands there, or nothing yet.
    pub(super) fn blank_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.end_line();
        }
    }

    /// Where blank lines part the statements of a level: before each of these positions.
    pub(super) fn partings(&self, statements: &[Statement]) -> Vec<usize> {
        if self.style != Style::ReadBack {
            return Vec::new();
        }
        let mut partings = Vec::new();
        // The run of statements of one topic before the one that is looked at.
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

    /// A ruler for the columns of a map, in comments.
    pub(super) fn ruler(&mut self, rows: &MapRows) {
        const LEAST_WIDTH: usize = 10;
        let width = rows.width();
        if self.style != Style::ReadBack || width < LEAST_WIDTH {
            return;
        }
        // Its first column is that of the comment sign.
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

    /// `"text"`. No dialect has a way to write a quote in a text.
    pub(super) fn quoted(&mut self, text: &str, span: Span) {
        if text.contains('"') {
            self.cannot(span, "a text with a '\"' in it");
        }
        self.push("\"");
        self.push(text);
        self.push("\"");
    }

    /// `'x'`, or `'\x'` for what would end the quotes.
    pub(super) fn character(&mut self, character: char, span: Span) {
        if character == '\n' {
            self.cannot(span, "a line end as a character");
        }
        self.push(if matches!(character, '\'' | '\\') { "'\\" } else { "'" });
        self.text.push(character);
        self.push("'");
    }

    pub(super) fn pair(&mut self, x: i32, y: i32) {
        self.push("(");
        self.number(x);
        self.push(",");
        self.number(y);
        self.push(")");
    }

    pub(super) fn corners(&mut self, corners: [i32; 4]) {
        self.push("(");
        for (at, corner) in corners.into_iter().enumerate() {
            if at > 0 {
                self.push(",");
            }
            self.number(corner);
        }
        self.push(")");
    }

    /// What `write` writes for the word, or `random`.
    pub(super) fn or_random<T>(&mut self, value: &OrRandom<T>, write: impl FnOnce(&mut Self, &T)) {
        match value {
            OrRandom::Random => self.push("random"),
            OrRandom::Is(value) => write(self, value),
        }
    }

    fn region_spec(&mut self, region: &RegionSpec) {
        if region.level {
            self.push("levregion");
        }
        self.corners(region.corners);
    }

    /// The statement that makes a level region, with `comma` between its parts.
    pub(super) fn level_region(&mut self, region: &LevelRegion, colon: &str, comma: &str) {
        self.push(match region.kind {
            LevelRegionKind::Stair(_) => "STAIR",
            LevelRegionKind::Portal(_) => "PORTAL",
            LevelRegionKind::Teleport(_) => "TELEPORT_REGION",
            LevelRegionKind::Branch => "BRANCH",
        });
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
            LevelRegionKind::Teleport(None) | LevelRegionKind::Branch => {}
        }
    }
}

/// The last digit of `number`.
fn digit(number: usize) -> char {
    char::from(b'0' + (number % 10) as u8)
}

/// What a statement is about: those of one topic stand together.
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
        | StatementKind::Error => Topic::Flow,
    }
}

/// The word of a truth value.
pub(super) fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}
