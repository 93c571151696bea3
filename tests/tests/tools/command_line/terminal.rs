//! Commands on a terminal of a given width.
#![cfg(unix)]

use std::fs::File;
use std::io::Read;
use std::process::Child;

use nix::pty::{OpenptyResult, Winsize, openpty};

use super::*;

/// A program on a terminal, and everything that it has shown.
struct Session {
    child: Child,
    terminal: File,
    shown: String,
}

impl Session {
    /// Starts splc on a terminal of `columns` columns.
    fn start(place: &Place, columns: u16, arguments: &[&str]) -> Self {
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let OpenptyResult { master, slave } = openpty(&size, None).unwrap();
        let mut command = place.command(arguments);
        command.env("NO_COLOR", "1");
        let stream = || Stdio::from(slave.try_clone().unwrap());
        command.stdin(stream()).stdout(stream()).stderr(stream());
        let child = command.spawn().unwrap();
        Session { child, terminal: File::from(master), shown: String::new() }
    }

    /// Reads until the program has shown `text` after everything that was awaited before.
    fn shows(&mut self, text: &str) -> &mut Self {
        let mut bytes = [0; 4096];
        let from = self.shown.len();
        while !self.shown[from..].contains(text) {
            // At the end of the program, Linux reports an error.
            let count = self.terminal.read(&mut bytes).unwrap_or(0);
            assert!(count > 0, "the program ended before it showed {text:?}:\n{}", self.shown);
            self.shown.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        self
    }

    /// Types a line.
    fn type_line(&mut self, line: &str) -> &mut Self {
        self.terminal.write_all(format!("{line}\n").as_bytes()).unwrap();
        self
    }

    /// Reads to the end. Returns everything that was shown, and the exit code.
    fn end(mut self) -> (String, i32) {
        let mut bytes = [0; 4096];
        loop {
            match self.terminal.read(&mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(count) => self.shown.push_str(&String::from_utf8_lossy(&bytes[..count])),
            }
        }
        (self.shown.replace("\r\n", "\n"), self.child.wait().unwrap().code().unwrap())
    }
}

#[test]
fn new_asks_on_a_terminal_for_what_is_missing() {
    let place = Place::new();
    let mut session = Session::start(&place, 80, &["new"]);
    session.shows("Number or name [nethack36]: ").type_line("unnethak");
    session.shows("did you mean \"unnethack\"?").type_line("unnethack");
    session.shows("Number or name [maze]: ").type_line("99");
    session.shows("write a number from 1 to ").type_line("temple");
    session.shows("Its name").type_line("two words/");
    session.shows("Its name").type_line("shrine");
    let (shown, status) = session.end();
    assert_eq!(status, FINE, "{shown}");
    assert!(shown.contains("shrine.des is written") && shown.contains("splc preview shrine.des"), "{shown}");
    place.splc(&["check", "--dialect", "unnethack", "shrine.des"]).is_fine();

    // No question is about a given option, and empty lines take the usual answers: here those of the project.
    place.write("splc.toml", "dialect = \"nethack343\"\n");
    let mut session = Session::start(&place, 80, &["new", "--kind", "sokoban"]);
    session.shows("Number or name [nethack343]: ").type_line("");
    session.shows("Its name").type_line("shrine");
    session.shows("already exists").type_line("boulders");
    let (shown, status) = session.end();
    assert!(status == FINE && !shown.contains("structure"), "{shown}");
    assert!(String::from_utf8(place.read("boulders.des")).unwrap().contains("MAZE"));

    // Ctrl-D writes nothing.
    let mut session = Session::start(&place, 80, &["new", "--kind", "shop", "--dialect", "nethack36"]);
    session.shows("Its name").type_line("\u{4}");
    let (shown, status) = session.end();
    assert!(status == TROUBLE && shown.contains("nothing is written"), "{status} {shown}");
}

#[test]
fn new_does_not_ask_without_a_terminal() {
    let place = Place::new();
    place.splc(&["new"]).ends(TROUBLE).says(&["the level has no name", "splc new NAME"]);
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn text_fits_the_terminal() {
    let place = Place::new();
    place.write(
        "den.des",
        "LEVEL: \"den\"\nMAP\n.....\nENDMAP\nSTAIR: (0,0), up\nMONSTER: ('D', \"red dragn\"), (1,0)\n",
    );
    let checked: [&[&str]; 6] = [
        &["targets"],
        &["explain", "W0908"],
        &["explain", "red dragon"],
        &["check", "--dialect", "unnethack", "den.des"],
        &["check", "den.des"],
        &["new", "--dialect", "unnethack", "--kind", "shop", "a"],
    ];
    for columns in [60, 80, 140] {
        for arguments in checked {
            let (shown, _) = Session::start(&place, columns, arguments).end();
            assert!(shown.lines().count() > 2, "{shown}");
            for line in shown.lines() {
                assert!(line.chars().count() <= usize::from(columns), "{columns} {arguments:?}: {line}");
            }
            let _ = fs::remove_file(place.path("a.des"));
        }
    }
    // The table is for wide terminals, and for programs.
    let (shown, _) = Session::start(&place, 140, &["targets"]).end();
    assert_eq!(shown, place.splc(&["targets"]).is_fine().out());
}
