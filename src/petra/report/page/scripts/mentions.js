
// The person chosen: their mentions stand out in the text, are listed in context and stepped through.
const finder = document.querySelector(".finder");
const peoplePane = document.querySelector("nav");
const finderPlace = finder.querySelector("output");
const KINDS = { n: "name", o: "nominal", p: "pronoun" };
const CONTEXT = 36; // characters on either side of a mention in the list
const PORTION = 100; // mentions listed at once

let chosen = null; // id of the person
let here = -1; // number of the mention gone to, from 0
let contexts = null; // the list of mentions
let profile = null; // what else is known of the person

function markOf(person, number) {
  return document.getElementById(`m${person}-${number + 1}`);
}

function marksOf(person) {
  return article.querySelectorAll(`mark[data-person="${person}"]`);
}

function choose(person) {
  if (chosen === person) return;
  clear();
  chosen = person;
  const { item } = entryOf(person);
  const row = rowFor(entryOf(person));
  item.hidden = row.hidden = false; // whatever the list was cut down to
  for (const button of document.querySelectorAll(`button[data-person="${person}"]`)) button.ariaPressed = "true";
  for (const mark of marksOf(person)) mark.classList.add("chosen");
  document.body.classList.add("chosen-one");
  contexts = document.createElement("ol");
  contexts.className = "contexts";
  contexts.ariaLabel = "Mentions";
  profile = profileOf(person);
  if (profile) item.append(profile);
  item.append(contexts);
  listAround(0);
  row.scrollIntoView({ block: "nearest", behavior: "instant" });
  finder.hidden = false;
  showTogether([]);
  const depth = item.getBoundingClientRect().top - peoplePane.getBoundingClientRect().top;
  if (depth < 0 || depth > peoplePane.clientHeight / 2) peoplePane.scrollTop += depth; // the name, and room for what is known
}

function clear() {
  if (chosen === null) return;
  for (const button of document.querySelectorAll('button[aria-pressed="true"]')) button.ariaPressed = "false";
  for (const mark of marksOf(chosen)) mark.classList.remove("chosen", "here");
  document.body.classList.remove("chosen-one");
  contexts.remove();
  profile?.remove();
  finder.hidden = true;
  chosen = null;
  here = -1;
  CSS.highlights?.delete("passage");
  showTogether([]);
}

// A portion of the mentions in context: the one that a mention, by its number, is in.
function listAround(number) {
  const { starts } = people.get(chosen);
  const first = number - (number % PORTION);
  const end = Math.min(first + PORTION, starts.length);
  const items = [];
  if (first > 0) items.push(portionItem(`${first.toLocaleString("en")} before`, first - 1));
  for (let at = first; at < end; at += 1) items.push(contextItem(at));
  if (end < starts.length) items.push(portionItem(`${(starts.length - end).toLocaleString("en")} after`, end));
  contexts.replaceChildren(...items);
}

function contextItem(number) {
  const { starts, ends, kinds, probabilities } = people.get(chosen);
  const link = inContext(starts[number], ends[number]);
  link.href = `#m${chosen}-${number + 1}`;
  link.title = `${KINDS[kinds[number]]}, ${(probabilities[number] / 100).toFixed(2)}`;
  const item = document.createElement("li");
  item.append(link);
  return item;
}

// A link with the words between two places and those around them.
function inContext(start, end) {
  const link = document.createElement("a");
  const words = document.createElement("b");
  words.textContent = wordsAt(start, end);
  const before = wordsAt(start - CONTEXT, start);
  const after = wordsAt(end, end + CONTEXT);
  // A word that the context cuts through is left out.
  link.append(
    before.length < CONTEXT ? before : before.replace(/^\S*(?=\s)/, ""),
    words,
    after.length < CONTEXT ? after : after.replace(/(?<=\s)\S*$/, ""),
  );
  return link;
}

function portionItem(words, number) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = words;
  button.addEventListener("click", () => {
    listAround(number);
    linkTo(number).focus();
  });
  const item = document.createElement("li");
  item.append(button);
  return item;
}

// Scroll a list to one of its links, and nothing around the list.
function bringInto(list, link) {
  const { offsetTop: top, offsetHeight: height } = link;
  list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + height - list.clientHeight));
}

function linkTo(number) {
  return contexts.querySelector(`a[href="#m${chosen}-${number + 1}"]`);
}

// Go to a mention of the person chosen, by its number.
function go(number) {
  const count = people.get(chosen).starts.length;
  if (here >= 0) markOf(chosen, here)?.classList.remove("here");
  here = (number + count) % count;
  const mark = markOf(chosen, here);
  mark?.classList.add("here");
  contexts.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (!linkTo(here)) listAround(here);
  const link = linkTo(here);
  link.setAttribute("aria-current", "true");
  bringInto(contexts, link);
  reveal(mark);
  const { name } = entryOf(chosen);
  look();
  finderPlace.textContent = `${name} ${(here + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`;
  return mark;
}

// Bring an element of the text to the middle. Sections on the way get their true height only
// when they come into sight, so that the first jump may end beside the goal.
function reveal(element) {
  makeRoom();
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  requestAnimationFrame(() => element?.scrollIntoView({ block: "center", behavior: "instant" }));
}

// Which mention of which person an element of the text belongs to.
function mentionOf(mark) {
  const person = Number(mark.dataset.person);
  // A later piece of a mention that was cut in two has no name of its own.
  let first = mark;
  const all = [...marksOf(person)];
  while (first && !first.id) first = all[all.indexOf(first) - 1];
  return first ? { person, number: Number(first.id.split("-")[1]) - 1 } : null;
}
