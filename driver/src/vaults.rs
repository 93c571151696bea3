//! `vaults.dat`: the list of random vaults that UnNetHack and SporkHack choose from.
//!
//! A line is a weight, a blank and the name of a level. The games' compilers append a line for each vault that
//! they compile, so that compiling twice lists it twice; here a level has one line.

use std::collections::{HashMap, HashSet};

use splc_ir::source::Charset;

/// Name of the list.
pub const FILE_NAME: &str = "vaults.dat";

/// A random vault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vault {
    /// Name of its level, in the bytes that the game has for it.
    pub name: Vec<u8>,
    /// How often it is chosen, beside the weights of the others.
    pub weight: i32,
}

impl Vault {
    pub(crate) fn new(name: &str, charset: Charset, weight: i32) -> Self {
        let mut bytes = Vec::with_capacity(name.len());
        charset.encode_into(name, &mut bytes);
        Vault { name: bytes, weight }
    }
}

/// The list `existing` with `vaults` in it: a level that is listed gets its new weight where it stands, others follow
/// at the end. What else is in the list stays as it is.
pub fn update(existing: &[u8], vaults: &[Vault]) -> Vec<u8> {
    let mut weights: HashMap<&[u8], i32> = HashMap::with_capacity(vaults.len());
    weights.extend(vaults.iter().map(|vault| (vault.name.as_slice(), vault.weight)));
    let mut list = Vec::with_capacity(existing.len() + vaults.len() * 16);
    let mut listed = HashSet::new();
    for line in existing.split_inclusive(|&byte| byte == b'\n') {
        match name_in(line).and_then(|name| weights.get_key_value(name)) {
            None => {
                list.extend_from_slice(line);
                if !line.ends_with(b"\n") {
                    list.push(b'\n');
                }
            }
            Some((&name, &weight)) if listed.insert(name) => push(&mut list, name, weight),
            // Listed twice by a compiler that only appends.
            Some(_) => {}
        }
    }
    for Vault { name, .. } in vaults {
        let name = name.as_slice();
        if let Some(&weight) = weights.get(name).filter(|_| listed.insert(name)) {
            push(&mut list, name, weight);
        }
    }
    list
}

fn push(list: &mut Vec<u8>, name: &[u8], weight: i32) {
    list.extend_from_slice(weight.to_string().as_bytes());
    list.push(b' ');
    list.extend_from_slice(name);
    list.push(b'\n');
}

/// The names of the levels that are in `list`.
pub fn names(list: &[u8]) -> Vec<String> {
    let lines = list.split(|&byte| byte == b'\n').filter_map(name_in);
    lines.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// The name in a line of the list.
fn name_in(line: &[u8]) -> Option<&[u8]> {
    let blank = line.iter().position(|&byte| byte == b' ')?;
    Some(line[blank + 1..].trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(existing: &[u8], vaults: &[(&[u8], i32)]) -> Vec<u8> {
        let vaults: Vec<Vault> = vaults.iter().map(|&(name, weight)| Vault { name: name.to_vec(), weight }).collect();
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
