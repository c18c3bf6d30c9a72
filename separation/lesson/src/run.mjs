// The forward pass in exact integers: streams are BigInt over a common denominator in units of 2^-f, a weight of
// attention is ⌊2^P·e^(score − shift)⌋, sums are integers, and each head rounds once, downwards; 0/0 = 0.

import { Q, exponential } from "../kernel.mjs";

const gcd = (a, b) => {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
};
const lcm = (a, b) => (a / gcd(a, b)) * b;
const floorDivide = (a, b) => (a % b < 0n ? a / b - 1n : a / b);

export function fraction(value) {
  // 3, "3/2" or "-1/4" as [numerator, denominator]
  const [top, bottom = "1"] = String(value).split("/");
  return [BigInt(top), BigInt(bottom)];
}
function compiled({ shape: [height], entries }) {
  const den = entries.reduce((common, [, , value]) => lcm(common, fraction(value)[1]), 1n);
  const rows = Array.from({ length: height }, () => []);
  for (const [row, column, value] of entries) {
    const [top, bottom] = fraction(value);
    rows[row].push([column, top * (den / bottom)]);
  }
  return { rows, den };
}
const bitCount = (size) => (size <= 1 ? 0 : 32 - Math.clz32(size - 1));
function rowTable({ declared }) {
  const parts = declared.map(({ start, radices, matrix }) => ({ start, radices, ...compiled(matrix) }));
  return (index) => {
    const { start, radices, rows, den } = parts.findLast((part) => part.start <= index);
    let rest = index - start;
    const digits = [...radices]
      .reverse()
      .map((size) => {
        const digit = rest % size;
        rest = Math.floor(rest / size);
        return digit;
      })
      .reverse();
    const symbols = [
      1n,
      ...digits.flatMap((digit, k) =>
        Array.from({ length: bitCount(radices[k]) }, (_, j) => ((digit >> j) & 1 ? 1n : -1n)),
      ),
    ];
    return { values: rows.map((row) => row.reduce((sum, [column, value]) => sum + value * symbols[column], 0n)), den };
  };
}
export function compile(model) {
  const slotOf = model.slots.flatMap(({ name, width }) => Array.from({ length: width }, (_, j) => ({ name, bit: j })));
  return {
    slotOf,
    width: slotOf.length,
    P: BigInt(model.precision.P),
    p: BigInt(model.precision.p),
    f: BigInt(model.precision.fraction),
    positions: rowTable(model.positions),
    tokens: rowTable(model.tokens),
    unembedding: rowTable(model.unembedding),
    layers: model.layers.map(({ heads, mlps }) => ({
      heads: heads.map((head) => ({
        q: compiled(head.W_Q),
        k: compiled(head.W_K),
        v: compiled(head.W_V),
        o: compiled(head.W_O),
        shift: new Q(...fraction(head.shift)),
        weights: new Map(),
      })),
      mlps: mlps.map((mlp) => ({
        in: compiled(mlp.W_1),
        inBias: compiled(mlp.b_1),
        out: compiled(mlp.W_2),
        outBias: compiled(mlp.b_2),
      })),
    })),
  };
}
const times = ({ rows, den }, x) => ({
  values: rows.map((row) => row.reduce((sum, [column, value]) => sum + value * x.values[column], 0n)),
  den: den * x.den,
});
function plus(a, b) {
  if (a.den === b.den) return { values: a.values.map((value, r) => value + b.values[r]), den: a.den };
  const den = lcm(a.den, b.den),
    [left, right] = [den / a.den, den / b.den];
  return { values: a.values.map((value, r) => value * left + b.values[r] * right), den };
}
const steps = ({ rows, den }, f) => ({
  values: rows.map((row) => row.reduce((sum, [, value]) => sum + (value << f), 0n)),
  den,
});

export class Overflow extends Error {
  constructor(layer, what, row) {
    super(`layer ${layer}: ${what}`);
    Object.assign(this, { layer, what, row });
  }
}
function checked(x, model, layer, what) {
  const most = (1n << model.p) * x.den,
    row = x.values.findIndex((value) => value > most || -value > most);
  if (row >= 0) throw new Overflow(layer, `a number (${what}) needs more than ${model.p} bits`, row);
  return x;
}
function weightOf(head, score, scale, P, layer) {
  // ⌊2^P e^(score/scale − shift)⌋
  const key = `${score}/${scale}`;
  let found = head.weights.get(key);
  if (found === undefined) {
    const x = Q.of(score, scale).sub(head.shift);
    if (x.sign > 0) throw new Overflow(layer, "a score is above the head's shift", null);
    for (let bits = P + 64n; found === undefined; bits *= 2n) {
      const [low, high] = exponential(x, bits).map((bound) => (bound.n << P) / bound.d);
      if (low === high) found = low;
    }
    head.weights.set(key, found);
  }
  return found;
}
// {streams: [embedding, after layer 1, …][token], looks: [layer] {weights, total, out, heard}, logits, answer}
export function run(model, ids) {
  const { f, P } = model;
  let x = ids.map((id, position) => {
    const lift = ({ values, den }) => ({ values: values.map((value) => value << f), den });
    return checked(plus(lift(model.positions(position)), lift(model.tokens(id))), model, 0, "embedding");
  });
  const streams = [x],
    looks = [],
    heard = [];
  model.layers.forEach(({ heads, mlps }, l) => {
    const layer = l + 1;
    let next = x;
    for (const head of heads) {
      const part = (matrix, what) => x.map((token) => checked(times(matrix, token), model, layer, what));
      const [q, k, v] = [part(head.q, "query"), part(head.k, "key"), part(head.v, "value")];
      const outputs = x.map((_, i) => {
        const weights = [];
        let total = 0n,
          sums = head.v.rows.map(() => 0n);
        const den = v.slice(0, i + 1).reduce((common, value) => lcm(common, value.den), 1n);
        for (let j = 0; j <= i; j += 1) {
          const score = q[i].values.reduce((sum, value, r) => sum + value * k[j].values[r], 0n);
          const e = weightOf(head, score, (q[i].den * k[j].den) << (2n * f), P, layer),
            factor = e * (den / v[j].den);
          weights.push(e);
          total += e;
          sums = sums.map((sum, r) => sum + factor * v[j].values[r]);
        }
        const out = { values: sums.map((sum) => (total === 0n ? 0n : floorDivide(sum, total * den))), den: 1n };
        return { weights, total, sums, out };
      });
      looks.push(outputs.at(-1));
      heard.push(outputs);
      next = next.map((token, i) => checked(plus(token, times(head.o, outputs[i].out)), model, layer, "stream"));
    }
    const afterHeads = next;
    for (const mlp of mlps) {
      next = next.map((token) => {
        const hidden = checked(plus(times(mlp.in, token), steps(mlp.inBias, f)), model, layer, "hidden");
        hidden.values = hidden.values.map((value) => (value > 0n ? value : 0n));
        return checked(plus(plus(token, times(mlp.out, hidden)), steps(mlp.outBias, f)), model, layer, "stream");
      });
    }
    looks.at(-1).afterHeads = afterHeads.at(-1);
    streams.push(next);
    x = next;
  });
  return { streams, looks, heard };
}
export function answer(model, stream, answers) {
  let best = null;
  const logits = Array.from({ length: answers }, (_, v) => {
    const row = model.unembedding(v);
    return Q.of(
      row.values.reduce((sum, value, r) => sum + value * stream.values[r], 0n),
      (row.den * stream.den) << model.f,
    );
  });
  logits.forEach((logit, v) => {
    if (best === null || logits[best].lt(logit)) best = v;
  });
  return { logits, answer: best };
}
export const shown = (value, den, f) => {
  // value·2^-f/den as a short decimal
  const number = Number((value * 10000n) / (den << f)) / 10000;
  return Object.is(number, -0) ? "0" : String(Math.round(number * 1000) / 1000).replace("-", "−");
};
