"""`python -m tools.docs.gallery`: a picture of every program of the gallery, and its numbers at the large sizes.

Pictures are of one input at a size that fits a page: what each token spells, in each layer where it looks (the weights
of the exact run) or how the state moves along, and what it then knows. All of it goes to docs/gallery/; the seconds are
those of the machine on which it was run. docs/gallery.md is made of these files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

from constructions.programs import NAMES, function, paper, sentence, sizes_of
from separation.files import InputError, json_text, write_whole
from separation.models import Head, weights_seen
from separation.programs import CompiledProgram
from separation.tasks import task_of
from separation.tasks.program import Definitions, Map, execute, spelled
from separation.verbs.programs import programs
from tools.docs import block, number

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "docs/gallery"
NUMBERS = f"{FOLDER}/gallery.json"
DRAWN = 10
"""Tokens of a picture, about."""
CELL, ROW, LEFT, BOX = 62, 74, 150, 24
FAINT, STRONG, STATE, INK, PAPER = "#9aa7b5", "#b5442e", "#2b5d8a", "#333333", "#f4f6f8"
LEAST_SHARE = 0.05
"""Of the weight; less is not drawn."""


@dataclass
class Picture:
    """Shapes in the order in which they are drawn: lines below, boxes and texts above."""

    width: int
    height: int
    lines: list[str] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)

    def line(
        self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float, arrow: bool = False
    ) -> None:
        end = ' marker-end="url(#a)"' if arrow else ""
        self.lines.append(
            f'<path d="M{x:.0f} {y:.0f}L{to_x:.0f} {to_y:.0f}" stroke="{colour}" stroke-width="{width:.1f}"{end}/>'
        )

    def box(self, x: float, y: float, text: str, colour: str) -> None:
        wide = max(BOX, 7 * len(text) + 10)
        self.boxes.append(
            f'<rect x="{x - wide / 2:.0f}" y="{y - BOX / 2:.0f}" width="{wide}" height="{BOX}" rx="4" fill="#fff"'
            f' stroke="{colour}"/>' + _text(x, y + 4, text, "middle")
        )

    def say(self, x: float, y: float, text: str, bold: bool = False, anchor: str = "start") -> None:
        self.boxes.append(_text(x, y, text, anchor, bold))

    def svg(self, title: str) -> str:
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        arrow = (
            f'<marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{STATE}"/></marker>'
        )
        body = "\n".join([f"<g fill='none'>{''.join(self.lines)}</g>", *self.boxes])
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12" role="img">'
            f"<title>{escape(title)}</title><defs>{arrow}</defs>"
            f'<rect width="100%" height="100%" fill="{PAPER}"/>\n{body}\n</svg>\n'
        )


def _text(x: float, y: float, text: str, anchor: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{INK}"{weight}>{escape(text)}</text>'


def drawn(name: str) -> str:
    """The picture of one program; layers in which an MLP prepares the embedding have no row."""
    program = _at_page_size(name)
    compiled = CompiledProgram.of(program, bit_by_bit=False)  # where attention looks
    ids = _telling_input(program)
    tokens = execute(program, spelled(program, ids))
    layers = sorted({part.layer for part in compiled.parts})
    mapped = isinstance(program.named(*program.answer), Map)
    top = 56 + len(layers) * ROW + (ROW // 2 if mapped else 0)
    picture = Picture(LEFT + len(tokens) * CELL + 20, top + 52)
    xs = [LEFT + CELL * place + CELL / 2 for place in range(len(tokens))]
    picture.say(10, 22, shorten(sentence(name), (picture.width - 20) // 7, placeholder=" …"), bold=True)
    picture.say(10, top + 4, "tokens")
    for x, (kind, token) in zip(xs, tokens, strict=True):
        spells = ",".join(str(token[v]) for v, _ in program.kind(kind).spells)
        picture.box(x, top, spells or "·", INK)
    first = 0
    for kind_ in program.kinds:
        own = xs[first : first + program.tokens_of(kind_)]
        if own:
            picture.say(sum(own) / len(own), top + 34, kind_.name, True, "middle")
        first += len(own)
    for row, layer in enumerate(layers, 1):
        _draw_layer(picture, compiled, layer, tokens, ids, xs, top - row * ROW)
    if mapped:
        _draw_answers(picture, program, tokens, xs, top - len(layers) * ROW)
    return picture.svg(sentence(name))


def _draw_layer(
    picture: Picture, compiled: CompiledProgram, layer: int, tokens: Any, ids: list[int], xs: list[float], y: float
) -> None:
    parts = [part for part in compiled.parts if part.layer == layer]
    recurrent = {place for place, head in enumerate(_heads(compiled, layer)) if not isinstance(head, Head)}
    letters = "R" if recurrent and len(recurrent) == len(_heads(compiled, layer)) else "RF" if recurrent else "F"
    names = list(dict.fromkeys(part.name for part in parts))
    picture.say(10, y - 4, f"layer {layer} {letters}")
    picture.say(10, y + 12, ", ".join(names)[:22])
    readers = {kind for part in parts for kind in part.kind.split(", ")}
    asked = [place for place, (kind, _) in enumerate(tokens) if kind in readers]
    for place in asked:
        colour = STRONG if place == asked[-1] else FAINT
        heads = {p.head for p in parts if tokens[place][0] in p.kind.split(", ")} - recurrent
        for at, head, weights, total in weights_seen(compiled.model, np.array(ids[: place + 1], dtype=np.int64)):
            if at != layer or head not in heads or not total:
                continue
            for seen, weight in enumerate(weights):
                share = int(weight) / total
                if share >= LEAST_SHARE:
                    picture.line(xs[place], y, xs[seen], y + ROW, colour, 0.6 + 2.4 * share)
    if "R" in letters:
        for before, after in zip(range(len(xs) - 1), range(1, len(xs)), strict=True):
            picture.line(xs[before] + BOX / 2, y, xs[after] - BOX / 2, y, STATE, 1.4, arrow=True)
    for place, (kind, token) in enumerate(tokens):
        known = {part.name: token[part.name] for part in parts if kind in part.kind.split(", ") and part.name in token}
        if known:
            picture.box(xs[place], y, ",".join(map(str, known.values())), STATE if "R" in letters else STRONG)
        else:
            picture.boxes.append(f'<circle cx="{xs[place]:.0f}" cy="{y:.0f}" r="2.5" fill="{FAINT}"/>')


def _draw_answers(picture: Picture, program: Definitions, tokens: Any, xs: list[float], y: float) -> None:
    """Above the last layer: the answer, where a map makes it of what was found."""
    kind, variable = program.answer
    picture.say(10, y - ROW / 2 + 4, variable[:22])
    for x, (name, token) in zip(xs, tokens, strict=True):
        if name == kind:
            picture.box(x, y - ROW / 2, str(token[variable]), INK)


def _heads(compiled: CompiledProgram, layer: int) -> tuple[Any, ...]:
    return tuple(compiled.model.layers[layer - 1].heads)


def _at_page_size(name: str) -> Definitions:
    """Each size doubled as long as the prompt fits; one that does not lengthen the prompt, an alphabet, once."""
    make, sizes, most = function(name), sizes_of(name), sizes_of(name, True)
    best: Definitions = make(**sizes).definitions
    if best.is_endless:
        return best
    waiting = [key for key in sizes if most[key] != sizes[key]]
    while waiting:
        key = waiting.pop(0)
        try:
            larger: Definitions = make(**sizes | {key: 2 * sizes[key]}).definitions
        except InputError:  # sizes that do not fit together
            continue
        if larger.length <= DRAWN:
            waiting += [key] if larger.length > best.length else []
            best, sizes = larger, sizes | {key: 2 * sizes[key]}
    return best


def _telling_input(program: Definitions) -> list[int]:
    """Of some inputs the one with the most different answers, and then with the most different tokens."""
    task = task_of(program)
    cases = [list(case.ids) for case in (*task.samples(0, 24), *task.family_instances(0))]

    def tells(ids: list[int]) -> tuple[int, int]:
        tokens = execute(program, spelled(program, ids))
        found = {token[program.answer[1]] for kind, token in tokens if kind == program.answer[0]}
        return len(found), len({tuple(token.values())[1:] for _, token in tokens})

    return max(cases, key=tells)


def record() -> None:
    for name in NAMES:
        write_whole(ROOT / FOLDER / f"{name}.svg", drawn(name))
    write_whole(ROOT / NUMBERS, json_text(programs(large=True).document()["rows"], indent=1) + "\n")


@block("docs/gallery.md", "gallery")
def page() -> str:
    parts = []
    for row in json.loads((ROOT / NUMBERS).read_text(encoding="utf-8")):
        name, bits = row["name"], row["precision_bits"]
        sizes = ", ".join(f"{key} = {number(value)}" for key, value in row["sizes"].items())
        scope = " and ".join(part for part in (sizes, "every length" if row["every_length"] else "") if part)
        verdict = f"Proved at {scope}" if row["proved"] else f"Not proved at {scope}"
        layers = "1 layer" if row["layers"] == 1 else f"{row['layers']} layers"
        made = f"{layers} ({row['word']}), width {row['width']}, P = {bits['P']:,}, p = {bits['p']}"
        made += f"; {row['seconds']:.1f} s" if row["seconds"] >= 0.1 else "; less than 0.1 s"
        parts.append(
            f"### {name}\n\n*{sentence(name)}* {paper(name)}\n\n{verdict}: {made}.\n\n![{name}](gallery/{name}.svg)\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    record()
