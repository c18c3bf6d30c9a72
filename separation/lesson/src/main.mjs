// The page: sections in the order of the argument, the list of contents, the theme.

import { h, replace } from "./dom.mjs";
import { layersSection } from "./layers.mjs";
import { taskSection } from "./task.mjs";

const record = JSON.parse(document.getElementById("record").textContent);
const SECTIONS = [
  ["task", "The task", "Follow the pointer", taskSection],
  ["layers", "Layers", "One layer more than tables is enough: watch it", layersSection],
];
SECTIONS.forEach(([id, short, title, make], k) => {
  document.getElementById("contents").append(h("li", {}, h("a", { href: `#${id}` }, short)));
  const section = h("section", { class: "part", id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, h("span", { class: "number" }, k + 1), title));
  document.getElementById("sections").append(section);
  section.append(...make(record));
});

const button = document.getElementById("theme"), dark = matchMedia("(prefers-color-scheme: dark)");
function show(theme) {
  document.documentElement.dataset.theme = theme;
  button.setAttribute("aria-pressed", String(theme === "dark"));
}
show(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => show(dark.matches ? "dark" : "light"));
button.addEventListener("click", () => show(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

const links = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.hash.slice(1), link]));
new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) for (const [id, link] of links) { if (id === target.id) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current"); }
}, { rootMargin: "-30% 0px -60%" }).observe(document.getElementById("sections").firstElementChild);
replace(document.getElementById("colophon"), `separation ${record.version}. This page was written by “separation lesson”.`);
document.documentElement.dataset.ready = "true";
performance.mark("usable");
