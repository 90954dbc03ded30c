
// The quotations: a list of those that are asked for, drawn in portions.
const quotationsPanel = document.querySelector(".quotations");
const quotationsList = quotationsPanel?.querySelector("ol");
const speakerField = document.getElementById("speaker");
const addresseeField = document.getElementById("addressee");
const wayField = document.getElementById("way");
const WAYS = ["explicit", "anaphoric", "turn", "implicit", "cue"]; // as in domain.py
const CORRECTED = 10; // added to the way, as in page_data.py
const LONGEST_QUOTATION = 200; // characters in the list

const quotations = data.quotations.map(([speaker, addressee, way, probability, ...steps], number) => {
  const [start, end, ...places] = added(steps);
  const parts = [];
  for (let at = 0; at < places.length; at += 2) parts.push([places[at], places[at + 1]]);
  return { number, speaker, addressee, way: WAYS[way % CORRECTED], corrected: way >= CORRECTED, probability, start, end, parts };
});

// What is said, on one line.
function said({ parts }) {
  return parts.map(([start, end]) => wholeText().slice(start, end)).join(" ").trim().replace(/\s+/g, " ");
}

function fillField(field, ids, nobody) {
  const counts = new Map();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const listed = [...counts].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  field.append(new Option("anybody", ""));
  for (const [id, count] of listed) {
    const name = id && entryOf(id) ? entryOf(id).name : nobody;
    field.append(new Option(`${name} (${count.toLocaleString("en")})`, id));
  }
}

function wantedQuotations() {
  return quotations.filter(
    ({ speaker, addressee, way }) =>
      (!speakerField.value || speaker === Number(speakerField.value)) &&
      (!addresseeField.value || addressee === Number(addresseeField.value)) &&
      (!wayField.value || way === wayField.value),
  );
}

function listQuotations(first = 0) {
  if (!quotationsPanel.open) return;
  if (!speakerField.options.length) {
    fillField(speakerField, quotations.map(({ speaker }) => speaker), "somebody");
    fillField(addresseeField, quotations.map(({ addressee }) => addressee), "nobody in particular");
    wayField.append(...WAYS.filter((way) => quotations.some((one) => one.way === way)).map((way) => new Option(way)));
  }
  const wanted = wantedQuotations();
  document.getElementById("quoted").textContent =
    wanted.length < quotations.length ? `${wanted.length.toLocaleString("en")} of ${quotations.length.toLocaleString("en")}` : "";
  const items = wanted.slice(first, first + PORTION).map(quotationItem);
  const more = (words, from) => {
    const button = element("button", "more", words);
    button.type = "button";
    button.addEventListener("click", () => {
      listQuotations(from);
      quotationsList.scrollTop = 0;
    });
    const item = element("li", "");
    item.append(button);
    return item;
  };
  if (first > 0) items.unshift(more(`${first.toLocaleString("en")} before`, Math.max(0, first - PORTION)));
  const left = wanted.length - first - PORTION;
  if (left > 0) items.push(more(`${left.toLocaleString("en")} after`, first + PORTION));
  quotationsList.replaceChildren(...items);
  showOnTimeline("said", "quotations", wanted.length < quotations.length ? wanted.map(({ start }) => start) : [], (at) =>
    revealPlace(wanted[at].start, wanted[at].end),
  );
}

function quotationItem(quotation) {
  const item = element("li", "");
  const who = (id) => (id && entryOf(id) ? personButton(id) : null);
  item.append(who(quotation.speaker) ?? "Somebody");
  const addressee = who(quotation.addressee);
  if (addressee) item.append(" to ", addressee);
  const words = said(quotation);
  const link = element("a", "");
  link.href = `#q${quotation.number + 1}`;
  link.append(element("bdi", "", words.length > LONGEST_QUOTATION ? `${words.slice(0, LONGEST_QUOTATION - 1).trimEnd()}…` : words));
  const way = element("span", "way", quotation.corrected ? "corrected" : `${quotation.way}, ${(quotation.probability / 100).toFixed(2)}`);
  const correct = element("button", "correct", "Set speaker");
  correct.type = "button";
  correct.dataset.quotation = `${offsetOf(quotation.start)}-${offsetOf(quotation.end)}`;
  item.append(": ", link, " ", way, " ", correct);
  return item;
}

// The quotations of one person, perhaps to another.
function showSpeech(speaker, addressee = "") {
  quotationsPanel.open = true;
  listQuotations(); // so that the fields have their options
  [speakerField.value, addresseeField.value, wayField.value] = [speaker, addressee, ""];
  listQuotations();
  quotationsPanel.scrollIntoView({ block: "start", behavior: "instant" });
}

if (quotationsPanel) {
  quotationsPanel.addEventListener("toggle", () => listQuotations());
  for (const field of [speakerField, addresseeField, wayField]) field.addEventListener("change", () => listQuotations());
}
