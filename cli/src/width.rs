//! Widths of the terminal.

use std::io::{self, IsTerminal};

use terminal_size::{Width, terminal_size_of};

/// Columns of text that is not for a terminal.
pub const USUAL: usize = 80;
/// Least and greatest number of columns that text is wrapped to. Longer lines are hard to read.
const BOUNDS: [usize; 2] = [40, 140];

/// Returns the columns of text on the standard output.
pub fn output() -> usize {
    terminal().unwrap_or(USUAL)
}

/// Returns the columns of the standard output, or `None` if that is not a terminal.
pub fn terminal() -> Option<usize> {
    of_terminal(io::stdout())
}

/// Returns the columns of text on the standard error, or `None` if that is not a terminal.
pub fn errors() -> Option<usize> {
    of_terminal(io::stderr())
}

/// Wraps the paragraphs of a text for a terminal. Lines that begin with four blanks are not wrapped. Without a
/// terminal, the text stays as it is.
pub fn fitted(text: &str) -> String {
    let Some(width) = terminal() else { return text.to_owned() };
    let line = |line: &str| match line {
        line if line.starts_with("    ") => line.to_owned(),
        // Rows of tables, and entries of lists.
        line if line.starts_with(['|', '-', '*']) => splc_ir::wording::wrapped(line, width, "    "),
        line => splc_ir::wording::wrapped(line, width, ""),
    };
    let mut fitted = String::with_capacity(text.len());
    for part in text.split_inclusive('\n') {
        fitted.push_str(&line(part.trim_end_matches('\n')));
        if part.ends_with('\n') {
            fitted.push('\n');
        }
    }
    fitted
}

#[cfg(unix)]
fn of_terminal(stream: impl IsTerminal + std::os::fd::AsFd) -> Option<usize> {
    let (Width(width), _) = stream.is_terminal().then(|| terminal_size_of(stream)).flatten()?;
    Some(usize::from(width).clamp(BOUNDS[0], BOUNDS[1]))
}

#[cfg(windows)]
fn of_terminal(stream: impl IsTerminal + std::os::windows::io::AsHandle) -> Option<usize> {
    let (Width(width), _) = stream.is_terminal().then(|| terminal_size_of(stream)).flatten()?;
    Some(usize::from(width).clamp(BOUNDS[0], BOUNDS[1]))
}
