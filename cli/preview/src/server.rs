//! The server of the page: for browsers of this machine that were given the token, and for nobody else.
//!
//! - It listens on the loopback address, on a port that the system chooses.
//! - The address that it prints has a token of 128 bits. A request with it receives a cookie (`HttpOnly`,
//!   `SameSite=Strict`) with a second secret; without the cookie there is nothing but a hint.
//! - `Host` must be the address itself, so that a name that resolves to it (DNS rebinding) is refused. `Origin`, where
//!   a browser sends it, must be the page's own.
//! - Paths are compared with a fixed list. No part of a request is ever the name of a file.

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::desk::{Answer, Desk, Request};
use crate::edit::Edit;
use crate::http::{Call, Refusal, Response, head};
use crate::limits::{
    HEARTBEAT_SECONDS, IDLE_MILLISECONDS, MAX_CONNECTIONS, MAX_UNDO, MAX_VIEWERS, REQUEST_SECONDS, WATCH_MILLISECONDS,
};
use crate::page;
use crate::sheet::Sheet;
use crate::statements::Position;

/// The files and programs of the user, as far as the server needs them.
pub trait Host: Send {
    /// Returns a number that changes when one of the files, or a file that they include, may have changed.
    fn stamp(&mut self) -> u64;

    /// Opens all files again.
    fn open_all(&mut self, desk: &Desk) -> Vec<Sheet>;

    /// Reads a file.
    ///
    /// # Errors
    /// The reason for the user.
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String>;

    /// Writes a file.
    ///
    /// # Errors
    /// The reason for the user.
    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), String>;

    /// Opens an editor at a line and a column, both from 1.
    ///
    /// # Errors
    /// The reason for the user.
    fn show(&mut self, path: &Path, line: usize, column: usize) -> Result<String, String>;

    /// Returns true if the server must end.
    fn ends(&self) -> bool;
}

/// A server that is bound to its address.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

struct Shared {
    port: u16,
    /// The secret in the printed address.
    token: String,
    /// The secret in the cookie.
    cookie: String,
    script: String,
    page: String,
    desk: Mutex<Desk>,
    host: Mutex<Box<dyn Host>>,
    undo: Mutex<Vec<Edit>>,
    news: Mutex<News>,
    changed: Condvar,
    connections: AtomicUsize,
    viewers: AtomicUsize,
    refresh: AtomicBool,
}

/// The state of the page's files.
#[derive(Clone, Copy, PartialEq, Eq)]
struct News {
    version: u64,
    ended: bool,
    /// Place of the cursor in the editor: number of the input, number of the source, position.
    cursor: Option<(usize, u32, Position)>,
}

/// Steers a running server.
#[derive(Clone)]
pub struct Remote(Arc<Shared>);

impl Remote {
    /// Highlights the squares of the statement at `at`, in the source with number `source` of the input `file`.
    pub fn show_cursor(&self, file: usize, source: u32, at: Position) {
        lock(&self.0.news).cursor = Some((file, source, at));
        self.0.changed.notify_all();
    }

    /// Opens the files again now.
    pub fn refresh(&self) {
        self.0.refresh.store(true, Ordering::Release);
    }
}

/// Decrements a counter at the end of a scope.
struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    /// Counts one more, or returns `None` if there are `most` already.
    fn add(counter: &'a AtomicUsize, most: usize) -> Option<Self> {
        let counted = Counted(counter);
        (counter.fetch_add(1, Ordering::AcqRel) < most).then_some(counted)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns 128 random bits as hexadecimal digits.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares secrets in a time that does not depend on where they differ.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other)) == 0
}

impl Server {
    /// Opens the files of `host` and binds an address.
    ///
    /// # Errors
    /// Fails if the system refuses an address or random numbers.
    pub fn bind(mut desk: Desk, mut host: Box<dyn Host>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        open_all(&mut desk, &mut *host);
        let shared = Shared {
            port,
            token: secret()?,
            cookie: secret()?,
            script: page::script(),
            page: page::served(),
            news: Mutex::new(News { version: desk.version, ended: false, cursor: None }),
            desk: Mutex::new(desk),
            host: Mutex::new(host),
            undo: Mutex::new(Vec::new()),
            changed: Condvar::new(),
            connections: AtomicUsize::new(0),
            viewers: AtomicUsize::new(0),
            refresh: AtomicBool::new(false),
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// Returns the address for the user, with the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.shared.port, self.shared.token)
    }

    /// Returns the means to steer the server while it runs.
    pub fn remote(&self) -> Remote {
        Remote(Arc::clone(&self.shared))
    }

    /// Serves until the host ends, watching its files.
    ///
    /// # Errors
    /// Fails if the system cannot start a thread.
    pub fn run(self) -> io::Result<()> {
        let Server { listener, shared } = self;
        let accepting = Arc::clone(&shared);
        thread::Builder::new().name("accept".to_owned()).spawn(move || {
            for stream in listener.incoming().flatten() {
                accept(stream, &accepting);
            }
        })?;
        let mut stamp = lock(&shared.host).stamp();
        loop {
            let watched = shared.viewers.load(Ordering::Acquire) > 0;
            thread::sleep(Duration::from_millis(if watched { WATCH_MILLISECONDS } else { IDLE_MILLISECONDS }));
            let (ends, now) = {
                let mut host = lock(&shared.host);
                (host.ends(), host.stamp())
            };
            if ends {
                lock(&shared.news).ended = true;
                shared.changed.notify_all();
                // Time for the pages to receive the news.
                thread::sleep(Duration::from_millis(150));
                return Ok(());
            }
            if now != stamp || shared.refresh.swap(false, Ordering::AcqRel) {
                stamp = now;
                shared.reopen();
            }
        }
    }
}

fn open_all(desk: &mut Desk, host: &mut dyn Host) {
    desk.sheets = host.open_all(desk).into_iter().map(Arc::new).collect();
    desk.version += 1;
}

/// Answers a connection on a thread of its own.
fn accept(stream: TcpStream, shared: &Arc<Shared>) {
    let shared = Arc::clone(shared);
    // A refused thread closes the connection.
    let _ = thread::Builder::new().name("answer".to_owned()).spawn(move || {
        let mut stream = stream;
        let _ = stream.set_nodelay(true);
        let _ = stream.set_write_timeout(Some(Duration::from_secs(REQUEST_SECONDS)));
        if let Some(_counted) = Counted::add(&shared.connections, MAX_CONNECTIONS) {
            // The other side may have gone.
            let _ = shared.serve(&mut stream);
        }
    });
}

/// A text for a person who has no cookie.
const HINT: &str = "This page needs the address that splc preview printed in its terminal.\n";

impl Shared {
    fn reopen(&self) {
        let mut desk = lock(&self.desk).clone();
        open_all(&mut desk, &mut **lock(&self.host));
        let version = desk.version;
        *lock(&self.desk) = desk;
        lock(&self.news).version = version;
        self.changed.notify_all();
    }

    fn serve(&self, stream: &mut TcpStream) -> io::Result<()> {
        let plain = |status, body: &'static str| Response {
            status,
            kind: "text/plain; charset=utf-8",
            more: "",
            body: body.as_bytes(),
        };
        let call = match Call::read(stream) {
            Ok(call) => call,
            Err(Refusal::Gone) => return Ok(()),
            Err(Refusal::TooLarge) => return plain("413 Content Too Large", "too large\n").send(stream),
            Err(Refusal::Malformed) => return plain("400 Bad Request", "malformed request\n").send(stream),
        };
        let own = format!("127.0.0.1:{}", self.port);
        let origin = format!("http://{own}");
        if call.header("host") != Some(own.as_str()) {
            return plain("403 Forbidden", "wrong host\n").send(stream);
        }
        if call.header("origin").is_some_and(|from| from != origin) {
            return plain("403 Forbidden", "wrong origin\n").send(stream);
        }
        let name = format!("splc-{}", self.port);
        if call.method == "GET"
            && let Some(token) = call.target.strip_prefix("/?token=")
        {
            if !is_same(token, &self.token) {
                return plain("403 Forbidden", HINT).send(stream);
            }
            // A page of this server follows, so that a strict cookie is sent wherever the link was clicked.
            let more = format!("Set-Cookie: {name}={}; HttpOnly; SameSite=Strict; Path=/\r\n", self.cookie);
            let body = b"<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>splc</title>\
                         <meta http-equiv=\"refresh\" content=\"0;url=/\">";
            return Response { status: "200 OK", kind: "text/html; charset=utf-8", more: &more, body }.send(stream);
        }
        // A page of another port of this machine is the same site, but not the same origin.
        let foreign = call.header("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
        let known = call.cookie(&name).is_some_and(|cookie| is_same(cookie, &self.cookie));
        if !known || foreign {
            return plain("403 Forbidden", HINT).send(stream);
        }
        let ok = |kind, body| Response { status: "200 OK", kind, more: "", body };
        match (call.method.as_str(), call.target.as_str()) {
            ("GET", "/") => ok("text/html; charset=utf-8", self.page.as_bytes()).send(stream),
            ("GET", "/page.css") => ok("text/css; charset=utf-8", page::STYLE.as_bytes()).send(stream),
            ("GET", "/page.js") => ok("text/javascript; charset=utf-8", self.script.as_bytes()).send(stream),
            ("GET", "/events") => self.events(stream),
            ("POST", "/ask") => {
                // Only scripts of this page can send this type, and only with its origin.
                if call.header("origin").is_none() || call.header("content-type") != Some("application/json") {
                    return plain("403 Forbidden", "wrong origin\n").send(stream);
                }
                ok("application/json", self.answer(&call.body).as_bytes()).send(stream)
            }
            ("GET" | "POST", _) => plain("404 Not Found", "not found\n").send(stream),
            _ => plain("405 Method Not Allowed", "method not allowed\n").send(stream),
        }
    }

    /// Sends news until the page is closed.
    fn events(&self, stream: &mut TcpStream) -> io::Result<()> {
        let Some(_viewer) = Counted::add(&self.viewers, MAX_VIEWERS) else {
            let body = b"too many pages\n";
            return Response { status: "503 Service Unavailable", kind: "text/plain", more: "", body }.send(stream);
        };
        stream.write_all(head("200 OK", "text/event-stream", "").as_bytes())?;
        let mut known: Option<News> = None;
        loop {
            let news = *lock(&self.news);
            if known != Some(news) {
                let moved = news.cursor.filter(|_| known.map(|known| known.cursor) != Some(news.cursor));
                let is_other = known.is_none_or(|known| (known.version, known.ended) != (news.version, news.ended));
                known = Some(news);
                if let Some((file, source, [line, column])) = moved {
                    let place = format!("{{\"file\":{file},\"source\":{source},\"at\":[{line},{column}]}}");
                    stream.write_all(format!("event: cursor\ndata: {place}\n\n").as_bytes())?;
                }
                let event = if news.ended { "event: end\ndata: end\n\n" } else { "" };
                if is_other {
                    stream.write_all(format!("retry: 1000\ndata: {}\n\n{event}", news.version).as_bytes())?;
                }
            } else {
                stream.write_all(b": still here\n\n")?;
            }
            stream.flush()?;
            if news.ended {
                return Ok(());
            }
            let guard = lock(&self.news);
            if *guard == news {
                let wait = self.changed.wait_timeout(guard, Duration::from_secs(HEARTBEAT_SECONDS));
                drop(wait.unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Answers a question in JSON.
    fn answer(&self, body: &[u8]) -> String {
        let request: Request = match serde_json::from_slice(body) {
            Ok(request) => request,
            Err(error) => return Answer::error(format!("invalid question: {error}")).json(),
        };
        let done = |result: Result<String, String>| match result {
            Ok(done) => Answer::Done { done }.json(),
            Err(error) => Answer::error(error).json(),
        };
        match &request {
            Request::Open { file, source, at } => done(self.open(*file, *source, *at)),
            Request::Edit { file, level, seed, version, change } => {
                let desk = lock(&self.desk).clone();
                done(desk.edit(*file, *level, *seed, *version, change).and_then(|edit| self.change(edit)))
            }
            Request::Undo => done(self.undo()),
            _ => {
                // The lock is not kept, so that a long answer delays no other.
                let desk = lock(&self.desk).clone();
                desk.answer(&request).json()
            }
        }
    }

    fn open(&self, file: usize, source: u32, [line, column]: [usize; 2]) -> Result<String, String> {
        let path = {
            let desk = lock(&self.desk);
            let loaded = desk.sheets.get(file).and_then(|sheet| sheet.loaded()).ok_or("the file has no levels")?;
            let source = loaded.sources.get(splc_ir::source::FileId(source));
            source.path.clone().ok_or("this source is not a file")?
        };
        lock(&self.host).show(&path, line, column + 1)
    }

    fn change(&self, edit: Edit) -> Result<String, String> {
        let mut host = lock(&self.host);
        if host.read(&edit.path)? != edit.before {
            return Err("the file has changed: try again".to_owned());
        }
        host.write(&edit.path, &edit.after)?;
        drop(host);
        let done = edit.done.clone();
        let mut undo = lock(&self.undo);
        if undo.len() >= MAX_UNDO {
            undo.remove(0);
        }
        undo.push(edit);
        drop(undo);
        lock(&self.desk).undo = true;
        self.refresh.store(true, Ordering::Release);
        Ok(done)
    }

    fn undo(&self) -> Result<String, String> {
        let edit = lock(&self.undo).pop().ok_or("nothing to undo")?;
        let mut host = lock(&self.host);
        let same = host.read(&edit.path)? == edit.after;
        let written = if same { host.write(&edit.path, &edit.before) } else { Ok(()) };
        drop(host);
        let left = !lock(&self.undo).is_empty();
        lock(&self.desk).undo = left;
        if !same {
            return Err("the file has changed since, so this change stays".to_owned());
        }
        written?;
        self.refresh.store(true, Ordering::Release);
        Ok(format!("undone: {}", edit.done))
    }
}
