// Section 4: layers as players who send each other bits, and the inputs that each of them still holds possible.

import { button, calm, choice, grouped, h, replace, svg } from "./dom.mjs";
import { sub } from "./funccomp.mjs";

const TITLES = {
  C1: "full attention only",
  C2: "one recurrent layer, then full attention",
  C3: "recurrent layers only",
};
const top = (a, b, width) => 112 - Math.min(100, ((b - a) / width) * 130 + 2);
const nice = (name) => name.replace(/_(\d)/, (_, digit) => sub(digit));

export function playersSection({ knowledge }) {
  let subject = knowledge.subjects[0],
    input = 0,
    layer = 0,
    drawnAt = 0;
  const flight = h("div", {}),
    cards = h("div", { class: "players" }),
    said = h("p", { class: "said", "aria-live": "polite", "data-name": "players-said" }),
    where = h("span", { class: "where" });
  const layers = () => subject.possible[0][0].stages.length - 1;
  const move = (by) => {
    layer = Math.min(Math.max(layer + by, 0), layers());
    draw();
  };
  const back = button("← back", () => move(-1), { "data-name": "players-back" }),
    on = button("next layer →", () => move(1), { class: "main", "data-name": "players-next" });
  const pick = choice({
    label: "model",
    name: "players-model",
    value: "0",
    options: knowledge.subjects.map(({ construction, word }, k) => [
      String(k),
      `${word} (${construction}): ${TITLES[construction]}`,
    ]),
    onchange: (value) => {
      subject = knowledge.subjects[Number(value)];
      layer = 0;
      draw();
    },
  });
  const which = choice({
    label: "input",
    name: "players-input",
    value: "0",
    onchange: (value) => {
      input = Number(value);
      draw();
    },
    options: knowledge.inputs.map(({ z0, tables, w }, k) => [
      String(k),
      `z₂ = ${tables[1].join(" ")}, z₁ = ${tables[0].join(" ")}, z₀ = ${z0}, w = ${w.join(" ")}`,
    ]),
  });
  function draw() {
    const names = subject.players,
      sent = subject.messages.filter((message) => message.layer === layer);
    const letter = layer === 0 ? null : subject.word[layer - 1];
    replace(where, layer === 0 ? "before layer 1" : `layer ${layer} of ${layers()}: ${letter}`);
    back.disabled = layer === 0;
    on.disabled = layer === layers();
    const width = flight.clientWidth || 640,
      x = (name) => ((names.indexOf(name) + 0.5) * width) / names.length;
    drawnAt = flight.clientWidth;
    const arcs = sent.map(({ sender, receiver, kind, bits }) => {
      const [a, b] = [x(sender), x(receiver)],
        high = top(a, b, width),
        d = `M${a},122 Q${(a + b) / 2},${2 * high - 122} ${b},122`;
      return [
        svg("path", { class: kind, d }),
        !calm() && svg("circle", { class: `ball ${kind}`, r: 5, style: `offset-path:path('${d}')` }),
      ];
    });
    const labels = sent.map(({ sender, receiver, bits }) => {
      const [a, b] = [x(sender), x(receiver)];
      return svg("text", { x: (a + b) / 2, y: top(a, b, width) - 3 }, `${bits} bits`);
    });
    replace(
      flight,
      svg(
        "svg",
        {
          class: "flight",
          viewBox: `0 0 ${width} 126`,
          role: "img",
          "aria-label":
            sent
              .map(({ sender, receiver, kind, bits }) => `${nice(sender)} tells ${nice(receiver)} ${bits} ${kind} bits`)
              .join("; ") || "no messages yet",
        },
        arcs,
        labels,
      ),
    );
    const total = knowledge.count;
    replace(
      cards,
      subject.possible[input].map(({ name, stages }) => {
        const { inputs, answers } = stages[layer],
          before = layer === 0 ? null : stages[layer - 1].inputs,
          width_ = Math.max(2, (100 * Math.log2(inputs + 1)) / Math.log2(total + 1));
        return h(
          "div",
          { class: `player${before !== null && before !== inputs ? " hears" : ""}` },
          h("strong", {}, nice(name)),
          h("div", {}, `${grouped(inputs)} of ${grouped(total)} inputs possible`),
          h("div", { class: "square", "aria-hidden": "true" }, h("span", { style: `width:${width_}%` })),
          h(
            "div",
            { class: "chips", role: "img", "aria-label": `answers possible: ${answers.join(", ")}` },
            [0, 1, 2, 3].map((value) =>
              h("span", { class: `chip ${answers.includes(value) ? "in" : "out"}`, "aria-hidden": "true" }, value),
            ),
          ),
        );
      }),
    );
    const soft = subject.sums.filter((message) => message.layer <= layer).reduce((sum, { bits }) => sum + bits, 0);
    const linear = subject.messages
      .filter((message) => message.layer <= layer && message.kind === "linear")
      .reduce((sum, { bits }) => sum + bits, 0);
    const last = subject.possible[input].at(-1).stages[layer];
    replace(
      said,
      layer === 0
        ? "Nobody has said anything. Each player knows its own tokens, and the weights."
        : letter === "F"
          ? "A full layer: every earlier player tells every later one its share of the sums that attention needs, for each of its tokens. "
          : "A recurrent layer: each player hands its neighbour one state, the same whatever will be asked. ",
      layer > 0 &&
        h(
          "strong",
          { "data-name": "players-total" },
          `So far ${grouped(soft)} soft bits and ${grouped(linear)} linear bits.`,
        ),
      " ",
      last.answers.length === 1
        ? `The last player is down to one answer: ${last.answers[0]}.`
        : `The last player still holds ${last.answers.length} answers possible.`,
    );
  }
  draw();
  new ResizeObserver(() => {
    if (drawnAt !== flight.clientWidth) draw();
  }).observe(flight);
  return [
    h(
      "div",
      { class: "prose" },
      h(
        "p",
        {},
        "To see why fewer layers cannot do it, give every table to a player of its own, in the order of the prompt: z₂, z₁, z₀, and last the player w who must answer. A layer of the model is a round of messages, and every message has a number of bits.",
      ),
      h(
        "p",
        {},
        "In a full layer each player hears from all earlier ones, and what it hears depends on what it asks: a ",
        h("em", {}, "soft"),
        " message. In a recurrent layer only the state passes, from neighbour to neighbour, and it cannot depend on the question: a ",
        h("em", {}, "linear"),
        " message. ",
        `Here are the real messages of three exact models at the smallest sizes, and for each player how many of all ${grouped(knowledge.count)} inputs agree with its own tokens and with everything it has heard.`,
      ),
    ),
    h(
      "div",
      { class: "board" },
      h("div", { class: "controls" }, pick.node, which.node),
      h("div", { class: "steps" }, back, where, on),
      flight,
      cards,
      said,
    ),
  ];
}
