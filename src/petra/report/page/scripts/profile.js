
// The profile of the person chosen, made with the page.
const profiles = new Map([...document.querySelectorAll("template[data-profile]")].map((made) => [made.dataset.profile, made]));

function profileOf(person) {
  const made = profiles.get(String(person));
  if (!made) return null;
  const list = document.createElement("dl");
  list.className = "profile";
  list.append(made.content.cloneNode(true));
  for (const button of list.querySelectorAll("[data-with], [data-addressee]")) {
    const labelled = personButton(Number(button.dataset.with ?? button.dataset.addressee), Number(button.textContent.replaceAll(",", "")));
    button.className = "person";
    button.replaceChildren(...labelled.childNodes);
    if (button.dataset.addressee) button.dataset.speaker = person;
  }
  list.querySelector(".bars")?.classList.add(...lookOf(person).split(" "));
  return list;
}
