// Section 2: C1's weights run in the page, layer by layer; the proof next to them; and what happens when they change.

import { certificate, leastOf } from "./c1.mjs";
import { button, h, mark, replace, slider } from "./dom.mjs";
import { tokenIds } from "./funccomp.mjs";
import { proofView, wrongView } from "./proof.mjs";
import { wrongInput } from "./refute.mjs";
import { Overflow, answer, compile, run } from "./run.mjs";
import { drawBars, drawClip, drawSlots, firstBroken } from "./slots.mjs";
import { hopsNow, state, watch } from "./state.mjs";
import { weightBoard } from "./weights.mjs";

const QUARTERS = 4;
const clone = (value) => JSON.parse(JSON.stringify(value));

export function layersSection() {
  let sizesKey = "",
    original,
    cert,
    model,
    layer = 0,
    quarters = 0,
    search = 0,
    edits = 0,
    fails = null;
  const bars = h("div", {}),
    slots = h("div", { class: "scroll slots", tabindex: 0, role: "region", "aria-label": "slots of the last token" });
  const proof = h("div", { "aria-live": "polite", "data-name": "proof" }),
    wrong = h("div", { "aria-live": "polite", "data-name": "wrong-input" });
  const clip = h("div", {}),
    answered = h("div", { "data-name": "c1-answer" }),
    where = h("span", { class: "where" });
  const heat = slider({
    label: "temperature τ",
    name: "temperature",
    min: 1,
    max: 16,
    value: 8,
    show: (value) => String(value / QUARTERS),
    onchange: (value) => {
      quarters = value;
      rebuild();
    },
  });
  const back = button("← layer", () => move(-1), { "data-name": "layer-back" }),
    on = button("layer →", () => move(1), { class: "main", "data-name": "layer-next" });
  const board = weightBoard({ model: () => cert.model, original: () => original.model, layer: () => layer, change });
  const reset = button(
    "C1’s own weights again",
    () => {
      quarters = QUARTERS * leastOf(state.instance.sizes);
      rebuild();
    },
    { "data-name": "c1-reset" },
  );

  function move(by) {
    layer = Math.min(Math.max(layer + by, 0), state.instance.sizes.L);
    draw();
    board.reset();
  }
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
    const { heads, mlps } = cert.model.layers[layer],
      owner = Object.hasOwn(heads[0], part) ? heads[0] : mlps[0];
    owner[part].entries = owner[part].entries.filter(([r, c]) => r !== row || c !== column);
    if (value !== 0) owner[part].entries.push([row, column, value]);
    owner[part].entries.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    edits += 1;
    const numbers = cert.model.layers
      .flatMap(({ heads: hs, mlps: ms }) => [...hs, ...ms])
      .flatMap((each) => Object.values(each))
      .flatMap((each) => (each?.entries ? each.entries.map(([, , v]) => v) : []));
    cert.claim.integral = numbers.every((each) => typeof each === "number");
    weighed();
  }
  function weighed() {
    model = compile(cert.model);
    prove();
    draw();
  }
  function prove() {
    const { holds, node, at } = proofView(cert, model, edits > 0);
    fails = at;
    replace(proof, node);
    replace(wrong);
    search += 1;
    if (holds) return;
    const mine = search,
      looking = (more) => replace(wrong, h("p", { class: "note" }, "Looking for an input that it gets wrong …", more));
    looking("");
    wrongInput(model, state.instance, {
      stopped: () => mine !== search,
      tell: (count) => mine === search && looking(` ${count} tried.`),
    }).then((found) => {
      if (mine === search && !found.stopped) replace(wrong, wrongView(found));
    });
  }
  function draw() {
    const { instance } = state,
      { sizes } = instance,
      { hops } = hopsNow(),
      ids = tokenIds(instance);
    let result = null,
      stop = null;
    try {
      result = run(model, ids);
    } catch (error) {
      if (!(error instanceof Overflow)) throw error;
      stop = error;
    }
    replace(where, `layer ${layer + 1} of ${sizes.L + 1}`);
    back.disabled = layer === 0;
    on.disabled = layer === sizes.L;
    board.draw();
    if (stop) {
      const slot = stop.row === null ? null : model.slotOf[stop.row];
      replace(
        bars,
        h(
          "p",
          { class: "verdict bad" },
          `The run stops. ${stop.message}${slot && stop.what.includes("stream") ? ` (slot “${slot.name}”)` : ""}.`,
        ),
      );
      for (const each of [slots, clip, answered]) replace(each);
      return;
    }
    drawBars(bars, result.looks[layer], sizes, layer, hops);
    drawSlots(slots, result, model, cert.model, layer, { hops, instance });
    drawClip(clip, result, model, cert.model, layer, { hops, instance });
    const said = answer(model, result.streams.at(-1).at(-1), sizes.N.at(-1)).answer,
      right = hops.at(-1),
      first = firstBroken(result, model, cert.model, { hops, instance });
    replace(
      answered,
      h(
        "p",
        { class: "said" },
        mark(said === right),
        ` The model answers `,
        h("strong", { "data-name": "answer" }, said),
        `; right is `,
        h("strong", {}, right),
        ". ",
        first === null
          ? `On this input every invariant holds.${fails ? ` Yet the proof fails: on some other input “${fails.slot}” may break after layer ${fails.layer}.` : ""}`
          : h(
              "span",
              { class: "no" },
              `On this input the first invariant to fail is that of slot “${first.slot}” after layer ${first.layer}.`,
              fails && fails.layer < first.layer
                ? ` The proof fails earlier, at layer ${fails.layer}: on some other input “${fails.slot}” may break there.`
                : "",
            ),
      ),
    );
  }
  watch(() => {
    const { sizes } = state.instance,
      key = `${sizes.L} ${sizes.m}`;
    if (key !== sizesKey) {
      sizesKey = key;
      layer = 0;
      quarters = QUARTERS * leastOf(sizes);
      rebuild();
    } else if (edits > 0 || quarters !== QUARTERS * leastOf(sizes)) weighed();
    else draw();
  });
  const stage = h(
    "div",
    {
      class: "board",
      role: "group",
      "aria-label": "The model, layer by layer; left and right arrow keys step",
      tabindex: 0,
    },
    h("div", { class: "steps" }, back, where, on, heat.node, reset),
    h("h3", {}, "Where the last token looks"),
    bars,
    h("h3", {}, "What the last token holds"),
    slots,
    h("h3", {}, "The clip"),
    clip,
    answered,
  );
  stage.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    move(event.key === "ArrowRight" ? 1 : -1);
  });
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "Here are the weights that do it, in ",
        h("i", {}, "L"),
        " + 1 layers of full attention with one head each. They are small whole numbers, and they run in this page, exactly, on the input of the board above.",
      ),
      h(
        "p",
        {},
        "Every token’s key is the code of its own address, in bits ±1. Layer 1 lets the last token ask for z₀; each later layer asks for the table entry whose address it has just learned. ",
        "The right key matches in every bit; a wrong one misses at least one, and its weight falls by a factor e",
        h("sup", {}, "−2τ"),
        ". What leaks in from wrong keys moves a bit a little; the MLP clips it back to ±1, so nothing is carried on.",
      ),
      h(
        "p",
        {},
        "There is a simpler second way, without an MLP: write an address i as the pair (i, i²). Query times key can then be −τ times the squared distance of two addresses, every wrong key weighs ⌊2ᴾ·e^(−τ)⌋ = 0, and nothing leaks at all. ",
        "Coq proves that one at every size. The bits stay here, because in floating point no weight is rounded down to 0, and because squares need numbers twice as long.",
      ),
      h(
        "p",
        {},
        "Keys depend on positions, never on what tables say. So one check of each layer covers every table there is: that is why a proof can cover all inputs.",
      ),
    ),
    stage,
    h(
      "div",
      { class: "split two" },
      h(
        "div",
        { class: "board" },
        h("h3", {}, "The proof"),
        h(
          "p",
          {},
          "Between two layers stands an invariant: what each slot of each token holds. If each layer leads from one to the next, the answer is right for every input.",
        ),
        proof,
        wrong,
      ),
      h("div", { class: "board" }, h("h3", {}, "Break it: the weights of this layer"), board.node),
    ),
  ];
}
