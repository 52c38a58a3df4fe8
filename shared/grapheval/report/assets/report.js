"use strict";
// Marks, arrows and cards that belong to one claim light up together. Without this script the links still work.
const GE = (() => {
  const said = document.getElementById("said");
  const say = (text) => { said.textContent = text; };

  // Cards that print does not open by itself.
  const shut = new Set();
  addEventListener("beforeprint", () => {
    for (const card of document.querySelectorAll("details.ge-card:not([open])")) { shut.add(card); card.open = true; }
  });
  addEventListener("afterprint", () => { for (const card of shut) card.open = false; shut.clear(); });

  const theme = document.querySelector(".ge-theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  const numbers = (element) => (element.dataset.claims || "").split(" ").filter(Boolean);

  function wire(root) {
    const first = [...root.querySelectorAll(".ge-side .ge-card")];
    const card = (number) => first.find((one) => one.dataset.claim === number);

    function select(chosen, { open = true } = {}) {
      for (const element of root.querySelectorAll(".ge-on")) element.classList.remove("ge-on");
      for (const element of root.querySelectorAll("[data-claims]")) {
        if (element.closest(".ge-correction")) continue;
        element.classList.toggle("ge-on", numbers(element).some((number) => chosen.includes(number)));
      }
      const cards = chosen.map(card).filter(Boolean);
      for (const one of cards) {
        one.classList.add("ge-on");
        if (open) one.open = true;
        one.parentElement.hidden = false;
      }
      if (open && cards.length) {
        const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
        cards[0].scrollIntoView({ block: "nearest", behavior });
        say(`Claim ${cards[0].dataset.claim}, ${cards[0].dataset.kind}`);
      }
    }

    root.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-claims]");
      if (link && !link.closest(".ge-correction")) {
        event.preventDefault();
        select(numbers(link));
        return;
      }
      const chip = event.target.closest(".ge-chip");
      if (chip) {
        const group = chip.parentElement;
        for (const one of group.children) one.setAttribute("aria-pressed", String(one === chip));
        const list = group.nextElementSibling;
        let shown = 0;
        for (const item of list.children) {
          const fits = !chip.dataset.kind || item.firstElementChild.dataset.kind === chip.dataset.kind;
          item.hidden = !fits;
          shown += fits;
        }
        say(`${shown} claims shown`);
        return;
      }
      const summary = event.target.closest(".ge-side .ge-card > summary");
      if (summary) select([summary.parentElement.dataset.claim], { open: false });
    });
    root.addEventListener("keydown", (event) => { if (event.key === "Escape") select([]); });
  }

  for (const root of document.querySelectorAll(".ge-one")) wire(root);
  return { say, wire };
})();
