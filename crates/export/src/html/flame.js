// The flame graph: a click makes a frame as wide as the window.
const flames = document.getElementById("flames");
if (flames) {
  const frames = [...flames.querySelectorAll("svg")].map((element) => ({
    element,
    from: parseFloat(element.getAttribute("x")),
    width: parseFloat(element.getAttribute("width")),
    title: element.querySelector("title").textContent.split("\n")[0],
  }));
  const show = (from, width) => {
    for (const frame of frames) {
      const left = Math.max(frame.from, from);
      const right = Math.min(frame.from + frame.width, from + width);
      frame.element.style.display = right - left > width * 1e-5 ? "" : "none";
      frame.element.setAttribute("x", ((left - from) / width) * 100 + "%");
      frame.element.setAttribute("width", (Math.max(right - left, 0) / width) * 100 + "%");
      if (right - left > width * 0.004 && !frame.element.querySelector("text")) {
        const label = document.createElementNS(flames.namespaceURI, "text");
        label.setAttribute("x", 5);
        label.setAttribute("y", 14);
        label.textContent = frame.title;
        frame.element.append(label);
      }
    }
  };
  flames.addEventListener("click", (event) => {
    const chosen = frames.find((frame) => frame.element === event.target.closest("svg"));
    if (chosen) show(chosen.from, chosen.width);
  });
  document.getElementById("whole")?.addEventListener("click", () => show(0, 100));
  document.getElementById("find")?.addEventListener("input", (event) => {
    const what = event.target.value.trim().toLowerCase();
    let share = 0;
    let end = -1;
    const found = frames.filter((frame) => what && frame.title.toLowerCase().includes(what));
    for (const frame of frames) {
      const hit = found.includes(frame);
      frame.element.classList.toggle("found", hit);
      frame.element.classList.toggle("dim", what !== "" && !hit);
    }
    for (const frame of found.sort((a, b) => a.from - b.from || b.width - a.width)) {
      if (frame.from < end - 1e-6) continue;
      share += frame.width;
      end = frame.from + frame.width;
    }
    document.getElementById("found").value = what ? found.length + " frames, " + share.toFixed(1) + " %" : "";
  });
}
