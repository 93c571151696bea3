// A finished level with answers about its squares. Squares are numbered row by row from column 1.

/**
 * @typedef {import("./channel.js").Drawn} Drawn
 * @typedef {import("./channel.js").Cell} Cell
 * @typedef {import("./channel.js").Flip} Flip
 * @typedef {import("./channel.js").Thing} Thing
 * @typedef {import("./channel.js").Things} Things
 */

export const COLUMNS = 79;
export const ROWS = 21;
export const SQUARES = COLUMNS * ROWS;

/**
 * @param {number} x
 * @param {number} y
 */
export const squareAt = (x, y) => (x >= 1 && x <= COLUMNS && y >= 0 && y < ROWS ? y * COLUMNS + x - 1 : -1);
/** @param {number} square */
export const columnOf = (square) => (square % COLUMNS) + 1;
/** @param {number} square */
export const rowOf = (square) => Math.floor(square / COLUMNS);

/**
 * Returns the square before a flip; a flip is its own inverse.
 * @param {Flip|null} flip
 * @param {number} square
 */
export function unflipped(flip, square) {
  if (!flip) return square;
  const [x1, y1, x2, y2] = flip.area;
  let x = columnOf(square);
  let y = rowOf(square);
  if (flip.left_to_right && x >= x1 && x <= x2) x = x2 - x + x1;
  if (flip.top_to_bottom && y >= y1 && y <= y2) y = y2 - y + y1;
  return squareAt(x, y);
}

export class Level {
  /** @param {Drawn} drawn */
  constructor(drawn) {
    this.drawn = drawn;
    /** @type {Map<number, {things: Things, thing: Thing}[]>} */
    this.there = new Map();
    for (const things of drawn.things) {
      for (const thing of things.each) {
        if (!thing.place) continue;
        const square = squareAt(thing.place[0], thing.place[1]);
        const list = this.there.get(square) ?? [];
        list.push({ things, thing });
        this.there.set(square, list);
      }
    }
  }

  /**
   * @param {number} square
   * @returns {Cell}
   */
  cell(square) {
    return this.drawn.palette[this.drawn.squares[square]];
  }

  /**
   * Returns the things on a square, the topmost first.
   * @param {number} square
   */
  things(square) {
    const order = ["monsters", "objects", "traps", "engravings", "features"];
    const list = this.there.get(square) ?? [];
    return [...list].sort((a, b) => order.indexOf(a.things.subject) - order.indexOf(b.things.subject));
  }

  /**
   * Returns the statement that a click on a square means: that of its topmost thing, or of the square itself.
   * @param {number} square
   */
  statement(square) {
    for (const { thing } of this.things(square)) {
      if (thing.statement !== null) return thing.statement;
    }
    return this.drawn.made[square];
  }

  /**
   * Returns the row and column of the letter of a map that made a square.
   * @param {number} square
   * @returns {[number, number]|null}
   */
  letter(square) {
    const maps = this.drawn.maps.filter(([statement]) => statement === this.drawn.made[square]);
    if (maps.length !== 1) return null;
    const before = unflipped(this.drawn.flip, square);
    return before < 0 ? null : [rowOf(before) - maps[0][1][1], columnOf(before) - maps[0][1][0]];
  }

  /**
   * Returns the squares that a statement made or filled.
   * @param {number} statement
   */
  squaresOf(statement) {
    const squares = new Set();
    this.drawn.made.forEach((made, square) => made === statement && squares.add(square));
    this.drawn.lit_by.forEach((made, square) => made === statement && squares.add(square));
    for (const [square, list] of this.there) {
      if (list.some(({ thing }) => thing.statement === statement)) squares.add(square);
    }
    for (const room of this.rooms(statement)) {
      for (let y = room[1]; y <= room[3]; y++) {
        for (let x = room[0]; x <= room[2]; x++) squares.add(squareAt(x, y));
      }
    }
    return squares;
  }

  /**
   * Returns the areas of the rooms of a statement.
   * @param {number} statement
   */
  rooms(statement) {
    const rooms = [];
    let at = 0;
    const all = [...this.drawn.rooms, ...this.drawn.subrooms];
    for (const things of this.drawn.things.filter((it) => it.subject === "rooms")) {
      for (const thing of things.each) {
        if (thing.statement === statement && all[at]) rooms.push(all[at].area);
        at += 1;
      }
    }
    return rooms;
  }

  /** Returns the smallest rectangle with everything on the level: x1, y1, x2, y2. */
  bounds() {
    let [x1, y1, x2, y2] = [COLUMNS, ROWS - 1, 1, 0];
    this.drawn.squares.forEach((number, square) => {
      const cell = this.drawn.palette[number];
      if (cell.terrain === "stone" && !cell.monster && !cell.object && !cell.trap) return;
      x1 = Math.min(x1, columnOf(square));
      x2 = Math.max(x2, columnOf(square));
      y1 = Math.min(y1, rowOf(square));
      y2 = Math.max(y2, rowOf(square));
    });
    return x1 > x2 ? [1, 0, COLUMNS, ROWS - 1] : [x1, y1, x2, y2];
  }

  /** Returns the map as the game draws it, as lines of text. */
  text() {
    const lines = [];
    for (let y = 0; y < ROWS; y++) {
      let line = "";
      for (let x = 1; x <= COLUMNS; x++) line += top(this.cell(squareAt(x, y)))[0];
      lines.push(line.trimEnd());
    }
    return lines;
  }
}

/**
 * Returns the topmost sign of a cell.
 * @param {Cell} cell
 */
export function top(cell) {
  return cell.monster ?? cell.object ?? cell.trap ?? cell.ground;
}
