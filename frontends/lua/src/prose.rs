//! Prose about the functions of the game and the keys of their tables, for the reference, hovers, and definitions.

/// Lines `library.function: prose`, `library.function.key: prose`, `*.key: prose` and `global(parameters): prose`.
const PROSE: &str = include_str!("prose.txt");

fn of(name: &str) -> Option<&'static str> {
    PROSE.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// Returns the sentences about the function `function` of `library`.
pub fn of_function(library: &str, function: &str) -> Option<&'static str> {
    of(&format!("{library}.{function}"))
}

/// Returns the phrase about a key of that function's table.
pub fn of_key(library: &str, function: &str, key: &str) -> Option<&'static str> {
    of(&format!("{library}.{function}.{key}")).or_else(|| of(&format!("*.{key}")))
}

/// Returns the call of a global function of the game, and the sentences about it.
pub fn of_global(name: &str) -> Option<(&'static str, &'static str)> {
    PROSE.lines().filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))).find_map(|line| {
        let (call, prose) = line.split_once("): ")?;
        Some((line.get(..call.len() + 1)?, prose))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libraries::LIBRARIES;

    #[test]
    fn every_function_and_key_has_prose_and_all_prose_is_used() {
        let catalog = splc_ir::catalog::Catalog::by_name("nethack-5.0.0").unwrap();
        let mut known = Vec::new();
        for library in LIBRARIES {
            for function in library.functions {
                let name = format!("{}.{}", library.name, function.name);
                assert!(of_function(library.name, function.name).is_some_and(|text| text.ends_with('.')), "{name}");
                for key in function.keys(catalog) {
                    let text = of_key(library.name, function.name, key.name);
                    assert!(text.is_some_and(|text| !text.ends_with('.')), "{name}: {}", key.name);
                    known.extend([format!("{name}.{}", key.name), format!("*.{}", key.name)]);
                }
                known.push(name);
            }
        }
        for line in PROSE.lines().filter(|line| !line.starts_with('#')) {
            let (name, _) = line.split_once(": ").unwrap();
            let global = name.split('(').next().filter(|global| global.len() < name.len());
            if let Some(global) = global {
                assert!(crate::sandbox::GAME.iter().any(|(known, _)| *known == global), "{line}");
                assert_eq!(of_global(global).map(|(call, _)| call), Some(name));
                continue;
            }
            assert!(known.iter().any(|known| known == name), "nothing is called {name}");
        }
    }
}
