// Section 6: the depth of any word of layers, words of real models, ceilings and thresholds.

import { button, field, grouped, h, mark, replace } from "./dom.mjs";
import { plot } from "./plot.mjs";
import { depthOf, earlyR, parseWord, verdictOf } from "./words.mjs";

const WHY = {
  C1: "C1: every full layer follows one table, and one more reads the start",
  C2: "C2: the recurrent layer hands the start on, and every full layer follows a table",
  A: "Theorem A: too few full layers; recurrent ones, however many, do not help",
  B: "Theorem B: one full layer per table, but no recurrent layer early enough to hand the start on",
  C: "Theorem C: without a full layer the state would have to hold the whole table",
};
export function hierarchySection(record) {
  const out = h("div", { "aria-live": "polite", "data-name": "word-out" });
  const input = field({
    label: "a word of layers",
    name: "word",
    value: "RFFR",
    size: 24,
    onchange: (text) => show(text),
  });
  function show(text, name = null) {
    const layers = parseWord(text.trim()),
      depth = depthOf(layers),
      early = earlyR(layers),
      full = layers.filter((layer) => layer !== "R").length;
    const shownLayers = layers.slice(0, 120);
    const Ls = Array.from({ length: Math.min(3, depth) }, (_, k) => depth - Math.min(3, depth) + 1 + k).concat([
      depth + 1,
    ]);
    replace(
      out,
      h(
        "div",
        { class: "wordline", role: "img", "aria-label": `layers: ${text}` },
        shownLayers.map((layer, k) =>
          h(
            "span",
            { class: `letter ${layer === "R" ? "R" : "F"}${k === early ? " early" : ""}` },
            layer === "FR" ? "F∥R" : layer,
          ),
        ),
        layers.length > 120 && `… ${layers.length} layers`,
      ),
      h(
        "p",
        {},
        name && h("strong", {}, `${name}: `),
        `${full} full, ${layers.length - full} recurrent. `,
        h("strong", {}, "Depth ", h("span", { "data-name": "depth" }, depth), "."),
        " ",
        full === 0
          ? "No full layer, no depth."
          : early >= 0
            ? `${full} full layers − 1, and 1 for the recurrent layer that stands early (framed).`
            : `${full} full layers − 1; no recurrent layer stands before the second full one.`,
      ),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, "tables L"),
              h("th", { scope: "col" }, "at all sizes?"),
              h("th", { scope: "col" }, "why"),
            ),
          ),
          h(
            "tbody",
            {},
            Ls.map((L) => {
              const { solvable, by } = verdictOf(layers, L);
              return h(
                "tr",
                {},
                h("td", {}, L),
                h("td", {}, mark(solvable), solvable ? " solved" : " impossible"),
                h("td", {}, WHY[by]),
              );
            }),
          ),
        ),
      ),
      h(
        "p",
        { class: "note" },
        `“Impossible” means: for every message size and every state there are sizes of tables at which no weights of this word are always right. With a chain of thought ${full > 0 ? "one full layer is enough for every L (C5)" : "nothing changes as long as there is no full layer"}.`,
      ),
    );
  }
  show("RFFR");
  const presets = h(
    "div",
    { class: "presets", role: "group", "aria-label": "real models" },
    record.models.map(({ name, word }) =>
      button(
        name,
        () => {
          input.input.value = word;
          replace(input.problem);
          input.input.removeAttribute("aria-invalid");
          show(word, name);
        },
        { "data-preset": name },
      ),
    ),
  );
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "Write a model as a word: F for a layer of full attention, R for any recurrent layer (linear attention, a state-space model, a sliding window). The exact number of tables that such a word can follow, at all sizes, is its depth. It depends on the word alone.",
      ),
      h(
        "p",
        {},
        "Weights of width O(log n) reach it; nothing reaches more. Where the recurrent layers stand matters once: one of them, before the second full layer, is worth one table. All others are worth none.",
      ),
    ),
    h(
      "div",
      { class: "board" },
      h(
        "div",
        { class: "controls" },
        input.node,
        button("show", () => input.input.dispatchEvent(new Event("change")), { "data-name": "word-show" }),
      ),
      h("p", { class: "note", style: "margin:0 0 0.4rem" }, "Or a real model, read off its published configuration:"),
      presets,
      out,
    ),
    h("div", { class: "split two" }, ceilingBoard(record.ceilings), thresholdBoard(record.thresholds, record.models)),
  ];
}
function ceilingBoard({ n, beta, lambda, curves }) {
  const series = curves.map(({ word, points, depth }) => ({
    name: `${word}: depth ${depth}`,
    points: points.map(([x, y]) => [x, y]),
  }));
  series.push({ name: "guessing", dashed: true, points: curves[0].points.map(([x, , y]) => [x, y]) });
  const [picture, key] = plot({
    label: "Ceilings of accuracy against the length of the prompt",
    series,
    xs: [8, 128, 2048, 32768, 524288],
    ys: [0, 0.25, 0.5, 0.75, 1],
    xName: "tokens of the prompt",
    yName: "accuracy",
    xText: (x) => grouped(x),
    yText: (y) => `${100 * y} %`,
  });
  const rows = curves[0].points.map(([tokens], k) => [tokens, k]).filter((_, k) => k % 6 === 0);
  return h(
    "div",
    { class: "board" },
    h("h3", {}, "How often can it be right?"),
    h(
      "figure",
      {},
      picture,
      key,
      h(
        "figcaption",
        {},
        `Two tables, n₁ = ${n}, messages of β = ${beta} bits, states of ${lambda}. No model of the word, trained or built, is above its line on random inputs. A line at 100 % says nothing yet.`,
      ),
    ),
    h(
      "details",
      {},
      h("summary", {}, "the numbers"),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, "tokens"),
              curves.map(({ word }) => h("th", { scope: "col" }, word)),
            ),
          ),
          h(
            "tbody",
            {},
            rows.map(([tokens, k]) =>
              h(
                "tr",
                {},
                h("td", {}, grouped(tokens)),
                curves.map(({ points }) => h("td", {}, `${(100 * points[k][1]).toFixed(2)} %`)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
function thresholdBoard({ beta, lambda, rows }, models) {
  const NAMES = [
    ["paper", "the hierarchy paper"],
    ["cpw", "Chen, Peng, Wu"],
    ["golden", "golden schedule"],
    ["sharpest", "sharpest found"],
  ];
  const series = NAMES.map(([key, name]) => ({ name, dots: true, points: rows.map((row) => [2 ** row.L, row[key]]) }));
  const [picture, key] = plot({
    label: "Least prompts by number of tables",
    series,
    xs: rows.map(({ L }) => 2 ** L),
    ys: [4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576],
    xName: "tables L, with L − 1 full layers",
    yName: "log₂ of the tokens",
    xText: (x) => String(Math.log2(x)),
    yScale: Math.log2,
    yText: (y) => (y < 10000 ? grouped(y) : `2^${Math.log2(y)}`),
  });
  const longest = Math.max(...models.map(({ context }) => context ?? 0));
  const within = rows.filter(({ tokens }) => tokens !== null && Number(tokens) <= longest);
  return h(
    "div",
    { class: "board" },
    h("h3", {}, "At which length is it certified impossible?"),
    h(
      "figure",
      {},
      picture,
      key,
      h(
        "figcaption",
        {},
        `Messages of β = ${beta} bits, states of Λ = ${lambda} bits: tiny models. The vertical axis is a logarithm of a logarithm: written out, the paper’s length for L = ${rows.at(-1).L} has ${grouped(Math.floor(rows.at(-1).paper * Math.log10(2)) + 1)} digits.`,
      ),
    ),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "L"),
            h("th", { scope: "col" }, "sharpest: tokens"),
            h("th", { scope: "col" }, "by"),
            h("th", { scope: "col" }, "the paper: tokens"),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              h("td", {}, row.L),
              h("td", {}, grouped(row.tokens)),
              h("td", {}, row.theorem),
              h("td", {}, `2^${grouped(Math.round(row.paper))}`),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      {},
      `How far is that from practice? The longest context of the models above has ${grouped(longest)} tokens, and ${within.length === 0 ? "none of these lengths lies" : `of these lengths ${within.map(({ L }) => `that for L = ${L}`).join(" and ")} ${within.length === 1 ? "lies" : "lie"}`} below it. But real layers send thousands of bits, not ${beta}: for a whole real model nothing is certified at real prompts. The depth says that there are sizes at which it must fail, and nothing of those of today.`,
    ),
  );
}
