// The page: its state, and how its parts follow each other.
import { channel } from "./channel.js";
import { columnOf, COLUMNS, Level, rowOf, ROWS, squareAt, SQUARES, unflipped } from "./level.js";
import { MapView, noMarks } from "./map.js";
import { chancesAt, chancesPanel, comparePanel, contentsPanel, decoded, describe, drawPanel, drawScale, dungeonPanel, el, findingsPanel, percent, placeName, seedsPanel, squarePanel, squaresChanged, stepsPanel } from "./panels.js";
import { SourceView } from "./source.js";

/**
 * @typedef {import("./channel.js").Statement} Statement
 * @typedef {import("./channel.js").Sheet} Sheet
 * @typedef {import("./channel.js").Finding} Finding
 * @typedef {import("./tiles.js").Layers} Layers
 */

/**
 * @param {string} id
 * @returns {any}
 */
const byId = (id) => document.getElementById(id);

/** @type {[keyof Layers, string][]} */
const LAYERS = [["terrain", "terrain"], ["light", "light"], ["doors", "doors"], ["traps", "traps"], ["objects", "objects"],
  ["monsters", "monsters"], ["rooms", "rooms"], ["protection", "undiggable walls"], ["arrivals", "arrivals"]];

const PLAY_MILLISECONDS = 350;
const MAX_KEPT = 60;

/** Waits until the page is painted, but not long: a page in the background is not painted. */
function painted() {
  return new Promise((done) => {
    setTimeout(done, 100);
    requestAnimationFrame(() => setTimeout(done, 0));
  });
}

export class App {
  channel = channel();
  /** @type {import("./channel.js").Files|null} */
  files = null;
  file = 0;
  index = 0;
  seed = 1;
  /** @type {Level|null} */
  level = null;
  /** @type {Level|null} */
  other = null;
  compare = "";
  /** @type {number|null} */
  otherSeed = null;
  /** @type {import("./channel.js").Chances|null} */
  chances = null;
  /** @type {Finding[]|null} */
  findings = null;
  /** @type {import("./channel.js").Story|null} */
  story = null;
  /** @type {import("./channel.js").Names|null} */
  names = null;
  frame = 0;
  count = 1000;
  heat = "";
  tool = "";
  /** @type {[string, string]} */
  adding = ["monster", ""];
  /** The region to be drawn. @type {{lit: boolean, kind: string}} */
  region = { lit: true, kind: "ordinary" };
  /** The squares of the region that is being drawn. @type {Set<number>} */
  stretched = new Set();
  /** The line of the other source whose squares are marked. */
  otherLine = 0;
  /** The result of the last comparison. */
  compared = "";
  /** @type {number} */
  moving = -1;
  cursor = -1;
  /** @type {Statement|null} */
  statement = null;
  tab = "Square";
  fit = true;
  window = [1, 0, COLUMNS, ROWS - 1];
  /** @type {Set<number>} */
  changed = new Set();
  /** @type {Set<number>} */
  found = new Set();
  request = 0;
  playing = 0;
  version = -1;
  /** The version of the files that the map shows. */
  shown = -1;
  ended = false;
  /** The level that is being loaded. @type {Promise<void>} */
  showing = Promise.resolve();
  /** The level to which the window belongs. */
  windowOf = "";
  /** @type {import("./channel.js").Spread|null} */
  spread = null;
  /** @type {Map<string, Promise<Level>>} */
  kept = new Map();
  look = {
    dark: window.matchMedia("(prefers-color-scheme: dark)").matches,
    tiles: true,
    /** @type {Layers} */
    layers: { terrain: true, light: true, doors: true, traps: true, objects: true, monsters: true, rooms: true, protection: false, arrivals: false },
  };
  map = new MapView(byId("map"));
  otherMap = new MapView(byId("other"));
  source = new SourceView(byId("source"));
  tip = el("div", { className: "tip", hidden: true });

  constructor() {
    byId("stage").append(this.tip);
    this.setTheme(this.look.dark);
    this.listen();
    this.drawTabs();
    if (this.channel.seeds) {
      byId("slider").max = String(this.channel.seeds);
      byId("seed").max = String(this.channel.seeds);
    }
    byId("open").hidden = !this.channel.live;
    this.channel.listen((version) => this.refresh(version), (state) => this.connection(state),
      (file, source, at) => this.cursorIn(file, source, at));
    if (!this.channel.live) this.refresh(0);
  }

  get sheet() {
    return this.files?.files[this.file] ?? null;
  }

  /** @param {"open"|"lost"|"ended"} state */
  connection(state) {
    if (state === "open") {
      this.ended = false;
      this.say("");
    } else if (state === "ended") {
      this.ended = true;
      this.say("The preview has ended in its terminal. The page continues when it comes back.", true);
    } else if (!this.ended) {
      this.say("The connection to splc is lost. The page tries again.", true);
    }
  }

  /**
   * @param {string} text
   * @param {boolean} [bad]
   */
  say(text, bad = false) {
    byId("state").textContent = text;
    byId("state").classList.toggle("bad", bad);
  }

  /**
   * Loads everything that depends on the files.
   * @param {number} version
   */
  async refresh(version) {
    if (version === this.version && this.files) return;
    const first = !this.files;
    this.version = version;
    this.kept.clear();
    const before = this.level;
    try {
      const files = this.channel.ask({ ask: "files" });
      // Most likely the same level is shown again.
      if (!first && this.sheet?.levels[this.index]) this.levelOf(this.file, this.index, this.seed).catch(() => {});
      this.files = await files;
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message), true);
      return;
    }
    const files = /** @type {import("./channel.js").Files} */ (this.files);
    if (first || !this.sheet?.levels[this.index]) {
      const file = files.files.findIndex((sheet) => sheet.levels.length > 0);
      if (!this.sheet?.findings.some((it) => it.severity === "error")) [this.file, this.index] = [Math.max(file, 0), 0];
    }
    if (first || this.compare) this.setBeside(first);
    this.drawChooser();
    this.chances = null;
    this.findings = null;
    this.story = null;
    await this.showLevel(before);
    // The layout of a long source takes longer than the picture, which is painted first.
    if (!first) await painted();
    if (version !== this.version) return;
    this.drawSource();
    if (this.statement) this.source.mark(this.statement, false);
  }

  drawChooser() {
    const select = byId("level");
    select.replaceChildren();
    this.files?.files.forEach((sheet, file) => {
      const group = el("optgroup", { label: sheet.name });
      sheet.levels.forEach((level, index) => group.append(el("option", { value: `${file} ${index}`, selected: file === this.file && index === this.index }, level.name)));
      if (sheet.levels.length) select.append(group);
    });
    byId("level-field").hidden = select.options.length < 2;
    this.drawTabs();
  }

  drawSource() {
    const sheet = this.sheet;
    const select = byId("source-file");
    const chosen = Math.min(this.source.source, (sheet?.sources.length ?? 1) - 1);
    select.replaceChildren(...(sheet?.sources ?? []).map((source, at) => el("option", { value: at, selected: at === chosen }, source.name)));
    const source = sheet?.sources[Math.max(chosen, 0)];
    this.source.show(Math.max(chosen, 0), source?.name ?? "", source?.text ?? "");
    const lines = (sheet?.findings ?? []).filter((it) => it.place?.source === chosen).map((it) => /** @type {Statement} */ (it.place).from[0]);
    this.source.flag(new Set(lines));
  }

  /**
   * Returns a level, from memory if it was shown before.
   * @param {number} file
   * @param {number} index
   * @param {number} seed
   */
  levelOf(file, index, seed) {
    const key = `${file} ${index} ${seed}`;
    let level = this.kept.get(key);
    if (!level) {
      level = this.channel.ask({ ask: "level", file, level: index, seed }).then((drawn) => new Level(drawn));
      if (this.kept.size >= MAX_KEPT) this.kept.clear();
      this.kept.set(key, level);
    }
    return level;
  }

  /**
   * Runs the level and shows it.
   * @param {Level|null} before the level before an edit, to mark what changed
   */
  async showLevel(before = null) {
    const sheet = this.sheet;
    const request = ++this.request;
    byId("seed").value = String(this.seed);
    byId("slider").value = String(this.seed);
    const errors = sheet?.findings.filter((it) => it.severity === "error") ?? [];
    if (!sheet || !sheet.levels[this.index]) {
      byId("map").classList.add("stale");
      const problem = sheet?.problem ?? errors[0]?.message ?? "this file has no levels";
      this.say(errors.length > 1 ? `${problem} (and ${errors.length - 1} more errors)` : problem, true);
      if (this.tab !== "Dungeon") this.setTab(sheet?.kind === "dungeon" ? "Dungeon" : "Findings");
      return;
    }
    const version = this.files?.version ?? 0;
    try {
      const level = await this.levelOf(this.file, this.index, this.seed);
      if (request !== this.request) return;
      this.level = level;
      this.shown = version;
    } catch (error) {
      if (request === this.request) this.say(String(/** @type {Error} */ (error).message), true);
      return;
    }
    const level = /** @type {Level} */ (this.level);
    byId("map").classList.remove("stale");
    const { drawn } = level;
    byId("title").textContent = drawn.name;
    document.title = `${drawn.name} · splc preview`;
    byId("game").textContent = `${drawn.game}${sheet.decompiled ? ", decompiled" : ""}`;
    this.say(drawn.failed ? drawn.failed.message : "", Boolean(drawn.failed));
    this.changed = new Set();
    if (before && before.drawn.name === drawn.name && before.drawn.seed === drawn.seed) {
      const [then, now] = [before, level].map((level) => level.drawn.palette.map((cell) => JSON.stringify(cell)));
      for (let square = 0; square < SQUARES; square++) {
        if (then[before.drawn.squares[square]] !== now[drawn.squares[square]]) this.changed.add(square);
      }
      if (this.changed.size) this.say(squaresChanged(this.changed.size));
    }
    // The window grows with the seeds, so that the map does not jump.
    const bounds = level.bounds();
    const key = `${this.file} ${this.index}`;
    const [x1, y1, x2, y2] = this.windowOf === key ? this.window : bounds;
    this.windowOf = key;
    this.window = [Math.min(x1, Math.max(bounds[0] - 1, 1)), Math.min(y1, Math.max(bounds[1] - 1, 0)),
      Math.max(x2, Math.min(bounds[2] + 1, COLUMNS)), Math.max(y2, Math.min(bounds[3] + 1, ROWS - 1))];
    if (this.statement && this.tab !== "Steps") this.selectStatement(this.statement, false);
    this.story = null;
    this.frame = Number.MAX_SAFE_INTEGER;
    this.map.cells = null;
    await this.showOther();
    this.layout();
    this.drawPanel();
    // The seeds take all processors, so the picture comes first.
    if (!this.chances) painted().then(() => this.loadChances());
  }

  /**
   * Shows the level next to an earlier version of it, or next to its port, if there is one.
   * @param {boolean} open shows the panel about it
   */
  setBeside(open) {
    const files = this.files?.files ?? [];
    const beside = this.sheet?.beside ?? [];
    if (!beside.length) return;
    const name = this.sheet?.levels[this.index]?.name;
    const levels = beside.flatMap((file) => files[file].levels.map((level, index) => ({ file, index, name: level.name })));
    const found = levels.find((level) => level.name === name) ?? levels[Math.min(this.index, levels.length - 1)];
    this.compare = found ? `${found.file} ${found.index}` : "";
    if (open) this.tab = "Compare";
  }

  async showOther() {
    this.other = null;
    if (this.compare) {
      const [file, index] = this.compare.split(" ").map(Number);
      try {
        this.other = await this.levelOf(file, index, this.otherSeed ?? this.seed);
      } catch {
        this.other = null;
      }
    }
    byId("other").hidden = !this.other;
  }

  layout() {
    const scroll = /** @type {HTMLElement} */ (document.querySelector(".scroll"));
    const width = scroll.clientWidth;
    for (const [view, level] of /** @type {[MapView, Level|null][]} */ ([[this.map, this.level], [this.otherMap, this.other]])) {
      view.level = level;
      view.window = this.fit ? this.window : [1, 0, COLUMNS, ROWS - 1];
      if (level) view.layout(this.look, width);
    }
    const name = this.level ? `${this.level.drawn.name}, seed ${this.seed}` : "";
    byId("map").setAttribute("aria-label", `Map of ${name}. Move the cursor with the arrow keys.`);
    byId("other").setAttribute("aria-label", "Map of the other level");
    this.drawMarks();
  }

  /** Returns the squares that differ from those of the other level. */
  differences() {
    const squares = new Set();
    for (let square = 0; this.level && this.other && square < SQUARES; square++) {
      const [one, two] = [this.level.cell(square), this.other.cell(square)];
      if (JSON.stringify({ ...one, room: null }) !== JSON.stringify({ ...two, room: null })) squares.add(square);
    }
    return squares;
  }

  drawMarks() {
    const marks = noMarks();
    if (this.level && this.statement) {
      this.level.drawn.statements.forEach((statement, number) => {
        if (JSON.stringify(statement) === JSON.stringify(this.statement)) {
          for (const square of /** @type {Level} */ (this.level).squaresOf(number)) marks.selected.add(square);
        }
      });
    }
    marks.changed = this.other ? this.differences() : this.changed;
    marks.findings = this.found;
    marks.heat = this.heatMarks();
    this.map.marks = marks;
    this.map.cursor = this.cursor;
    this.map.drawMarks(this.look);
    for (const square of this.stretched) marks.selected.add(square);
    if (this.other) {
      const selected = new Set();
      this.other.drawn.statements.forEach((statement, number) => {
        if (statement.from[0] <= this.otherLine && this.otherLine <= statement.to[0]) {
          for (const square of /** @type {Level} */ (this.other).squaresOf(number)) selected.add(square);
        }
      });
      this.otherMap.marks = { ...noMarks(), changed: marks.changed, selected };
      this.otherMap.cursor = this.cursor;
      this.otherMap.drawMarks(this.look);
    }
  }

  heatMarks() {
    const { chances, heat, level } = this;
    byId("scale").hidden = true;
    if (!heat || !chances || !level) return null;
    /** @type {Map<number, number>} */
    let counts = new Map();
    let levels = chances.levels;
    let title = heat.replace(/^(terrain|monsters|objects|gold|traps|stairs) /, "");
    if (heat === "statement") {
      if (!this.spread) return null;
      counts = decoded(this.spread.squares);
      levels = this.spread.levels;
      title = "the selected statement";
    } else if (heat === "lit") {
      counts = decoded(chances.lit);
      title = "light";
    } else if (heat.startsWith("all ")) {
      for (const thing of chances.things.filter((it) => it.kind === heat.slice(4))) {
        for (const [square, count] of decoded(thing.squares)) counts.set(square, (counts.get(square) ?? 0) + count);
      }
    } else {
      const thing = chances.things.find((it) => `${it.kind} ${it.name}` === heat);
      const terrain = chances.terrain.find((it) => `terrain ${it.name} ${it.terrain}` === heat);
      counts = decoded(thing?.squares ?? terrain?.squares ?? []);
    }
    const most = Math.max(...counts.values(), 1);
    drawScale(byId("scale"), `${title}, per level`, most / Math.max(levels, 1));
    byId("scale").hidden = false;
    // The counts are those of the unflipped level; the map shows the flipped one.
    const shown = new Map();
    for (const [square, count] of counts) {
      const now = unflipped(level.drawn.flip, square);
      if (now >= 0) shown.set(now, count);
    }
    return { counts: shown, most };
  }

  // Choices of the user.

  /** @param {number} seed */
  setSeed(seed) {
    const most = this.channel.seeds || Number.MAX_SAFE_INTEGER;
    const least = this.channel.seeds ? 1 : 0;
    const valid = Math.min(Math.max(Math.floor(seed) || 0, least), most);
    if (valid === this.seed && this.level?.drawn.seed === valid) return;
    this.seed = valid;
    this.found = new Set();
    return this.showLevel();
  }

  /**
   * @param {number} file
   * @param {number} index
   */
  choose(file, index) {
    const other = file !== this.file;
    [this.file, this.index] = [file, index];
    this.chances = null;
    this.findings = null;
    this.statement = null;
    this.heat = "";
    this.found = new Set();
    this.otherLine = 0;
    this.compared = "";
    if (other) {
      this.source.source = 0;
      this.names = null;
      this.drawSource();
    }
    this.setBeside(false);
    byId("level").value = `${file} ${index}`;
    this.showing = this.showLevel();
    const line = this.sheet?.levels[index]?.line;
    if (line) this.source.reveal(line);
  }

  /**
   * Finds a level by its name.
   * @param {string} name
   * @returns {[number, number]|null}
   */
  find(name) {
    const files = this.files?.files ?? [];
    for (const wanted of [name, `${name}-1`]) {
      for (let file = 0; file < files.length; file++) {
        const index = files[file].levels.findIndex((level) => level.name === wanted);
        if (index >= 0) return [file, index];
      }
    }
    return null;
  }

  /** @param {boolean} dark */
  setTheme(dark) {
    this.look = { ...this.look, dark };
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }

  /** @param {string} tab */
  setTab(tab) {
    if (this.tab === "Steps" && tab !== "Steps") this.map.cells = null;
    this.tab = tab;
    this.drawTabs();
    this.layout();
    this.drawPanel();
  }

  drawTabs() {
    const tabs = ["Square", "Contents", "Findings", "Chances", "Steps", "Seeds", "Compare"];
    if (this.channel.live) tabs.push("Draw");
    if (this.files?.files.some((sheet) => sheet.kind === "dungeon")) tabs.push("Dungeon");
    const list = byId("tabs");
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...tabs.map((tab) => el("button", { role: "tab", id: `tab-${tab}`, "aria-selected": String(tab === this.tab),
      "aria-controls": "panel", tabIndex: tab === this.tab ? 0 : -1, onclick: () => this.setTab(tab),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        this.setTab(tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]);
      } }, tab)));
    byId("panel").setAttribute("aria-labelledby", `tab-${this.tab}`);
    if (focused) byId(`tab-${this.tab}`)?.focus();
  }

  drawPanel() {
    const panels = { Square: squarePanel, Contents: contentsPanel, Findings: findingsPanel, Chances: chancesPanel,
      Steps: stepsPanel, Seeds: seedsPanel, Compare: comparePanel, Draw: drawPanel, Dungeon: dungeonPanel };
    const panel = byId("panel");
    const focused = panel.contains(document.activeElement) ? document.activeElement?.id : "";
    if (this.tab === "Draw" && !this.names) this.loadNames();
    panel.replaceChildren(...panels[/** @type {keyof typeof panels} */ (this.tab)](this));
    if (focused) byId(focused)?.focus();
  }

  // Data that is loaded when it is needed.

  async loadChances() {
    const [file, level, version] = [this.file, this.index, this.version];
    try {
      const chances = await this.channel.ask({ ask: "chances", file, level, seeds: this.count });
      if (file !== this.file || level !== this.index || version !== this.version) return;
      this.chances = chances;
    } catch {
      return;
    }
    if (this.heat === "statement") this.loadSpread();
    this.drawMarks();
    if (this.tab === "Chances" || this.tab === "Square") this.drawPanel();
  }

  async loadFindings() {
    const [file, level, version] = [this.file, this.index, this.version];
    try {
      const findings = await this.channel.ask({ ask: "findings", file, level, seeds: 200 });
      if (file !== this.file || level !== this.index || version !== this.version) return;
      this.findings = findings;
    } catch {
      this.findings = [];
    }
    if (this.tab === "Findings") this.drawPanel();
  }

  async loadStory() {
    const { seed } = this;
    try {
      const story = await this.channel.ask({ ask: "story", file: this.file, level: this.index, seed });
      if (seed !== this.seed) return;
      this.story = story;
      this.setFrame(story.frames.length);
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message), true);
      byId("panel").replaceChildren(el("p", { className: "muted" }, "The steps of this seed are not in this page."));
    }
  }

  async loadNames() {
    try {
      this.names = await this.channel.ask({ ask: "names", file: this.file });
      if (this.tab === "Draw") this.drawPanel();
    } catch {
      this.names = null;
    }
  }

  async loadSpread() {
    this.spread = null;
    const statement = this.statement;
    if (!statement) return;
    try {
      this.spread = await this.channel.ask({ ask: "spread", file: this.file, level: this.index, seeds: this.count, ...statement });
      this.drawMarks();
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message), true);
    }
  }

  /** @param {number} count */
  setCount(count) {
    this.count = count;
    this.chances = null;
    this.loadChances();
  }

  /** @param {string} heat */
  setHeat(heat) {
    this.heat = heat;
    if (heat === "statement") this.loadSpread();
    this.drawMarks();
    this.drawPanel();
  }

  /**
   * @param {string} compare
   * @param {number|null} seed
   */
  async setCompare(compare, seed) {
    this.compare = compare;
    this.otherSeed = seed;
    await this.showOther();
    this.layout();
    this.drawPanel();
  }

  /** Exchanges the two levels, so that the source is that of the other one. */
  swap() {
    if (!this.compare) return;
    const [file, index] = this.compare.split(" ").map(Number);
    const [other, seed] = [`${this.file} ${this.index}`, this.seed];
    if (this.otherSeed !== null) [this.seed, this.otherSeed] = [this.otherSeed, seed];
    this.choose(file, index);
    this.compare = other;
  }

  /** Looks for a difference between the two levels, and shows a seed that has it. */
  async differ() {
    const [file, level] = [this.file, this.index];
    const other = this.compare.split(" ").map(Number);
    this.say("comparing");
    try {
      /** @type {import("./channel.js").Compared} */
      const found = await this.channel.ask({ ask: "differ", file, level, with: other, seeds: this.count });
      if (file !== this.file || level !== this.index) return;
      this.compared = found.said;
      if (found.seeds) {
        this.otherSeed = found.seeds[1] === found.seeds[0] ? null : found.seeds[1];
        this.seed = found.seeds[0];
        await this.showLevel();
      }
      this.say(found.said);
      if (found.square) {
        this.found = new Set([squareAt(found.square[0], found.square[1])]);
        this.setCursor(squareAt(found.square[0], found.square[1]), true);
      }
      this.drawPanel();
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message), true);
    }
  }

  /**
   * Shows a statement of a port's account, and what it became.
   * @param {import("./channel.js").Accounted} entry
   */
  showAccounted(entry) {
    this.otherLine = entry.lines[0] ?? 0;
    if (entry.place) this.selectStatement(entry.place, true);
    else this.drawMarks();
  }

  /** @param {number} frame */
  setFrame(frame) {
    const story = this.story;
    if (!story) return;
    this.frame = Math.min(Math.max(frame, 0), story.frames.length);
    const numbers = [...story.start];
    story.frames.slice(0, this.frame).forEach((it) => it.changes.forEach(([square, cell]) => (numbers[square] = cell)));
    this.map.cells = this.tab === "Steps" ? numbers.map((number) => story.palette[number]) : null;
    const now = this.frame > 0 ? story.frames[this.frame - 1] : null;
    this.changed = new Set(now && this.frame < story.frames.length ? now.changes.map(([square]) => square) : []);
    const place = now && now.statement !== null ? story.statements[now.statement] : null;
    this.statement = null;
    if (place) this.source.mark(this.inSource(place) ? place : null, true);
    this.map.draw(this.look);
    this.drawMarks();
    this.drawPanel();
  }

  // The cursor, statements and squares.

  /** @param {Statement} place */
  inSource(place) {
    if (place.source !== this.source.source) {
      this.source.source = place.source;
      this.drawSource();
      byId("source-file").value = String(place.source);
    }
    return true;
  }

  /**
   * Names a statement: its line and its first words.
   * @param {Statement} place
   */
  placeText(place) {
    const source = this.sheet?.sources[place.source];
    const line = source?.text?.split("\n")[place.from[0] - 1] ?? "";
    const words = line.slice(place.from[1], place.from[0] === place.to[0] ? place.to[1] : undefined).trim();
    const file = place.source === 0 ? "" : `${source?.name}, `;
    return `${file}line ${place.from[0]}${words ? `: ${words.length > 60 ? `${words.slice(0, 59)}…` : words}` : ""}`;
  }

  /**
   * @param {Statement|null} statement
   * @param {boolean} scroll
   */
  selectStatement(statement, scroll) {
    this.statement = statement;
    if (statement) this.inSource(statement);
    this.source.mark(statement, scroll);
    if (this.heat === "statement") this.loadSpread();
    this.drawMarks();
  }

  /**
   * Moves the cursor, and says what is there.
   * @param {number} square
   * @param {boolean} speak
   */
  setCursor(square, speak) {
    this.cursor = square;
    this.drawMarks();
    if (this.tab === "Square") this.drawPanel();
    if (speak) {
      byId("spoken").textContent = square < 0 ? "" : this.squareText(square);
      const [left] = this.map.box(square);
      const scroll = /** @type {HTMLElement} */ (document.querySelector(".scroll"));
      if (left < scroll.scrollLeft || left > scroll.scrollLeft + scroll.clientWidth - 40) scroll.scrollLeft = left - scroll.clientWidth / 2;
    }
  }

  /** @param {number} square */
  squareText(square) {
    const level = this.level;
    if (!level) return "";
    const number = level.statement(square);
    const place = level.drawn.statements[number];
    return `Column ${columnOf(square)}, row ${rowOf(square)}: ${describe(level, square)}.${place ? ` Made by ${this.placeText(place)}.` : ""} ${this.chanceText(square)}`;
  }

  /**
   * Returns the chance of the topmost thing of a square.
   * @param {number} square
   */
  chanceText(square) {
    const { chances, level } = this;
    if (!chances || !level) return "";
    const cell = level.cell(square);
    const list = chancesAt(chances, unflipped(level.drawn.flip, square));
    const names = [...level.things(square).map((it) => it.things.what), cell.name];
    const known = list.find((it) => names.some((name) => name.includes(it.name))) ?? list.find((it) => it.kind === "terrain");
    return known ? `${known.name} here on ${percent(Math.min(known.share, 1))} of ${chances.levels} seeds.` : "";
  }

  /** @param {number} square */
  hover(square) {
    this.setCursor(square, false);
    const level = this.level;
    this.tip.hidden = square < 0 || !level || this.map.cells !== null;
    if (this.tip.hidden || !level) return;
    const place = level.drawn.statements[level.statement(square)];
    this.tip.replaceChildren(el("b", {}, describe(level, square)), el("span", { className: "muted" }, `${placeName(square)} · ${this.chanceText(square)}`),
      place ? el("div", { className: "from" }, this.placeText(place)) : el("div", { className: "from" }, "no statement"));
    const [left, top, width, height] = this.map.box(square);
    const stage = byId("stage").getBoundingClientRect();
    const map = byId("map").getBoundingClientRect();
    const x = map.left - stage.left + left + width + 8;
    const y = map.top - stage.top + top + height + 8;
    const over = x + this.tip.offsetWidth > stage.width ? x - this.tip.offsetWidth - width - 16 : x;
    this.tip.style.left = `${Math.max(over, 4)}px`;
    this.tip.style.top = `${y}px`;
  }

  /**
   * @param {number} square
   * @param {boolean} editor opens the editor too
   */
  jump(square, editor) {
    const level = this.level;
    if (!level) return;
    const place = level.drawn.statements[level.statement(square)] ?? null;
    if (!place) this.say("no statement made this square");
    this.selectStatement(place, true);
    // A map is long, so its letter is marked.
    const within = level.statement(square) === level.drawn.made[square] ? level.letter(square) : null;
    const letter = place && within ? this.source.letter(place, within) : null;
    if (letter) this.source.mark(letter, true);
    if (place && (editor || this.channel.jumps)) this.openEditor(letter ?? place);
  }

  /** @param {Statement} place */
  async openEditor(place) {
    if (!this.channel.live) return;
    try {
      const answer = await this.channel.ask({ ask: "open", file: this.file, source: place.source, at: place.from });
      this.say(answer.done);
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message), true);
    }
  }

  /**
   * Selects the statement at a place in the source.
   * @param {number} line
   * @param {number} column
   */
  pickLine(line, column) {
    const statements = this.level?.drawn.statements ?? [];
    const has = (/** @type {Statement} */ it) => it.source === this.source.source && it.from[0] <= line && it.to[0] >= line
      && (column === 0 || it.from[0] < line || it.from[1] <= column);
    const size = (/** @type {Statement} */ it) => (it.to[0] - it.from[0]) * 1000 + Math.abs(it.to[1] - it.from[1]);
    const found = statements.filter(has).sort((a, b) => size(a) - size(b))[0] ?? null;
    this.statement = found;
    if (found) this.source.mark(found, false);
    else this.source.unmark();
    this.source.line = line;
    if (this.heat === "statement") this.loadSpread();
    this.drawMarks();
  }

  /**
   * Follows the cursor of an editor.
   * @param {number} file
   * @param {number} source
   * @param {import("./channel.js").Position} at
   */
  cursorIn(file, source, at) {
    if (file !== this.file) return;
    this.inSource({ source, from: at, to: at });
    this.source.move(at[0]);
    this.pickLine(at[0], at[1]);
  }

  /** @param {Finding} finding */
  async showFinding(finding) {
    if (finding.seed !== null && !(this.channel.seeds && finding.seed > this.channel.seeds)) await this.setSeed(finding.seed);
    this.found = new Set(finding.square ? [squareAt(finding.square[0], finding.square[1])] : []);
    if (finding.square) this.cursor = squareAt(finding.square[0], finding.square[1]);
    this.selectStatement(finding.place, true);
    this.drawMarks();
  }

  // Changes of the source.

  /** @param {string} tool */
  setTool(tool) {
    this.tool = this.tool === tool ? "" : tool;
    this.moving = -1;
    this.stretched = new Set();
    this.drawPanel();
  }

  /**
   * @param {string} kind
   * @param {string} name
   */
  setAdding(kind, name) {
    const other = kind !== this.adding[0];
    this.adding = [kind, name];
    this.tool = "add";
    if (other) this.drawPanel();
  }

  /** @param {unknown} change */
  async edit(change) {
    try {
      const answer = await this.channel.ask({ ask: "edit", file: this.file, level: this.index, seed: this.seed, version: this.shown, change });
      this.say(answer.done);
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message), true);
    }
  }

  async undo() {
    try {
      this.say((await this.channel.ask({ ask: "undo" })).done);
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message), true);
    }
  }

  /**
   * Marks the region between two corners.
   * @param {number} from
   * @param {number} to
   */
  stretch(from, to) {
    this.stretched = new Set();
    const [x1, x2] = [columnOf(from), columnOf(to)].sort((a, b) => a - b);
    const [y1, y2] = [rowOf(from), rowOf(to)].sort((a, b) => a - b);
    for (let y = y1; y <= y2; y++) for (let x = x1; x <= x2; x++) this.stretched.add(squareAt(x, y));
    this.drawMarks();
  }

  /**
   * @param {number[]} squares
   */
  use(squares) {
    const place = (/** @type {number} */ square) => [columnOf(square), rowOf(square)];
    const last = squares[squares.length - 1];
    if (this.tool.startsWith("paint ")) {
      this.edit({ paint: { squares: [...new Set(squares)].map(place), letter: this.tool.slice(6) } });
    } else if (this.tool === "move") {
      if (squares.length > 1) {
        this.edit({ move: { from: place(squares[0]), to: place(last) } });
      } else if (this.moving < 0) {
        this.moving = last;
        this.say(`choose the new place of ${this.level ? describe(this.level, last) : ""}`);
      } else {
        this.edit({ move: { from: place(this.moving), to: place(last) } });
        this.moving = -1;
      }
    } else if (this.tool === "region") {
      if (squares.length > 1 || this.moving >= 0) {
        const from = squares.length > 1 ? squares[0] : this.moving;
        this.edit({ region: { from: place(from), to: place(last), ...this.region } });
        this.moving = -1;
        this.stretched = new Set();
        this.drawMarks();
      } else {
        this.moving = last;
        this.say("choose the opposite corner of the region");
      }
    } else if (this.tool === "add") {
      this.edit({ add: { kind: this.adding[0], name: this.adding[1], at: place(last) } });
    }
  }

  // Events.

  listen() {
    const { map } = this;
    map.onhover = (square) => this.hover(square);
    map.onclick = (square) => {
      this.setCursor(square, true);
      if (this.tool) this.use([square]);
      else this.jump(square, false);
    };
    map.ondouble = (square) => {
      if (!this.tool) this.jump(square, true);
    };
    map.onstroke = (squares) => {
      if (this.tool) this.use(squares);
      else this.jump(squares[squares.length - 1], false);
    };
    map.onstretch = (from, to) => {
      if (this.tool === "region") this.stretch(from, to);
    };
    this.otherMap.onhover = (square) => this.setCursor(square, false);
    this.otherMap.onclick = (square) => {
      this.swap();
      this.setCursor(square, true);
      this.showing.then(() => this.jump(square, false));
    };
    byId("map").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.mapKey(event));
    byId("map").addEventListener("focus", () => {
      if (this.cursor < 0 && this.level) {
        const [x1, y1, x2, y2] = this.level.bounds();
        this.setCursor(squareAt(Math.floor((x1 + x2) / 2), Math.floor((y1 + y2) / 2)), true);
      }
    });
    this.source.onpick = (line, column) => this.pickLine(line, column);
    byId("source").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") this.openEditor(this.statement ?? { source: this.source.source, from: [this.source.line, 0], to: [this.source.line, 0] });
    });
    byId("open").addEventListener("click", () => this.openEditor(this.statement ?? { source: this.source.source, from: [Math.max(this.source.line, 1), 0], to: [1, 0] }));
    byId("source-file").addEventListener("change", () => {
      this.source.source = Number(byId("source-file").value);
      this.drawSource();
    });
    byId("level").addEventListener("change", () => {
      const [file, index] = byId("level").value.split(" ").map(Number);
      this.choose(file, index);
    });
    byId("slider").addEventListener("input", () => this.setSeed(Number(byId("slider").value)));
    byId("seed").addEventListener("change", () => this.setSeed(Number(byId("seed").value)));
    byId("earlier").addEventListener("click", () => this.setSeed(this.seed - 1));
    byId("later").addEventListener("click", () => this.setSeed(this.seed + 1));
    byId("play").addEventListener("click", () => this.play());
    byId("tiles").addEventListener("click", () => this.toggleTiles());
    byId("crop").addEventListener("click", () => this.toggleFit());
    byId("theme").addEventListener("click", () => {
      this.setTheme(!this.look.dark);
      this.layout();
      this.drawPanel();
    });
    byId("help").addEventListener("click", () => byId("keys").showModal());
    for (const [name, text] of LAYERS) {
      const box = el("input", { type: "checkbox", id: `layer-${name}`, checked: this.look.layers[name], onchange: () => {
        this.look = { ...this.look, layers: { ...this.look.layers, [name]: box.checked } };
        this.layout();
      } });
      byId("layers").append(el("label", {}, box, text));
    }
    document.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.layout()).observe(/** @type {HTMLElement} */ (document.querySelector("main")));
  }

  toggleTiles() {
    this.look = { ...this.look, tiles: !this.look.tiles };
    byId("tiles").setAttribute("aria-pressed", String(this.look.tiles));
    this.layout();
  }

  toggleFit() {
    this.fit = !this.fit;
    byId("crop").setAttribute("aria-pressed", String(this.fit));
    this.layout();
  }

  play() {
    const button = byId("play");
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = 0;
    } else {
      this.playing = window.setInterval(() => {
        const last = this.channel.seeds || Number.MAX_SAFE_INTEGER;
        this.setSeed(this.seed >= last ? 1 : this.seed + 1);
      }, PLAY_MILLISECONDS);
    }
    button.setAttribute("aria-pressed", String(Boolean(this.playing)));
    button.textContent = this.playing ? "Stop" : "Play";
  }

  /** @param {KeyboardEvent} event */
  mapKey(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) {
      event.preventDefault();
      const far = event.shiftKey ? 8 : 1;
      const [x1, y1, x2, y2] = this.map.window;
      const x = Math.min(Math.max(columnOf(this.cursor) + step[0] * far, x1), x2);
      const y = Math.min(Math.max(rowOf(this.cursor) + step[1] * far, y1), y2);
      this.setCursor(squareAt(x, y), true);
      if (this.tool === "region" && this.moving >= 0) this.stretch(this.moving, this.cursor);
    } else if (event.key === "Enter" && this.cursor >= 0) {
      event.preventDefault();
      const again = this.statement && this.level?.drawn.statements[this.level.statement(this.cursor)] === this.statement;
      if (this.tool) this.use([this.cursor]);
      else this.jump(this.cursor, Boolean(again));
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=checkbox]), select, dialog")) return;
    /** @type {{[key: string]: () => void}} */
    const keys = {
      "[": () => this.setSeed(this.seed - 1),
      "]": () => this.setSeed(this.seed + 1),
      p: () => this.play(),
      t: () => this.toggleTiles(),
      c: () => this.toggleFit(),
      u: () => this.channel.live && this.undo(),
      "?": () => byId("keys").showModal(),
      ",": () => (this.tab === "Steps" ? this.setFrame(this.frame - 1) : this.setTab("Steps")),
      ".": () => (this.tab === "Steps" ? this.setFrame(this.frame + 1) : this.setTab("Steps")),
      Escape: () => {
        this.changed = new Set();
        this.found = new Set();
        this.tool = "";
        this.moving = -1;
        this.stretched = new Set();
        this.otherLine = 0;
        this.heat = "";
        this.selectStatement(null, false);
        this.drawPanel();
      },
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

/** @type {any} */ (globalThis).app = new App();
