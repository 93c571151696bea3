//! Recordings of a terminal: SVG files that play commands and their outputs. They are made from what the commands
//! print, so a recording that is out of date fails the test like any other picture.

use std::fmt::Write as _;

/// Columns of the terminal.
const COLUMNS: usize = 90;

/// Rows that are visible at once.
const ROWS: usize = 26;

/// Width and height of a character.
const CELL: (f64, f64) = (8.4, 18.0);

/// Seconds between two typed characters, before the output of a command, and to read a line of output.
const TYPING: f64 = 0.03;
const WAITING: f64 = 0.4;
const READING: f64 = 0.22;

/// Seconds at the end, before the recording starts again.
const END: f64 = 6.0;

/// A command with its output, which may have colours as a terminal takes them.
pub struct Step {
    pub command: String,
    pub output: String,
}

/// A line of the terminal.
struct Line {
    /// The runs of characters with one style.
    runs: Vec<(String, String)>,
    /// The second at which it appears.
    at: f64,
    /// True if it is typed.
    typed: bool,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Splits a line into runs, whose style is a list of classes: `b` for bold, `cN` for a colour.
fn runs(line: &str) -> Vec<(String, String)> {
    let mut runs: Vec<(String, String)> = Vec::new();
    let (mut is_bold, mut color) = (false, None);
    for part in format!("\u{1b}[0m{line}").split("\u{1b}[").skip(1) {
        let Some((codes, text)) = part.split_once('m') else { continue };
        let codes: Vec<usize> = codes.split(';').map(|code| code.parse().unwrap_or(0)).collect();
        match codes[..] {
            [38, 5, number] => color = Some(number),
            _ => {
                for code in codes {
                    match code {
                        0 => (is_bold, color) = (false, None),
                        1 => is_bold = true,
                        30..=37 => color = Some(code - 30),
                        39 => color = None,
                        90..=97 => color = Some(code - 82),
                        _ => {}
                    }
                }
            }
        }
        if !text.is_empty() {
            let color = color.map(|color| format!("c{color}"));
            let classes: Vec<String> = is_bold.then(|| "b".to_owned()).into_iter().chain(color).collect();
            runs.push((classes.join(" "), text.to_owned()));
        }
    }
    runs
}

/// Breaks a line at the last column, as a terminal does.
fn wrapped(runs: Vec<(String, String)>) -> impl Iterator<Item = Vec<(String, String)>> {
    let mut rows: Vec<Vec<(String, String)>> = vec![Vec::new()];
    let mut column = 0;
    for (style, text) in runs {
        for character in text.chars() {
            if column == COLUMNS {
                rows.push(Vec::new());
                column = 0;
            }
            let row = rows.last_mut().expect("a row");
            match row.last_mut() {
                Some((last, text)) if *last == style => text.push(character),
                _ => row.push((style.clone(), character.to_string())),
            }
            column += 1;
        }
    }
    rows.into_iter()
}

/// Returns the lines of the terminal, and the second at which the last one has been read.
fn lines(steps: &[Step]) -> (Vec<Line>, f64) {
    let (mut lines, mut now) = (Vec::new(), 0.6);
    for step in steps {
        let typed = format!("\u{1b}[32m$\u{1b}[0m {}", step.command);
        lines.push(Line { runs: runs(&typed), at: now, typed: true });
        now += step.command.chars().count() as f64 * TYPING + WAITING;
        for line in step.output.trim_end().lines() {
            lines.extend(wrapped(runs(line.trim_end())).map(|runs| Line { runs, at: now, typed: false }));
            now += READING;
        }
        lines.push(Line { runs: Vec::new(), at: now, typed: false });
        now += 1.2;
    }
    (lines, now + END)
}

/// Returns the recording of `steps` as SVG.
pub fn svg(title: &str, steps: &[Step]) -> String {
    let (lines, total) = lines(steps);
    let (width, height) = (COLUMNS as f64 * CELL.0 + 32.0, ROWS as f64 * CELL.1 + 32.0);
    let share = |second: f64| format!("{:.2}%", second / total * 100.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>{}</title>\n<style>\n\
         text {{ font: 14px ui-monospace, Menlo, Consolas, \"DejaVu Sans Mono\", monospace; fill: #d4d4dc; white-space: \
         pre; }}\n\
         .b {{ font-weight: bold; }}\n\
         .c1, .c9 {{ fill: #ff6b6b; }}\n.c2, .c10 {{ fill: #7bd88f; }}\n.c3, .c11 {{ fill: #e5c07b; }}\n\
         .c4, .c12 {{ fill: #7aa2f7; }}\n.c5, .c13 {{ fill: #c99bf0; }}\n.c6, .c14 {{ fill: #6cc5d0; }}\n\
         .line {{ animation: {total:.1}s step-end infinite; }}\n\
         .typed {{ animation: {total:.1}s linear infinite; }}\n\
         #all {{ animation: scroll {total:.1}s step-end infinite; }}\n",
        escaped(title)
    );
    // The terminal scrolls as soon as a line appears below its last row.
    text.push_str("@keyframes scroll { 0% { transform: translateY(0); }\n");
    let mut last = 0.0;
    for (row, line) in lines.iter().enumerate() {
        let up = (row + 1).saturating_sub(ROWS) as f64 * CELL.1;
        last = up;
        if up > 0.0 {
            let _ = writeln!(text, "{} {{ transform: translateY(-{up:.0}px); }}", share(line.at));
        }
    }
    text.push_str("}\n");
    for (row, line) in lines.iter().enumerate().filter(|(_, line)| !line.runs.is_empty()) {
        let at = share(line.at);
        if line.typed {
            let columns: usize = line.runs.iter().map(|(_, text)| text.chars().count()).sum();
            let hidden = columns as f64 * CELL.0;
            let end = share(line.at + columns as f64 * TYPING);
            let _ = writeln!(
                text,
                "@keyframes l{row} {{ 0%, {at} {{ clip-path: inset(0 {hidden:.0}px 0 0); }} {end}, 100% {{ clip-path: \
                 inset(0); }} }}"
            );
        } else {
            let _ = writeln!(text, "@keyframes l{row} {{ 0% {{ opacity: 0; }} {at}, 100% {{ opacity: 1; }} }}");
        }
        let _ = writeln!(text, "#l{row} {{ animation-name: l{row}; }}");
    }
    // Without animations, the end is shown.
    let _ = write!(
        text,
        "@media (prefers-reduced-motion) {{ .line, .typed, #all {{ animation: none; }} #all {{ transform: \
         translateY(-{last:.0}px); }} }}\n</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0c0c10\"/>\n\
         <svg x=\"16\" y=\"16\" width=\"{:.0}\" height=\"{:.0}\"><g id=\"all\">\n",
        width - 32.0,
        height - 32.0
    );
    for (row, line) in lines.iter().enumerate().filter(|(_, line)| !line.runs.is_empty()) {
        let class = if line.typed { "typed" } else { "line" };
        let _ = write!(text, "<text id=\"l{row}\" class=\"{class}\" y=\"{:.0}\">", row as f64 * CELL.1 + 14.0);
        let mut column = 0;
        for (classes, run) in &line.runs {
            let classes = if classes.is_empty() { String::new() } else { format!(" class=\"{classes}\"") };
            let (x, length) = (column as f64 * CELL.0, run.chars().count() as f64 * CELL.0);
            let _ = write!(
                text,
                "<tspan x=\"{x:.1}\" textLength=\"{length:.1}\"{classes}>{}</tspan>",
                escaped(run).replace(' ', "\u{a0}")
            );
            column += run.chars().count();
        }
        text.push_str("</text>\n");
    }
    text.push_str("</g></svg>\n</svg>\n");
    text
}

#[test]
fn a_recording_has_what_the_commands_print() {
    let step =
        Step { command: "splc check".to_owned(), output: "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: a < b\n".to_owned() };
    let text = svg("Two lines", &[step]);
    assert!(text.contains("class=\"b c1\">error</tspan>"), "{text}");
    assert!(text.contains(">:\u{a0}a\u{a0}&lt;\u{a0}b</tspan>"), "{text}");
    assert!(text.contains(">\u{a0}splc\u{a0}check</tspan>"), "{text}");
}
