// R alone: a state of s bits after a table, S ← (g·S + a·j + b·v + c·j·v) mod 2^s at entry j with value v; and two tables
// that end in one state, found by trying them.

import { random } from "./funccomp.mjs";

const stateAfter = (table, { g, a, b, c }, bits) =>
  table.reduce((S, v, k) => (g * S + a * (k + 1) + b * v + c * (k + 1) * v) % 2 ** bits, 0);

const ALL = 50_000;
function* tables(m, seed) {
  // all in random order if they are few, else random ones
  const count = m ** m,
    below = random(seed);
  if (count > ALL) for (;;) yield Array.from({ length: m }, () => below(m));
  let start = below(count),
    step = 1 + below(count - 1);
  const gcd = (x, y) => (y ? gcd(y, x % y) : x);
  while (gcd(step, count) > 1) step += 1;
  for (let k = 0; k < count; k += 1, start = (start + step) % count) {
    let rest = start;
    yield Array.from({ length: m }, () => {
      const v = rest % m;
      rest = Math.floor(rest / m);
      return v;
    });
  }
}
// {a, b, entry, state, tried} or {exhausted, tried, states}
export function findPair(m, weights, bits, seed = 1, most = 400_000) {
  const seen = new Map();
  let tried = 0;
  for (const table of tables(m, seed)) {
    tried += 1;
    const state = stateAfter(table, weights, bits),
      other = seen.get(state);
    if (other && other.some((v, k) => v !== table[k]))
      return { a: other, b: table, entry: table.findIndex((v, k) => v !== other[k]), state, tried };
    seen.set(state, table);
    if (tried >= most) break;
  }
  return { exhausted: m ** m <= ALL, tried, states: seen.size };
}
