// A result lives for as long as somebody looks at it: this page says that it still does.
"use strict";
(() => {
  const places = document.querySelector("[data-result]").dataset.result.split(" ");
  const notice = document.querySelector(".notice");

  function tell(words) {
    notice.textContent = words;
    notice.hidden = false;
  }

  async function stay() {
    for (const place of places) {
      const answer = await fetch(place).catch(() => null);
      if (answer && answer.status === 404) tell((await answer.json()).error);
    }
  }
  setInterval(stay, 60_000);
  document.addEventListener("visibilitychange", () => document.hidden || stay());

  document.querySelector("[data-remove]").addEventListener("click", async () => {
    const answers = await Promise.all(places.map((place) => fetch(place, { method: "DELETE" }).catch(() => null)));
    if (answers.every((answer) => answer && [204, 404].includes(answer.status))) location.href = "/";
    else tell("The server does not answer. Try again.");
  });

  // A menu closes when something else is wanted.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target) || event.target.closest("a")) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
