// Plays the reading of a text: a token at a time, with what the memory decides and who is in its cells.
"use strict";
(() => {
  const SIZE = 200; // steps fetched at once
  const AROUND = 60; // tokens of text before and after
  const root = document.querySelector("[data-steps]");
  const total = Number(root.dataset.tokens);
  const passage = root.querySelector(".passage");
  const rows = root.querySelector("tbody");
  const now = root.querySelector("output");
  const slider = root.querySelector("input[type=range]");
  const play = root.querySelector("[data-go=play]");
  const notice = root.querySelector(".notice");
  const number = new Intl.NumberFormat("en");
  const parts = new Map(); // number of a part -> promise of its steps
  const names = new Map();
  let here = 0;
  let wanted = 0; // where we are going, while steps are being fetched
  let timer = null;

  function part(index) {
    if (!parts.has(index)) {
      const fetched = fetch(`${root.dataset.steps}?first=${index * SIZE}&count=${SIZE}`).then(async (answer) => {
        const told = await answer.json();
        if (!answer.ok) throw new Error(told.error);
        for (const person of told.people) names.set(person.id, person.name);
        return told;
      });
      fetched.catch(() => parts.delete(index));
      parts.set(index, fetched);
    }
    return parts.get(index);
  }

  const looks = JSON.parse(root.dataset.looks); // of the people mentioned most often, as in the report
  const look = (person) => (person ? (looks[person] ?? "rare") : "");

  function made(tag, words, ...classes) {
    const element = document.createElement(tag);
    element.textContent = words;
    element.className = classes.filter(Boolean).join(" ");
    return element;
  }

  // The steps around a place, from the parts that hold them.
  async function around(place) {
    const first = Math.max(0, place - AROUND);
    const last = Math.min(total, place + AROUND + 1);
    const needed = [];
    for (let index = Math.floor(first / SIZE); index * SIZE < last; index++) needed.push(part(index));
    const told = await Promise.all(needed);
    const steps = told.flatMap((one) => one.steps);
    const offset = told[0].first;
    return { steps: steps.slice(first - offset, last - offset), first, readBy: told[0].read_by };
  }

  function drawText(steps, first) {
    const words = [];
    if (first > 0) words.push(made("span", "… ", "quiet"));
    steps.forEach((step, index) => {
      words.push(document.createTextNode(index || !first ? step.before : step.before.trimStart()));
      const token = first + index;
      const isRead = token <= here; // what lies ahead is not known yet
      const span = made(token === here ? "mark" : "span", step.text, "token", isRead ? look(step.person) : "ahead");
      span.dataset.token = token;
      if (isRead && step.person) span.title = `${step.person}: ${names.get(step.person)}`;
      words.push(span);
    });
    if (first + steps.length < total) words.push(made("span", " …", "quiet"));
    passage.replaceChildren(...words);
    // Only the text moves, never the page.
    const mark = passage.querySelector("mark");
    const box = passage.parentElement;
    box.scrollTop = mark.offsetTop - box.offsetTop - box.clientHeight / 2;
  }

  function gauge(value, ...classes) {
    const cell = made("td", value.toFixed(2), "gauge", ...classes);
    cell.style.setProperty("--value", value);
    return cell;
  }

  function drawCells(step) {
    rows.replaceChildren(
      ...step.inside.map((person, cell) => {
        const written = step.written[cell];
        const meant = step.meant[cell];
        const row = made("tr", "", written && "written", meant && "meant");
        const who = made("td", "", "who");
        const head = made("th", String(cell + 1));
        head.scope = "row";
        if (person) {
          const name = made("bdi", names.get(person) ?? "");
          who.append(made("span", String(person), "number", look(person)), " ", name);
        } else who.append(made("span", step.usage[cell] ? "nobody known" : "empty", "quiet"));
        if (written) who.append(" ", made("strong", "written"));
        else if (meant) who.append(" ", made("strong", "meant"));
        row.append(
          head,
          who,
          gauge(step.overwrite_prob[cell], "ow"),
          gauge(step.coref_prob[cell], "cr"),
          gauge(step.usage[cell], "usage"),
        );
        return row;
      }),
    );
  }

  // What the token is to a mention. Read mention by mention, only the token that ends a head word has a probability.
  function role(step, readBy) {
    const probability = step.mention_prob.toFixed(2);
    if (readBy === "token") return `part of a mention with probability ${probability}`;
    if (step.mention_prob) return `head of a mention with probability ${probability}`;
    return step.person ? "part of a mention" : "part of no mention";
  }

  async function go(place) {
    if (!total) return;
    wanted = Math.min(total - 1, Math.max(0, place));
    const going = wanted;
    try {
      const { steps, first, readBy } = await around(going);
      if (going !== wanted) return; // another place was asked for meanwhile
      notice.hidden = true;
      here = going;
      const step = steps[here - first];
      slider.value = here;
      slider.setAttribute("aria-valuetext", `token ${here + 1} of ${total}: ${step.text}`);
      now.textContent =
        `Token ${number.format(here + 1)} of ${number.format(total)}: “${step.text}”, ${role(step, readBy)}` +
        (step.person ? `: ${names.get(step.person)}` : "");
      drawText(steps, first);
      drawCells(step);
      history.replaceState(null, "", `#${here}`);
    } catch (error) {
      pause();
      notice.textContent = error instanceof TypeError ? "The server does not answer. Try again." : error.message;
      notice.hidden = false;
    }
  }

  // The nearest token before or after that mentions somebody.
  async function mention(direction) {
    for (let index = Math.floor(here / SIZE), from = here + direction; ; ) {
      const told = await part(index);
      for (let token = from; told.steps[token - told.first]; token += direction) {
        if (told.steps[token - told.first].person) return go(token);
      }
      const beyond = direction > 0 ? told.mention_after : told.mention_before;
      if (beyond === null) return undefined;
      [index, from] = [Math.floor(beyond / SIZE), beyond];
    }
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶▶";
    play.setAttribute("aria-label", "Play");
    now.setAttribute("aria-live", "polite");
  }

  function start() {
    const speed = Number(root.querySelector("select").value);
    timer = setInterval(() => (here >= total - 1 ? pause() : here === wanted && go(here + 1)), 1000 / speed);
    play.textContent = "❚❚";
    play.setAttribute("aria-label", "Pause");
    now.setAttribute("aria-live", "off"); // too fast to be spoken
  }

  const ways = {
    previous: () => mention(-1),
    back: () => go(wanted - 1),
    play: () => (timer ? pause() : start()),
    on: () => go(wanted + 1),
    next: () => mention(1),
    first: () => go(0),
    last: () => go(total - 1),
  };
  const keys = { p: "previous", ArrowLeft: "back", " ": "play", ArrowRight: "on", n: "next", Home: "first", End: "last" };

  root.addEventListener("click", (event) => {
    const target = event.target.closest("[data-go], [data-token]");
    if (!target) return;
    if (target.dataset.go !== "play") pause();
    if (target.dataset.go) ways[target.dataset.go]();
    else go(Number(target.dataset.token));
  });
  root.querySelector("select").addEventListener("change", () => timer && (pause(), start()));
  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    // The slider and the list of speeds have arrows of their own, and a button its space.
    if (event.target.closest("input, select")) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    event.preventDefault();
    if (event.key !== " ") pause();
    ways[keys[event.key]]();
  });

  if (total) go(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : 0);
  else now.textContent = "The text is empty.";
})();
