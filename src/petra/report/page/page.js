"use strict";

// Choosing a person, in the list or in the text, shows only that person's mentions and
// steps through them. Without this script the page is still the whole report.
(() => {
  const finder = document.querySelector(".finder");
  const place = finder.querySelector("output");
  let button = null; // of the person chosen
  let mentions = [];
  let here = -1;

  function choose(person) {
    clear();
    button = document.querySelector(`nav button[data-person="${person}"]`);
    button.setAttribute("aria-pressed", "true");
    button.scrollIntoView({ block: "nearest" });
    mentions = [...document.querySelectorAll(`mark[data-person="${person}"]`)];
    for (const mention of mentions) mention.classList.add("chosen");
    document.body.classList.add("chosen-one");
    finder.hidden = false;
  }

  function clear() {
    if (button) button.setAttribute("aria-pressed", "false");
    for (const mention of mentions) mention.classList.remove("chosen", "here");
    document.body.classList.remove("chosen-one");
    finder.hidden = true;
    button = null;
    mentions = [];
    here = -1;
  }

  function go(number) {
    if (!mentions.length) return;
    if (here >= 0) mentions[here].classList.remove("here");
    here = (number + mentions.length) % mentions.length;
    mentions[here].classList.add("here");
    mentions[here].scrollIntoView({ block: "center" });
    place.textContent = `${button.querySelector(".name").textContent} ${here + 1} of ${mentions.length}`;
  }

  // A link to a mention, from the list or from elsewhere, chooses its person.
  function follow() {
    const mention = /^#m\d+-\d+$/.test(location.hash) && document.querySelector(location.hash);
    if (!mention) return;
    choose(mention.dataset.person);
    go(mentions.indexOf(mention));
  }

  document.addEventListener("click", (event) => {
    const target = event.target.closest("nav button, mark, .finder button");
    if (!target) return;
    if (target.matches(".finder button")) {
      if (target.dataset.step) go(here + Number(target.dataset.step));
      else clear();
    } else if (target === button) {
      clear();
    } else {
      choose(target.dataset.person);
      go(Math.max(0, mentions.indexOf(target)));
    }
  });

  document.addEventListener("keydown", (event) => {
    if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") go(here + 1);
    else if (event.key === "p") go(here - 1);
    else if (event.key === "Escape") clear();
  });

  document.documentElement.classList.add("scripted");
  addEventListener("hashchange", follow);
  follow();
})();
