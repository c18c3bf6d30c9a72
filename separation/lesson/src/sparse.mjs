// 2-Sum and one sparse layer: which values are ambiguous in a block whose summary has r bits, and how many bits it takes.

const choose = (n, k) => {
  let result = 1n;
  for (let j = 0n; j < k; j += 1n) result = (result * (n - j)) / (j + 1n);
  return result;
};

// The least number of summary values: V(d, B), one fewer if d = u; d = ⌈u(g−k)/g⌉, V(d, B) = Σ_{t ≤ min(B, d)} C(d, t).
export function leastValues(modulus, block, opened, blocks) {
  const u = modulus - 1,
    d = u - Math.floor((u * opened) / blocks);
  let values = 0n;
  for (let t = 0; t <= Math.min(block, d); t += 1) values += choose(BigInt(d), BigInt(t));
  return values - (d === u ? 1n : 0n);
}
// λ layers with content-free summaries: solved up to (kB)^λ tokens (C8), impossible from ((k+1)B)^λ + 1 on (D2).
export function severalLayers(block, opened, layers) {
  return [(opened * block) ** layers, ((opened + 1) * block) ** layers + 1];
}
export const MAPS = {
  sum: ["the sum, modulo 2^r", (block, values) => block.reduce((a, b) => a + b, 0) % values],
  mixed: [
    "a weighted sum, modulo 2^r",
    (block, values) => block.reduce((sum, x, j) => sum + x * (2 * j + 1) * 3, 0) % values,
  ],
  smallest: [
    "the smallest elements, modulo 2^r",
    (block, values) => [...block].sort((a, b) => a - b).reduce((sum, x) => sum * 13 + x, 0) % values,
  ],
  set: ["the set of its elements, cut to r bits", null],
};
function sequences(u, block) {
  return Array.from({ length: u ** block }, (_, index) => {
    let rest = index;
    return Array.from({ length: block }, () => {
      const x = (rest % u) + 1;
      rest = Math.floor(rest / u);
      return x;
    });
  });
}
// summary → its sequences
export function classes(modulus, block, map, bits) {
  const values = 2 ** bits,
    found = new Map(),
    numbers = new Map();
  for (const sequence of sequences(modulus - 1, block)) {
    let summary;
    if (map === "set") {
      const key = [...new Set(sequence)].sort((a, b) => a - b).join(" ");
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      summary = numbers.get(key) % values;
    } else summary = MAPS[map][1](sequence, values);
    if (!found.has(summary)) found.set(summary, []);
    found.get(summary).push(sequence);
  }
  return found;
}
// For each x that is ambiguous: {x, with, without, summary}
export function ambiguous(modulus, block, map, bits) {
  const result = [],
    found = classes(modulus, block, map, bits);
  for (let x = 1; x < modulus; x += 1) {
    for (const [summary, sequencesHere] of found) {
      const has = sequencesHere.find((sequence) => sequence.includes(x)),
        lacks = sequencesHere.find((sequence) => !sequence.includes(x));
      if (has && lacks) {
        result.push({ x, with: has, without: lacks, summary });
        break;
      }
    }
  }
  return result;
}
