
// Which people are listed and which mentions are marked, beside the search for a name.
const namedField = document.getElementById("named");
const leastField = document.getElementById("least");
const surestField = document.getElementById("surest");

function passes({ mentions, isNamed }) {
  return (!namedField.checked || isNamed) && mentions >= (Number(leastField.value) || 1);
}

function isFiltered() {
  return namedField.checked || Number(leastField.value) > 1;
}

function markSure() {
  const least = 100 * Number(surestField.value);
  for (const [id, { probabilities }] of people) {
    probabilities.forEach((probability, number) => {
      document.getElementById(`m${id}-${number + 1}`)?.classList.toggle("unsure", probability < least);
    });
  }
}

for (const field of [namedField, leastField]) field.addEventListener("input", arrange);
surestField.addEventListener("change", markSure);
for (const field of document.querySelectorAll("[data-kind]")) {
  field.addEventListener("change", () => article.classList.toggle(`without-k${field.dataset.kind}`, !field.checked));
}
