
// The list of people and the rows of the timeline: found by name, sorted, shortened.
const peopleList = document.getElementById("people");
const timelineRows = document.querySelector(".timeline ol");
const filterField = document.getElementById("filter");
const orderField = document.getElementById("order");
const everybodyButton = document.getElementById("everybody");

const rowOf = new Map([...(timelineRows?.children ?? [])].map((row) => [row.dataset.person, row]));
const entries = [...peopleList.children].map((item) => {
  const { starts } = people.get(Number(item.dataset.person));
  return {
    item,
    row: rowOf.get(item.dataset.person),
    isBeyond: item.classList.contains("beyond"),
    name: item.querySelector(".name").textContent,
    names: [...item.querySelectorAll("bdi")].map((name) => plain(name.textContent)),
    mentions: starts.length,
    first: starts[0],
  };
});
const orders = {
  first: (one, other) => one.first - other.first,
  mentions: (one, other) => other.mentions - one.mentions || one.first - other.first,
  name: (one, other) => one.name.localeCompare(other.name) || one.first - other.first,
};
let showsEverybody = false;

// Letters without their marks and cases, so that "zoe" finds Zoë.
function plain(words) {
  return words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function arrange() {
  const wanted = plain(filterField.value.trim());
  let listed = 0;
  entries.sort(orders[orderField.value]);
  for (const { item, row, isBeyond, names } of entries) {
    const isListed = wanted ? names.some((name) => name.includes(wanted)) : showsEverybody || !isBeyond;
    item.hidden = row.hidden = !isListed;
    listed += isListed;
  }
  peopleList.append(...entries.map(({ item }) => item));
  timelineRows?.append(...entries.map(({ row }) => row));
  const whole = entries.length.toLocaleString("en");
  document.getElementById("listed").textContent =
    listed < entries.length ? `${listed.toLocaleString("en")} of ${whole} people` : "";
  everybodyButton.hidden = Boolean(wanted) || listed === entries.length;
}

function entryOf(person) {
  return entries.find(({ item }) => item.dataset.person === String(person));
}

filterField.addEventListener("input", arrange);
orderField.addEventListener("change", arrange);
everybodyButton.addEventListener("click", () => {
  showsEverybody = true;
  arrange();
  filterField.focus();
});
orderField.value = orderField.dataset.order;
arrange();
