"""Every construction: right on all inputs of tiny sizes, proved, in other coordinates too; no wrong change passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import pytest
from construction_changes import (
    count_wrong,
    count_wrong_cases,
    in_other_coordinates,
    outcomes_of_changes,
    proof_of,
    with_stored_tables,
)

from constructions import c2, c3, c4, c5, c6, c7
from separation.models import run
from separation.proving import Construction, prove
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import FAMILIES, TwoSumSizes

TINY = [Sizes(2, ()), Sizes(4, ()), Sizes(2, (1,)), Sizes(2, (2,)), Sizes(2, (1, 1))]
SMALL = [
    *(Sizes(m, ()) for m in (3, 8)),
    *(Sizes(m, n) for m, n in ((3, (1,)), (3, (5,)), (8, (8,)), (3, (2, 4)), (2, (1, 5)), (7, (1, 3, 1)))),
    Sizes(2, (1,) * 6),
]

LONG = Sizes(2**21, (2**9, 5))


@dataclass(frozen=True)
class Case:
    """How it is built in one variant, and at which sizes it is run on all inputs, proved, and built in no time."""

    build: Callable[[Any], Construction]
    tiny: list[Any]
    proved: list[Any]
    long: Any
    margin: int = 2


def funccomp(build: Callable[[Any], Construction], long: Sizes = LONG) -> Case:
    return Case(build, TINY, SMALL, long)


def with_order(order: str, family: str) -> Callable[[Sizes], Construction]:
    """C2 with R in front, or after the first F."""
    words = {"RF": "R{}", "FR": "FR{}"}

    def build(sizes: Sizes) -> Construction:
        return c2.build(sizes, words[order].format("F" * (sizes.L - (order == "FR"))), family)

    return build


CASES = {
    **{f"C2 {order} {family}": funccomp(with_order(order, family)) for order in ("RF", "FR") for family in c2.FAMILIES},
    "C3": funccomp(c3.build, Sizes.for_tokens(2, 4096)),
    "C4": funccomp(c4.build),
    **{
        f"C5 {word} {family}": funccomp(lambda sizes, word=word, family=family: c5.build(sizes, word, family))
        for word, family in (("RF", "linear"), ("RF", "delta"), ("FR", "linear"), ("FR", "delta"), ("F", "linear"))
    },
    "C6": Case(
        c6.build,
        [TwoSumSizes(*sizes) for sizes in ((1, 3), (8, 3), (5, 5), (4, 7), (2, 65))],
        [TwoSumSizes(*sizes) for sizes in ((7, 9), (100, 10001), (2**40, 3), (1, 2**64 + 1))],
        TwoSumSizes(65536, 65536**2 + 1),
        margin=4,
    ),
    **{
        f"C7 B={block} k={opened}": Case(
            lambda sizes, block=block, opened=opened: c7.build(sizes, block, opened),
            [TwoSumSizes(*sizes) for sizes in ((1, 3), (6, 3), (5, 5), (3, 17))],
            [TwoSumSizes(*sizes) for sizes in ((64, 127), (20, 1001), (2**40, 3))],
            TwoSumSizes(65536, 65536**2 + 1),
            margin=4,
        )
        for block, opened in ((1, 1), (2, 0), (2, 3), (4, 1))
    },
}
every = pytest.mark.parametrize("name", CASES)


@every
def test_every_input_of_a_tiny_size_is_answered(name: str) -> None:
    for sizes in CASES[name].tiny:
        assert count_wrong(CASES[name].build(sizes)) == 0, sizes


@every
def test_proved(name: str) -> None:
    case = CASES[name]
    for sizes in (*case.tiny, *case.proved):
        construction = case.build(sizes)
        proof = proof_of(construction)
        assert proof.ok, (sizes, proof.failures[:1])
        assert proof.margin == case.margin
        assert construction.model.is_integral


@every
def test_built_at_once_and_proved_at_large_sizes(name: str) -> None:
    case = CASES[name]
    start = process_time()
    construction = case.build(case.long)
    assert process_time() - start < 2
    assert proof_of(construction).ok


@every
def test_hard_inputs_are_answered(name: str) -> None:
    """Of every adversarial family; the answers of C5 are tokens that it writes, which its own tests compare."""
    short = [sizes for sizes in CASES[name].proved if 1 < sizes.length < 200 and "C5" not in name]
    for sizes in short:
        construction = CASES[name].build(sizes)
        if isinstance(sizes, TwoSumSizes):
            assert count_wrong_cases(construction, (case for f in FAMILIES.values() for case in f(sizes, 0))) == 0
        else:
            prompts, answers = hard_inputs(sizes)
            assert (run(construction.model, prompts).answers == answers).all(), sizes


@every
def test_proved_after_a_random_exact_change_of_basis(name: str) -> None:
    """By the changed invariants, and not by those of before."""
    case = CASES[name]
    construction = case.build(case.tiny[3])
    changed = in_other_coordinates(construction, 1)
    proof = proof_of(changed)
    assert proof.ok, proof.failures[:1]
    assert proof.margin == case.margin
    assert not prove(changed.model, construction.stages, construction.shape).ok


@pytest.mark.parametrize(("name", "place"), [("C2", 3), ("C3", 3), ("C4", 4), ("C5", 2), ("C6", 2), ("C7", 2)])
def test_random_changes_are_rejected_or_harmless(name: str, place: int) -> None:
    """Many changes break the model for real, and the prover does not just reject everything."""
    rng, outcomes = np.random.default_rng(22), Counter[str]()
    variants = [case for each, case in CASES.items() if each.startswith(name)]
    for case in variants:
        construction = case.build(case.tiny[place])
        whole = construction if isinstance(case.tiny[place], TwoSumSizes) else with_stored_tables(construction)
        outcomes += outcomes_of_changes(whole, rng, 60 // len(variants))
    assert outcomes["wrong"] >= 12
    assert outcomes["harmless"] >= 1
