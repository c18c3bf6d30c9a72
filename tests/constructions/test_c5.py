"""C5: chains of thought of RF, FR and F, decoded and proved."""

from __future__ import annotations

import numpy as np
import pytest
from construction_changes import (
    count_wrong,
    proof_of,
)
from numpy.typing import NDArray

from constructions.c5 import build
from proofs_checks.statements.c5 import VARIANTS
from separation.models import decode
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, hops, samples, thought_ids, token_ids
from separation.tasks.shape import bit_count

SMALL = [Sizes(8, ()), Sizes(3, (5,)), Sizes(2, (3, 1, 2))]
RECURRENT = [case for case in VARIANTS if "R" in case[0]]
SIZES = Sizes(2, (2, 2))
SMALLEST = Sizes(2, (2,))
"""Every one of its 4,096 inputs is decoded."""


def variants(sizes: Sizes) -> list[Construction]:
    return [build(sizes, word, family) for word, family in VARIANTS]


def random_prompts(sizes: Sizes, count: int) -> NDArray[np.int64]:
    return np.stack([token_ids(instance) for instance in samples(sizes, 5, count)])


@pytest.mark.parametrize("sizes", [SIZES, Sizes(2, (2, 1, 3)), Sizes(5, (7,))], ids=str)
def test_the_last_token_is_the_answer(sizes: Sizes) -> None:
    instances = list(samples(sizes, 3, 20))
    for construction in variants(sizes):
        thoughts = construction.sizes
        prompts = np.stack([token_ids(instance) for instance in instances])
        found = decode(construction.model, prompts, thoughts.steps).tolist()
        for instance, said in zip(instances, found, strict=True):
            assert said == thought_ids(thoughts, instance.w, hops(instance))
            assert thoughts.answer_of(said[-1]) == hops(instance)[-1]


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_proved_for_all_words_and_families(sizes: Sizes) -> None:
    for construction, (word, family) in zip(variants(sizes), VARIANTS, strict=True):
        proof = proof_of(construction)
        assert proof.ok, (word, family, proof.failures[:1])
        assert construction.model.word == word
        handed = bit_count(sizes.m) + sum(map(bit_count, sizes.n))
        assert proof.state_bits == (handed if "R" in word else 0)
        assert construction.model.width == width(sizes, word)


def width(sizes: Sizes, word: str) -> int:
    tag, digit = bit_count(sizes.L + 2), max(map(bit_count, sizes.n), default=0)
    index, hop = bit_count(sizes.N[max(sizes.L - 2, 0)]), bit_count(sizes.N[-1])
    common = 1 + 2 * tag + 2 * digit + index + sum(map(bit_count, sizes.n)) + 2 * hop
    return common + {"RF": 3, "FR": 3 + digit, "F": 0}[word]


def test_who_looks_what_up() -> None:
    facts = {}
    for construction in (build(Sizes(3, (2, 2)), word) for word in ("RF", "FR", "F")):
        steps = [step for step in proof_of(construction).look_ups if step.match.path != "exact"]
        facts[construction.model.word] = {step.kind: step.match.fact.kind for step in steps}
    assert facts["RF"].items() >= {"w": "table 1", "hop 1": "table 2", "hop 2": "table 3"}.items()
    assert facts["FR"].items() >= {"z0": "table 1", "address 2": "table 2", "address 3": "table 3"}.items()
    assert facts["F"] == {"w": "z0", "record 0": "table 1", "record 1": "table 2", "record 2": "table 3"}


def test_few_bits_are_enough() -> None:
    for word, family in VARIANTS:
        assert proof_of(build(SMALLEST, word, family, bits=4, score_bits=0)).ok
        assert count_wrong(build(Sizes(2, (1,)), word, family, bits=4, score_bits=0)) == 0
        assert not proof_of(build(SMALLEST, word, family, bits=3)).ok
