//! Text of a des-file in the making: lines, indentation, and the small forms that every dialect writes alike.

use splc_ir::level::{LevelRegion, LevelRegionKind, OrRandom, RegionSpec};
use splc_ir::source::Span;

use super::Unprintable;

/// Blanks that a block is indented by.
const INDENT: &str = "  ";

/// What has been written, and what could not be.
pub(super) struct DesText {
    text: String,
    depth: usize,
    pub(super) problems: Vec<Unprintable>,
}

impl DesText {
    pub(super) fn new() -> DesText {
        DesText { text: String::new(), depth: 0, problems: Vec::new() }
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

/// The word of a truth value.
pub(super) fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}
