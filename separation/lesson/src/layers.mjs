// Section 2: C1's weights run in the page, layer by layer; the proof next to them; and what happens when they change.

import { certificate, leastOf } from "./c1.mjs";
import { button, grouped, h, mark, replace, slider, svg } from "./dom.mjs";
import { sub, tokenAt, tokenIds } from "./funccomp.mjs";
import { checkText } from "../kernel.mjs";
import { wrongInput } from "./refute.mjs";
import { Overflow, answer, compile, run, shown } from "./run.mjs";
import { hopsNow, setInstance, state, watch } from "./state.mjs";
import { weightBoard } from "./weights.mjs";

const QUARTERS = 4;
const clone = (value) => JSON.parse(JSON.stringify(value));

export function layersSection() {
  let sizesKey = "", original, cert, model, layer = 0, quarters = 0, search = 0, edits = 0;
  const bars = h("div", {}), slots = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "slots of the last token" });
  const proof = h("div", { "aria-live": "polite", "data-name": "proof" }), wrong = h("div", { "aria-live": "polite", "data-name": "wrong-input" });
  const clip = h("div", {}), answered = h("div", { "data-name": "c1-answer" }), where = h("span", { class: "where" });
  const heat = slider({
    label: "temperature τ", name: "temperature", min: 1, max: 16, value: 8, show: (value) => String(value / QUARTERS),
    onchange: (value) => { quarters = value; rebuild(); },
  });
  const back = button("← layer", () => move(-1), { "data-name": "layer-back" }), on = button("layer →", () => move(1), { class: "main", "data-name": "layer-next" });
  const board = weightBoard({ model: () => cert.model, original: () => original.model, layer: () => layer, change });
  const reset = button("C1’s own weights again", () => { quarters = QUARTERS * leastOf(state.instance.sizes); rebuild(); }, { "data-name": "c1-reset" });

  function move(by) { layer = Math.min(Math.max(layer + by, 0), state.instance.sizes.L); draw(); board.reset(); }
  function rebuild() {
    heat.input.value = quarters;
    heat.say();
    cert = certificate(state.instance.sizes, [quarters, QUARTERS]);
    original = clone(cert);
    edits = 0;
    weighed();
    board.reset();
  }
  function change(part, row, column, value) {
    const { heads, mlps } = cert.model.layers[layer], owner = Object.hasOwn(heads[0], part) ? heads[0] : mlps[0];
    owner[part].entries = owner[part].entries.filter(([r, c]) => r !== row || c !== column);
    if (value !== 0) owner[part].entries.push([row, column, value]);
    owner[part].entries.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    edits += 1;
    const numbers = cert.model.layers.flatMap(({ heads: hs, mlps: ms }) => [...hs, ...ms]).flatMap((each) => Object.values(each)).flatMap((each) => (each?.entries ? each.entries.map(([, , v]) => v) : []));
    cert.claim.integral = numbers.every((each) => typeof each === "number");
    weighed();
  }
  function weighed() { model = compile(cert.model); prove(); draw(); }
  function prove() {
    const steps = [], verdict = checkText(JSON.stringify(cert), (step) => steps.push(step)), { where: place } = verdict, holds = verdict.verdict === "accepted";
    const matched = place && steps.some(({ at, rule }) => at === `layer ${place.layer}, ${place.kind}` && rule.startsWith("P4"));
    const slot = place && slotAt(place, cert.model, model);
    const exact = cert.claim.inputs_covered_log2;
    replace(proof, h("div", { class: `verdict ${holds ? "good" : "bad"}` },
      h("p", {}, mark(holds), " ", holds ? h("strong", {}, "Proved, for all inputs at once.") : h("strong", {}, "The proof fails", place ? ` at layer ${place.layer}${place.kind ? `, token ${place.kind}` : ""}${slot ? `, slot “${slot.name}”, bit ${slot.bit}` : ""}.` : ".")),
      h("p", {}, holds ? `The second kernel, in this page, checked every layer: at least 2^${exact} inputs, none left out, margin ${cert.claim.margin}.` : verdict.sentence),
      !holds && place?.kind && !matched && h("p", {}, "No key is sure to win any more (rule P4), so all that is known is that the head hears some mean of all values (P5). That is too little.")));
    replace(wrong);
    search += 1;
    if (holds) return;
    const mine = search, instance = state.instance;
    replace(wrong, h("p", { class: "note" }, "Looking for an input that it gets wrong …"));
    wrongInput(model, instance, { stopped: () => mine !== search, tell: (count) => mine === search && replace(wrong, h("p", { class: "note" }, `Looking for an input that it gets wrong … ${count} tried.`)) }).then((found) => {
      if (mine !== search || found.stopped) return;
      if (!found.instance) {
        replace(wrong, h("div", { class: "verdict" }, h("p", {}, `${grouped(found.count)} inputs tried, all answered rightly. That proves nothing: only the proof speaks of all inputs, and it does not hold any more.`)));
        return;
      }
      const { instance: input, found: { answer: said, expected, overflow } } = found;
      replace(wrong, h("div", { class: "verdict bad" }, h("p", {}, h("strong", {}, "A wrong input"), found.count === 1 ? ", the one on the board" : `, number ${found.count} that was tried`, ": ",
        `z₀ = ${input.z0}, w = (${input.w.join(", ")}), `, input.tables.map((table, k) => `z${sub(k + 1)} = ${table.join(" ")}`).join("; "), "."),
      h("p", {}, overflow ? `It gives no answer: ${overflow}. Right is ${expected}.` : `The model says ${said}; right is ${expected}.`),
      found.count > 1 && button("put it on the board", () => setInstance(input), { "data-name": "wrong-to-board" })));
    });
  }
  function draw() {
    const { instance } = state, { sizes } = instance, { hops } = hopsNow(), ids = tokenIds(instance);
    let result = null, stop = null;
    try { result = run(model, ids); } catch (error) { if (!(error instanceof Overflow)) throw error; stop = error; }
    replace(where, `layer ${layer + 1} of ${sizes.L + 1}`);
    back.disabled = layer === 0;
    on.disabled = layer === sizes.L;
    board.draw();
    if (stop) {
      const slot = stop.row === null ? null : model.slotOf[stop.row];
      replace(bars, h("p", { class: "verdict bad" }, `The run stops. ${stop.message}${slot && stop.what.includes("stream") ? ` (slot “${slot.name}”)` : ""}.`));
      for (const each of [slots, clip, answered]) replace(each);
      return;
    }
    drawBars(bars, result.looks[layer], sizes, layer, hops);
    drawSlots(slots, result, model, cert.model, layer, { hops, instance });
    drawClip(clip, result, model, cert.model, layer, { hops, instance });
    const said = answer(model, result.streams.at(-1).at(-1), sizes.N.at(-1)).answer, right = hops.at(-1), first = firstBroken(result, model, cert.model, { hops, instance });
    replace(answered, h("p", { class: "said" }, mark(said === right), ` The model answers `, h("strong", { "data-name": "answer" }, said), `; right is `, h("strong", {}, right), ". ",
      first === null ? "On this input every invariant holds." : h("span", { class: "no" }, `On this input the first invariant to fail is that of slot “${first.slot}” after layer ${first.layer}.`)));
  }
  watch(() => {
    const { sizes } = state.instance, key = `${sizes.L} ${sizes.m}`;
    if (key !== sizesKey) {
      sizesKey = key;
      layer = 0;
      quarters = QUARTERS * leastOf(sizes);
      rebuild();
    } else if (edits > 0 || quarters !== QUARTERS * leastOf(sizes)) weighed();
    else draw();
  });
  const stage = h("div", { class: "board", role: "group", "aria-label": "The model, layer by layer; left and right arrow keys step", tabindex: 0 },
    h("div", { class: "steps" }, back, where, on, heat.node, reset), h("h3", {}, "Where the last token looks"), bars, h("h3", {}, "What the last token holds"), slots, h("h3", {}, "The clip"), clip, answered);
  stage.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    move(event.key === "ArrowRight" ? 1 : -1);
  });
  return [
    h("div", { class: "prose" },
      h("p", {}, "Here are the weights that do it, in ", h("i", {}, "L"), " + 1 layers of full attention with one head each. They are small whole numbers, and they run in this page, exactly, on the input of the board above."),
      h("p", {}, "Every token’s key is the code of its own address, in bits ±1. Layer 1 lets the last token ask for z₀; each later layer asks for the table entry whose address it has just learned. ",
        "The right key matches in every bit; a wrong one misses at least one, and its weight falls by a factor e", h("sup", {}, "−2τ"), ". What leaks in from wrong keys moves a bit a little; the MLP clips it back to ±1, so nothing is carried on."),
      h("p", {}, "Keys depend on positions, never on what tables say. So one check of each layer covers every table there is: that is why a proof can speak of all inputs.")),
    stage,
    h("div", { class: "split two" },
      h("div", { class: "board" }, h("h3", {}, "The proof"), h("p", {}, "Between two layers stands an invariant: what each slot of each token holds. If each layer leads from one to the next, the answer is right for every input."), proof, wrong),
      h("div", { class: "board" }, h("h3", {}, "Break it: the weights of this layer"), board.node)),
  ];
}
// The slot where a proof failed: a coordinate of the stream, or what a query, a key or a unit of the MLP reads or writes.
function slotAt({ layer, row, part }, document, model) {
  if (row !== null) return model.slotOf[row];
  if (!part) return null;
  const { heads: [head], mlps: [mlp] } = document.layers[layer - 1];
  const first = (matrix, index, from, to) => { const entry = matrix.entries.find((each) => each[from] === index); return entry ? model.slotOf[entry[to]] : null; };
  switch (part.what) {
    case "the stream": case "an invariant": return model.slotOf[part.index];
    case "a unit of an MLP": return first(mlp.W_1, part.index, 0, 1);
    case "a query": case "a key": return first(head.W_K, part.index, 0, 1);
    case "a value": return first(head.W_O, part.index, 1, 0);
    default: return null;
  }
}
function drawBars(node, look, sizes, layer, hops) {
  const { asked } = hopsNow(), total = look.total, match = layer === 0 ? sizes.length - 2 : null;
  const wanted = match ?? [...Array(sizes.length).keys()].find((position) => { const token = tokenAt(sizes, position); return token.level === layer && token.index === asked[layer - 1]; });
  const shares = look.weights.map((weight) => (total === 0n ? 0 : Number((weight * 1000000n) / total) / 1e6));
  const groups = [];
  for (let position = 0; position < sizes.length; position += 1) {
    const name = tokenAt(sizes, position).level ? `z${sub(tokenAt(sizes, position).level)}` : tokenAt(sizes, position).name;
    if (groups.at(-1)?.name === name) groups.at(-1).count += 1; else groups.push({ name, count: 1 });
  }
  const target = tokenAt(sizes, wanted).name, rest = 1 - shares[wanted];
  replace(node,
    h("div", { class: "bars", role: "img", "data-name": "bars", "data-weights": look.weights.join(" "), "aria-label": `Attention of the last token in layer ${layer + 1}: ${(shares[wanted] * 100).toFixed(1)} percent on ${target}` },
      shares.map((share, position) => h("div", { class: `bar${position === wanted ? " match" : ""}`, title: `${tokenAt(sizes, position).name}: weight ${look.weights[position]} of ${total}` }, h("span", { style: `height:${(share * 100).toFixed(2)}%` })))),
    h("div", { class: "barnames", "aria-hidden": "true" }, groups.map(({ name, count }) => h("span", { style: `--n:${count}` }, name))),
    h("p", { class: "said" }, `It wants ${target}, and gives it ${(shares[wanted] * 100).toFixed(2)} % of its attention; `, h("strong", { "data-name": "leak" }, `${(rest * 100).toFixed(2)} %`), ` leaks to other tokens. It reads i${sub(layer)} = ${hops[layer]}.`));
}
// Each bit as attention left it in `found`, and where the clip puts it in `pointer`.
function drawClip(node, result, model, document, layer, world) {
  const rowsOf = (name) => model.slotOf.flatMap((slot, row) => (slot.name === name ? [row] : []));
  const found = rowsOf("found"), pointer = rowsOf("pointer"), middle = result.looks[layer].afterHeads, after = result.streams[layer + 1].at(-1);
  const real = ({ values: all, den }, row) => Number((all[row] * 100000n) / (den << model.f)) / 100000;
  const broken = brokenRows(after, document.invariants[layer + 1].w, model, world);
  const width = 440, line = 30, x = (value) => width / 2 + Math.max(-1.35, Math.min(1.35, value)) * 140;
  const said = found.map((row, j) => `bit ${j}: ${real(middle, row).toFixed(3)} becomes ${real(after, pointer[j])}`).join("; ");
  replace(node, svg("svg", { class: "clip", viewBox: `0 0 ${width} ${found.length * line + 22}`, role: "img", "aria-label": said },
    svg("rect", { class: "band", x: x(-0.5), y: 0, width: x(0.5) - x(-0.5), height: found.length * line }),
    found.map((row, j) => {
      const y = j * line + 15, from = real(middle, row), to = real(after, pointer[j]), off = broken.has(pointer[j]);
      return [svg("line", { class: "axis", x1: x(-1.3), x2: x(1.3), y1: y, y2: y }), svg("text", { class: "name", x: 0, y: y + 4 }, `bit ${j}`), svg("path", { class: off ? "lost" : "", d: `M${x(from)},${y} Q${(x(from) + x(to)) / 2},${y - 16} ${x(to)},${y}` }),
        svg("circle", { class: "raw", cx: x(from), cy: y, r: 4 }), svg("circle", { class: off ? "off" : "snapped", cx: x(to), cy: y, r: 5.5 })];
    }),
    [-1, -0.5, 0, 0.5, 1].map((value) => svg("text", { x: x(value), y: found.length * line + 14 }, String(value).replace("-", "−")))),
  h("p", { class: "note", style: "margin:0" }, "Gold: what attention read. Blue: after the clip. A bit that lands in the shaded band is not snapped back to ±1, and the invariant breaks."));
}
const SAYS = { one: () => "the constant 1", tag: () => "I am w", digit: () => "no address", index: () => "no address", value: () => "empty" };

function values(stream, rows, model) { return rows.map((row) => shown(stream.values[row], stream.den, model.f)); }

// What the invariant of w says of each row after a stage: {number, free}; symbols are bits of hops and of w.
function expected(invariant, width, { hops, instance }) {
  const rows = Array.from({ length: width }, () => 0), free = new Set();
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
  const { rows, free } = expected(invariant, model.width, world), unit = stream.den << model.f;
  return new Set(rows.map((_, row) => row).filter((row) => !free.has(row) && stream.values[row] !== BigInt(rows[row]) * unit));
}
function firstBroken(result, model, document, world) {
  for (let layer = 0; layer < result.streams.length; layer += 1) {
    const broken = brokenRows(result.streams[layer].at(-1), document.invariants[layer].w, model, world);
    if (broken.size > 0) return { layer, slot: model.slotOf[Math.min(...broken)].name };
  }
  return null;
}
function drawSlots(node, result, model, document, layer, world) {
  const before = result.streams[layer].at(-1), middle = result.looks[layer].afterHeads, after = result.streams[layer + 1].at(-1);
  const broken = brokenRows(after, document.invariants[layer + 1].w, model, world), earlier = brokenRows(before, document.invariants[layer].w, model, world);
  let start = 0;
  const lines = document.slots.map(({ name, width }) => {
    const rows = Array.from({ length: width }, (_, j) => start + j);
    start += width;
    if (width === 0) return null;
    const says = name === "query" ? world.instance.w.map((digit, k) => `w${sub(k + 1)} = ${digit}`).join(", ") : name === "pointer" ? `holds i${sub(layer)} = ${world.hops[layer]}` : name === "found" ? "empty again" : SAYS[name]();
    const bits = (stream, wrong) => h("td", { class: "bits" }, values(stream, rows, model).map((value, j) => h("span", { class: `bit${wrong?.has(rows[j]) ? " off" : value === "1" ? " one" : ""}` }, value)));
    const fails = rows.some((row) => broken.has(row));
    return h("tr", { class: fails ? "broken" : "", "data-slot": name }, h("th", { scope: "row" }, name), h("td", {}, mark(!fails), " ", says), bits(before, earlier), bits(middle, null), bits(after, broken));
  });
  replace(node, h("table", {}, h("thead", {}, h("tr", {}, ["slot", "invariant after the layer", "before", "after attention", "after the clip"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, lines)));
}
