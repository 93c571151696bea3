//! Detection of a file's dialect from its text.

use std::fs;

use splc_driver::games::Dialect;
use splc_driver::{Input, Options, Wanted};
use splc_frontends::NoIncludes;
use splc_frontends::detect::{Certainty, detect, looks_like_another};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Diagnostic, Diagnostics, Severity};
use splc_ir::source::SourceMap;
use splc_tests::reference::{files, game as game_folder};
use splc_tests::{GAMES, corpus};

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn shipped_levels_are_detected() {
    let (mut sure, mut open, mut wrong) = (0, 0, Vec::new());
    for (dialect, game) in GAMES {
        let reference = game_folder(game);
        for path in files(&reference.join("des"), ".des") {
            let text: String = fs::read(&path).unwrap().into_iter().map(char::from).collect();
            let guess = detect(&text);
            if guess.dialect == dialect {
                sure += usize::from(guess.certainty == Certainty::Sure);
            } else if guess.certainty == Certainty::Open && dialect != "nethack343" && guess.dialect != "nethack343" {
                // A script that uses nothing specific to one of the games.
                open += 1;
            } else {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                wrong.push(format!("{game}/{name}: {} {:?}: {}", guess.dialect, guess.certainty, guess.reason));
            }
        }
    }
    println!("{sure} sure, {open} that fit several games");
    // A file that its own compiler rejects, because its statements have the form of NetHack 3.4.3.
    wrong.retain(|line: &String| !line.starts_with("sporkhack-0.7.0/functions.des"));
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!((sure, open), (90, 12));
}

/// Returns the messages for `text` in the dialect of the game `target`: code, line, message, help.
fn said(target: &str, text: &str) -> Vec<String> {
    let catalog = Catalog::by_name(target).unwrap();
    let mut sources = SourceMap::new();
    let file = sources.add("x.des", None, text.into());
    let mut diagnostics = Diagnostics::new();
    let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut NoIncludes, &mut diagnostics);
    splc_ir::check::check(&mut module, catalog, &mut diagnostics);
    diagnostics.sort();
    let line = |diagnostic: &Diagnostic| {
        let line = diagnostic.span.map_or(0, |span| sources.line_column(span.file, span.start).0);
        let (code, message) = (diagnostic.code.as_str(), &diagnostic.message);
        format!("{code} {line}: {message} -> {}", diagnostic.help.as_deref().unwrap_or(""))
    };
    diagnostics.iter().map(line).collect()
}

#[test]
fn a_monster_of_343_in_a_script() {
    let text = "LEVEL:\"x\"\nMONSTER:'v',\"dust vortex\",(0,4)\n";
    for target in ["nethack-3.6.7", "unnethack-6.0.4"] {
        assert_eq!(
            said(target, text),
            ["E0010 2: this MONSTER is written as in NetHack 3.4.3 -> write MONSTER:('v',\"dust vortex\"),(0,4)"]
        );
    }
    let guess = looks_like_another(text, "unnethack").unwrap();
    assert_eq!((guess.dialect, guess.certainty), ("nethack343", Certainty::Sure));
}

#[test]
fn a_door_of_343s_rooms_in_a_script() {
    let text = "LEVEL:\"x\"\nROOM:\"ordinary\",lit,random,random,random {\n  DOOR:false,nodoor,north,random\n  \
                STAIR:random,up\n}\n$a = 1\nIF [50%] {\n}\n";
    assert_eq!(
        said("nethack-3.6.7", text),
        ["E0010 3: expected a door state or random, found 'false' -> write ROOMDOOR:false,nodoor,north,random"]
    );
}

#[test]
fn a_script_given_to_343() {
    let text =
        "MAZE:\"x\",' '\nNOMAP\n$place = { (1,1),(2,2) }\nSHUFFLE:$place\nMONSTER:('v',\"dust vortex\"),$place[0]\n";
    assert_eq!(
        said("nethack-3.4.3", text),
        [
            "E0010 3: NetHack 3.4.3 has no variables -> use the `--dialect` of that game, or write \
             RANDOM_PLACES:(1,1),(2,2), whose places are place[0], place[1] and so on",
            "E0010 4: NetHack 3.4.3 has no SHUFFLE -> use the `--dialect` of that game, or remove it: the places of \
             RANDOM_PLACES are always shuffled",
            "E0010 5: the class and name of MONSTER take no parentheses in NetHack 3.4.3 -> write it like \
             `MONSTER:'a',\"soldier ant\",(3,4)`",
        ]
    );
    let guess = looks_like_another(text, "nethack343").unwrap();
    assert_eq!((guess.dialect, guess.certainty), ("nethack36", Certainty::Sure));
}

/// Returns the errors for `bytes` in the given dialect, or in the detected one; `None` if there are no errors.
fn errors(path: &std::path::Path, dialect: Option<&str>) -> Option<String> {
    let wanted = Wanted { dialect: dialect.and_then(Dialect::by_name), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let name = path.file_name().unwrap().to_string_lossy();
    let input = Input { name: name.to_string(), place: Some(path.to_owned()), bytes: fs::read(path).unwrap() };
    let read = splc_driver::levels(input, &options, &mut splc_tests::Beside).unwrap();
    let error = read.diagnostics.iter().find(|known| known.severity == Severity::Error)?;
    Some(format!("{name}: taken for {}: {}", read.target.catalog().title, error.message))
}

/// Returns files that splc accepts if the dialect is given, but not if it is detected.
fn refused(folder: &std::path::Path, dialect: &str) -> (usize, Vec<String>) {
    let files = files(folder, ".des");
    let accepted: Vec<_> = files.iter().filter(|path| errors(path, Some(dialect)).is_none()).collect();
    (accepted.len(), accepted.iter().filter_map(|path| errors(path, None)).collect())
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn shipped_levels_need_no_dialect() {
    let mut all = 0;
    for (dialect, game) in GAMES {
        let (accepted, refused) = refused(&game_folder(game).join("des"), dialect);
        assert_eq!(refused, Vec::<String>::new());
        all += accepted;
    }
    assert_eq!(all, 108);
}

#[test]
fn levels_of_the_corpus_need_no_dialect() {
    let accepted = GAMES.map(|(dialect, _)| {
        let (accepted, refused) = refused(&corpus(dialect), dialect);
        assert_eq!(refused, Vec::<String>::new());
        accepted
    });
    assert_eq!(accepted, [18, 16, 19, 14]);
}

#[test]
fn a_name_of_another_game_does_not_outweigh_a_statement() {
    // The monster is of 3.4.3 and SporkHack, the statements are of UnNetHack.
    let text = "LEVEL: \"x\"\nMINERALIZE\nMONSTER: \"red dragon\", (1,1)\nMON_GENERATION: 50%, (1,'a')\n";
    let guess = detect(text);
    assert_eq!(guess.dialect, "unnethack", "{guess:?}");
}

/// A statement that is cut off anywhere, as while it is typed.
#[test]
fn unfinished_statements_are_read() {
    for line in ["MONSTER: \"jackal\", 'd', (3,2)", "OBJECT: '[', (3,2), \"plate mail\"", "DOOR: \"é\", (1,2)"] {
        for (end, _) in line.char_indices() {
            detect(&format!("LEVEL: \"x\"\n{}", &line[..end]));
        }
    }
}
