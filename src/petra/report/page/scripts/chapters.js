
// The chapters: a field at the top that says which one is in sight, and who is in each.
const chapterField = document.getElementById("chapter");
const chapterLinks = [...document.querySelectorAll("details.chapters a")];
const IN_CHAPTER = 4; // people told of a chapter

function showChapter(place) {
  if (!chapterLinks.length || document.activeElement === chapterField) return;
  chapterField.selectedIndex = lastUpTo(data.chapters, place) + 1;
}

function goToChapter(number) {
  const heading = document.getElementById(`ch${number}`);
  makeRoom();
  heading?.scrollIntoView({ block: "start", behavior: "instant" });
  requestAnimationFrame(() => heading?.scrollIntoView({ block: "start", behavior: "instant" }));
}

// Who is mentioned most often in each chapter.
function tellChapters() {
  const counts = data.chapters.map(() => new Map());
  for (const [id, { starts }] of people) {
    for (const start of starts) {
      const at = lastUpTo(data.chapters, start);
      if (at >= 0) counts[at].set(id, (counts[at].get(id) ?? 0) + 1);
    }
  }
  chapterLinks.forEach((link, at) => {
    const most = [...counts[at]].sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, IN_CHAPTER);
    const who = element("span", "who");
    for (const [id, count] of most) who.append(personButton(id, count));
    link.after(who);
  });
}

// A button that chooses a person.
function personButton(id, count) {
  const button = element("button", "person");
  button.type = "button";
  button.dataset.person = id;
  button.ariaPressed = String(id === chosen);
  const name = element("span", "name");
  name.append(element("bdi", "", entryOf(id).name));
  button.append(element("span", `number ${lookOf(id)}`, id), name);
  if (count !== undefined) button.append(element("small", "", count.toLocaleString("en")));
  return button;
}

if (chapterLinks.length) {
  chapterField.append(new Option("before the first chapter", "", true, true));
  chapterField.append(...chapterLinks.map((link) => new Option(link.textContent, link.hash)));
  chapterField.hidden = false;
  chapterField.addEventListener("change", () => {
    if (!chapterField.value) return scrollTo(0, 0);
    if (chapterField.value === location.hash) follow();
    else location.hash = chapterField.value;
  });
  const panel = document.querySelector("details.chapters");
  let isTold = false;
  const open = () => {
    if (panel.open && !isTold) tellChapters();
    isTold ||= panel.open;
  };
  panel.addEventListener("toggle", open);
  open();
}
