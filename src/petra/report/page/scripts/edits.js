// Corrections. They are made where a page around this one keeps them: `petra serve` calls allowEdits.
(() => {
  const editing = document.querySelector(".editing");
  const told = editing.querySelector("output");
  const asking = document.querySelector(".asking");
  const askedWords = asking.querySelector(".words");
  const askedPerson = asking.querySelector(".whom");
  const wordsField = askedWords.querySelector("input");
  const personField = askedPerson.querySelector("select");
  let sendEdit = null; // gives the server's answer to an edit, or to null, which takes the last one back
  let selected = null; // the part of the text last selected
  let previewed = []; // what takes back the corrections that this page shows, the last one last

  function allowEdits(send, count) {
    sendEdit = send;
    editing.hidden = false;
    document.documentElement.classList.add("editable");
    editing.querySelector('[data-edit="undo"]').disabled = count === 0;
    showEditing();
  }

  // Which corrections can be made of what is chosen.
  function showEditing() {
    if (!sendEdit) return;
    editing.querySelector(".of-person").hidden = chosen === null;
    editing.querySelector(".of-mention").hidden = chosen === null || here < 0;
    makeRoom();
  }

  // A place of the page in the text as given, which counts characters.
  const shiftPlaces = (data.shifts ?? []).map(([place]) => place);
  function givenPlace(place) {
    const at = lastUpTo(shiftPlaces, place);
    return at < 0 ? place : place + data.shifts[at][1];
  }

  function spanOf(person, number) {
    const { starts, ends } = people.get(person);
    return [givenPlace(starts[number]), givenPlace(ends[number])];
  }

  // A person by the first mention: numbers change with corrections, places do not.
  const whom = (person) => spanOf(person, 0);
  const mentionHere = () => [spanOf(chosen, here)];

  // The part of the text that is selected, in places of the page; null without one.
  function selection() {
    const own = getSelection();
    if (!own.rangeCount || own.isCollapsed) return null;
    const range = own.getRangeAt(0);
    const section = [...sections].findIndex((each) => each.contains(range.startContainer));
    if (section < 0 || !sections[section].contains(range.endContainer)) return null;
    const before = document.createRange();
    before.setStart(sections[section], 0);
    before.setEnd(range.startContainer, range.startOffset);
    const words = range.toString();
    const blank = words.length - words.trimStart().length;
    const start = data.sections[section] + before.toString().length + blank;
    return words.trim() ? { start, end: start + words.trim().length } : null;
  }

  // The next place of some words after what is in sight, and from the beginning if there is none.
  function findWords(words) {
    const from = inSight()[0];
    const found = (least) => {
      for (let number = Math.max(0, lastUpTo(data.sections, least)); number < sections.length; number += 1) {
        const at = sections[number].textContent.indexOf(words, Math.max(0, least - data.sections[number]));
        if (at >= 0) return { start: data.sections[number] + at, end: data.sections[number] + at + words.length };
      }
      return null;
    };
    return found(from) ?? found(0);
  }

  // Ask for words, for a person or for both; gives what was answered, or null.
  function ask({ title, words = null, value = "", person = false, nobody = null, without = null }) {
    asking.querySelector("h2").textContent = title;
    asking.querySelector(".problem").textContent = "";
    askedWords.hidden = words === null;
    askedWords.querySelector("span").textContent = words ?? "";
    wordsField.value = value;
    askedPerson.hidden = !person;
    const options = entries
      .filter(({ item }) => Number(item.dataset.person) !== without)
      .map(({ item, name }) => new Option(`${name} (${item.dataset.person})`, item.dataset.person));
    personField.replaceChildren(...(nobody === null ? [] : [new Option(nobody, "")]), ...options);
    if (person) personField.selectedIndex = 0;
    return new Promise((resolve) => {
      asking.returnValue = "no";
      asking.onclose = () => {
        const isChosen = asking.returnValue === "yes";
        resolve(isChosen ? { words: wordsField.value.trim(), person: personField.value ? Number(personField.value) : null } : null);
      };
      asking.showModal();
      (person && words === null ? personField : wordsField).focus();
      wordsField.select();
    });
  }

  const edits = {
    async rename() {
      const answer = await ask({ title: "Rename", words: "Name", value: entryOf(chosen).name });
      return answer?.words ? { edit: "rename", person: whom(chosen), name: answer.words } : undefined;
    },
    async merge() {
      const answer = await ask({ title: `Merge ${entryOf(chosen).name} with`, person: true, without: chosen });
      return answer?.person ? { edit: "merge", people: [whom(chosen), whom(answer.person)] } : undefined;
    },
    delete: async () => ({ edit: "delete", person: whom(chosen) }),
    async move() {
      const answer = await ask({ title: "Move the mention to", person: true, nobody: "a new person", without: chosen });
      if (!answer) return undefined;
      const mentions = mentionHere();
      return answer.person ? { edit: "move", mentions, person: whom(answer.person) } : { edit: "split", mentions };
    },
    split: async () => ({ edit: "split", mentions: mentionHere() }),
    remove: async () => ({ edit: "remove", mentions: mentionHere() }),
    async add() {
      const marked = selected;
      const value = marked ? wordsAt(marked.start, marked.end) : "";
      const answer = await ask({ title: "Add a mention", words: "Words of the text", value, person: true, nobody: "a new person" });
      if (!answer?.words) return undefined;
      const place = marked && answer.words === value ? marked : findWords(answer.words);
      if (!place) {
        tell(`The text has no “${answer.words}”.`, true);
        return undefined;
      }
      const mention = [givenPlace(place.start), givenPlace(place.end)];
      return { edit: "add", mentions: [mention], ...(answer.person ? { person: whom(answer.person) } : {}), place };
    },
    undo: async () => null,
  };

  async function setSpeaker(button) {
    const quotation = button.dataset.quotation.split("-").map(Number);
    const answer = await ask({ title: "Who says this?", person: true, nobody: "nobody" });
    if (!answer) return undefined;
    return { edit: "speaker", quotation, ...(answer.person ? { person: whom(answer.person) } : {}) };
  }

  function tell(words, isProblem = false) {
    told.textContent = words;
    told.classList.toggle("problem", isProblem);
    makeRoom();
  }

  async function make(edit) {
    if (edit === undefined) return;
    const { place, ...values } = edit ?? {};
    const answer = await sendEdit(edit && values);
    if (answer.error) {
      tell(answer.error, true);
      return;
    }
    const words = answer.edits.at(-1)?.words ?? "";
    tell(edit ? `Corrected: ${words}` : "Taken back");
    editing.querySelector('[data-edit="undo"]').disabled = answer.edits.length === 0;
    if (edit) preview(edit, place);
  }

  // Change an element, so that it can be changed back.
  function change(element, name, value) {
    const before = element[name];
    element[name] = value;
    previewed.push(() => (element[name] = before));
  }

  // Show a correction at once; the page as the server writes it anew follows.
  function preview(edit, place) {
    const person = chosen;
    const number = here;
    const looks = (id) => entryOf(id).item.querySelector(".number").className.replace("number ", "");
    const give = (mark, id) => {
      const before = mark.dataset.person;
      mark.dataset.person = id;
      previewed.push(() => (mark.dataset.person = before));
      change(mark, "className", `${looks(id)} corrected`);
    };
    const at = (span) => [...people.keys()].find((id) => String(whom(id)) === String(span));
    const drop = (mark) => {
      const words = [...mark.childNodes];
      mark.replaceWith(...words);
      previewed.push(() => {
        words[0].before(mark);
        mark.append(...words);
      });
    };
    const to = edit.person && at(edit.person);
    if (edit.edit === "rename") {
      for (const name of document.querySelectorAll(`[data-person="${person}"] > .name bdi, [data-person="${person}"] > button > .name bdi`)) change(name, "textContent", edit.name);
    } else if (edit.edit === "merge") {
      const other = at(edit.people[1]);
      for (const mark of marksOf(other)) give(mark, person);
      change(entryOf(other).item, "hidden", true);
    } else if (edit.edit === "delete") {
      for (const mark of marksOf(person)) drop(mark);
      change(entryOf(person).item, "hidden", true);
    } else if (edit.edit === "remove" || edit.edit === "split") {
      const mark = markOf(person, number);
      if (mark && edit.edit === "remove") drop(mark);
      else if (mark) change(mark, "className", `${mark.className} corrected`);
    } else if (edit.edit === "move" && markOf(person, number)) {
      give(markOf(person, number), to);
    } else if (edit.edit === "speaker") {
      const item = document.querySelector(`[data-quotation="${edit.quotation.join("-")}"]`).closest("li");
      const label = to && entryOf(to).item.querySelector("button").cloneNode(true);
      if (label) label.querySelector(".count").remove();
      const before = item.firstChild;
      const after = label || document.createTextNode("Somebody");
      before.replaceWith(after);
      previewed.push(() => after.replaceWith(before));
      change(item.querySelector(".way"), "textContent", "corrected");
    } else if (edit.edit === "add") {
      const mark = document.createElement("mark");
      mark.className = "corrected";
      if (to) give(mark, to);
      try {
        rangeAt(place.start, place.end).surroundContents(mark);
        previewed.push(() => mark.replaceWith(...mark.childNodes));
      } catch {
        // it crosses other mentions: the page that follows shows it
      }
    }
  }

  // Be again the page as the server wrote it.
  function takeBack() {
    clear();
    for (const back of previewed.reverse()) back();
    previewed = [];
    for (const mark of article.querySelectorAll("mark.chosen")) mark.classList.remove("chosen", "here");
  }

  // What the page after a correction takes over from this one.
  function viewState() {
    const { starts, ends } = people.get(chosen) ?? { starts: [], ends: [] };
    // Where the mention gone to is taken out, the next one of the person follows, or the one before.
    const mentions = here < 0 ? [] : [here, here + 1, here - 1].filter((number) => number in starts);
    return {
      place: placeAtHeight(innerHeight / 3),
      mentions: mentions.map((number) => [starts[number], ends[number]]),
      isOpen: document.querySelector(".quotations")?.open ?? false,
      words: told.textContent,
      focus: document.activeElement?.dataset?.edit ?? null,
    };
  }

  function mentionWith([start, end]) {
    for (const [person, { starts, ends }] of people) {
      const number = lastUpTo(starts, start);
      if (starts[number] === start && ends[number] === end) return { person, number };
    }
    return null;
  }

  function restoreView({ place, mentions, isOpen, words, focus }) {
    const quotations = document.querySelector(".quotations");
    if (quotations) quotations.open = isOpen;
    tell(words);
    const mention = mentions.map(mentionWith).find(Boolean);
    if (mention) {
      choose(mention.person);
      go(mention.number);
    } else if (place) {
      rangeAt(place, place + 1).startContainer.parentElement.scrollIntoView({ block: "center", behavior: "instant" });
    }
    showEditing();
    if (focus) editing.querySelector(`[data-edit="${focus}"]`)?.focus();
  }

  function isAsking() {
    return asking.open;
  }

  editing.addEventListener("pointerdown", () => {
    selected = selection();
  });
  editing.addEventListener("keydown", () => {
    selected = selection();
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-edit], [data-quotation], [data-answer]");
    if (button?.dataset.answer) asking.close(button.dataset.answer);
    else if (button?.dataset.edit) make(await edits[button.dataset.edit]());
    else if (button) make(await setSpeaker(button));
    else showEditing();
  });
  document.addEventListener("keyup", showEditing);
  asking.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.target.matches("button")) {
      event.preventDefault();
      asking.close("yes");
    }
  });

  // For the page around this one.
  Object.assign(window, { allowEdits, isAsking, viewState, restoreView, takeBack });
})();
