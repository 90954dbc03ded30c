
// Files of what the page holds, as petra export writes them; places are characters of the original text.
const pageTitle = document.querySelector("h1").textContent;
const KIND_NAMES = { n: "name", o: "nominal", p: "pronoun" };
const told = document.getElementById("told");

// Where the original runs ahead (after a line end of two characters) or behind (after a character of two units).
const shifts = data.shifts ?? [];
const shiftPlaces = shifts.map(([place]) => place);

function offsetOf(place) {
  const at = lastUpTo(shiftPlaces, place);
  return place + (at < 0 ? 0 : shifts[at][1]);
}

// The words between two places as the original has them.
function originalWords(start, end) {
  let words = wordsAt(start, end);
  for (let at = lastUpTo(shiftPlaces, end); at >= 0 && shiftPlaces[at] > start; at -= 1) {
    const place = shiftPlaces[at] - 1 - start; // of the line end
    if (shifts[at][1] > (shifts[at - 1]?.[1] ?? 0)) words = `${words.slice(0, place)}\r${words.slice(place)}`;
  }
  return words;
}

// A table whose rows have cells by the names of columns; the columns are those of export/rows.py.
function csv(table, rows) {
  const columns = data.columns[table];
  const beside = data.cells?.[table] ?? {}; // cells of columns that the rows do not have
  const cell = (value) => {
    const words = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  };
  const cells = (row, number) => columns.map((name) => (name in beside ? beside[name][number] : row[name]));
  return [columns, ...rows.map(cells)].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

function chapterOf(place) {
  const at = lastUpTo(data.chapters, place);
  return at < 0 ? "" : at + 1;
}

function mentionsOf(id) {
  const { starts, ends, kinds, probabilities } = people.get(id);
  return starts.map((start, number) => ({
    start: offsetOf(start),
    end: offsetOf(ends[number]),
    text: originalWords(start, ends[number]),
    kind: KIND_NAMES[kinds[number]],
    probability: probabilities[number] / 100,
  }));
}

const ids = data.people.map(({ id }) => id); // in the order of first mention
const nameOf = (id) => (id && entryOf(id) ? entryOf(id).name : "");

function mentionsCsv() {
  const rows = ids.flatMap((id) =>
    mentionsOf(id).map((mention, number) => ({
      ...mention,
      person: id,
      name: nameOf(id),
      chapter: chapterOf(people.get(id).starts[number]),
    })),
  );
  rows.sort((one, other) => one.start - other.start || one.end - other.end || one.person - other.person);
  return csv("mentions", rows);
}

function peopleCsv() {
  const rows = ids.map((id) => {
    const { starts, kinds } = people.get(id);
    const count = (kind) => kinds.split(kind).length - 1;
    const spoken = quotations.filter(({ speaker }) => speaker === id);
    return {
      id,
      name: nameOf(id),
      mentions: starts.length,
      names: count("n"),
      nominals: count("o"),
      pronouns: count("p"),
      first: offsetOf(starts[0]),
      last: offsetOf(starts.at(-1)),
      in_cast: profiles.has(String(id)) ? "yes" : "no",
      quotations: spoken.length,
      words_spoken: spoken.reduce((sum, quotation) => sum + said(quotation).split(" ").length, 0),
      other_names: [...entryOf(id).item.querySelectorAll("p bdi")].map((name) => name.textContent).join("; "),
    };
  });
  return csv("people", rows);
}

function quotationsCsv() {
  const rows = quotations.map((quotation) => ({
    start: offsetOf(quotation.start),
    end: offsetOf(quotation.end),
    speaker: quotation.speaker || "",
    speaker_name: nameOf(quotation.speaker),
    addressee: quotation.addressee || "",
    addressee_name: nameOf(quotation.addressee),
    found_by: quotation.way,
    probability: quotation.probability / 100,
    text: said(quotation),
    parts: quotation.parts.map(([from, to]) => `${offsetOf(from)}-${offsetOf(to)}`).join(" "),
  }));
  return csv("quotations", rows);
}

function everythingJson() {
  const found = {
    schema: "petra.tracking/1",
    source: pageTitle,
    characters: offsetOf(data.length),
    people: ids.map((id) => ({ id, name: nameOf(id), mentions: mentionsOf(id) })),
    quotations: quotations.map(({ start, end, parts, speaker, addressee, way, probability }) => ({
      start: offsetOf(start),
      end: offsetOf(end),
      parts: parts.map((part) => part.map(offsetOf)),
      speaker: speaker || null,
      addressee: addressee || null,
      found_by: way,
      probability: probability / 100,
    })),
  };
  return JSON.stringify(found, null, 1);
}

const FILES = {
  mentions: [".csv", "text/csv", mentionsCsv],
  people: [".people.csv", "text/csv", peopleCsv],
  quotations: [".quotations.csv", "text/csv", quotationsCsv],
  json: [".json", "application/json", everythingJson],
};

function saveFile(name, type, words) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([words], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// A link to what is in sight: the people and the mention chosen, or the address as it is.
function linkHere() {
  const place = new URL(location.href);
  if (chosen !== null && beside.length) place.hash = `p${[chosen, ...beside].join("+")}`;
  else if (chosen !== null) place.hash = `m${chosen}-${Math.max(0, here) + 1}`;
  return place.href;
}

async function copyLink() {
  const link = linkHere();
  try {
    await navigator.clipboard.writeText(link);
    told.textContent = "Link copied.";
  } catch {
    location.hash = new URL(link).hash;
    told.textContent = "The link is in the address.";
  }
  setTimeout(() => (told.textContent = ""), 4000);
}

document.getElementById("copy-link").addEventListener("click", copyLink);
const menu = document.querySelector(".menu");
if (!quotations.length) menu.querySelector('[data-save="quotations"]').parentElement.remove();
menu.addEventListener("click", (event) => {
  const button = event.target.closest("[data-save]");
  if (!button) return;
  const [ending, type, write] = FILES[button.dataset.save];
  saveFile(`${pageTitle.replace(/\.\w{1,4}$/, "")}${ending}`, type, write());
  menu.open = false;
});
document.addEventListener("click", (event) => {
  if (!menu.contains(event.target)) menu.open = false;
});
