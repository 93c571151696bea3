// The source next to the map: lines with numbers, and marks of a statement.

/** @typedef {import("./channel.js").Statement} Statement */

const MAX_LINES = 20000;
/** Lines of a part of the source. The browser lays out only the parts in view. */
const PART = 50;

/**
 * Splits a line into parts of one kind each.
 * @param {string} text
 * @param {boolean} script
 * @returns {[string, string][]}
 */
function partsOf(text, script) {
  const pattern = script
    ? /(--.*$)|("[^"]*"|'[^']*')|\b(local|function|end|if|then|else|elseif|for|do|while|return|nil|true|false|des)\b|(\b\d+\b)/g
    : /(^\s*#.*$|#[^'"]*$)|("[^"]*"|'.')|(\$?\b[A-Z_]{2,}\b)|(\b\d+(?:d\d+)?\b)/g;
  const kinds = ["comment", "string", "word", "digit"];
  /** @type {[string, string][]} */
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)];
    if (match.index > last) parts.push(["", text.slice(last, match.index)]);
    parts.push([kind, match[0]]);
    last = match.index + match[0].length;
  }
  if (last < text.length) parts.push(["", text.slice(last)]);
  return parts;
}

export class SourceView {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.source = 0;
    /** @type {string[]} */
    this.lines = [];
    /** @type {HTMLElement[]} */
    this.rows = [];
    this.script = false;
    this.line = 0;
    /** @type {HTMLElement[]} */
    this.marked = [];
    /** @type {(line: number, column: number) => void} */
    this.onpick = () => {};
    element.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest(".line");
      if (!(row instanceof HTMLElement)) return;
      this.move(Number(row.dataset.line));
      this.onpick(this.line, 0);
    });
    element.addEventListener("keydown", (event) => {
      const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -15, PageDown: 15, Home: -1e9, End: 1e9 };
      const step = steps[/** @type {keyof typeof steps} */ (event.key)];
      if (step === undefined) return;
      event.preventDefault();
      this.move(Math.min(Math.max(this.line + step, 1), this.lines.length));
      this.onpick(this.line, 0);
    });
  }

  /**
   * Shows a text. Lines that did not change keep their elements.
   * @param {number} source
   * @param {string} name
   * @param {string|null} text
   */
  show(source, name, text) {
    this.source = source;
    this.script = name.endsWith(".lua");
    const lines = text === null ? ["(this source is not text)"] : text.replace(/\r\n/g, "\n").split("\n").slice(0, MAX_LINES);
    this.unmark();
    lines.forEach((line, at) => {
      if (this.rows[at] && this.lines[at] === line) return;
      const row = this.rows[at] ?? document.createElement("div");
      if (!this.rows[at]) {
        row.className = "line";
        row.dataset.line = String(at + 1);
        row.id = `line-${at + 1}`;
        row.setAttribute("role", "option");
        row.setAttribute("aria-selected", "false");
        if (this.rows.length % PART === 0) {
          const part = document.createElement("div");
          part.className = "part";
          part.setAttribute("role", "presentation");
          this.element.append(part);
        }
        this.rows.push(row);
        this.element.lastElementChild?.append(row);
      }
      this.fill(row, at + 1, line, null);
    });
    for (const row of this.rows.splice(lines.length)) {
      if (row.previousElementSibling) row.remove();
      else row.parentElement?.remove();
    }
    this.lines = lines;
  }

  /**
   * @param {HTMLElement} row
   * @param {number} number
   * @param {string} line
   * @param {[number, number]|null} range
   */
  fill(row, number, line, range) {
    const label = document.createElement("span");
    label.className = "number";
    label.textContent = String(number);
    const code = document.createElement("span");
    const append = (/** @type {Element} */ parent, /** @type {string} */ text) => {
      for (const [kind, part] of partsOf(text, this.script)) {
        const span = document.createElement("span");
        if (kind) span.className = kind;
        span.textContent = part;
        parent.append(span);
      }
    };
    if (range && range[1] > range[0]) {
      append(code, line.slice(0, range[0]));
      const mark = document.createElement("mark");
      append(mark, line.slice(range[0], range[1]));
      code.append(mark);
      append(code, line.slice(range[1]));
    } else {
      append(code, line || " ");
    }
    row.replaceChildren(label, code);
  }

  unmark() {
    for (const row of this.marked) {
      const number = Number(row.dataset.line);
      row.setAttribute("aria-selected", "false");
      row.classList.remove("here");
      if (this.lines[number - 1] !== undefined) this.fill(row, number, this.lines[number - 1], null);
    }
    this.marked = [];
  }

  /**
   * Returns the letter of the map in a statement.
   * @param {Statement} statement
   * @param {[number, number]} letter row and column
   * @returns {Statement|null}
   */
  letter(statement, [row, column]) {
    const has = (/** @type {string} */ line) => (this.script ? line.includes("[[") : line.trim() === "MAP");
    const start = this.lines.findIndex((line, at) => at >= statement.from[0] - 1 && has(line));
    const line = start + 2 + row;
    if (start < 0 || row < 0 || column < 0 || column >= (this.lines[line - 1] ?? "").length) return null;
    return { source: statement.source, from: [line, column], to: [line, column + 1] };
  }

  /**
   * Marks a statement, and scrolls to it.
   * @param {Statement|null} statement
   * @param {boolean} scroll
   */
  mark(statement, scroll) {
    this.unmark();
    if (!statement || statement.source !== this.source) return;
    const [first, last] = [statement.from[0], statement.to[0]];
    // A block is marked by its first line, a map as a whole.
    const end = this.lines[first - 1]?.trimEnd().endsWith("{") ? first : last;
    for (let number = first; number <= end && number <= this.lines.length; number++) {
      const row = this.rows[number - 1];
      const line = this.lines[number - 1];
      const from = number === first ? statement.from[1] : 0;
      const to = number === last ? statement.to[1] : line.length;
      row.classList.add("here");
      row.setAttribute("aria-selected", "true");
      this.fill(row, number, line, [from, to]);
      this.marked.push(row);
    }
    this.line = first;
    this.element.setAttribute("aria-activedescendant", `line-${first}`);
    if (scroll) this.reveal(first);
  }

  /** @param {number} line */
  reveal(line) {
    const row = this.rows[line - 1];
    if (!row) return;
    const { scrollTop, clientHeight } = this.element;
    const top = row.getBoundingClientRect().top - this.element.getBoundingClientRect().top + scrollTop;
    if (top < scrollTop + 20 || top > scrollTop + clientHeight - 40) {
      this.element.scrollTop = Math.max(top - clientHeight / 3, 0);
    }
  }

  /** @param {number} line */
  move(line) {
    if (line < 1) return;
    this.line = line;
    this.reveal(line);
    this.element.setAttribute("aria-activedescendant", `line-${line}`);
  }

  /** @param {Set<number>} lines */
  flag(lines) {
    this.rows.forEach((row, at) => row.classList.toggle("finding", lines.has(at + 1)));
  }
}
