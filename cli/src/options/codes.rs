//! Codes and names of diagnostics as values of options.

use splc_ir::diagnostic::{Code, did_you_mean};

/// Parses a code or name of a diagnostic.
///
/// # Errors
/// Returns a message if no diagnostic has that name.
pub fn any_code(name: &str) -> Result<Code, String> {
    code(name).ok_or_else(|| {
        // The letter for error, warning or note is the part people remember worst.
        let number = name.get(1..).filter(|number| number.len() == 4);
        let same_number = Code::ALL.iter().find(|code| number.is_some_and(|number| code.as_str().ends_with(number)));
        match same_number {
            Some(code) => format!("unknown diagnostic; did you mean \"{}\"?", code.as_str()),
            None => unknown_code("unknown diagnostic", name, |_| true),
        }
    })
}

/// Finds a code by its name or its number.
pub fn code(name: &str) -> Option<Code> {
    Code::ALL.iter().copied().find(|code| code.name() == name || code.as_str().eq_ignore_ascii_case(name))
}

/// Returns `message` with the nearest names of the codes that fit.
pub fn unknown_code(message: &str, name: &str, which: impl Fn(Code) -> bool) -> String {
    let known = Code::ALL.iter().copied().filter(|&code| which(code)).flat_map(|code| [code.name(), code.as_str()]);
    let near = did_you_mean(name, known).unwrap_or_else(|| "`splc explain` lists them".to_owned());
    format!("{message}; {near}")
}
