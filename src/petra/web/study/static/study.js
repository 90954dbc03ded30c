// Keys for the answers, and the time that the page is looked at. Without it the form works as well.
"use strict";
(() => {
  const form = document.querySelector("form.answer");
  if (!form) return;
  document.documentElement.classList.add("scripted");
  const seconds = form.elements.seconds;
  const before = Number(seconds.value);
  let seen = 0; // milliseconds in sight until the page was last hidden
  let since = document.hidden ? null : performance.now();

  const total = () => before + Math.round((seen + (since === null ? 0 : performance.now() - since)) / 1000);
  document.addEventListener("visibilitychange", () => {
    if (since !== null) seen += performance.now() - since;
    since = document.hidden ? null : performance.now();
  });
  form.addEventListener("submit", () => {
    seconds.value = total();
  });
  // A page that comes back from the browser's memory shows what is saved by now.
  addEventListener("pageshow", (event) => event.persisted && location.reload());

  const choices = new Map([...form.querySelectorAll("[name=choice]")].map((choice) => [choice.value[0].toLowerCase(), choice]));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isWriting = event.target.closest("textarea");
    if (event.key === "Escape" && isWriting) event.target.blur();
    if (isWriting || event.target.closest("button, a, summary")) return;
    const key = event.key.toLowerCase();
    if (event.key === "Enter") {
      event.preventDefault();
      form.requestSubmit(form.querySelector(".go"));
    } else if (choices.has(key)) {
      choices.get(key).checked = true;
      choices.get(key).focus({ preventScroll: true });
    } else if (key === "c") {
      event.preventDefault();
      form.elements.comment.focus();
    }
  });
})();
