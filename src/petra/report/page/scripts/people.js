
// The list of people and the rows of the timeline: found by name, sorted, shortened.
const peopleList = document.getElementById("people");
const timelineRows = document.querySelector(".timeline ol");
const filterField = document.getElementById("filter");
const orderField = document.getElementById("order");
const everybodyButton = document.getElementById("everybody");

const rowOf = new Map([...(timelineRows?.children ?? [])].map((row) => [row.dataset.person, row]));
const entries = [...peopleList.children].map((item) => {
  const { starts, kinds } = people.get(Number(item.dataset.person));
  return {
    item,
    row: rowOf.get(item.dataset.person),
    isBeyond: item.classList.contains("beyond"),
    name: item.querySelector(".name").textContent,
    names: [...item.querySelectorAll("bdi")].map((name) => plain(name.textContent)),
    mentions: starts.length,
    first: starts[0],
    isNamed: kinds.includes("n"),
    look: item.querySelector(".number").className.replace("number ", ""),
  };
});
const entryById = new Map(entries.map((entry) => [entry.item.dataset.person, entry]));
const orders = {
  first: (one, other) => one.first - other.first,
  mentions: (one, other) => other.mentions - one.mentions || one.first - other.first,
  name: (one, other) => one.name.localeCompare(other.name) || one.first - other.first,
};
let showsEverybody = remembered.everybody ?? false;

// Letters without their marks and cases, so that "zoe" finds Zoë.
function plain(words) {
  return words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function arrange() {
  const wanted = plain(filterField.value.trim());
  let listed = 0;
  entries.sort(orders[orderField.value]);
  for (const entry of entries) {
    const { item, isBeyond, names } = entry;
    const isWanted = wanted ? names.some((name) => name.includes(wanted)) : showsEverybody || !isBeyond;
    const isListed = isWanted && passes(entry);
    item.hidden = !isListed;
    if (isListed) rowFor(entry);
    if (entry.row) entry.row.hidden = !isListed;
    listed += isListed;
  }
  keepOrder(peopleList, entries.map(({ item }) => item));
  if (timelineRows) keepOrder(timelineRows, entries.flatMap(({ row }) => row ?? []));
  const whole = entries.length.toLocaleString("en");
  document.getElementById("listed").textContent =
    listed < entries.length ? `${listed.toLocaleString("en")} of ${whole} people` : "";
  const crowd = entries.filter(({ isBeyond }) => isBeyond).length;
  everybodyButton.hidden = Boolean(wanted) || !crowd;
  everybodyButton.textContent = showsEverybody ? `Fold away ${crowd.toLocaleString("en")}` : "Show all";
  renewStops();
}

// Put elements in order, unless they are.
function keepOrder(list, items) {
  let at = list.firstElementChild;
  for (const item of items) {
    if (item !== at) return list.append(...items);
    at = at.nextElementSibling;
  }
}

// The row of a person in the timeline, made when first asked for if the page came without it.
function rowFor(entry) {
  if (entry.row || !timelineRows) return entry.row;
  const person = Number(entry.item.dataset.person);
  const row = element("li", "");
  row.dataset.person = person;
  const button = personButton(person);
  button.className = "";
  button.tabIndex = -1;
  const strip = stripOf(people.get(person).starts, "Mentioned");
  strip.setAttribute("class", entry.look);
  row.append(button, strip);
  timelineRows.append(row);
  return (entry.row = row);
}

function entryOf(person) {
  return entryById.get(String(person));
}

// The classes of a person's colour and line.
function lookOf(person) {
  return entryOf(person).look;
}

filterField.addEventListener("input", arrange);
orderField.addEventListener("change", () => {
  remember("order", { made: orderField.dataset.order, order: orderField.value });
  arrange();
});
everybodyButton.addEventListener("click", () => {
  showsEverybody = !showsEverybody;
  remember("everybody", showsEverybody);
  arrange();
  filterField.focus();
});
// The order that was chosen, unless this page was made with another one.
const { made, order } = remembered.order ?? {};
orderField.value = made === orderField.dataset.order ? order : orderField.dataset.order;
