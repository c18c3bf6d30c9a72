// Elements, controls and small drawings. Text is always a text node: nothing from outside is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(
    ...children
      .flat(3)
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
  return node;
}
export const h = (tag, properties = {}, ...children) => fill(document.createElement(tag), properties, children);
export const svg = (tag, properties = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), properties, children);

export function replace(node, ...children) {
  node.replaceChildren(
    ...children
      .flat(3)
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
  return node;
}
export const button = (label, onclick, properties = {}) =>
  h("button", { type: "button", onclick, ...properties }, label);

let count = 0;
export const fresh = (stem) => `${stem}-${(count += 1)}`;

// A labelled range input; `show` says its value in words, for eyes and for screen readers.
export function slider({ label, min, max, step = 1, value, show = String, onchange, name }) {
  const id = fresh("slider"),
    shown = h("output", { for: id, class: "value" });
  const input = h("input", { id, type: "range", min, max, step, value, "data-name": name });
  const say = () => {
    const said = show(Number(input.value));
    replace(shown, said);
    input.setAttribute("aria-valuetext", said);
  };
  input.addEventListener("input", () => {
    say();
    onchange(Number(input.value));
  });
  say();
  return { node: h("div", { class: "control" }, h("label", { for: id }, label), input, shown), input, say };
}
export function choice({ label, options, value, onchange, name }) {
  const id = fresh("choice");
  const select = h(
    "select",
    { id, "data-name": name },
    options.map(([key, text]) => h("option", { value: key }, text)),
  );
  select.value = value;
  select.addEventListener("change", () => onchange(select.value));
  return { node: h("div", { class: "control" }, h("label", { for: id }, label), select), select };
}
export function field({ label, value, onchange, name, size = 10 }) {
  const id = fresh("field"),
    problem = h("span", { class: "problem", role: "alert", id: `${id}-problem` });
  const input = h("input", {
    id,
    type: "text",
    value,
    size,
    "data-name": name,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-problem`,
  });
  let last = null; // a click elsewhere sends the same change again
  input.addEventListener("change", () => {
    if (input.value === last) return;
    last = input.value;
    try {
      replace(problem);
      onchange(input.value);
      input.removeAttribute("aria-invalid");
    } catch (error) {
      replace(problem, error.message);
      input.setAttribute("aria-invalid", "true");
    }
  });
  return { node: h("div", { class: "control" }, h("label", { for: id }, label), input, problem), input, problem };
}
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
export const mark = (holds) =>
  h(
    "span",
    { class: holds ? "yes" : "no" },
    h("span", { "aria-hidden": "true" }, holds ? "✓" : "✗"),
    h("span", { class: "unseen" }, holds ? " holds" : " fails"),
  );
