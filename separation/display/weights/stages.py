"""What tokens hold at a stage, the kinds of tokens that hold the same taken together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from separation.verbs.show.runs import cut_into_runs

Lines = Mapping[str, Sequence[str]]
"""Kind → its lines of the invariant."""


def grouped(stage: Lines, since: Lines | None = None) -> list[tuple[str, str, list[str]]]:
    """(place, what it holds, in which tokens), the places in order; with ``since`` only what that stage did not say."""
    found: dict[tuple[str, str], list[str]] = {}
    order: dict[str, int] = {}
    for kind, lines in stage.items():
        for number, line in enumerate(lines):
            place, _, text = line.partition(" = ")
            order.setdefault(place.split("[")[0], number)
            if since is None or line not in since[kind]:
                found.setdefault((place, text), []).append(kind)
    rows = [
        (place, text, ["all"] if len(kinds) == len(stage) else few(kinds)) for (place, text), kinds in found.items()
    ]
    return sorted(rows, key=lambda row: (order[row[0].split("[")[0]], _first_coordinate(row[0])))


def few(kinds: Sequence[str]) -> list[str]:
    """table 8, …, table 1, z0: of four or more names that count up or down, the first and the last."""
    runs = cut_into_runs(kinds, _counts_on)
    return [name for run in runs for name in ([run[0], "…", run[-1]] if len(run) > 3 else run)]


def _counts_on(run: Sequence[str], kind: str) -> bool:
    """Whether the names are a word and a number that goes up, or down, by one."""
    names = [name.rpartition(" ") for name in (*run[-2:], kind)]
    if len({word for word, _, _ in names}) > 1 or not all(n.isascii() and n.isdigit() for _, _, n in names):
        return False
    steps = {int(right) - int(left) for (_, _, left), (_, _, right) in pairwise(names)}
    return steps in ({1}, {-1})


def _first_coordinate(place: str) -> int:
    match = re.search(r"\[(\d+)[:\d]*\]\Z", place)
    return int(match[1]) if match else 0
