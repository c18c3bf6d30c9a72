// Words of layers: F, R, W(128) for a window, [FR], with counts as in F3 and (RRF)4; and the depth of a word.

const MOST = 4096,
  ACCEPTED = "a word is made of F, R, W(128) and [FR], with repetition like F3 or (RRF)4";

export function parseWord(text) {
  if (text === "") throw new Error(`no word given; ${ACCEPTED}`);
  const open = [[]];
  let at = 0;
  while (at < text.length) {
    const letter = text[at];
    at += 1;
    let item;
    if (letter === "(") {
      open.push([]);
      continue;
    }
    const reach = letter === "W" ? /^\([0-9]+\)/.exec(text.slice(at)) : null;
    if (letter === "F" || letter === "R") item = [letter];
    else if (reach !== null) {
      item = ["R"]; // a window hands on what stands just before, as z_0 does: here it counts as R
      at += reach[0].length;
    } else if (letter === "[") {
      if (!["[FR]", "[RF]"].includes(text.slice(at - 1, at + 3)))
        throw new Error(`only [FR] may stand in square brackets; ${ACCEPTED}`);
      item = ["FR"];
      at += 3;
    } else if (letter === ")") {
      if (open.length === 1) throw new Error(`character ${at} closes a group that was never opened`);
      item = open.pop();
      if (item.length === 0) throw new Error(`character ${at} closes an empty group`);
    } else throw new Error(`character ${at} is “${letter}”; ${ACCEPTED}`);
    const digits = /^[0-9]*/.exec(text.slice(at))[0];
    at += digits.length;
    const count = digits === "" ? 1 : Number(digits);
    if (count === 0) throw new Error("a count is at least 1");
    if (!(open.at(-1).length + item.length * count <= MOST)) throw new Error(`a word has at most ${MOST} layers`);
    for (let k = 0; k < count; k += 1) open.at(-1).push(...item);
  }
  if (open.length > 1) throw new Error("a group is never closed");
  return open[0];
}
// #F − 1 + [some R stands before the second F]; 0 without F.
export function depthOf(layers) {
  const full = layers.filter((layer) => layer !== "R").length;
  return full === 0 ? 0 : full - 1 + (earlyR(layers) >= 0 ? 1 : 0);
}
// The place of the first R before the second F (with one F: anywhere); −1 if there is none.
export function earlyR(layers) {
  const places = layers.map((layer, k) => (layer === "R" ? -1 : k)).filter((k) => k >= 0);
  const place = layers.indexOf("R");
  return places.length > 0 && place >= 0 && (places.length < 2 || place < places[1]) ? place : -1;
}
export function verdictOf(layers, L) {
  const full = layers.filter((layer) => layer !== "R").length,
    depth = depthOf(layers);
  if (L <= depth) return { solvable: true, by: L < full ? "C1" : "C2" };
  return { solvable: false, by: full === 0 ? "C" : L > full ? "A" : "B" };
}
