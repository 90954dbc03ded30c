"use strict";

// Where things are. A place is a number of UTF-16 units from the start of the text, as scripts count.
const data = JSON.parse(document.getElementById("data").textContent);
const article = document.querySelector("article");
const sections = article.children;

// Of each person by id: where the mentions start and end, of what kind they are and how probable.
const people = new Map(
  data.people.map((person) => {
    let place = 0;
    const starts = person.starts.map((step) => (place += step));
    return [person.id, { ...person, starts, ends: starts.map((start, number) => start + person.lengths[number]) }];
  }),
);

// Steps from one number to the next, as the numbers themselves.
function added(steps) {
  let sum = 0;
  return steps.map((step) => (sum += step));
}
const paragraphs = added(data.paragraphs);

// The whole text, put together when first asked for.
let whole = null;
function wholeText() {
  return (whole ??= [...sections].map((section) => section.textContent).join(""));
}

// The index of the last of rising numbers that is not above a value; -1 if there is none.
function lastUpTo(numbers, value) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// What the text has between two places.
function wordsAt(start, end) {
  return wholeText().slice(Math.max(0, start), Math.max(0, end));
}

// The same as a range of the page, as far as it is in the section of the first place.
function rangeAt(start, end) {
  const number = Math.max(0, lastUpTo(data.sections, start));
  end = Math.min(end, data.sections[number + 1] ?? data.length);
  const range = document.createRange();
  const walker = document.createTreeWalker(sections[number], NodeFilter.SHOW_TEXT);
  let place = data.sections[number];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (start >= place && start < place + node.length) range.setStart(node, start - place);
    if (end > place && end <= place + node.length) range.setEnd(node, end - place);
    place += node.length;
  }
  return range;
}

// The place of the text at a height of the window; within a section, as if all its lines were alike.
function placeAtHeight(height) {
  let low = 0;
  let high = sections.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sections[middle].getBoundingClientRect().bottom > height) high = middle;
    else low = middle + 1;
  }
  if (high < 0) return 0;
  const box = sections[low].getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (height - box.top) / (box.height || 1)));
  const start = data.sections[low];
  return Math.round(start + share * ((data.sections[low + 1] ?? data.length) - start));
}

// The part of the text in sight, above what stays at the foot of the window.
const foot = document.querySelector(".foot");
function inSight() {
  return [placeAtHeight(0), placeAtHeight(innerHeight - foot.offsetHeight)];
}

// Bring a place of the text to the middle; twice, as in reveal.
function revealPlace(start, end) {
  const range = rangeAt(start, end);
  const bring = () => scrollBy({ top: range.getBoundingClientRect().top - innerHeight / 3, behavior: "instant" });
  sections[Math.max(0, lastUpTo(data.sections, start))].scrollIntoView({ block: "start", behavior: "instant" });
  bring();
  requestAnimationFrame(bring);
  if (!CSS.highlights) return;
  const passage = new Highlight(range);
  passage.priority = 1; // over other places found
  CSS.highlights.set("passage", passage);
}

// Tell the style how much room the foot takes from the text.
function makeRoom() {
  document.documentElement.style.setProperty("--foot", `${foot.offsetHeight}px`);
}

// A new element with classes and words.
function element(name, classes, words = "") {
  const made = document.createElement(name);
  made.className = classes;
  made.textContent = words;
  return made;
}
