//! A client of the language server, in memory.

use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use splc_driver::{NoIncludes, Options, Wanted};
use splc_ir::catalog::Shared;
use splc_server::{Environment, serve};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(600);

/// A client with a server of its own.
pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<()>>,
    requests: i32,
    /// Published diagnostics that no test has read yet: URI, version, diagnostics.
    published: Vec<(String, i64, Value)>,
}

impl Client {
    /// Starts a server. Without a `target`, it detects the game of each file. `encoding` is that of positions.
    pub fn new(target: Option<Shared>, encoding: &str, test: bool) -> Self {
        let (connection, other) = Connection::memory();
        let server = std::thread::spawn(move || {
            let environment = Environment {
                options: Options { wanted: Wanted { catalog: target, ..Wanted::default() }, ..Options::default() },
                includes: || Box::new(NoIncludes),
                explain: |code| code.explanation().to_owned(),
                project: |_| Ok(None),
                page: |_| None,
            };
            serve(other, environment).unwrap();
        });
        let mut client = Client { connection, server: Some(server), requests: 0, published: Vec::new() };
        let parameters = json!({
            "capabilities": {
                "general": { "positionEncodings": [encoding] },
                "workspace": {
                    "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
                },
                "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
            },
            "initializationOptions": { "test": test },
        });
        let answer = client.request("initialize", parameters).unwrap();
        assert_eq!(answer.pointer("/capabilities/positionEncoding"), Some(&json!(encoding)));
        client.notify("initialized", json!({}));
        client
    }

    pub fn notify(&self, method: &str, parameters: Value) {
        self.connection.sender.send(Message::Notification(Notification::new(method.to_owned(), parameters))).unwrap();
    }

    /// Sends a request and returns its result, or the message of its error.
    pub fn request(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = self.requests.into();
        self.connection.sender.send(Message::Request(Request::new(id, method.to_owned(), parameters))).unwrap();
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}")) {
                Message::Response(response) => {
                    assert_eq!(response.id, self.requests.into());
                    return match serde_json::to_value(response).unwrap() {
                        Value::Object(mut all) => match all.remove("error") {
                            Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned()),
                            None => Ok(all.remove("result").unwrap_or_default()),
                        },
                        other => panic!("{other}"),
                    };
                }
                Message::Notification(notification) => self.keep(notification),
                Message::Request(request) => panic!("unexpected {}", request.method),
            }
        }
    }

    /// Sends a request during which the server edits the workspace. Returns the result and the parameters of the edit.
    pub fn request_with_edit(&mut self, method: &str, parameters: Value) -> (Value, Value) {
        self.requests += 1;
        let id = self.requests.into();
        self.connection.sender.send(Message::Request(Request::new(id, method.to_owned(), parameters))).unwrap();
        let mut edit = Value::Null;
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).unwrap() {
                Message::Request(request) if request.method == "workspace/applyEdit" => edit = request.params,
                Message::Response(response) => {
                    return (serde_json::to_value(response).unwrap()["result"].clone(), edit);
                }
                Message::Notification(notification) => self.keep(notification),
                Message::Request(request) => panic!("unexpected {}", request.method),
            }
        }
    }

    fn keep(&mut self, notification: Notification) {
        if notification.method == "textDocument/publishDiagnostics" {
            let Value::Object(mut all) = notification.params else { panic!("no parameters") };
            let uri = all["uri"].as_str().unwrap().to_owned();
            let version = all.get("version").and_then(Value::as_i64).unwrap_or(-1);
            self.published.push((uri, version, all.remove("diagnostics").unwrap()));
        }
    }

    pub fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "nethack-des", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn close(&self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Returns the diagnostics of this version of a file, as soon as they are published.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Value {
        loop {
            if let Some(at) = self.published.iter().position(|(of, at, _)| of == uri && *at == version) {
                let found = self.published.swap_remove(at).2;
                self.published.clear();
                return found;
            }
            match self.connection.receiver.recv_timeout(PATIENCE).expect("diagnostics are published") {
                Message::Notification(notification) => self.keep(notification),
                other => panic!("unexpected {other:?}"),
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let _ = self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap();
    }
}
