// Section 7: a block, its summary, and two blocks with one summary.

import { choice, field, grouped, h, mark, replace, slider } from "./dom.mjs";
import { MAPS, ambiguous, classes, leastValues, severalLayers } from "./sparse.mjs";

export function twoSumSection() {
  const values = { modulus: 11, block: 3, bits: 4, opened: 1, blocks: 4, map: "sum", layers: 2 };
  let open = new Set([0]);
  const out = h("div", { "aria-live": "polite", "data-name": "sparse-out" }),
    typedOut = h("div", { "aria-live": "polite", "data-name": "sparse-typed" }),
    several = h("p", { "aria-live": "polite", "data-name": "sparse-several" });
  const control = (name, label, min, max, step = 1) =>
    slider({
      label,
      name: `sparse-${name}`,
      min,
      max,
      step,
      value: values[name],
      onchange: (value) => {
        values[name] = value;
        open = new Set(Array.from({ length: Math.min(values.opened, values.blocks) }, (_, k) => k));
        draw();
      },
    }).node;
  const pick = choice({
    label: "summary",
    name: "sparse-map",
    value: values.map,
    options: Object.entries(MAPS).map(([key, [text]]) => [key, text]),
    onchange: (value) => {
      values.map = value;
      draw();
    },
  });
  const typed = field({
    label: "a block of your own",
    name: "sparse-own-block",
    value: "2 7 5",
    size: 12,
    onchange: (text) => twin(text),
  });
  function twin(text) {
    const { modulus, block, map, bits } = values,
      numbers = text
        .trim()
        .split(/[\s,]+/)
        .map(Number);
    if (numbers.length !== block || numbers.some((x) => !Number.isInteger(x) || x < 1 || x >= modulus))
      throw new Error(`${block} numbers from 1 to ${modulus - 1} are needed`);
    for (const [summary, members] of classes(modulus, block, map, bits)) {
      if (!members.some((one) => one.every((x, j) => x === numbers[j]))) continue;
      const other = members.find(
        (one) => numbers.some((x) => !one.includes(x)) || one.some((x) => !numbers.includes(x)),
      );
      replace(
        typedOut,
        h(
          "p",
          {},
          `Its summary is ${summary}, shared by ${grouped(members.length)} blocks of ${grouped((modulus - 1) ** block)}. `,
          other
            ? `One of them is ${other.join(" ")}, another set.`
            : "All of them have the same elements: nothing is lost.",
        ),
      );
    }
  }
  function draw() {
    const { modulus, block, bits, opened, blocks, map, layers } = values;
    const [solved, impossible] = severalLayers(block, opened, layers);
    replace(
      several,
      `Blocks of ${block} tokens, ${opened} opened, ${layers} ${layers === 1 ? "layer" : "layers"}: `,
      solved === 0
        ? "without an opened block nothing is built; "
        : h("strong", {}, `solved up to (kB)^λ = ${grouped(solved)} numbers, `),
      h("strong", {}, `impossible from ((k+1)B)^λ + 1 = ${grouped(impossible)} on`),
      ". In between neither is known.",
    );
    const found = ambiguous(modulus, block, map, bits),
      least = blocks > opened ? leastValues(modulus, block, opened, blocks) : null;
    const needed = least === null ? null : (least - 1n).toString(2).length * (least > 1n ? 1 : 0);
    try {
      replace(typed.problem);
      twin(typed.input.value);
    } catch (error) {
      replace(typed.problem, error.message);
      replace(typedOut);
    }
    const theorem =
      least === null
        ? "All blocks are opened: nothing is hidden."
        : `Theorem D: with ${opened} of ${blocks} blocks opened, no summary with fewer than ${least} values can be right, so r ≥ ${needed} bits; here 2^${bits} = ${2 ** bits}.`;
    if (found.length === 0 || blocks <= opened) {
      replace(
        out,
        h(
          "div",
          { class: "verdict good" },
          h(
            "p",
            {},
            mark(true),
            h(
              "strong",
              {},
              found.length === 0
                ? " No value is ambiguous: the summary tells which elements a block has."
                : " Every block is opened.",
            ),
          ),
          h("p", { "data-name": "sparse-theorem" }, theorem),
        ),
      );
      return;
    }
    const { x, with: has, without: lacks, summary } = found[0],
      minus = modulus - x;
    const hidden = Array.from({ length: blocks }, (_, k) => k).find((k) => !open.has(k));
    const shownBlock = (k, second) => {
      const inside = second && k === hidden ? has : lacks;
      return h(
        "span",
        { class: "chip", style: "padding:0.15rem 0.5rem" },
        inside.map((value, j) => [
          j ? " " : "",
          second && k === hidden && value === x ? h("span", { class: "diff" }, value) : String(value),
        ]),
        ` → ${summary}`,
        open.has(k) ? " (opened)" : "",
      );
    };
    const toggles = Array.from({ length: blocks }, (_, k) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(open.has(k)),
          "data-open": k,
          onclick: () => {
            if (open.has(k)) open.delete(k);
            else {
              if (open.size >= opened) open.delete([...open][0]);
              if (opened > 0) open.add(k);
            }
            draw();
            out.querySelector(`[data-open="${k}"]`)?.focus();
          },
        },
        `block ${k + 1}`,
      ),
    );
    const prompt = (second) =>
      h(
        "div",
        { class: "prompt" },
        h("h4", {}, second ? `Prompt b: block ${hidden + 1} is swapped` : "Prompt a"),
        h(
          "div",
          { class: "chips", style: "justify-content:start" },
          Array.from({ length: blocks }, (_, k) => shownBlock(k, second)),
          h("span", { class: "chip", style: "padding:0.15rem 0.5rem" }, `query ${minus}`),
        ),
        h(
          "p",
          { style: "margin:0.4rem 0 0" },
          second ? `${x} + ${minus} = ${modulus}: right is 1.` : `Nothing adds up to ${modulus}: right is 0.`,
        ),
      );
    replace(
      out,
      h(
        "div",
        { class: "verdict bad" },
        h(
          "p",
          {},
          h("strong", { "data-name": "sparse-ambiguous" }, `${found.length} of ${modulus - 1} values are ambiguous.`),
          ` For example ${x}: the blocks ${has.join(" ")} and ${lacks.join(" ")} both have the summary ${summary}, and only the first has ${x}.`,
        ),
        h("p", { "data-name": "sparse-theorem" }, theorem),
      ),
      h(
        "p",
        {},
        `The layer sees all summaries and may open ${opened} ${opened === 1 ? "block" : "blocks"}. Choose which: `,
        h(
          "span",
          { class: "presets", role: "group", "aria-label": "opened blocks", style: "display:inline-flex" },
          toggles,
        ),
      ),
      h("div", { class: "pair" }, prompt(false), prompt(true)),
      h(
        "p",
        { class: "said" },
        "All summaries are equal, and so is everything in the opened blocks. Whatever you open, the other block is swapped: no scorer, however clever, tells the prompts apart.",
      ),
    );
  }
  draw();
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "A second task, 2-Sum: does some earlier number, added to mine, give a multiple of M? One layer of full attention does it with O(log n) bits: ask for the one number that would complete yours.",
      ),
      h(
        "p",
        {},
        "Sparse attention keeps the far past in blocks of B tokens. Of a block it sees a summary of r bits; a few blocks it may open. If two blocks have the same summary, but only one contains what you look for, and neither is opened, the layer cannot know.",
      ),
    ),
    h(
      "div",
      { class: "board" },
      h(
        "div",
        { class: "controls" },
        control("modulus", "modulus M", 5, 13, 2),
        control("block", "block B", 2, 3),
        control("blocks", "blocks g", 2, 6),
        control("opened", "opened k", 0, 3),
        control("bits", "summary bits r", 1, 10),
        pick.node,
      ),
      out,
      h("div", { class: "controls", style: "margin-top:1rem" }, typed.node),
      typedOut,
    ),
    h(
      "div",
      { class: "prose" },
      h("h3", {}, "Several layers that know nothing of a block but its place"),
      h(
        "p",
        {},
        "Let a summary say where its block stands, and nothing of what is in it. In one layer a token then reads the k blocks that it opens and its own: (k+1)B tokens. After λ layers all that it knows comes from ((k+1)B)^λ tokens. With more numbers, one is not read: change it, and the answer stays (D2).",
      ),
      h(
        "p",
        {},
        "(kB)^λ numbers can be searched, if workspace tokens stand between them and my own token; they are part of the prompt. In layer 1 each of them counts one value y among kB numbers. In the next layer kB of these counts are taken together, and so on, a tree. In the last layer my token opens the counts of the one y that it needs (C8). So λ layers solve 2-Sum if n ≤ (kB)^λ and, but for the own block, only then. Whether two layers with summaries that say something of their blocks do better is open.",
      ),
    ),
    h(
      "div",
      { class: "board" },
      h("div", { class: "controls" }, control("layers", "sparse layers λ", 2, 5)),
      several,
    ),
  ];
}
