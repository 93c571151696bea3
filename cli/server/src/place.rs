//! Paths of files, and their URIs in the protocol.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gen_lsp_types as lsp;

/// Returns the path of `uri`. A URI without a file, such as that of an unsaved text, is its own path.
pub(crate) fn path(uri: &lsp::Uri) -> PathBuf {
    let Some(rest) = uri.0.strip_prefix("file://") else { return PathBuf::from(&uri.0) };
    // The host comes before the path, and is empty or this machine.
    let path = rest.find('/').map_or("", |slash| &rest[slash..]);
    let decoded = decoded(path);
    // Windows: `/c:/levels`.
    let drive = decoded.as_bytes();
    let is_drive = drive.len() > 2 && drive[1].is_ascii_alphabetic() && drive[2] == b':';
    PathBuf::from(if is_drive { &decoded[1..] } else { decoded.as_str() })
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = |at: usize| after.get(at).and_then(|&digit| char::from(digit).to_digit(16));
        match (first, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Returns the URI of the file at `path`.
pub(crate) fn uri(path: &Path) -> lsp::Uri {
    let text = path.to_string_lossy();
    // The path of a URI without a file.
    if text
        .split_once(':')
        .is_some_and(|(scheme, _)| scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphabetic()))
    {
        return lsp::Uri(text.into_owned());
    }
    let text = text.replace('\\', if cfg!(windows) { "/" } else { "\\" });
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) && (cfg!(windows) || byte != b':') {
            uri.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    lsp::Uri(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_a_round_trip() {
        for name in ["/a/b.des", "/a b/ü%20.des", "untitled:Untitled-1", "/x/(stdin)#1?.lua"] {
            assert_eq!(path(&uri(Path::new(name))), PathBuf::from(name), "{name}");
        }
        assert_eq!(path(&"file:///c%3A/levels/a.des".into()), PathBuf::from("c:/levels/a.des"));
        assert_eq!(path(&"file://localhost/a%2".into()), PathBuf::from("/a%2"));
    }
}
