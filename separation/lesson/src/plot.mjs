// Lines over an axis of powers; every picture has its numbers in a table as well.

import { h, svg } from "./dom.mjs";

// series: [{name, points: [[x, y]], dashed}]; x is drawn on a scale of log2
export function plot({
  label,
  series,
  xs,
  ys,
  xName,
  yName,
  xText = String,
  yText = String,
  yScale = (y) => y,
  height = 300,
}) {
  const width = matchMedia("(max-width: 40rem)").matches ? 340 : 600,
    left = 50,
    right = 16,
    top = 26,
    bottom = 42;
  const largest = Math.max(xs.at(-1), ...series.flatMap(({ points }) => points.map(([x]) => x)));
  const [x0, x1] = [Math.log2(xs[0]), Math.log2(largest)],
    [y0, y1] = [yScale(ys[0]), yScale(ys.at(-1))];
  const px = (x) => left + ((Math.log2(x) - x0) / (x1 - x0)) * (width - left - right),
    py = (y) => height - bottom - ((yScale(y) - y0) / (y1 - y0)) * (height - top - bottom);
  const picture = svg(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ys.map((y) => [
      svg("line", { class: "grid", x1: left, x2: width - right, y1: py(y), y2: py(y) }),
      svg("text", { x: left - 8, y: py(y) + 4, "text-anchor": "end" }, yText(y)),
    ]),
    xs
      .filter((_, k) => width > 400 || k % 2 === 0)
      .map((x) => [
        svg("line", { class: "grid", x1: px(x), x2: px(x), y1: height - bottom, y2: height - bottom + 4 }),
        svg("text", { x: px(x), y: height - bottom + 18, "text-anchor": "middle" }, xText(x)),
      ]),
    svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, xName),
    svg("text", { x: 2, y: 10 }, yName),
    series.map(({ points, dashed, dots }, k) => [
      svg("polyline", {
        class: dashed ? "dash" : `c${k}`,
        points: points.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" "),
        style: dashed ? null : "fill:none",
      }),
      dots && points.map(([x, y]) => svg("circle", { class: `c${k}`, cx: px(x), cy: py(y), r: 4.5 })),
    ]),
  );
  const key = h(
    "ul",
    { class: "key" },
    series.map(({ name, dashed }, k) =>
      h(
        "li",
        {},
        svg(
          "svg",
          { class: "plot", viewBox: "0 0 28 16", "aria-hidden": "true" },
          svg("polyline", { class: dashed ? "dash" : `c${k}`, points: "0,8 28,8", style: dashed ? null : "fill:none" }),
        ),
        name,
      ),
    ),
  );
  return [picture, key];
}
