// C1, written down a second time: L+1 full layers with one head each. certificate(sizes, τ) is the file that
// `separation prove C1 --out` writes, number for number; the reader may then change any weight of it.

import { bitCount, tableStart } from "./funccomp.mjs";

const signs = (number, length) => Array.from({ length }, (_, j) => ((number >> j) & 1 ? 1 : -1));
const scaled = (tau, factor) => {
  // factor·τ, τ = [numerator, denominator]
  const [n, d] = [tau[0] * factor, tau[1]];
  return n % d === 0 ? n / d : reduce(n, d);
};
function reduce(n, d) {
  let [a, b] = [Math.abs(n), d];
  while (b) [a, b] = [b, a % b];
  return `${n / a}/${d / a}`;
}
function matrix(shape, entries) {
  return {
    shape,
    entries: entries.filter(([, , value]) => value !== 0).sort((a, b) => a[0] - b[0] || a[1] - b[1]),
  };
}

// The least whole τ with (1 + e^{-2τ})^b − 1 ≤ 1/8.
function leastTemperature(bits) {
  let tau = 1;
  while ((1 + Math.exp(-2 * tau)) ** bits > 9 / 8) tau += 1;
  return tau;
}
function plan(sizes) {
  const digits = sizes.n.map(bitCount),
    answer = bitCount(sizes.N.at(-1));
  const widths = [
    ["one", 1],
    ["tag", bitCount(sizes.L + 2)],
    ["digit", Math.max(0, ...digits)],
    ["index", sizes.L === 1 ? bitCount(sizes.m) : bitCount(sizes.N[sizes.L - 2])],
    ["value", answer],
    ["query", digits.reduce((a, b) => a + b, 0)],
    ["pointer", answer],
    ["found", answer],
  ];
  const slots = [],
    at = {};
  let start = 0;
  for (const [name, width] of widths) {
    slots.push({ name, width });
    at[name] = Array.from({ length: width }, (_, j) => start + j);
    start += width;
  }
  return { sizes, digits, answer, slots, at, width: start, keys: at.tag.length + at.digit.length + at.index.length };
}
export const leastOf = (sizes) => leastTemperature(plan(sizes).keys);

export function certificate(sizes, tau = [leastOf(sizes), 1]) {
  const p = plan(sizes),
    { L } = sizes,
    bits = Math.max(8, bitCount(sizes.length));
  const fraction = Math.max(0, bits - bitCount(Math.max(Math.ceil(tau[0] / tau[1]), 3)));
  const task = { task: "funccomp", m: sizes.m, n: sizes.n };
  const layers = Array.from({ length: L + 1 }, (_, step) => ({ heads: [head(p, step, tau)], mlps: [mlp(p)] }));
  const whole = layers.every(({ heads }) =>
    heads.every(({ W_Q, shift }) => typeof shift === "number" && W_Q.entries.every(([, , v]) => typeof v === "number")),
  );
  const inputs = sizes.N.reduce((product, size) => product * BigInt(size) ** BigInt(size), BigInt(sizes.m * sizes.W));
  return {
    schema: "separation.certificate/1",
    kind: "construction",
    tool: "lesson",
    claim: {
      construction: "C1",
      task,
      tokens: sizes.length,
      word: "F".repeat(L + 1),
      width: p.width,
      heads: 1,
      layers: L + 1,
      precision_bits: { P: bits, p: bits },
      integral: whole,
      state_bits: 0,
      inputs_covered_log2: inputs.toString(2).length - 1,
      margin: 2,
    },
    model: {
      schema: "separation.model/1",
      task,
      precision: { P: bits, p: bits, fraction },
      attention: "causal",
      slots: p.slots,
      positions: { declared: positions(p) },
      tokens: { declared: tokens(p) },
      layers,
      unembedding: {
        declared: [
          segment(
            0,
            [sizes.N.at(-1)],
            p.width,
            p.at.pointer.map((row, j) => [row, j + 1, 1]),
          ),
        ],
      },
      invariants: Array.from({ length: L + 2 }, (_, step) => stage(p, step)),
    },
  };
}
const segment = (start, radices, width, entries) => ({
  start,
  radices,
  matrix: matrix([width, 1 + radices.reduce((sum, size) => sum + bitCount(size), 0)], entries),
});
const kinds = ({ sizes }) => [
  ...Array.from({ length: sizes.L }, (_, k) => sizes.L - k).map((level) => ({
    name: `table ${level}`,
    tag: level,
    start: tableStart(sizes, level),
    digit: level >= 2 ? sizes.n[level - 2] : null,
    index: level >= 2 ? sizes.N[level - 2] : sizes.m,
  })),
  { name: "z0", tag: 0, start: sizes.length - 2, digit: null, index: null },
  { name: "w", tag: sizes.L + 1, start: sizes.length - 1, digit: null, index: null },
];
function positions(p) {
  return kinds(p).map((kind) => {
    const entries = [[0, 0, 1], ...signs(kind.tag, p.at.tag.length).map((sign, j) => [p.at.tag[j], 0, sign])];
    let column = 1;
    for (const slot of ["digit", "index"]) {
      const used = kind[slot] === null ? 0 : bitCount(kind[slot]);
      p.at[slot].forEach((row, j) => entries.push(j < used ? [row, column + j, 1] : [row, 0, -1]));
      column += used;
    }
    return segment(
      kind.start,
      [kind.digit, kind.index].filter((size) => size !== null),
      p.width,
      entries,
    );
  });
}
function tokens(p) {
  const { sizes, at, width } = p;
  return [
    segment(
      0,
      [sizes.N.at(-1)],
      width,
      at.value.map((row, j) => [row, j + 1, 1]),
    ),
    segment(
      sizes.N.at(-1),
      sizes.n,
      width,
      at.query.map((row, j) => [row, j + 1, 1]),
    ),
  ];
}
// Query τ·(tag of the table; w_{step-1}; i_{step-1}); keys (tag, digit, index); `value` goes to `found`.
function head(p, step, tau) {
  const { sizes, at, digits } = p,
    first = at.tag[0],
    key = (row) => row - first;
  const place = digits.slice(0, Math.max(step - 2, 0)).reduce((a, b) => a + b, 0);
  const asked = {
    digit: step >= 2 ? at.query.slice(place, place + digits[step - 2]) : [],
    index: step === 0 ? [] : at.pointer.slice(0, step === 1 ? bitCount(sizes.m) : bitCount(sizes.N[step - 2])),
  };
  const query = signs(step, at.tag.length).map((sign, j) => [key(at.tag[j]), 0, scaled(tau, sign)]);
  for (const slot of ["digit", "index"]) {
    at[slot].forEach((row, j) =>
      query.push(j < asked[slot].length ? [key(row), asked[slot][j], scaled(tau, 1)] : [key(row), 0, scaled(tau, -1)]),
    );
  }
  const rows = [...at.tag, ...at.digit, ...at.index];
  return {
    type: "full",
    W_Q: matrix([p.keys, p.width], query),
    W_K: matrix(
      [p.keys, p.width],
      rows.map((row) => [key(row), row, 1]),
    ),
    W_V: matrix(
      [p.answer, p.width],
      at.value.map((row, j) => [j, row, 1]),
    ),
    W_O: matrix(
      [p.width, p.answer],
      at.found.map((row, j) => [row, j, 1]),
    ),
    shift: scaled(tau, p.keys),
  };
}
// pointer ← clip(found), found ← 0: clip(x) = relu(2x+1) − relu(2x−1) − 1.
function mlp({ at, answer, width }) {
  const unit = (k) => Array.from({ length: answer }, (_, j) => k * answer + j),
    [above, below, oldUp, oldDown, foundUp, foundDown] = [0, 1, 2, 3, 4, 5].map(unit);
  const link = (rows, columns, value) => rows.map((row, j) => [row, columns[j], value]);
  return {
    W_1: matrix(
      [6 * answer, width],
      [
        ...link(above, at.found, 2),
        ...link(below, at.found, 2),
        ...link(oldUp, at.pointer, 1),
        ...link(oldDown, at.pointer, -1),
        ...link(foundUp, at.found, 1),
        ...link(foundDown, at.found, -1),
      ],
    ),
    b_1: matrix([6 * answer, 1], [...above.map((row) => [row, 0, 1]), ...below.map((row) => [row, 0, -1])]),
    W_2: matrix(
      [width, 6 * answer],
      [
        ...link(at.pointer, above, 1),
        ...link(at.pointer, below, -1),
        ...link(at.pointer, oldUp, -1),
        ...link(at.pointer, oldDown, 1),
        ...link(at.found, foundUp, -1),
        ...link(at.found, foundDown, 1),
      ],
    ),
    b_2: matrix(
      [width, 1],
      at.pointer.map((row) => [row, 0, -1]),
    ),
  };
}
// What each slot of each kind of token holds before layer 1 (step 0) and after each layer.
function stage(p, step) {
  const { sizes, at } = p;
  return Object.fromEntries(
    kinds(p).map((kind) => {
      const forms = [[0, "1", 1], ...signs(kind.tag, at.tag.length).map((sign, j) => [at.tag[j], "1", sign])],
        noise = [];
      const code = (rows, name, bits) =>
        rows.forEach((row, j) => forms.push(j < bits ? [row, `${name}.${j}`, 1] : [row, "1", -1]));
      for (const slot of ["digit", "index"]) code(at[slot], slot, kind[slot] === null ? 0 : bitCount(kind[slot]));
      if (kind.name === "w") {
        let place = 0;
        p.digits.forEach((bits, k) => {
          code(at.query.slice(place, place + bits), `w${k + 1}`, bits);
          place += bits;
        });
        if (step >= 1) code(at.pointer, `i${step - 1}`, bitCount(sizes.N[Math.max(step - 2, 0)]));
      } else {
        code(
          at.value,
          kind.name === "z0" ? "i0" : "value",
          bitCount(kind.name === "z0" ? sizes.m : sizes.N[kind.tag - 1]),
        );
        if (step >= 1) for (const row of at.pointer) noise.push({ radius: 1, column: [[row, 1]] });
      }
      return [kind.name, { forms: forms.sort((a, b) => a[0] - b[0]), noise }];
    }),
  );
}
