"""The tasks of the matrix as programs of the gallery, so that what is said of them is checked on their own oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from constructions.programs import gallery
from separation.tasks.program import Definitions, answers
from separation.tasks.program.oracle import all_inputs

SMALL: dict[str, tuple[tuple[int, ...], ...]] = {
    "recall": ((1, 2), (2, 2), (2, 3)),
    "copying": ((1, 2), (3, 2), (2, 3)),
    "selective_copying": ((2, 2), (3, 2)),
    "two_sum": ((2, 3), (3, 3), (2, 7), (3, 5), (4, 3)),
    "majority": ((2,), (3,), (4,), (5,)),
    "state_based_recall": ((6, 2, 1),),
    "parity": ((1,), (2,), (4,)),
}
"""Sizes at which all inputs are run."""


def program_of(task: str, sizes: Sequence[int]) -> tuple[Definitions, int]:
    """The gallery's program, and how many tokens stand before the boundary at which states are counted."""
    a, b, c = [*sizes, 0, 0][:3]
    arguments: dict[str, dict[str, Any]] = {
        "recall": {"pairs": a, "V": b, "queries": 1},
        "copying": {"n": a, "V": b},
        "selective_copying": {"n": a, "V": b},
        "two_sum": {"n": a, "M": b},
        "majority": {"n": a},
        "state_based_recall": {"n": c, "V": b},
        "parity": {},
    }
    program = gallery(task, **arguments[task]).definitions
    cut = {"recall": 1 + 2 * a, "copying": a, "selective_copying": 1 + a, "two_sum": a, "majority": 1 + a // 2}
    if task == "parity":
        program = program.at_length(a)
    return program, cut.get(task, 1 + a if task == "state_based_recall" else a)


def answered(program: Definitions) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Every input with its right answers, one for each token that is asked."""
    for ids in all_inputs(program):
        yield tuple(ids), answers(program, ids)
