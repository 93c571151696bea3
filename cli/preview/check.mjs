// Drives Chromium through the page of `splc preview`, and attacks its server. Called by `check`.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const require = createRequire(path.join(process.env.TOOLS, "package.json"));
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { SPLC, CHROMIUM, SCREENSHOTS, ROOT } = process.env;

let failures = 0;
const check = (name, ok, detail = "") => {
  if (!ok) failures += 1;
  console.log(`${ok ? "ok    " : "FAILED"} ${name}${ok || !detail ? "" : `: ${detail}`}`);
};

const YARD = `LEVEL: "yard"
GEOMETRY: center,center
MAP
-------
|.....|
|.....+
-------
ENDMAP
STAIR: (1,1), up
STAIR: (5,2), down
MONSTER: ('h', "dwarf"), (2,1)
OBJECT: ('(', "chest"), (3,1)
TRAP: "web", (1,2)
LOOP [2] {
  MONSTER: 'o', random
}
DOOR: locked, (6,2)
REGION: (0,0,6,3), lit, "ordinary"
`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "splc-preview-"));
const yard = path.join(folder, "yard.des");
fs.writeFileSync(yard, YARD);

const children = [];
process.on("exit", () => {
  children.forEach((child) => child.kill("SIGKILL"));
  fs.rmSync(folder, { recursive: true, force: true });
});
process.on("uncaughtException", async (error) => {
  console.log(`FAILED ${error.stack}`);
  // The page says why.
  for (const page of browser.contexts().flatMap((it) => it.pages())) console.log(await page.locator("#state").textContent({ timeout: 500 }).catch(() => ""));
  process.exit(1);
});

/** Starts a preview, and returns its process and address. */
async function serve(...files) {
  const child = spawn(SPLC, ["preview", "--no-open", "--dialect", "unnethack", ...files], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let output = "";
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      output += data;
      if (output.includes("\n")) resolve(output.split("\n")[0]);
    });
    child.on("exit", () => reject(new Error(`splc ended: ${output}`)));
  });
  return { process: child, address, output: () => output };
}

const browser = await chromium.launch({ executablePath: CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
const problems = [];

/** Opens a page and waits for its level. */
async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 950 }, colorScheme: "light", ...options });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("dialog", (dialog) => { problems.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(address);
  await page.waitForFunction(() => globalThis.app?.level && globalThis.app.chances, null, { timeout: 60000 });
  return page;
}
const shot = async (page, name) => SCREENSHOTS && page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
const text = (page, selector) => page.locator(selector).innerText();
/** Returns the place of a square on the screen. */
const point = (page, x, y) => page.evaluate(([x, y]) => {
  const [left, top, width, height] = app.map.box((y * 79) + x - 1);
  const map = document.getElementById("map").getBoundingClientRect();
  return [map.left + left + width / 2, map.top + top + height / 2];
}, [x, y]);
const square = (page, things) => page.evaluate((what) => app.level.drawn.things.find((it) => it.what.includes(what)).each[0].place, things);
const axeFinds = async (page) => {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((it) => `${it.impact} ${it.id}: ${it.nodes.map((node) => node.target).join(" ")}`));
  return found.filter((it) => it.startsWith("serious") || it.startsWith("critical"));
};

const server = await serve(yard);
const { address } = server;
const base = address.split("/?")[0];
const page = await open(address);
check("the page shows the level", (await text(page, "#title")) === "yard");
check("the address has no token any more", page.url() === `${base}/`);
await shot(page, "light");

// Hover and click.
const dwarf = await square(page, "dwarf");
let [x, y] = await point(page, ...dwarf);
await page.mouse.move(x, y);
const tip = await text(page, ".tip");
check("hover names the thing, its chance and its statement", /dwarf/.test(tip) && /100 % of 1000 seeds/.test(tip) && /line 11: MONSTER/.test(tip), tip);
await page.mouse.click(x, y);
check("a click jumps to the statement", (await text(page, "#source .line.here")).includes('"dwarf"'));
check("a click marks the squares of the statement", (await page.evaluate(() => app.map.marks.selected.size)) === 1);
await shot(page, "hover");
await page.mouse.dblclick(x, y);
await page.waitForTimeout(300);
check("a double click opens the place in the editor", server.output().includes(`yard.des:11:1`), server.output());
[x, y] = await point(page, dwarf[0] + 2, dwarf[1] + 1);
await page.mouse.click(x, y);
check("a click on a map marks its letter", (await text(page, "#source .line.here")).includes("|.....+") && (await text(page, "#source mark")) === ".");
await page.locator('#source .line[data-line="13"]').click();
check("the cursor on a statement marks its squares", await page.evaluate(() => {
  const [web] = app.level.drawn.things.find((it) => it.what === "web").each;
  return app.map.marks.selected.size === 1 && app.map.marks.selected.has(web.place[1] * 79 + web.place[0] - 1);
}));

// Seeds.
const before = await page.evaluate(() => JSON.stringify(app.level.text()));
await page.locator("#slider").fill("9");
await page.waitForFunction(() => app.level.drawn.seed === 9);
check("the slider shows another seed", (await page.evaluate(() => JSON.stringify(app.level.text()))) !== before);
await page.keyboard.press("]");
await page.locator("#map").focus();
await page.keyboard.press("]");
await page.waitForFunction(() => app.level.drawn.seed >= 10);
await page.locator("#play").click();
const played = await page.evaluate(() => app.seed);
await page.waitForTimeout(1200);
await page.locator("#play").click();
check("play goes through the seeds", (await page.evaluate(() => app.seed)) > played);
await page.locator("#seed").fill("1");
await page.locator("#seed").press("Enter");
await page.waitForFunction(() => app.level.drawn.seed === 1);

// Heat, layers, steps, several seeds.
await page.locator("#tab-Chances").click();
await page.locator("#heat").selectOption("monsters random o (orc)");
check("a heat map is drawn with its scale", (await page.evaluate(() => app.map.marks.heat.counts.size)) > 3 && /orc/.test(await text(page, "#scale")));
const counted = await page.evaluate(() => [...app.map.marks.heat.counts.values()].reduce((sum, it) => sum + it, 0));
check("a heat map counts two orcs per level", counted === 2000, String(counted));
await shot(page, "heat");
await page.locator("#heat").selectOption("");
const pixels = () => page.evaluate(() => app.map.base.toDataURL());
const full = await pixels();
await page.locator("#layer-monsters").uncheck();
check("layers can be hidden", (await pixels()) !== full);
await page.locator("#layer-monsters").check();
check("layers can be shown again", (await pixels()) === full);
await page.locator("#tab-Steps").click();
await page.waitForFunction(() => app.story);
await page.evaluate(() => app.setFrame(1));
check("steps show the level as it is made", (await text(page, "#step")).startsWith("Step 1 of") && (await pixels()) !== full);
await page.evaluate(() => app.setFrame(999));
check("the last step is the finished level", (await pixels()) === full);
await page.locator("#tab-Seeds").click();
await page.waitForFunction(() => document.querySelectorAll("#panel canvas").length === 12);
check("several seeds at once", true);
await shot(page, "seeds");
await page.locator("#tab-Findings").click();
await page.waitForFunction(() => app.findings);
await page.locator("#tab-Square").click();

// Keyboard alone.
await page.locator("#map").focus();
await page.keyboard.press("ArrowRight");
check("the keyboard moves a cursor that is spoken", /^Column \d+, row \d+: /.test(await page.locator("#spoken").textContent()));
await page.evaluate(([x, y]) => app.setCursor(y * 79 + x - 1, true), dwarf);
await page.keyboard.press("Enter");
check("Enter jumps to the statement", (await text(page, "#source .line.here")).includes('"dwarf"'));
await page.keyboard.press("Escape");
check("Escape clears the marks", (await page.evaluate(() => app.map.marks.selected.size)) === 0);
await page.keyboard.press("t");
check("t draws letters", (await page.getAttribute("#tiles", "aria-pressed")) === "false");
await shot(page, "letters");
await page.keyboard.press("t");
let reached = 0;
await page.locator("body").focus();
for (let at = 0; at < 60; at++) {
  await page.keyboard.press("Tab");
  if (await page.evaluate(() => ["map", "source", "panel"].includes(document.activeElement?.id))) reached += 1;
}
check("Tab reaches the map, the source and the panel", reached >= 3);

// Edits of the file, seen as soon as they are saved.
const times = [];
for (let at = 0; at < 9; at++) {
  const row = 1 + (at % 2);
  const wanted = await page.evaluate(() => app.version + 1);
  const [, top] = dwarf;
  const saved = Date.now();
  fs.writeFileSync(yard, YARD.replace('"dwarf"), (2,1)', `"dwarf"), (4,${row})`));
  await page.waitForFunction(([version]) => app.version >= version && app.level === app.map.level && app.changed !== undefined, [wanted], { polling: 5 });
  await page.waitForFunction(([row, top]) => app.level.drawn.things.some((it) => it.what === "dwarf" && it.each[0].place[1] === top + row - 1) && app.map.level === app.level, [row, top], { polling: 5 });
  times.push(Date.now() - saved);
}
times.sort((a, b) => a - b);
console.log(`       from saved edit to redrawn picture: ${times[4]} ms at the median, ${times[8]} ms at most`);
check("the picture follows an edit of the file", true);
check("changes since the edit are marked", (await page.evaluate(() => app.changed.size)) > 0);
await shot(page, "changed");
fs.writeFileSync(yard, YARD.replace('"dwarf"', '"dwarv"'));
await page.waitForFunction(() => document.getElementById("map").classList.contains("stale"));
check("a mistake is reported, and the last picture stays", /dwarv/.test(await text(page, "#state")) && /E0201/.test(await text(page, "#panel")));
fs.writeFileSync(yard, YARD);
await page.waitForFunction(() => !document.getElementById("map").classList.contains("stale"));

// The page refuses an edit of a picture that is older than the file, so each edit waits for the picture of the last one.
const settled = async () => {
  for (let since = Date.now(), version; Date.now() - since < 500;) {
    await page.waitForFunction(() => app.shown === app.files.version);
    const now = await page.evaluate(() => app.files.version);
    if (now !== version) [version, since] = [now, Date.now()];
    await page.waitForTimeout(50);
  }
};

// Painting and undo.
await page.waitForFunction(() => app.sheet.editable);
await settled();
await page.locator("#tab-Draw").click();
await page.getByRole("button", { name: "moat" }).click();
[x, y] = await point(page, dwarf[0] + 1, dwarf[1] + 1);
await page.mouse.click(x, y);
await page.waitForFunction(() => app.files.undo && app.level.drawn.palette.some((it) => it.terrain === "moat"));
check("painting changes one letter of the map", fs.readFileSync(yard, "utf8") === YARD.replace("|.....+", "|..}..+"), fs.readFileSync(yard, "utf8"));
await settled();
await page.getByRole("button", { name: "Move", exact: true }).click();
// Painting changes the draws after it, and so the flip of the level.
const now = await square(page, "dwarf");
const [dx, dy] = await page.evaluate(() => [app.level.drawn.flip?.left_to_right ? -2 : 2, app.level.drawn.flip?.top_to_bottom ? -1 : 1]);
const from = await point(page, ...now);
const to = await point(page, now[0] + dx, now[1] + dy);
await page.mouse.move(...from);
await page.mouse.down();
await page.mouse.move(...to, { steps: 5 });
await page.mouse.up();
await page.waitForFunction(() => app.level.drawn.things.some((it) => it.what === "dwarf" && it.each[0].written[0] === 4));
check("dragging changes the place in the statement", fs.readFileSync(yard, "utf8").includes('"dwarf"), (4,2)'));
await settled();
const orc = await square(page, "orc");
const [orcX, orcY] = await point(page, ...orc);
await page.mouse.click(orcX, orcY);
await page.mouse.click(...from);
await page.waitForFunction(() => document.getElementById("state").classList.contains("bad"));
check("a random place is refused with the reason", /more than once|random/.test(await text(page, "#state")), await text(page, "#state"));
await page.locator("#undo").click();
await page.waitForFunction(() => app.level.drawn.things.some((it) => it.what === "dwarf" && it.each[0].written[0] === 2));
await settled();
await page.locator("#undo").click();
await page.waitForFunction(() => !app.files.undo);
check("undo restores the file", fs.readFileSync(yard, "utf8") === YARD);

// A region: with the pointer, and with the keyboard.
const drawn = 'ENDMAP\nREGION: (1,1,3,2), unlit, "temple"\n';
await settled();
const corners = await page.evaluate(() => {
  const [x, y] = app.level.drawn.things.find((it) => it.what === "stairs up").each[0].place;
  const { flip } = app.level.drawn;
  return [[x, y], [x + (flip?.left_to_right ? -2 : 2), y + (flip?.top_to_bottom ? -1 : 1)]];
});
const changed = async (expected) => {
  for (let at = 0; at < 100 && fs.readFileSync(yard, "utf8").includes(drawn) !== expected; at++) await page.waitForTimeout(100);
  await page.waitForFunction((expected) => app.files.undo === expected && app.shown === app.files.version, expected);
  return fs.readFileSync(yard, "utf8").includes(drawn) === expected;
};
await page.getByRole("button", { name: "Region" }).click();
await page.locator("#region-kind").selectOption("temple");
await page.locator("#region-lit").uncheck();
const [begin, end] = [await point(page, ...corners[0]), await point(page, ...corners[1])];
await page.mouse.move(...begin);
await page.mouse.down();
await page.mouse.move((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2, { steps: 4 });
await page.mouse.move(...end, { steps: 4 });
check("a region is marked while it is drawn", (await page.evaluate(() => app.map.marks.selected.size)) === 6);
await page.mouse.up();
check("a drawn region becomes a statement in the author's style", await changed(true), fs.readFileSync(yard, "utf8"));
await shot(page, "region");
await page.locator("#undo").click();
check("undo removes the region", await changed(false) && fs.readFileSync(yard, "utf8") === YARD);
await page.locator("#map").focus();
await page.evaluate(([x, y]) => app.setCursor(y * 79 + x - 1, true), corners[1]);
await page.keyboard.press("Enter");
const across = corners[1][0] > corners[0][0] ? "ArrowLeft" : "ArrowRight";
for (const key of [across, across, corners[1][1] > corners[0][1] ? "ArrowUp" : "ArrowDown", "Enter"]) await page.keyboard.press(key);
check("a region can be drawn with the keyboard", await changed(true), fs.readFileSync(yard, "utf8"));
await page.locator("#undo").click();
await changed(false);
await page.getByRole("button", { name: "Region" }).click();
await page.locator("#tab-Square").click();

// Accessibility, zoom and narrow screens.
check("axe finds nothing serious", (await axeFinds(page)).length === 0, (await axeFinds(page)).join("; "));
await page.evaluate(() => { app.setTheme(true); app.layout(); app.drawPanel(); });
await shot(page, "dark");
check("axe finds nothing serious in the dark", (await axeFinds(page)).length === 0, (await axeFinds(page)).join("; "));
for (const tab of ["Contents", "Findings", "Chances", "Steps", "Seeds", "Compare", "Draw"]) {
  await page.locator(`#tab-${tab}`).click();
  await page.waitForTimeout(300);
  const found = await axeFinds(page);
  check(`axe finds nothing serious in ${tab}`, found.length === 0, found.join("; "));
}
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1);
const phone = await open(address, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, hasTouch: true });
check("a phone's width has no horizontal scroll", await overflow(phone));
check("the map is in its place on a screen of many pixels", await phone.evaluate(() => {
  const [x, y] = app.level.drawn.things.find((it) => it.what === "dwarf").each[0].place;
  const [left, top, width, height] = app.map.box(y * 79 + x - 1);
  const pixels = app.map.base.getContext("2d").getImageData(left * 3, top * 3, width * 3, height * 3).data;
  return new Set(Array.from({ length: pixels.length / 4 }, (_, at) => pixels.slice(at * 4, at * 4 + 3).join())).size > 20;
}));
await shot(phone, "phone");
const zoomed = await open(address, { viewport: { width: 360, height: 237 }, deviceScaleFactor: 4 });
check("400 % zoom has no horizontal scroll", await overflow(zoomed));
check("400 % zoom keeps the map crisp", await zoomed.evaluate(() => app.map.base.width >= 4 * app.map.base.clientWidth - 4));
await shot(zoomed, "zoom");

// Side by side, decompiled files, scripts, hostile names.
const second = path.join(folder, "second.des");
fs.writeFileSync(second, YARD.replace('"yard"', '"second"').replace("(3,1)", "(4,1)"));
const evil = path.join(folder, "<img src=x onerror=alert(1)>.des");
fs.writeFileSync(evil, YARD.replace('"yard"', '"evil"').replace('"dwarf"), (2,1)', '"dwarf"), (2,1), "<script>alert(1)</script>"').replace("TRAP:", 'MESSAGE: "</script><script>alert(2)</script>"\nTRAP:'));
const script = path.join(folder, "cell.lua");
fs.writeFileSync(script, "des.level_init({ style = \"solidfill\", fg = \" \" });\ndes.map([[\n-----\n|...|\n-----\n]]);\ndes.monster({ id = \"dwarf\", x = 2, y = 1 });\n");
const compiled = spawnSync(SPLC, ["--dialect", "unnethack", "-o", folder, second]);
check("a level file is made", compiled.status === 0);
fs.writeFileSync(path.join(folder, "dungeon.lua"), 'dungeon = {\n  { name = "The Dungeons of Doom", bonetag = "D", base = 25, range = 5, levels = { { name = "cell", base = 2, range = 3 } } },\n}\n');
const many = await serve(yard, second, evil, path.join(folder, "second.lev"));
const all = await open(many.address);
await all.locator("#tab-Compare").click();
await all.locator("#compare").selectOption("1 0");
await all.waitForFunction(() => app.other);
check("two levels side by side with their differences", /^\d+ squares? differ/.test(await text(all, "#panel p")) && await all.locator("#other").isVisible());
await all.locator("#differ").click();
await all.waitForFunction(() => app.compared);
check("a difference is found, with a seed", /^different: .*chest at \d+,\d+, with probability/.test(await text(all, "#compared")), await text(all, "#compared"));
await all.locator("#other").hover();
const [left, top] = await all.evaluate(() => {
  const [x, y] = app.other.drawn.things.find((it) => it.what === "dwarf").each[0].place;
  const [left, top, width, height] = app.otherMap.box(y * 79 + x - 1);
  const map = document.getElementById("other").getBoundingClientRect();
  return [map.left + left + width / 2, map.top + top + height / 2];
});
await all.mouse.click(left, top);
await all.waitForFunction(() => app.level.drawn.name === "second");
check("a click on the other level shows its source", (await text(all, "#title")) === "second" && (await all.evaluate(() => app.compare)) === "0 0");
await shot(all, "compare");
await all.evaluate(() => app.choose(2, 0));
await all.waitForFunction(() => app.level.drawn.name === "evil");
for (const tab of ["Contents", "Findings", "Square"]) await all.locator(`#tab-${tab}`).click();
await all.evaluate(() => { app.setTab("Contents"); });
check("names with markup stay text", /<script>alert\(1\)<\/script>/.test(await text(all, "#panel")) && (await all.locator("#panel script, img").count()) === 0);
await all.evaluate(() => app.choose(3, 0));
await all.waitForFunction(() => app.sheet.decompiled && app.level);
check("a level file shows the source recovered from it", /decompiled/.test(await text(all, "#source")));
const lua = spawn(SPLC, ["preview", "--no-open", path.join(folder, "dungeon.lua")], { stdio: ["ignore", "pipe", "inherit"] });
children.push(lua);
const luaAddress = await new Promise((resolve) => lua.stdout.once("data", (data) => resolve(String(data).split("\n")[0])));
const dungeon = await open(luaAddress);
await dungeon.locator("#tab-Dungeon").click();
await dungeon.getByRole("button", { name: "cell" }).click();
await dungeon.waitForFunction(() => app.level.drawn.name === "cell");
const [luaDwarf] = [await square(dungeon, "dwarf")];
await dungeon.mouse.click(...(await point(dungeon, ...luaDwarf)));
check("a dungeon opens its level, a script", (await text(dungeon, "#source .line.here")).includes("des.monster"));
await shot(dungeon, "dungeon");

// Before and after a commit, and a level next to its port.
const git = (...args) => spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
git("init", "-q");
git("add", "yard.des");
git("commit", "-qm", "a yard");
fs.writeFileSync(yard, YARD.replace("(3,1)", "(4,1)"));
for (const [name, ...args] of [["an earlier version", "--against", "HEAD"], ["the port", "--port", "nethack343"]]) {
  const child = spawn(SPLC, ["preview", "--no-open", "--dialect", "unnethack", ...args, "yard.des"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const two = await open(await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).split("\n")[0]))));
  await two.waitForFunction(() => app.other);
  const panel = await text(two, "#panel");
  if (args[0] === "--against") {
    check(`the page opens with ${name}`, /2 squares differ/.test(panel) && /chest/.test(panel), panel);
  } else {
    const entry = two.locator("#account button").first();
    check(`the page opens with ${name} and its account`, (await entry.count()) === 1, panel);
    await entry.click();
    check("an entry of the account jumps to its statement", (await two.locator("#source .line.here").count()) > 0);
  }
  const found = await axeFinds(two);
  check(`axe finds nothing serious next to ${name}`, found.length === 0, found.join("; "));
  await shot(two, args[0].slice(2));
}
fs.writeFileSync(yard, YARD);

// The exported page, from the disk and without a network.
const exported = path.join(folder, "level.html");
check("the page can be exported", spawnSync(SPLC, ["preview", "--export", exported, "--seeds", "5", "--dialect", "unnethack", yard, evil]).status === 0);
const offline = await browser.newContext({ offline: true });
const file = await offline.newPage();
file.on("pageerror", (error) => problems.push(error.message));
file.on("console", (message) => message.type() === "error" && problems.push(message.text()));
file.on("dialog", (dialog) => { problems.push("dialog in the exported page"); dialog.dismiss(); });
await file.goto(`file://${exported}`);
await file.waitForFunction(() => globalThis.app?.level && app.chances);
await file.keyboard.press("]");
await file.waitForFunction(() => app.level.drawn.seed === 2);
await file.mouse.move(...(await point(file, ...(await square(file, "dwarf")))));
check("the exported page works from the disk", /line 11: MONSTER/.test(await text(file, ".tip")));
await file.evaluate(() => app.choose(1, 0));
await file.waitForFunction(() => app.level.drawn.name === "evil");
check("the exported page has no way to change files", await file.locator("#tab-Draw").count() === 0);
console.log(`       the exported page has ${Math.round(fs.statSync(exported).size / 1024)} KiB with 5 seeds of 2 levels`);

// Attacks.
const port = Number(base.split(":")[2]);
const cookie = (await page.context().cookies(base)).find((it) => it.name === `splc-${port}`);
check("the cookie is strict and out of reach of scripts", cookie.sameSite === "Strict" && cookie.httpOnly && cookie.value.length === 32);
const own = { Host: `127.0.0.1:${port}`, Cookie: `${cookie.name}=${cookie.value}` };
const ask = (options, body) => new Promise((resolve) => {
  const request = http.request({ host: "127.0.0.1", port, path: "/", setHost: false, ...options }, (response) => {
    let data = "";
    response.on("data", (part) => { data += part; });
    response.on("end", () => resolve({ status: response.statusCode, data, headers: response.headers }));
  });
  request.on("error", () => resolve({ status: 0, data: "" }));
  request.end(body);
});
const refused = async (name, options, body, expected = 403) => {
  const answer = await ask(options, body);
  check(`refused: ${name}`, answer.status === expected && !answer.data.includes("yard"), `${answer.status} ${answer.data.slice(0, 80)}`);
};
const question = JSON.stringify({ ask: "files" });
const json = { "Content-Type": "application/json", Origin: base, "Content-Length": question.length };
check("the page's own question is answered", (await ask({ method: "POST", path: "/ask", headers: { ...own, ...json } }, question)).status === 200);
await refused("no cookie", { headers: { Host: own.Host } });
await refused("a wrong cookie", { headers: { ...own, Cookie: `${cookie.name}=${"0".repeat(32)}` } });
await refused("a wrong token", { path: `/?token=${"0".repeat(32)}`, headers: { Host: own.Host } });
await refused("the token in another place", { path: `/x?token=${address.split("=")[1]}`, headers: { Host: own.Host } });
for (const host of ["evil.example", `evil.example:${port}`, `localhost:${port}`, "127.0.0.1", `127.0.0.1:${port}.evil.example`]) {
  await refused(`host ${host} (DNS rebinding)`, { headers: { ...own, Host: host } });
}
await refused("no host", { headers: { Cookie: own.Cookie } });
for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1", `http://localhost:${port}`, `${base}.evil.example`]) {
  await refused(`origin ${origin}`, { method: "POST", path: "/ask", headers: { ...own, ...json, Origin: origin } }, question);
}
await refused("a question without an origin", { method: "POST", path: "/ask", headers: { ...own, "Content-Type": "application/json", "Content-Length": question.length } }, question);
await refused("a question as a form", { method: "POST", path: "/ask", headers: { ...own, ...json, "Content-Type": "text/plain" } }, question);
await refused("a page of another port of this machine", { headers: { ...own, "Sec-Fetch-Site": "same-site" } });
for (const target of ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/yard.des", "/yard.des", "//etc/passwd", "/page.js/../x", `/file://${yard}`]) {
  await refused(`the path ${target}`, { path: target, headers: own }, undefined, 404);
}
await refused("another method", { method: "DELETE", headers: own }, undefined, 405);
await refused("a huge body", { method: "POST", path: "/ask", headers: { ...own, ...json, "Content-Length": 1e9 } }, undefined, 413);
await refused("a huge head", { headers: { ...own, "X-Large": "x".repeat(10000) } }, undefined, 413);
await refused("many headers", { headers: { ...own, ...Object.fromEntries([...Array(200)].map((_, at) => [`X-${at}`, "1"])) } }, undefined, 413);
await refused("a body in chunks", { method: "POST", path: "/ask", headers: { ...own, "Content-Type": "application/json", Origin: base, "Transfer-Encoding": "chunked" } }, question, 400);
const raw = (bytes, wait = 8000) => new Promise((resolve) => {
  const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
  let data = "";
  const began = Date.now();
  const end = () => { resolve({ data, time: Date.now() - began }); socket.destroy(); };
  socket.on("data", (part) => { data += part; });
  socket.on("close", end);
  socket.on("error", end);
  setTimeout(end, wait);
});
const two = await raw(`GET / HTTP/1.1\r\nHost: ${own.Host}\r\nHost: evil.example\r\nCookie: ${own.Cookie}\r\n\r\n`);
check("refused: two hosts", two.data.startsWith("HTTP/1.1 400"));
check("refused: nonsense", (await raw("\x16\x03\x01\x00\xa5\x01\r\n\r\n")).data.startsWith("HTTP/1.1 400"));
const slow = await raw(`GET / HTTP/1.1\r\nHost: ${own.Host}\r\nX-Slow: `);
check("a slow request is dropped", slow.time < 7000 && slow.data === "", String(slow.time));
const held = [...Array(80)].map(() => net.connect(port, "127.0.0.1").on("error", () => {}));
await new Promise((resolve) => setTimeout(resolve, 6500));
check("idle connections block nobody for long", (await ask({ headers: own })).status === 200);
held.forEach((socket) => socket.destroy());
const policy = (await ask({ headers: own })).headers["content-security-policy"];
check("the policy allows nothing but the page", policy.startsWith("default-src 'none'") && !policy.includes("unsafe"));
check("no answer is shared with other origins", !("access-control-allow-origin" in (await ask({ headers: own })).headers));
for (const invalid of ["{}", "[", JSON.stringify({ ask: "level", file: 0, level: 0, seed: -1 }), JSON.stringify({ ask: "level", file: 99, level: 0, seed: 1 }),
  JSON.stringify({ ask: "chances", file: 0, level: 0, seeds: 1e12 }), JSON.stringify({ ask: "open", file: 0, source: 77, at: [1, 0] }),
  JSON.stringify({ ask: "edit", file: 0, level: 0, seed: 1, version: 1, change: { paint: { squares: [[1e9, -5]], letter: "." } } })]) {
  const answer = await ask({ method: "POST", path: "/ask", headers: { ...own, ...json, "Content-Length": invalid.length } }, invalid);
  check(`an invalid question is an error: ${invalid.slice(0, 60)}`, answer.status === 200 && "error" in JSON.parse(answer.data));
}

// The end.
server.process.kill("SIGINT");
await page.waitForFunction(() => document.getElementById("state").textContent.includes("ended"));
check("the page says that its terminal has ended", true);
check("no errors on any page", problems.filter((it) => !/Failed to load resource|ERR_/.test(it)).length === 0, problems.join("; "));
await browser.close();
many.process.kill("SIGINT");
lua.kill("SIGINT");
console.log(failures ? `${failures} checks failed` : "all checks passed");
process.exit(failures ? 1 : 0);
