"use strict";
// The page is complete without this script. It adds three things: tables that can be sorted by a click on a heading, a
// node under the pointer is highlighted wherever its name stands, and paper has the lists that are closed.
for (const table of document.querySelectorAll("table.sort")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.k ?? row.cells[column].textContent;
      const rows = [...body.rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => sign * a.localeCompare(b, "en", { numeric: true }));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
const byNode = new Map();
for (const name of document.querySelectorAll("[data-n]")) {
  if (!byNode.has(name.dataset.n)) byNode.set(name.dataset.n, []);
  byNode.get(name.dataset.n).push(name);
}
const highlight = (event, on) => {
  const name = event.target.closest && event.target.closest("[data-n]");
  if (name) byNode.get(name.dataset.n).forEach((same) => same.classList.toggle("hi", on));
};
document.addEventListener("pointerover", (event) => highlight(event, true));
document.addEventListener("pointerout", (event) => highlight(event, false));
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((list) => list.setAttribute("open", ""));
});
addEventListener("afterprint", () => closed.forEach((list) => list.removeAttribute("open")));
