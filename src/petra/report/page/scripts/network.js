
// The network: people as circles, lines between those who share paragraphs or speak to each other.
const networkPanel = document.querySelector(".network");
const networkDrawing = networkPanel?.querySelector(".drawing");
const kindField = document.getElementById("network-kind");
const sizeField = document.getElementById("network-size");
if (sizeField && matchMedia("(max-width: 40rem)").matches) sizeField.value = "12"; // a phone has no room for more names
const [WIDTH, TALL] = [900, 560]; // of the drawing
const ROUNDS = 300; // in which circles find their places
const MOST_PAIRS = 200; // in the table
const TELLING = 0.1; // share of the heaviest line below which a line is left out ..
const LONGEST_NAME = 28; // characters; the whole name is told when it is pointed at
const KEPT = 3; // .. unless it is one of so many heaviest of a person

// Pairs of people with their weights, the heaviest first; of speech, from who speaks to who is spoken to.
function pairsOf(kind, ids) {
  const isIn = new Set(ids);
  const weights = new Map();
  const add = (one, other) => weights.set(`${one} ${other}`, (weights.get(`${one} ${other}`) ?? 0) + 1);
  if (kind === "speech") {
    for (const { speaker, addressee } of quotations) if (speaker !== addressee && isIn.has(speaker) && isIn.has(addressee)) add(speaker, addressee);
  } else {
    const present = new Map();
    for (const id of ids) {
      for (const paragraph of paragraphsOf(id)) {
        const before = present.get(paragraph) ?? [];
        for (const other of before) add(Math.min(id, other), Math.max(id, other));
        present.set(paragraph, [...before, id]);
      }
    }
  }
  return [...weights]
    .map(([pair, weight]) => [...pair.split(" ").map(Number), weight])
    .sort((one, other) => other[2] - one[2] || one[0] - other[0] || one[1] - other[1]);
}

// The people drawn: those mentioned most often among the listed.
function drawnPeople() {
  return entries
    .filter(({ isBeyond }) => !isBeyond)
    .sort(orders.mentions)
    .slice(0, Number(sizeField.value))
    .map(({ item }) => Number(item.dataset.person));
}

// Places where lines pull and circles push, from a ring on; the same every time (after Fruchterman and Reingold).
function placed(ids, pairs) {
  const nodes = ids.map((id, at) => {
    const turn = (2 * Math.PI * at) / ids.length;
    return { id, x: WIDTH / 2 + (WIDTH / 3) * Math.cos(turn), y: TALL / 2 + (TALL / 3) * Math.sin(turn) };
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const spread = Math.sqrt((WIDTH * TALL) / Math.max(1, ids.length)) * 0.75;
  const most = pairs[0]?.[2] ?? 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const reach = (WIDTH / 10) * (1 - round / ROUNDS);
    for (const node of nodes) [node.dx, node.dy] = [(WIDTH / 2 - node.x) * 0.3, (TALL / 2 - node.y) * 0.5];
    for (const one of nodes) {
      for (const other of nodes) {
        if (one === other) continue;
        const [x, y] = [one.x - other.x, (one.y - other.y) * 1.5]; // names are wide: more room above and below
        const far = Math.hypot(x, y) || 1;
        one.dx += (x / far) * (spread ** 2 / far);
        one.dy += (y / far) * (spread ** 2 / far);
      }
    }
    for (const [from, to, weight] of pairs) {
      const [one, other] = [byId.get(from), byId.get(to)];
      const [x, y] = [one.x - other.x, one.y - other.y];
      const pull = (Math.hypot(x, y) / spread) * (weight / most);
      one.dx -= x * pull;
      one.dy -= y * pull;
      other.dx += x * pull;
      other.dy += y * pull;
    }
    for (const node of nodes) {
      const far = Math.hypot(node.dx, node.dy) || 1;
      node.x += (node.dx / far) * Math.min(far, reach);
      node.y += (node.dy / far) * Math.min(far, reach);
    }
  }
  stretch(nodes, "x", 90, WIDTH - 90);
  stretch(nodes, "y", 25, TALL - 35);
  return byId;
}

// Fill the drawing from one edge to the other.
function stretch(nodes, side, from, to) {
  const [least, most] = [Math.min(...nodes.map((node) => node[side])), Math.max(...nodes.map((node) => node[side]))];
  for (const node of nodes) node[side] = most > least ? from + ((node[side] - least) / (most - least)) * (to - from) : (from + to) / 2;
}

function drawNetwork() {
  if (!networkPanel.open) return;
  const kind = kindField.value;
  const all = pairsOf(kind, drawnPeople());
  const lines = new Map(); // so far, of each person
  const pairs = all.filter(([one, other, weight]) => {
    const isKept = weight >= TELLING * all[0][2] || [one, other].some((id) => (lines.get(id) ?? 0) < KEPT);
    if (isKept) for (const id of [one, other]) lines.set(id, (lines.get(id) ?? 0) + 1);
    return isKept;
  });
  const ids = drawnPeople().filter((id) => all.some(([one, other]) => one === id || other === id));
  listPairs(kind, all);
  if (!pairs.length) {
    return networkDrawing.replaceChildren(element("p", "quiet", kind === "speech" ? "Nobody is found to speak to anybody." : "Nobody is mentioned beside anybody."));
  }
  const nodes = placed(ids, pairs);
  const svg = drawing("svg", { viewBox: `0 0 ${WIDTH} ${TALL}`, role: "img" });
  svg.setAttribute("aria-label", `${kind === "speech" ? "Who speaks to whom" : "Who is with whom"}: ${ids.length} people, ${pairs.length} lines; the table below says the same.`);
  const most = pairs[0][2];
  for (const pair of [...pairs].reverse()) svg.append(edgeOf(kind, pair, nodes, most));
  const mostMentions = Math.max(...ids.map((id) => people.get(id).starts.length));
  const shown = ids.map((id) => nodeOf(id, nodes.get(id), mostMentions));
  svg.append(...shown.map(({ circle }) => circle), ...shown.map(({ name }) => name)); // no circle hides a name
  networkDrawing.replaceChildren(svg);
  ids.forEach((id, at) => keepInside(shown[at].name.querySelector("text"), nodes.get(id).x));
}

// Move a name that the edge of the drawing would cut off.
function keepInside(text, x) {
  const half = text.getBBox().width / 2 + 2; // with its outline
  text.setAttribute("x", (Math.max(0, half - x) - Math.max(0, x + half - WIDTH)).toFixed(1));
}

function edgeOf(kind, [from, to, weight], nodes, most) {
  const [one, other] = [nodes.get(from), nodes.get(to)];
  const width = 0.8 + 7 * (weight / most);
  // Speech is bent, to the right of who speaks, so that both directions are seen.
  const bend = kind === "speech" ? 0.14 : 0;
  const [x, y] = [(one.x + other.x) / 2 - (other.y - one.y) * bend, (one.y + other.y) / 2 + (other.x - one.x) * bend];
  const path = drawing("path", { d: `M${one.x.toFixed(1)} ${one.y.toFixed(1)}Q${x.toFixed(1)} ${y.toFixed(1)} ${other.x.toFixed(1)} ${other.y.toFixed(1)}`, class: `edge ${lookOf(from)}`, "stroke-width": width.toFixed(1) });
  const [first, second] = [entryOf(from).name, entryOf(to).name];
  path.append(drawing("title", {}, kind === "speech" ? `${first} to ${second}: ${weight}` : `${first} and ${second}: ${weight} paragraphs`));
  path.addEventListener("click", () => showPair(kind, from, to));
  return path;
}

// The circle and the name of a person.
function nodeOf(id, { x, y }, most) {
  const { name } = entryOf(id);
  const count = people.get(id).starts.length;
  const radius = 5 + 15 * Math.sqrt(count / most);
  const part = (drawn) => {
    const group = drawing("g", { class: `node ${lookOf(id)}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    group.append(drawn, drawing("title", {}, `${name}: ${count.toLocaleString("en")} mentions`));
    group.addEventListener("click", () => {
      choose(id);
      go(0);
    });
    return group;
  };
  const words = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1).trimEnd()}…` : name;
  return {
    circle: part(drawing("circle", { r: radius.toFixed(1) })),
    name: part(drawing("text", { y: (radius + 13).toFixed(1) }, words)),
  };
}

function showPair(kind, from, to) {
  if (kind === "speech") return showSpeech(from, to);
  choose(from);
  addBeside(to);
  if (passages.length) goToPassage(0);
}

function listPairs(kind, pairs) {
  const table = element("table", "");
  const head = table.createTHead().insertRow();
  for (const words of kind === "speech" ? ["From", "To", "Quotations"] : ["Person", "With", "Paragraphs"]) {
    const cell = element("th", "", words);
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [from, to, weight] of pairs.slice(0, MOST_PAIRS)) {
    const row = body.insertRow();
    row.insertCell().append(personButton(from));
    row.insertCell().append(personButton(to));
    const button = element("button", "more", weight.toLocaleString("en"));
    button.type = "button";
    button.ariaLabel = `${weight}: show them`;
    button.addEventListener("click", () => showPair(kind, from, to));
    row.insertCell().append(button);
  }
  networkPanel.querySelector(".table").replaceChildren(table);
}

// The drawing as a file of its own, with its colours in it.
function networkFile() {
  const svg = networkDrawing.querySelector("svg").cloneNode(true);
  const shown = networkDrawing.querySelectorAll("path, circle, text");
  svg.querySelectorAll("path, circle, text").forEach((made, at) => {
    const style = getComputedStyle(shown[at]);
    for (const name of ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-dasharray", "font-family", "font-size", "text-anchor"]) {
      made.setAttribute(name, style.getPropertyValue(name));
    }
  });
  return new XMLSerializer().serializeToString(svg);
}

if (networkPanel) {
  if (!quotations.some(({ speaker, addressee }) => speaker && addressee)) kindField.options[1].disabled = true;
  networkPanel.addEventListener("toggle", drawNetwork);
  for (const field of [kindField, sizeField]) field.addEventListener("change", drawNetwork);
  document.getElementById("network-save").addEventListener("click", () => {
    if (networkDrawing.querySelector("svg")) saveFile("network.svg", "image/svg+xml", networkFile());
  });
  drawNetwork();
}
