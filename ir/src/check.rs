//! Judging a level against a game (placeholder, filled in next).
