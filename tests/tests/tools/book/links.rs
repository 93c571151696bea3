//! The links of the pages, and the table of contents.

use super::*;

/// Returns the targets of the links and pictures of a page, without those in code.
pub fn targets(page: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut in_block = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            let links = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
            let sources = ["src=\"", "srcset=\""].into_iter().flat_map(|key| line.split(key).skip(1));
            targets.extend(links.chain(sources.filter_map(|rest| rest.split_once('"')).map(|(target, _)| target)));
        }
    }
    targets
}

/// Returns the link anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// Returns the anchors of the headings of a page, outside of code blocks.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut in_block = false;
    let mut anchors = BTreeSet::new();
    for line in page.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block && line.starts_with('#') {
            anchors.insert(anchor(line));
        }
    }
    anchors
}

#[test]
fn links_have_targets() {
    let mut links = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        let here = path(&page);
        let contents = text(&page);
        for target in targets(&contents) {
            if target.contains("://") {
                continue;
            }
            links += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let there = if file.is_empty() { here.clone() } else { here.parent().unwrap().join(file) };
            let found = there.exists()
                && (heading.is_empty() || anchors(&fs::read_to_string(&there).unwrap()).contains(heading));
            if !found {
                wrong.push(format!("{page} links to {target}"));
            }
        }
    }
    println!("{links} links have targets");
    assert!(wrong.is_empty() && links > 300, "{links} links, wrong are {wrong:#?}");
}

#[test]
fn each_page_is_in_the_table_of_contents() {
    let contents = text("docs/SUMMARY.md");
    let listed: BTreeSet<&str> = targets(&contents).into_iter().collect();
    let moved = |page: &str| !page.contains('/');
    for page in pages() {
        let Some(page) = page.strip_prefix("docs/") else { continue };
        if page == "index.md" || !moved(page) {
            assert!(listed.contains(page), "docs/SUMMARY.md does not list {page}");
        }
    }
    // An old address is a short page with a link to the new one.
    for page in pages().iter().filter(|page| page.strip_prefix("docs/").is_some_and(moved)) {
        if !["docs/SUMMARY.md", "docs/index.md"].contains(&page.as_str()) {
            let text = text(page);
            assert!(text.lines().count() < 8 && text.contains("moved to ["), "{page} is neither listed nor moved");
        }
    }
}
