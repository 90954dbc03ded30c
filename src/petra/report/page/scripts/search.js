
// Words in the text: found as they are typed, without accents and across line ends, and stepped through.
const searchField = document.getElementById("search");
const hitsOutput = document.getElementById("hits");
const hitsList = document.querySelector(".found ol");
const WAIT = 150; // milliseconds after the last key
const SHORTEST = 2; // letters that are looked for
const SIGNS = { "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-" };

let foldedText = null;
let hits = { starts: [], ends: [] };
let hit = -1; // the one gone to

// A text with one plain sign for each of its units, so that places stay.
function fold(words) {
  const plainer = words.replace(/[^\x00-\x7f]/g, (sign) => {
    const letter = SIGNS[sign] ?? plain(sign);
    return letter.length === 1 ? letter : sign;
  });
  const lower = plainer.toLowerCase();
  return lower.length === words.length ? lower : plainer;
}

function findInText() {
  const wanted = fold(searchField.value.trim());
  hits = { starts: [], ends: [] };
  hit = -1;
  if (wanted.length >= SHORTEST) {
    foldedText ??= fold(wholeText());
    const words = wanted.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"));
    for (const found of foldedText.matchAll(new RegExp(words.join("\\s+"), "g"))) {
      hits.starts.push(found.index);
      hits.ends.push(found.index + found[0].length);
    }
  }
  const count = hits.starts.length;
  hitsOutput.textContent = wanted.length < SHORTEST ? "" : count ? `${count.toLocaleString("en")} found` : "not found";
  for (const button of document.querySelectorAll("[data-hit]")) button.hidden = !count;
  document.querySelector(".found").hidden = !count;
  showOnTimeline("found", `“${searchField.value.trim()}”`, hits.starts, goToHit);
  if (count) listHits(0);
  showHits(...inSight());
}

// A portion of the places in context, the one that a place is in.
function listHits(number) {
  const first = number - (number % PORTION);
  const end = Math.min(first + PORTION, hits.starts.length);
  const items = [];
  if (first > 0) items.push(hitPortion(`${first.toLocaleString("en")} before`, first - 1));
  for (let at = first; at < end; at += 1) {
    const link = inContext(hits.starts[at], hits.ends[at]);
    link.href = "#search";
    link.dataset.place = at;
    const item = element("li", "");
    item.append(link);
    items.push(item);
  }
  if (end < hits.starts.length) items.push(hitPortion(`${(hits.starts.length - end).toLocaleString("en")} after`, end));
  hitsList.replaceChildren(...items);
}

function hitPortion(words, number) {
  const button = element("button", "", words);
  button.type = "button";
  button.addEventListener("click", () => listHits(number));
  const item = element("li", "");
  item.append(button);
  return item;
}

function goToHit(number) {
  const count = hits.starts.length;
  if (!count) return;
  hit = (number + count) % count;
  hitsOutput.textContent = `${(hit + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`;
  if (!hitsList.querySelector(`[data-place="${hit}"]`)) listHits(hit);
  hitsList.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const link = hitsList.querySelector(`[data-place="${hit}"]`);
  link.setAttribute("aria-current", "true");
  link.scrollIntoView({ block: "nearest", behavior: "instant" });
  revealPlace(hits.starts[hit], hits.ends[hit]);
}

// The places in sight are marked.
function showHits(start, end) {
  if (!CSS.highlights) return;
  CSS.highlights.delete("hits");
  if (!hits.starts.length) return CSS.highlights.delete("passage");
  const ranges = [];
  for (let at = lastUpTo(hits.ends, start) + 1; at < hits.starts.length && hits.starts[at] < end && ranges.length < 400; at += 1) {
    ranges.push(rangeAt(hits.starts[at], hits.ends[at]));
  }
  CSS.highlights.set("hits", new Highlight(...ranges));
}

let typing = 0;
searchField.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(findInText, WAIT);
});
searchField.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  clearTimeout(typing);
  if (!hits.starts.length) findInText();
  // From the part in sight on, at first.
  goToHit(hit < 0 ? lastUpTo(hits.starts, inSight()[0]) + 1 : hit + (event.shiftKey ? -1 : 1));
});
document.querySelector(".bar").addEventListener("click", (event) => {
  const button = event.target.closest("[data-hit]");
  if (button) goToHit(hit < 0 ? lastUpTo(hits.starts, inSight()[0]) + 1 : hit + Number(button.dataset.hit));
});
hitsList.addEventListener("click", (event) => {
  const link = event.target.closest("[data-place]");
  if (!link) return;
  event.preventDefault();
  goToHit(Number(link.dataset.place));
});
