//! Comments and blank lines next to the tree: no part of a source is lost.

use splc_ir::level::TriviaKind;
use splc_ir::source::{FileId, SourceMap};
use splc_tests::corpus_files;

/// Returns the comments by lines. In the corpus, a `#` at the beginning of a line always starts a comment, except in
/// maps and in strings of several lines.
fn comment_lines(text: &str) -> Vec<String> {
    let (mut in_map, mut in_text) = (false, false);
    let mut comments = Vec::new();
    for line in text.lines() {
        in_map = (in_map || line.trim_end() == "MAP") && !line.trim_start().starts_with("ENDMAP");
        if !in_map && !in_text && line.starts_with('#') {
            comments.push(line.trim().to_owned());
        } else if !in_map {
            in_text ^= line.replace("'\"'", "").matches('"').count() % 2 == 1;
        }
    }
    comments
}

#[test]
fn comments_and_blank_lines_of_the_corpus_are_all_found() {
    let (mut comments, mut blank) = (0, 0);
    for (path, catalog) in corpus_files() {
        let mut sources = SourceMap::new();
        let file = sources.add(path.to_string_lossy(), Some(path.clone()), std::fs::read(&path).unwrap());
        let trivia = splc_frontends::trivia(&sources, file, catalog);
        let text = sources.get(FileId(0)).text.as_str();
        for pair in trivia.windows(2) {
            assert!(pair[0].span.end <= pair[1].span.start, "{}: {pair:?}", path.display());
        }
        let mut found: Vec<String> = Vec::new();
        for trivia in &trivia {
            let under = &text[trivia.span.start as usize..trivia.span.end as usize];
            match trivia.kind {
                TriviaKind::BlankLines => {
                    assert!(under.trim().is_empty() && under.ends_with('\n'), "{}: {trivia:?}", path.display());
                    blank += under.matches('\n').count();
                }
                TriviaKind::Else => assert_eq!(under, "ELSE", "{}: {trivia:?}", path.display()),
                TriviaKind::Skipped => assert_eq!(under, "MAP", "{}: {trivia:?}", path.display()),
                TriviaKind::Comment | TriviaKind::TrailingComment => {
                    assert_eq!(under, trivia.text.as_str());
                    assert!(under.starts_with('#'), "{}: {trivia:?}", path.display());
                    found.push(under.to_owned());
                }
            }
        }
        let missing: Vec<String> = comment_lines(text).into_iter().filter(|comment| !found.contains(comment)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", path.display());
        comments += found.len();
    }
    println!("{comments} comments, {blank} blank lines");
    assert!(comments > 100 && blank > 100, "{comments} comments, {blank} blank lines");
}
