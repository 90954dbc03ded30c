
// The timeline: a frame around the part in sight, and a click that goes to the mention next to it.
const timeline = document.querySelector(".timeline");

function frameInSight(start, end) {
  const frame = timeline?.querySelector(".window");
  if (!frame || !data.length) return;
  frame.hidden = start === 0 && end === data.length; // then a frame says nothing
  frame.style.setProperty("--from", start / data.length);
  frame.style.setProperty("--to", end / data.length);
}

const SVG = timeline?.querySelector("svg").namespaceURI;
const BINS = 240; // parts of the text, as in timeline.py
const ruler = timeline?.querySelector(".ruler");

// A row above those of the people: the places of something that was looked for.
function showOnTimeline(name, words, places, goTo) {
  ruler?.querySelector(`[data-row="${name}"]`)?.remove();
  if (ruler && places.length) {
    const row = element("div", "hits");
    row.dataset.row = name;
    const strip = stripOf(places, words);
    strip.addEventListener("click", (event) => goTo(nearest(places, placeOnStrip(strip, event))));
    row.append(element("span", "name", words), strip);
    ruler.append(row);
  }
  if (ruler) ruler.hidden = !ruler.children.length;
}

// The places of something along the text, as bars.
function stripOf(places, words) {
  const counts = new Map();
  for (const place of places) {
    const bin = Math.floor((place * BINS) / Math.max(1, data.length));
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const bars = [...counts].map(([bin, count]) => {
    const height = Math.ceil(4 + 8 * Math.sqrt(count / most));
    return `M${bin} 12v-${height}h1v${height}z`;
  });
  const strip = drawing("svg", { viewBox: `0 0 ${BINS} 12`, preserveAspectRatio: "none", role: "img" });
  strip.setAttribute("aria-label", `${words} in ${counts.size} of ${BINS} parts of the text`);
  strip.append(drawing("path", { d: bars.join("") }));
  return strip;
}

// An element of a drawing.
function drawing(name, attributes, words = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = words;
  return made;
}

function placeOnStrip(strip, event) {
  const box = strip.getBoundingClientRect();
  return ((event.clientX - box.left) / box.width) * data.length;
}

// The number of the place that is nearest to another.
function nearest(places, place) {
  const before = Math.max(0, lastUpTo(places, place));
  const after = Math.min(before + 1, places.length - 1);
  return Math.abs(places[after] - place) < Math.abs(places[before] - place) ? after : before;
}

timeline?.addEventListener("click", (event) => {
  const strip = event.target.closest("li svg");
  if (!strip) return;
  const person = Number(strip.parentElement.dataset.person);
  choose(person);
  go(nearest(people.get(person).starts, placeOnStrip(strip, event)));
});
