// Section 3: the second kernel, step by step, on a certificate that the reader drops.

import { button, calm, choice, fresh, h, mark, replace, wait } from "./dom.mjs";
import { checkText } from "../kernel.mjs";

const RULES = [
  ["P1", "The embedding: rows of the tables, as exact forms in the bits of addresses and values."],
  ["P3", "No score is above the head’s shift, so no weight is above 2^P."],
  ["P4", "The look-up: the matching key outweighs all others together; what leaks is bounded."],
  ["P5", "Without a match: a mean of values lies between the least and the largest of them."],
  ["P6", "The MLP: every ReLU, for every value that its input can have."],
  ["P7", "What was derived lies within the invariant that the certificate states."],
  ["P8", "All numbers fit into p bits."],
  ["P9, P10", "Linear attention and the delta rule: what the state holds, and what is read from it."],
  ["P11", "2-Sum: a match is seen, and its absence too."],
  ["(E), (F)", "The inequalities of a lower bound, with intervals of whole numbers."],
];
const CHECKED = {
  P1: "the rows of the tables are the forms that were derived",
  P3: "no score is above the shift",
  P4: "the match outweighs the other keys",
  P7: "what is derived lies in the claimed invariant",
  P8: "the numbers fit into p bits",
  P9: "the state fits into p bits",
  P10: "keys are constant, orthogonal unit vectors, and the gates are 1",
  Q1: "all rows are tried",
  Q4: "no score is above the shift",
  Q6: "there is a rule for this head",
  Q7: "the numbers fit into p bits",
  "tokens is not the length of the prompt": "tokens is the length of the prompt",
  "the depth of the word is L or more": "the depth of the word is below L",
  "Λ_t decreases": "Λ_t never decreases",
  "the inputs differ elsewhere": "the inputs differ only where the claim says",
  "an output that is no answer": "each output is an answer",
  "the outputs differ": "both outputs are the same",
  "another answer is right": "the right answers, computed again, are those of the claim",
  "both inputs have the same right answer": "the right answers differ",
  "the transcript has an entry for each head": "the transcript has an entry for each head",
  "the transcript names other heads": "the transcript names the heads of the model",
  "a number above 2^(p−f)": "the numbers of both runs fit into p bits",
  "a score above the shift": "no score is above the shift",
  "a head hears other numbers": "every head hears what the transcript says",
  "the model says another token": "the model, run here, says the claimed token",
  "Theorem A2 applies to one full layer and two tables": "the theorem applies to this word and these tables",
  "τ is too small": "τ is large enough",
  "a share is not shown": "every share of the proof follows",
  "the ceiling is not shown": "the ceiling follows",
};
const MOST = 8_000_000;

// What a step has checked, in the positive: the kernel names the reason for which it would refuse.
export function checked({ rule, holds, done }) {
  if (!holds || done) return rule;
  const [, code] = /^([PQ]\d+): /.exec(rule) ?? [],
    sentence = CHECKED[code ?? rule];
  if (sentence) return code ? `${code}: ${sentence}` : sentence;
  if (rule.endsWith(" does not hold")) return rule.replace(/ does not hold$/, " holds");
  return "what is claimed is what the file has";
}
// A line for each place and each thing that was checked there, with how often.
export function lines(steps) {
  const found = [];
  let here = null;
  for (const step of steps) {
    const text = checked(step);
    if (here?.at !== step.at) here = { at: step.at, texts: new Map() };
    const last = here.texts.get(text);
    if (last && step.holds) last.count += 1;
    else {
      const line = { at: step.at, text, holds: step.holds, count: 1 };
      here.texts.set(text, line);
      found.push(line);
    }
  }
  return found;
}
export function checkerSection(record) {
  const log = h("ol", { class: "log", tabindex: 0, "aria-label": "steps of the check", "data-name": "check-log" }),
    verdict = h("div", { "aria-live": "polite", "data-name": "check-verdict" });
  const where = h("span", { class: "where" });
  let found = null,
    shownLines = 0,
    playing = 0;

  const next = button(
    "one step",
    () => {
      playing += 1;
      reveal(1);
    },
    { "data-name": "check-step" },
  );
  const play = button("watch it", () => watchAll(), { class: "main", "data-name": "check-play" });
  const end = button(
    "to the verdict",
    () => {
      playing += 1;
      reveal(Infinity);
    },
    { "data-name": "check-end" },
  );
  for (const each of [next, play, end]) each.disabled = true;

  function line({ at, text, holds, count }) {
    const times = count > 1 ? ` (${count} times)` : "";
    return h("li", {}, mark(holds), h("span", { class: "at" }, at || "the claim"), h("span", { class: "rule" }, text, times));
  }
  function reveal(count) {
    const stop = Math.min(found.steps.length, shownLines + count);
    log.append(...found.steps.slice(shownLines, stop).map(line));
    shownLines = stop;
    log.scrollTop = log.scrollHeight;
    replace(where, `step ${shownLines} of ${found.steps.length}`);
    if (shownLines < found.steps.length) return;
    for (const each of [next, play, end]) each.disabled = true;
    const holds = found.result.verdict === "accepted";
    replace(
      verdict,
      h(
        "div",
        { class: `verdict ${holds ? "good" : "bad"}` },
        h(
          "p",
          {},
          mark(holds),
          " ",
          h("strong", {}, found.result.verdict),
          found.result.sentence.slice(found.result.verdict.length),
        ),
      ),
    );
  }
  async function watchAll() {
    const mine = (playing += 1);
    while (mine === playing && shownLines < found.steps.length) {
      reveal(calm() ? Infinity : Math.max(1, Math.ceil(found.steps.length / 90)));
      await wait(45);
    }
  }
  function load(text, name) {
    playing += 1;
    const steps = [],
      result = checkText(text, (step) => steps.push(step));
    found = { steps: lines(steps), result };
    shownLines = 0;
    replace(log);
    replace(verdict, h("p", { class: "note" }, `${name}: ${text.length} characters are read.`));
    for (const each of [next, play, end]) each.disabled = false;
    if (found.steps.length === 0) reveal(Infinity);
    else {
      replace(where, `step 0 of ${found.steps.length}`);
      watchAll();
    }
  }
  const id = fresh("file"),
    input = h("input", {
      id,
      type: "file",
      accept: ".json,application/json",
      class: "unseen",
      "data-name": "check-file",
    });
  const read = async (file) => {
    if (file.size > MOST) {
      replace(
        verdict,
        h("p", { class: "verdict bad" }, `This file has more than ${MOST / 1e6} MB; “node kernel.mjs FILE” takes it.`),
      );
      return;
    }
    load(await file.text(), file.name);
  };
  input.addEventListener("change", () => input.files[0] && read(input.files[0]));
  const drop = h(
    "div",
    { class: "drop" },
    h(
      "p",
      {},
      "Drop a certificate here, or ",
      h("label", { for: id, style: "text-decoration:underline;cursor:pointer;color:var(--blue)" }, "choose a file"),
      input,
      ".",
    ),
  );
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  });
  input.addEventListener("focus", () => drop.classList.add("over"));
  input.addEventListener("blur", () => drop.classList.remove("over"));
  const examples = choice({
    label: "or take one of these",
    name: "check-example",
    value: "0",
    options: record.examples.map(({ title }, k) => [String(k), title]),
    onchange: () => {},
  });
  const paste = h("textarea", {
    "aria-label": "a certificate as text",
    "data-name": "check-text",
    spellcheck: "false",
    placeholder: "… or paste one",
  });
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "Who checks the proof? A small program, the kernel, that reads a certificate: the claim, with everything that is needed to verify it again. There are two kernels, written apart from each other from the same page of rules: one in Python, and this one. ",
        "They agree on every certificate of a public corpus, good and bad.",
      ),
      h(
        "p",
        {},
        "A certificate may be forged, so the kernel trusts nothing in it. Change one digit below and see where it stops.",
      ),
    ),
    h(
      "div",
      { class: "board" },
      h(
        "div",
        { class: "split two" },
        h(
          "div",
          {},
          drop,
          h(
            "div",
            { class: "controls", style: "margin-top:0.9rem" },
            examples.node,
            button(
              "check it",
              () => {
                const { title, text } = record.examples[Number(examples.select.value)];
                paste.value = text;
                load(text, title);
              },
              { class: "main", "data-name": "check-run-example" },
            ),
          ),
          paste,
          h(
            "div",
            { class: "steps" },
            button("check this text", () => load(paste.value, "your text"), { "data-name": "check-run-text" }),
          ),
          h(
            "details",
            {},
            h("summary", {}, "the rules, in a sentence each"),
            h(
              "table",
              {},
              h(
                "tbody",
                {},
                RULES.map(([name, text]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, text))),
              ),
            ),
          ),
        ),
        h(
          "div",
          {},
          h("div", { class: "steps" }, next, play, end, where),
          log,
          verdict,
        ),
      ),
    ),
  ];
}
