// Corrections: the report in the frame asks for them, the server keeps them, and the report is then shown anew.
"use strict";
(() => {
  const MOST_FORMER = 5; // reports kept from before the last corrections
  const MOST_ELEMENTS = 150_000; // of these reports together: a novel of 350,000 words has 50,000, which take about 100 MB
  const place = document.querySelector("[data-result]").dataset.result;
  const main = document.querySelector("main.framed");
  let frame = main.querySelector("iframe");
  let coming = null; // the report that is on its way
  let isStale = false; // whether something was corrected since it was asked for
  let edits = []; // the corrections made, in words
  let shown = []; // those that the report shows
  let formers = []; // the reports before the last corrections, and the corrections that they show, fewest first

  async function send(edit) {
    const options = edit
      ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(edit) }
      : { method: "DELETE" };
    const answer = await fetch(`${place}/edits${edit ? "" : "/last"}`, options).catch(() => null);
    if (!answer) return { error: "The server does not answer. Try again." };
    const values = await answer.json();
    if (answer.ok) {
      edits = values.edits.map(({ words }) => words);
      const isThere = !edit && !coming && String(edits) === String(formers.at(-1)?.shown);
      if (isThere) setTimeout(goBack); // once the report has its answer
      else showAgain();
    }
    return values;
  }

  // The report before the last correction is still there: taking the correction back shows it at once.
  function goBack() {
    const { frame: next, shown: before } = formers.pop();
    next.contentWindow.takeBack();
    show(next, before);
  }

  // Former reports stay while they show fewer corrections than this one: the last one, and more as far as memory goes.
  function forget() {
    const kept = [];
    let elements = 0;
    for (const former of formers.reverse()) {
      elements += former.frame.contentDocument.getElementsByTagName("*").length;
      const fits = kept.length === 0 || (kept.length < MOST_FORMER && elements <= MOST_ELEMENTS);
      if (fits && former.shown.length < shown.length) kept.unshift(former);
      else former.frame.remove();
    }
    formers = kept;
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

  // Put a report in the place of the one that is shown, which stays out of sight for as long as it may be gone back to.
  function show(next, itsEdits) {
    const hadFocus = document.activeElement === frame;
    const view = frame.contentWindow.viewState();
    next.classList.remove("coming", "former");
    next.inert = false;
    formers.push({ frame, shown });
    frame.classList.add("former");
    frame.inert = true;
    [frame, shown] = [next, itsEdits];
    forget();
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
