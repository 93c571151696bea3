// Drawing of squares: tiles of our own, or the letters of the game.

/**
 * @typedef {import("./channel.js").Cell} Cell
 * @typedef {{dark: boolean, tiles: boolean, layers: Layers}} Look
 * @typedef {{terrain: boolean, light: boolean, doors: boolean, traps: boolean, objects: boolean, monsters: boolean,
 *   rooms: boolean, protection: boolean, arrivals: boolean}} Layers
 */

// The 15 colours of the games, readable on the ground of each theme.
const DARK_SIGNS = ["#8b93c9", "#f0736a", "#5fc46f", "#cf9a5b", "#7ba2ff", "#d884dd", "#4cc7d6", "#c9ccd4", "#ff9f4a",
  "#8cf08c", "#ffe066", "#a9c4ff", "#ff9df5", "#8cf2f7", "#ffffff"];
const LIGHT_SIGNS = ["#33363f", "#b3261e", "#1b6e2c", "#7a4a12", "#1f4fbf", "#8a2391", "#0b6a78", "#54575f", "#b04a00",
  "#1f7a1f", "#7d6000", "#2f5fd0", "#b01fa6", "#08707a", "#1d1f24"];

// Colours of the ground: stone, floor lit and unlit, wall and its edge, and so on.
const DARK = { stone: "#12141b", floor: "#2b2f3a", dim: "#1f222b", wall: "#9aa3b8", edge: "#5d6579", corridor: "#3a3f4d",
  door: "#c98b4a", water: "#1d4f8c", wave: "#5a9be0", lava: "#a8360f", flame: "#ffb13d", ice: "#9cc9dd", glint: "#e8f7ff",
  tree: "#3f8f4a", trunk: "#7b5a35", bars: "#7fb2bd", metal: "#b7bfcc", gold: "#f2c14e", air: "#33506b", cloud: "#6c7480",
  bog: "#4a5230", grave: "#8b90a0", paper: "#e8e2cf", shadow: "#00000066", secret: "#f2a6ff", token: "#0c0e13" };
const LIGHT = { stone: "#e4ded0", floor: "#fffdf6", dim: "#f0eadc", wall: "#4a4f5c", edge: "#7d8494", corridor: "#cfc6b1",
  door: "#9a5b1c", water: "#a9cff2", wave: "#2d6fb8", lava: "#f08a55", flame: "#9c2a00", ice: "#d8f0fa", glint: "#6fa9c4",
  tree: "#4f9a58", trunk: "#6f4d28", bars: "#3f7480", metal: "#5f6775", gold: "#b98500", air: "#d3e8f7", cloud: "#c3c7cd",
  bog: "#b9bf90", grave: "#8b90a0", paper: "#fffdf2", shadow: "#00000022", secret: "#9b2fae", token: "#ffffff" };

/**
 * The colours of terrain that covers the floor.
 * @type {Record<string, keyof typeof DARK>}
 */
const COVERS = { pool: "water", moat: "water", water: "water", lavapool: "lava", lavawall: "lava", ice: "ice", bog: "bog", air: "air", cloud: "air" };

// Tints of rooms: hues far from each other, also for colour-blind people.
const ROOM_TINTS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00"];

/**
 * Returns the colour of a sign.
 * @param {number} color
 * @param {boolean} dark
 */
export const signColor = (color, dark) => (dark ? DARK_SIGNS : LIGHT_SIGNS)[color] ?? "#888888";

/** @param {boolean} dark */
export const groundColors = (dark) => (dark ? DARK : LIGHT);

// The directions in which each shape of wall continues: north, east, south, west.
/** @type {{[terrain: string]: string}} */
const ARMS = { vwall: "ns", hwall: "ew", tlcorner: "es", trcorner: "sw", blcorner: "ne", brcorner: "nw",
  crosswall: "nesw", tuwall: "new", tdwall: "esw", tlwall: "nsw", trwall: "nes", dbwall: "ns", icewall: "nesw",
  crystalicewall: "nesw" };

/** @type {Map<string, HTMLCanvasElement>} */
const cache = new Map();
const MAX_CACHED = 4000;

/**
 * Draws a square.
 * @param {CanvasRenderingContext2D} context
 * @param {Cell} cell
 * @param {number} x left, in device pixels
 * @param {number} y top, in device pixels
 * @param {number} width
 * @param {number} height
 * @param {Look} look
 * @param {(Cell|null)[]} corners the open squares that a wall's corners belong to: north-east, south-east, south-west,
 *   north-west
 */
export function drawCell(context, cell, x, y, width, height, look, corners = []) {
  const near = look.tiles && corners.some(Boolean) ? corners.map((it) => (it ? `${it.terrain}${it.lit}${it.room}` : "")).join() : "";
  const key = `${width},${height},${JSON.stringify(look)},${JSON.stringify(cell)},${near}`;
  let tile = cache.get(key);
  if (!tile) {
    tile = document.createElement("canvas");
    tile.width = width;
    tile.height = height;
    const own = tile.getContext("2d");
    if (!own) return;
    if (look.tiles) {
      own.scale(width / 16, height / 16);
      drawTile(own, cell, look, corners);
    } else {
      drawLetter(own, cell, width, height, look);
    }
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, tile);
  }
  context.drawImage(tile, x, y);
}

/**
 * Returns the visible layers of a cell.
 * @param {Cell} cell
 * @param {Layers} layers
 */
function visibleLayers(cell, layers) {
  return {
    monster: layers.monsters ? cell.monster : null,
    object: layers.objects ? cell.object : null,
    trap: layers.traps ? cell.trap : null,
  };
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} cell
 * @param {number} width
 * @param {number} height
 * @param {Look} look
 */
function drawLetter(c, cell, width, height, look) {
  const colors = groundColors(look.dark);
  const { monster, object, trap } = visibleLayers(cell, look.layers);
  const rock = cell.terrain === "stone";
  c.fillStyle = rock ? colors.stone : look.layers.light && cell.lit ? colors.floor : colors.dim;
  c.fillRect(0, 0, width, height);
  tintRoom(c, cell, width, height, look);
  const sign = monster ?? object ?? trap ?? (look.layers.terrain ? cell.ground : null);
  if (!sign) return;
  c.fillStyle = signColor(sign[1], look.dark);
  c.font = `600 ${Math.round(height * 0.82)}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(sign[0], width / 2, height * 0.54);
  if (trap && sign !== trap) {
    c.fillStyle = signColor(trap[1], look.dark);
    c.beginPath();
    c.moveTo(width, 0);
    c.lineTo(width, height * 0.35);
    c.lineTo(width - height * 0.35, 0);
    c.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} cell
 * @param {number} width
 * @param {number} height
 * @param {Look} look
 */
function tintRoom(c, cell, width, height, look) {
  if (!look.layers.rooms || cell.room === null || ARMS[cell.terrain]) return;
  c.globalAlpha = look.dark ? 0.16 : 0.2;
  c.fillStyle = ROOM_TINTS[cell.room % ROOM_TINTS.length];
  c.fillRect(0, 0, width, height);
  c.globalAlpha = 1;
}

/**
 * Draws a tile of 16 by 16 units.
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} cell
 * @param {Look} look
 * @param {(Cell|null)[]} corners
 */
function drawTile(c, cell, look, corners) {
  const colors = groundColors(look.dark);
  c.lineCap = "round";
  c.lineJoin = "round";
  c.fillStyle = colors.stone;
  c.fillRect(0, 0, 16, 16);
  corners.forEach((open, at) => open && look.layers.terrain && drawCorner(c, open, at, look, colors));
  if (look.layers.terrain) drawGround(c, cell, look, colors);
  const { monster, object, trap } = visibleLayers(cell, look.layers);
  if (cell.engraved) {
    stroke(c, signColor(3, look.dark), 0.9, "M4 12.6q1-2 2 0t2 0 2 0 2 0");
  }
  if (trap) drawTrap(c, trap, cell, look, Boolean(object || monster));
  if (object) drawObject(c, object, look, colors, Boolean(monster));
  if (monster) drawMonster(c, monster, look, colors);
}

/**
 * Continues the floor of an open square in a corner of a wall.
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} open
 * @param {number} at 0 north-east, 1 south-east, 2 south-west, 3 north-west
 * @param {Look} look
 * @param {typeof DARK} colors
 */
function drawCorner(c, open, at, look, colors) {
  c.save();
  c.beginPath();
  c.rect(at < 2 ? 8 : 0, at === 1 || at === 2 ? 8 : 0, 8, 8);
  c.clip();
  const cover = COVERS[open.terrain];
  c.fillStyle = cover ? colors[cover] : !look.layers.light || open.lit ? colors.floor : colors.dim;
  c.fillRect(0, 0, 16, 16);
  if (!cover) tintRoom(c, { ...open, terrain: "room" }, 16, 16, look);
  c.restore();
}

/**
 * Returns true for squares whose floor a wall next to them shares.
 * @param {Cell|null|undefined} cell
 */
export function isOpen(cell) {
  return Boolean(cell) && !isSolid(/** @type {Cell} */ (cell)) && cell?.terrain !== "corr" && cell?.terrain !== "scorr";
}

/**
 * Returns true for walls, doors and stone.
 * @param {Cell} cell
 */
export const isSolid = (cell) => cell.terrain === "stone" || cell.terrain === "sdoor" || cell.terrain === "door" || cell.terrain in ARMS;

/**
 * @param {CanvasRenderingContext2D} c
 * @param {string} color
 * @param {string} path
 */
function fill(c, color, path) {
  c.fillStyle = color;
  c.fill(new Path2D(path));
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {string} color
 * @param {number} width
 * @param {string} path
 */
function stroke(c, color, width, path) {
  c.strokeStyle = color;
  c.lineWidth = width;
  c.stroke(new Path2D(path));
}

/**
 * @param {string} arms
 * @returns {string}
 */
function armPath(arms) {
  const ends = { n: "M8 8V-1", e: "M8 8H17", s: "M8 8V17", w: "M8 8H-1" };
  return [...arms].map((arm) => ends[/** @type {"n"|"e"|"s"|"w"} */ (arm)]).join("");
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {string} arms
 * @param {typeof DARK} colors
 * @param {string} [color]
 */
function drawWall(c, arms, colors, color) {
  c.lineCap = "butt";
  stroke(c, colors.edge, 6.6, armPath(arms));
  fill(c, colors.edge, "M4.7 4.7h6.6v6.6h-6.6z");
  stroke(c, color ?? colors.wall, 4.4, armPath(arms));
  fill(c, color ?? colors.wall, "M5.8 5.8h4.4v4.4h-4.4z");
  c.lineCap = "round";
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} cell
 * @param {Look} look
 * @param {typeof DARK} colors
 */
function drawGround(c, cell, look, colors) {
  const t = cell.terrain;
  const lit = !look.layers.light || cell.lit;
  const floor = lit ? colors.floor : colors.dim;
  if (t === "stone") return;
  if (t === "corr" || t === "scorr") {
    if (t === "corr") fill(c, colors.corridor, "M0 0h16v16h-16z");
    if (t === "corr") fill(c, look.dark ? "#ffffff14" : "#00000012", "M3 4h2v2H3zM10 3h2v2h-2zM6 9h2v2H6zM12 11h2v2h-2zM2 12h2v2H2z");
    if (t === "scorr") {
      c.setLineDash([2, 2]);
      stroke(c, colors.secret, 1, "M2 2h12v12h-12z");
      c.setLineDash([]);
    }
    return;
  }
  const arms = ARMS[t];
  if (arms) {
    drawWall(c, arms, colors, t.includes("ice") ? colors.ice : undefined);
    return;
  }
  const wide = "M0 0h16v16h-16z";
  const open = t !== "sdoor" && t !== "door" && t !== "tree" && t !== "deadtree";
  const cover = COVERS[t];
  if (open) fill(c, cover ? colors[cover] : floor, wide);
  if (open && !cover) tintRoom(c, cell, 16, 16, look);
  const ink = signColor(cell.ground[1], look.dark);
  switch (t) {
    case "room":
      fill(c, look.dark ? "#ffffff18" : "#00000014", "M7.2 7.2h1.6v1.6h-1.6z");
      break;
    case "door":
    case "sdoor":
      drawDoor(c, cell, look, colors);
      break;
    case "pool":
    case "moat":
    case "water":
      stroke(c, colors.wave, 1.1, "M1 5q2-2 4 0t4 0 4 0M3 11q2-2 4 0t4 0 4 0");
      break;
    case "lavapool":
    case "lavawall":
      stroke(c, colors.flame, 1.3, "M1 5q2-2 4 0t4 0 4 0M3 11q2-2 4 0t4 0 4 0");
      break;
    case "ice":
      stroke(c, colors.glint, 1, "M3 9l5-5M7 13l6-6M11 14l2-2");
      break;
    case "bog":
      stroke(c, colors.tree, 1, "M4 12v-4M6 12v-3M11 8v-4M13 8v-3");
      break;
    case "cloud":
      fill(c, colors.cloud, "M3 12a3 3 0 0 1 0-5 3.5 3.5 0 0 1 6-2 3 3 0 0 1 4 3 2.4 2.4 0 0 1 0 4z");
      break;
    case "tree":
    case "deadtree":
      fill(c, floor, wide);
      fill(c, colors.trunk, "M7 10h2v5h-2z");
      if (t === "tree") {
        fill(c, colors.tree, "M8 1a4 4 0 0 1 4 3 3.4 3.4 0 0 1 0 6.6H4A3.4 3.4 0 0 1 4 4a4 4 0 0 1 4-3z");
      } else {
        stroke(c, colors.trunk, 1.4, "M8 11V3M8 7L4 4M8 6l4-3");
      }
      break;
    case "ironbars":
      stroke(c, colors.bars, 1.5, cell.horizontal ? "M2 2v12M6 2v12M10 2v12M14 2v12M0 5h16M0 11h16" : "M2 2v12M6 2v12M10 2v12M14 2v12M0 5h16M0 11h16");
      break;
    case "stairs":
      drawStairs(c, cell, colors, ink);
      break;
    case "ladder":
      stroke(c, colors.trunk, 1.5, "M5 1v14M11 1v14M5 4h6M5 7h6M5 10h6M5 13h6");
      break;
    case "fountain":
      fill(c, colors.metal, "M2.5 10h11l-1.6 4h-7.8z");
      stroke(c, colors.wave, 1.2, "M8 10V5M8 5q-3-3-4.5 2M8 5q3-3 4.5 2");
      break;
    case "throne":
      fill(c, colors.gold, "M4 2l2 2 2-2.6 2 2.6 2-2v6H4z");
      fill(c, colors.door, "M3 8h10v3h-1v4h-2v-3H6v3H4v-4H3z");
      break;
    case "sink":
      fill(c, colors.metal, "M2 6h12l-1.4 5H3.4zM7 11h2v4h-2z");
      stroke(c, colors.metal, 1.4, "M8 6V2.5h3v2");
      break;
    case "grave":
      fill(c, colors.grave, "M3 15V6a5 5 0 0 1 10 0v9z");
      stroke(c, colors.token, 1.2, "M8 5v6M6 7h4");
      break;
    case "altar":
      fill(c, colors.metal, "M2 5h12v3h-2l1 6H3l1-6H2z");
      fill(c, ink, "M6.5 1.5h3v3h-3z");
      break;
    case "drawbridge_up":
      drawRaised(c, cell, colors, wide);
      break;
    case "drawbridge_down":
      fill(c, colors.door, wide);
      stroke(c, colors.trunk, 1, "M0 4h16M0 8h16M0 12h16");
      break;
    default:
      if (t.startsWith("own_floor")) fill(c, ink + "55", wide);
  }
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} cell
 * @param {typeof DARK} colors
 * @param {string} wide
 */
function drawRaised(c, cell, colors, wide) {
  const below = cell.flags & 28;
  fill(c, below === 4 ? colors.lava : below === 16 ? colors.floor : colors.water, wide);
  c.setLineDash([2, 2]);
  stroke(c, colors.door, 1.4, "M1.5 1.5h13v13h-13z");
  c.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} cell
 * @param {typeof DARK} colors
 * @param {string} ink
 */
function drawStairs(c, cell, colors, ink) {
  const down = cell.ground[0] === ">";
  const steps = down ? "M1.5 3h13v2.6h-13zM1.5 6.6h10v2.6h-10zM1.5 10.2h7v2.6h-7z" : "M1.5 10.2h13v2.6h-13zM1.5 6.6h10v2.6h-10zM1.5 3h7v2.6h-7z";
  fill(c, colors.metal, steps);
  stroke(c, colors.gold, 1.8, down ? "M12.6 7v6M10.4 11l2.2 2.4L14.8 11" : "M12.6 9V3M10.4 5l2.2-2.4L14.8 5");
  if (ink) c.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Cell} cell
 * @param {Look} look
 * @param {typeof DARK} colors
 */
function drawDoor(c, cell, look, colors) {
  const across = cell.horizontal;
  const secret = cell.terrain === "sdoor";
  c.save();
  if (!across) {
    c.translate(16, 0);
    c.rotate(Math.PI / 2);
  }
  // From here on, the wall runs from left to right.
  if (secret) {
    c.lineCap = "butt";
    stroke(c, colors.edge, 6.6, "M0 8h16");
    stroke(c, colors.wall, 4.4, "M0 8h16");
    if (look.layers.doors) {
      c.setLineDash([2, 1.6]);
      stroke(c, colors.secret, 1.6, "M2.5 4h11v8h-11z");
      c.setLineDash([]);
    }
  } else {
    fill(c, cell.lit ? colors.floor : colors.dim, "M0 4.7h16v6.6H0z");
    fill(c, colors.edge, "M0 4.7h2.9v6.6H0zM13.1 4.7H16v6.6h-2.9z");
    fill(c, colors.wall, "M0 5.8h2.6v4.4H0zM13.4 5.8H16v4.4h-2.6z");
    if (look.layers.doors) {
      if (cell.flags & 12) {
        fill(c, colors.door, "M2.6 5.4h10.8v5.2H2.6z");
        stroke(c, colors.token, 0.8, "M8 5.4v5.2");
        if (cell.flags & 8) fill(c, colors.gold, "M7 7h2v2.6H7z");
      } else if (cell.flags & 2) {
        fill(c, colors.door, "M2 0.5h3v9H2z");
      } else if (cell.flags & 1) {
        fill(c, colors.door, "M2.6 6h2.4l1 2-1.4 2h-2zM11 6h2.4v4h-1.6z");
      }
      if (cell.flags & 16) fill(c, signColor(1, look.dark), "M8 1l2 3.4H6z");
    }
  }
  c.restore();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {import("./channel.js").Sign} sign
 * @param {Cell} cell
 * @param {Look} look
 * @param {boolean} hidden
 */
function drawTrap(c, sign, cell, look, hidden) {
  const color = signColor(sign[1], look.dark);
  if (hidden) {
    // A mark in the corner, above what hides the trap.
    fill(c, color, "M16 0v6.4L9.6 0z");
    return;
  }
  if (sign[0] === '"') {
    stroke(c, color, 0.9, "M8 1v14M1 8h14M3 3l10 10M13 3L3 13M8 4.5L11.5 8 8 11.5 4.5 8zM8 2L14 8 8 14 2 8z");
    return;
  }
  stroke(c, color, 1.7, "M3.4 12.4L8 3.6l4.6 8.8z");
  fill(c, color, "M7.3 7h1.4v2.8H7.3zM7.3 10.4h1.4v1.2H7.3z");
}

// An icon for each class of objects.
/** @type {{[symbol: string]: string}} */
const ICONS = {
  ")": "M12.8 2l1.2 1.2L7 10.2l1.3 1.3-1.1 1.1-1.6-1.6-2 2-1.3-1.3 2-2L2.7 8.1 3.8 7l1.3 1.3z",
  "[": "M8 1.6l5.4 2v4c0 3.4-2.2 5.8-5.4 7-3.2-1.2-5.4-3.6-5.4-7v-4z",
  "=": "M8 5a4.6 4.6 0 1 1 0 9.2A4.6 4.6 0 0 1 8 5zm0 1.9a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM6.4 2h3.2l1 1.6L8 5.4 5.4 3.6z",
  '"': "M8 7.6l3 3.4-3 3.6-3-3.6zM3 1.6l1.2-.4L8 6.4l3.8-5.2 1.2.4L8.7 7.7H7.3z",
  "(": "M2.4 5.6h11.2v8H2.4zM2.4 4.8A3 3 0 0 1 5.4 2h5.2a3 3 0 0 1 3 2.8zM7 7.2h2V10H7z",
  "%": "M8 4.4c3.4-1.6 5.8.6 5.2 4.2-.6 3.4-2.6 5.8-4 5.8-.6 0-.7-.3-1.2-.3s-.6.3-1.2.3c-1.4 0-3.4-2.4-4-5.8C2.2 5 4.6 2.800 8 4.400zM8.200 3.800c0-1.400.8-2.400 2.200-2.800 0 1.600-.8 2.600-2.200 2.800z",
  "!": "M6.200 1.600h3.600v1.400h-.7v2.600l3.500 5.600c.9 1.600 0 3.200-1.800 3.200H5.200c-1.800 0-2.700-1.600-1.800-3.200l3.500-5.600V3h-.7z",
  "?": "M4 1.600h8.600a1.600 1.600 0 0 1 0 3.200H12v8a1.600 1.600 0 0 1-1.600 1.600H3.600a1.600 1.600 0 0 1-1.600-1.600V11h2.400V3.200A1.600 1.600 0 0 1 4 1.600zM6 5.400v1.100h4.400V5.400zM6 8v1.100h4.400V8z",
  "+": "M3 2.400h9.400v11.200H4.200A1.700 1.700 0 0 1 2.500 12V3zM4.300 11.200a.9.900 0 0 0 0 1.400h7v-1.400zM6 4.800v1.200h4V4.800z",
  "/": "M12.600 1.800l1.600 1.600L4 13.800 2.200 14.200l.4-1.900zM4 2l.7 1.600L6.300 4.300l-1.600.7L4 6.600l-.7-1.600-1.600-.7 1.600-.7z",
  "$": "M8 3.200a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM7.300 5v.8c-1.600.4-1.700 2.400 0 2.800v1.500l-1-.3-.4 1.100 1.400.4v.7h1.300v-.7c1.900-.4 2-2.600 0-3.100V7l1 .2.3-1.100-1.300-.3V5z",
  "*": "M4.600 3h6.800L14 6.600l-6 7.600-6-7.600zM5.200 6.200l2.800 5.400 2.800-5.400z",
  "`": "M8 2.400a5.800 5.800 0 1 1 0 11.600A5.800 5.800 0 0 1 8 2.400z",
  "0": "M8 4a5 5 0 1 1 0 10A5 5 0 0 1 8 4zM7 1.400h2v2.200H7z",
  "_": "M2 9.600a2.400 2.400 0 0 1 2.400-2.400h2v1.600h-2a.8.800 0 0 0 0 1.600h2V12h-2A2.400 2.400 0 0 1 2 9.600zM9.600 7.200h2a2.400 2.400 0 1 1 0 4.800h-2v-1.600h2a.8.800 0 0 0 0-1.600h-2zM5.600 8.800h4.800v1.600H5.600z",
  ".": "M8 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  "]": "M6 2.500a3 3 0 0 1 5 2.600c-.3 1.600-2.200 2-2.200 3.700H7.200c0-2.600 2.200-2.900 2.200-4A1.400 1.400 0 0 0 6.700 5H5.100A3 3 0 0 1 6 2.500zM7 10.600h2v2H7z",
};

/**
 * @param {CanvasRenderingContext2D} c
 * @param {import("./channel.js").Sign} sign
 * @param {Look} look
 * @param {typeof DARK} colors
 * @param {boolean} hidden
 */
function drawObject(c, sign, look, colors, hidden) {
  const color = signColor(sign[1], look.dark);
  c.save();
  if (hidden) {
    c.translate(9.4, 9.4);
    c.scale(0.42, 0.42);
  }
  const icon = ICONS[sign[0]];
  if (icon) {
    const path = new Path2D(icon);
    c.strokeStyle = colors.token;
    c.lineWidth = 1.6;
    c.stroke(path);
    c.fillStyle = color;
    c.fill(path, "evenodd");
    if (sign[0] === "`") fill(c, "#ffffff33", "M5 6.400a3.400 3.400 0 0 1 3-2.200l.4 1.400a3 3 0 0 0-2 1.600z");
  } else {
    letter(c, sign[0], color, 12);
  }
  c.restore();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {string} symbol
 * @param {string} color
 * @param {number} size
 */
function letter(c, symbol, color, size) {
  c.fillStyle = color;
  c.font = `700 ${size}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(symbol, 8, 8.6);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {import("./channel.js").Sign} sign
 * @param {Look} look
 * @param {typeof DARK} colors
 */
function drawMonster(c, sign, look, colors) {
  const color = signColor(sign[1], look.dark);
  c.beginPath();
  c.arc(8, 8.3, 7, 0, Math.PI * 2);
  c.fillStyle = colors.shadow;
  c.fill();
  c.beginPath();
  c.arc(8, 8, 6.7, 0, Math.PI * 2);
  c.fillStyle = colors.token;
  c.fill();
  c.lineWidth = 1.5;
  c.strokeStyle = color;
  c.stroke();
  letter(c, sign[0], color, 10.5);
}
