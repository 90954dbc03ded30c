
// Lists of many people take one stop of the Tab key each; arrow keys move in them. Mentions are gone to by j and k.
const LISTS = [peopleList, timelineRows].filter(Boolean);

function stopAt(list, item) {
  for (const other of list.querySelectorAll("[data-stop]")) {
    other.removeAttribute("data-stop");
    for (const control of other.querySelectorAll(":scope > button, :scope > p a")) control.tabIndex = -1;
  }
  if (!item) return;
  item.dataset.stop = "";
  for (const control of item.querySelectorAll(":scope > button, :scope > p a")) control.tabIndex = 0;
}

// The first of a list that is in sight, when the one before has gone.
function renewStops() {
  for (const list of LISTS) {
    const item = list.querySelector("[data-stop]");
    if (!item || item.hidden) stopAt(list, [...list.children].find(({ hidden }) => !hidden));
  }
}

for (const list of LISTS) {
  for (const control of list.querySelectorAll("li > button, li > p a")) control.tabIndex = -1;
  list.addEventListener("focusin", (event) => {
    const item = event.target.closest("li[data-person]");
    if (item && !("stop" in item.dataset)) stopAt(list, item);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!step || !event.target.matches("li > button[data-person]")) return;
    event.preventDefault();
    const shown = [...list.children].filter(({ hidden }) => !hidden);
    const at = shown.indexOf(event.target.parentElement) + step;
    shown[Math.min(shown.length - 1, Math.max(0, at))].querySelector("button").focus();
  });
}
arrange();

// The next or previous mention of anybody, from the one that has the focus or from the part in sight.
function stepOver(step) {
  mentionsInOrder ??= inOrder();
  const { all, starts } = mentionsInOrder;
  const focused = document.activeElement?.closest?.("article mark");
  const mention = focused && mentionOf(focused);
  const from = mention ? people.get(mention.person).starts[mention.number] : inSight()[0];
  let at = step > 0 ? lastUpTo(starts, mention ? from : from - 1) + 1 : lastUpTo(starts, from - 1);
  // Mentions that begin at one place are one stop: the outer one.
  while (at > 0 && starts[at - 1] === starts[at]) at -= 1;
  if (!all[at]) return;
  const number = people.get(all[at].id).starts.indexOf(all[at].start);
  const mark = markOf(all[at].id, number);
  mark.tabIndex = -1;
  mark.focus({ preventScroll: true });
  reveal(mark);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (event.key === "j" || event.key === "k") stepOver(event.key === "j" ? 1 : -1);
  else if (event.key === "Enter" && event.target.matches("article mark")) event.target.click();
  else if (event.key === "/") {
    event.preventDefault();
    searchField.focus();
  }
});
