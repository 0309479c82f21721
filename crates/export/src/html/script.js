"use strict";
document.documentElement.classList.add("scripted");

// A term shows its meaning where it stands; without this it leads to the list of definitions.
const tip = document.getElementById("tip");
document.addEventListener("click", (event) => {
  const term = event.target.closest("a.term");
  if (!term || !tip.showPopover || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const meaning = document.getElementById(term.hash.slice(1));
  if (!meaning) return;
  event.preventDefault();
  const more = document.createElement("a");
  more.href = term.hash;
  more.textContent = "All definitions";
  more.addEventListener("click", () => tip.hidePopover());
  tip.replaceChildren(...meaning.cloneNode(true).childNodes, more);
  tip.showPopover();
  const at = term.getBoundingClientRect();
  const room = document.documentElement;
  tip.style.left = Math.max(8, Math.min(at.left, room.clientWidth - tip.offsetWidth - 8)) + "px";
  const below = at.bottom + 6;
  const fits = below + tip.offsetHeight < room.clientHeight;
  tip.style.top = Math.max(8, fits ? below : at.top - tip.offsetHeight - 6) + "px";
});
