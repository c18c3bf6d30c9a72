// Section 1: tables, and the pointer that hops through them.

import { button, field, h, replace, slider, svg } from "./dom.mjs";
import { readInstance, sub } from "./funccomp.mjs";
import { changed, hopsNow, newInput, newSizes, setInstance, state, watch } from "./state.mjs";

export function taskSection() {
  const board = h("div", { class: "tables" }),
    said = h("p", { class: "said", "aria-live": "polite", id: "task-said" });
  const typed = h("div", { class: "controls" });
  const sizes = () => state.instance.sizes;
  const move = (by) => {
    state.hop = Math.min(Math.max(state.hop + by, 0), sizes().L);
    changed();
  };
  const L = slider({
    label: "tables L",
    name: "task-L",
    min: 1,
    max: 4,
    value: sizes().L,
    onchange: (value) => newSizes(value, sizes().m),
  });
  const m = slider({
    label: "first size m",
    name: "task-m",
    min: 2,
    max: 4,
    value: sizes().m,
    onchange: (value) => newSizes(sizes().L, value),
  });
  const where = h("span", { class: "where" });
  const back = button("← back", () => move(-1), { "data-name": "task-back" }),
    on = button("step →", () => move(1), { class: "main", "data-name": "task-next" });
  const stage = h(
    "div",
    {
      class: "board",
      role: "group",
      "aria-label": "The tables and the pointer; left and right arrow keys step",
      tabindex: 0,
    },
    h("div", { class: "controls" }, L.node, m.node, button("another input", newInput, { "data-name": "task-random" })),
    h("div", { class: "steps" }, back, where, on),
    board,
    said,
    h("details", {}, h("summary", {}, "type your own tables"), typed),
  );
  stage.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    move(event.key === "ArrowRight" ? 1 : -1);
  });
  watch(() => draw(board, said, where, back, on));
  watch(() => typing(typed));
  watch(() => {
    L.input.value = sizes().L;
    L.say();
    m.input.value = sizes().m;
    m.say();
  });
  new ResizeObserver(() => arrows(board)).observe(board);
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "The prompt is a stack of tables. Start with a number, look it up in the first table, take what you find to the next one, and so on. That is all. ",
        "A person does it with a finger; a model has to do it with attention.",
      ),
      h(
        "p",
        {},
        "Every table after the first is asked at a pair: a digit of the question ",
        h("i", {}, "w"),
        ", which picks a row, and the number found so far, which picks the place in the row. ",
        "The question comes last, and the tables come in reverse order, so that no early token can know what will be asked.",
      ),
    ),
    stage,
  ];
}
function draw(board, said, where, back, on) {
  const {
      instance: { sizes, z0, tables, w },
      hop,
    } = state,
    { hops, asked } = hopsNow();
  const cell = (level, value, index) => {
    const reached = asked[level - 1] === index && level <= hop,
      look = reached ? (level === hop ? " now" : " asked") : "";
    return h("div", { class: `cell${look}`, "data-hop": reached ? level : null }, h("small", {}, index), value);
  };
  // One line for each value of the digit that picks a row.
  const lines = (level, table) => {
    const long = level === 1 ? table.length : sizes.N[level - 2],
      count = table.length / long;
    return Array.from({ length: count }, (_, row) =>
      h(
        "div",
        { class: "cells" },
        count > 1 && h("span", { class: "digit" }, `w${sub(level - 1)} = ${row}`),
        table.slice(row * long, (row + 1) * long).map((value, place) => cell(level, value, row * long + place)),
      ),
    );
  };
  const rows = tables
    .map((table, k) => [k + 1, table])
    .reverse()
    .map(([level, table]) =>
      h(
        "div",
        { class: "tablerow" },
        h("div", { class: "name" }, `table z${sub(level)}`),
        h("div", {}, lines(level, table)),
      ),
    );
  const ends = h(
    "div",
    { class: "tablerow" },
    h("div", { class: "name" }, "start z₀, question w"),
    h(
      "div",
      { class: "cells" },
      h("div", { class: `cell ${hop === 0 ? "now" : "asked"}`, "data-hop": 0 }, h("small", {}, "z₀"), z0),
      w.map((digit, k) =>
        h("div", { class: `cell${hop === k + 2 ? " now" : ""}` }, h("small", {}, `w${sub(k + 1)}`), digit),
      ),
    ),
  );
  replace(board, rows, ends, svg("svg", { class: "arrows", "aria-hidden": "true" }));
  arrows(board);
  replace(where, `hop ${hop} of ${sizes.L}`);
  back.disabled = hop === 0;
  on.disabled = hop === sizes.L;
  const at =
    hop <= 1
      ? `at i${sub(0)} = ${hops[0]}`
      : `in row w${sub(hop - 1)} = ${w[hop - 2]}, place i${sub(hop - 1)} = ${hops[hop - 1]}: entry ${w[hop - 2]}·${sizes.N[hop - 2]} + ${hops[hop - 1]} = ${asked[hop - 1]}`;
  replace(
    said,
    hop === 0
      ? `Start: i₀ = z₀ = ${z0}. The prompt has ${sizes.length} tokens.`
      : `Table ${hop} is asked ${at}. It says i${sub(hop)} = ${hops[hop]}${hop === sizes.L ? ", and that is the answer." : "."}`,
  );
}
function arrows(board) {
  const layer = board.querySelector("svg.arrows");
  if (!layer) return;
  const frame = board.getBoundingClientRect(),
    at = (node) => {
      const box = node.getBoundingClientRect();
      return [box.left + box.width / 2 - frame.left, box.top - frame.top, box.bottom - frame.top];
    };
  const cells = [...board.querySelectorAll("[data-hop]")].sort((a, b) => a.dataset.hop - b.dataset.hop);
  layer.replaceChildren(
    ...cells.slice(1).map((cell, k) => {
      const [x1, top] = at(cells[k]),
        [x2, , bottom] = at(cell),
        middle = (top + bottom) / 2;
      return svg("path", {
        class: `arrow${k + 2 === cells.length ? " now" : ""}`,
        d: `M${x1},${top} C${x1},${middle} ${x2},${middle} ${x2},${bottom}`,
      });
    }),
  );
}
function typing(node) {
  if (node.contains(document.activeElement)) return;
  const { instance } = state,
    { sizes } = instance;
  const checked = (numbers, size, what) => {
    if (numbers.some((number) => number >= size)) throw new Error(`${what} has numbers below ${size}`);
    return numbers;
  };
  replace(
    node,
    instance.tables.map(
      (table, k) =>
        field({
          label: `z${sub(k + 1)}, ${table.length} numbers below ${table.length}`,
          name: `task-table-${k + 1}`,
          value: table.join(" "),
          size: Math.min(2 * table.length + 2, 40),
          onchange: (text) => {
            const numbers = checked(readInstance(sizes, text, table), table.length, "the table");
            setInstance({
              ...state.instance,
              tables: state.instance.tables.map((each, j) => (j === k ? numbers : each)),
            });
          },
        }).node,
    ),
    field({
      label: `z₀, below ${sizes.m}`,
      name: "task-z0",
      value: instance.z0,
      size: 3,
      onchange: (text) => {
        const [z0] = checked(readInstance(sizes, text, [0]), sizes.m, "z₀");
        setInstance({ ...state.instance, z0 });
      },
    }).node,
    instance.w.length > 0 &&
      field({
        label: "w, digits 0 or 1",
        name: "task-w",
        value: instance.w.join(" "),
        size: 8,
        onchange: (text) => {
          const w = checked(readInstance(sizes, text, instance.w), 2, "w");
          setInstance({ ...state.instance, w });
        },
      }).node,
  );
}
