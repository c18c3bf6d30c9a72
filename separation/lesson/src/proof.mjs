// What the kernel says of the weights as they are, and an input that they get wrong.

import { button, grouped, h, mark } from "./dom.mjs";
import { sub } from "./funccomp.mjs";
import { checkText } from "../kernel.mjs";
import { setInstance } from "./state.mjs";

// {holds, node, at}: the verdict on a certificate, with the layer, the token and the slot where it fails.
export function proofView(cert, model, edited) {
  const steps = [],
    verdict = checkText(JSON.stringify(cert), (step) => steps.push(step)),
    { where } = verdict;
  if (verdict.verdict === "accepted") {
    const count = `at least 2^${cert.claim.inputs_covered_log2} inputs, none left out, margin ${cert.claim.margin}`;
    const said = h("p", {}, `The second kernel, in this page, checked every layer: ${count}.`);
    const title = h("p", {}, mark(true), " ", h("strong", {}, "Proved, for all inputs at once."));
    return { holds: true, at: null, node: h("div", { class: "verdict good" }, title, said) };
  }
  const slot = where && slotAt(where, cert.model, model),
    place = [];
  if (where) place.push(` at layer ${where.layer}`);
  if (where?.kind) place.push(`token ${where.kind}`);
  if (slot) place.push(`slot “${slot.name}”, bit ${slot.bit}`);
  const matched =
    where && steps.some(({ at, rule }) => at === `layer ${where.layer}, ${where.kind}` && rule.startsWith("P4"));
  const lost =
    where?.kind &&
    !matched &&
    h(
      "p",
      {},
      "No key is sure to win any more (rule P4), so all that is known is that the head hears some mean of all values (P5). That is too little.",
    );
  const unit = where?.part?.what === "a unit of an MLP" && unitReads(where, cert.model, model);
  const leaks =
    unit &&
    h(
      "p",
      {},
      edited
        ? `The clip reads “${unit.name}” and writes “${slot.name}”: with these weights what it reads may be too far from ±1, or its sum too large.`
        : `The cause: so much leaks into “${unit.name}” that it may be farther from ±1 than the clip can mend, and the clip writes “${slot.name}”.`,
    );
  const title = h("p", {}, mark(false), " ", h("strong", {}, "The proof fails", place.join(", "), "."));
  const node = h("div", { class: "verdict bad" }, title, lost, leaks, h("p", { class: "note" }, verdict.sentence));
  return { holds: false, at: where && slot ? { layer: where.layer, slot: slot.name } : null, node };
}
// What a search for a wrong input found.
export function wrongView({ instance, found, count }) {
  if (!instance) {
    const none = `${grouped(count)} inputs tried, all answered rightly. That proves nothing: only the proof covers all inputs, and it does not hold any more.`;
    return h("div", { class: "verdict" }, h("p", {}, none));
  }
  const tables = instance.tables.map((table, k) => `z${sub(k + 1)} = ${table.join(" ")}`).join("; ");
  const title = h(
    "p",
    {},
    h("strong", {}, "A wrong input"),
    count === 1 ? ", the one on the board" : `, number ${count} that was tried`,
    `: z₀ = ${instance.z0}, w = (${instance.w.join(", ")}), ${tables}.`,
  );
  const said = found.overflow
    ? `It gives no answer: ${found.overflow}. Right is ${found.expected}.`
    : `The model says ${found.answer}; right is ${found.expected}.`;
  const show =
    count > 1 && button("put it on the board", () => setInstance(instance), { "data-name": "wrong-to-board" });
  return h("div", { class: "verdict bad" }, title, h("p", {}, said), show);
}
const entryAt = (matrix, index, from, to, model) => {
  const entry = matrix.entries.find((each) => each[from] === index);
  return entry ? model.slotOf[entry[to]] : null;
};
const unitReads = ({ layer, part }, document, model) =>
  entryAt(document.layers[layer - 1].mlps[0].W_1, part.index, 0, 1, model);
// The slot where a proof failed: a coordinate of the stream, or what a query, a key or a unit of the MLP reads or writes.
function slotAt({ layer, row, part }, document, model) {
  if (row !== null) return model.slotOf[row];
  if (!part) return null;
  const {
    heads: [head],
    mlps: [mlp],
  } = document.layers[layer - 1];
  const first = (matrix, index, from, to) => entryAt(matrix, index, from, to, model);
  switch (part.what) {
    case "the stream":
    case "an invariant":
      return model.slotOf[part.index];
    case "a unit of an MLP": // the slot that it writes, as that is where an invariant breaks
      return first(mlp.W_2, part.index, 1, 0);
    case "a query":
    case "a key":
      return first(head.W_K, part.index, 0, 1);
    case "a value":
      return first(head.W_O, part.index, 1, 0);
    default:
      return null;
  }
}
