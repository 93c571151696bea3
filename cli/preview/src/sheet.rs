//! An input prepared for the page.

use serde::Serialize;
use splc_driver::{Includes, Input, Loaded, Opened, Options, Wanted, decompile, load, open};
use splc_game::depths::depths;
use splc_ir::dungeon::Item;
use splc_ir::order::Order;
use splc_ir::source::Form;

use crate::beside::Accounted;
use crate::findings::Finding;
use crate::limits::MAX_SHOWN_SOURCE;

/// An input with its levels.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The input as it was read.
    pub input: Input,
    /// Its contents.
    pub matter: Matter,
    /// Numbers of the inputs whose levels are shown next to its own: its port, or an earlier version.
    pub beside: Vec<usize>,
    /// The account of its port.
    pub account: Vec<Accounted>,
}

/// The contents of an input.
#[derive(Clone, Debug)]
pub enum Matter {
    /// Levels.
    Levels {
        /// The levels, ready to run.
        loaded: Box<Loaded>,
        /// True if the source was recovered from a level file.
        decompiled: bool,
    },
    /// A dungeon.
    Dungeon {
        /// Its title.
        game: String,
        /// Its dungeons.
        dungeons: Vec<DungeonShown>,
        /// Its diagnostics.
        findings: Vec<Finding>,
    },
    /// Anything else, with the reason.
    Unreadable(String),
}

/// A dungeon with its levels.
#[derive(Clone, Debug, Serialize)]
pub struct DungeonShown {
    /// Its name.
    pub name: String,
    /// Its levels, from the top down.
    pub levels: Vec<LevelOfDungeon>,
}

/// A level of a dungeon.
#[derive(Clone, Debug, Serialize)]
pub struct LevelOfDungeon {
    /// Its name.
    pub name: String,
    /// Each possible depth with its probability.
    pub depths: Vec<(i32, f64)>,
}

/// A sheet as the page lists it.
#[derive(Clone, Debug, Serialize)]
pub struct Listed<'a> {
    name: &'a str,
    /// "levels", "dungeon" or "unreadable".
    kind: &'static str,
    game: &'a str,
    problem: Option<&'a str>,
    levels: Vec<ListedLevel<'a>>,
    dungeons: &'a [DungeonShown],
    sources: Vec<ListedSource<'a>>,
    findings: Vec<Finding>,
    /// True if painting can change the source.
    editable: bool,
    /// True if the source was recovered from a level file.
    decompiled: bool,
    beside: &'a [usize],
    account: &'a [Accounted],
}

#[derive(Clone, Debug, Serialize)]
struct ListedLevel<'a> {
    name: &'a str,
    line: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
struct ListedSource<'a> {
    name: &'a str,
    text: Option<&'a str>,
}

impl Sheet {
    /// Opens an input of any type. A level file is shown with the source recovered from it.
    pub fn open(input: Input, options: &Options, includes: &mut dyn Includes) -> Self {
        let matter = Self::matter(&input, options, includes);
        Sheet { input, matter, beside: Vec::new(), account: Vec::new() }
    }

    /// Creates a sheet of an input that was opened elsewhere.
    pub fn of(input: Input, opened: Opened, options: &Options) -> Self {
        let matter = Self::matter_of(&input, opened, options);
        Sheet { input, matter, beside: Vec::new(), account: Vec::new() }
    }

    /// Returns a sheet for an input that cannot be read.
    pub fn unreadable(name: &str, problem: String) -> Self {
        let input = Input::new(name, Vec::new());
        Sheet { input, matter: Matter::Unreadable(problem), beside: Vec::new(), account: Vec::new() }
    }

    fn matter(input: &Input, options: &Options, includes: &mut dyn Includes) -> Matter {
        match open(input.clone(), options, includes) {
            Err(problem) => Matter::Unreadable(problem.to_string()),
            Ok(opened) => Self::matter_of(input, opened, options),
        }
    }

    fn matter_of(input: &Input, opened: Opened, options: &Options) -> Matter {
        match opened {
            Opened::Archive(_) => {
                let message = format!("{} is an archive: name a level in it, e.g. {0}:castle.lev", input.name);
                Matter::Unreadable(message)
            }
            Opened::Dungeon(dungeon) => {
                let findings = dungeon.diagnostics.iter().map(|it| Finding::of(it, &dungeon.sources)).collect();
                let game = dungeon.target.catalog().title.to_string();
                let mut dungeons = Vec::new();
                if let Some(description) = &dungeon.description
                    && let Ok(depths) = depths(description, &dungeon.target.catalog().dungeon)
                {
                    for (described, placed) in description.dungeons.iter().zip(&depths) {
                        let names = described.items.iter().filter_map(|item| match item {
                            Item::Level(level) => Some(level.name.node.to_string()),
                            _ => None,
                        });
                        let mut levels: Vec<LevelOfDungeon> = names
                            .zip(&placed.levels)
                            .map(|(name, placed)| LevelOfDungeon {
                                name,
                                depths: placed.depth.iter().map(|(&depth, &share)| (depth, share)).collect(),
                            })
                            .collect();
                        levels.order_by_key(|level| level.depths.first().map(|&(depth, _)| depth));
                        dungeons.push(DungeonShown { name: described.name.node.to_string(), levels });
                    }
                }
                Matter::Dungeon { game, dungeons, findings }
            }
            Opened::Levels(read) => {
                let loaded = read.lower().prepare();
                match Self::recovered(input, &loaded, options) {
                    Some(recovered) => Matter::Levels { loaded: Box::new(recovered), decompiled: true },
                    None => Matter::Levels { loaded: Box::new(loaded), decompiled: false },
                }
            }
        }
    }

    /// Returns the level of a level file with the source recovered from it; `None` for a source, or if there is none.
    fn recovered(input: &Input, loaded: &Loaded, options: &Options) -> Option<Loaded> {
        let Form::Bytes { .. } = loaded.sources.main()?.form else { return None };
        let source = decompile(input, options).ok()?.source?;
        let target = &loaded.target;
        let wanted = Wanted { catalog: Some(target.catalog().clone()), abi: Some(target.abi()), ..Wanted::default() };
        let options = Options { wanted, lints: options.lints.clone() };
        let name = format!("{} (decompiled)", input.name);
        load(Input::new(name, source), &options, &mut splc_driver::NoIncludes).ok().filter(|it| !it.levels.is_empty())
    }

    /// Returns its levels, if it has any.
    pub fn loaded(&self) -> Option<&Loaded> {
        match &self.matter {
            Matter::Levels { loaded, .. } => Some(loaded),
            Matter::Dungeon { .. } | Matter::Unreadable(_) => None,
        }
    }

    /// Returns the sheet as the page lists it.
    pub fn listed(&self) -> Listed<'_> {
        let name = &self.input.name;
        let mut listed = Listed {
            name,
            kind: "unreadable",
            game: "",
            problem: None,
            levels: Vec::new(),
            dungeons: &[],
            sources: Vec::new(),
            findings: Vec::new(),
            editable: false,
            decompiled: false,
            beside: &self.beside,
            account: &self.account,
        };
        match &self.matter {
            Matter::Unreadable(problem) => listed.problem = Some(problem),
            Matter::Dungeon { game, dungeons, findings } => {
                (listed.kind, listed.game, listed.dungeons) = ("dungeon", game, dungeons);
                listed.findings = findings.clone();
            }
            Matter::Levels { loaded, decompiled } => {
                listed.kind = "levels";
                listed.game = &loaded.target.catalog().title;
                listed.decompiled = *decompiled;
                listed.editable = self.input.place.is_some() && !decompiled;
                listed.findings = loaded.diagnostics.iter().map(|it| Finding::of(it, &loaded.sources)).collect();
                listed.levels = loaded
                    .levels
                    .iter()
                    .map(|level| ListedLevel {
                        name: &level.name,
                        line: level.span.map(|span| loaded.sources.line_column(span.file, span.start).0),
                    })
                    .collect();
                let text = |text: &'_ str| text.len() <= MAX_SHOWN_SOURCE;
                listed.sources = loaded
                    .sources
                    .iter()
                    .map(|(_, source)| ListedSource {
                        name: &source.name,
                        text: Some(source.text.as_str()).filter(|it| text(it) && source.form == Form::Text),
                    })
                    .collect();
            }
        }
        listed
    }
}
