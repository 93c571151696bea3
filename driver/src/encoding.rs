//! Files whose bytes are not the text of a des-file: named, so that nobody has to guess, and never shown.

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::{FileId, Span};
use splc_ir::wording::visible;

/// How much of a file is looked at.
const LOOKED_AT: usize = 4096;

/// How many NUL bytes in it make it something else than text with a slip.
const MANY_NULS: usize = 4;

/// The mark that some editors put before UTF-8.
pub(crate) const MARK: &str = "\u{feff}";

/// What the input called `name` is, if its `bytes` are not to be read as a des-file.
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
            "save it as UTF-8 or ASCII: the games read a byte for each character",
        );
    }
    if nuls >= MANY_NULS {
        let message = format!("{name} is not text: it is neither a des-file nor a level file of a known game");
        return problem(message, "name a des-file, or a level file; `splc targets` lists the known games");
    }
    let returns = memchr::memchr_iter(b'\r', head).count();
    if returns >= 2 && memchr::memchr(b'\n', bytes).is_none() {
        let message = format!("the lines of {name} end in carriage returns alone");
        return problem(message, "save it with line feeds, as Unix has them, or with both, as Windows has them");
    }
    None
}

/// What is said about a mark at the beginning of `file`.
pub(crate) fn marked(file: FileId) -> Diagnostic {
    let span = Span::new(file, 0, MARK.len());
    Diagnostic::new(Code::Lexical, span, "the file begins with a byte-order mark")
        .with_label("three bytes that nobody sees")
        .with_help("save it as UTF-8 without one, or let `splc fix` remove it")
        .with_suggestion(span, "", true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_named() {
        let said = |bytes: &[u8]| not_text("x", bytes).map(|problem| problem.message.into_owned()).unwrap_or_default();
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        assert_eq!(said(&utf16("\u{feff}MAZE:\"a\",' '\n")), "x is in UTF-16");
        assert_eq!(said(&utf16("MAZE:\"a\",' '\n")), "x is in UTF-16");
        assert_eq!(said(b"MAZE:\"a\",' '\rNOMAP\r"), "the lines of x end in carriage returns alone");
        assert!(said(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01").starts_with("x is not text"));
        for text in [&b"MAZE:\"a\",' '\nNOMAP\n"[..], b"MAZE:\"a\",' '\r\nNOMAP\r\n", b"INCLUDE \"a\0b\"\n", b"", b"\r"]
        {
            assert_eq!(said(text), "");
        }
    }
}
