
// What the user chose, kept for the next page: who is listed, what is open. Some browsers keep nothing for files.
const MEMORY = "petra.report";
const remembered = (() => {
  try {
    return JSON.parse(localStorage.getItem(MEMORY)) ?? {};
  } catch {
    return {};
  }
})();

function remember(name, value) {
  remembered[name] = value;
  try {
    localStorage.setItem(MEMORY, JSON.stringify(remembered));
  } catch {
    // then it is for this page only
  }
}

for (const panel of document.querySelectorAll("details[data-remember]")) {
  const name = panel.dataset.remember;
  if (name in remembered) panel.open = remembered[name];
  panel.addEventListener("toggle", () => {
    if (panel.open !== (remembered[name] ?? null)) remember(name, panel.open);
  });
}
