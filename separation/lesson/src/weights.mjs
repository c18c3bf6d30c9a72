// A matrix of one layer as a grid of buttons: choose a weight, change it. Arrow keys move between weights.

import { button, choice, field, h, replace } from "./dom.mjs";
import { fraction } from "./run.mjs";

const UNITS = ["above", "below", "old+", "old−", "found+", "found−"];

// names of the rows and columns of each matrix
function names(model, part) {
  const stream = model.slots.flatMap(({ name, width }) => Array.from({ length: width }, (_, j) => `${name} ${j}`));
  const keys = stream.filter((name) => /^(tag|digit|index) /.test(name)),
    values = stream.filter((name) => name.startsWith("found "));
  const hidden = UNITS.flatMap((unit) => values.map((_, j) => `${unit} ${j}`));
  return {
    W_Q: [keys, stream],
    W_K: [keys, stream],
    W_V: [values, stream],
    W_O: [stream, values],
    W_1: [hidden, stream],
    b_1: [hidden, ["bias"]],
    W_2: [stream, hidden],
    b_2: [stream, ["bias"]],
  }[part];
}
const partOf = (model, layer, part) =>
  (part.startsWith("W_1") || part.startsWith("b_") || part === "W_2"
    ? model.layers[layer].mlps[0]
    : model.layers[layer].heads[0])[part];

function number(text) {
  const trimmed = text.trim().replace("−", "-");
  if (/^-?\d{1,4}$/.test(trimmed)) return Number(trimmed);
  const match = /^(-?\d{1,4})(?:\.(\d{1,3})|\/([1-9]\d{0,3}))$/.exec(trimmed);
  if (!match) throw new Error("a number such as 2, −1, 3/2 or 0.5");
  let [top, bottom] = match[3]
    ? [Number(match[1]), Number(match[3])]
    : [Number(match[1] + match[2]), 10 ** match[2].length];
  if (match[2] && trimmed.startsWith("-0")) top = -Math.abs(top);
  let [a, b] = [Math.abs(top), bottom];
  while (b) [a, b] = [b, a % b];
  return bottom / a === 1 ? top / a : `${top / a}/${bottom / a}`;
}

// `model()` is the model as it is now, `original()` as C1 has it; `change(part, row, column, value)` changes it.
export function weightBoard({ model, original, layer, change }) {
  const grid = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "weights" }),
    editor = h("div", { class: "controls", "data-name": "weight-editor" });
  let part = "W_Q",
    chosen = null;
  const pick = choice({
    label: "matrix",
    name: "weight-matrix",
    value: part,
    onchange: (value) => {
      part = value;
      chosen = null;
      draw();
    },
    options: [
      ["W_Q", "W_Q: what it asks"],
      ["W_K", "W_K: how it is found"],
      ["W_V", "W_V: what it says"],
      ["W_O", "W_O: where it goes"],
      ["W_1", "W_1: MLP, in"],
      ["b_1", "b_1: bias, in"],
      ["W_2", "W_2: MLP, out"],
      ["b_2", "b_2: bias, out"],
    ],
  });
  function draw() {
    const matrix = partOf(model(), layer(), part),
      before = partOf(original(), layer(), part),
      [rows, columns] = names(model(), part);
    const at = (entries) => new Map(entries.map(([r, c, value]) => [`${r} ${c}`, value])),
      now = at(matrix.entries),
      old = at(before.entries);
    const cell = (r, c) => {
      const value = now.get(`${r} ${c}`) ?? 0,
        [top] = fraction(value),
        changed = String(value) !== String(old.get(`${r} ${c}`) ?? 0);
      const selected = chosen !== null && chosen[0] === r && chosen[1] === c;
      return h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            class: changed ? "changed" : top > 0n ? "plus" : top < 0n ? "minus" : "",
            "data-cell": `${r} ${c}`,
            tabindex: selected || (chosen === null && r === 0 && c === 0) ? 0 : -1,
            "aria-label": `${part}, to ${rows[r]} from ${columns[c]}: ${value}${changed ? ", changed" : ""}`,
            title: `${rows[r]} ← ${columns[c]}: ${value}`,
            "aria-pressed": selected ? "true" : null,
            onclick: () => {
              chosen = [r, c];
              draw();
              edit(rows[r], columns[c], value);
            },
            onkeydown: (event) => {
              const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
              if (!step) return;
              event.preventDefault();
              event.stopPropagation();
              grid.querySelector(`[data-cell="${r + step[0]} ${c + step[1]}"]`)?.focus();
            },
          },
          top === 0n ? "·" : String(value).replace("-", "−"),
        ),
      );
    };
    const focused = grid.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
    replace(
      grid,
      h(
        "table",
        { class: "weights" },
        h("caption", { class: "unseen" }, `${part} of layer ${layer() + 1}`),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td", {}),
            columns.map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((name, r) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, name),
              columns.map((_, c) => cell(r, c)),
            ),
          ),
        ),
      ),
    );
    if (focused) grid.querySelector(`[data-cell="${focused}"]`)?.focus();
    if (chosen === null) replace(editor, h("span", { class: "note" }, "Choose a weight to change it."));
  }
  function edit(row, column, value) {
    const [r, c] = chosen;
    const set = (next) => {
      change(part, r, c, next);
      draw();
      edit(row, column, next);
    };
    const input = field({
      label: `${row} ← ${column}`,
      name: "weight-value",
      value,
      size: 6,
      onchange: (text) => set(number(text)),
    });
    const negative = typeof value === "number" ? -value : value.startsWith("-") ? value.slice(1) : `-${value}`;
    replace(
      editor,
      input.node,
      button("set to 0", () => set(0), { class: "break", "data-name": "weight-zero" }),
      value !== 0 && button("turn its sign", () => set(negative), { class: "break", "data-name": "weight-sign" }),
    );
  }
  return {
    node: h("div", {}, h("div", { class: "controls" }, pick.node), grid, editor),
    draw,
    reset: () => {
      chosen = null;
      draw();
    },
  };
}
