//! The preview of open files: in a view of the editor, over messages of its own, and in a browser.
//!
//! - The request `splc/previewPage` returns the page for a view of the editor, and `splc/preview` answers a question of
//!   the page. The notification `splc/previewChanged` says that the level has changed.
//! - The command [`PREVIEW`](crate::requests::PREVIEW) serves the page to a browser. Its cursor follows that of the
//!   editor, as far as the client requests highlights.
//!
//! Both show the text in the editor, saved or not. A change that the user makes on the page is an edit of that text,
//! so the undo of the editor takes it back. Answers are computed on threads of their own, and never delay typing.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::Sender;
use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use splc_driver::session::{Session, Token};
use splc_driver::{Input, Opened};
use splc_ir::source::FileId;
use splc_preview::{Desk, Host, Position, Remote, Request as Question, Sheet, page};
use splc_vm::Settings;

use crate::limits::{MAX_PREVIEW_ANSWERS, MAX_PREVIEWS};
use crate::place;
use crate::text::{Encoding, Text, decoded};

/// The previews of a server.
pub(crate) struct Previews {
    source: Source,
    /// The desk of the last question, with its file and the revision of the session.
    desk: Arc<Mutex<Option<(PathBuf, u64, Desk)>>>,
    /// Number of questions being answered.
    answering: Arc<AtomicUsize>,
    /// Files shown in a view of the editor.
    shown: Vec<PathBuf>,
    /// Files shown in a browser.
    served: Vec<Served>,
}

/// A file that is shown in a browser.
struct Served {
    path: PathBuf,
    address: String,
    remote: Remote,
    ends: Arc<AtomicBool>,
}

/// The open files, and the way to the client.
#[derive(Clone)]
struct Source {
    session: Arc<Session>,
    /// `None` after the client has gone. The threads of a page may outlive it.
    client: Arc<Mutex<Option<Sender<Message>>>>,
    encoding: Encoding,
    threads: usize,
    requests: Arc<AtomicU64>,
}

/// The parameters of `splc/preview`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Requested {
    text_document: lsp::TextDocumentIdentifier,
    request: Question,
}

impl Previews {
    pub fn new(session: Arc<Session>, client: Sender<Message>, encoding: Encoding) -> Self {
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let client = Arc::new(Mutex::new(Some(client)));
        let source = Source { session, client, encoding, threads, requests: Arc::default() };
        Previews { source, desk: Arc::default(), answering: Arc::default(), shown: Vec::new(), served: Vec::new() }
    }

    /// Answers `splc/preview`, at once or later.
    pub fn ask(&mut self, request: Request) {
        let Request { id, params, .. } = request;
        let requested: Requested = match serde_json::from_value(params) {
            Ok(requested) => requested,
            Err(error) => {
                let response = Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string());
                return self.source.send(response);
            }
        };
        let path = place::path(&requested.text_document.uri);
        if !self.shown.contains(&path) {
            self.shown.push(path.clone());
        }
        let question = requested.request;
        if let Question::Open { source, at, .. } = question {
            let answer = done(self.source.show(&path, &self.desk, source, at));
            return self.source.send(Response::new_ok(id, answer));
        }
        if let Question::Edit { file, level, seed, version, change } = &question {
            let desk = desk(&self.source, &path, &self.desk);
            let edit = desk.edit(*file, *level, *seed, *version, change);
            let answer = done(edit.and_then(|edit| {
                self.source.edit(&edit.path, &edit.after)?;
                Ok(edit.done)
            }));
            return self.source.send(Response::new_ok(id, answer));
        }
        if self.answering.fetch_add(1, Ordering::AcqRel) >= MAX_PREVIEW_ANSWERS {
            self.answering.fetch_sub(1, Ordering::AcqRel);
            let message = "too many questions of the preview at once".to_owned();
            return self.source.send(Response::new_err(id, ErrorCode::RequestFailed as i32, message));
        }
        let (source, known, answering) = (self.source.clone(), Arc::clone(&self.desk), Arc::clone(&self.answering));
        thread::spawn(move || {
            let answer = desk(&source, &path, &known).answer(&question).json();
            answering.fetch_sub(1, Ordering::AcqRel);
            let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
            source.send(Response::new_ok(id, answer));
        });
    }

    /// Answers `splc/previewPage`. Its parameter `nonce` is a text of letters and digits that the view chose.
    pub fn page(request: Request) -> Response {
        let nonce = request.params.get("nonce").and_then(Value::as_str).unwrap_or_default();
        if nonce.is_empty() || !nonce.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let message = "the nonce consists of letters and digits".to_owned();
            return Response::new_err(request.id, ErrorCode::InvalidParams as i32, message);
        }
        Response::new_ok(request.id, page::webview(nonce))
    }

    /// Tells the views that the file at `path` was checked again.
    pub fn checked(&self, path: &Path) {
        if self.shown.iter().any(|shown| shown == path) {
            let changed = json!({ "uri": place::uri(path), "version": self.source.session.revision() });
            self.source.send(Notification::new("splc/previewChanged".to_owned(), changed));
        }
        for served in &self.served {
            if served.path == path {
                served.remote.refresh();
            }
        }
    }

    /// Ends the previews of the file at `path`.
    pub fn closed(&mut self, path: &Path) {
        self.shown.retain(|shown| shown != path);
        self.served.retain(|served| {
            let stays = served.path != path;
            served.ends.fetch_or(!stays, Ordering::AcqRel);
            stays
        });
    }

    /// Shows the position of the cursor, line from 1 and column in units of UTF-16, in browsers.
    pub fn cursor(&self, path: &Path, at: Position) {
        for served in self.served.iter().filter(|served| served.path == path) {
            served.remote.show_cursor(0, 0, at);
        }
    }

    /// Serves the file at `path` to a browser, and returns the address.
    pub fn serve(&mut self, path: &Path) -> Result<String, String> {
        if let Some(served) = self.served.iter().find(|served| served.path == path) {
            return Ok(served.address.clone());
        }
        if self.served.len() >= MAX_PREVIEWS {
            return Err(format!("{MAX_PREVIEWS} previews are open; close one of their files"));
        }
        let failed = |error: std::io::Error| format!("cannot serve the preview: {error}");
        let ends = Arc::new(AtomicBool::new(false));
        let host = Unsaved { source: self.source.clone(), path: path.to_owned(), ends: Arc::clone(&ends) };
        let server = splc_preview::Server::bind(self.source.new_desk(), Box::new(host)).map_err(failed)?;
        let (address, remote) = (server.address(), server.remote());
        thread::Builder::new().name("preview".to_owned()).spawn(move || server.run()).map_err(failed)?;
        self.served.push(Served { path: path.to_owned(), address: address.clone(), remote, ends });
        Ok(address)
    }
}

impl Drop for Previews {
    fn drop(&mut self) {
        for served in &self.served {
            served.ends.store(true, Ordering::Release);
        }
        *self.source.client.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn done(result: Result<String, String>) -> Value {
    match result {
        Ok(done) => json!({ "done": done }),
        Err(error) => json!({ "error": error }),
    }
}

/// Returns a desk with the current text of the file at `path`. `known` keeps it until something changes.
fn desk(source: &Source, path: &Path, known: &Mutex<Option<(PathBuf, u64, Desk)>>) -> Desk {
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let revision = source.session.revision();
    if let Some((shown, at, desk)) = &*lock()
        && (shown.as_path(), *at) == (path, revision)
    {
        return desk.clone();
    }
    let mut desk = source.new_desk();
    desk.version = revision;
    desk.sheets = vec![Arc::new(source.sheet(path))];
    *lock() = Some((path.to_owned(), revision, desk.clone()));
    desk
}

impl Source {
    /// Sends a message. If the client is gone, nobody waits for it.
    fn send(&self, message: impl Into<Message>) {
        if let Some(client) = self.client.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            let _ = client.send(message.into());
        }
    }

    fn request<R: lsp::Request>(&self, parameters: R::Params) {
        let id = format!("preview-{}", self.requests.fetch_add(1, Ordering::Relaxed));
        self.send(Request::new(id.into(), R::METHOD.as_str().to_owned(), parameters));
    }

    fn new_desk(&self) -> Desk {
        let options = splc_driver::Options::clone(&self.session.options());
        Desk::new(options, Arc::new(|_| Settings::default()), self.threads)
    }

    /// Prepares the current text of the file at `path`.
    fn sheet(&self, path: &Path) -> Sheet {
        let name = path.display().to_string();
        let Some(bytes) = self.session.text(path) else {
            return Sheet::unreadable(&name, "the file is not open in the editor".to_owned());
        };
        let options = self.session.options();
        match self.session.opened(path, &Token::default()) {
            Ok(opened) => {
                let input = Input::file(name, path.to_owned(), bytes.to_vec());
                Sheet::of(input, Opened::clone(&opened), &options)
            }
            Err(problem) => Sheet::unreadable(&name, problem.to_string()),
        }
    }

    /// Has the client show a place in a source of the file at `path`.
    fn show(
        &self,
        path: &Path,
        known: &Mutex<Option<(PathBuf, u64, Desk)>>,
        source: u32,
        at: Position,
    ) -> Result<String, String> {
        let desk = desk(self, path, known);
        let loaded = desk.sheets.first().and_then(|sheet| sheet.loaded()).ok_or("the file has no levels")?;
        let source = loaded.sources.get(FileId(source));
        let place = source.path.as_deref().ok_or("this source is not a file")?;
        let offset = splc_preview::offset(source, at).ok_or("the source has no such line")?;
        let position = Text::new(source.text.as_str()).position(offset, self.encoding);
        self.show_place(place, position);
        Ok("shown in the editor".to_owned())
    }

    fn show_place(&self, path: &Path, position: lsp::Position) {
        self.request::<lsp::ShowDocumentRequest>(lsp::ShowDocumentParams {
            uri: place::uri(path),
            external: None,
            take_focus: Some(true),
            selection: Some(lsp::Range { start: position, end: position }),
        });
    }

    /// Has the client replace the text of an open file.
    fn edit(&self, path: &Path, after: &[u8]) -> Result<(), String> {
        let before = self.session.text(path).ok_or("the file is not open in the editor")?;
        let edits = Text::new(decoded(&before)).edits(&decoded(after), self.encoding);
        let edit = lsp::WorkspaceEdit { changes: Some([(place::uri(path), edits)].into()), ..Default::default() };
        let label = Some("Preview".to_owned());
        self.request::<lsp::ApplyWorkspaceEditRequest>(lsp::ApplyWorkspaceEditParams { label, edit, metadata: None });
        Ok(())
    }
}

/// A file of the editor, for the server of the page.
struct Unsaved {
    source: Source,
    path: PathBuf,
    ends: Arc<AtomicBool>,
}

impl Host for Unsaved {
    fn stamp(&mut self) -> u64 {
        self.source.session.revision()
    }

    fn open_all(&mut self, _: &Desk) -> Vec<Sheet> {
        vec![self.source.sheet(&self.path)]
    }

    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let text = self.source.session.text(path);
        text.map(|bytes| bytes.to_vec()).ok_or_else(|| "the file is not open in the editor".to_owned())
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), String> {
        self.source.edit(path, bytes)
    }

    fn show(&mut self, path: &Path, line: usize, column: usize) -> Result<String, String> {
        // The page counts lines and columns from 1, and columns in units of UTF-16.
        let utf_16 = lsp::Position { line: line.saturating_sub(1) as u32, character: column.saturating_sub(1) as u32 };
        let position = self.source.session.text(path).map_or(utf_16, |bytes| {
            let text = Text::new(decoded(&bytes));
            text.position(text.offset(utf_16, Encoding::Utf16), self.source.encoding)
        });
        self.source.show_place(path, position);
        Ok("shown in the editor".to_owned())
    }

    fn ends(&self) -> bool {
        self.ends.load(Ordering::Acquire)
    }
}
