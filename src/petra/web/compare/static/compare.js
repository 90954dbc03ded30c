// Filters without loading the texts again, and the way from one difference to the next.
"use strict";
(() => {
  const form = document.querySelector(".finding form");
  const list = document.querySelector("#list");
  document.documentElement.classList.add("scripted");
  if (!form) return;
  let current = 0; // the number of the difference that is looked at

  const item = (number) => document.getElementById(`l${number}`);

  function show(number) {
    for (const old of document.querySelectorAll(".current")) old.classList.remove("current");
    current = number;
    for (const place of document.querySelectorAll(`[data-difference="${number}"]`)) place.classList.add("current");
    const row = item(number);
    if (row) list.querySelector("ol").scrollTop = row.offsetTop - row.parentElement.clientHeight / 3;
  }

  function go(number) {
    show(number);
    // Twice: rows that come into sight may be higher than was guessed.
    const place = document.getElementById(`d${number}`);
    place.scrollIntoView({ block: "center" });
    requestAnimationFrame(() => place.scrollIntoView({ block: "center" }));
    history.replaceState(null, "", `#d${number}`);
  }

  function step(direction) {
    const numbers = [...list.querySelectorAll("[data-difference]")].map((row) => Number(row.dataset.difference));
    const after = numbers.filter((number) => (number - current) * direction > 0);
    if (after.length) go(direction > 0 ? after[0] : after.at(-1));
  }

  async function filter() {
    const query = new URLSearchParams(new FormData(form));
    const answer = await fetch(`${location.pathname}/list?${query}`).catch(() => null);
    if (!answer?.ok) return form.submit();
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    list.replaceChildren(...part.body.childNodes);
    history.replaceState(null, "", `${location.pathname}?${query}`);
    if (current) show(current);
    return undefined;
  }

  form.addEventListener("change", filter);
  document.querySelector(".stepping").addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
  });
  document.addEventListener("click", (event) => {
    const place = event.target.closest(".differences > li, .text [data-difference]");
    if (!place || String(getSelection())) return;
    event.preventDefault();
    go(Number(place.dataset.difference));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
  });
  const asked = /^#[de](\d+)$/.exec(location.hash);
  if (asked && document.getElementById(`d${asked[1]}`)) go(Number(asked[1]));
})();
