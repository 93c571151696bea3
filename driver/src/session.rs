//! Sessions: inputs that change, and results that are kept as long as they are valid.
//!
//! A [`Session`] is for programs that look at the same files again and again: editors, language servers, previews. It
//! keeps the text of each open file with its version, and the results of each step. A result is valid until its file,
//! a file that it includes, or the options change. Results are shared, so a worker can use them while others edit.
//!
//! ```
//! use std::path::Path;
//!
//! use splc_driver::session::{Session, Token};
//! use splc_driver::{NoIncludes, Opened, Options};
//!
//! let session = Session::new(Options::default(), NoIncludes);
//! let (yard, token) = (Path::new("yard.des"), Token::default());
//! session.set_text(yard, 1, "LEVEL: \"yard\"\nNOMAP\nFOUNTIAN: random\n");
//! let opened = session.opened(yard, &token).unwrap();
//! let Opened::Levels(read) = &*opened else { panic!("these are levels") };
//! assert!(read.diagnostics.has_errors());
//!
//! session.set_text(yard, 2, "LEVEL: \"yard\"\nNOMAP\nFOUNTAIN: random\n");
//! assert_eq!(session.levels(yard, &token).unwrap().levels.len(), 1);
//! session.close(yard);
//! ```

use splc_ir::order::Order;
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use splc_frontends::{Includes, too_large};

use crate::dungeon;
use crate::input::{Accepts, Input};
use crate::open::{Kind, Opened, files, kind};
use crate::options::Options;
use crate::read::{Judging, Levels, Parsed};
use crate::target::{TargetError, Wanted};

/// Open files and their results. All methods can be called from any thread.
pub struct Session {
    /// The included files that are not open.
    includes: Mutex<Box<dyn Includes + Send>>,
    state: Mutex<State>,
}

/// Stops work that nobody waits for any more. It is checked between steps, so a step that has begun is finished.
#[derive(Clone, Debug, Default)]
pub struct Token(Arc<AtomicBool>);

/// The reason why there is no result.
#[derive(Clone, Debug)]
pub enum Stopped {
    /// The token was cancelled.
    Cancelled,
    /// The file is not open.
    NotOpen,
    /// The file does not contain levels.
    NotLevels,
    /// The game cannot be determined.
    Target(TargetError),
}

/// The version of an open file.
pub type Version = i64;

struct State {
    options: Arc<Options>,
    /// The revision of their last change.
    options_changed: u64,
    /// The number of changes so far.
    revision: u64,
    /// The revision of the last change of each place.
    changed: HashMap<PathBuf, u64>,
    files: Arc<HashMap<PathBuf, File>>,
    results: HashMap<PathBuf, Results>,
}

/// An open file.
#[derive(Clone)]
struct File {
    version: Version,
    bytes: Arc<[u8]>,
    /// Its game, if it differs from that of the options.
    wanted: Option<Arc<Wanted>>,
}

/// The results for a file.
#[derive(Clone, Default)]
struct Results {
    /// The revision for which they are valid.
    revision: u64,
    /// The places on which they depend, including places where an included file was not found.
    needs: HashSet<PathBuf>,
    parsed: Option<Arc<Parsed>>,
    opened: Option<Arc<Opened>>,
    levels: Option<Arc<Levels>>,
}

/// The last step of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Parse,
    Check,
    Lower,
}

impl Token {
    /// Cancels the work of all clones of the token.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if the work is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.is_cancelled() { Err(Stopped::Cancelled) } else { Ok(()) }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Cancelled => f.write_str("cancelled"),
            Stopped::NotOpen => f.write_str("the file is not open"),
            Stopped::NotLevels => f.write_str("the file does not contain levels"),
            Stopped::Target(error) => error.fmt(f),
        }
    }
}

impl Error for Stopped {}

impl From<TargetError> for Stopped {
    fn from(error: TargetError) -> Self {
        Stopped::Target(error)
    }
}

impl Session {
    /// Creates a session without open files. `includes` reads included files that are not open.
    pub fn new(options: Options, includes: impl Includes + Send + 'static) -> Self {
        let state = State {
            options: Arc::new(options),
            options_changed: 0,
            revision: 0,
            changed: HashMap::new(),
            files: Arc::default(),
            results: HashMap::new(),
        };
        Session { includes: Mutex::new(Box::new(includes)), state: Mutex::new(state) }
    }

    /// Opens the file at `place`, or replaces its text. Returns false, and changes nothing, if a newer version is
    /// known.
    pub fn set_text(&self, place: impl AsRef<Path>, version: Version, text: impl Into<Vec<u8>>) -> bool {
        let (place, bytes) = (normal(place.as_ref()), text.into());
        let mut state = self.state();
        let known = state.files.get(&place);
        if known.is_some_and(|known| known.version > version) {
            return false;
        }
        let same = known.is_some_and(|known| *known.bytes == *bytes);
        let wanted = known.and_then(|known| known.wanted.clone());
        if !same {
            state.change(&place);
        }
        Arc::make_mut(&mut state.files).insert(place, File { version, bytes: bytes.into(), wanted });
        true
    }

    /// Sets the game of the open file at `place`, or restores that of the options. No result of the file stays valid.
    ///
    /// The dialect of a des-file is detected from its text, which is incomplete while someone writes it. An editor
    /// therefore keeps the game that it found first.
    pub fn set_wanted(&self, place: impl AsRef<Path>, wanted: Option<Wanted>) {
        let place = normal(place.as_ref());
        let mut state = self.state();
        if let Some(file) = Arc::make_mut(&mut state.files).get_mut(&place) {
            file.wanted = wanted.map(Arc::new);
            state.change(&place);
        }
    }

    /// Returns the files that the known results of the file at `place` depend on, itself included. Not all of them
    /// need to exist.
    pub fn dependencies(&self, place: impl AsRef<Path>) -> Vec<PathBuf> {
        let state = self.state();
        let mut found: Vec<PathBuf> = state
            .results
            .get(&normal(place.as_ref()))
            .map_or_else(Vec::new, |results| results.needs.iter().cloned().collect());
        found.order();
        found
    }

    /// Closes the file at `place`. Files that include it then get it from elsewhere.
    pub fn close(&self, place: impl AsRef<Path>) {
        let place = normal(place.as_ref());
        let mut state = self.state();
        if Arc::make_mut(&mut state.files).remove(&place).is_some() {
            state.change(&place);
        }
        state.results.remove(&place);
    }

    /// Records that the file at `place`, which is not open, has changed.
    pub fn touch(&self, place: impl AsRef<Path>) {
        self.state().change(&normal(place.as_ref()));
    }

    /// Returns the version of the file at `place`, if it is open.
    pub fn version(&self, place: impl AsRef<Path>) -> Option<Version> {
        self.state().files.get(&normal(place.as_ref())).map(|file| file.version)
    }

    /// Returns the text of the file at `place`, if it is open.
    pub fn text(&self, place: impl AsRef<Path>) -> Option<Arc<[u8]>> {
        self.state().files.get(&normal(place.as_ref())).map(|file| Arc::clone(&file.bytes))
    }

    /// Returns the number of changes so far: of files, games and options.
    pub fn revision(&self) -> u64 {
        self.state().revision
    }

    /// Returns the options, with the catalogs of games.
    pub fn options(&self) -> Arc<Options> {
        Arc::clone(&self.state().options)
    }

    /// Sets the options. No result stays valid.
    pub fn set_options(&self, options: Options) {
        let mut state = self.state();
        state.options = Arc::new(options);
        state.revision += 1;
        state.options_changed = state.revision;
        state.results.clear();
    }

    /// Returns the open files whose known results depend on the file at `place`, itself included.
    pub fn dependents(&self, place: impl AsRef<Path>) -> Vec<PathBuf> {
        let place = normal(place.as_ref());
        let state = self.state();
        let depends = |(_, results): &(&PathBuf, &Results)| results.needs.contains(&place);
        let mut found: Vec<PathBuf> = state.results.iter().filter(depends).map(|(file, _)| file.clone()).collect();
        found.order();
        found
    }

    /// Parses the levels of the file at `place` for the likeliest game.
    ///
    /// # Errors
    /// See [`Stopped`].
    pub fn parsed(&self, place: impl AsRef<Path>, token: &Token) -> Result<Arc<Parsed>, Stopped> {
        self.results(place.as_ref(), Step::Parse, token)?.parsed.ok_or(Stopped::NotLevels)
    }

    /// Reads and checks the file at `place`, like [`open`](crate::open()).
    ///
    /// # Errors
    /// See [`Stopped`].
    pub fn opened(&self, place: impl AsRef<Path>, token: &Token) -> Result<Arc<Opened>, Stopped> {
        self.results(place.as_ref(), Step::Check, token)?.opened.ok_or(Stopped::NotOpen)
    }

    /// Lowers the levels of the file at `place`, like [`levels`](crate::levels) of a source without errors.
    /// [`Levels::prepare`] makes them ready to run.
    ///
    /// # Errors
    /// See [`Stopped`].
    pub fn levels(&self, place: impl AsRef<Path>, token: &Token) -> Result<Arc<Levels>, Stopped> {
        self.results(place.as_ref(), Step::Lower, token)?.levels.ok_or(Stopped::NotLevels)
    }

    /// Returns the results for the file at `place` up to `last`. Those of earlier steps are kept even if it is
    /// cancelled.
    fn results(&self, place: &Path, last: Step, token: &Token) -> Result<Results, Stopped> {
        let place = normal(place);
        let (mut results, bytes, options, files) = {
            let state = self.state();
            let file = state.files.get(&place).ok_or(Stopped::NotOpen)?;
            let bytes = Arc::clone(&file.bytes);
            let options = match &file.wanted {
                Some(wanted) => Arc::new(Options { wanted: Wanted::clone(wanted), ..Options::clone(&state.options) }),
                None => Arc::clone(&state.options),
            };
            let known = state.results.get(&place).filter(|results| state.is_valid(results)).cloned();
            let new = || Results { needs: HashSet::from([place.clone()]), ..Results::default() };
            let results = Results { revision: state.revision, ..known.unwrap_or_else(new) };
            (results, bytes, options, Arc::clone(&state.files))
        };
        let input = || Input::file(place.display().to_string(), place.clone(), bytes.to_vec());
        let mut includes = Lookup { session: self, files, needs: std::mem::take(&mut results.needs) };
        for step in [Step::Parse, Step::Check, Step::Lower] {
            let done = token.check().and_then(|()| results.step(step, &input, &options, &mut includes, token));
            results.needs.clone_from(&includes.needs);
            if done? {
                self.keep(&place, &results);
            }
            if step == last {
                break;
            }
        }
        Ok(results)
    }

    /// Stores `results`, unless they are out of date by now, or another thread has taken more steps.
    fn keep(&self, place: &Path, results: &Results) {
        let mut state = self.state();
        let known = state.results.get(place).filter(|known| state.is_valid(known));
        let is_new = known.is_none_or(|known| known.steps() < results.steps());
        if is_new && state.files.contains_key(place) && state.is_valid(results) {
            state.results.insert(place.to_owned(), results.clone());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn change(&mut self, place: &Path) {
        self.revision += 1;
        self.changed.insert(place.to_owned(), self.revision);
    }

    /// Returns true if nothing that `results` depend on has changed since.
    fn is_valid(&self, results: &Results) -> bool {
        let is_old = |place: &PathBuf| self.changed.get(place).is_none_or(|&changed| changed <= results.revision);
        self.options_changed <= results.revision && results.needs.iter().all(is_old)
    }
}

impl Results {
    /// Returns the number of steps taken.
    fn steps(&self) -> usize {
        [self.parsed.is_some(), self.opened.is_some(), self.levels.is_some()].into_iter().filter(|done| *done).count()
    }

    /// Takes a step, unless its result is known. Returns true if there is a new result.
    fn step(
        &mut self,
        step: Step,
        input: &dyn Fn() -> Input,
        options: &Options,
        includes: &mut Lookup<'_>,
        token: &Token,
    ) -> Result<bool, Stopped> {
        match step {
            Step::Parse if self.parsed.is_none() && self.opened.is_none() => {
                let input = input();
                match kind(&input) {
                    Kind::Levels => {
                        let recognised = input.recognise(Accepts::Levels, &options.wanted)?;
                        self.parsed = Some(Arc::new(recognised.parse(options, includes)));
                    }
                    Kind::Dungeon => {
                        self.opened = Some(Arc::new(Opened::Dungeon(dungeon::read(input, options)?)));
                    }
                    Kind::Archive(archive) => {
                        self.opened = Some(Arc::new(Opened::Archive(files(&input.name, archive, options))));
                    }
                }
            }
            Step::Check if self.opened.is_none() => {
                let Some(parsed) = &self.parsed else { return Ok(false) };
                let goes_on = || !token.is_cancelled();
                let read = Parsed::clone(parsed).check(Judging::Meaning, options, includes, &goes_on);
                // Not all dialects were tried.
                token.check()?;
                let read = read.past_errors(options, includes, &goes_on);
                token.check()?;
                self.opened = Some(Arc::new(Opened::Levels(read)));
            }
            Step::Lower if self.levels.is_none() => {
                let Some(Opened::Levels(read)) = self.opened.as_deref() else { return Ok(false) };
                self.levels = Some(Arc::new(read.clone().lower()));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Finds included files: the open ones first.
struct Lookup<'s> {
    session: &'s Session,
    files: Arc<HashMap<PathBuf, File>>,
    needs: HashSet<PathBuf>,
}

impl Lookup<'_> {
    /// Returns the text of `place` if it is open, and records the request.
    fn open(&mut self, place: &Path, most: u64) -> Option<io::Result<Vec<u8>>> {
        self.needs.insert(place.to_owned());
        let file = self.files.get(place)?;
        Some(if file.bytes.len() as u64 > most { Err(too_large()) } else { Ok(file.bytes.to_vec()) })
    }
}

impl Includes for Lookup<'_> {
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        let beside = normal(&from.and_then(Path::parent).unwrap_or(Path::new("")).join(path));
        if let Some(open) = self.open(&beside, most) {
            return Ok((beside, open?));
        }
        let session = self.session;
        let read = session.includes.lock().unwrap_or_else(PoisonError::into_inner).read(path, from, most);
        let (place, bytes) = read?;
        match self.open(&normal(&place), most) {
            Some(open) => Ok((place, open?)),
            None => Ok((place, bytes)),
        }
    }
}

/// Returns `path` without `.` and `..`, so that each place has one name.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

#[cfg(test)]
mod tests;
