// What the kernel says of the weights as they are, and an input that they get wrong.

import { button, grouped, h, mark } from "./dom.mjs";
import { sub } from "./funccomp.mjs";
import { checkText } from "../kernel.mjs";
import { setInstance } from "./state.mjs";

// {holds, node}: the verdict on a certificate, with the layer, the token and the slot where it fails.
export function proofView(cert, model) {
  const steps = [],
    verdict = checkText(JSON.stringify(cert), (step) => steps.push(step)),
    { where } = verdict;
  if (verdict.verdict === "accepted") {
    const count = `at least 2^${cert.claim.inputs_covered_log2} inputs, none left out, margin ${cert.claim.margin}`;
    const said = h("p", {}, `The second kernel, in this page, checked every layer: ${count}.`);
    const title = h("p", {}, mark(true), " ", h("strong", {}, "Proved, for all inputs at once."));
    return { holds: true, node: h("div", { class: "verdict good" }, title, said) };
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
  const title = h("p", {}, mark(false), " ", h("strong", {}, "The proof fails", place.join(", "), "."));
  return { holds: false, node: h("div", { class: "verdict bad" }, title, h("p", {}, verdict.sentence), lost) };
}
// What a search for a wrong input found.
export function wrongView({ instance, found, count }) {
  if (!instance) {
    const none = `${grouped(count)} inputs tried, all answered rightly. That proves nothing: only the proof speaks of all inputs, and it does not hold any more.`;
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
// The slot where a proof failed: a coordinate of the stream, or what a query, a key or a unit of the MLP reads or writes.
function slotAt({ layer, row, part }, document, model) {
  if (row !== null) return model.slotOf[row];
  if (!part) return null;
  const {
    heads: [head],
    mlps: [mlp],
  } = document.layers[layer - 1];
  const first = (matrix, index, from, to) => {
    const entry = matrix.entries.find((each) => each[from] === index);
    return entry ? model.slotOf[entry[to]] : null;
  };
  switch (part.what) {
    case "the stream":
    case "an invariant":
      return model.slotOf[part.index];
    case "a unit of an MLP":
      return first(mlp.W_1, part.index, 0, 1);
    case "a query":
    case "a key":
      return first(head.W_K, part.index, 0, 1);
    case "a value":
      return first(head.W_O, part.index, 1, 0);
    default:
      return null;
  }
}
