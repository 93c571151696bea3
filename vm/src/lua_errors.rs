//! Conversion of Lua's errors to faults with lines.

use std::fmt;

use mlua::Error;

use crate::error::Fault;

/// Lua's name for a level, which begins its messages.
pub(crate) const CHUNK: &str = "level";

/// An error thrown by a function of the game.
#[derive(Clone, Debug)]
pub(crate) struct Thrown {
    pub fault: Fault,
    /// Line of the level, from 1; 0 if unknown.
    pub line: usize,
}

impl fmt::Display for Thrown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Like the game, append the place where its own function was called.
        write!(formatter, "{} (line {} {CHUNK})", self.fault, self.line)
    }
}

impl std::error::Error for Thrown {}

/// Returns the error thrown by a function of the game, if it is one.
pub(crate) fn thrown(error: &Error) -> Option<&Thrown> {
    match error {
        Error::ExternalError(error) => error.downcast_ref(),
        Error::CallbackError { cause, .. } | Error::WithContext { cause, .. } => thrown(cause),
        _ => None,
    }
}

/// Returns the fault of an error, and its line, from 1; 0 if unknown.
pub(crate) fn fault(error: &Error) -> (Fault, usize) {
    if let Some(thrown) = thrown(error) {
        return (thrown.fault.clone(), thrown.line);
    }
    match error {
        Error::MemoryError(_) => (Fault::Memory, 0),
        Error::CallbackError { cause, .. } | Error::WithContext { cause, .. } => fault(cause),
        Error::SyntaxError { message, .. } | Error::RuntimeError(message) => {
            let (line, message) = placed(message);
            (Fault::Lua(message.to_owned()), line)
        }
        error => (Fault::Lua(error.to_string()), 0),
    }
}

/// Message of an error for a level that caught it.
pub(crate) fn words(error: &Error) -> String {
    match (thrown(error), error) {
        (Some(thrown), _) => thrown.to_string(),
        (None, Error::RuntimeError(message)) => bare(message).to_owned(),
        (None, Error::CallbackError { cause, .. } | Error::WithContext { cause, .. }) => words(cause),
        (None, error) => error.to_string(),
    }
}

/// Removes the traceback from a message.
pub(crate) fn bare(message: &str) -> &str {
    message.rfind("\nstack traceback:").map_or(message, |end| &message[..end])
}

/// Splits a message into line and text. Lua's messages begin with their place: `level:12: text`. Everything after the
/// first line is a traceback.
pub(crate) fn placed(message: &str) -> (usize, &str) {
    let message = message.lines().next().unwrap_or("");
    let behind = message.strip_prefix(CHUNK).and_then(|rest| rest.strip_prefix(':'));
    let Some((line, words)) = behind.and_then(|rest| rest.split_once(':')) else { return (0, message) };
    match line.parse() {
        Ok(line) => (line, words.trim_start()),
        Err(_) => (0, message),
    }
}
