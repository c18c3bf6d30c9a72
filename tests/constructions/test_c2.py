"""C2: L full layers and one recurrent layer, run over all inputs, proved, and its broken twins."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from construction_changes import (
    count_wrong,
    head_of,
    off_by_one_positions,
    proof_of,
    shifted,
    with_head,
    with_layer,
    with_whole_bits,
)

from constructions.c2 import FAMILIES, Plan, build
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SMALL = [
    *(Sizes(m, n) for m, n in ((5, ()), (3, (5,)), (8, (8,)), (3, (2, 4)), (2, (2, 2, 2)), (2**20, (3, 2**9)))),
]
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
        assert proof.margin == 2
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


def test_other_words_and_families_are_refused() -> None:
    for word in ("", "RF", "FFR", "FRR", "RFFF", "rff"):
        with pytest.raises(InputError, match="C2 at L = 2 is RFF or FRF"):
            build(SIZES, word)
    with pytest.raises(InputError, match="one of linear, delta is needed"):
        build(SIZES, family="mamba")


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


def flipped_key_bit(c: Construction) -> Construction:
    head = head_of(c, 2)
    row = head.w_k.shape[0] - 1
    return with_head(c, 2, w_k=head.w_k.with_entry(row, c.model.stream["index"][-1], -1))


TWINS: dict[str, tuple[Callable[[Construction], Construction], list[str], list[str]]] = {
    # name: the change, the words and the families it is made in
    "dropped value": (dropped_value, ["RFF", "FRF"], ["linear", "delta"]),
    "flipped tag bit": (flipped_tag_bit, ["RFF"], ["linear", "delta"]),
    "everything is kept": (everything_is_kept, ["RFF", "FRF"], ["linear", "delta"]),
    "nothing is kept": (nothing_is_kept, ["RFF"], ["linear", "delta"]),
    "forgetful": (forgetful, ["RFF", "FRF"], ["delta"]),
    "blind query": (blind_query, ["RFF", "FRF"], ["linear", "delta"]),
    "hands on z_0 again": (hands_on_z0_again, ["FRF"], ["linear", "delta"]),
    "flipped key bit": (flipped_key_bit, ["RFF"], ["linear"]),
    "off-by-one position table": (off_by_one_positions, ["RFF"], ["linear"]),
}
CASES = [(name, word, family) for name, (_, some, kinds) in TWINS.items() for word in some for family in kinds]


@pytest.mark.parametrize(("name", "word", "family"), CASES)
def test_a_broken_twin_is_rejected_and_wrong_on_some_input(name: str, word: str, family: str) -> None:
    change = TWINS[name][0]
    whole = with_whole_bits(build(SIZES, word, family), 4)
    assert proof_of(whole).ok
    proof = proof_of(change(whole))
    assert not proof.ok
    assert proof.failures
    assert count_wrong(change(build(SMALLEST, word, family))) > 0


@pytest.mark.parametrize("word", ["RF", "FR"])
def test_half_the_temperature_is_rejected(word: str) -> None:
    whole = build(Sizes(64, ()), word)
    f = word.index("F")
    head = head_of(whole, f)
    cold = with_head(whole, f, w_q=head.w_q.scaled(Fraction(1, 2)), shift=head.shift / 2)
    assert proof_of(whole).ok
    assert not proof_of(cold).ok
