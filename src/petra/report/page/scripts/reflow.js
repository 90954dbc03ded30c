
// A text with lines of one width, as files of books have them: shown with lines as wide as the page.
// The text stays what it is, so that places stay; only the line ends that are kept get an element.
const reflowField = document.getElementById("reflow");
const [NARROW, BROAD] = [45, 90]; // characters of the lines of such a text
let areEndsMarked = false;

// The width that lines are broken at: that of the longer lines, if most lines before another are near it.
function wrapWidth() {
  const lines = wholeText().slice(0, 200_000).split("\n").map((line) => line.trimEnd().length);
  const inner = lines.filter((length, at) => length && lines[at + 1]);
  if (inner.length < 20) return 0;
  const sorted = inner.toSorted((one, other) => one - other);
  const width = sorted[Math.floor(sorted.length * 0.9)];
  const isBroken = sorted[Math.floor(sorted.length * 0.3)] > 0.75 * width;
  return width >= NARROW && width <= BROAD && isBroken ? width : 0;
}

// Line ends that mean something: blank lines, and lines that the next word would have fitted on.
function keptEnds(words, width) {
  const kept = [];
  const ends = /\n/g;
  let start = 0;
  for (let found = ends.exec(words); found; found = ends.exec(words)) {
    const end = found.index;
    const next = /^[^\S\n]*(\S*)/.exec(words.slice(end + 1, end + 80));
    const isIndented = /^\s/.test(words.slice(end + 1, end + 2));
    const length = words.slice(start, end).trimEnd().length;
    if (!length || !next[1] || isIndented || length + 1 + next[1].length < width - 8) kept.push(end);
    start = end + 1;
  }
  return kept;
}

function markEnds(section, width) {
  const kept = keptEnds(section.textContent, width);
  if (!kept.length) return;
  const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let place = 0;
  while (walker.nextNode()) {
    nodes.push([walker.currentNode, place]);
    place += walker.currentNode.length;
  }
  let at = kept.length - 1;
  for (const [node, start] of nodes.reverse()) {
    for (; at >= 0 && kept[at] >= start; at -= 1) {
      const end = node.splitText(kept[at] - start);
      end.splitText(1);
      const made = element("span", "end");
      end.replaceWith(made);
      made.append(end);
    }
  }
}

function reflow(isOn) {
  const place = inSight()[0];
  if (isOn && !areEndsMarked) {
    for (const section of sections) markEnds(section, width);
    areEndsMarked = true;
  }
  article.classList.toggle("reflowed", isOn);
  return place;
}

const width = wrapWidth();
if (width) {
  document.getElementById("reflow-choice").hidden = false;
  reflowField.checked = remembered.reflow ?? true;
  reflow(reflowField.checked);
  reflowField.addEventListener("change", () => {
    remember("reflow", reflowField.checked);
    const place = reflow(reflowField.checked);
    if (place) revealPlace(place, place + 1);
  });
}
