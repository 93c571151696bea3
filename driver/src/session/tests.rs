use splc_backends::output::LEVEL_FILE;
use splc_frontends::NoIncludes;

use super::*;
use crate::{Content, Wanted, compile, levels, open};

const YARD: &str =
    "INCLUDE \"pool.inc\"\nLEVEL: \"yard\"\nROOM: \"ordinary\", random, random, random, random {\npool()\n}\n";
const POOL: &str = "FUNCTION pool() {\nFOUNTAIN: random\n}\n";
/// The missing colon hides the unknown trap.
const CELLAR: &str = "LEVEL: \"cellar\"\nNOMAP\nSTAIR: random, upp\nTRAP \"pitt\", random\n";

fn options() -> Options {
    let wanted = Wanted { dialect: crate::games::Dialect::by_name("unnethack"), ..Wanted::default() };
    Options { wanted, ..Options::default() }
}

/// A session with two des-files, of which the first includes a third file.
fn session() -> Session {
    let session = Session::new(options(), NoIncludes);
    for (place, text) in [("maps/yard.des", YARD), ("maps/pool.inc", POOL), ("maps/cellar.des", CELLAR)] {
        assert!(session.set_text(place, 1, text));
    }
    session
}

fn messages(opened: &Opened) -> Vec<String> {
    let Opened::Levels(read) = opened else { panic!("{opened:?}") };
    read.diagnostics.iter().map(|diagnostic| format!("{:?} {}", diagnostic.span, diagnostic.message)).collect()
}

#[test]
fn results_equal_those_of_the_plain_functions() {
    let session = session();
    let mut includes = |path: &str, _: Option<&Path>, _: u64| match path {
        "pool.inc" => Ok((PathBuf::from("maps/pool.inc"), POOL.into())),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let no_game = Session::new(Options::default(), NoIncludes);
    no_game.set_text("maps/cellar.des", 1, CELLAR);
    let cases = [
        (&session, options(), "maps/yard.des", YARD),
        (&session, options(), "maps/cellar.des", CELLAR),
        // The dialect is detected, and others are tried.
        (&no_game, Options::default(), "maps/cellar.des", CELLAR),
    ];
    for (session, options, place, text) in cases {
        let input = Input::file(place, place.into(), text.into());
        let plain = open(input.clone(), &options, &mut includes).unwrap();
        let opened = session.opened(place, &Token::default()).unwrap();
        assert_eq!(messages(&opened), messages(&plain), "{place}");
        assert_eq!(
            messages(&opened).iter().filter(|message| message.contains("pitt")).count(),
            usize::from(text == CELLAR)
        );
        let lowered = session.levels(place, &Token::default()).unwrap();
        assert_eq!(lowered.levels, levels(input, &options, &mut includes).unwrap().levels, "{place}");
        assert_eq!(lowered.prepare_again().levels.len(), lowered.levels.len());
    }
}

impl Levels {
    fn prepare_again(&self) -> crate::Loaded {
        self.clone().prepare()
    }
}

#[test]
fn level_files_dungeons_and_archives_are_opened() {
    let session = Session::new(options(), NoIncludes);
    let text = "LEVEL: \"yard\"\nNOMAP\nFOUNTAIN: random\n";
    let made = compile(Input::new("yard.des", text), &LEVEL_FILE, options(), &mut NoIncludes).unwrap().made;
    session.set_text("yard.lev", 1, made.files[0].bytes.clone());
    let opened = session.opened("yard.lev", &Token::default()).unwrap();
    let Opened::Levels(read) = &*opened else { panic!("{opened:?}") };
    assert!(matches!(read.content, Content::LevelFile(Some(_))));
    assert_eq!(session.levels("yard.lev", &Token::default()).unwrap().levels.len(), 1);

    session.set_text("dungeon.def", 1, "DUNGEON: \"The Top\" \"T\" (10, 3)\n");
    let opened = session.opened("dungeon.def", &Token::default()).unwrap();
    assert!(matches!(&*opened, Opened::Dungeon(dungeon) if dungeon.description.is_some()), "{opened:?}");
    assert!(matches!(session.levels("dungeon.def", &Token::default()), Err(Stopped::NotLevels)));

    let archive = b"  1        2       16       80       84\nnDirectory        0\nnx.des       80\n";
    let mut archive = archive.to_vec();
    archive.resize(80, b' ');
    archive.extend(b"MAZE");
    session.set_text("nhdat", 1, archive);
    let opened = session.opened("nhdat", &Token::default()).unwrap();
    let Opened::Archive(archive) = &*opened else { panic!("{opened:?}") };
    assert_eq!((archive.files[0].name.as_str(), &archive.files[0].bytes[..]), ("nhdat:x.des", &b"MAZE"[..]));
}

#[test]
fn an_edit_invalidates_what_depends_on_it_and_nothing_else() {
    let (session, token) = (session(), Token::default());
    let results = || ["maps/yard.des", "maps/cellar.des"].map(|place| session.opened(place, &token).unwrap());
    let kept =
        |old: &[Arc<Opened>; 2], new: &[Arc<Opened>; 2]| [Arc::ptr_eq(&old[0], &new[0]), Arc::ptr_eq(&old[1], &new[1])];
    let first = results();
    assert_eq!(kept(&first, &results()), [true, true]);
    assert_eq!(session.dependents("maps/pool.inc"), [PathBuf::from("maps/yard.des")]);

    session.set_text("maps/pool.inc", 2, "FUNCTION lake() {\nFOUNTAIN: random\n}\n");
    let second = results();
    assert_eq!(kept(&first, &second), [false, true]);
    assert!(messages(&first[0]).is_empty() && !messages(&second[0]).is_empty());

    session.set_text("maps/cellar.des", 2, CELLAR.replace("upp", "up"));
    let third = results();
    assert_eq!(kept(&second, &third), [true, false]);

    // The same text and an older version change nothing.
    session.set_text("maps/pool.inc", 3, "FUNCTION lake() {\nFOUNTAIN: random\n}\n");
    assert!(!session.set_text("maps/pool.inc", 2, POOL));
    assert_eq!(session.version("maps/pool.inc"), Some(3));
    assert_eq!(kept(&third, &results()), [true, true]);

    // A closed file is read from elsewhere, where it is not found. It is found again when it is opened.
    session.close("maps/pool.inc");
    let fourth = results();
    assert_eq!(kept(&third, &fourth), [false, true]);
    session.set_text("maps/./pool.inc", 1, POOL);
    let fifth = results();
    assert_eq!(kept(&fourth, &fifth), [false, true]);
    assert!(messages(&fifth[0]).is_empty());

    session.set_options(options());
    assert_eq!(kept(&fifth, &results()), [false, false]);
    session.close("maps/yard.des");
    assert!(matches!(session.opened("maps/yard.des", &token), Err(Stopped::NotOpen)));
}

#[test]
fn steps_are_kept_and_cancelled() {
    let (session, token) = (session(), Token::default());
    let parsed = session.parsed("maps/yard.des", &token).unwrap();
    session.levels("maps/yard.des", &token).unwrap();
    assert!(Arc::ptr_eq(&parsed, &session.parsed("maps/yard.des", &token).unwrap()));
    token.cancel();
    assert!(matches!(session.opened("maps/cellar.des", &token), Err(Stopped::Cancelled)));
    assert!(session.opened("maps/cellar.des", &Token::default()).is_ok());
}

#[test]
fn workers_share_a_session() {
    let session = session();
    std::thread::scope(|scope| {
        for version in 2..6 {
            scope.spawn({
                let session = &session;
                move || {
                    session.set_text("maps/pool.inc", version, format!("{POOL}# {version}\n"));
                    session.levels("maps/yard.des", &Token::default()).unwrap()
                }
            });
        }
    });
    assert_eq!(session.levels("maps/yard.des", &Token::default()).unwrap().levels.len(), 1);
}
