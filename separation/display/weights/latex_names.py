"""Names, places and lines of text in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

from separation.display.weights.names import named
from separation.models import Stream
from separation.verbs.show import CONSTANT

_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPES |= {character: f"\\{character}" for character in "{}$&#_%"}
_SIGNS = {"−": "-", "±": r"\pm ", "·": r"\cdot ", "≤": r"\le ", "ν": r"\nu "}
# What is set as mathematics in the text of an invariant: codes, noise, bits, sign patterns, numbers, signs.
_MATHS = re.compile(
    r"code\((?P<variable>\w+)\)(?:\[(?P<part>[\d:]+)\])?|ν(?P<noise>\d+)|(?P<bits>[^\W\d_]+\d*)\.(?P<place>\d+)"
    r"|(?P<plain>\([−+\d,/]+\)|[−±]?\d+(?:/\d+)?|[−+·≤|=±])"
)


def latex_text(text: str) -> str:
    """Any text for text mode, in ASCII."""
    plain = "".join(_ESCAPES.get(character, character) for character in text)
    return "".join(c if c.isascii() and c.isprintable() else f"[U+{ord(c):04X}]" for c in plain)


def latex_line(text: str) -> str:
    """A line of an invariant: words as they are, codes and numbers as mathematics."""
    pieces, last = [], 0
    for match in _MATHS.finditer(text):
        if match["variable"]:
            shown = _code(match["variable"], match["part"])
        elif match["noise"]:
            shown = rf"\nu_{{{match['noise']}}}"
        elif match["bits"]:
            shown = _code(match["bits"], match["place"])
        else:
            shown = "".join(_SIGNS.get(character, character) for character in match["plain"])
        pieces += [latex_text(text[last : match.start()]), f"${shown}$"]
        last = match.end()
    return "".join([*pieces, latex_text(text[last:])])


def latex_kinds(kinds: Sequence[str]) -> str:
    """table 3, table 2, $z_{0}$, $w$."""
    shown = []
    for kind in kinds:
        match = re.fullmatch(r"([a-z])(\d*)", kind)
        maths = f"${match[1]}{_index(match[2])}$" if match else ""
        shown.append(r"\dots" if kind == "…" else maths or latex_text(kind))
    return ", ".join(shown)


def latex_name(name: str) -> str:
    return rf"\textsf{{{latex_text(name)}}}"


def latex_place(stream: Stream, places: range) -> str:
    name, part = named(stream, places)
    return latex_name(name) + _index(part)


def latex_bits(stream: Stream, places: range) -> str:
    """A column of a table: the constant, bits of a digit, or the number of a stored row."""
    name, part = named(stream, places)
    if name == CONSTANT:
        return "1"
    return r"\text{row}" + _index(part) if name == "row" else _code(name, part)


def latex_matrix_name(name: str) -> str:
    """W_{Q}, b_{1}."""
    letter, _, index = name.partition("_")
    return letter + _index(index)


def _code(variable: str, part: str | None) -> str:
    return rf"\code({_variable(variable)})" + _index(part)


def _index(text: str | None) -> str:
    return f"_{{{text}}}" if text else ""


def _variable(name: str) -> str:
    """i_{1} for i1, an upright word for others."""
    match = re.fullmatch(r"([a-zA-Z])(\d+)", name)
    if match:
        return f"{match[1]}_{{{match[2]}}}"
    return name if name.isascii() and name.isdigit() else rf"\text{{{latex_text(name)}}}"
