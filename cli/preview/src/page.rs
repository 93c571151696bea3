//! The page: its document, its style and its script, in the forms in which it is shown.
//!
//! The script consists of modules, which are checked as such (`tsc --checkJs`), and is joined to one file, so that a
//! page loads one script, and an exported page contains it.

use siphasher::sip128::SipHasher13;

use crate::desk::{Answer, Desk, Request};
use crate::limits::MAX_EXPORTED_SEEDS;

/// The document without its style, script and data.
const DOCUMENT: &str = include_str!("page/page.html");

/// The style sheet.
pub const STYLE: &str = include_str!("page/page.css");

/// The modules of the script, each after those that it uses.
const MODULES: &[&str] = &[
    include_str!("page/tiles.js"),
    include_str!("page/channel.js"),
    include_str!("page/level.js"),
    include_str!("page/map.js"),
    include_str!("page/source.js"),
    include_str!("page/panels.js"),
    include_str!("page/main.js"),
];

/// Number of seeds of chances and findings in an exported page.
const EXPORTED_CHANCES: u64 = 1000;
const EXPORTED_TESTS: u64 = 200;

/// Joins the modules to one script.
pub fn script() -> String {
    let mut script = String::new();
    for module in MODULES {
        for line in module.lines().filter(|line| !line.starts_with("import ")) {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

/// Returns the page for a browser that loads style and script from the server.
pub fn served() -> String {
    let head = "<link rel=\"stylesheet\" href=\"/page.css\">\n<script type=\"module\" src=\"/page.js\"></script>";
    DOCUMENT.replace("<!--head-->", head).replace("<!--data-->", "")
}

/// Returns the page for a webview of an editor, whose host answers the messages of the page. `nonce` is a fresh random
/// text of letters and digits.
pub fn webview(nonce: &str) -> String {
    whole(nonce, "")
}

/// Returns the page with its style and script, which the content security policy allows by `nonce`, and nothing else.
fn whole(nonce: &str, data: &str) -> String {
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
         style-src 'nonce-{nonce}'; img-src data:\">\n<style nonce=\"{nonce}\">\n{STYLE}</style>\n\
         <script type=\"module\" nonce=\"{nonce}\">\n{}</script>",
        script()
    );
    DOCUMENT.replace("<!--head-->", &head).replace("<!--data-->", data)
}

/// Writes the page as one file, which needs neither a server nor a network. It contains every level of `desk` with the
/// seeds 1 to `seeds`.
///
/// # Errors
/// Fails if the number of seeds is 0 or too large.
pub fn export(desk: &Desk, seeds: u64) -> Result<String, String> {
    if !(1..=MAX_EXPORTED_SEEDS).contains(&seeds) {
        return Err(format!("a page has 1 to {MAX_EXPORTED_SEEDS} seeds"));
    }
    let mut data = String::from("{\"seeds\":");
    data.push_str(&seeds.to_string());
    data.push_str(",\"answers\":{");
    let mut first = true;
    let mut add = |request: Request| {
        let question = serde_json::to_string(&request).unwrap_or_default();
        let key = serde_json::to_string(&question).unwrap_or_default();
        if !std::mem::take(&mut first) {
            data.push(',');
        }
        data.push_str(&key);
        data.push(':');
        let answer: Answer<'_> = desk.answer(&request);
        data.push_str(&answer.json());
    };
    add(Request::Files);
    for (file, sheet) in desk.sheets.iter().enumerate() {
        let levels = sheet.loaded().map_or(0, |loaded| loaded.levels.len());
        for level in 0..levels {
            for seed in 1..=seeds {
                add(Request::Level { file, level, seed });
            }
            add(Request::Story { file, level, seed: 1 });
            add(Request::Chances { file, level, seeds: EXPORTED_CHANCES });
            add(Request::Findings { file, level, seeds: EXPORTED_TESTS });
        }
    }
    data.push_str("}}");
    // No text of a level ends the element.
    let data = data.replace('<', "\\u003c");
    // Equal pages have equal bytes. A text of a level cannot contain the hash of itself.
    let nonce = format!("{:032x}", SipHasher13::new().hash(data.as_bytes()).as_u128());
    Ok(whole(&nonce, &format!("<script type=\"application/json\" id=\"data\">{data}</script>")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_script_has_no_imports_and_names_each_thing_once() {
        let script = script();
        assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        let mut names: Vec<&str> = script
            .lines()
            .filter_map(|line| {
                let words = ["function ", "async function ", "class ", "const ", "let "];
                let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
                rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$').next()
            })
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(names.len() > 20 && twice.is_empty(), "{twice:?}");
    }
}
