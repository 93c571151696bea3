//! The main loop: messages in order, then checks of the files that changed, then tests in the background.

use std::error::Error;
use std::path::PathBuf;

use crossbeam_channel::{RecvError, at, never, select};
use gen_lsp_types as lsp;
use lsp_server::{Connection, Message};
use serde_json::Value;

use crate::place;
use crate::requests;
use crate::server::{Client, Environment, Server};
use crate::text::Encoding;

/// Negotiates abilities with the client.
pub(crate) fn start(connection: Connection, environment: Environment) -> Result<Server, Box<dyn Error + Send + Sync>> {
    let (id, parameters) = connection.initialize_start()?;
    let parameters: lsp::InitializeParams = serde_json::from_value(parameters)?;
    let encoding = encoding(&parameters.capabilities);
    let client = Client::of(&parameters.capabilities);
    let result = lsp::InitializeResult {
        capabilities: requests::capabilities(encoding),
        server_info: Some(lsp::ServerInfo {
            name: "splc".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(result)?)?;
    let mut server = Server::new(connection, environment, client, encoding, folders(&parameters));
    if let Some(options) = &parameters.initialization_options {
        server.configure(options);
    }
    if client.watches_files {
        watch_files(&mut server);
    }
    Ok(server)
}

/// Answers the client until it disconnects.
pub(crate) fn run(mut server: Server) -> Result<(), Box<dyn Error + Send + Sync>> {
    loop {
        server.check_changed();
        let quiet = server.time_to_test().map_or_else(never, at);
        let message = select! {
            recv(server.connection.receiver) -> message => message,
            recv(server.outcomes()) -> outcome => {
                outcome.into_iter().for_each(|outcome| server.tested(outcome));
                continue;
            }
            recv(quiet) -> _ => {
                server.test_all();
                continue;
            }
        };
        match message {
            Ok(Message::Request(request)) => {
                if server.connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                if request.method == "splc/preview" {
                    server.previews.ask(request);
                } else {
                    let response = requests::answer(&mut server, request);
                    server.send(response);
                }
            }
            Ok(Message::Notification(notification)) => server.notified(notification),
            Ok(Message::Response(_)) => {}
            Err(RecvError) => return Ok(()),
        }
    }
}

/// Has the client report changes of files that are not open.
fn watch_files(server: &mut Server) {
    let watchers = serde_json::json!({
        "watchers": [{ "globPattern": "**/{*.{des,inc,lua,def,DES},splc.toml}" }]
    });
    server.request::<lsp::RegistrationRequest>(lsp::RegistrationParams {
        registrations: vec![lsp::Registration {
            id: "files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: Some(watchers),
        }],
    });
}

/// Returns the encoding of positions that the client and the server agree on: the first that the client offers.
fn encoding(capabilities: &lsp::ClientCapabilities) -> Encoding {
    let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let known = |kind: &lsp::PositionEncodingKind| match kind {
        lsp::PositionEncodingKind::UTF8 => Some(Encoding::Utf8),
        lsp::PositionEncodingKind::UTF16 => Some(Encoding::Utf16),
        lsp::PositionEncodingKind::UTF32 => Some(Encoding::Utf32),
        _ => None,
    };
    offered.and_then(|offered| offered.iter().find_map(known)).unwrap_or_default()
}

#[allow(deprecated)] // older clients name one folder
fn folders(parameters: &lsp::InitializeParams) -> Vec<PathBuf> {
    let all = serde_json::to_value(parameters).unwrap_or_default();
    let listed = all.get("workspaceFolders").and_then(Value::as_array);
    let uris: Vec<&str> = match listed {
        Some(folders) => folders.iter().filter_map(|folder| folder.get("uri")?.as_str()).collect(),
        None => all.get("rootUri").and_then(Value::as_str).into_iter().collect(),
    };
    uris.into_iter().map(|uri| place::path(&uri.into())).collect()
}
