//! `splc install` and `splc uninstall`, in folders of a small game.

use super::*;

const DUNGEON: &str = "\
DUNGEON: \"The Top\" \"T\" (10, 3)
LEVEL: \"inn\" \"A\" @ (2, 3)
RNDLEVEL: \"hall\" \"none\" @ (6, 2) 2
CHAINBRANCH: \"The Cellar\" \"inn\" + (1, 0)
DUNGEON: \"The Cellar\" \"C\" (2, 0)
LEVEL: \"wine\" \"none\" @ (-1, 0)
";

/// Writes the files of a game to the folder `game`.
fn game_files(place: &Place) -> Vec<&'static str> {
    place.write("dungeon.def", DUNGEON).write("game/data", "something else");
    place.splc(&["dungeon", "compile", "--dialect", "36", "dungeon.def", "-o", "game/dungeon"]).is_fine();
    for name in ["inn", "hall-1", "hall-2", "wine"] {
        place.write(&format!("old/{name}.des"), level(name, "the old one"));
        place.splc(&["--dialect", "36", &format!("old/{name}.des"), "-o", "game/"]).is_fine();
    }
    place.write("new.des", level("garden", "a new one"));
    vec!["data", "dungeon", "inn.lev", "hall-1.lev", "hall-2.lev", "wine.lev"]
}

/// Creates a game with its data in an archive.
pub fn archived() -> Place {
    let place = Place::new();
    let files = game_files(&place);
    place.splc(&[&["dlb", "create", "-C", "game", "game/nhdat"], files.as_slice()].concat()).is_fine();
    for file in files {
        fs::remove_file(place.path(&format!("game/{file}"))).unwrap();
    }
    place
}

/// Creates a game with its data in single files.
pub fn plain() -> Place {
    let place = Place::new();
    game_files(&place);
    place
}

/// Returns the game's files by name, and its dungeon as text.
fn data(place: &Place) -> (BTreeMap<String, Vec<u8>>, String) {
    let archive = ["game/nhdat", "game/nhushare"].into_iter().find(|archive| place.path(archive).exists());
    let folder = match archive {
        Some(archive) => {
            let _ = fs::remove_dir_all(place.path("seen"));
            place.splc(&["dlb", "extract", archive, "-o", "seen"]).is_fine();
            "seen"
        }
        None => "game",
    };
    let entries = fs::read_dir(place.path(folder)).unwrap().flatten();
    let files: BTreeMap<String, Vec<u8>> = entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap()))
        .collect();
    let text = place.splc(&["dungeon", "decompile", &format!("{folder}/dungeon")]).is_fine().out();
    (files, text)
}

/// Returns the folder of the game.
fn folder(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let mut files = place.files();
    files.retain(|name, _| name.starts_with("game"));
    files
}

fn install(place: &Place, arguments: &[&str]) -> Run {
    place.splc(&[&["install", "new.des", "--game", "game"], arguments].concat())
}

/// Installs, and expects that a dry run changes nothing, that a second installation changes nothing, and that
/// uninstalling restores the game. Returns the installed game.
fn goes_round(place: &Place, arguments: &[&str]) -> (BTreeMap<String, Vec<u8>>, String) {
    let before = folder(place);
    let planned = install(place, &[arguments, &["--dry-run"]].concat()).ends(FINE).out();
    assert!(planned.contains("nothing is changed"), "{planned}");
    assert!(folder(place) == before, "a dry run changes something");

    let done = install(place, arguments).ends(FINE).out();
    assert!(done.contains("splc uninstall"), "{done}");
    let installed = data(place);
    let after = folder(place);
    let again = install(place, arguments).ends(FINE).out();
    assert!(again.contains("already installed"), "{again}");
    assert!(folder(place) == after, "doing it twice is not doing it once");

    place.splc(&["uninstall", "--game", "game"]).ends(FINE);
    assert!(folder(place) == before, "it is not taken back");
    install(place, arguments).ends(FINE);
    installed
}

#[test]
fn a_level_replaces_another() {
    for place in [archived(), plain()] {
        let old = data(&place);
        let (files, dungeon) = goes_round(&place, &["--as", "inn"]);
        place.splc(&["--dialect", "36", "new.des", "-o", "made/"]).is_fine();
        assert_eq!(files["inn.lev"], place.read("made/garden.lev"));
        assert_eq!(dungeon, old.1);
        assert_eq!(files.len(), old.0.len());
    }
}

/// SLASH'EM has its levels in the second of two archives.
#[test]
fn a_game_can_have_two_archives() {
    let place = archived();
    fs::rename(place.path("game/nhdat"), place.path("game/nhushare")).unwrap();
    fs::write(place.path("game/options"), "colour").unwrap();
    place.splc(&["dlb", "create", "-C", "game", "game/nhshare", "options"]).is_fine();
    let (files, _) = goes_round(&place, &["--dungeon", "The Top", "--at", "5,3"]);
    assert!(files.contains_key("garden.lev"));
}

#[test]
fn a_level_is_added_to_a_dungeon() {
    for place in [archived(), plain()] {
        let (files, dungeon) = goes_round(&place, &["--dungeon", "The Top", "--at", "5,3", "--chance", "50"]);
        assert!(files.contains_key("garden.lev"));
        assert!(dungeon.contains("LEVEL:          \"garden\" \"none\" @ (5, 3) 50\n"), "{dungeon}");
        // A new position moves it.
        install(&place, &["--dungeon", "The Top", "--at", "-1"]).ends(FINE);
        let dungeon = data(&place).1;
        assert!(
            dungeon.contains("\"garden\" \"none\" @ (-1, 0)\n") && dungeon.matches("garden").count() == 1,
            "{dungeon}"
        );
    }
}

#[test]
fn a_level_becomes_a_random_version() {
    for place in [archived(), plain()] {
        let old = data(&place).0;
        let (files, dungeon) = goes_round(&place, &["--as", "wine", "--random-versions"]);
        assert!(!files.contains_key("wine.lev"));
        assert_eq!(files["wine-1.lev"], old["wine.lev"]);
        assert!(files.contains_key("wine-2.lev"));
        assert!(dungeon.contains("RNDLEVEL:       \"wine\" \"none\" @ (-1, 0) 2\n"), "{dungeon}");
    }
    let place = archived();
    let (files, dungeon) = goes_round(&place, &["--as", "hall", "--random-versions"]);
    assert!(files.contains_key("hall-3.lev") && dungeon.contains("\"hall\" \"none\" @ (6, 2) 3\n"), "{dungeon}");
}

#[test]
fn levels_become_a_new_dungeon() {
    let place = archived();
    place.write("new.des", level("attic", "the attic") + &level("loft", "the loft"));
    let how = ["--branch", "The Top", "--dungeon", "The Attic", "--at", "2,2", "--up"];
    let (files, dungeon) = goes_round(&place, &how);
    assert!(files.contains_key("attic.lev") && files.contains_key("loft.lev"));
    assert!(dungeon.contains("BRANCH:         \"The Attic\" @ (2, 2) up\n"), "{dungeon}");
    assert!(dungeon.contains("DUNGEON:        \"The Attic\" \"none\" (2, 0)\nENTRY:          -1\n"), "{dungeon}");
    let shown = place.splc(&["dungeon", "show", "seen/dungeon"]).is_fine().out();
    assert!(shown.contains("The Attic"), "{shown}");
}

#[test]
fn a_new_dungeon_is_filled() {
    for place in [archived(), plain()] {
        place.write(
            "new.des",
            level("rafters", "the same everywhere") + &level("attic", "first") + &level("roof", "last"),
        );
        let how = ["--branch", "The Top", "--dungeon", "The Attic", "--at", "2,2", "--up", "--levels", "5"];
        let (files, dungeon) = goes_round(&place, &[&how[..], &["--filler", "rafters"]].concat());
        // The branch leads up, from the bottom to the top.
        for (name, at) in [("attic", 5), ("roof", 1)] {
            assert!(files.contains_key(&format!("{name}.lev")));
            assert!(dungeon.contains(&format!("LEVEL:          \"{name}\" \"none\" @ ({at}, 0)\n")), "{dungeon}");
        }
        assert!(dungeon.contains("PROTOFILE:      \"rafters\"\n"), "{dungeon}");
        let fillers: Vec<&str> = files.keys().map(String::as_str).filter(|name| name.starts_with("rafters")).collect();
        assert_eq!(fillers, ["rafters2.lev", "rafters3.lev", "rafters4.lev"]);
        assert!(fillers.iter().all(|&name| files[name] == files[fillers[0]]));
        place.write("game.def", dungeon);
        let game = if place.path("game/nhdat").exists() { "game/nhdat" } else { "game" };
        let check = ["dungeon", "check", "--dialect", "36", "game.def", "--levels", game];
        let said = place.splc(&check).ends(FINE).err.clone();
        assert!(!said.contains("rafters") && !said.contains("attic"), "{said}");

        let taken = place.splc(&["uninstall", "--game", "game", "--dry-run"]).ends(FINE).out();
        let names = ["attic.lev", "dungeon", "rafters2.lev", "rafters3.lev", "rafters4.lev", "roof.lev"];
        let lines: Vec<String> = names.iter().map(|name| format!("  {name} would be restored")).collect();
        assert_eq!(taken.lines().skip(1).collect::<Vec<_>>(), lines);
        install(&place, &[&how[..], &["--filler", "attics"]].concat())
            .ends(INPUT_ERRORS)
            .says(&["rafters, attic, roof"]);
        let few = ["--branch", "The Top", "--dungeon", "Low", "--at", "2", "--levels", "2", "--filler", "attic"];
        install(&place, &few).ends(INPUT_ERRORS).says(&["use a larger number with --levels"]);
    }
}

#[test]
fn invalid_installs_are_rejected_and_change_nothing() {
    let place = archived();
    let before = place.files();
    for (arguments, says) in [
        (&["--as", "inm"][..], &["no level file inm.lev", "did you mean \"inn\""][..]),
        (&["--as", "hall"], &["hall-1 to hall-2"]),
        (
            &["--dungeon", "The Bottom", "--at", "1"],
            &["no dungeon named \"The Bottom\"", "\"The Top\", \"The Cellar\""],
        ),
        (&["--dungeon", "The Cellar", "--at", "3"], &["E0630", "\"garden\" would be on level 3"]),
        (&["--dungeon", "The Cellar", "--at", "40"], &["E0614"]),
        (&["--as", "cellar", "--random-versions"], &["no dungeon of the game has a level named \"cellar\""]),
        (&[], &["no level file garden.lev", "use --dungeon and --at"]),
    ] {
        install(&place, arguments).ends(INPUT_ERRORS).says(says);
        assert!(place.files() == before, "{arguments:?}");
    }
    place.write("new.des", level("inn", "another inn"));
    install(&place, &["--dungeon", "The Cellar", "--at", "1"])
        .ends(INPUT_ERRORS)
        .says(&["already has a level named \"inn\""]);
    place.write("new.des", "MAZE: \"garden\", ' '\nNOMAP\nMONSTER: 'o', \"hill orc\", random\n");
    install(&place, &["--as", "inn"])
        .ends(INPUT_ERRORS)
        .says(&["the game in the folder is NetHack 3.6", "splc port --to nethack-3.6"]);
    place.write("new.des", "LEVEL: \"broken\"\nMONSTER: nothing\n");
    install(&place, &["--as", "inn"]).ends(INPUT_ERRORS);
    place.splc(&["uninstall", "--game", "game"]).ends(INPUT_ERRORS).says(&["splc has not changed"]);
    place.splc(&["install", "new.des", "--game", "old"]).ends(TROUBLE).says(&["contains no game data"]);
    place.write("game/nhdat", "not an archive");
    install(&place, &["--as", "inn"]).ends(INPUT_ERRORS).says(&["is not an archive"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_folder_only() {
    use std::os::unix::fs::symlink;
    let place = archived();
    fs::create_dir(place.path("game/inner")).unwrap();
    fs::rename(place.path("game/nhdat"), place.path("game/inner/nhdat")).unwrap();
    symlink("inner/nhdat", place.path("game/nhdat")).unwrap();
    let before = place.read("game/inner/nhdat");
    install(&place, &["--as", "inn"]).ends(FINE);
    assert!(fs::symlink_metadata(place.path("game/nhdat")).unwrap().is_symlink());
    assert_ne!(place.read("game/inner/nhdat"), before);
    place.splc(&["uninstall", "--game", "game"]).ends(FINE);
    assert_eq!(place.read("game/inner/nhdat"), before);

    fs::rename(place.path("game/inner/nhdat"), place.path("nhdat")).unwrap();
    fs::remove_file(place.path("game/nhdat")).unwrap();
    symlink("../nhdat", place.path("game/nhdat")).unwrap();
    install(&place, &["--as", "inn"]).ends(TROUBLE).says(&["to a place outside of the game's folder"]);
    assert_eq!(place.read("nhdat"), before);
}

#[cfg(unix)]
#[test]
fn originals_are_kept_in_the_folder_or_nothing_is_installed() {
    use std::os::unix::fs::symlink;
    for (place, names) in [
        (archived(), &["nhdat.splc-original"][..]),
        (plain(), &[".splc-original", ".splc-original/inn.lev", ".splc-original/dungeon.absent"]),
    ] {
        for name in names {
            let kept = place.path("game").join(name);
            fs::create_dir_all(kept.parent().unwrap()).unwrap();
            fs::create_dir_all(place.path("elsewhere")).unwrap();
            symlink(place.path("elsewhere"), &kept).unwrap();
            let before = place.files();
            let arguments = ["--dungeon", "The Top", "--at", "5"];
            let arguments = if name.contains("inn") { &["--as", "inn"][..] } else { &arguments };
            install(&place, arguments).ends(TROUBLE).says(&["is not an original that splc has kept", "move it out"]);
            place.splc(&["uninstall", "--game", "game"]).ends(TROUBLE).says(&["is not an original"]);
            assert!(place.files() == before, "{name}");
            fs::remove_file(&kept).unwrap();
        }
    }
}

#[test]
fn unfinished_files_are_removed_and_never_restored() {
    for place in [archived(), plain()] {
        let before = folder(&place);
        install(&place, &["--as", "inn"]).ends(FINE);
        place.write("game/.splc-install-a1b2c3.tmp", "part of a file").write("game/.splc-lock", "");
        if place.path("game/.splc-original").exists() {
            place.write("game/.splc-original/.splc-a1b2c3.tmp", "part of a file");
        }
        let restored = place.splc(&["uninstall", "--game", "game"]).ends(FINE).out();
        assert!(!restored.contains(".splc-"), "{restored}");
        assert!(folder(&place) == before);
    }
}

/// The old file is the last thing that an installation removes, so it is left by one that is killed before that.
#[test]
fn the_file_that_became_a_variant_is_removed_by_the_next_installation() {
    let place = plain();
    let old = fs::read(place.path("game/wine.lev")).unwrap();
    let arguments = ["--as", "wine", "--random-versions"];
    install(&place, &arguments).ends(FINE);
    let installed = folder(&place);
    place.write("game/wine.lev", old);
    let removed = install(&place, &arguments).ends(FINE).out();
    assert!(removed.contains("wine.lev is removed: it is one of the 2 variants of \"wine\""), "{removed}");
    assert!(folder(&place) == installed);
    // Other content is a file of somebody else.
    place.write("game/wine.lev", "mine");
    let installed = install(&place, &arguments).ends(FINE).out();
    assert!(installed.contains("already installed"), "{installed}");
    assert!(place.path("game/wine.lev").exists());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_game_data_is_refused_at_once() {
    for name in ["nhdat", "dungeon"] {
        let place = Place::new();
        place.write("new.des", level("garden", "")).write("game/x", "");
        assert!(std::process::Command::new("mkfifo").arg(place.path("game").join(name)).status().unwrap().success());
        install(&place, &["--as", "inn"]).ends(TROUBLE).says(&["it is not a regular file"]);
    }
}
