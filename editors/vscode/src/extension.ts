// The language server of splc in VS Code: finds the program, starts it, and passes settings on.

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
  };
  client = new LanguageClient("splc", "NetHack levels", server, options);
  try {
    await client.start();
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

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("splc.restart", async () => {
      await stop();
      await start();
    }),
    vscode.commands.registerCommand("splc.run", run),
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
