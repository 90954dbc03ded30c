// Corrections: the report in the frame asks for them, the server keeps them, and the report is then shown anew.
"use strict";
(() => {
  const place = document.querySelector("[data-result]").dataset.result;
  const main = document.querySelector("main.framed");
  let frame = main.querySelector("iframe");
  let coming = null; // the report that is on its way
  let isStale = false; // whether something was corrected since it was asked for
  let edits = []; // the corrections made, in words
  let shown = []; // those that the report shows
  let former = null; // the report before the last correction, and the corrections that it shows

  async function send(edit) {
    const options = edit
      ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(edit) }
      : { method: "DELETE" };
    const answer = await fetch(`${place}/edits${edit ? "" : "/last"}`, options).catch(() => null);
    if (!answer) return { error: "The server does not answer. Try again." };
    const values = await answer.json();
    if (answer.ok) {
      edits = values.edits.map(({ words }) => words);
      if (!coming && former && String(edits) === String(former.shown)) setTimeout(goBack); // once the report has its answer
      else showAgain();
    }
    return values;
  }

  // The report before the last correction is still there: taking the correction back shows it at once.
  function goBack() {
    const { frame: next, shown: before } = former;
    former = null;
    next.contentWindow.takeBack();
    show(next, before);
    former.frame.remove();
    former = null;
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
    coming = null;
    show(next, edits);
  }

  // Put a report in the place of the one that is shown, which stays out of sight.
  function show(next, itsEdits) {
    const hadFocus = document.activeElement === frame;
    const view = frame.contentWindow.viewState();
    next.classList.remove("coming", "former");
    next.inert = false;
    former?.frame.remove();
    former = { frame, shown };
    frame.classList.add("former");
    frame.inert = true;
    [frame, shown] = [next, itsEdits];
    frame.contentWindow.allowEdits(send, shown.length);
    if (hadFocus) frame.focus();
    frame.contentWindow.restoreView(view);
  }

  async function begin() {
    const answer = await fetch(`${place}/edits`).catch(() => null);
    if (!answer?.ok) return;
    edits = shown = (await answer.json()).edits.map(({ words }) => words);
    frame.contentWindow.allowEdits?.(send, shown.length);
  }
  if (frame.contentDocument?.readyState === "complete" && frame.contentWindow.allowEdits) begin();
  else frame.addEventListener("load", begin, { once: true });
})();
