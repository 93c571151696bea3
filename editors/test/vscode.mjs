// Drives the extension in VS Code without a person: code-server in headless Chromium. Called by `vscode`.

import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, writeFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(path.join(process.env.TOOLS, "package.json"));
const { chromium } = require("playwright-core");

const { SPLC: splc, TOOLS: tools, VSIX: vsix, SCREENSHOTS: screenshots } = process.env;
const home = mkdtempSync(path.join(tmpdir(), "splc-vscode-"));
const levels = path.join(home, "levels");
mkdirSync(path.join(home, "data", "User"), { recursive: true });
mkdirSync(levels);
const settings = {
  "splc.path": splc,
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "editor.wordBasedSuggestions": "off",
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
};
writeFileSync(path.join(home, "data", "User", "settings.json"), JSON.stringify(settings));

const yard = path.join(levels, "yard.des");
writeFileSync(
  yard,
  `LEVEL: "yard"
GEOMETRY: center, center
MAP
-----
|...|
|..L|
-----
ENDMAP
$beast = monster: { 'o', 'k' }
MONSTER: $beast[0], (2,1)
TRAP: "pti", (1,2)
IF[50%]{
STAIR: (2,2), up
}
`,
);

const pair = path.join(levels, "pair.des");
const room = (name, kind) => `LEVEL: "${name}"
GEOMETRY: center, center
MAP
---------
|...|...|
|...+...|
---------
ENDMAP
STAIR: (1,1), up
REGION: (5,1,7,2), lit, "${kind}"
DOOR: closed, (4,2)
`;
writeFileSync(pair, room("first", "temple") + room("second", "barracks").replace("(1,1)", "(2,2)"));

let failed = 0;
function step(name, ok, found) {
  console.log(`${ok ? "ok   " : "FAIL "} ${name}`);
  if (!ok) {
    failed += 1;
    console.log("      found:", found);
  }
}

async function until(condition, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    const value = await condition();
    if (value) return value;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  return undefined;
}

function run(program, arguments_) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, arguments_, { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${code}`))));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const codeServer = path.join(tools, "node_modules", ".bin", "code-server");
const places = ["--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions")];
await run(codeServer, [...places, "--install-extension", vsix]);
const port = await freePort();
const server = spawn(
  codeServer,
  [...places, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"],
  { stdio: "ignore" },
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });

/** Runs a command of the palette. */
async function command(name) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input", { state: "visible" });
  await page.keyboard.type(name);
  const first = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first();
  await first.waitFor({ timeout: 10000 });
  await first.click();
}

/** Puts the cursor at a line and a column, both from 1. */
async function go(line, column) {
  const box = page.locator(".quick-input-widget input").first();
  await until(async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+g");
    await box.waitFor({ state: "visible", timeout: 2000 }).catch(() => {});
    return box.isVisible();
  });
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(300);
}

async function saved() {
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(400);
  return readFileSync(yard, "utf8");
}

async function picture(name) {
  if (screenshots) await page.screenshot({ path: path.join(screenshots, `vscode-${name}.png`) });
}

try {
  await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok, 60);
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(levels)}`);
  await page.waitForSelector(".monaco-workbench", { timeout: 90000 });
  await page.keyboard.press("Control+p");
  await page.waitForSelector(".quick-input-widget input", { state: "visible", timeout: 60000 });
  await page.keyboard.type("yard.des");
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "yard.des" }).first().click();
  await page.waitForSelector(".view-lines", { timeout: 60000 });

  const squiggle = await until(() => page.locator(".squiggly-error").count(), 60);
  step("diagnostics appear", squiggle > 0, squiggle);
  await picture("diagnostics");

  let text = "";
  await until(async () => {
    await go(11, 9);
    await page.keyboard.press("Control+.");
    const fix = page.locator(".action-widget .monaco-list-row").filter({ hasText: "pit" }).first();
    await fix.waitFor({ timeout: 8000 }).catch(() => {});
    await picture("fix");
    await fix.click({ timeout: 3000 }).catch(() => {});
    await page.waitForTimeout(500);
    text = await saved();
    return text.includes('"pit"');
  }, 60);
  step("a fix is applied", text.includes('TRAP: "pit", (1,2)'), text);
  step("the squiggle goes", await until(async () => (await page.locator(".squiggly-error").count()) === 0), "");

  await go(13, 1);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("MONSTER: hill", { delay: 60 });
  const item = page.locator(".suggest-widget .monaco-list-row").filter({ hasText: "hill orc" }).first();
  await item.waitFor({ timeout: 15000 }).catch(() => {});
  await picture("completion");
  await item.click({ timeout: 5000 }).catch(() => {});
  await page.keyboard.type(", (1,1)");
  text = await saved();
  step("completion inserts a monster", text.includes('MONSTER: (\'o\', "hill orc"), (1,1)'), text);

  await go(10, 12);
  await page.keyboard.press("F2");
  const box = page.locator(".rename-input");
  await box.waitFor({ state: "visible", timeout: 15000 }).catch(() => {});
  await picture("rename");
  if (await box.isVisible()) {
    await box.fill("guest");
    await page.keyboard.press("Enter");
  }
  await page.waitForTimeout(1500);
  text = await saved();
  step("a variable is renamed", text.includes("$guest = monster") && text.includes("MONSTER: $guest[0]"), text);

  await go(6, 4);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+i");
  const hover = await until(
    async () => (await page.locator(".monaco-hover").allInnerTexts()).find((shown) => shown.includes("lava")),
    15,
  );
  await picture("hover");
  step("hover describes a square", hover !== undefined, await page.locator(".monaco-hover").allInnerTexts());
  await page.keyboard.press("Escape");

  await go(10, 12);
  await page.keyboard.press("F12");
  const line = await until(async () => {
    const state = await page.locator(".statusbar-item").allInnerTexts();
    return state.find((shown) => shown.includes("Ln 9"));
  }, 15);
  step("definition of a variable", line !== undefined, await page.locator(".statusbar-item").allInnerTexts());

  await command("Format Document");
  await page.waitForTimeout(1500);
  text = await saved();
  step("formatting", text.includes("IF [50%] {") && text.includes("\n  STAIR: (2,2), up"), text);

  await go(10, 1);
  await command("Show the preview of this level");
  const frame = await until(async () => {
    for (const frame of page.frames()) {
      if ((await frame.locator("#map .square, #map svg, #map canvas").count().catch(() => 0)) > 0) return frame;
    }
    return undefined;
  }, 30);
  await page.waitForTimeout(1500);
  await picture("preview");
  step("the preview shows the level", frame !== undefined, page.frames().map((one) => one.url()));
  if (frame) {
    const title = await frame.locator("#title").innerText();
    step("the preview names the level", title.includes("yard"), title);
    const before = await frame.locator("#map").screenshot();
    await page.locator(".view-lines").first().click();
    await go(5, 3);
    await page.keyboard.press("Delete");
    await page.keyboard.type("}");
    const changed = await until(async () => !(await frame.locator("#map").screenshot()).equals(before), 15);
    step("the picture follows an unsaved edit", changed, before.length);
    step("the edit is not saved", !readFileSync(yard, "utf8").includes("|.}.|"), readFileSync(yard, "utf8"));
    await picture("preview-after-edit");
  }

  await page.keyboard.press("Control+p");
  await page.waitForSelector(".quick-input-widget input", { state: "visible" });
  await page.keyboard.type("pair.des");
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "pair.des" }).first().click();
  await until(async () => (await page.locator(".tab.active").allInnerTexts()).some((tab) => tab.includes("pair.des")));
  await command("Show the preview of this level");
  const view = await until(async () => {
    for (const frame of page.frames()) {
      const name = await frame.evaluate(() => globalThis.app?.level?.drawn.name).catch(() => undefined);
      if (name === "first") return frame;
    }
    return undefined;
  }, 30);
  step("the preview of a second file", view !== undefined, page.frames().length);
  if (view) {
    const pixels = () => view.evaluate(() => app.map.base.toDataURL());
    await view.waitForFunction(() => app.chances);
    const tinted = await pixels();
    await view.locator("#layer-rooms").uncheck();
    step("rooms are tinted", (await pixels()) !== tinted, tinted.length);
    await view.locator("#layer-rooms").check();
    await view.locator("#tab-Compare").click();
    await view.locator("#compare").selectOption("0 1");
    await view.waitForFunction(() => app.other);
    const differ = await view.locator("#panel p").first().innerText();
    step("two levels side by side", /squares? differ/.test(differ) && (await view.locator("#other").isVisible()), differ);
    await picture("side-by-side");
    await view.locator("#compare").selectOption("");
    await view.locator("#tab-Draw").click();
    await view.getByRole("button", { name: "Region" }).click();
    await view.locator("#region-kind").selectOption("zoo");
    const corners = await view.evaluate(() => {
      const [x, y] = app.level.drawn.things.find((it) => it.what === "stairs up").each[0].place;
      return [[x, y], [x + (app.level.drawn.flip?.left_to_right ? -1 : 1), y]];
    });
    await view.locator("#map").focus();
    for (const [x, y] of corners) {
      await view.evaluate(([x, y]) => app.setCursor(y * 79 + x - 1, true), [x, y]);
      await view.locator("#map").press("Enter");
    }
    const drawn = await view.waitForFunction(() => app.level.drawn.rooms.some((room) => room.kind === "zoo"), undefined,
      { timeout: 15000 }).catch(() => undefined);
    step("a region drawn on the page is an edit of the text", drawn !== undefined, await view.locator("#state").innerText());
    step("which the author saves", !readFileSync(pair, "utf8").includes("zoo"), readFileSync(pair, "utf8"));
    await picture("region");
    await view.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
    const found = await view.evaluate(async () =>
      (await globalThis.axe.run(document.body)).violations.filter((it) => ["serious", "critical"].includes(it.impact)));
    step("axe finds nothing serious", found.length === 0, found.map((it) => `${it.id}: ${it.nodes.map((node) => node.target)}`));
  }
} catch (error) {
  failed += 1;
  console.log("FAIL ", error);
  await picture("failure");
} finally {
  await browser.close();
  server.kill();
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
process.exit(failed === 0 ? 0 : 1);
