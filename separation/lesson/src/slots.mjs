// What section 2 draws of one layer: where the last token looks, what its slots hold, and how the clip snaps bits back.

import { h, mark, replace, svg } from "./dom.mjs";
import { sub, tokenAt } from "./funccomp.mjs";
import { shown } from "./run.mjs";
import { hopsNow } from "./state.mjs";

export function drawBars(node, look, sizes, layer, hops) {
  const { asked } = hopsNow(),
    total = look.total,
    match = layer === 0 ? sizes.length - 2 : null;
  const wanted =
    match ??
    [...Array(sizes.length).keys()].find((position) => {
      const token = tokenAt(sizes, position);
      return token.level === layer && token.index === asked[layer - 1];
    });
  const shares = look.weights.map((weight) => (total === 0n ? 0 : Number((weight * 1000000n) / total) / 1e6));
  const groups = [];
  for (let position = 0; position < sizes.length; position += 1) {
    const name = tokenAt(sizes, position).level
      ? `z${sub(tokenAt(sizes, position).level)}`
      : tokenAt(sizes, position).name;
    if (groups.at(-1)?.name === name) groups.at(-1).count += 1;
    else groups.push({ name, count: 1 });
  }
  const target = tokenAt(sizes, wanted).name,
    rest = 1 - shares[wanted];
  replace(
    node,
    h(
      "div",
      {
        class: "bars",
        role: "img",
        "data-name": "bars",
        "data-weights": look.weights.join(" "),
        "aria-label": `Attention of the last token in layer ${layer + 1}: ${(shares[wanted] * 100).toFixed(1)} percent on ${target}`,
      },
      shares.map((share, position) =>
        h(
          "div",
          {
            class: `bar${position === wanted ? " match" : ""}`,
            title: `${tokenAt(sizes, position).name}: weight ${look.weights[position]} of ${total}`,
          },
          h("span", { style: `height:${(share * 100).toFixed(2)}%` }),
        ),
      ),
    ),
    h(
      "div",
      { class: "barnames", "aria-hidden": "true" },
      groups.map(({ name, count }) => h("span", { style: `--n:${count}` }, name)),
    ),
    h(
      "p",
      { class: "said" },
      `It wants ${target}, and gives it ${(shares[wanted] * 100).toFixed(2)} % of its attention; `,
      h("strong", { "data-name": "leak" }, `${(rest * 100).toFixed(2)} %`),
      ` leaks to other tokens. It reads i${sub(layer)} = ${hops[layer]}.`,
    ),
  );
}
// Each bit as attention left it in `found`, and where the clip puts it in `pointer`.
export function drawClip(node, result, model, document, layer, world) {
  const rowsOf = (name) => model.slotOf.flatMap((slot, row) => (slot.name === name ? [row] : []));
  const found = rowsOf("found"),
    pointer = rowsOf("pointer"),
    middle = result.looks[layer].afterHeads,
    after = result.streams[layer + 1].at(-1);
  const real = ({ values: all, den }, row) => Number((all[row] * 100000n) / (den << model.f)) / 100000;
  const broken = brokenRows(after, document.invariants[layer + 1].w, model, world);
  const width = 440,
    line = 30,
    x = (value) => width / 2 + Math.max(-1.35, Math.min(1.35, value)) * 140;
  const said = found
    .map((row, j) => `bit ${j}: ${real(middle, row).toFixed(3)} becomes ${real(after, pointer[j])}`)
    .join("; ");
  replace(
    node,
    svg(
      "svg",
      { class: "clip", viewBox: `0 0 ${width} ${found.length * line + 22}`, role: "img", "aria-label": said },
      svg("rect", { class: "band", x: x(-0.5), y: 0, width: x(0.5) - x(-0.5), height: found.length * line }),
      found.map((row, j) => {
        const y = j * line + 15,
          from = real(middle, row),
          to = real(after, pointer[j]),
          off = broken.has(pointer[j]);
        return [
          svg("line", { class: "axis", x1: x(-1.3), x2: x(1.3), y1: y, y2: y }),
          svg("text", { class: "name", x: 0, y: y + 4 }, `bit ${j}`),
          svg("path", {
            class: off ? "lost" : "",
            d: `M${x(from)},${y} Q${(x(from) + x(to)) / 2},${y - 16} ${x(to)},${y}`,
          }),
          svg("circle", { class: "raw", cx: x(from), cy: y, r: 4 }),
          svg("circle", { class: off ? "off" : "snapped", cx: x(to), cy: y, r: 5.5 }),
        ];
      }),
      [-1, -0.5, 0, 0.5, 1].map((value) =>
        svg("text", { x: x(value), y: found.length * line + 14 }, String(value).replace("-", "−")),
      ),
    ),
    h(
      "p",
      { class: "note", style: "margin:0" },
      "Gold: what attention read. Blue: after the clip. A bit that lands in the shaded band is not snapped back to ±1, and the invariant breaks.",
    ),
  );
}
const SAYS = {
  one: () => "the constant 1",
  tag: () => "I am w",
  digit: () => "no address",
  index: () => "no address",
  value: () => "empty",
};

function values(stream, rows, model) {
  return rows.map((row) => shown(stream.values[row], stream.den, model.f));
}

// What the invariant of w says of each row after a stage: {number, free}; symbols are bits of hops and of w.
function expected(invariant, width, { hops, instance }) {
  const rows = Array.from({ length: width }, () => 0),
    free = new Set();
  const bit = (symbol) => {
    if (symbol === "1") return 1;
    const [, name, index, place] = /^([iw])(\d+)\.(\d+)$/.exec(symbol);
    const value = name === "i" ? hops[index] : instance.w[index - 1];
    return (value >> place) & 1 ? 1 : -1;
  };
  for (const [row, symbol, amount] of invariant.forms) rows[row] += bit(symbol) * Number(amount);
  for (const { column } of invariant.noise) for (const [row] of column) free.add(row);
  return { rows, free };
}
function brokenRows(stream, invariant, model, world) {
  const { rows, free } = expected(invariant, model.width, world),
    unit = stream.den << model.f;
  return new Set(
    rows.map((_, row) => row).filter((row) => !free.has(row) && stream.values[row] !== BigInt(rows[row]) * unit),
  );
}
export function firstBroken(result, model, document, world) {
  for (let layer = 0; layer < result.streams.length; layer += 1) {
    const broken = brokenRows(result.streams[layer].at(-1), document.invariants[layer].w, model, world);
    if (broken.size > 0) return { layer, slot: model.slotOf[Math.min(...broken)].name };
  }
  return null;
}
export function drawSlots(node, result, model, document, layer, world) {
  const before = result.streams[layer].at(-1),
    middle = result.looks[layer].afterHeads,
    after = result.streams[layer + 1].at(-1);
  const broken = brokenRows(after, document.invariants[layer + 1].w, model, world),
    earlier = brokenRows(before, document.invariants[layer].w, model, world);
  let start = 0;
  const lines = document.slots.map(({ name, width }) => {
    const rows = Array.from({ length: width }, (_, j) => start + j);
    start += width;
    if (width === 0) return null;
    const says =
      name === "query"
        ? world.instance.w.map((digit, k) => `w${sub(k + 1)} = ${digit}`).join(", ")
        : name === "pointer"
          ? `holds i${sub(layer)} = ${world.hops[layer]}`
          : name === "found"
            ? "empty again"
            : SAYS[name]();
    const bits = (stream, wrong) =>
      h(
        "td",
        { class: "bits" },
        values(stream, rows, model).map((value, j) =>
          h("span", { class: `bit${wrong?.has(rows[j]) ? " off" : value === "1" ? " one" : ""}` }, value),
        ),
      );
    const fails = rows.some((row) => broken.has(row));
    return h(
      "tr",
      { class: fails ? "broken" : "", "data-slot": name },
      h("th", { scope: "row" }, name),
      h("td", {}, mark(!fails), " ", says),
      bits(before, earlier),
      bits(middle, null),
      bits(after, broken),
    );
  });
  replace(
    node,
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["slot", "invariant after the layer", "before", "after attention", "after the clip"].map((text) =>
            h("th", { scope: "col" }, text),
          ),
        ),
      ),
      h("tbody", {}, lines),
    ),
  );
}
