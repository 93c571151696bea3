//! Requests of the client, each with the feature that answers it.

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Request, Response};
use serde_json::Value;
use splc_ir::diagnostic::Code;

use crate::commands::{DECOMPILE, EXPLAIN, PORT, PREVIEW, SHOW_LEVEL};
use crate::preview::Previews;
use crate::server::Server;
use crate::text::Encoding;
use crate::view::View;
use crate::{actions, completion, hints, hover, layout, levels, navigation, outline, signature, tokens};

/// Returns everything that the server offers.
pub(crate) fn capabilities(encoding: Encoding) -> lsp::ServerCapabilities {
    let strings = |all: &[&str]| Some(all.iter().map(|one| (*one).to_owned()).collect::<Vec<String>>());
    lsp::ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(lsp::TextDocumentSync::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::Incremental),
            save: Some(lsp::Save::Bool(true)),
            ..Default::default()
        })),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: strings(&[":", ",", "\"", "'", "$", "(", "[", ".", " ", "{", "="]),
            resolve_provider: Some(true),
            ..Default::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(lsp::SignatureHelpOptions {
            trigger_characters: strings(&[":", ",", "(", "{", " "]),
            ..Default::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        code_action_provider: Some(lsp::CodeActionProvider::CodeActionOptions(lsp::CodeActionOptions {
            code_action_kinds: Some(vec![
                lsp::CodeActionKind::QuickFix,
                lsp::CodeActionKind::RefactorRewrite,
                lsp::CodeActionKind::RefactorInline,
                lsp::CodeActionKind::RefactorExtract,
                lsp::CodeActionKind::Refactor,
                lsp::CodeActionKind::SourceFixAll,
                lsp::CodeActionKind::Source,
            ]),
            ..Default::default()
        })),
        document_link_provider: Some(lsp::DocumentLinkOptions::default()),
        document_formatting_provider: Some(true.into()),
        document_range_formatting_provider: Some(true.into()),
        document_on_type_formatting_provider: Some(lsp::DocumentOnTypeFormattingOptions {
            first_trigger_character: "}".to_owned(),
            more_trigger_character: None,
        }),
        rename_provider: Some(lsp::RenameProvider::RenameOptions(lsp::RenameOptions {
            prepare_provider: Some(true),
            ..Default::default()
        })),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        semantic_tokens_provider: Some(
            lsp::SemanticTokensOptions {
                legend: tokens::legend(),
                full: Some(true.into()),
                range: Some(true.into()),
                ..Default::default()
            }
            .into(),
        ),
        inlay_hint_provider: Some(true.into()),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: [EXPLAIN, SHOW_LEVEL, PORT, DECOMPILE, PREVIEW].map(str::to_owned).to_vec(),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Answers a request.
pub(crate) fn answer(server: &mut Server, request: Request) -> Response {
    let method = request.method.clone();
    match method.as_str() {
        "textDocument/completion" => at::<lsp::CompletionRequest>(server, request, completion::completion),
        "completionItem/resolve" => {
            typed::<lsp::CompletionResolveRequest>(server, request, |server, item| completion::resolve(server, item))
        }
        "textDocument/hover" => at::<lsp::HoverRequest>(server, request, |_, view, at, _| hover::hover(view, at)),
        "textDocument/signatureHelp" => {
            at::<lsp::SignatureHelpRequest>(server, request, |_, view, at, _| signature::help(view, at))
        }
        "textDocument/definition" => at::<lsp::DefinitionRequest>(server, request, |server, view, at, _| {
            navigation::definition(server, view, at)
        }),
        "textDocument/references" => at::<lsp::ReferencesRequest>(server, request, |_, view, at, parameters| {
            navigation::references(view, at, parameters.context.include_declaration)
        }),
        "textDocument/documentHighlight" => {
            at::<lsp::DocumentHighlightRequest>(server, request, |server, view, at, _| {
                let cursor = view.text.position(at, Encoding::Utf16);
                server.previews.cursor(&view.path, [cursor.line as usize + 1, cursor.character as usize]);
                navigation::highlights(view, at)
            })
        }
        "textDocument/prepareRename" => {
            at::<lsp::PrepareRenameRequest>(server, request, |_, view, at, _| navigation::prepare_rename(view, at))
        }
        "textDocument/rename" => rename(server, request),
        "textDocument/documentSymbol" => of::<lsp::DocumentSymbolRequest>(server, request, |_, view, _| {
            Some(lsp::DocumentSymbolResponse::DocumentSymbolList(outline::symbols(view)))
        }),
        "workspace/symbol" => typed::<lsp::WorkspaceSymbolRequest>(server, request, |server, parameters| {
            Some(lsp::WorkspaceSymbolResponse::WorkspaceSymbolList(levels::workspace(server, &parameters.query)))
        }),
        "textDocument/foldingRange" => {
            of::<lsp::FoldingRangeRequest>(server, request, |_, view, _| Some(outline::folds(view)))
        }
        "textDocument/selectionRange" => of::<lsp::SelectionRangeRequest>(server, request, |_, view, parameters| {
            Some(parameters.positions.iter().map(|&position| outline::selection(view, view.offset(position))).collect())
        }),
        "textDocument/documentLink" => {
            of::<lsp::DocumentLinkRequest>(server, request, |_, view, _| Some(navigation::links(view)))
        }
        "textDocument/formatting" => {
            of::<lsp::DocumentFormattingRequest>(server, request, |server, view, _| layout::format(server, view, None))
        }
        "textDocument/rangeFormatting" => {
            of::<lsp::DocumentRangeFormattingRequest>(server, request, |server, view, parameters| {
                layout::format(server, view, Some(parameters.range))
            })
        }
        "textDocument/onTypeFormatting" => {
            at::<lsp::DocumentOnTypeFormattingRequest>(server, request, |server, view, at, _| {
                layout::format_block(server, view, at)
            })
        }
        "textDocument/codeAction" => of::<lsp::CodeActionRequest>(server, request, |server, view, parameters| {
            Some(actions::actions(server, view, parameters))
        }),
        "textDocument/semanticTokens/full" => {
            of::<lsp::SemanticTokensRequest>(server, request, |_, view, _| Some(tokens::tokens(view, None)))
        }
        "textDocument/semanticTokens/range" => {
            of::<lsp::SemanticTokensRangeRequest>(server, request, |_, view, parameters| {
                Some(tokens::tokens(view, Some(parameters.range)))
            })
        }
        "textDocument/inlayHint" => of::<lsp::InlayHintRequest>(server, request, |_, view, parameters| {
            Some(hints::hints(view, parameters.range))
        }),
        "workspace/executeCommand" => execute(server, request),
        "splc/previewPage" => Previews::page(request),
        _ => {
            let message = format!("the server does not have {method}");
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
        }
    }
}

/// The file, and perhaps the position, of a request.
struct Target {
    uri: lsp::Uri,
    position: Option<lsp::Position>,
}

impl Target {
    fn of(parameters: &Value) -> Option<Target> {
        let uri = parameters.pointer("/textDocument/uri")?.as_str()?.into();
        let position = parameters.get("position").and_then(|position| serde_json::from_value(position.clone()).ok());
        Some(Target { uri, position })
    }
}

fn invalid(request: Request, error: &serde_json::Error) -> Response {
    Response::new_err(request.id, ErrorCode::InvalidParams as i32, error.to_string())
}

/// Answers a request about the workspace.
fn typed<R: lsp::Request>(
    server: &mut Server,
    request: Request,
    work: impl FnOnce(&mut Server, R::Params) -> R::Result,
) -> Response {
    match serde_json::from_value(request.params.clone()) {
        Ok(parameters) => Response::new_ok(request.id, work(server, parameters)),
        Err(error) => invalid(request, &error),
    }
}

/// Answers a request about an open file. Requests about other files get no answer.
fn of<R: lsp::Request>(
    server: &mut Server,
    request: Request,
    work: impl FnOnce(&mut Server, &View, R::Params) -> R::Result,
) -> Response {
    let view = Target::of(&request.params).and_then(|target| server.view(&target.uri));
    match (serde_json::from_value(request.params.clone()), view) {
        (Ok(parameters), Some(view)) => Response::new_ok(request.id, work(server, &view, parameters)),
        (Ok::<R::Params, _>(_), None) => Response::new_ok(request.id, Value::Null),
        (Err(error), _) => invalid(request, &error),
    }
}

/// Answers a request about a position in an open file.
fn at<R: lsp::Request>(
    server: &mut Server,
    request: Request,
    work: impl FnOnce(&mut Server, &View, usize, R::Params) -> R::Result,
) -> Response {
    let position = Target::of(&request.params).and_then(|target| target.position).unwrap_or_default();
    of::<R>(server, request, |server, view, parameters| {
        let offset = view.offset(position);
        work(server, view, offset, parameters)
    })
}

/// A rename that is impossible has a reason, which the author should see.
fn rename(server: &mut Server, request: Request) -> Response {
    let view = Target::of(&request.params).and_then(|target| Some((server.view(&target.uri)?, target.position?)));
    let parameters: Result<lsp::RenameParams, _> = serde_json::from_value(request.params.clone());
    match (parameters, view) {
        (Ok(parameters), Some((view, position))) => {
            match navigation::rename(&view, view.offset(position), &parameters.new_name) {
                Ok(edit) => Response::new_ok(request.id, edit),
                Err(reason) => Response::new_err(request.id, ErrorCode::RequestFailed as i32, reason),
            }
        }
        (Ok(_), None) => Response::new_ok(request.id, Value::Null),
        (Err(error), _) => invalid(request, &error),
    }
}

fn execute(server: &mut Server, request: Request) -> Response {
    typed::<lsp::ExecuteCommandRequest>(server, request, |server, parameters| {
        let arguments = parameters.arguments.unwrap_or_default();
        let text = |at: usize| arguments.get(at).and_then(Value::as_str);
        match (parameters.command.as_str(), text(0)) {
            (EXPLAIN, Some(code)) => {
                let known = Code::ALL.iter().copied().find(|known| known.as_str() == code);
                let explanation = known.map(server.explain)?;
                server.show(lsp::MessageType::Info, explanation.clone());
                Some(Value::String(explanation))
            }
            (SHOW_LEVEL, Some(name)) => {
                let seed = arguments.get(1).map(Value::to_string).unwrap_or_default();
                let rows: Vec<&str> = arguments.get(2)?.as_array()?.iter().filter_map(Value::as_str).collect();
                let picture = format!("{name}, seed {seed}\n\n{}", rows.join("\n"));
                server.show(lsp::MessageType::Info, picture.clone());
                Some(Value::String(picture))
            }
            (PREVIEW, Some(uri)) => actions::preview(server, &uri.into()),
            (DECOMPILE, Some(uri)) => actions::decompile_file(server, &uri.into()),
            (PORT, Some(uri)) => actions::port_file(server, &uri.into(), text(1)?),
            _ => None,
        }
    })
}
