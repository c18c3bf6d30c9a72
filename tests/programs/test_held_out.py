"""Programs that are in no gallery, from the page alone: against plain Python, proved, and run on random inputs."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import numpy as np
import pytest

from separation.programs import Program, where
from separation.tasks.program.oracle import answers, random_input, spelled

Oracle = Callable[..., list[int]]


def last_different() -> tuple[Program, Oracle]:
    """There is no !=: the latest smaller and the latest larger one, then the later of the two."""
    p = Program("last different")
    _, text = p.start(), p.tokens("text", 4, s=3)
    found = []
    for relation in (text.s < text.s, text.s > text.s):
        found += [text.latest(where(relation), read=v, default=4) for v in (text.s, text.position)]

    def later(a: int, i: int, b: int, j: int) -> int:
        return a if (i + 1) % 5 > (j + 1) % 5 else b

    p.answer(p.map(later, *found, size=5))
    return p, lambda text: [
        next((y["s"] for y in reversed(text[:i]) if y["s"] != x["s"]), 4) for i, x in enumerate(text)
    ]


def most_frequent() -> tuple[Program, Oracle]:
    """Of the letters that occur most often so far the smallest."""
    p = Program("mode")
    _, text = p.start(), p.tokens("text", 4, s=3)
    times = text.count(where(text.s == text.s))
    p.answer(text.smallest(text.s, where(times == text.largest(times, name="top"))))

    def modes(text: list[dict[str, int]]) -> list[int]:
        letters = [token["s"] for token in text]
        return [max(range(3), key=letters[: i + 1].count) for i in range(len(letters))]

    return p, modes


def median_of_fifteen() -> tuple[Program, Oracle]:
    p = Program("median")
    _, once, again, end = p.start(), p.tokens("once", 15, v=4), p.tokens("again", 15, v=4), p.tokens("end", 1)
    p.promise(lambda a, b: a == b, once.find(where(once.position == again.position), read=once.v), again.v)
    less, ties = once.count(where(once.v < again.v)), once.count(
        where(once.v == again.v, once.position < again.position), name="ties"
    )  # fmt: skip
    rank = p.map(lambda a, b: a + b if a + b < 15 else None, less, ties, size=15, name="rank")
    p.answer(again.find(where(rank == 7), read=again.v, at=end, once=True))
    return p, lambda once, **_: [median(token["v"] for token in once)]


def three_back() -> tuple[Program, Oracle]:
    """Names that are made are names, however often; conditions may be handed over together."""
    p = Program("three back")
    _, text = p.start(), p.tokens("text", 4, s=3)
    found = text.s
    for _ in range(3):
        found = text.previous(found, default=3)
    for _ in range(3):
        found = text.latest((where(text.s < 3), where(text.position == text.position)), read=found)
    p.answer(found)
    return p, lambda text: [3, 3, 3, text[0]["s"]]


def clauses() -> tuple[Program, Oracle]:
    """An assignment, then clauses of three literals: do all so far hold?"""
    p = Program("3-SAT")
    _, var = p.start(), p.tokens("var", 3, v=2)
    clause = p.tokens("clause", 3, **{f"{what}{k}": size for k in range(3) for what, size in (("i", 3), ("not", 2))})
    signs = [getattr(clause, f"not{k}") for k in range(3)]
    values = [var.find(where(var.position == getattr(clause, f"i{k}")), read=var.v, name=f"v{k}") for k in range(3)]
    holds = p.map(lambda *x: any(a != b for a, b in zip(x[:3], x[3:], strict=True)), *values, *signs, size=2)
    p.answer(p.scan(lambda so_far, now: so_far & now, holds, start=1, size=2, name="all"))

    def sat(var: list[dict[str, int]], clause: list[dict[str, int]], **_: object) -> list[int]:
        held = [any(var[c[f"i{k}"]]["v"] != c[f"not{k}"] for k in range(3)) for c in clause]
        return [int(all(held[: i + 1])) for i in range(3)]

    return p, sat


def seen_at_every_length() -> tuple[Program, Oracle]:
    """A state keeps whether there was a match; attention would look at any number of tokens."""
    p = Program("a one so far")
    _, text = p.start(), p.tokens("text", any, x=3)
    p.answer(text.exists(where(text.x == 1)))
    return p, lambda text: [int(any(y["x"] == 1 for y in text[: i + 1])) for i in range(len(text))]


@pytest.mark.parametrize(
    "made", [last_different, most_frequent, three_back, median_of_fifteen, clauses, seen_at_every_length]
)
def test_it_means_what_plain_python_says_and_is_proved(made: Callable[[], tuple[Program, Oracle]]) -> None:
    program, oracle = made()
    compiled, proof = program.compile().proved()
    assert proof.ok, proof.failure
    definitions, random = program.definitions, np.random.default_rng(0)
    for number in range(60):
        ids = random_input(definitions, random)
        tokens: dict[str, list[dict[str, int]]] = {}
        for kind, token in spelled(definitions, ids):
            tokens.setdefault(kind, []).append(token)
        tokens.pop("start", None)
        right = answers(definitions, ids)
        assert oracle(**tokens) == right
        assert number > 5 or compiled.run(ids) == right
