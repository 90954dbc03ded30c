// Sends a text to be read, once or by two models, and shows how far it is.
"use strict";
(() => {
  const EXAMPLE =
    "Ruth Calloway wrote her first novel on the night train to Lisbon. Her editor, Paul Brandt, thought it too long, " +
    "but he printed every word of it. Years later she told Maria Lenz that the only line she would cut was the one " +
    "he had praised.";
  const find = (selector) => document.querySelector(selector);
  const form = find("form");
  const text = find("#text");
  const chosen = find(".file");
  const count = find("[data-count]");
  const notice = find(".notice[role=alert]");
  const progress = find(".progress");
  const most = Number(form.dataset.maxCharacters);
  const number = new Intl.NumberFormat("en");
  let file = null; // the text of a file as it is: a text area would change its line ends
  let jobs = []; // those under way

  const length = (words) => words.length - (words.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0); // as the server counts characters

  function tell(words) {
    notice.textContent = words;
    notice.hidden = !words;
  }

  function counted() {
    const characters = length(file ? file.text : text.value);
    count.textContent = characters ? `${number.format(characters)} characters` : "";
    return characters;
  }

  async function take(given) {
    tell("");
    if (given.size > 4 * most) {
      tell(`${given.name} is too long: this server reads up to ${number.format(most)} characters.`);
      return;
    }
    try {
      const words = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await given.arrayBuffer());
      if (words.includes("\0")) throw new TypeError("binary");
      file = { name: given.name, text: words };
    } catch {
      tell(`${given.name} is not plain text in UTF-8. Save it as such and choose it again.`);
      return;
    }
    chosen.querySelector("span").textContent = given.name;
    chosen.hidden = false;
    text.hidden = text.disabled = true;
    counted();
  }

  function drop() {
    file = null;
    find("#file").value = "";
    chosen.hidden = true;
    text.hidden = text.disabled = false;
    counted();
    text.focus();
  }

  const value = (selector) => (find(selector).value === "" ? null : Number(find(selector).value));

  async function begin(model) {
    const answer = await fetch("/api/jobs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        text: file ? file.text : text.value,
        source: file ? file.name.slice(0, 200) : null,
        model,
        cells: value("#cells"),
        threshold: value("#threshold"),
        keep: find("#keep").checked,
      }),
    });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error);
    return told;
  }

  function bar(job) {
    const row = document.createElement("div");
    const words = document.createElement("p");
    const drawn = document.createElement("progress");
    drawn.setAttribute("aria-label", job.model);
    row.append(words, drawn);
    find("[data-bars]").append(row);
    const began = performance.now();
    return (status) => {
      const { state, done, whole } = status;
      if (whole) [drawn.max, drawn.value] = [whole, done];
      else drawn.removeAttribute("value");
      const left = done ? ((performance.now() - began) / 1000) * (whole / done - 1) : 0;
      const soon = left > 5 ? `, about ${number.format(Math.ceil(left))} s left` : "";
      words.textContent =
        state === "waiting" ? `${job.model}: waiting for its turn`
        : state === "loading" && whole ? `${job.model}: fetching its encoder, ${(100 * done / whole).toFixed(0)} %`
        : state === "loading" ? `${job.model}: loading the model`
        : whole ? `${job.model}: ${number.format(done)} of ${number.format(whole)} tokens read${soon}`
        : `${job.model}: reading`;
    };
  }

  function follow(job) {
    const draw = bar(job);
    return new Promise((resolve, reject) => {
      const events = new EventSource(`/api/jobs/${job.id}/events`);
      job.close = () => events.close();
      events.onmessage = (event) => {
        const status = JSON.parse(event.data);
        draw(status);
        if (status.state === "done") resolve(events.close());
        if (status.state === "failed") reject(new Error(status.error), events.close());
      };
      events.onerror = () => {
        if (events.readyState === EventSource.CLOSED) reject(new Error("The server does not answer. Try again."));
      };
    });
  }

  function giveUp() {
    for (const job of jobs) {
      if (job.close) job.close();
      fetch(`/api/jobs/${job.id}`, { method: "DELETE", keepalive: true }).catch(() => null);
    }
    jobs = [];
    form.hidden = false;
    progress.hidden = true;
  }

  async function read() {
    tell("");
    if (counted() > most) {
      tell(`The text is too long: this server reads up to ${number.format(most)} characters.`);
      return;
    }
    const models = [find("#model").value, find("#second").value].filter(Boolean);
    find("[data-bars]").replaceChildren();
    form.hidden = true;
    progress.hidden = false;
    find("[data-cancel]").focus();
    try {
      for (const model of models) jobs.push(await begin(model));
      await Promise.all(jobs.map(follow));
      const ids = jobs.map((job) => job.id);
      jobs = [];
      location.href = ids.length === 1 ? `/results/${ids[0]}` : `/compare/${ids.join("/")}`;
    } catch (error) {
      if (!jobs.length && form.hidden === false) return; // cancelled
      giveUp();
      tell(error instanceof TypeError ? "The server does not answer. Try again." : error.message);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    read();
  });
  text.addEventListener("input", counted);
  find("#file").addEventListener("change", (event) => event.target.files[0] && take(event.target.files[0]));
  find("[data-no-file]").addEventListener("click", drop);
  find("[data-example]").addEventListener("click", () => {
    if (file) drop();
    text.value = EXAMPLE;
    counted();
  });
  find("[data-cancel]").addEventListener("click", giveUp);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
  // What nobody waits for is not read to its end. A page that comes back from the browser's memory starts anew.
  addEventListener("pagehide", giveUp);
  find("[data-second]").hidden = find("#model").options.length < 2;
  counted();
})();
