
// The timeline: a frame around the part in sight, and a click that goes to the mention next to it.
const timeline = document.querySelector(".timeline");

function frameInSight(start, end) {
  const frame = timeline?.querySelector(".window");
  if (!frame || !data.length) return;
  frame.hidden = start === 0 && end === data.length; // then a frame says nothing
  frame.style.setProperty("--from", start / data.length);
  frame.style.setProperty("--to", end / data.length);
}

timeline?.addEventListener("click", (event) => {
  const strip = event.target.closest("svg");
  if (!strip) return;
  const person = Number(strip.parentElement.dataset.person);
  const box = strip.getBoundingClientRect();
  const place = ((event.clientX - box.left) / box.width) * data.length;
  const { starts } = people.get(person);
  const before = Math.max(0, lastUpTo(starts, place));
  const after = Math.min(before + 1, starts.length - 1);
  choose(person);
  go(Math.abs(starts[after] - place) < Math.abs(starts[before] - place) ? after : before);
});
