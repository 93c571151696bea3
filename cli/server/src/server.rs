//! The state of the server: the client, its files and settings, and the files to check and to test.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;
use gen_lsp_types as lsp;
use lsp_server::{Connection, Message, Notification, Request};
use serde_json::Value;
use splc_driver::games::Dialect;
use splc_driver::session::{Session, Token, Version};
use splc_driver::{Includes, Opened, Options, Wanted};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, LintLevels};
use splc_ir::limits::MAX_SOURCE_BYTES;
use splc_ir::order::Order;
use splc_ir::source::Charset;

use crate::findings::{self, Finding};
use crate::limits::PAUSE;
use crate::place;
use crate::preview::Previews;
use crate::text::{Encoding, Text, encoded};
use crate::view::{Language, View};
use crate::worker::{Job, Outcome, Worker};

/// The name of a project file, whose changes affect open files.
const PROJECT_FILE: &str = "splc.toml";

/// The game of a `dungeon.def` of which nothing is known.
const USUAL_DUNGEON: &str = "nethack-3.6.7";

/// The game and the lints that the project of a file sets, or `None` if it has no project. An error is the mistake in
/// the project file.
pub type ProjectOptions = Result<Option<(Wanted, LintLevels)>, String>;

/// The functions and data that the server gets from its program.
pub struct Environment {
    /// The games, and the levels of lints.
    pub options: Options,
    /// Creates a reader of included files that are not open.
    pub includes: fn() -> Box<dyn Includes + Send>,
    /// Returns the explanation of a code as text.
    pub explain: fn(Code) -> String,
    /// Returns the options that the project of a file sets.
    pub project: fn(&Path) -> ProjectOptions,
    /// Returns the name of a file that explains `code`, which may first be created, or `None` if that is impossible.
    pub page: fn(Code) -> Option<std::path::PathBuf>,
}

/// The server of one client.
pub(crate) struct Server {
    pub connection: Connection,
    pub session: Arc<Session>,
    pub explain: fn(Code) -> String,
    project: fn(&Path) -> ProjectOptions,
    page: fn(Code) -> Option<PathBuf>,
    pub encoding: Encoding,
    pub client: Client,
    pub settings: Settings,
    pub folders: Vec<PathBuf>,
    pub documents: HashMap<PathBuf, Document>,
    /// Views of the current texts.
    views: RefCell<HashMap<PathBuf, Rc<View>>>,
    /// The pages of codes that were needed so far.
    pages: RefCell<HashMap<Code, Option<lsp::Uri>>>,
    /// The files to check.
    dirty: BTreeSet<PathBuf>,
    /// The files to test, and the time of the last change.
    untested: BTreeSet<PathBuf>,
    changed: Instant,
    /// The version of the last change of any file. It orders the texts of the session.
    version: Version,
    worker: Worker,
    pub previews: Previews,
    requests: i32,
}

/// An open file.
pub(crate) struct Document {
    pub uri: lsp::Uri,
    pub version: i32,
    pub text: Arc<Text>,
    charset: Charset,
    /// True if its game is certain: it was found without errors, or given.
    is_certain: bool,
    pub findings: Vec<Finding>,
    /// The findings of the last test.
    pub tested: Vec<Finding>,
}

/// Abilities of the client.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    pub snippets: bool,
    pub watches_files: bool,
    /// Creates files in an edit of the workspace.
    pub creates_files: bool,
    pub show_document: bool,
}

/// Settings of the author.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Test levels in the background.
    pub test: bool,
    /// The games of folders or files, by their paths.
    games: Vec<(PathBuf, Wanted)>,
}

impl Server {
    /// Creates the server of a client, which has no files yet.
    pub fn new(
        connection: Connection,
        environment: Environment,
        client: Client,
        encoding: Encoding,
        folders: Vec<PathBuf>,
    ) -> Self {
        let Environment { options, includes, explain, project, page } = environment;
        let mut includes = includes();
        let read = move |path: &str, from: Option<&Path>, most: u64| includes.read(path, from, most);
        let session = Arc::new(Session::new(options, read));
        Server {
            previews: Previews::new(Arc::clone(&session), connection.sender.clone(), encoding),
            connection,
            worker: Worker::start(Arc::clone(&session)),
            session,
            explain,
            project,
            page,
            encoding,
            client,
            settings: Settings { test: true, games: Vec::new() },
            folders,
            documents: HashMap::new(),
            views: RefCell::default(),
            pages: RefCell::default(),
            dirty: BTreeSet::new(),
            untested: BTreeSet::new(),
            changed: Instant::now(),
            version: 0,
            requests: 0,
        }
    }

    /// Checks the files that changed. Several changes that arrived together are checked once.
    pub fn check_changed(&mut self) {
        while self.connection.receiver.is_empty() {
            let Some(path) = self.dirty.pop_first() else { break };
            self.check(&path);
        }
    }

    /// Returns the time of the next tests, if all files are checked.
    pub fn time_to_test(&self) -> Option<Instant> {
        (self.dirty.is_empty() && !self.untested.is_empty()).then(|| self.changed + PAUSE)
    }

    /// Returns the results of tests.
    pub fn outcomes(&self) -> &Receiver<Outcome> {
        &self.worker.outcomes
    }

    /// Sends a message. If the client is gone, the main loop ends with the next one.
    pub fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    pub fn notify<N: lsp::Notification>(&self, parameters: N::Params) {
        self.send(Notification::new(N::METHOD.as_str().to_owned(), parameters));
    }

    /// Sends a request whose answer does not matter, except for an error.
    pub fn request<R: lsp::Request>(&mut self, parameters: R::Params) -> i32 {
        self.requests += 1;
        self.send(Request::new(self.requests.into(), R::METHOD.as_str().to_owned(), parameters));
        self.requests
    }

    /// Shows a message to the author.
    pub fn show(&self, kind: lsp::MessageType, message: String) {
        self.notify::<lsp::ShowMessageNotification>(lsp::ShowMessageParams { kind, message });
    }

    /// Applies a notification.
    pub fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => self.with(params, Self::opened),
            "textDocument/didChange" => self.with(params, Self::changed),
            "textDocument/didClose" => self.with(params, Self::closed),
            "textDocument/didSave" => self.with(params, Self::saved),
            "workspace/didChangeConfiguration" => {
                self.with(params, |server, changed: lsp::DidChangeConfigurationParams| {
                    let settings = changed.settings.get("splc").unwrap_or(&changed.settings).clone();
                    server.configure(&settings);
                });
            }
            "workspace/didChangeWatchedFiles" => self.with(params, Self::files_changed),
            "workspace/didChangeWorkspaceFolders" => {
                self.with(params, |server, changed: lsp::DidChangeWorkspaceFoldersParams| {
                    let removed: Vec<PathBuf> =
                        changed.event.removed.iter().map(|folder| place::path(&folder.uri)).collect();
                    server.folders.retain(|folder| !removed.contains(folder));
                    server.folders.extend(changed.event.added.iter().map(|folder| place::path(&folder.uri)));
                });
            }
            _ => {}
        }
    }

    /// Handles a notification, unless its parameters are invalid: the protocol has no answer to it.
    fn with<P: serde::de::DeserializeOwned>(&mut self, parameters: Value, work: impl FnOnce(&mut Self, P)) {
        if let Ok(parameters) = serde_json::from_value(parameters) {
            work(self, parameters);
        }
    }

    fn opened(&mut self, opened: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, .. } = opened.text_document;
        let path = place::path(&uri);
        let charset = charset(&path, &text);
        let document = Document {
            uri,
            version,
            text: Arc::new(Text::new(text)),
            charset,
            is_certain: false,
            findings: Vec::new(),
            tested: Vec::new(),
        };
        self.documents.insert(path.clone(), document);
        self.update(&path);
        self.choose_game(&path, None);
    }

    fn changed(&mut self, changed: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { version, text_document_identifier } = changed.text_document;
        let path = place::path(&text_document_identifier.uri);
        let encoding = self.encoding;
        let Some(document) = self.documents.get_mut(&path) else { return };
        document.version = version;
        let text = Arc::make_mut(&mut document.text);
        let mut replaced = false;
        for change in changed.content_changes {
            match change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    let range = text.offsets(change.range, encoding);
                    text.replace(range, &change.text);
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    replaced = text.as_str().is_empty();
                    *text = Text::new(change.text);
                }
            }
        }
        self.update(&path);
        if replaced {
            self.choose_game(&path, None);
        }
    }

    fn closed(&mut self, closed: lsp::DidCloseTextDocumentParams) {
        let path = place::path(&closed.text_document.uri);
        self.worker.cancel();
        let dependents = self.session.dependents(&path);
        self.documents.remove(&path);
        self.session.close(&path);
        self.previews.closed(&path);
        self.views.borrow_mut().clear();
        self.dirty.remove(&path);
        self.untested.remove(&path);
        self.dirty.extend(dependents.into_iter().filter(|other| *other != path));
        let uri = closed.text_document.uri;
        self.notify::<lsp::PublishDiagnosticsNotification>(lsp::PublishDiagnosticsParams {
            uri,
            version: None,
            diagnostics: Vec::new(),
        });
    }

    /// A file with errors may have been taken for the wrong dialect.
    fn saved(&mut self, saved: lsp::DidSaveTextDocumentParams) {
        let path = place::path(&saved.text_document.uri);
        let has_errors = |finding: &Finding| finding.published.severity == Some(lsp::DiagnosticSeverity::Error);
        if self.documents.get(&path).is_some_and(|document| document.findings.iter().any(has_errors)) {
            self.choose_game(&path, None);
        }
    }

    fn files_changed(&mut self, changed: lsp::DidChangeWatchedFilesParams) {
        for change in changed.changes {
            let path = place::path(&change.uri);
            if path.file_name().is_some_and(|name| name == PROJECT_FILE) {
                let open: Vec<PathBuf> = self.documents.keys().cloned().collect();
                open.iter().for_each(|path| self.choose_game(path, None));
            }
            if self.documents.contains_key(&path) {
                continue;
            }
            self.session.touch(&path);
            self.views.borrow_mut().clear();
            self.dirty.extend(self.session.dependents(&path));
        }
    }

    /// Passes the text of the file at `path` to the session, and has everything checked that depends on it.
    fn update(&mut self, path: &Path) {
        self.worker.cancel();
        let Some(document) = self.documents.get_mut(path) else { return };
        let bytes = encoded(document.text.as_str(), document.charset);
        document.tested.clear();
        self.version += 1;
        let dependents = self.session.dependents(path);
        self.session.set_text(path, self.version, bytes);
        self.views.borrow_mut().clear();
        self.dirty.extend(dependents);
        self.dirty.insert(path.to_owned());
        self.changed = Instant::now();
    }

    /// Sets the game of the file at `path`: `found`, or that of the settings, or none, so that it is detected again.
    fn choose_game(&mut self, path: &Path, found: Option<Wanted>) {
        let given = self.settings.games.iter().filter(|(place, _)| path.starts_with(place));
        let given = given.max_by_key(|(place, _)| place.components().count()).map(|(_, wanted)| wanted.clone());
        let given = given.or_else(|| self.of_project(path)).or_else(|| self.of_neighbour(path));
        let Some(document) = self.documents.get_mut(path) else { return };
        document.is_certain = given.is_some() || found.is_some();
        self.session.set_wanted(path, given.or(found));
        self.views.borrow_mut().clear();
        self.dirty.insert(path.to_owned());
    }

    /// Returns the game of a `dungeon.def`, which does not show it: that of an open level in its folder, or else a
    /// usual one.
    fn of_neighbour(&self, path: &Path) -> Option<Wanted> {
        let options = self.session.options();
        let wanted = &options.wanted;
        let is_known = !matches!(wanted.target(), Ok(None));
        if is_known || path.extension().is_none_or(|extension| extension != "def") {
            return None;
        }
        let mut neighbours: Vec<&PathBuf> =
            self.documents.keys().filter(|other| *other != path && other.parent() == path.parent()).collect();
        neighbours.order();
        let found = neighbours.into_iter().find_map(|other| match self.view_of(other)?.opened.as_deref()? {
            Opened::Levels(read) => Some(read.target.clone()),
            _ => None,
        });
        Some(match found {
            Some(target) => Wanted { matched: Some(target), ..wanted.clone() },
            None => Wanted { catalog: Catalog::by_name(USUAL_DUNGEON).map(Into::into), ..wanted.clone() },
        })
    }

    /// Applies the lints of the file's project, and returns its game, if it names one. A comment in the file that names
    /// another game takes precedence.
    fn of_project(&mut self, path: &Path) -> Option<Wanted> {
        let (wanted, lints) = match (self.project)(path) {
            Ok(project) => project?,
            Err(problem) => {
                self.show(lsp::MessageType::Warning, problem);
                return None;
            }
        };
        let options = self.session.options();
        if options.lints.of(Some(path)) != &lints {
            let mut options = splc_driver::Options::clone(&options);
            options.lints.set_for(path.to_owned(), lints);
            self.session.set_options(options);
        }
        let names_game = wanted.dialect.is_some() || wanted.catalog.is_some();
        // Settings of the editor, or options of the server, are explicit.
        let is_open = options.wanted.dialect.is_none() && options.wanted.catalog.is_none();
        (names_game && is_open).then_some(wanted)
    }

    /// Applies settings: `test`, `target`, `dialect` and `games`.
    pub fn configure(&mut self, settings: &Value) {
        if let Some(test) = settings.get("test").and_then(Value::as_bool) {
            self.settings.test = test;
        }
        let options = self.session.options();
        let base = Wanted { matched: None, ..options.wanted.clone() };
        let wanted = |name: &str| {
            let dialect = Dialect::by_name(name);
            let catalog =
                base.catalogs.by_name(name).or_else(|| dialect.and_then(Dialect::default_target).map(Into::into));
            catalog.map(|catalog| Wanted { catalog: Some(catalog), dialect: None, ..base.clone() })
        };
        let mut unknown = Vec::new();
        let named =
            ["target", "dialect"].iter().find_map(|key| settings.get(key)?.as_str().filter(|name| !name.is_empty()));
        if let Some(name) = named {
            match wanted(name) {
                Some(wanted) => {
                    let mut options = splc_driver::Options::clone(&options);
                    options.wanted = wanted;
                    self.session.set_options(options);
                }
                None => unknown.push(name.to_owned()),
            }
        }
        if let Some(games) = settings.get("games").and_then(Value::as_object) {
            let roots: Vec<PathBuf> = if self.folders.is_empty() { vec![PathBuf::new()] } else { self.folders.clone() };
            self.settings.games.clear();
            for (place, name) in games {
                let name = name.as_str().unwrap_or_default();
                match wanted(name) {
                    Some(wanted) => {
                        let places = roots.iter().map(|root| (root.join(place), wanted.clone()));
                        self.settings.games.extend(places);
                    }
                    None => unknown.push(name.to_owned()),
                }
            }
        }
        for name in unknown {
            self.show(lsp::MessageType::Warning, format!("unknown target \"{name}\"; `splc targets` lists them"));
        }
        let paths: Vec<PathBuf> = self.documents.keys().cloned().collect();
        for path in paths {
            self.choose_game(&path, None);
        }
    }

    /// Returns the file at `uri` with everything known about it, if it is open.
    pub fn view(&self, uri: &lsp::Uri) -> Option<Rc<View>> {
        self.view_of(&place::path(uri))
    }

    pub fn view_of(&self, path: &Path) -> Option<Rc<View>> {
        if let Some(view) = self.views.borrow().get(path) {
            return Some(Rc::clone(view));
        }
        let document = self.documents.get(path)?;
        let opened = self.session.opened(path, &Token::default()).ok();
        let (uri, text) = (document.uri.clone(), Arc::clone(&document.text));
        let view = Rc::new(View::new(path.to_owned(), uri, text, self.encoding, opened));
        self.views.borrow_mut().insert(path.to_owned(), Rc::clone(&view));
        Some(view)
    }

    /// Returns the file that explains `code`.
    fn page(&self, code: Code) -> Option<lsp::Uri> {
        let page = self.page;
        self.pages.borrow_mut().entry(code).or_insert_with(|| page(code).map(|path| findings::link(&path))).clone()
    }

    /// Checks the file at `path` and publishes its diagnostics.
    fn check(&mut self, path: &Path) {
        let Some(view) = self.view_of(path) else { return };
        let found = findings::of(&view, &mut |code| self.page(code));
        let has_errors = view.diagnostics().is_none_or(|diagnostics| diagnostics.has_errors());
        let Some(document) = self.documents.get_mut(path) else { return };
        document.findings = found;
        let has_levels = view.module().is_some_and(|module| module.levels().next().is_some());
        if !document.is_certain
            && !has_errors
            && has_levels
            && let Some(Opened::Levels(read)) = view.opened.as_deref()
        {
            document.is_certain = true;
            let options = self.session.options();
            let wanted = Wanted { matched: Some(read.target.clone()), ..options.wanted.clone() };
            // The result stays the same, so it need not be published again.
            self.session.set_wanted(path, Some(wanted));
        }
        if self.settings.test && !has_errors && matches!(view.language, Language::Des | Language::Lua) {
            self.untested.insert(path.to_owned());
        } else {
            self.untested.remove(path);
        }
        self.publish(path);
        self.previews.checked(path);
    }

    fn publish(&self, path: &Path) {
        let Some(document) = self.documents.get(path) else { return };
        let all = document.findings.iter().chain(&document.tested);
        self.notify::<lsp::PublishDiagnosticsNotification>(lsp::PublishDiagnosticsParams {
            uri: document.uri.clone(),
            version: Some(document.version),
            diagnostics: all.map(|finding| finding.published.clone()).collect(),
        });
    }

    /// Has all levels tested that changed since the last time.
    pub fn test_all(&mut self) {
        for path in std::mem::take(&mut self.untested) {
            if let Some(document) = self.documents.get(&path) {
                self.worker.test(Job { path, version: document.version });
            }
        }
    }

    /// Publishes the findings of a test, unless the file has changed since.
    pub fn tested(&mut self, outcome: Outcome) {
        let Outcome { path, version, found, sources } = outcome;
        let Some(view) = self.view_of(&path) else { return };
        let findings: Vec<Finding> = found
            .into_iter()
            .map(|found| findings::of_test(&view, found, &sources, &mut |code| self.page(code)))
            .collect();
        let Some(document) = self.documents.get_mut(&path).filter(|document| document.version == version) else {
            return;
        };
        if findings.is_empty() && document.tested.is_empty() {
            return;
        }
        document.tested = findings;
        self.publish(&path);
    }

    /// Returns the URI of the file at `path`, as the client writes it if it is open.
    pub fn uri(&self, path: &Path) -> lsp::Uri {
        self.documents.get(path).map_or_else(|| place::uri(path), |document| document.uri.clone())
    }

    /// Returns the paths of all open files.
    pub fn paths(&self) -> HashSet<PathBuf> {
        self.documents.keys().cloned().collect()
    }
}

impl Client {
    pub fn of(capabilities: &lsp::ClientCapabilities) -> Self {
        // Only a few of the many abilities matter, so they are found by their names.
        let all = serde_json::to_value(capabilities).unwrap_or_default();
        let is = |path: &str| all.pointer(path).and_then(Value::as_bool) == Some(true);
        Client {
            snippets: is("/textDocument/completion/completionItem/snippetSupport"),
            watches_files: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            creates_files: is("/workspace/workspaceEdit/documentChanges")
                && all
                    .pointer("/workspace/workspaceEdit/resourceOperations")
                    .and_then(Value::as_array)
                    .is_some_and(|known| known.iter().any(|operation| operation == "create")),
            show_document: is("/window/showDocument/support"),
        }
    }
}

/// Determines the encoding of the file at `path` with the content `text`. The client decodes it, so this is only known
/// from the file itself.
fn charset(path: &Path, text: &str) -> Charset {
    let is_latin_1 = || {
        let size = std::fs::metadata(path).ok().filter(|file| file.is_file())?.len();
        let bytes = if size <= MAX_SOURCE_BYTES { std::fs::read(path).ok()? } else { return None };
        std::str::from_utf8(&bytes).is_err().then_some(())
    };
    if !text.is_ascii() && is_latin_1().is_some() { Charset::Latin1 } else { Charset::Utf8 }
}
