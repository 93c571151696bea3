//! The questions of the page, and their answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use splc_driver::{Loaded, Options, Runnable};
use splc_ir::catalog::Catalog;
use splc_ir::source::FileId;
use splc_vm::Settings;

use crate::beside::{Compared, compared};
use crate::edit::{self, Change, Edit};
use crate::limits::{MAX_SEED, MAX_SEEDS};
use crate::sheet::{Listed, Sheet};
use crate::statements::{Position, offset};
use crate::{Chances, Drawn, Finding, Spread, Story, chances, drawn, findings, spread, story};

/// A question or request of the page.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Lists the inputs.
    Files,
    /// Runs a level.
    Level {
        /// Number of the input.
        file: usize,
        /// Number of the level in it.
        level: usize,
        /// Seed of the run.
        seed: u64,
    },
    /// Records how a level is made.
    Story {
        /// Number of the input.
        file: usize,
        /// Number of the level in it.
        level: usize,
        /// Seed of the run.
        seed: u64,
    },
    /// Counts the contents of a level.
    Chances {
        /// Number of the input.
        file: usize,
        /// Number of the level in it.
        level: usize,
        /// Number of seeds.
        seeds: u64,
    },
    /// Counts the squares of a statement.
    Spread {
        /// Number of the input.
        file: usize,
        /// Number of the level in it.
        level: usize,
        /// Number of seeds.
        seeds: u64,
        /// Number of the source.
        source: u32,
        /// Start of the statement.
        from: Position,
        /// End of the statement.
        to: Position,
    },
    /// Tests a level.
    Findings {
        /// Number of the input.
        file: usize,
        /// Number of the level in it.
        level: usize,
        /// Number of seeds.
        seeds: u64,
    },
    /// Looks for a difference between two levels.
    Differ {
        /// Number of the input.
        file: usize,
        /// Number of the level in it.
        level: usize,
        /// The input and the level to compare with.
        with: [usize; 2],
        /// Number of seeds.
        seeds: u64,
    },
    /// Lists the names that a game knows.
    Names {
        /// Number of the input.
        file: usize,
    },
    /// Opens an editor at a place in a source.
    Open {
        /// Number of the input.
        file: usize,
        /// Number of the source.
        source: u32,
        /// The place.
        at: Position,
    },
    /// Changes the source of a level.
    Edit {
        /// Number of the input.
        file: usize,
        /// Number of the level in it.
        level: usize,
        /// Seed of the run that the page shows.
        seed: u64,
        /// The version of the files that the page shows.
        version: u64,
        /// The change.
        change: Change,
    },
    /// Takes back the last change.
    Undo,
}

/// An answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer<'a> {
    /// The inputs.
    Files {
        /// Number of changes so far.
        version: u64,
        /// The version of splc.
        splc: &'static str,
        /// True if changes can be taken back.
        undo: bool,
        /// The inputs.
        files: Vec<Listed<'a>>,
    },
    /// A finished level.
    Level(Box<Drawn>),
    /// The making of a level.
    Story(Box<Story>),
    /// Counts.
    Chances(Box<Chances>),
    /// The squares of a statement.
    Spread(Spread),
    /// Findings of a test.
    Findings(Vec<Finding>),
    /// The result of a comparison.
    Compared(Compared),
    /// Names of a game.
    Names {
        /// Its monsters.
        monsters: Vec<&'a str>,
        /// Its objects.
        objects: Vec<&'a str>,
        /// Its traps.
        traps: Vec<&'a str>,
        /// Its types of rooms.
        rooms: Vec<&'a str>,
    },
    /// Success without a result.
    Done {
        /// A sentence for the user.
        done: String,
    },
    /// Failure.
    Error {
        /// The reason.
        error: String,
    },
}

impl Answer<'_> {
    /// Returns a failure.
    pub fn error(error: impl Into<String>) -> Self {
        Answer::Error { error: error.into() }
    }

    /// Writes the answer as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{\"error\":\"the answer cannot be written\"}".to_owned())
    }
}

/// The settings of the game around levels, by the game.
pub type Around = Arc<dyn Fn(&Catalog) -> Settings + Send + Sync>;

/// The inputs of a page, and the means to answer its questions. It is cheap to clone.
#[derive(Clone)]
pub struct Desk {
    /// Number of changes so far.
    pub version: u64,
    /// The inputs.
    pub sheets: Vec<Arc<Sheet>>,
    /// Options with which the inputs are read.
    pub options: Arc<Options>,
    /// The game around the levels.
    pub around: Around,
    /// Number of threads for questions about many seeds.
    pub threads: usize,
    /// True if changes can be taken back.
    pub undo: bool,
}

impl Desk {
    /// Creates a desk without inputs.
    pub fn new(options: Options, around: Around, threads: usize) -> Self {
        Desk { version: 0, sheets: Vec::new(), options: Arc::new(options), around, threads, undo: false }
    }

    /// Answers a question. Requests that need more than the inputs are errors here: [`Request::Open`],
    /// [`Request::Edit`] and [`Request::Undo`] are the host's.
    pub fn answer(&self, request: &Request) -> Answer<'_> {
        match self.answered(request) {
            Ok(answer) => answer,
            Err(error) => Answer::Error { error },
        }
    }

    fn answered(&self, request: &Request) -> Result<Answer<'_>, String> {
        Ok(match request {
            Request::Files => Answer::Files {
                version: self.version,
                splc: env!("CARGO_PKG_VERSION"),
                undo: self.undo,
                files: self.sheets.iter().map(|sheet| sheet.listed()).collect(),
            },
            Request::Level { file, level, seed } => {
                let (loaded, runnable, settings) = self.level(*file, *level)?;
                Answer::Level(Box::new(drawn(loaded, runnable, &settings, valid_seed(*seed)?)))
            }
            Request::Story { file, level, seed } => {
                let (loaded, runnable, settings) = self.level(*file, *level)?;
                Answer::Story(Box::new(story(loaded, runnable, &settings, valid_seed(*seed)?)))
            }
            Request::Chances { file, level, seeds } => {
                let (loaded, runnable, settings) = self.level(*file, *level)?;
                let seeds = valid_count(*seeds)?;
                Answer::Chances(Box::new(chances(loaded, runnable, &settings, seeds, self.threads)))
            }
            Request::Spread { file, level, seeds, source, from, to } => {
                let (loaded, runnable, settings) = self.level(*file, *level)?;
                let text = loaded.sources.get(FileId(*source));
                let (Some(start), Some(end)) = (offset(text, *from), offset(text, *to)) else {
                    return Err("the statement lies outside its source".to_owned());
                };
                let span = splc_ir::source::Span::new(FileId(*source), start, end);
                Answer::Spread(spread(runnable, span, &settings, valid_count(*seeds)?, self.threads))
            }
            Request::Findings { file, level, seeds } => {
                let (loaded, runnable, settings) = self.level(*file, *level)?;
                let (seeds, lints) = (valid_count(*seeds)?, &self.options.lints);
                Answer::Findings(findings(loaded, runnable, &settings, lints, seeds, self.threads))
            }
            Request::Differ { file, level, with: [other, other_level], seeds } => {
                let (_, first, settings) = self.level(*file, *level)?;
                let (_, second, _) = self.level(*other, *other_level)?;
                Answer::Compared(compared([first, second], &settings, valid_count(*seeds)?, self.threads))
            }
            Request::Names { file } => {
                let loaded = self.sheets.get(*file).and_then(|sheet| sheet.loaded()).ok_or("the file has no levels")?;
                let catalog = loaded.target.catalog();
                Answer::Names {
                    monsters: catalog.monsters.iter().map(|it| it.name.as_ref()).collect(),
                    objects: catalog.objects.iter().map(|it| it.name.as_ref()).collect(),
                    traps: catalog.traps.iter().map(|(name, _)| name.as_ref()).collect(),
                    rooms: catalog.rooms.iter().map(|(name, _)| name.as_ref()).collect(),
                }
            }
            Request::Open { .. } | Request::Edit { .. } | Request::Undo => {
                return Err("this page cannot change or open files".to_owned());
            }
        })
    }

    /// Returns the edit of a [`Request::Edit`].
    ///
    /// # Errors
    /// The reason why the change is not possible.
    pub fn edit(&self, file: usize, level: usize, seed: u64, version: u64, change: &Change) -> Result<Edit, String> {
        if version != self.version {
            return Err("the picture is older than the file: try again".to_owned());
        }
        let (loaded, runnable, settings) = self.level(file, level)?;
        let sheet = self.sheets.get(file).ok_or("no such file")?;
        edit::edit(sheet, loaded, runnable, &settings, valid_seed(seed)?, change, &self.options)
    }

    /// Returns a level with the settings for it.
    fn level(&self, file: usize, level: usize) -> Result<(&Loaded, &Runnable, Settings), String> {
        let loaded = self.sheets.get(file).and_then(|sheet| sheet.loaded()).ok_or("the file has no levels")?;
        let runnable = loaded.levels.get(level).ok_or("no such level")?;
        Ok((loaded, runnable, (self.around)(loaded.target.catalog())))
    }
}

fn valid_seed(seed: u64) -> Result<u64, String> {
    if seed <= MAX_SEED { Ok(seed) } else { Err(format!("the largest seed is {MAX_SEED}")) }
}

fn valid_count(seeds: u64) -> Result<u64, String> {
    if (1..=MAX_SEEDS).contains(&seeds) { Ok(seeds) } else { Err(format!("name 1 to {MAX_SEEDS} seeds")) }
}
