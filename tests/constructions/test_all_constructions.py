"""Every construction: proved at large sizes and in other coordinates, and no wrong change passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import process_time
from typing import Any

import numpy as np
import pytest
from construction_changes import (
    count_wrong_cases,
    in_other_coordinates,
    outcomes_of_changes,
    proof_of,
    with_stored_tables,
    wrong_prompts,
)

from constructions import c1, c2, c3, c4, c5, c6, c7
from separation.proving import Construction, prove
from separation.tasks.funccomp import FAMILIES as OF_FUNCCOMP
from separation.tasks.funccomp import Sizes, answer, token_ids
from separation.tasks.two_sum import FAMILIES, TwoSumSizes

TINY = [Sizes(2, ()), Sizes(4, ()), Sizes(2, (1,)), Sizes(2, (2,)), Sizes(2, (1, 1))]
SMALL = [Sizes(3, (5,)), Sizes(7, (1, 3, 1))]
LONG = Sizes(2**21, (2**9, 5))


@dataclass(frozen=True)
class Case:
    """How it is built in one variant, and at which sizes it is run on all inputs, proved, and built in no time; and
    with so many keys that at temperature 1 those near the match outweigh it."""

    build: Callable[..., Construction]
    tiny: list[Any]
    proved: list[Any]
    long: Any
    many_keys: Any
    margin: int = 2


def funccomp(build: Callable[..., Construction], long: Sizes = LONG, keys: int = 64) -> Case:
    return Case(build, TINY, SMALL, long, Sizes(keys, ()))


def with_order(order: str, family: str) -> Callable[..., Construction]:
    """C2 with R in front, or after the first F."""
    words = {"RF": "R{}", "FR": "FR{}"}

    def build(sizes: Sizes, **options: Any) -> Construction:
        return c2.build(sizes, words[order].format("F" * (sizes.L - (order == "FR"))), family, **options)

    return build


CASES = {
    "C1": funccomp(c1.build),
    **{f"C2 {order} {family}": funccomp(with_order(order, family)) for order in ("RF", "FR") for family in c2.FAMILIES},
    "C3": funccomp(c3.build, Sizes.for_tokens(2, 4096)),
    "C4": funccomp(c4.build, keys=256),
    **{
        f"C5 {word} {family}": funccomp(partial(c5.build, word=word, family=family))
        for word, family in (("RF", "linear"), ("RF", "delta"), ("FR", "linear"), ("FR", "delta"), ("F", "linear"))
    },
    "C6": Case(
        c6.build,
        [TwoSumSizes(*sizes) for sizes in ((1, 3), (8, 3), (5, 5), (4, 7), (2, 65))],
        [TwoSumSizes(*sizes) for sizes in ((7, 9), (100, 10001), (2**40, 3), (1, 2**64 + 1))],
        TwoSumSizes(65536, 65536**2 + 1),
        TwoSumSizes(256, 65537),
        margin=4,
    ),
    **{
        f"C7 B={block} k={opened}": Case(
            partial(c7.build, block=block, opened=opened),
            [TwoSumSizes(*sizes) for sizes in ((1, 3), (6, 3), (5, 5), (3, 17))],
            [TwoSumSizes(*sizes) for sizes in ((64, 127), (20, 1001), (2**40, 3))],
            TwoSumSizes(65536, 65536**2 + 1),
            TwoSumSizes(512, 65537),
            margin=4,
        )
        for block, opened in ((1, 1), (2, 0), (2, 3), (4, 1))
    },
}
every = pytest.mark.parametrize("name", CASES)


@every
def test_large_sizes_are_built_at_once_and_proved(name: str) -> None:
    """What is proved and run on all inputs of smaller sizes: statements C1 to C7 of the book."""
    case = CASES[name]
    for sizes in (case.proved[-1], case.long):
        start = process_time()
        construction = case.build(sizes)
        assert process_time() - start < 2
        proof = proof_of(construction)
        assert proof.ok, (sizes, proof.failures[:1])
        assert proof.margin == case.margin
        assert construction.model.is_integral


@pytest.mark.parametrize("name", [name for name in CASES if name != "C3"])  # which has no softmax
def test_too_low_a_temperature_is_rejected_and_wrong_on_some_input(name: str) -> None:
    """The keys at distance 1 and 2 together outweigh the match, and in these inputs they all say the opposite."""
    case = CASES[name]
    sizes, whole, cold = case.many_keys, case.build(case.many_keys), case.build(case.many_keys, temperature=1)
    if isinstance(sizes, TwoSumSizes):
        instances = list(FAMILIES["one_match_among_near_misses"](sizes, 0))
        wrong = [count_wrong_cases(one, instances) for one in (whole, cold)]
    else:
        cases = list(OF_FUNCCOMP["opposite_bits"](sizes, 0))
        prompts, wanted = np.stack([token_ids(one) for one in cases]), np.array([answer(one) for one in cases])
        wrong = [wrong_prompts(one, prompts, wanted) for one in (whole, cold)]
    assert proof_of(whole).ok
    assert not proof_of(cold).ok
    assert wrong[0] == 0 < wrong[1]


@every
def test_proved_after_a_random_exact_change_of_basis(name: str) -> None:
    """By the changed invariants, and not by those of before."""
    case = CASES[name]
    construction = case.build(case.tiny[3])
    changed = in_other_coordinates(construction, 1)
    proof = proof_of(changed)
    assert proof.ok, proof.failures[:1]
    assert proof.margin == case.margin
    assert not prove(replace(changed, stages=construction.stages)).ok


OF_CHANGES = {"C1": 2, "C2": 3, "C3": 3, "C4": 4, "C5": 2, "C6": 2, "C7": 2}
"""Which of the tiny sizes random changes are made at."""


@pytest.mark.parametrize("name", OF_CHANGES)
def test_random_changes_are_rejected_or_harmless(name: str) -> None:
    """Many changes break the model for real, and the prover does not just reject everything."""
    place, rng, outcomes = OF_CHANGES[name], np.random.default_rng(22), Counter[str]()
    variants = [case for each, case in CASES.items() if each.startswith(name)]
    for case in variants:
        construction = case.build(case.tiny[place])
        whole = construction if isinstance(case.tiny[place], TwoSumSizes) else with_stored_tables(construction)
        outcomes += outcomes_of_changes(whole, rng, 24 // len(variants))
    assert outcomes["wrong"] > 0
    assert outcomes["harmless"] > 0
