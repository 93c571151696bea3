//! Recovery from statements that could not be read.

use super::*;

impl<'s> Builder<'s, '_> {
    /// Handles a parse that ended with an unrecovered error.
    pub(in super::super) fn failed(&mut self, error: ParseError<usize, Token<'s>, ()>) {
        let at = teach::place(&error, self.source.text.len());
        self.explain(at, &error);
    }

    /// Handles invalid text from `start` to `end`. Its likely meaning decides how the level continues.
    pub(in super::super) fn recover(&mut self, start: usize, end: usize, recovery: Recovery<'s>) {
        self.bad_number = false;
        let text = self.source.text.get(start..end).unwrap_or("");
        let statement = Lexer::new(text, self.source.charset, self.catalog).next();
        let span = self.span(start, end);
        let unread_map = |token: &Token<'_>| matches!(token, Token::Map(_));
        let error_token = match &recovery.error {
            ParseError::UnrecognizedToken { token: (_, token, _), .. } => Some(token),
            _ => None,
        };
        let map = recovery.dropped_tokens.iter().any(|(_, token, _)| unread_map(token));
        self.explain(start, &recovery.error);
        self.after_error = true;
        let in_rooms = self.level.is_some() && !self.in_maze();
        match statement.map(|(_, token, _)| token) {
            Some(Token::Maze) => {
                let name = self.spanned(start, start, Text::default());
                self.open_level(name, LevelKind::Maze { filling: None }, span);
                self.forgive();
            }
            Some(Token::Level) => {
                let name = self.spanned(start, start, Text::default());
                self.open_level(name, LevelKind::Rooms, span);
                self.forgive();
            }
            Some(Token::Geometry) => {
                self.broken_geometry = !map;
                self.broken_part(span);
            }
            Some(Token::InitMap) => self.push(span, StatementKind::Error),
            // `ROOMDOOR` of other games is a door of the open room.
            Some(Token::Room) if self.source.text.get(end..).is_some_and(|rest| rest.starts_with("DOOR")) => {
                if let Some((room, _)) = self.level.as_mut().and_then(|open| open.room.as_mut()) {
                    room.body.push(Statement { kind: StatementKind::Error, span });
                }
            }
            Some(Token::Room | Token::Subroom) if in_rooms => self.broken_room(span),
            Some(Token::RandomObjects) => self.broken_registers(span, RegisterKind::Object),
            Some(Token::RandomMonsters) => self.broken_registers(span, RegisterKind::Monster),
            Some(Token::RandomPlaces | Token::PlaceLists) => self.broken_registers(span, RegisterKind::Place),
            // It may have been the NAME of a room.
            Some(Token::Name) if in_rooms => self.push(span, StatementKind::Error),
            Some(token) if in_rooms && !token.begins_statement() => self.push(span, StatementKind::Error),
            _ if map && !matches!(error_token, Some(Token::Geometry)) => self.broken_part(span),
            _ => {}
        }
    }

    /// Adds registers that could not be read, as a list without values.
    pub(super) fn broken_registers(&mut self, span: Span, of: RegisterKind) {
        self.push(span, StatementKind::Registers { of, values: Vec::new() });
    }

    pub(super) fn broken_part(&mut self, span: Span) {
        if self.in_maze() {
            self.push(span, StatementKind::Error);
            if let Some(open) = &mut self.level {
                open.stage = Stage::Registers;
            }
        }
    }

    /// Suppresses further errors about the order of statements in this level.
    pub(super) fn forgive(&mut self) {
        if let Some(open) = &mut self.level {
            open.reported = true;
        }
    }

    pub(super) fn explain(&mut self, start: usize, error: &ParseError<usize, Token<'s>, ()>) {
        if self.counts_only || self.diagnostics.errors() >= self.diagnostics.most() {
            // It would not be shown, only counted.
            self.diagnostics.push(Diagnostic::new(Code::Syntax, self.span(start, start), ""));
            return;
        }
        // Later errors on the same line are mostly consequences.
        if self.last_error_line.contains(&teach::place(error, start)) {
            return;
        }
        let diagnostic = teach::explain(self.source, self.file, self.catalog, (start, error), &self.of_another);
        let at = diagnostic.span.map_or(start, |span| span.start as usize);
        let (before, after) = self.source.text.split_at_checked(at).unwrap_or(("", ""));
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        if line_start == self.last_error_line.start && !self.last_error_line.is_empty() {
            return;
        }
        self.last_error_line = line_start..at + after.find('\n').unwrap_or(after.len()) + 1;
        // Further rows of an invalid map, or further parts of a script, were already reported.
        let foreign = diagnostic.code == Code::WrongDialect && diagnostic.suggestions.is_empty();
        if (self.after_error && diagnostic.code == Code::MapText)
            || (foreign && self.foreign.contains(&diagnostic.message))
            // The braces of a block whose statement was reported.
            || (foreign && matches!(diagnostic.message.mistake(), Some(Mistake::ForeignBlocks(_))) && !self.foreign.is_empty())
        {
            return;
        }
        if foreign {
            self.foreign.push(diagnostic.message.clone());
        }
        self.diagnostics.push(diagnostic);
    }
}
