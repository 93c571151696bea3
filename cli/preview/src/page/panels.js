// The panels next to the source: one tab each.
import { columnOf, rowOf, squareAt, unflipped } from "./level.js";
import { heatColor, MapView } from "./map.js";
import { signColor } from "./tiles.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./channel.js").Chances} Chances
 * @typedef {import("./channel.js").Finding} Finding
 */

/**
 * Creates an element.
 * @param {string} tag
 * @param {{[name: string]: any}} properties
 * @param {...(Node|string|null)} children
 * @returns {any}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * @param {number} count
 * @returns {string}
 */
export function squaresChanged(count) {
  return count === 1 ? "1 square changed" : `${count} squares changed`;
}

/** @param {number} share */
export function percent(share) {
  const value = share * 100;
  if (value === 0 || value >= 99.95) return `${value.toFixed(0)} %`;
  return value < 0.1 ? "< 0.1 %" : `${value.toFixed(value < 10 ? 1 : 0)} %`;
}

/** @param {number} square */
export const placeName = (square) => `${columnOf(square)},${rowOf(square)}`;

/**
 * Counts of each square, decoded.
 * @param {number[]} sparse
 * @returns {Map<number, number>}
 */
export function decoded(sparse) {
  const counts = new Map();
  for (let at = 0; at + 1 < sparse.length; at += 2) counts.set(sparse[at], sparse[at + 1]);
  return counts;
}

/**
 * Returns the chances of everything on a square.
 * @param {Chances} chances
 * @param {number} square before a flip
 * @returns {{kind: string, name: string, share: number}[]}
 */
export function chancesAt(chances, square) {
  const found = [];
  const count = (/** @type {number[]} */ sparse) => {
    for (let at = 0; at + 1 < sparse.length; at += 2) if (sparse[at] === square) return sparse[at + 1];
    return 0;
  };
  const levels = Math.max(chances.levels, 1);
  for (const terrain of chances.terrain) {
    const times = count(terrain.squares);
    if (times) found.push({ kind: "terrain", name: terrain.name, share: times / levels });
  }
  for (const thing of chances.things) {
    const times = count(thing.squares);
    if (times) found.push({ kind: thing.kind, name: thing.name, share: times / levels });
  }
  return found.sort((a, b) => b.share - a.share);
}

/**
 * A button that selects a statement.
 * @param {App} app
 * @param {number|null} statement
 */
function statementLink(app, statement) {
  const place = statement === null ? undefined : app.level?.drawn.statements[statement];
  if (!place) return el("span", { className: "muted" }, "the game, at the end");
  return el("button", { className: "link", onclick: () => app.selectStatement(place, true) }, app.placeText(place));
}

/**
 * @param {App} app
 * @param {number} square
 */
function squareLink(app, square) {
  return el("button", { className: "link", onclick: () => app.setCursor(square, true) }, placeName(square));
}

/** @param {App} app */
export function squarePanel(app) {
  const level = app.level;
  const square = app.cursor;
  if (!level || square < 0) {
    return [el("p", { className: "muted" }, "Point at a square, or move the cursor on the map with the arrow keys.")];
  }
  const cell = level.cell(square);
  const rows = [];
  const row = (/** @type {string} */ symbol, /** @type {number} */ color, /** @type {string} */ what, /** @type {number|null} */ by, /** @type {[number, number]|null} */ written) =>
    el("tr", {}, el("td", {}, chip(app, symbol, color)), el("td", {}, what),
      el("td", {}, statementLink(app, by), written ? el("span", { className: "muted" }, ` at (${written[0]},${written[1]})`) : null));
  for (const { things, thing } of level.things(square)) {
    const sign = { monsters: cell.monster, objects: cell.object, traps: cell.trap }[things.subject] ?? null;
    rows.push(row(things.symbol, sign?.[1] ?? 7, things.what, thing.statement, thing.written));
  }
  const made = level.drawn.made[square];
  const letter = level.letter(square);
  rows.push(row(cell.ground[0], cell.ground[1], `${cell.name}${cell.lit ? ", lit" : ", unlit"}${cell.undiggable ? ", undiggable" : ""}${cell.impassable ? ", impassable" : ""}`, made < 0 ? null : made, letter && [letter[1], letter[0]]));
  const by = level.drawn.lit_by[square];
  if (by >= 0 && by !== made) rows.push(row(" ", 7, cell.lit ? "its light" : "its darkness", by, null));
  const table = el("table", {}, el("caption", { className: "spoken" }, "Everything on the square"),
    el("thead", {}, el("tr", {}, el("th", {}, "sign"), el("th", {}, "what"), el("th", {}, "made by"))), el("tbody", {}, ...rows));
  /** @type {Node[]} */
  const parts = [el("h3", {}, `Column ${columnOf(square)}, row ${rowOf(square)}`), table];
  if (app.chances) {
    const list = chancesAt(app.chances, unflipped(level.drawn.flip, square)).slice(0, 14);
    parts.push(el("h3", {}, `Over ${app.chances.levels} seeds`), el("table", {}, el("caption", { className: "spoken" }, "Chances on this square"),
      el("thead", {}, el("tr", {}, el("th", {}, "what"), el("th", { className: "count" }, "chance"), el("th", {}, "share"))),
      el("tbody", {}, ...list.map((it) => el("tr", {}, el("td", {}, it.name), el("td", { className: "count" }, percent(Math.min(it.share, 1))), el("td", {}, bar(it.share)))))));
  }
  return parts;
}

/**
 * @param {App} app
 * @param {string} symbol
 * @param {number} color
 */
function chip(app, symbol, color) {
  const span = el("span", { className: "chip" }, symbol);
  span.style.color = signColor(color, app.look.dark);
  return span;
}

/** @param {number} share */
function bar(share) {
  const line = el("span", { className: "barline" });
  line.style.width = `${Math.max(Math.min(share, 1) * 90, 1)}px`;
  return line;
}

/** @param {App} app */
export function contentsPanel(app) {
  const level = app.level;
  if (!level) return [];
  const { drawn } = level;
  /** @type {Node[]} */
  const parts = [];
  const note = (/** @type {string} */ text, name = "") => parts.push(el("p", { className: name }, text));
  if (drawn.failed) note(drawn.failed.message, "bad");
  if (drawn.flip) {
    const ways = [drawn.flip.left_to_right ? "left and right" : "", drawn.flip.top_to_bottom ? "top and bottom" : ""].filter(Boolean);
    note(`The game swapped ${ways.join(", and ")} on this seed.`);
  }
  if (drawn.flags.length) note(`Flags: ${drawn.flags.join(", ")}.`);
  let subject = "";
  /** @type {HTMLElement|null} */
  let body = null;
  for (const things of drawn.things) {
    if (things.subject !== subject || !body) {
      subject = things.subject;
      body = el("tbody");
      parts.push(el("h3", {}, subject), el("table", {}, el("caption", { className: "spoken" }, subject),
        el("thead", { className: "spoken" }, el("tr", {}, el("th", {}, "sign"), el("th", {}, "what"), el("th", {}, "places"))), body));
    }
    const places = things.each.slice(0, 12).map(({ place, statement }) => (place ? squareLink(app, squareAt(place[0], place[1])) : statementLink(app, statement)));
    const more = things.each.length > 12 ? [el("span", { className: "muted" }, ` and ${things.each.length - 12} more`)] : [];
    const first = things.each[0]?.place;
    const cell = first ? level.cell(squareAt(first[0], first[1])) : null;
    const sign = cell && { monsters: cell.monster, objects: cell.object, traps: cell.trap }[things.subject];
    body?.append(el("tr", {}, el("td", {}, chip(app, things.symbol, sign?.[1] ?? cell?.ground[1] ?? 7)), el("td", {}, things.what), el("td", {}, ...places, ...more)));
  }
  if (drawn.areas.length) {
    parts.push(el("h3", {}, "arrivals"), el("ul", {}, ...drawn.areas.map((area) => el("li", {}, `${area.name}: ${area.within.join(",")}`))));
  }
  if (drawn.messages.length) parts.push(el("h3", {}, "messages on arrival"), ...drawn.messages.map((text) => el("p", {}, text)));
  parts.push(el("details", {}, el("summary", {}, "The map as text"), el("pre", { className: "map", tabIndex: 0, "aria-label": "The map as text" }, level.text().join("\n"))));
  return parts;
}

/**
 * @param {App} app
 * @param {Finding} finding
 */
function findingItem(app, finding) {
  const links = [];
  if (finding.seed !== null) links.push(el("button", { className: "link", onclick: () => app.showFinding(finding) }, `seed ${finding.seed}`));
  const place = finding.place;
  if (place) links.push(el("button", { className: "link", onclick: () => app.selectStatement(place, true) }, app.placeText(place)));
  return el("li", {}, el("span", { className: finding.severity === "error" ? "bad" : "warning" }, `${finding.severity}[${finding.code}] `),
    finding.message, " ", ...links, ...finding.notes.map((text) => el("div", { className: "muted" }, text)),
    finding.help ? el("div", { className: "muted" }, `help: ${finding.help}`) : null);
}

/** @param {App} app */
export function findingsPanel(app) {
  const parts = [];
  const own = app.sheet?.findings ?? [];
  if (app.sheet?.problem) parts.push(el("p", { className: "bad" }, app.sheet.problem));
  if (own.length) parts.push(el("h3", {}, "The source"), el("ul", { className: "findings" }, ...own.map((it) => findingItem(app, it))));
  const said = app.level?.drawn.remarks ?? [];
  if (said.length) {
    parts.push(el("h3", {}, "The loader on this seed"), el("ul", { className: "findings" }, ...said.map((it) =>
      el("li", {}, it.message, " ", statementLink(app, it.statement)))));
  }
  if (app.level) {
    const found = app.findings;
    parts.push(el("h3", {}, "Tests with 200 seeds"));
    if (!found) {
      parts.push(el("p", { className: "muted" }, "testing"));
      app.loadFindings();
    } else if (found.length === 0) parts.push(el("p", {}, "no findings"));
    else parts.push(el("ul", { className: "findings" }, ...found.map((it) => findingItem(app, it))));
  }
  return parts;
}

/** @param {App} app */
export function chancesPanel(app) {
  const counts = el("select", { id: "count", onchange: () => app.setCount(Number(counts.value)) },
    ...(app.channel.seeds ? [1000] : [100, 1000, 10000]).map((count) => el("option", { value: count, selected: count === app.count }, `${count} seeds`)));
  const chances = app.chances;
  const parts = [el("div", { className: "row" }, el("label", { className: "field" }, "Count over ", counts))];
  if (!chances) return [...parts, el("p", { className: "muted" }, app.level ? "counting" : "")];
  const select = el("select", { id: "heat", onchange: () => app.setHeat(select.value) }, el("option", { value: "" }, "no heat map"));
  const group = (/** @type {string} */ label, /** @type {[string, string][]} */ options) => {
    if (options.length) select.append(el("optgroup", { label }, ...options.map(([value, text]) => el("option", { value, selected: value === app.heat }, text))));
  };
  group("anything", [["lit", "light"], ...(app.channel.live ? [/** @type {[string, string]} */ (["statement", "the selected statement"])] : [])]);
  for (const kind of ["monsters", "objects", "gold", "traps", "stairs"]) {
    const things = chances.things.filter((it) => it.kind === kind);
    if (things.length > 1) group("all", [[`all ${kind}`, `all ${kind}`]]);
    group(kind, things.map((it) => [`${kind} ${it.name}`, it.name]));
  }
  group("terrain", chances.terrain.map((it) => [`terrain ${it.name} ${it.terrain}`, `${it.name} (${it.terrain})`]));
  parts[0].append(el("label", { className: "field" }, "Heat map of ", select));
  const levels = Math.max(chances.levels, 1);
  if (chances.failed) parts.push(el("p", { className: "bad" }, `the game cannot load the level on ${chances.failed} of ${chances.failed + chances.levels} seeds`));
  if (chances.rooms.some(([rooms]) => rooms > 0)) parts.push(el("h3", {}, "Number of rooms"), roomsChart(app, chances));
  const table = el("tbody");
  for (const thing of chances.things) {
    table.append(el("tr", {}, el("td", {}, el("button", { className: "link", onclick: () => app.setHeat(`${thing.kind} ${thing.name}`) }, thing.name)),
      el("td", { className: "count" }, (thing.total / levels).toFixed(2)), el("td", { className: "count" }, `${thing.fewest} to ${thing.most}`),
      el("td", { className: "count" }, percent(thing.levels / levels)), el("td", {}, bar(thing.levels / levels))));
  }
  parts.push(el("h3", {}, "Things per level"), el("table", {}, el("caption", { className: "spoken" }, "Things per level"),
    el("thead", {}, el("tr", {}, el("th", {}, "thing"), ...["mean", "range", "in levels"].map((it) => el("th", { className: "count" }, it)), el("th", {}, "share"))), table));
  if (chances.draws) parts.push(el("p", { className: "muted" }, `${chances.draws[0]} to ${chances.draws[1]} random draws a level, ${chances.draws[2].toFixed(0)} on average`));
  return parts;
}

/**
 * @param {App} app
 * @param {Chances} chances
 */
function roomsChart(app, chances) {
  const most = Math.max(...chances.rooms.map(([, levels]) => levels), 1);
  return el("table", {}, el("caption", { className: "spoken" }, "Number of rooms"), el("thead", { className: "spoken" }, el("tr", {}, el("th", {}, "rooms"), el("th", {}, "levels"), el("th", {}, "share"))),
    el("tbody", {}, ...chances.rooms.map(([rooms, levels]) => el("tr", {}, el("td", { className: "count" }, String(rooms)),
      el("td", { className: "count" }, percent(levels / Math.max(chances.levels, 1))), el("td", {}, bar(levels / most))))));
}

/** @param {App} app */
export function stepsPanel(app) {
  const story = app.story;
  if (!app.level) return [];
  if (!story) {
    app.loadStory();
    return [el("p", { className: "muted" }, "recording")];
  }
  const last = story.frames.length;
  const at = Math.min(app.frame, last);
  const slider = el("input", { type: "range", id: "frame", min: 0, max: last, value: at, "aria-label": "Step", oninput: () => app.setFrame(Number(slider.value)) });
  const frame = at > 0 ? story.frames[at - 1] : null;
  const place = frame && frame.statement !== null ? story.statements[frame.statement] : null;
  const draws = frame ? frame.drawn.map(([below, result]) => `${result} of ${below}`).join(", ") : "";
  return [
    el("div", { className: "row steps" },
      el("button", { onclick: () => app.setFrame(at - 1), disabled: at === 0, "aria-label": "Step back" }, "◀"), slider,
      el("button", { onclick: () => app.setFrame(at + 1), disabled: at === last, "aria-label": "Step forward" }, "▶"),
      el("button", { onclick: () => app.setFrame(last) }, "End")),
    el("p", { id: "step" }, `Step ${at} of ${last}. `, place ? el("button", { className: "link", onclick: () => app.selectStatement(place, true) }, app.placeText(place))
      : frame ? "The game finishes the level." : "Before the first statement."),
    frame ? el("p", { className: "muted" }, `${squaresChanged(frame.changes.length)}; ${frame.draws} draws so far${draws ? `; last draws: ${draws}` : ""}`) : el("p"),
    story.cut ? el("p", { className: "muted" }, "There are more changes than steps shown; the last step has the rest.") : el("p"),
  ];
}

/** @param {App} app */
export function seedsPanel(app) {
  const grid = el("div", { className: "grid" });
  const first = app.seed;
  const most = app.channel.seeds || Number.MAX_SAFE_INTEGER;
  for (let seed = first; seed < first + 12 && seed <= most; seed++) {
    const holder = el("div");
    const button = el("button", { onclick: () => app.setSeed(seed), "aria-label": `Seed ${seed}` }, holder, `seed ${seed}`);
    grid.append(button);
    app.levelOf(app.file, app.index, seed).then((level) => {
      const view = new MapView(el("div"));
      view.level = level;
      view.window = app.window;
      view.ruler = [0, 0];
      view.layout({ ...app.look, layers: { ...app.look.layers, rooms: false, arrivals: false, protection: false } }, 420);
      const image = el("canvas", { width: view.base.width, height: view.base.height });
      image.getContext("2d")?.drawImage(view.base, 0, 0);
      image.setAttribute("aria-hidden", "true");
      holder.replaceWith(image);
    }, (error) => holder.replaceWith(String(error.message)));
  }
  return [el("p", { className: "row muted" }, "The same level on the next seeds. Choose one to show it."), grid];
}

/** @param {App} app */
export function comparePanel(app) {
  const select = el("select", { id: "compare", onchange: () => app.setCompare(select.value, app.otherSeed) }, el("option", { value: "" }, "nothing"));
  app.files?.files.forEach((sheet, file) => sheet.levels.forEach((level, index) => {
    const value = `${file} ${index}`;
    select.append(el("option", { value, selected: value === app.compare }, `${level.name} (${sheet.name})`));
  }));
  const linked = app.otherSeed === null;
  const seed = el("input", { type: "number", id: "other-seed", min: 0, value: app.otherSeed ?? app.seed, disabled: linked, onchange: () => app.setCompare(app.compare, Number(seed.value)) });
  const link = el("input", { type: "checkbox", checked: linked, onchange: () => app.setCompare(app.compare, link.checked ? null : app.seed) });
  const parts = [el("div", { className: "row" }, el("label", { className: "field" }, "Compare with ", select),
    el("label", { className: "field" }, link, " same seed"), el("label", { className: "field" }, "Seed ", seed))];
  if (!app.other || !app.level) return parts;
  const { level, other } = app;
  const buttons = [el("button", { id: "swap", onclick: () => app.swap() }, "Exchange")];
  if (app.channel.live) buttons.push(el("button", { id: "differ", onclick: () => app.differ() }, "Find a difference"));
  parts.push(el("div", { className: "row" }, ...buttons));
  if (app.compared) parts.push(el("p", { id: "compared" }, app.compared));
  const account = (app.sheet?.account ?? []).filter((it) => it.level === level.drawn.name);
  if (account.length) {
    parts.push(el("h3", {}, "The port"), el("ul", { className: "findings", id: "account" }, ...account.map((it) => {
      const from = it.place ? `line ${it.place.from[0]}` : "";
      const to = it.lines.length ? `now line ${it.lines.join(", ")}` : "";
      const places = [from, to].filter((place) => place).join(", ");
      return el("li", {}, places ? el("button", { className: "link", onclick: () => app.showAccounted(it) }, `${it.text} (${places})`) : it.text,
        ...it.notes.map((note) => el("div", { className: "muted" }, note)));
    })));
  }
  const different = [...app.differences()];
  parts.push(el("p", {}, different.length ? `${different.length} squares differ.` : "No square differs."));
  const rows = different.slice(0, 100).map((square) => el("tr", {}, el("td", {}, squareLink(app, square)), el("td", {}, describe(level, square)), el("td", {}, describe(other, square))));
  parts.push(el("table", {}, el("caption", { className: "spoken" }, "Squares that differ"), el("thead", {}, el("tr", {}, el("th", {}, "square"), el("th", {}, "this level"), el("th", {}, "other level"))), el("tbody", {}, ...rows)));
  return parts;
}

/**
 * Describes a square in a few words.
 * @param {import("./level.js").Level} level
 * @param {number} square
 */
export function describe(level, square) {
  const things = level.things(square).filter((it) => it.things.subject !== "features").map((it) => it.things.what);
  const cell = level.cell(square);
  return [...things, cell.name].join("; ");
}

const PAINTS = [[".", "floor"], ["|", "vertical wall"], ["-", "horizontal wall"], [" ", "rock"], ["#", "corridor"], ["+", "door"], ["S", "secret door"],
  ["}", "moat"], ["P", "pool"], ["W", "water"], ["L", "lava"], ["I", "ice"], ["T", "tree"], ["F", "iron bars"], ["{", "fountain"], ["K", "sink"],
  ["\\", "throne"], ["C", "cloud"], ["A", "air"]];

/** @param {App} app */
export function drawPanel(app) {
  if (!app.channel.live || !app.sheet?.editable) {
    return [el("p", { className: "muted" }, "Only a source file can be changed, and only while splc runs.")];
  }
  const tool = (/** @type {string} */ name, /** @type {string} */ text) => el("button", { "aria-pressed": String(app.tool === name), onclick: () => app.setTool(name) }, text);
  const letters = PAINTS.map(([letter, name]) => el("button", { "aria-pressed": String(app.tool === `paint ${letter}`), title: name, "aria-label": name, onclick: () => app.setTool(`paint ${letter}`) }, letter === " " ? "␣" : letter));
  const kind = el("select", { id: "add-kind", onchange: () => app.setAdding(kind.value, "") }, ...["monster", "object", "trap"].map((it) => el("option", { value: it, selected: it === app.adding[0] }, it)));
  const names = app.names ? /** @type {any} */ (app.names)[`${app.adding[0]}s`] : [];
  const list = el("datalist", { id: "names" }, ...names.map((/** @type {string} */ value) => el("option", { value })));
  const name = el("input", { type: "text", id: "add-name", value: app.adding[1], oninput: () => app.setAdding(kind.value, name.value) });
  name.setAttribute("list", "names");
  const kinds = el("select", { id: "region-kind", onchange: () => { app.region.kind = kinds.value; } },
    ...(app.names?.rooms ?? []).map((it) => el("option", { value: it, selected: it === app.region.kind }, it)));
  const lit = el("input", { type: "checkbox", id: "region-lit", checked: app.region.lit, onchange: () => { app.region.lit = lit.checked; } });
  return [
    el("div", { className: "row" }, tool("", "Look"), tool("move", "Move"), tool("add", "Add"), el("button", { id: "undo", disabled: !app.files?.undo, onclick: () => app.undo() }, "Undo")),
    el("h3", {}, "Paint squares of a map"), el("div", { className: "letters", role: "group", "aria-label": "Terrain" }, ...letters),
    el("h3", {}, "Draw a region"), el("div", { className: "row" }, tool("region", "Region"), el("label", { className: "field" }, "Type ", kinds), el("label", { className: "field" }, lit, " lit")),
    el("h3", {}, "Add a thing"), el("div", { className: "row" }, el("label", { className: "field" }, "Kind ", kind), el("label", { className: "field" }, "Name ", name), list),
    el("p", { className: "muted" }, "Click or drag on the map. Each change is an edit of the source: a letter of a MAP, the numbers of a place, or a new line. What the text cannot express is refused with the reason."),
  ];
}

/** @param {App} app */
export function dungeonPanel(app) {
  const sheet = app.files?.files.find((it) => it.kind === "dungeon");
  if (!sheet) return [];
  const parts = [];
  for (const dungeon of sheet.dungeons) {
    const rows = dungeon.levels.map((level) => {
      const depths = level.depths.map(([depth]) => depth);
      const range = depths.length === 0 ? "" : depths[0] === depths[depths.length - 1] ? `${depths[0]}` : `${Math.min(...depths)} to ${Math.max(...depths)}`;
      const found = app.find(level.name);
      const chance = level.depths.reduce((sum, [, share]) => sum + share, 0);
      return el("tr", {}, el("td", {}, found ? el("button", { className: "link", onclick: () => app.choose(found[0], found[1]) }, level.name) : level.name),
        el("td", { className: "count" }, range), el("td", { className: "count" }, percent(Math.min(chance, 1))));
    });
    parts.push(el("h3", {}, dungeon.name), el("table", {}, el("caption", { className: "spoken" }, dungeon.name),
      el("thead", {}, el("tr", {}, el("th", {}, "level"), el("th", { className: "count" }, "depth"), el("th", { className: "count" }, "in games"))), el("tbody", {}, ...rows)));
  }
  return parts;
}

/**
 * Draws the scale of a heat map.
 * @param {HTMLElement} element
 * @param {string} title
 * @param {number} most highest share
 */
export function drawScale(element, title, most) {
  const canvas = el("canvas", { width: 160, height: 12 });
  const context = canvas.getContext("2d");
  for (let x = 0; context && x < 160; x++) {
    context.fillStyle = heatColor(x / 159, 1);
    context.fillRect(x, 0, 1, 12);
  }
  canvas.setAttribute("aria-hidden", "true");
  element.replaceChildren(el("span", {}, title), el("span", {}, "0 %"), canvas, el("span", {}, percent(Math.min(most, 1))));
}
