//! The manual of the statements: a page each, for `splc explain`, for editors, and for the book.
//!
//! The text is in `manual/statements.md`. A page begins with a heading: the keyword of the statement, with the keywords
//! that only occur in it (`IF ELSE`), or a name in lower case for what has no keyword. Its sections are `Loader` (its
//! effect and order), `Dialects` (the differences), and examples with their dialects. Tests compile the examples.

use std::fmt::Write as _;
use std::sync::LazyLock;

use splc_ir::catalog::dialect::{self, Dialect};

use crate::teach::usage::{ASSIGNMENT, usage};

/// A page of the manual.
#[derive(Debug)]
pub struct Page {
    /// Its keywords, the statement's own first.
    pub words: Vec<&'static str>,
    /// The first sentences, its operands, and its sections, as Markdown.
    pub text: &'static str,
    /// Its examples.
    pub examples: Vec<Example>,
}

/// An example of a statement.
#[derive(Debug)]
pub struct Example {
    /// The names of the dialects in which it compiles.
    pub dialects: Vec<&'static str>,
    /// A whole des-file, or statements for a level with a map.
    pub text: &'static str,
}

/// Every page, in the order of the keywords.
pub static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let text = include_str!("manual/statements.md");
    let mut pages: Vec<Page> = Vec::new();
    // Headings in examples are comments of des-files.
    let starts = starts(text, "# ");
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(text.len());
        pages.push(page_of(&text[*start..end]));
    }
    pages
});

/// Returns the positions of the lines of `text` that begin with `marker`, outside of code blocks.
fn starts(text: &str, marker: &str) -> Vec<usize> {
    let (mut starts, mut at, mut in_block) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block && line.starts_with(marker) {
            starts.push(at);
        }
        at += line.len();
    }
    starts
}

/// Reads a page from its text, which begins with the heading.
fn page_of(text: &'static str) -> Page {
    let (heading, rest) = text.split_once('\n').unwrap_or((text, ""));
    let words = heading.trim_start_matches("# ").split(' ').collect();
    let examples = starts(rest, "## Example: ");
    let body = &rest[..examples.first().copied().unwrap_or(rest.len())];
    let example = |start: &usize| {
        let text = &rest[*start + "## Example: ".len()..];
        let (dialects, text) = text.split_once('\n').unwrap_or((text, ""));
        let text =
            text.split_once("```des\n").and_then(|(_, text)| text.split_once("```")).map_or("", |(text, _)| text);
        Example { dialects: dialects.split(' ').collect(), text }
    };
    Page { words, text: body.trim(), examples: examples.iter().map(example).collect() }
}

/// Returns the page about `word`: a keyword in any case, or a page's own name.
pub fn page(word: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.words.iter().any(|known| known.eq_ignore_ascii_case(word)))
}

impl Page {
    /// Returns the keyword of the statement, or the page's own name.
    pub fn word(&self) -> &'static str {
        self.words.first().copied().unwrap_or_default()
    }

    /// Returns its first sentences, in one line.
    pub fn summary(&self) -> String {
        self.text.split("\n\n").next().unwrap_or_default().replace('\n', " ")
    }

    /// Returns the dialects of des-files that have the statement.
    pub fn dialects(&self) -> impl Iterator<Item = &'static Dialect> {
        dialect::ALL.iter().filter(|dialect| self.example(dialect).is_some())
    }

    /// Returns the example for `dialect`.
    pub fn example(&self, dialect: &Dialect) -> Option<&Example> {
        self.examples.iter().find(|example| example.dialects.contains(&dialect.name))
    }

    /// Returns the syntax in one line, for each group of dialects that share it.
    pub fn syntax(&self) -> Vec<(Vec<&'static Dialect>, &'static str)> {
        let mut groups: Vec<(Vec<&Dialect>, &str)> = Vec::new();
        let word = if self.word() == "assignment" { ASSIGNMENT } else { self.word() };
        for dialect in self.dialects() {
            let Some(line) = dialect.default_target().and_then(|catalog| usage(word, catalog)) else { continue };
            match groups.iter_mut().find(|(_, known)| *known == line) {
                Some((dialects, _)) => dialects.push(dialect),
                None => groups.push((vec![dialect], line)),
            }
        }
        groups
    }

    /// Returns the whole page as Markdown, with headings of the second level for its sections.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n\n", self.words.join(", "), self.summary());
        let syntax = self.syntax();
        if !syntax.is_empty() {
            text.push_str("## Syntax\n\n");
            for (dialects, line) in syntax {
                let _ = writeln!(text, "- {}:\n  `{line}`", titles(&dialects));
            }
            text.push('\n');
        }
        if let Some((_, rest)) = self.text.split_once("\n\n") {
            let _ = writeln!(text, "{rest}\n");
        }
        for example in &self.examples {
            let dialects: Vec<&Dialect> = example.dialects.iter().filter_map(|name| Dialect::by_name(name)).collect();
            let _ = writeln!(text, "## Example for {}\n\n```des\n{}```\n", titles(&dialects), example.text);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

/// Returns the titles of `dialects`, separated by commas.
pub fn titles(dialects: &[&Dialect]) -> String {
    dialects.iter().map(|dialect| dialect.title).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use splc_ir::catalog::dialect;

    use super::*;
    use crate::teach::usage::words;

    #[test]
    fn each_keyword_of_a_statement_has_a_page() {
        for dialect in dialect::ALL {
            let catalog = dialect.default_target().unwrap();
            let own = catalog.all_keywords().iter().map(|word| word.as_ref());
            let own = own.filter(|word| word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_'));
            for word in own.chain(words(catalog)) {
                assert!(page(word).is_some(), "{word} of {} has no page", dialect.title);
            }
        }
    }

    #[test]
    fn pages_are_complete() {
        assert!(PAGES.windows(2).all(|pair| pair[0].word() < pair[1].word()));
        let mut files: Vec<String> = PAGES.iter().map(|page| page.word().to_lowercase()).collect();
        files.sort();
        assert!(files.windows(2).all(|pair| pair[0] != pair[1]), "two pages differ in case only");
        for page in PAGES.iter() {
            assert!(!page.summary().is_empty() && page.dialects().next().is_some(), "{}", page.word());
            for example in &page.examples {
                assert!(!example.text.is_empty(), "{}", page.word());
                assert!(example.dialects.iter().all(|name| Dialect::by_name(name).is_some()), "{}", page.word());
            }
            let text = page.markdown();
            assert!(page.examples.iter().all(|example| text.contains(example.text)), "{text}");
        }
    }

    #[test]
    fn a_page_is_found_by_any_of_its_keywords() {
        assert_eq!(page("monster").unwrap().word(), "MONSTER");
        assert_eq!(page("ENDMAP").unwrap().word(), "GEOMETRY");
        assert!(page("MONSTRE").is_none());
    }
}
