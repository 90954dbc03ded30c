// Corrections: the report in the frame asks for them, the server keeps them, and the report is then shown anew.
"use strict";
(() => {
  const place = document.querySelector("[data-result]").dataset.result;
  const main = document.querySelector("main.framed");
  let frame = main.querySelector("iframe");
  let coming = null; // the report that is on its way
  let isStale = false; // whether something was corrected since it was asked for
  let count = 0; // of corrections

  async function send(edit) {
    const options = edit
      ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(edit) }
      : { method: "DELETE" };
    const answer = await fetch(`${place}/edits${edit ? "" : "/last"}`, options).catch(() => null);
    if (!answer) return { error: "The server does not answer. Try again." };
    const values = await answer.json();
    if (answer.ok) {
      count = values.edits.length;
      showAgain();
    }
    return values;
  }

  // The new report is loaded out of sight and then takes the old one's place.
  function showAgain() {
    isStale = coming !== null;
    if (isStale) return; // one at a time: writing the report of a novel takes seconds
    coming = frame.cloneNode();
    coming.inert = true;
    coming.classList.add("coming");
    coming.addEventListener("load", (event) => replace(event.target));
    main.append(coming);
  }

  function replace(next) {
    if (next !== coming) return;
    if (isStale) {
      coming.remove();
      coming = null;
      showAgain();
      return;
    }
    if (frame.contentWindow.isAsking()) {
      setTimeout(replace, 200, next);
      return;
    }
    const hadFocus = document.activeElement === frame;
    const view = frame.contentWindow.viewState();
    next.classList.remove("coming");
    next.inert = false;
    frame.remove();
    frame = next;
    coming = null;
    frame.contentWindow.allowEdits(send, count);
    if (hadFocus) frame.focus();
    frame.contentWindow.restoreView(view);
  }

  async function begin() {
    const answer = await fetch(`${place}/edits`).catch(() => null);
    if (!answer?.ok) return;
    count = (await answer.json()).edits.length;
    frame.contentWindow.allowEdits?.(send, count);
  }
  if (frame.contentDocument?.readyState === "complete" && frame.contentWindow.allowEdits) begin();
  else frame.addEventListener("load", begin, { once: true });
})();
