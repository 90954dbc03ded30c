
// What the user does: choosing people, stepping through mentions, looking at a part of the text.
function follow() {
  const [, kind, numbers] = /^#(ch|q|g|p)(\d+(?:\+\d+)*)$/.exec(location.hash) ?? [];
  const [number, ...others] = (numbers ?? "").split("+").map(Number);
  if (kind === "ch") return goToChapter(number);
  if (kind === "g" && number <= paragraphs.length) return goToParagraph(number - 1);
  if (kind === "q" && quotations[number - 1]) return revealPlace(quotations[number - 1].start, quotations[number - 1].end);
  if (kind === "p" && [number, ...others].every((id) => people.has(id))) {
    choose(number);
    return showTogether(others);
  }
  const found = /^#m(\d+)-(\d+)$/.exec(location.hash);
  if (!found || !document.getElementById(found[0].slice(1))) return;
  choose(Number(found[1]));
  const mark = go(Number(found[2]) - 1);
  mark.tabIndex = -1; // so that reading on with the keyboard begins here
  mark.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("button[data-person], button[data-with], button[data-leave], button[data-speaker], article mark, .finder button, a[href^='#']");
  if (!target) return;
  if (target.dataset.speaker) {
    showSpeech(target.dataset.speaker, target.dataset.addressee);
  } else if (target.dataset.with) {
    addBeside(Number(target.dataset.with));
    togetherPart.scrollIntoView({ block: "nearest", behavior: "instant" });
  } else if (target.dataset.leave) {
    leave(Number(target.dataset.leave));
  } else if (target.matches("a")) {
    if (target.hash === location.hash) follow(); // the address stays, and yet it is asked for
  } else if (target.matches(".finder button")) {
    if (target.dataset.step) go(here + Number(target.dataset.step));
    else clear();
  } else if (target.matches("mark")) {
    const mention = mentionOf(target);
    if (!mention) return;
    choose(mention.person);
    go(mention.number);
  } else if (chosen !== null && (event.ctrlKey || event.metaKey || event.shiftKey)) {
    addBeside(Number(target.dataset.person));
  } else if (Number(target.dataset.person) === chosen) {
    clear();
  } else {
    choose(Number(target.dataset.person));
    go(0);
  }
});

document.addEventListener("keydown", (event) => {
  if (chosen === null || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  if (event.key === "n") go(here + 1);
  else if (event.key === "p") go(here - 1);
  else if (event.key === "Escape") clear();
});

// Who is meant, and how sure the model was: told when it is pointed at.
article.addEventListener("pointerover", (event) => {
  const mark = event.target.closest("mark");
  const mention = mark && mentionOf(mark);
  if (!mention) return;
  const { kinds, probabilities } = people.get(mention.person);
  const { name } = entryOf(mention.person);
  mark.title = `${mention.person} ${name}: ${KINDS[kinds[mention.number]]}, ${(probabilities[mention.number] / 100).toFixed(2)}`;
  pointAt(mention);
});

document.getElementById("overlay")?.addEventListener("change", (event) => {
  article.classList.toggle("without-gold", !event.target.checked);
});

// After scrolling, what belongs to the part in sight follows: the frame at once, the log when it rests.
let resting = 0;
function look() {
  const [start, end] = inSight();
  frameInSight(start, end);
  showChapter(start);
  clearTimeout(resting);
  resting = setTimeout(() => {
    drawLog(...inSight());
    showHits(...inSight());
  }, 80);
}

new ResizeObserver(() => {
  makeRoom();
  look();
}).observe(foot);

document.documentElement.classList.add("scripted");
addEventListener("scroll", look, { passive: true });
addEventListener("resize", look);
addEventListener("hashchange", follow);
follow();
