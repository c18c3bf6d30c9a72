// The task: N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ; i_0 = z_0, i_1 = z_1(i_0), i_{ℓ+1} = z_{ℓ+1}(w_ℓ·N_{ℓ-1} + i_ℓ).

export const bitCount = (size) => (size <= 1 ? 0 : 32 - Math.clz32(size - 1));

export function sizesOf(m, n) {
  const N = [m];
  for (const factor of n) N.push(N.at(-1) * factor);
  return { L: n.length + 1, m, n: [...n], N, length: N.reduce((a, b) => a + b, 2), W: n.reduce((a, b) => a * b, 1) };
}
// Random numbers that a seed repeats (mulberry32).
export function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}
export function sample(sizes, below) {
  return {
    sizes,
    z0: below(sizes.m),
    tables: sizes.N.map((size) => Array.from({ length: size }, () => below(size))),
    w: sizes.n.map(below),
  };
}
// Where each table is asked, and what it says: hops[0] = z_0.
export function follow({ sizes, z0, tables, w }) {
  const hops = [z0],
    asked = [];
  for (let level = 1; level <= sizes.L; level += 1) {
    const index = level === 1 ? z0 : w[level - 2] * sizes.N[level - 2] + hops.at(-1);
    asked.push(index);
    hops.push(tables[level - 1][index]);
  }
  return { hops, asked };
}
export const tableStart = (sizes, level) => sizes.N.slice(level).reduce((a, b) => a + b, 0);
export function tokenIds({ sizes, z0, tables, w }) {
  const query = w.reduce((sum, digit, k) => sum * sizes.n[k] + digit, 0);
  return [...[...tables].reverse().flat(), z0, sizes.N.at(-1) + query];
}
// Table tokens: {kind, level, index}; then z0 and w.
export function tokenAt(sizes, position) {
  if (position === sizes.length - 1) return { kind: "w", name: "w" };
  if (position === sizes.length - 2) return { kind: "z0", name: "z₀" };
  for (let level = sizes.L; level >= 1; level -= 1) {
    const index = position - tableStart(sizes, level);
    if (index < sizes.N[level - 1]) return { kind: `table ${level}`, level, index, name: `z${sub(level)}[${index}]` };
  }
  throw new Error(`no token at ${position}`);
}
export const sub = (number) => [...String(number)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit] ?? digit).join("");

export function readInstance(sizes, text, old) {
  // what a reader typed into one table, z0 or w
  const numbers = text
    .trim()
    .split(/[\s,;]+/)
    .map((word) => {
      if (!/^\d+$/.test(word)) throw new Error(`“${word}” is no number`);
      return Number(word);
    });
  if (numbers.length !== old.length) throw new Error(`${old.length} numbers are needed, got ${numbers.length}`);
  return numbers;
}
