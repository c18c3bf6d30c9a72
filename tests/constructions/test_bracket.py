"""One full layer composes two tables by several look-ups: weights, certificates, twins, the bracketed threshold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from construction_changes import count_wrong, outcomes_of_changes, wrong_prompts

from constructions import bracket
from constructions.bracket_table import Cell, bracket_cells, bracket_row, bracket_rows, largest_impossible, recorded
from separation.arithmetic import ExactMatrix
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.files import InputError
from separation.models import Head, Layer, LinearHead
from separation.proving import Construction, certified_proof
from separation.proving.certificates import kernel_certificate
from separation.tasks.funccomp import Sizes, answer, samples, token_ids
from tools.bracket import NotKnown, bits_in_weights, checked_cell


def wrong_samples(subject: Construction, count: int) -> int:
    """Random inputs that are answered wrongly."""
    cases = list(samples(subject.sizes, 17, count))
    prompts, wanted = np.stack([token_ids(case) for case in cases]), np.array([answer(case) for case in cases])
    return wrong_prompts(subject, prompts, wanted)


@pytest.mark.parametrize(("word", "cell_bits"), [("FR", 0), ("RF", 0), ("RRF", 1)])
def test_all_inputs_of_the_smallest_tables_and_of_tables_that_are_no_powers_of_two(word: str, cell_bits: int) -> None:
    """Cells of the record are of powers of two, and have certificates."""
    assert count_wrong(bracket.build(Sizes(2, (2,)), word, cell_bits)) == 0
    other = bracket.build(Sizes(6, (2,)), word, 2 * cell_bits)
    assert certified_proof(other).ok
    assert wrong_samples(other, 40) == 0


def broken(word: str, what: str) -> Construction:
    """A construction with one thing wrong, at m = 4, n_1 = 2."""
    sizes = Sizes(4, (2,))
    subject = bracket.build(sizes, word, 1 if word == "RRF" else 0)
    layers = list(subject.model.layers)
    place = {"FR": 0, "RF": 1, "RRF": 2}[word]
    looking = layers[place]
    if what == "rows are swapped":
        first, second = looking.heads[:2]
        heads = (replace(first, w_o=second.w_o), replace(second, w_o=first.w_o), *looking.heads[2:])
        layers[place] = Layer(heads, looking.mlps)
    elif what == "one look-up is missing":
        layers[place] = Layer(looking.heads[1:], looking.mlps)
    elif what == "cells of another width":
        (stored,) = layers[1].heads
        assert isinstance(stored, LinearHead)
        last = ExactMatrix.from_entries(stored.w_v.shape, [(0, subject.model.stream["value"][0], 1)])
        layers[1] = Layer((replace(stored, w_v=last),), ())  # the bit that a cell of two bits would begin with
    return replace(subject, model=replace(subject.model, layers=tuple(layers)))


TWINS = ["rows are swapped", "one look-up is missing"]
BROKEN = [(word, what) for word in ("FR", "RF", "RRF") for what in TWINS] + [("RRF", "cells of another width")]


@pytest.mark.parametrize(("word", "what"), BROKEN)
def test_broken_twins_are_refuted_by_an_input(word: str, what: str) -> None:
    subject = broken(word, what)
    with pytest.raises(InputError, match="the kernel says"):
        kernel_certificate(subject, 2)
    assert wrong_samples(subject, 100) > 0


@pytest.mark.parametrize(("word", "cell_bits"), [("FR", 0), ("RRF", 1)])
def test_random_changes_are_rejected_or_harmless(word: str, cell_bits: int) -> None:
    outcomes = outcomes_of_changes(bracket.build(Sizes(2, (2,)), word, cell_bits), np.random.default_rng(5), 10)
    assert outcomes["wrong"] > 0


def test_what_others_hear_is_counted() -> None:
    """A head that does not ask for whom it is: z_0's token hears table 2 as well. And P > 0 lets others be heard."""
    sizes = Sizes(4, (1,))
    subject = bracket.build(sizes, "FR")
    first, last = subject.model.layers
    heads = [head for head in first.heads if isinstance(head, Head)]
    open_to_all = [replace(head, w_q=head.w_q.rows(range(len(head.w_q.numerators) - 1))) for head in heads]
    open_to_all = [replace(head, w_k=head.w_k.rows(range(len(head.w_k.numerators) - 1))) for head in open_to_all]
    changed = replace(subject, model=replace(subject.model, layers=(Layer(tuple(open_to_all), first.mlps), last)))
    assert certified_proof(changed).ok
    row = bracket_row("FR", 4, 1)
    assert bits_in_weights(changed)[0] == row.built + 2
    loud = bracket.build(sizes, "FR", score_bits=12)
    with pytest.raises(ValueError, match="P is 12"):
        bits_in_weights(loud)


def test_no_theorem_forbids_what_is_built() -> None:
    """β and Λ of the protocols: Theorem A2 excludes them for no Θ."""
    for row in bracket_rows((2, 4, 8, 64), (1, 3, 64)):
        every = range(1, row.m + 1)
        assert not any(theorem_a2(row.m, (row.n1,), t, row.built, row.state_bits).certified for t in every)


def test_every_cell_of_the_table_has_a_certificate() -> None:
    assert set(recorded()) == set(bracket_cells())
    assert all(row.known.startswith("certificate") for row in bracket_rows())
    assert bracket_row("FR", 5, 2).known == "formula"


@pytest.mark.parametrize("cell", [("FR", 2, 4, 0), ("RF", 4, 2, 0), ("RRF", 4, 2, 1), ("RRF", 8, 2, 3)])
def test_the_record_is_what_is_checked_again(cell: Cell) -> None:
    assert checked_cell(cell) == recorded()[cell]


def test_a_row_that_does_not_hold_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    cell, row = ("FR", 2, 2, 0), bracket_row("FR", 2, 2)
    for off in (replace(row, built=row.built - 1), replace(row, state_bits=(0, 0))):
        monkeypatch.setattr("tools.bracket.bracket_row", lambda *_, off=off: off)
        with pytest.raises(NotKnown, match="β and Λ"):
            checked_cell(cell)
    monkeypatch.setattr("tools.bracket.bracket_row", lambda *_: replace(row, impossible=row.built))
    with pytest.raises(InputError, match="Theta is 0"):
        checked_cell(cell)
    swapped = broken("FR", "rows are swapped")
    monkeypatch.setattr("tools.bracket.bracket.build", lambda *_: swapped)
    with pytest.raises(NotKnown, match="not proved"):
        checked_cell(cell)


def test_the_threshold_is_bracketed() -> None:
    row = bracket_row("FR", 64, 64)
    assert row.built == 64 * 12
    assert row.state_bits == (0, 6)
    assert row.impossible is not None
    assert theorem_a2(64, (64,), 64, row.impossible, row.state_bits).certified
    assert not any(theorem_a2(64, (64,), t, row.impossible + 1, row.state_bits).certified for t in range(1, 65))
    assert row.ratio is not None
    assert 1 <= row.ratio < 1.02
    assert bracket_row("RF", 64, 8).ratio < 1.4  # type: ignore[operator]
    assert largest_impossible(2, 1, (50, 50)) is None


def test_bad_requests() -> None:
    with pytest.raises(InputError, match="two tables"):
        bracket.build(Sizes(4, (2, 2)))
    with pytest.raises(InputError, match="word"):
        bracket.build(Sizes(4, (2,)), "FF")
    with pytest.raises(InputError, match="stores no cells"):
        bracket.build(Sizes(4, (2,)), "FR", 1)
    with pytest.raises(InputError, match="2 candidates, not a divisor of m"):
        bracket.build(Sizes(5, (2,)), "RRF", 2)
