"""The general path never accepts what is wrong on an input: enumeration goes through all that the answer depends on."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from kernel_cases import construction, real
from naive_model import Vector, times
from plain_evaluator import Runner
from plain_tables import expand, matrix

from separation.arithmetic import ExactMatrix
from separation.proving import ONE, Forms, ProofFailed, bit, construction_from_document, noise_rows, prove
from separation.proving.prover import _enumerated_margin
from separation.tasks.shape import Fact, Kind, Variable

Document = dict[str, Any]
CHANGES = 12
BY_HAND = {f"C1 {m} {n}": construction(m, n) for m, n in ((3, []), (2, [1]))}
SUBJECTS = [*BY_HAND, *("C2 RFF delta", "C3", "C4", "C5 RF linear", "C5 FR delta", "C6", "C7")]
"""One of each way to an answer: a hop of full, linear and delta heads, both ways, with thoughts, by searching."""


def final_streams(model: Document) -> list[tuple[Vector, int]]:
    """The stream wherever an answer is read and the right answer there, on every input of a right model; each once."""
    runner, found = Runner(model), {}
    for case in runner.task.cases():
        ids = [*case.ids, *(answer for _, answer in case.answers[:-1])][: max(length for length, _ in case.answers)]
        last = runner.stages(ids)[-1]
        for length, right in case.answers:
            found[tuple(last[length - 1]), right] = True
    return [(list(row), right) for row, right in found]


def changed(entries: dict[tuple[int, int], Fraction], rows: int, width: int, rng: random.Random) -> None:
    """A column dropped, one answer for all, two rows exchanged, or a few single entries."""
    kind = rng.choice(("column", "always", "exchange", "entries"))
    if kind == "column":
        column = rng.choice(sorted({c for _, c in entries}))
        for place in [place for place in entries if place[1] == column]:
            del entries[place]
    elif kind == "always":
        if rng.random() < 0.5:
            entries.clear()
        column, row = rng.randrange(width), rng.randrange(rows)
        entries |= {(r, column): Fraction(8 if r == row else -8) for r in range(rows)}
    elif kind == "exchange":
        one, other = rng.sample(range(rows), 2)
        names = {one: other, other: one}
        renamed = {(names.get(r, r), c): value for (r, c), value in entries.items()}
        entries.clear()
        entries |= renamed
    else:
        for _ in range(rng.randint(1, 3)):
            entries[rng.randrange(rows), rng.randrange(width)] = Fraction(rng.randint(-4, 4), rng.choice((1, 1, 2)))


@pytest.mark.parametrize("name", SUBJECTS)
def test_unembeddings_that_are_wrong_on_an_input_are_never_accepted(name: str) -> None:
    model = json.loads(json.dumps(BY_HAND[name]["model"])) if name in BY_HAND else real(name)["model"]
    streams, rng = final_streams(model), random.Random(name)
    width = sum(slot["width"] for slot in model["slots"])
    if "declared" in model["unembedding"]:
        parts = model["unembedding"]["declared"]
        rows = max(part["start"] + prod(part["radices"]) for part in parts)
        model["unembedding"] = {"stored": expand(parts, rows, width)}
    stored = model["unembedding"]["stored"]
    rows = stored["shape"][0]
    outcomes: Counter[str] = Counter()
    for _ in range(CHANGES):
        entries = {(r, c): Fraction(value) for r, c, value in stored["entries"]}
        changed(entries, rows, width, rng)
        sparse = [[(c, value) for (r, c), value in entries.items() if r == row] for row in range(rows)]
        wrong = any(not _singles_out(times(sparse, row), right) for row, right in streams)
        table = matrix(rows, width, {place: str(value) for place, value in entries.items() if value})
        one = construction_from_document({**model, "unembedding": {"stored": table}}, name)
        accepted = prove(one.model, one.stages, one.shape, "general").ok
        assert not (accepted and wrong), f"accepted, and wrong on an input: {sorted(entries.items())}"
        outcomes["wrong" if wrong else "accepted" if accepted else "right, not proved"] += 1
    assert outcomes["wrong"] > 0, outcomes


def _singles_out(logits: Vector, right: int) -> bool:
    return all(logit < logits[right] for place, logit in enumerate(logits) if place != right)


def test_an_answer_with_noise_is_not_enumerated() -> None:
    key = Forms([ONE, bit("a", 0), bit("a", 1)], ExactMatrix.from_rows([[0, 1, 0], [0, 0, 1]]))
    rows, half = [(key, Kind("cells", 0, (Variable("a", 3),), (), 0))], Fraction(1, 2)
    noisy = Forms([ONE, bit("q", 0)], ExactMatrix.from_rows([[0, 1], [0, 0]])).plus(noise_rows([half, half]))
    with pytest.raises(ProofFailed, match="the general path needs an answer without noise"):
        _enumerated_margin(noisy, rows, Fact("cells", ("q",)), [Variable("q", 3)])
