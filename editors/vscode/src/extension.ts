// The language server of splc in VS Code: finds the program, starts it, and passes settings on.

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** Returns the program of the settings; a relative file is in the first folder of the workspace. */
function program(): string {
  const name = vscode.workspace.getConfiguration("splc").get<string>("path") || "splc";
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const isFile = name.includes("/") || name.includes("\\");
  return isFile && folder && !path.isAbsolute(name) ? path.join(folder, name) : name;
}

function settings(): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration("splc");
  return { test: all.get("test"), target: all.get("target"), games: all.get("games") };
}

async function start(): Promise<void> {
  const catalogs = vscode.workspace.getConfiguration("splc").get<string[]>("catalogs") ?? [];
  const command = program();
  const server: ServerOptions = { command, args: ["server", ...catalogs.flatMap((file) => ["--catalog", file])] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { language: "nethack-des" },
      { language: "lua", pattern: "**/dat/*.lua" },
      { pattern: "**/dungeon.def" },
    ],
    initializationOptions: settings(),
    middleware: {
      window: {
        // A place is shown where its file already is, not in the column of the preview.
        showDocument: async (params, next) => {
          const uri = vscode.Uri.parse(params.uri);
          const shown = vscode.window.visibleTextEditors.find(
            (editor) => editor.document.uri.toString() === uri.toString(),
          );
          if (params.external || !shown || !params.selection) {
            const result = await next(params, new vscode.CancellationTokenSource().token);
            return "success" in result ? result : { success: false };
          }
          const { start, end } = params.selection;
          const selection = new vscode.Range(start.line, start.character, end.line, end.character);
          await vscode.window.showTextDocument(shown.document, { viewColumn: shown.viewColumn, selection });
          return { success: true };
        },
      },
    },
  };
  client = new LanguageClient("splc", "NetHack levels", server, options);
  try {
    await client.start();
    client.onNotification("splc/previewChanged", ({ uri, version }: { uri: string; version: number }) => {
      const shown = previews.get(vscode.Uri.parse(uri).toString());
      void shown?.webview.postMessage({ version });
    });
  } catch (error) {
    const open = "Open settings";
    const message = `The program ${command} could not be started: ${error}. Install splc, or set splc.path.`;
    if ((await vscode.window.showErrorMessage(message, open)) === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "splc.path");
    }
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  if (running?.isRunning()) {
    await running.stop();
  }
}

/** Runs the level of the active editor in a terminal. */
async function run(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    return;
  }
  await document.save();
  const task = new vscode.Task(
    { type: "process" },
    vscode.TaskScope.Workspace,
    "run level",
    "splc",
    new vscode.ProcessExecution(program(), ["run", document.uri.fsPath]),
  );
  await vscode.tasks.executeTask(task);
}

/** The previews, by the file that they show. */
const previews = new Map<string, vscode.WebviewPanel>();

/** Shows the levels of the active editor next to it. */
async function preview(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const running = client;
  if (!editor || !running?.isRunning()) {
    return;
  }
  const { uri } = editor.document;
  const key = uri.toString();
  const shown = previews.get(key);
  if (shown) {
    shown.reveal(undefined, true);
    return;
  }
  const nonce = randomBytes(16).toString("hex");
  const page = await running.sendRequest<string>("splc/previewPage", { nonce });
  const panel = vscode.window.createWebviewPanel(
    "splc.preview",
    `Preview ${path.basename(uri.path)}`,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] },
  );
  previews.set(key, panel);
  panel.onDidDispose(() => previews.delete(key));
  panel.webview.onDidReceiveMessage(async (message: { id?: number; request?: unknown; ready?: boolean }) => {
    if (message.ready) {
      void panel.webview.postMessage({ version: 0 });
      return;
    }
    const textDocument = { uri: running.code2ProtocolConverter.asUri(uri) };
    let answer: unknown;
    try {
      answer = await running.sendRequest("splc/preview", { textDocument, request: message.request });
    } catch (error) {
      answer = { error: String(error) };
    }
    void panel.webview.postMessage({ id: message.id, answer });
  });
  panel.webview.html = page;
}

/** Recovers the source of a level file, next to it. */
async function decompile(file?: vscode.Uri): Promise<void> {
  const filters = { "Level files": ["lev"] };
  const uri = file ?? (await vscode.window.showOpenDialog({ filters }))?.[0];
  if (uri && client?.isRunning()) {
    // The server registers its own commands.
    await vscode.commands.executeCommand("splc.server.decompile", client.code2ProtocolConverter.asUri(uri));
  }
}

/** Highlights the squares of the statement at the cursor. */
function follow(change: vscode.TextEditorSelectionChangeEvent): void {
  const panel = previews.get(change.textEditor.document.uri.toString());
  const { line, character } = change.selections[0].active;
  void panel?.webview.postMessage({ cursor: { file: 0, source: 0, at: [line + 1, character] } });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("splc.restart", async () => {
      await stop();
      await start();
    }),
    vscode.commands.registerCommand("splc.run", run),
    vscode.commands.registerCommand("splc.preview", preview),
    vscode.commands.registerCommand("splc.decompile", decompile),
    vscode.window.onDidChangeTextEditorSelection(follow),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("splc.path") || change.affectsConfiguration("splc.catalogs")) {
        await stop();
        await start();
      } else if (change.affectsConfiguration("splc") && client?.isRunning()) {
        await client.sendNotification("workspace/didChangeConfiguration", { settings: { splc: settings() } });
      }
    }),
  );
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
