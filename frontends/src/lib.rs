//! Front ends: from the text of a des-file to [levels](splc_ir::level).
//!
//! A folder a language, each the same inside: a lexer, a grammar, and what the grammar's productions build.
//! None of them judges what a level says; that is for the checks in `splc_ir`.

pub mod detect;
pub mod nethack343;
pub mod templates;
