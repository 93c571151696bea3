//! `vaults.dat`: the list of random vaults from which UnNetHack and SporkHack choose.
//!
//! A line is a weight, a blank and the name of a level. In games with MINDEPTH, the minimum depth of the vault and a
//! blank come first. The games' compilers append a line for each vault that they compile, so that compiling twice lists
//! it twice. Here each level has one line.

use std::collections::{HashMap, HashSet};

use splc_ir::source::Charset;

/// Name of the list.
pub const FILE_NAME: &str = "vaults.dat";

/// A random vault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vault {
    /// Name of its level, in the game's encoding.
    pub name: Vec<u8>,
    /// Its weight in the random choice.
    pub weight: i32,
    /// Its minimum depth, in lists that have one.
    pub depth: Option<i32>,
}

impl Vault {
    pub(crate) fn new(name: &str, charset: Charset, weight: i32, depth: Option<i32>) -> Self {
        let mut bytes = Vec::with_capacity(name.len());
        charset.encode_into(name, &mut bytes);
        Vault { name: bytes, weight, depth }
    }
}

/// Returns the list `existing` with `vaults` added: a listed level gets its new weight in place, others are appended.
/// Everything else in the list stays as it is.
pub fn update(existing: &[u8], vaults: &[Vault]) -> Vec<u8> {
    let mut known: HashMap<&[u8], &Vault> = HashMap::with_capacity(vaults.len());
    known.extend(vaults.iter().map(|vault| (vault.name.as_slice(), vault)));
    let has_depths = vaults.iter().any(|vault| vault.depth.is_some());
    let mut list = Vec::with_capacity(existing.len() + vaults.len() * 16);
    let mut listed = HashSet::new();
    for line in existing.split_inclusive(|&byte| byte == b'\n') {
        match name_in(line, has_depths).and_then(|name| known.get_key_value(name)) {
            None => {
                list.extend_from_slice(line);
                if !line.ends_with(b"\n") {
                    list.push(b'\n');
                }
            }
            Some((&name, vault)) if listed.insert(name) => push(&mut list, vault),
            // A duplicate from a compiler that only appends.
            Some(_) => {}
        }
    }
    for Vault { name, .. } in vaults {
        let name = name.as_slice();
        if let Some(vault) = known.get(name).filter(|_| listed.insert(name)) {
            push(&mut list, vault);
        }
    }
    list
}

fn push(list: &mut Vec<u8>, vault: &Vault) {
    for number in vault.depth.into_iter().chain([vault.weight]) {
        list.extend_from_slice(number.to_string().as_bytes());
        list.push(b' ');
    }
    list.extend_from_slice(&vault.name);
    list.push(b'\n');
}

/// Returns the names of the levels in `list`.
pub fn names(list: &[u8]) -> Vec<String> {
    // No level name begins with a number and a blank.
    let starts_twice =
        |line: &[u8]| line.split(|&byte| byte == b' ').nth(1).is_some_and(|word| word.iter().all(u8::is_ascii_digit));
    let has_depths = list
        .split(|&byte| byte == b'\n')
        .any(|line| line.iter().filter(|&&byte| byte == b' ').count() > 1 && starts_twice(line));
    let lines = list.split(|&byte| byte == b'\n').filter_map(|line| name_in(line, has_depths));
    lines.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// Returns the name in a line of the list.
fn name_in(line: &[u8], has_depths: bool) -> Option<&[u8]> {
    let mut blanks = line.iter().enumerate().filter(|(_, byte)| **byte == b' ').map(|(at, _)| at);
    let blank = blanks.nth(usize::from(has_depths))?;
    Some(line[blank + 1..].trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(existing: &[u8], vaults: &[(&[u8], i32)]) -> Vec<u8> {
        let vaults: Vec<Vault> =
            vaults.iter().map(|&(name, weight)| Vault { name: name.to_vec(), weight, depth: None }).collect();
        super::update(existing, &vaults)
    }

    #[test]
    fn vaults_are_listed_in_order() {
        assert_eq!(update(b"", &[(b"b", 1), (b"a", 2000)]), b"1 b\n2000 a\n");
    }

    #[test]
    fn a_listed_vault_is_replaced_in_place() {
        assert_eq!(update(b"1 a\n2 b\n3 c\n", &[(b"b", 9), (b"d", 4)]), b"1 a\n9 b\n3 c\n4 d\n");
    }

    #[test]
    fn a_vault_listed_twice_is_listed_once() {
        assert_eq!(update(b"1 a\n2 b\n1 a\n", &[(b"a", 5)]), b"5 a\n2 b\n");
        assert_eq!(update(b"", &[(b"a", 5), (b"b", 1), (b"a", 6)]), b"6 a\n1 b\n");
    }

    #[test]
    fn depths_stand_before_weights() {
        let vault = |name: &[u8], weight, depth| Vault { name: name.to_vec(), weight, depth: Some(depth) };
        let list = super::update(b"0 1 a\n", &[vault(b"a", 5, 12), vault(b"b", 1, 0)]);
        assert_eq!(list, b"12 5 a\n0 1 b\n");
        assert_eq!(names(&list), ["a", "b"]);
        assert_eq!(names(b"5 a\n1 b\n"), ["a", "b"]);
    }

    #[test]
    fn strange_lines_stay() {
        assert_eq!(update(b"# mine\r\n\nx y z\r\n7 last", &[(b"a", 1)]), b"# mine\r\n\nx y z\r\n7 last\n1 a\n");
        assert_eq!(update(b"1 a\r\n", &[(b"a", 2)]), b"2 a\n");
    }

    #[test]
    fn updating_twice_changes_nothing() {
        let once = update(b"3 x\n", &[(b"a", 1), (b"b", 2)]);
        assert_eq!(update(&once, &[(b"a", 1), (b"b", 2)]), once);
    }
}
