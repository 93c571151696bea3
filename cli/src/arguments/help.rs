//! Parts of each command's help besides its options: the files it takes, and examples. A test parses each example as
//! splc does.

use clap::Command;

/// Commands that take other files than des-files, or more than des-files.
const FILES: &[(&str, &str)] = &[
    (
        "check",
        "Des-files, levels as JSON or Lua scripts, folders, globs [default: those of splc.toml, else standard input, also `-`]",
    ),
    ("decompile", "Level files, also in an archive (nhdat:castle.lev), or folders [default: standard input, also `-`]"),
    (
        "port",
        "Des-files, level files, levels as JSON or Lua scripts, folders, globs [default: those of splc.toml, else standard input, also `-`]",
    ),
    (
        "run",
        "Des-files, level files, levels as JSON or Lua scripts, folders, globs [default: those of splc.toml, else standard input, also `-`]",
    ),
    ("preview", "Des-files, level files, levels as JSON, Lua scripts, dungeons"),
    ("themerooms", "The file of themed rooms, themerms.lua [default: standard input, also `-`]"),
    (
        "test",
        "Des-files, level files, levels as JSON or Lua scripts, folders, globs [default: those of splc.toml, else standard input, also `-`]",
    ),
    ("diff", "Two files, folders or git revisions; A..B for two revisions; one revision for the files since then"),
    ("equiv", "Two files: des-files, level files, levels as JSON or Lua scripts; one can be `-` (standard input)"),
    ("dungeon compile", "The dungeon.def, dungeon.lua or JSON [default: standard input, also `-`]"),
    (
        "dungeon decompile",
        "The compiled dungeon, also in an archive (nhdat:dungeon) [default: standard input, also `-`]",
    ),
    ("dungeon check", "Files in the form of dungeon.def, dungeon.lua or JSON [default: standard input, also `-`]"),
    ("dungeon show", "The dungeon.def, dungeon.lua, JSON or compiled dungeon [default: standard input, also `-`]"),
    ("dungeon fmt", "Files in the form of dungeon.def [default: standard input, also `-`]"),
    ("dungeon preprocess", "The dungeon.def [default: standard input, also `-`]"),
];

/// Commands and example uses of them.
const ALL: &[(&str, &[&str])] = &[
    (
        "check",
        &[
            "splc check",
            "splc check mylevel.des --watch",
            "splc check --dialect 343 -W all dat/*.des",
            "splc check --message-format short - < mylevel.des",
        ],
    ),
    ("init", &["splc init", "splc init dat/"]),
    ("config", &["splc config", "splc config dat/oracle.des"]),
    ("server", &["splc server", "splc server --target unnethack-6.0.4"]),
    ("luals", &["splc luals -o lua/", "splc luals -o lua/ --target nethack-5.0.0"]),
    ("fix", &["splc fix mylevel.des", "splc fix --dry-run *.des", "splc fix - < old.des > new.des"]),
    ("fmt", &["splc fmt mylevel.des", "splc fmt --check dat/*.des"]),
    ("decompile", &["splc decompile castle.lev", "splc decompile nhdat:castle.lev -o castle.des"]),
    ("gen", &["splc gen --dialect unnethack --seed 7", "splc gen --dialect 343 --size 40 > made.des"]),
    ("new", &["splc new mylevel", "splc new cellar --dialect 343 --kind rooms", "splc new chapel --kind temple"]),
    (
        "port",
        &["splc port --to unnethack mylevel.des -o new/", "splc port --dialect 343 --to 36 --verify mylevel.des -o -"],
    ),
    (
        "run",
        &[
            "splc run mylevel.des",
            "splc run mylevel.des --seed 7 --png level.png",
            "splc run mylevel.des --stats --seeds 1000",
            "splc run mylevel.des --step",
        ],
    ),
    (
        "preview",
        &[
            "splc preview mylevel.des",
            "splc preview --editor \"code -g {file}:{line}:{column}\" dat/*.des",
            "splc preview --export level.html --seeds 50 mylevel.des",
        ],
    ),
    ("test", &["splc test mylevel.des", "splc test --seeds 1000 -D unreachable-stairs dat/*.des"]),
    (
        "themerooms",
        &[
            "splc themerooms dat/themerms.lua",
            "splc themerooms --room \"Fake Delphi\" --seeds 200 dat/themerms.lua",
            "splc themerooms --html rooms.html dat/themerms.lua",
        ],
    ),
    (
        "diff",
        &["splc diff old.des new.des", "splc diff main..HEAD", "splc diff HEAD --format markdown --pictures pictures/"],
    ),
    ("equiv", &["splc equiv old.des new.des", "splc equiv mylevel.des mylevel.lev"]),
    (
        "install",
        &[
            "splc install mylevel.des --game nethackdir --as oracle",
            "splc install mylevel.des --game nethackdir --dungeon \"The Dungeons of Doom\" --at 5,3 --dry-run",
        ],
    ),
    ("uninstall", &["splc uninstall --game nethackdir"]),
    ("dungeon", &["splc dungeon compile dungeon.def", "splc dungeon show nethackdir/dungeon"]),
    ("dungeon compile", &["splc dungeon compile dungeon.def -o nethackdir/"]),
    ("dungeon decompile", &["splc dungeon decompile nethackdir/dungeon -o dungeon.def"]),
    ("dungeon check", &["splc dungeon check dungeon.def --levels dat/"]),
    ("dungeon show", &["splc dungeon show dungeon.def"]),
    ("dungeon fmt", &["splc dungeon fmt --check dungeon.def"]),
    ("dungeon preprocess", &["splc dungeon preprocess dungeon.def > dungeon.pdf"]),
    ("dlb", &["splc dlb list nhdat", "splc dlb replace nhdat castle.lev"]),
    ("dlb list", &["splc dlb list nhdat"]),
    ("dlb create", &["splc dlb create nhdat *.lev dungeon"]),
    ("dlb extract", &["splc dlb extract nhdat castle.lev"]),
    ("dlb add", &["splc dlb add nhdat mylevel.lev"]),
    ("dlb replace", &["splc dlb replace nhdat castle.lev"]),
    ("dlb remove", &["splc dlb remove nhdat mylevel.lev"]),
    ("targets", &["splc targets", "splc targets --message-format json"]),
    ("conform", &["splc conform --against util/lev_comp dat/*.des"]),
    ("catalog", &["splc catalog import ~/slashem -o slashem.toml", "splc catalog show nethack-3.6.7"]),
    ("catalog import", &["splc catalog import ~/slashem -o slashem.toml --name slashem-0.0.7"]),
    ("catalog show", &["splc catalog show nethack-3.6.7"]),
    ("catalog diff", &["splc catalog diff nethack-3.4.3 nethack-3.6.7"]),
    ("catalog validate", &["splc catalog validate slashem.toml"]),
    ("schema", &["splc schema level > level.schema.json"]),
    ("explain", &["splc explain", "splc explain E0201 ragged-map", "splc explain \"giant eel\""]),
    (
        "completions",
        &[
            "splc completions bash > ~/.local/share/bash-completion/completions/splc",
            "splc completions zsh > ~/.zfunc/_splc",
            "splc completions fish > ~/.config/fish/completions/splc.fish",
        ],
    ),
    ("man", &["splc man > splc.1", "splc man -o ~/.local/share/man/man1/", "splc man run | man -l -"]),
];

/// Adds the help to `command`, called `name`, and to its subcommands.
pub(super) fn onto(mut command: Command, name: &str) -> Command {
    let below: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    for word in below {
        command = command.mut_subcommand(&word, |below| with(below, &format!("{name} {word}")));
    }
    with(command, name)
}

fn with(mut command: Command, name: &str) -> Command {
    if let Some((_, files)) = FILES.iter().find(|(known, _)| *known == name) {
        command = command.mut_arg("files", |argument| argument.help(*files));
    }
    match ALL.iter().find(|(known, _)| *known == name) {
        Some((_, examples)) => command.after_help(format!("Examples:\n  {}", examples.join("\n  "))),
        None => command,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;

    /// Returns the words of an example, up to those that are for the shell.
    fn words(example: &str) -> Vec<String> {
        let quoted = example.split('"').enumerate().flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        });
        quoted.take_while(|word| !["<", ">", "|"].contains(&word.as_str())).collect()
    }

    fn each(command: &Command, name: &str, names: &mut Vec<String>) {
        for below in command.get_subcommands() {
            let name = format!("{name} {}", below.get_name()).trim().to_owned();
            each(below, &name, names);
            names.push(name);
        }
    }

    #[test]
    fn each_command_has_valid_examples() {
        let mut command = Arguments::command();
        command.build();
        let mut names = Vec::new();
        each(&command, "", &mut names);
        assert_eq!(names.len(), ALL.len());
        for name in names {
            let (_, examples) = ALL.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}"));
            for example in *examples {
                assert!(example.starts_with(&format!("splc {name}")), "{example}");
                let read = Arguments::command().try_get_matches_from(words(example));
                assert!(read.is_ok(), "{example}: {}", read.unwrap_err());
            }
        }
    }
}
