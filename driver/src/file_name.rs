//! Names of output files. They come from the input, and must not lead out of the output folder.

/// A system with rules for file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Unix.
    Unix,
    /// Windows.
    Windows,
}

/// The system that splc runs on.
pub const SYSTEM: System = if cfg!(windows) { System::Windows } else { System::Unix };

/// Checks that `name`, which may be untrusted, can be part of a file name that stays in its folder.
///
/// # Errors
/// A description of the problem.
pub fn check_file_name(name: &str, system: System) -> Result<(), &'static str> {
    // Windows reserves these names for devices, whatever the extension.
    const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];
    if name.is_empty() {
        return Err("it is empty");
    }
    if name.contains(['/', '\\']) {
        return Err("it contains a path separator");
    }
    if name.contains("..") {
        return Err("it contains \"..\"");
    }
    if name.contains('\0') {
        return Err("it contains a NUL");
    }
    if name.chars().any(char::is_control) {
        return Err("it contains a control character");
    }
    if system == System::Windows {
        let base = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
        let numbered = ["com", "lpt"]
            .iter()
            .any(|device| base.strip_prefix(device).is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9'])));
        if numbered || DEVICES.contains(&base.as_str()) {
            return Err("it is a device name");
        }
        if name.contains(['<', '>', ':', '"', '|', '?', '*']) {
            return Err("it contains a character that file names cannot have");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_the_folder_are_rejected() {
        for name in ["", "a/b", "a\\b", "..", "../a", "a..b", "a\0b", "a\nb", "\u{1b}[2J", "\u{85}"] {
            assert!(check_file_name(name, System::Unix).is_err(), "{name:?}");
            assert!(check_file_name(name, System::Windows).is_err(), "{name:?}");
        }
        for name in ["bigrm-1", "a.b", "a b", "\u{e9}", "x*", "con"] {
            assert_eq!(check_file_name(name, System::Unix), Ok(()), "{name:?}");
        }
    }

    #[test]
    fn names_of_devices_are_rejected_on_windows() {
        for name in ["con", "CON", "nul.x", "com1", "LPT9", "a:b", "a?"] {
            assert!(check_file_name(name, System::Windows).is_err(), "{name:?}");
        }
        for name in ["castle", "com", "com10", "console", "lpt"] {
            assert_eq!(check_file_name(name, System::Windows), Ok(()), "{name:?}");
        }
    }
}
