// The channel between the page and splc: HTTP, the messages of an editor, or answers inside the page.

/**
 * @typedef {[number, number]} Position line from 1, column from 0
 * @typedef {{source: number, from: Position, to: Position}} Statement
 * @typedef {[string, number]} Sign symbol and number of its colour
 * @typedef {{terrain: string, flags: number, horizontal: boolean, lit: boolean, room: number|null, undiggable: boolean,
 *   impassable: boolean, ground: Sign, trap: Sign|null, object: Sign|null, monster: Sign|null, engraved: boolean,
 *   name: string}} Cell
 * @typedef {{place: [number, number]|null, statement: number|null, written: [number, number]|null}} Thing
 * @typedef {{subject: string, symbol: string, what: string, each: Thing[]}} Things
 * @typedef {{area: number[], kind: string, lit: boolean, irregular: boolean, doors: number, filling: string|null}} Room
 * @typedef {{name: string, within: number[], outside: number[]}} Area
 * @typedef {{area: number[], left_to_right: boolean, top_to_bottom: boolean}} Flip
 * @typedef {{message: string, statement: number|null, count?: number}} Said
 * @typedef {{name: string, game: string, seed: number, draws: number, failed: Said|null, palette: Cell[],
 *   squares: number[], made: number[], lit_by: number[], things: Things[], rooms: Room[], subrooms: Room[],
 *   stairs: {x: number, y: number, what: string}[], areas: Area[], flags: string[], messages: string[],
 *   remarks: Said[], flip: Flip|null, maps: [number, [number, number]][], statements: Statement[]}} Drawn
 * @typedef {{statement: number|null, draws: number, drawn: [number, number][], changes: [number, number][]}} Frame
 * @typedef {{seed: number, palette: Cell[], start: number[], frames: Frame[], cut: boolean,
 *   statements: Statement[]}} Story
 * @typedef {{kind: string, name: string, total: number, levels: number, fewest: number, most: number,
 *   squares: number[]}} ThingChance
 * @typedef {{levels: number, failed: number, terrain: {terrain: string, name: string, squares: number[]}[],
 *   lit: number[], things: ThingChance[], rooms: [number, number][], draws: [number, number, number]|null,
 *   ran: number[], statements: Statement[]}} Chances
 * @typedef {{levels: number, squares: number[]}} Spread
 * @typedef {{severity: string, code: string, message: string, notes: string[], help: string|null,
 *   place: Statement|null, seed: number|null, square: [number, number]|null}} Finding
 * @typedef {{name: string, kind: string, game: string, problem: string|null,
 *   levels: {name: string, line: number|null}[],
 *   dungeons: {name: string, levels: {name: string, depths: [number, number][]}[]}[],
 *   sources: {name: string, text: string|null}[], findings: Finding[], editable: boolean, decompiled: boolean,
 *   beside: number[], account: Accounted[]}} Sheet
 * @typedef {{version: number, splc: string, undo: boolean, files: Sheet[]}} Files
 * @typedef {{level: string, text: string, notes: string[], place: Statement|null, lines: number[]}} Accounted
 * @typedef {{said: string, seeds: [number, number]|null, square: [number, number]|null}} Compared
 * @typedef {{monsters: string[], objects: string[], traps: string[], rooms: string[]}} Names
 * @typedef {{ask: string, [key: string]: unknown}} Request
 * @typedef {{version: number}} News
 */

export class Channel {
  /** True if the page can change sources and open editors. */
  live = true;
  /** True if a click opens the source in the editor around the page. */
  jumps = false;
  /** Number of seeds in an exported page; 0 for any. */
  seeds = 0;

  /**
   * Asks splc.
   * @param {Request} _request
   * @returns {Promise<any>}
   */
  ask(_request) {
    return Promise.reject(new Error("no channel"));
  }

  /**
   * Calls back when files have changed, and when the connection is lost or comes back.
   * @param {(version: number) => void} _changed
   * @param {(state: "open"|"lost"|"ended") => void} _state
   * @param {(file: number, source: number, at: Position) => void} _cursor
   */
  listen(_changed, _state, _cursor) {}
}

/** Answers over HTTP, and news as server-sent events. */
class HttpChannel extends Channel {
  /** @param {Request} request */
  async ask(request) {
    const response = await fetch("/ask", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error((await response.text()).trim());
    const answer = await response.json();
    if (answer && typeof answer.error === "string") throw new Error(answer.error);
    return answer;
  }

  /**
   * @param {(version: number) => void} changed
   * @param {(state: "open"|"lost"|"ended") => void} state
   * @param {(file: number, source: number, at: Position) => void} cursor
   */
  listen(changed, state, cursor) {
    const events = new EventSource("/events");
    events.onopen = () => state("open");
    events.onmessage = (event) => changed(Number(event.data));
    events.onerror = () => state("lost");
    events.addEventListener("end", () => state("ended"));
    events.addEventListener("cursor", (event) => {
      const place = JSON.parse(/** @type {MessageEvent} */ (event).data);
      cursor(place.file, place.source, place.at);
    });
  }
}

/** The answers that an exported page contains. */
class StoredChannel extends Channel {
  /** @param {{seeds: number, answers: {[question: string]: any}}} data */
  constructor(data) {
    super();
    this.live = false;
    this.seeds = data.seeds;
    this.answers = data.answers;
  }

  /** @param {Request} request */
  async ask(request) {
    const answer = this.answers[JSON.stringify(request)];
    if (answer === undefined) throw new Error("this page does not contain that");
    if (answer && typeof answer.error === "string") throw new Error(answer.error);
    return answer;
  }
}

/** The messages of an editor. */
class EditorChannel extends Channel {
  /** @param {{postMessage: (message: unknown) => void}} host */
  constructor(host) {
    super();
    this.jumps = true;
    this.host = host;
    this.next = 1;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
  }

  /** @param {Request} request */
  ask(request) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.host.postMessage({ id, request });
    });
  }

  /**
   * @param {(version: number) => void} changed
   * @param {(state: "open"|"lost"|"ended") => void} state
   * @param {(file: number, source: number, at: Position) => void} cursor
   */
  listen(changed, state, cursor) {
    window.addEventListener("message", (event) => {
      const message = event.data;
      if (message.id !== undefined) {
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.answer && typeof message.answer.error === "string") {
          waiting?.reject(new Error(message.answer.error));
        } else {
          waiting?.resolve(message.answer);
        }
      } else if (message.version !== undefined) {
        changed(message.version);
      } else if (message.cursor) {
        cursor(message.cursor.file, message.cursor.source, message.cursor.at);
      }
    });
    state("open");
    this.host.postMessage({ ready: true });
  }
}

/** @returns {Channel} */
export function channel() {
  const data = document.getElementById("data");
  if (data) return new StoredChannel(JSON.parse(data.textContent || "{}"));
  const editor = /** @type {any} */ (globalThis).acquireVsCodeApi;
  return editor ? new EditorChannel(editor()) : new HttpChannel();
}
