// Section 5: the decomposition on a real example, the two prompts at its end, and a search in the page.

import { button, grouped, h, mark, replace } from "./dom.mjs";
import { sub } from "./funccomp.mjs";
import { lab } from "./lab.mjs";

function membership(hex, count) {
  // the first input is the highest bit
  return Array.from({ length: count }, (_, k) => (parseInt(hex[k >> 2], 16) >> (3 - (k & 3))) & 1);
}
function picture({ inputs, before, after, level }) {
  const side = 2 ** Math.ceil(Math.log2(inputs) / 2),
    scale = 256 / side,
    canvas = h("canvas", {
      width: 256,
      height: (256 * inputs) / side / side,
      role: "img",
      "aria-label": `level ${level}: the set of inputs that look the same`,
    });
  const paint = () => {
    const colour = getComputedStyle(document.documentElement),
      context = canvas.getContext("2d"),
      [was, is] = [membership(before, inputs), membership(after, inputs)];
    context.clearRect(0, 0, canvas.width, canvas.height);
    was.forEach((old, k) => {
      context.fillStyle = colour.getPropertyValue(is[k] ? "--blue" : old ? "--gold-tint" : "--tint");
      context.fillRect(
        (k % side) * scale,
        Math.floor(k / side) * scale,
        Math.max(1, scale - 0.5),
        Math.max(1, scale - 0.5),
      );
    });
  };
  paint();
  new MutationObserver(paint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return canvas;
}
// The theorem's density, of so few inputs, is not even one.
const isEmpty = ({ guaranteed_log2: least, inputs }) => least + Math.log2(inputs) < 0;
const power = (value) => `2^${String(value).replace("-", "−")}`;

export function fewerSection({ levels }) {
  const shownLevels = h("div", { class: "levels", "data-name": "levels" });
  let count = 1;
  const more = button(
    "next level →",
    () => {
      count = Math.min(count + 1, levels.levels.length + 1);
      draw();
    },
    { class: "main", "data-name": "levels-next" },
  );
  const less = button(
    "← back",
    () => {
      count = Math.max(1, count - 1);
      draw();
    },
    { "data-name": "levels-back" },
  );
  const end = h("div", { "aria-live": "polite", "data-name": "levels-pair" });
  function draw() {
    const done = count > levels.levels.length;
    more.disabled = done;
    less.disabled = count === 1;
    replace(
      shownLevels,
      levels.levels
        .slice(0, count)
        .map((level) =>
          h(
            "div",
            {},
            h("h4", { style: "margin:0.2rem 0" }, `Level ${level.level}`),
            picture(level),
            h(
              "p",
              { style: "margin:0.3rem 0 0" },
              h("strong", {}, `${grouped(level.kept)} of ${grouped(level.inputs)}`),
              " choices of the earlier tables look the same to all later players.",
            ),
            h(
              "p",
              { class: "note", style: "margin:0" },
              `Density ${power(level.density_log2.toFixed(1))}; at least ${power(level.guaranteed_log2)} was guaranteed${isEmpty(level) ? ", which is less than one input: nothing, at this size" : ""}. The later players reach ${level.cover} values; at least ${level.guaranteed} was guaranteed.`,
            ),
          ),
        ),
    );
    replace(end, done && pairView(levels));
  }
  draw();
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        `Take a model with too few full layers: the word ${levels.word}, three tables, weights drawn at random. The proof builds, level by level, a set of inputs that look the same to everybody who comes later.`,
      ),
      h(
        "p",
        {},
        "At each level: keep a few tables of the next player, such that many earlier tables go with all of them and enough different values are reached. Then listen to all messages that later players will hear, and keep only the inputs with the most common ones. The set shrinks, but the theorem says by how much at most. If two inputs are left at the end that differ where somebody asks, nobody noticed, and the answer is wrong for one of them.",
      ),
      levels.levels.some(isEmpty) &&
        h(
          "p",
          { "data-name": "levels-honest" },
          "At a size that fits on a page the theorem’s guarantee is empty: what it promises of so few inputs is less than one of them. So here the sets and the pair were found by search, through all inputs; at the sizes that a certificate names, no search is needed.",
        ),
    ),
    h(
      "div",
      { class: "board" },
      h(
        "div",
        { class: "steps" },
        less,
        more,
        h(
          "span",
          { class: "note" },
          "Each dot is one choice of the earlier tables; blue ones are still in the set, sand ones were lost when messages were fixed.",
        ),
      ),
      shownLevels,
      end,
    ),
    h("h3", {}, "Your turn: tell them apart"),
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "A recurrent layer reads a table and keeps s bits. Choose its weights. However you choose them, if the state is too small for the table, two tables end in one state, and what reads the state answers both alike. The page finds two, by the birthday paradox: about 2",
        h("sup", {}, "s/2"),
        " tables are enough.",
      ),
    ),
    lab(),
  ];
}
function pairView({ pair, transcript }) {
  const tables = (one, other, expected, output, name) =>
    h(
      "div",
      { class: "prompt" },
      h("h4", {}, `Prompt ${name}`),
      one.tables
        .map((table, k) => [k, table])
        .reverse()
        .map(([k, table]) =>
          h(
            "div",
            { class: "mono" },
            `z${sub(k + 1)} = `,
            table.map((value, j) => [
              " ",
              value === other.tables[k][j] ? String(value) : h("span", { class: "diff" }, value),
            ]),
          ),
        ),
      h("div", { class: "mono" }, `z₀ = ${one.z0}, w = ${one.w.join(" ")}`),
      h(
        "p",
        { style: "margin:0.5rem 0 0" },
        "right: ",
        h("strong", {}, expected),
        ", the model says ",
        h("strong", {}, output),
        " ",
        mark(expected === output),
      ),
    );
  const numbers = transcript.reduce((sum, { count }) => sum + count, 0);
  return h(
    "div",
    {},
    h("h3", {}, "Two prompts, one transcript"),
    h(
      "div",
      { class: "pair" },
      tables(pair.a, pair.b, pair.expected_a, pair.output_a, "a"),
      tables(pair.b, pair.a, pair.expected_b, pair.output_b, "b"),
    ),
    h(
      "p",
      { class: "said" },
      mark(pair.transcripts_equal),
      ` All ${numbers} numbers that later tokens hear of the tables that differ are equal: `,
      transcript
        .map(
          ({ layer, numbers: some, count }) =>
            `layer ${layer}: ${some.slice(0, 6).join(", ")}${count > 6 ? ", …" : ""}`,
        )
        .join("; "),
    ),
  );
}
