"""C2: L full layers and one recurrent layer, run over all inputs, proved, and its broken twins."""

from __future__ import annotations

from itertools import product

import pytest
from construction_changes import (
    Cause,
    Change,
    check_twin,
    head_of,
    proof_of,
    shifted,
    with_head,
    with_layer,
    with_whole_bits,
)

from constructions.c2 import FAMILIES, Plan, build
from separation.arithmetic import ExactMatrix
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SMALL = [Sizes(5, ()), Sizes(3, (2, 4))]
SIZES = Sizes(3, (2,))
SMALLEST = Sizes(2, (2,))
"""Every one of its 4,096 inputs is run."""


def words(sizes: Sizes) -> list[str]:
    return ["R" + "F" * sizes.L, "FR" + "F" * (sizes.L - 1)]


def variants(sizes: Sizes) -> list[Construction]:
    return [build(sizes, word, family) for word in words(sizes) for family in FAMILIES]


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_proved_in_both_orders_and_families(sizes: Sizes) -> None:
    for construction in variants(sizes):
        proof = proof_of(construction)
        assert proof.ok, (construction.model.word, proof.failures[:1])
        head = head_of(construction, construction.model.word.index("R"))
        linear = head.TYPE == "linear"
        assert head.state_entries == bit_count(sizes.m) + linear
        assert proof.state_bits == 2 * bit_count(sizes.m) + linear
        read = [step.match.fact.kind for step in proof.look_ups if step.kind == "w"]
        tables = [f"table {level}" for level in range(1, sizes.L + 1)]
        assert [kind for kind in read if kind != "z0"] == (tables if construction.model.word[0] == "R" else tables[1:])


def test_few_bits_are_enough_and_too_few_are_not() -> None:
    for word in words(SIZES):
        for family in FAMILIES:
            assert proof_of(build(SIZES, word, family, score_bits=0)).ok
            assert not proof_of(build(SIZES, word, family, bits=2)).ok


# Twins: (word, family) → a change. Layer R is the first in RFF and the second in FRF.


def dropped_value(c: Construction) -> Construction:
    r = c.model.word.index("R")
    head = head_of(c, r)
    return with_head(c, r, w_v=ExactMatrix.zeros(*head.w_v.shape))


def flipped_tag_bit(c: Construction) -> Construction:
    """The recurrence keeps table 1 (tag 1), not z_0 (tag 0)."""
    r = c.model.word.index("R")
    name = "w_k" if head_of(c, r).TYPE == "linear" else "w_b"
    matrix = getattr(head_of(c, r), name)
    return with_head(c, r, **{name: matrix.with_entry(0, c.model.stream["tag"][0], 1)})


def everything_is_kept(c: Construction) -> Construction:
    """Key feature or gate open at every token: tables too."""
    r = c.model.word.index("R")
    name = "b_k" if head_of(c, r).TYPE == "linear" else "b_b"
    return with_head(c, r, **{name: shifted(getattr(head_of(c, r), name), 2 * len(c.model.stream["tag"]))})


def nothing_is_kept(c: Construction) -> Construction:
    r = c.model.word.index("R")
    name = "b_k" if head_of(c, r).TYPE == "linear" else "b_b"
    return with_head(c, r, **{name: shifted(getattr(head_of(c, r), name), -1)})


def forgetful(c: Construction) -> Construction:
    """α = 0: the state is gone at w."""
    r = c.model.word.index("R")
    return with_head(c, r, b_a=ExactMatrix.zeros(1, 1))


def blind_query(c: Construction) -> Construction:
    r = c.model.word.index("R")
    name = "b_q" if head_of(c, r).TYPE == "linear" else "w_q"
    return with_head(c, r, **{name: ExactMatrix.zeros(*getattr(head_of(c, r), name).shape)})


def hands_on_z0_again(c: Construction) -> Construction:
    """FRF, but R hands on z_0 and not what z_0's token read."""
    plan = Plan(c.sizes, head_of(c, 1).TYPE)
    return with_layer(c, 1, heads=plan.hand_over("value").heads)


P7, P9, P10 = "P7", "P9", "P10"
TWINS: dict[str, tuple[Change, list[str], dict[str, Cause]]] = {
    # name: the change, the words and, by family, why it fails
    "dropped value": (
        dropped_value,
        ["RFF", "FRF"],
        {"linear": (P7, "value", "no head hands on"), "delta": (P7, "value", "no head hands on")},
    ),
    "flipped tag bit": (
        flipped_tag_bit,
        ["RFF"],
        {"linear": (P9, "no feature", "no key of z0"), "delta": (P10, "state", "table 1")},
    ),
    "everything is kept": (
        everything_is_kept,
        ["RFF", "FRF"],
        {"linear": (P9, "other keys", "table 2"), "delta": (P10, "state", "table 2")},
    ),
    "nothing is kept": (
        nothing_is_kept,
        ["RFF"],
        {"linear": (P9, "no feature", "no key of z0"), "delta": (P7, "value", "written by nobody")},
    ),
    "forgetful": (forgetful, ["RFF", "FRF"], {"delta": (P10, "state", "leave the state alone")}),
    "blind query": (
        blind_query,
        ["RFF", "FRF"],
        {"linear": (P9, "no feature", "of the query"), "delta": (P7, "value", "query of head 0 is 0")},
    ),
    "hands on z_0 again": (
        hands_on_z0_again,
        ["FRF"],
        {"linear": (P9, "no feature", "finds z0"), "delta": (P7, "value", "holds i0.0")},
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_and_wrong_on_some_input(name: str) -> None:
    change, some, causes = TWINS[name]
    for word, (family, cause) in product(some, causes.items()):
        whole = with_whole_bits(build(SIZES, word, family), 4)
        check_twin(f"{name}, {word}", change, cause, whole, build(SMALLEST, word, family))
