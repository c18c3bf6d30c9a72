// Section 8: the proof book as a tree that can be folded, and what each check says of a broken twin.

import { button, choice, field, h, replace } from "./dom.mjs";

const KINDS = [
  ["Coq", "coq"],
  ["by machine", "machine"],
  ["by hand", "hand"],
  ["given sizes", "machine"],
  ["exhaustive", "tested"],
  ["tested", "tested"],
  ["cited", ""],
];
const kindOf = (status) => KINDS.find(([word]) => status.includes(word))?.[1] ?? "";

export function treeSection({ book }) {
  const byId = new Map(book.map((row) => [row.id, row])),
    used = new Set(book.flatMap(({ rests_on }) => rests_on)),
    counts = new Map();
  for (const { status } of book) counts.set(status, (counts.get(status) ?? 0) + 1);
  const list = h("div", { class: "book", "data-name": "book" }),
    said = h("p", { class: "note", "aria-live": "polite" });
  let status = "",
    text = "";
  const matches = (row) =>
    (status === "" || row.status === status) &&
    (text === "" || `${row.id} ${row.title} ${row.english}`.toLowerCase().includes(text.toLowerCase()));
  function draw() {
    const all = status === "" && text === "";
    const rows = book.filter((row) => (all ? !used.has(row.id) : matches(row)));
    replace(
      said,
      all
        ? `${rows.length} statements on which nothing else rests; open one to see what it rests on. ${book.length} in all.`
        : `${rows.length} of ${book.length} statements.`,
    );
    replace(
      list,
      rows.map((row) => node(row, byId, 0)),
    );
  }
  const pick = choice({
    label: "status",
    name: "book-status",
    value: "",
    options: [["", "all"], ...[...counts].map(([name, count]) => [name, `${name} (${count})`])],
    onchange: (value) => {
      status = value;
      draw();
    },
  });
  const search = field({
    label: "find",
    name: "book-find",
    value: "",
    size: 18,
    onchange: (value) => {
      text = value.trim();
      draw();
    },
  });
  draw();
  const twins = book.reduce((sum, row) => sum + row.twins.length, 0);
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "Everything above rests on a book of statements. Each says how far it has been established and who did the work: a machine for all sizes, Coq, a machine up to a size, or a person who leads from checked steps to the sentence. A statement is never called stronger than what it rests on.",
      ),
      h(
        "p",
        {},
        `A check that accepts everything proves nothing. So every statement has broken twins, ${twins} in all: false neighbours that the same check must refuse. Press “break it” to read what it said.`,
      ),
    ),
    h("div", { class: "board" }, h("div", { class: "controls" }, pick.node, search.node), said, list),
  ];
}
function node(row, byId, depth) {
  const inside = h("div", { class: "inside" });
  const details = h(
    "details",
    {},
    h(
      "summary",
      {},
      h("span", { class: "id" }, row.id),
      h("span", { class: "title" }, row.title),
      h("span", { class: `status ${kindOf(row.status)}` }, row.status),
    ),
    inside,
  );
  details.addEventListener("toggle", () => {
    if (details.open && inside.childElementCount === 0) fill(inside, row, byId, depth);
  });
  details.dataset.id = row.id;
  return details;
}
function fill(inside, row, byId, depth) {
  const work = [
    ...row.machine.map(({ name, by }) => [name, by.join(", ")]),
    ...row.in_coq.map((name) => [name, "Coq"]),
    ...row.hand.map((name) => [name, "by hand"]),
  ];
  if (work.length === 0) work.push([row.method, "machine"]);
  replace(
    inside,
    h("p", {}, row.english),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "step"), h("th", { scope: "col" }, "done by"))),
        h(
          "tbody",
          {},
          work.map(([name, by]) => h("tr", {}, h("td", {}, name), h("td", {}, by))),
        ),
      ),
    ),
    h("p", { class: "note" }, `Covers: ${row.scope}`),
    row.twins.length > 0 && h("h4", { style: "margin:0.6rem 0 0.2rem" }, "Broken twins"),
    row.twins.map(({ name, rejected }) => {
      const twin = h("div", { class: "twin" }),
        press = button(
          "break it",
          () => {
            press.disabled = true;
            twin.append(h("div", { class: "refusal", role: "status" }, "✗ refused: ", rejected));
          },
          { class: "break", "aria-label": `break it: ${name}` },
        );
      return replace(twin, press, h("span", {}, name));
    }),
    row.rests_on.length > 0 && [
      h("h4", { style: "margin:0.8rem 0 0.2rem" }, "Rests on"),
      row.rests_on.filter((id) => byId.has(id)).map((id) => node(byId.get(id), byId, depth + 1)),
    ],
  );
}
