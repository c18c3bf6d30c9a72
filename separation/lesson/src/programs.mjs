// Section 8: two programs, definition by definition, on a prompt of the reader's; and their certificates.

import { button, choice, h, mark, replace } from "./dom.mjs";
import { checkText } from "../kernel.mjs";

// What each token knows, definition by definition: rows[k] = {name, values, looked}, a value for each token of the
// asked kind (null where it is not defined), and the positions that it looked at, the chosen one last.
export function evaluate(task, symbols) {
  const [asked] = task.answer,
    kind = task.kinds.find(({ name }) => name === asked),
    spelled = kind.token[0][0],
    known = { position: symbols.map((_, place) => place), [spelled]: [...symbols] };
  const sizes = { position: symbols.length, [spelled]: kind.token[0][1] };
  const entry = (inputs, place, before = null) =>
    inputs.reduce((cell, name) => cell * sizes[name] + known[name][place], before ?? 0);
  return task.definitions.map((definition) => {
    const { define, name } = definition,
      looked = symbols.map(() => []);
    let values;
    if (define === "map") values = symbols.map((_, place) => definition.table[entry(definition.inputs, place)]);
    else if (define === "scan") {
      const { inputs, table } = definition.over.find((step) => step.kind === asked);
      let now = definition.start;
      values = symbols.map((_, place) => {
        looked[place] = place === 0 ? [] : [place - 1];
        return (now = table[entry(inputs, place, now)]);
      });
    } else if (define === "find") {
      values = symbols.map((_, place) => {
        const right = (b) => (typeof b === "string" ? known[b][place] : b);
        const found = [...symbols.keys()].filter(
          (other) => other <= place && definition.where.every(([a, , b]) => known[a][other] === right(b)),
        );
        looked[place] = found;
        return found.length ? known[definition.read][found.at(-1)] : definition.default;
      });
    } else throw new Error(`${define}: not for this page`);
    known[name] = values;
    sizes[name] = definition.size ?? Math.max(sizes[definition.read], (definition.default ?? -1) + 1);
    return { name, define, values, looked };
  });
}
// Every number of the weights: {owner, part, place, layer}.
function weightsOf(model) {
  return model.layers.flatMap(({ heads, mlps }, layer) =>
    [...heads, ...(mlps ?? [])].flatMap((owner) =>
      Object.entries(owner).flatMap(([part, matrix]) =>
        (matrix?.entries ?? []).map((_, place) => ({ matrix, part, place, layer: layer + 1 })),
      ),
    ),
  );
}
const negative = (value) =>
  typeof value === "number" ? -value : value.startsWith("-") ? value.slice(1) : `-${value}`;

export function programsSection({ programs }) {
  let program, certificate, symbols, token, broken;
  const source = h("pre", { class: "source", tabindex: 0, "aria-label": "the program" }),
    board = h("div", { class: "scroll plain", tabindex: 0, role: "region", "aria-label": "tokens and what they know" });
  const where = h("span", { class: "where" }),
    said = h("p", { class: "said", "aria-live": "polite", "data-name": "program-said" }),
    proof = h("div", { "aria-live": "polite", "data-name": "program-proof" });
  const move = (by) => {
    token = Math.min(Math.max(token + by, 0), symbols.length - 1);
    draw();
  };
  const back = button("← token", () => move(-1), { "data-name": "program-back" }),
    on = button("token →", () => move(1), { class: "main", "data-name": "program-next" });
  const pick = choice({
    label: "program",
    name: "program-pick",
    value: "0",
    options: programs.map(({ title }, k) => [String(k), title]),
    onchange: (value) => choose(Number(value)),
  });
  function choose(k) {
    program = programs[k];
    symbols = [...program.prompt];
    token = 0;
    broken = -1;
    replace(source, program.source);
    mend();
    draw();
  }
  function mend() {
    certificate = JSON.parse(program.text);
    prove("");
  }
  function breakOne() {
    certificate = JSON.parse(program.text);
    const all = weightsOf(certificate.model);
    broken = (broken + 1) % all.length;
    const { matrix, part, place, layer } = all[broken],
      [row, column, value] = matrix.entries[place];
    matrix.entries[place][2] = negative(value);
    prove(`Layer ${layer}, ${part}, row ${row}, column ${column}: ${value} became ${negative(value)}. `);
  }
  function prove(what) {
    const { verdict, sentence } = checkText(JSON.stringify(certificate)),
      holds = verdict === "accepted";
    const still = holds && what ? "The sign of this number does not matter: still proved. " : "";
    replace(
      proof,
      h("div", { class: `verdict ${holds ? "good" : "bad"}` }, h("p", {}, what, mark(holds), " ", still, sentence)),
    );
  }
  function draw() {
    const task = certificate.model.task,
      size = task.kinds.find(({ name }) => name === task.answer[0]).token[0][1],
      rows = evaluate(task, symbols);
    const last = rows.at(-1),
      looked = last.looked[token],
      chosen = looked.at(-1);
    const next = (place) => {
      symbols[place] = (symbols[place] + 1) % size;
      draw();
      board.querySelector(`[data-name="program-token-${place}"]`)?.focus();
    };
    const spelled = symbols.map((value, place) =>
      button(String(value), () => next(place), {
        class: `cell${place === token ? " now" : place === chosen ? " asked" : ""}`,
        "data-name": `program-token-${place}`,
        "aria-label": `token ${place + 1} is ${value}; press for the next value`,
      }),
    );
    const line = ({ name, values }, k) =>
      h(
        "div",
        { class: "tablerow" },
        h("div", { class: "name" }, program.words[k] ?? name),
        h(
          "div",
          { class: "cells" },
          values.map((value, place) => {
            const look = place === token ? " now" : place > token ? " later" : "";
            return h("div", { class: `cell${look}` }, value === program.none ? "–" : value);
          }),
        ),
      );
    replace(
      board,
      h("div", { class: "tablerow" }, h("div", { class: "name" }, "the prompt"), h("div", { class: "cells" }, spelled)),
      rows.map((row, k) => (program.words[k] === null ? null : line(row, k))),
    );
    replace(where, `token ${token + 1} of ${symbols.length}`);
    back.disabled = token === 0;
    on.disabled = token === symbols.length - 1;
    const value = last.values[token];
    replace(
      said,
      last.define === "scan"
        ? `The state was ${token === 0 ? 0 : last.values[token - 1]}; this token says ${symbols[token]}, so it ${symbols[token] ? "is reflected to 1 − S" : "is kept"}: ${value}. `
        : chosen === undefined
          ? `No earlier token stood behind a ${symbols[token]}: the answer is “none”, and attention goes to the start. `
          : `Behind a ${symbols[token]} stood ${looked.length === 1 ? "token" : "tokens"} ${looked.map((place) => place + 1).join(", ")}; the latest, token ${chosen + 1}, says ${value}. `,
      "The answer here is ",
      h("strong", { "data-name": "program-answer" }, value === program.none ? "none" : value),
      ".",
    );
  }
  choose(0);
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "Following tables is one task among many. Written as a program, a task is a prompt and a few definitions: each token learns something from itself, from tokens before it, or from a state that runs along. ",
        "A compiler makes exact weights of it, a head for each definition, and the kernel proves that they compute the program on every input.",
      ),
      h(
        "p",
        {},
        "Parity needs a state and nothing else: one recurrent layer, at every length. An induction head is two layers of attention here (RF does it too): the first tells every token what stood before it, the second finds the latest token behind the same symbol.",
      ),
      h("p", {}, "Press a token of the prompt to change it; step through the tokens."),
    ),
    h(
      "div",
      { class: "board", role: "group", "aria-label": "A program, token by token" },
      h("div", { class: "controls" }, pick.node),
      source,
      h("div", { class: "steps" }, back, where, on),
      board,
      said,
    ),
    h(
      "div",
      { class: "board" },
      h("h3", {}, "The proof, for all inputs"),
      h(
        "div",
        { class: "steps" },
        button("turn the sign of one weight", breakOne, { "data-name": "program-break" }),
        button("the compiler’s weights again", mend, { "data-name": "program-mend" }),
      ),
      proof,
    ),
  ];
}
