
// Several people at once: whoever is beside the person chosen, and the passages that mention all of them.
const togetherPart = document.querySelector(".together");
const SHOWN = 140; // characters of a passage in the list

let beside = []; // ids
let passages = []; // numbers of paragraphs

function paragraphsOf(person) {
  return new Set(people.get(person).starts.map((start) => lastUpTo(paragraphs, start)));
}

function sharedPassages(ids) {
  const [first, ...others] = ids.map(paragraphsOf);
  return [...first].filter((paragraph) => others.every((other) => other.has(paragraph))).sort((one, other) => one - other);
}

function showTogether(ids) {
  for (const id of beside) for (const mark of marksOf(id)) mark.classList.remove("chosen");
  beside = ids;
  togetherPart.hidden = chosen === null;
  if (chosen === null) return showOnTimeline("together", "", []);
  for (const id of beside) for (const mark of marksOf(id)) mark.classList.add("chosen");
  const heading = element("h2", "", beside.length ? "Together" : "Together with somebody");
  const who = element("p", "who");
  for (const id of [chosen, ...beside]) {
    const button = personButton(id);
    button.removeAttribute("data-person");
    button.removeAttribute("aria-pressed");
    button.dataset.leave = id;
    button.title = "Take out";
    who.append(button);
  }
  who.append(addField());
  togetherPart.replaceChildren(heading, who);
  passages = beside.length ? sharedPassages([chosen, ...beside]) : [];
  showOnTimeline("together", "together", passages.map((number) => paragraphs[number]), goToPassage);
  if (!beside.length) return;
  const count = passages.length;
  togetherPart.append(element("p", "quiet", count ? `${count.toLocaleString("en")} shared ${count === 1 ? "passage" : "passages"}` : "No passage mentions all of them."));
  listPassages(0);
}

// People who can be added: those who share most passages with whoever is chosen come first.
function addField() {
  const field = element("select", "");
  field.ariaLabel = "Add a person";
  field.append(new Option("+ add a person", ""));
  const isIn = new Set([chosen, ...beside]);
  const sorted = entries.filter(({ item, isBeyond }) => !isBeyond && !isIn.has(Number(item.dataset.person))).sort(orders.mentions);
  for (const { item, name } of sorted.slice(0, 200)) field.append(new Option(name, item.dataset.person));
  field.addEventListener("change", () => field.value && addBeside(Number(field.value)));
  return field;
}

function addBeside(person) {
  if (person === chosen || beside.includes(person)) return;
  showTogether([...beside, person]);
}

function leave(person) {
  if (person !== chosen) return showTogether(beside.filter((other) => other !== person));
  const [next, ...rest] = beside;
  if (next === undefined) return clear();
  choose(next);
  showTogether(rest);
}

function listPassages(first) {
  togetherPart.querySelector("ol")?.remove();
  const list = element("ol", "contexts");
  list.ariaLabel = "Shared passages";
  passages.slice(first, first + PORTION).forEach((paragraph, at) => {
    const [start, end] = [paragraphs[paragraph], paragraphs[paragraph + 1] ?? data.length];
    const link = element("a", end - start > SHOWN ? "cut" : "", wordsAt(start, Math.min(end, start + SHOWN)).trim().replace(/\s+/g, " "));
    link.href = `#g${paragraph + 1}`;
    link.dataset.passage = first + at;
    const item = element("li", "");
    item.append(link);
    list.append(item);
  });
  const left = passages.length - first - PORTION;
  if (left > 0) {
    const button = element("button", "", `${left.toLocaleString("en")} after`);
    button.type = "button";
    button.addEventListener("click", () => listPassages(first + PORTION));
    const item = element("li", "");
    item.append(button);
    list.append(item);
  }
  togetherPart.append(list);
}

function goToParagraph(paragraph) {
  revealPlace(paragraphs[paragraph], paragraphs[paragraph + 1] ?? data.length);
}

function goToPassage(number) {
  togetherPart.querySelector("[aria-current]")?.removeAttribute("aria-current");
  togetherPart.querySelector(`[data-passage="${number}"]`)?.setAttribute("aria-current", "true");
  goToParagraph(passages[number]);
}
