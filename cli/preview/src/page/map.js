// A map on two canvases: the squares, and above them marks that follow the pointer.
import { columnOf, COLUMNS, rowOf, ROWS, squareAt, SQUARES } from "./level.js";
import { drawCell, groundColors, isOpen, isSolid } from "./tiles.js";

/**
 * @typedef {import("./level.js").Level} Level
 * @typedef {import("./tiles.js").Look} Look
 * @typedef {{selected: Set<number>, changed: Set<number>, heat: {counts: Map<number, number>, most: number}|null,
 *   findings: Set<number>}} Marks
 */

// Colours of a heat map from rare to frequent, in rising lightness (viridis), readable by everyone.
const HEAT = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/**
 * @param {number} share 0 to 1
 * @param {number} alpha
 */
export function heatColor(share, alpha) {
  const place = Math.min(Math.max(share, 0), 1) * (HEAT.length - 1);
  const below = Math.min(Math.floor(place), HEAT.length - 2);
  const rest = place - below;
  const mixed = HEAT[below].map((value, at) => Math.round(value * (1 - rest) + HEAT[below + 1][at] * rest));
  return `rgba(${mixed.join(",")},${alpha})`;
}

/** @returns {Marks} */
export const noMarks = () => ({ selected: new Set(), changed: new Set(), heat: null, findings: new Set() });

export class MapView {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.base = document.createElement("canvas");
    this.over = document.createElement("canvas");
    for (const canvas of [this.base, this.over]) {
      canvas.setAttribute("aria-hidden", "true");
      element.append(canvas);
    }
    /** @type {Level|null} */
    this.level = null;
    /** The appearance of each square, if not that of the level. @type {import("./channel.js").Cell[]|null} */
    this.cells = null;
    /** @type {Marks} */
    this.marks = noMarks();
    this.cursor = -1;
    /** The part of the map that is shown: x1, y1, x2, y2. */
    this.window = [1, 0, COLUMNS, ROWS - 1];
    this.cell = [16, 16];
    this.ruler = [30, 18];
    this.scale = 1;
    /** @type {(square: number) => void} */
    this.onhover = () => {};
    /** @type {(square: number) => void} */
    this.onclick = () => {};
    /** @type {(square: number) => void} */
    this.ondouble = () => {};
    /** @type {(squares: number[]) => void} */
    this.onstroke = () => {};
    /** @type {(from: number, to: number) => void} */
    this.onstretch = () => {};
    this.listenToPointer();
  }

  listenToPointer() {
    /** @type {number[]|null} */
    let stroke = null;
    const square = (/** @type {MouseEvent} */ event) => {
      const box = this.over.getBoundingClientRect();
      const x = Math.floor((event.clientX - box.left - this.ruler[0]) / this.cell[0]) + this.window[0];
      const y = Math.floor((event.clientY - box.top - this.ruler[1]) / this.cell[1]) + this.window[1];
      const inside = x >= this.window[0] && x <= this.window[2] && y >= this.window[1] && y <= this.window[3];
      return inside ? squareAt(x, y) : -1;
    };
    this.over.addEventListener("pointermove", (event) => {
      const at = square(event);
      if (stroke && at >= 0 && stroke[stroke.length - 1] !== at) {
        stroke.push(at);
        this.onstretch(stroke[0], at);
      }
      if (at !== this.cursor) this.onhover(at);
    });
    this.over.addEventListener("pointerleave", () => this.onhover(-1));
    this.over.addEventListener("pointerdown", (event) => {
      const at = square(event);
      stroke = at >= 0 ? [at] : null;
    });
    this.over.addEventListener("dblclick", (event) => square(event) >= 0 && this.ondouble(square(event)));
    this.over.addEventListener("pointerup", (event) => {
      const squares = stroke;
      stroke = null;
      if (squares && squares.length > 1) this.onstroke(squares);
      else if (squares && square(event) >= 0) this.onclick(squares[0]);
    });
  }

  /**
   * Chooses the size of squares for a width, and draws everything.
   * @param {Look} look
   * @param {number} width available width, in CSS pixels
   */
  layout(look, width) {
    const [x1, y1, x2, y2] = this.window;
    const [columns, rows] = [x2 - x1 + 1, y2 - y1 + 1];
    const ratio = look.tiles ? 1 : 1.75;
    const least = look.tiles ? 11 : 7;
    const most = look.tiles ? 34 : 15;
    const across = Math.min(Math.max(Math.floor((width - this.ruler[0] - 8) / columns), least), most);
    this.cell = [across, Math.round(across * ratio)];
    this.scale = Math.max(window.devicePixelRatio || 1, 1);
    const size = [this.ruler[0] + across * columns + 8, this.ruler[1] + this.cell[1] * rows + 8];
    this.element.style.width = `${size[0]}px`;
    this.element.style.height = `${size[1]}px`;
    for (const canvas of [this.base, this.over]) {
      canvas.width = Math.round(size[0] * this.scale);
      canvas.height = Math.round(size[1] * this.scale);
      canvas.style.width = `${size[0]}px`;
      canvas.style.height = `${size[1]}px`;
    }
    this.draw(look);
  }

  /** @param {number} square */
  isShown(square) {
    const [x, y] = [columnOf(square), rowOf(square)];
    return square >= 0 && x >= this.window[0] && x <= this.window[2] && y >= this.window[1] && y <= this.window[3];
  }

  /**
   * @param {number} square
   * @returns {import("./channel.js").Cell|null}
   */
  cellAt(square) {
    if (square < 0 || !this.level) return null;
    return this.cells ? this.cells[square] : this.level.cell(square);
  }

  /**
   * Returns the open squares whose floor continues in the corners of a wall.
   * @param {number} square
   */
  corners(square) {
    const [x, y] = [columnOf(square), rowOf(square)];
    return [[1, -1], [1, 1], [-1, 1], [-1, -1]].map(([dx, dy]) => {
      const near = [squareAt(x, y + dy), squareAt(x + dx, y), squareAt(x + dx, y + dy)];
      return near.map((at) => this.cellAt(at)).find(isOpen) ?? null;
    });
  }

  /**
   * Returns the box of a square in CSS pixels: left, top, width, height.
   * @param {number} square
   */
  box(square) {
    return [this.ruler[0] + (columnOf(square) - this.window[0]) * this.cell[0],
      this.ruler[1] + (rowOf(square) - this.window[1]) * this.cell[1], this.cell[0], this.cell[1]];
  }

  /** @param {Look} look */
  draw(look) {
    const context = this.base.getContext("2d");
    if (!context) return;
    const colors = groundColors(look.dark);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colors.stone;
    context.fillRect(0, 0, this.base.width, this.base.height);
    this.drawRulers(context, look);
    const level = this.level;
    if (level) {
      // Tiles are drawn in device pixels.
      context.setTransform(1, 0, 0, 1, 0, 0);
      for (let square = 0; square < SQUARES; square++) {
        if (!this.isShown(square)) continue;
        const cell = this.cellAt(square);
        if (!cell) continue;
        const [left, top, width, height] = this.box(square);
        // Edges on whole device pixels leave no gaps at any zoom.
        const [x, y] = [Math.round(left * this.scale), Math.round(top * this.scale)];
        const [x2, y2] = [Math.round((left + width) * this.scale), Math.round((top + height) * this.scale)];
        drawCell(context, cell, x, y, x2 - x, y2 - y, look, isSolid(cell) ? this.corners(square) : []);
      }
      context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
      if (look.layers.protection) this.drawProtection(context, level, look);
      if (look.layers.arrivals) this.drawAreas(context, level, look);
      if (look.layers.rooms) this.drawRooms(context, level, look);
    }
    this.drawMarks(look);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Look} look
   */
  drawRulers(context, look) {
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.fillStyle = look.dark ? "#9aa0b4" : "#5c5848";
    context.font = "10px ui-monospace, monospace";
    context.textBaseline = "middle";
    context.textAlign = "center";
    const [x1, y1, x2, y2] = this.window;
    for (let x = x1; x <= x2; x++) {
      if (x % 10 !== 0 && !(x % 5 === 0 && this.cell[0] >= 14)) continue;
      context.fillText(String(x), this.ruler[0] + (x - x1 + 0.5) * this.cell[0], this.ruler[1] / 2 + 1);
    }
    context.textAlign = "right";
    for (let y = y1; y <= y2; y++) {
      context.fillText(String(y), this.ruler[0] - 6, this.ruler[1] + (y - y1 + 0.5) * this.cell[1]);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Level} level
   * @param {Look} look
   */
  drawProtection(context, level, look) {
    for (let square = 0; square < SQUARES; square++) {
      const cell = level.cell(square);
      if (!this.isShown(square) || !(cell.undiggable || cell.impassable)) continue;
      const [x, y, w, h] = this.box(square);
      context.strokeStyle = look.dark ? "#ff9f4a" : "#b04a00";
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x + 1, y + h - 1);
      context.lineTo(x + w - 1, y + 1);
      if (cell.impassable) {
        context.moveTo(x + 1, y + 1);
        context.lineTo(x + w - 1, y + h - 1);
      }
      context.stroke();
    }
  }

  /**
   * @param {number[]} area x1, y1, x2, y2
   * @returns {[number, number, number, number]}
   */
  areaBox([x1, y1, x2, y2]) {
    const left = this.ruler[0] + (Math.max(x1, this.window[0]) - this.window[0]) * this.cell[0];
    const top = this.ruler[1] + (Math.max(y1, this.window[1]) - this.window[1]) * this.cell[1];
    const right = this.ruler[0] + (Math.min(x2, this.window[2]) - this.window[0] + 1) * this.cell[0];
    const bottom = this.ruler[1] + (Math.min(y2, this.window[3]) - this.window[1] + 1) * this.cell[1];
    return [left, top, right - left, bottom - top];
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {Look} look
   */
  label(context, text, x, y, look) {
    context.font = "600 11px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "top";
    const width = context.measureText(text).width;
    context.fillStyle = look.dark ? "#000c" : "#fffd";
    context.fillRect(x, y, width + 6, 14);
    context.fillStyle = look.dark ? "#ffffff" : "#1d1f24";
    context.fillText(text, x + 3, y + 1);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Level} level
   * @param {Look} look
   */
  drawAreas(context, level, look) {
    for (const area of level.drawn.areas) {
      const [x, y, w, h] = this.areaBox(area.within);
      if (w <= 0 || h <= 0) continue;
      context.setLineDash([5, 4]);
      context.lineWidth = 2;
      context.strokeStyle = look.dark ? "#56b4e9" : "#0072b2";
      context.strokeRect(x + 1, y + 1, w - 2, h - 2);
      context.setLineDash([]);
      this.label(context, area.name, x + 3, y + 3, look);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Level} level
   * @param {Look} look
   */
  drawRooms(context, level, look) {
    for (const room of [...level.drawn.rooms, ...level.drawn.subrooms]) {
      const [x, y, w] = this.areaBox(room.area);
      if (w > 0 && room.kind !== "ordinary") this.label(context, room.kind, x + 2, y + 1, look);
    }
  }

  /** @param {Look} look */
  drawMarks(look) {
    const context = this.over.getContext("2d");
    if (!context) return;
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.clearRect(0, 0, this.over.width, this.over.height);
    const { selected, changed, heat, findings } = this.marks;
    if (heat) {
      for (const [square, count] of heat.counts) {
        if (!this.isShown(square)) continue;
        const [x, y, w, h] = this.box(square);
        context.fillStyle = heatColor(count / heat.most, 0.82);
        context.fillRect(x, y, w, h);
      }
    }
    const accent = look.dark ? "#ffc562" : "#8a4b00";
    context.lineWidth = 2;
    for (const square of selected) {
      if (!this.isShown(square)) continue;
      const [x, y, w, h] = this.box(square);
      context.fillStyle = look.dark ? "#ffc56233" : "#d98a0033";
      context.fillRect(x, y, w, h);
      this.outline(context, square, selected, accent);
    }
    for (const square of changed) {
      if (this.isShown(square)) this.outline(context, square, changed, look.dark ? "#ff7ce5" : "#b01fa6");
    }
    for (const square of findings) {
      if (!this.isShown(square)) continue;
      const [x, y, w, h] = this.box(square);
      context.strokeStyle = look.dark ? "#ff8a7d" : "#a3160d";
      context.beginPath();
      context.arc(x + w / 2, y + h / 2, Math.max(w, h) * 0.7, 0, Math.PI * 2);
      context.stroke();
    }
    if (this.isShown(this.cursor)) {
      const [x, y, w, h] = this.box(this.cursor);
      context.strokeStyle = look.dark ? "#ffffff" : "#000000";
      context.lineWidth = 2;
      context.strokeRect(x - 1, y - 1, w + 2, h + 2);
    }
  }

  /**
   * Draws the edges of a square that its set does not share.
   * @param {CanvasRenderingContext2D} context
   * @param {number} square
   * @param {Set<number>} set
   * @param {string} color
   */
  outline(context, square, set, color) {
    const [x, y, w, h] = this.box(square);
    const [column, row] = [columnOf(square), rowOf(square)];
    context.strokeStyle = color;
    context.beginPath();
    const edges = [[0, -1, x, y, x + w, y], [1, 0, x + w, y, x + w, y + h], [0, 1, x, y + h, x + w, y + h],
      [-1, 0, x, y, x, y + h]];
    for (const [dx, dy, fromX, fromY, toX, toY] of edges) {
      if (set.has(squareAt(column + dx, row + dy))) continue;
      context.moveTo(fromX, fromY);
      context.lineTo(toX, toY);
    }
    context.stroke();
  }
}
