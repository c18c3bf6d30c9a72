// A recurrent layer of the reader’s own, and two tables that it cannot tell apart.

import { findPair } from "./birthday.mjs";
import { button, grouped, h, mark, replace, slider } from "./dom.mjs";

export function lab() {
  const values = { m: 4, bits: 5, g: 3, a: 1, b: 2, c: 1 };
  let seed = 1;
  const out = h("div", { "aria-live": "polite", "data-name": "lab-out" });
  const control = (name, label, min, max) =>
    slider({
      label,
      name: `lab-${name}`,
      min,
      max,
      value: values[name],
      onchange: (value) => {
        values[name] = value;
        search();
      },
    }).node;
  function search() {
    const { m, bits } = values,
      found = findPair(m, values, bits, seed),
      needed = m * Math.log2(m);
    const least = `Theorem C: a table of ${m} entries needs ${m}·log₂ ${m} = ${needed.toFixed(1)} bits; this state has ${bits}.`;
    if (!found.a) {
      replace(
        out,
        h(
          "div",
          { class: "verdict good" },
          h(
            "p",
            {},
            mark(true),
            h("strong", {}, " You did it: no two tables end in one state."),
            ` All ${grouped(found.tried)} tables were compared. `,
            least,
          ),
        ),
      );
      return;
    }
    const { a, b, entry, state, tried } = found;
    const table = (one, other) =>
      one.map((value, j) => [" ", value === other[j] ? String(value) : h("span", { class: "diff" }, value)]);
    replace(
      out,
      h(
        "div",
        { class: "verdict bad" },
        h(
          "p",
          {},
          h("strong", { "data-name": "lab-tried" }, `Found after ${grouped(tried)} tables`),
          `, where 2^(s/2) is about ${Math.round(2 ** (bits / 2))}: one state, two tables.`,
        ),
        h(
          "p",
          {
            class: "mono",
            "data-name": "lab-pair",
            "data-pair": JSON.stringify({ tables: [a, b], state, entry, ...values }),
          },
          "a =",
          table(a, b),
          h("br"),
          "b =",
          table(b, a),
          h("br"),
          `state ${state} = ${state.toString(2).padStart(bits, "0")} in both`,
        ),
        h(
          "p",
          {},
          `Ask for entry ${entry}: right is ${a[entry]} for a and ${b[entry]} for b. Whatever reads the state says the same for both. `,
          least,
        ),
      ),
    );
  }
  search();
  return h(
    "div",
    { class: "board" },
    h(
      "p",
      { class: "mono", style: "margin-top:0" },
      "S ← (g·S + a·j + b·v + c·j·v) mod 2",
      h("sup", {}, "s"),
      " at entry j with value v",
    ),
    h(
      "div",
      { class: "controls" },
      control("m", "entries m", 3, 6),
      control("bits", "state bits s", 1, 16),
      control("g", "g", 0, 15),
      control("a", "a", 0, 15),
      control("b", "b", 0, 15),
      control("c", "c", 0, 15),
      button(
        "search again",
        () => {
          seed += 1;
          search();
        },
        { "data-name": "lab-again" },
      ),
    ),
    out,
    h(
      "details",
      {},
      h("summary", {}, "a hint"),
      h(
        "p",
        {},
        "With g = m, b = 1 and a = c = 0 the state is the table written as one number with digits below m. Give it enough bits.",
      ),
    ),
  );
}
