//! Detects files whose bytes are not the text of a des-file. They are identified in a message, and their bytes are
//! never shown.

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::{FileId, Span};
use splc_ir::wording::visible;

/// Returns true if the first statement is DUNGEON, which only a game's `dungeon.def` has.
fn describes_dungeons(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let after = first.and_then(|line| line.strip_prefix(b"DUNGEON"));
    after.is_some_and(|after| after.trim_ascii_start().starts_with(b":"))
}

/// The number of bytes of a file that are examined.
const LOOKED_AT: usize = 4096;

/// The number of NUL bytes from which a file is not text with a typo.
const MANY_NULS: usize = 4;

/// The byte-order mark that some editors write before UTF-8.
pub(crate) const MARK: &str = "\u{feff}";

/// Returns the error for the input called `name` if its `bytes` cannot be read as a des-file.
pub(crate) fn not_text(name: &str, bytes: &[u8]) -> Option<Diagnostic> {
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let nuls = memchr::memchr_iter(0, head).count();
    let alternate = |first: usize| {
        let every_other = head.iter().skip(first).step_by(2);
        nuls * 3 > head.len() && every_other.clone().filter(|&&byte| byte == 0).count() == nuls
    };
    let problem =
        |message: String, help: &str| Some(Diagnostic::new(Code::Lexical, None, message).with_help(help.to_owned()));
    let name = visible(name);
    if head.starts_with(b"\xff\xfe")
        || head.starts_with(b"\xfe\xff")
        || nuls >= MANY_NULS && (alternate(0) || alternate(1))
    {
        return problem(
            format!("{name} is in UTF-16"),
            "save it as UTF-8 or ASCII: the games read one byte per character",
        );
    }
    if nuls >= MANY_NULS {
        let message = format!("{name} is not text: it is neither a des-file nor a level file of a known game");
        return problem(message, "name a des-file or a level file; `splc targets` lists the known games");
    }
    if describes_dungeons(head) {
        let message = format!("{name} describes dungeons, not levels");
        return Some(
            Diagnostic::new(Code::Syntax, None, message).with_help(format!(
                "check it with `splc dungeon check {name}`, compile it with `splc dungeon compile`"
            )),
        );
    }
    let returns = memchr::memchr_iter(b'\r', head).count();
    if returns >= 2 && memchr::memchr(b'\n', bytes).is_none() {
        let message = format!("the lines of {name} end in carriage returns only");
        return problem(message, "save it with Unix (LF) or Windows (CRLF) line endings");
    }
    None
}

/// Returns the warning about a byte-order mark at the beginning of `file`.
pub(crate) fn marked(file: FileId) -> Diagnostic {
    let span = Span::new(file, 0, MARK.len());
    Diagnostic::new(Code::Lexical, span, "the file begins with a byte-order mark")
        .with_label("three invisible bytes")
        .with_help("save it as UTF-8 without it, or run `splc fix`")
        .with_suggestion(span, "", true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_named() {
        let said = |bytes: &[u8]| not_text("x", bytes).map(|problem| problem.message.to_string()).unwrap_or_default();
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        assert_eq!(said(&utf16("\u{feff}MAZE:\"a\",' '\n")), "x is in UTF-16");
        assert_eq!(said(&utf16("MAZE:\"a\",' '\n")), "x is in UTF-16");
        assert_eq!(said(b"MAZE:\"a\",' '\rNOMAP\r"), "the lines of x end in carriage returns only");
        let dungeons = "x describes dungeons, not levels";
        assert_eq!(said(b"# of the game\n\nDUNGEON: \"The Dungeons of Doom\" \"D\" (25,5)\n"), dungeons);
        assert!(said(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01").starts_with("x is not text"));
        for text in [&b"MAZE:\"a\",' '\nNOMAP\n"[..], b"MAZE:\"a\",' '\r\nNOMAP\r\n", b"INCLUDE \"a\0b\"\n", b"", b"\r"]
        {
            assert_eq!(said(text), "");
        }
    }
}
