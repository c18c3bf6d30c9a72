// The page: sections in the order of the argument, the list of contents, the theme.

import { h, replace } from "./dom.mjs";
import { checkerSection } from "./checker.mjs";
import { fewerSection } from "./fewer.mjs";
import { hierarchySection } from "./hierarchy.mjs";
import { layersSection } from "./layers.mjs";
import { playersSection } from "./players.mjs";
import { programsSection } from "./programs.mjs";
import { questionsOf } from "./questions.mjs";
import { taskSection } from "./task.mjs";
import { treeSection } from "./tree.mjs";
import { twoSumSection } from "./two_sum.mjs";

const record = JSON.parse(document.getElementById("record").textContent);
const SECTIONS = [
  ["task", "The task", "Follow the pointer", taskSection],
  ["layers", "Layers", "One layer more than tables is enough: watch it", layersSection],
  ["checker", "Kernel", "Who checks the proof? A second kernel, in this page", checkerSection],
  ["players", "Players", "Every layer is a round of messages", playersSection],
  ["fewer", "Fewer", "Why fewer layers cannot do it", fewerSection],
  ["hierarchy", "Hierarchy", "What each order of layers can do, exactly", hierarchySection],
  ["twosum", "2-Sum", "Blocks, summaries and sparse attention", twoSumSection],
  ["programs", "Programs", "Write your own: parity, and an induction head", programsSection],
  ["tree", "Proof tree", "The proof tree, and its broken twins", treeSection],
];
SECTIONS.forEach(([id, short, title, make], k) => {
  document.getElementById("contents").append(h("li", {}, h("a", { href: `#${id}` }, short)));
  const section = h(
    "section",
    { class: "part", id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, h("span", { class: "number" }, k + 1), title),
  );
  document.getElementById("sections").append(section);
  section.append(...make(record), ...questionsOf(id));
});

const button = document.getElementById("theme"),
  dark = matchMedia("(prefers-color-scheme: dark)");
function show(theme) {
  document.documentElement.dataset.theme = theme;
  button.setAttribute("aria-pressed", String(theme === "dark"));
}
show(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => show(dark.matches ? "dark" : "light"));
button.addEventListener("click", () => show(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

const links = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting)
        for (const [id, link] of links) {
          if (id === target.id) link.setAttribute("aria-current", "true");
          else link.removeAttribute("aria-current");
        }
    }
  },
  { rootMargin: "-30% 0px -60%" },
);
for (const section of document.querySelectorAll("section.part")) seen.observe(section);
replace(
  document.getElementById("colophon"),
  `Written by “separation lesson”, version ${record.version}. To go on at a keyboard: `,
  h("code", {}, "separation verify"),
  " proves and checks everything, ",
  h("code", {}, "separation prove C1 --L 3 --out c1.json"),
  " writes a certificate that you can drop above, and ",
  h("code", {}, "separation audit jamba_v0_1"),
  " looks at a real model.",
);
// What is wider than the screen says that it scrolls.
for (const wide of document.querySelectorAll(".scroll")) {
  const say = () => wide.toggleAttribute("data-more", wide.scrollWidth > wide.clientWidth + 1);
  new ResizeObserver(say).observe(wide);
  new MutationObserver(say).observe(wide, { childList: true, subtree: true });
}
document.documentElement.dataset.ready = "true";
performance.mark("usable");
