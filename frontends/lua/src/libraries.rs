//! The libraries of a level, by name.

use super::functions::{Function, Library};
use super::{des, nh, selection};

/// The libraries of a level, in addition to Lua's own.
pub const LIBRARIES: &[&Library] = &[&des::DES, &selection::SELECTION, &nh::NH, &nh::U, &nh::OBJ];

/// Returns the library with the global name `name`.
pub fn library(name: &str) -> Option<&'static Library> {
    LIBRARIES.iter().copied().find(|library| library.name == name)
}

/// Returns the function `name` of the library `library`, as in `des.monster`.
pub fn function(library: &str, name: &str) -> Option<&'static Function> {
    self::library(library)?.function(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::Need;

    #[test]
    fn names_and_keys_are_unique_and_tables_have_keys() {
        let catalog = splc_ir::catalog::Catalog::by_name("nethack-5.0.0").unwrap();
        for library in LIBRARIES {
            for (at, function) in library.functions.iter().enumerate() {
                assert!(library.functions[..at].iter().all(|other| other.name != function.name), "{}", function.name);
                assert!(!function.forms.is_empty(), "{}", function.name);
                let keys: Vec<&str> = function.keys(catalog).map(|key| key.name).collect();
                assert_eq!(function.takes_keys(), !keys.is_empty(), "{}", function.name);
                for (at, key) in keys.iter().enumerate() {
                    assert!(!keys[..at].contains(key), "{key}");
                }
                for form in function.forms {
                    let optional = form.arguments.iter().skip_while(|argument| argument.need == Need::Required);
                    assert!(optional.skip(1).all(|argument| argument.need == Need::Optional), "{}", function.name);
                }
            }
        }
    }
}
