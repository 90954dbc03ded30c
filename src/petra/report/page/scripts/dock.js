
// The memory log of the part in sight: a column for each token, an OW and a CR row for each cell.
const dock = document.querySelector(".dock details");
const scroller = dock?.querySelector(".scroller");
const readout = dock?.querySelector(".readout");
const COLUMNS = 160; // drawn at most
const USED = 10; // hundredths of a gate by which a cell counts as used
const LONGEST = 18; // characters of a token
const MANY_CELLS = 10; // above which rows are lower, so that all are in sight
const DIGITS = 2; // of a number, that fit a column

let tokens = null; // unpacked when first asked for
let drawn = null; // { first, last, rows, labels }: tokens drawn, the squares of each row, the labels
let cursor = { row: 0, column: 0 };

// The bytes are explained where they are made, in packed_log.py. A novel has hundreds of thousands of
// tokens: they are kept in a few long arrays, and the gates of token t are those from gates[t] to gates[t + 1].
function unpack() {
  const letters = atob(data.log.tokens);
  const found = { starts: [], ends: [], before: [], gates: [], rows: [], decided: [], values: [], cells: [] };
  const used = new Set();
  let at = 0;
  function next() {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const digit = letters.charCodeAt(at++);
      number += (digit & 127) * scale;
      if (digit < 128) return number;
    }
  }
  let place = 0;
  while (at < letters.length) {
    found.starts.push((place += next()));
    found.ends.push((place += next()));
    found.before.push(next());
    found.gates.push(found.rows.length);
    for (let left = next(); left > 0; left -= 1) {
      const number = next();
      const value = next();
      const row = 2 * (number >> 2) + (number & 1);
      found.rows.push(row);
      found.decided.push((number & 2) > 0);
      found.values.push(value);
      if (value >= USED) used.add(row >> 1);
    }
  }
  found.gates.push(found.rows.length);
  found.cells = used.size ? [...used].sort((one, other) => one - other) : [...Array(data.log.cells).keys()];
  return found;
}

// The gate of a token in a row, its value in hundredths: rows are 2 * cell for OW, and one more for CR.
function gate(token, row) {
  for (let at = tokens.gates[token]; at < tokens.gates[token + 1]; at += 1) {
    if (tokens.rows[at] === row) return { value: tokens.values[at], isDecided: tokens.decided[at] };
  }
  return { value: 0, isDecided: false };
}

// All mentions in text order, put together when first asked for.
let mentionsInOrder = null;
function inOrder() {
  const all = data.people
    .flatMap(({ id }) => people.get(id).starts.map((start, number) => ({ id, start, end: people.get(id).ends[number] })))
    .sort((one, other) => one.start - other.start);
  const longest = all.reduce((most, { start, end }) => Math.max(most, end - start), 0);
  return { all, starts: all.map(({ start }) => start), longest };
}

// The innermost mention that a token is in, if there is one.
function mentionAt(start, end) {
  mentionsInOrder ??= inOrder();
  const { all, starts, longest } = mentionsInOrder;
  let found = null;
  for (let at = lastUpTo(starts, end - 1); at >= 0 && starts[at] > start - longest; at -= 1) {
    const mention = all[at];
    if (mention.end > start && (!found || mention.end - mention.start < found.end - found.start)) found = mention;
  }
  return found;
}

// Draw the tokens between two places, if they are not drawn yet.
function drawLog(start, end) {
  if (!dock?.open) return;
  tokens ??= unpack();
  const first = lastUpTo(tokens.ends, start) + 1;
  const last = Math.max(first, Math.min(lastUpTo(tokens.starts, end - 1) + 1, first + COLUMNS));
  if (drawn?.first !== first || drawn.last !== last) {
    drawn = { first, last, rows: [], labels: [] };
    cursor = { row: 0, column: 0 };
    readout.textContent = "";
    CSS.highlights?.delete("token");
    const columns = Array.from({ length: last - first }, (_, column) => describe(first + column));
    scroller.replaceChildren(
      columns.length ? table(columns) : element("p", "", "No people in the part of the text in sight."),
    );
    // It grows but never shrinks, or what it covers and what it shows would change each other for ever;
    // unless the text is out of sight whatever it covers.
    const { top, bottom } = document.querySelector("article").getBoundingClientRect();
    if (!columns.length && (top >= innerHeight || bottom <= 0)) scroller.style.minHeight = "";
    scroller.style.minHeight = `${scroller.offsetHeight}px`;
  }
  if (here >= 0) pointAt({ person: chosen, number: here });
}

function describe(token) {
  const [start, end] = [tokens.starts[token], tokens.ends[token]];
  const words = wordsAt(start, end).replace(/\s+/g, " ");
  return {
    token,
    label: words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words,
    mention: mentionAt(start, end),
    isAfterGap: tokens.before[token] > 1,
    joins: tokens.before[token] === 1,
  };
}

function table(columns) {
  const made = element("table", tokens.cells.length > MANY_CELLS ? "log low" : "log");
  const head = made.createTHead().insertRow();
  head.append(element("td", ""), element("td", ""));
  const numbers = made.createTBody().insertRow();
  numbers.className = "numbers";
  numbers.append(element("td", ""), element("td", ""));
  let free = 0; // the first column where a number does not run into the one before
  columns.forEach((column, place) => {
    const label = element("th", edge(column));
    label.scope = "col";
    label.append(element("bdi", "", column.label));
    drawn.labels.push(label);
    head.append(label);
    const isFirst = column.mention && column.mention !== columns[place - 1]?.mention;
    const number = isFirst && place >= free ? String(column.mention.id) : "";
    if (number) free = place + Math.ceil(number.length / DIGITS);
    numbers.append(element("td", edge(column), number));
  });
  for (const cell of tokens.cells) made.append(cellRows(cell, columns));
  return made;
}

function cellRows(cell, columns) {
  const body = document.createElement("tbody");
  ["OW", "CR"].forEach((kind, place) => {
    const row = body.insertRow();
    if (place === 0) {
      const number = element("th", "cell", cell + 1);
      number.rowSpan = 2;
      number.scope = "rowgroup";
      row.append(number);
    }
    const name = element("th", "row", kind);
    name.scope = "row";
    const squares = columns.map((column) => square(column, 2 * cell + place));
    row.append(name, ...squares);
    drawn.rows.push(squares);
  });
  return body;
}

function square(column, row) {
  const { value, isDecided } = gate(column.token, row);
  const made = element("td", edge(column));
  if (!value) return made;
  made.append(element("span", "", (value / 100).toFixed(2)));
  made.style.setProperty("--p", value / 100);
  if (column.mention && isDecided) made.classList.add(...lookOf(column.mention.id).split(" "));
  return made;
}

function edge({ isAfterGap, joins }) {
  return isAfterGap ? "gap" : joins ? "joins" : "";
}

// Tell a square in words, and show its token in the text.
function tell(row, column) {
  cursor = { row, column };
  scroller.querySelector("td.here")?.classList.remove("here");
  const found = drawn.rows[row][column];
  found.classList.add("here");
  const token = drawn.first + column;
  const cell = tokens.cells[row >> 1];
  const value = gate(token, 2 * cell + (row & 1)).value / 100;
  const words = wordsAt(tokens.starts[token], tokens.ends[token]);
  readout.textContent = `${words}: cell ${cell + 1}, ${row & 1 ? "CR" : "OW"} ${value.toFixed(2)}`;
  if (CSS.highlights) {
    CSS.highlights.set("token", new Highlight(rangeAt(tokens.starts[token], tokens.ends[token])));
  }
  return found;
}

// Show the columns of a mention that is pointed at in the text.
function pointAt({ person, number }) {
  if (!dock?.open || !drawn) return;
  const [start, end] = [people.get(person).starts[number], people.get(person).ends[number]];
  let target = null; // the first of them
  drawn.labels.forEach((label, column) => {
    const token = drawn.first + column;
    const isIn = tokens.starts[token] < end && tokens.ends[token] > start;
    label.classList.toggle("here", isIn);
    if (isIn) target ??= label;
  });
  if (target) scroller.scrollLeft = target.offsetLeft - scroller.clientWidth / 2;
}

scroller?.addEventListener("pointerover", (event) => {
  const square = event.target.closest("td");
  const row = drawn?.rows.findIndex((squares) => squares.includes(square)) ?? -1;
  if (row >= 0) tell(row, drawn.rows[row].indexOf(square));
});

scroller?.addEventListener("pointerleave", forget);

// Nothing is pointed at any more.
function forget() {
  scroller.querySelector("td.here")?.classList.remove("here");
  readout.textContent = "";
  CSS.highlights?.delete("token");
}

const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
scroller?.addEventListener("keydown", (event) => {
  const move = MOVES[event.key];
  if (!move || !drawn?.rows.length) return;
  event.preventDefault();
  const within = (value, length) => Math.min(length - 1, Math.max(0, value));
  // The first press shows where the keys begin.
  const [down, right] = readout.textContent ? move : [0, 0];
  const row = within(cursor.row + down, drawn.rows.length);
  tell(row, within(cursor.column + right, drawn.rows[row].length)).scrollIntoView({ block: "nearest", inline: "nearest" });
});

if (dock) {
  dock.addEventListener("toggle", () => {
    drawn = null;
    scroller.style.minHeight = "";
    drawLog(...inSight());
  });
}
