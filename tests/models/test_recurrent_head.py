"""Heads of every recurrent family: run() against the naive evaluator, number for number, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from dense_models import dense_model
from naive_model import Rules, TooLarge, evaluate, floor_exp, round_up
from naive_recurrences import CONSTANTS, INPUTS, size_of
from random_models import batch, document_of, fractions_of, naive_logits, with_enough_bits, with_fitting_shifts
from run_cases import SOURCE, with_rows

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import INTERVALS, Model, RecurrentHead, blank_recurrent_head, run
from separation.recurrences import FAMILIES, TWINS, Inputs

SEEDS = range(3)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_family_in_a_dense_model(family: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFR with two heads a layer and no zero in any matrix: all rows, the last row, blocks of any size."""
    model, prompts = dense_model("RFR", [family], seed)
    rows = [evaluate(document_of(model), prompt).logits for prompt in prompts]
    for entries in (1 << 20, 7):
        monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
        assert fractions_of(run(model, batch(prompts), every_row=True)) == [row for prompt in rows for row in prompt]
        for all_rows in (False, True):
            found = fractions_of(run(model, batch(prompts), all_rows=all_rows))
            assert found == [prompt[-1] for prompt in rows]


@pytest.mark.parametrize("seed", range(4))
def test_all_families_in_one_model(seed: int) -> None:
    model, prompts = dense_model("RFRR", list(FAMILIES), seed, heads=5)
    assert len({head.family for layer in model.layers for head in layer.heads if isinstance(head, RecurrentHead)}) == 15
    assert fractions_of(run(model, batch(prompts))) == naive_logits(model, prompts)


def test_dense_models_are_dense() -> None:
    for family in FAMILIES:
        model, _ = dense_model("RF", [family], 0)
        for layer in model.layers:
            assert len(layer.heads) >= 2
            for name, matrix in layer.matrices:
                free = matrix.numerators[1:] if name in ("w_o", "w_2", "b_2") else matrix.numerators
                assert free.all(), (family, name)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_broken_family_disagrees(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin of each family, which differs in one rule, gives other outputs than the naive evaluator."""
    for seed in range(8):
        model, prompts = dense_model("R", [family], seed)
        wanted = naive_logits(model, prompts)
        monkeypatch.setitem(FAMILIES, family, TWINS[family])  # type: ignore[arg-type]
        try:
            if fractions_of(run(model, batch(prompts))) != wanted:
                return
        except PrecisionOverflow:
            return
        finally:
            monkeypatch.undo()
        assert fractions_of(run(model, batch(prompts))) == wanted
    raise AssertionError("no model notices")


BROKEN = {
    "rounded up": (Rules(rounding=round_up), list(FAMILIES)),
    "states not rounded": (
        Rules(state_rounded=False),
        [family for family in FAMILIES if family != "linear-normalised"],
    ),
    "outputs not rounded": (Rules(output_rounded=False), [family for family in FAMILIES if family != "rnn"]),
    "inputs not clipped": (
        Rules(clip=False),
        [family for family, kinds in INPUTS.items() if any(domain for _, _, domain in kinds)],
    ),
    "weights rounded up": (Rules(weight=lambda power, x: floor_exp(power, x) + 1), ["sliding-window"]),
    "0/0 = 1": (Rules(empty=Fraction(1)), ["linear-normalised"]),
}


@pytest.mark.parametrize(
    ("name", "family"), [(name, family) for name, (_, found) in BROKEN.items() for family in found]
)
def test_an_evaluator_with_one_rule_changed_disagrees(name: str, family: str) -> None:
    rules, _ = BROKEN[name]
    for seed in range(40):
        model, prompts = dense_model("R", [family], seed, tokens=5, fraction=2)
        model = with_enough_bits(with_fitting_shifts(model, prompts, rules), prompts, rules)
        found = fractions_of(run(model, batch(prompts)))
        assert found == naive_logits(model, prompts)
        if found != naive_logits(model, prompts, rules):
            return
    raise AssertionError("no model notices")


def lone(family: str, rows: list[list[Fraction | int]], precision: Precision, constants: list[Any] = []) -> Model:  # noqa: B006
    """Every token brings all inputs of a family with d_k = d_v = 1 as they are; the stream is one ⊕ inputs ⊕ out."""
    width, inputs = len(rows[0]) + 2, len(rows[0])
    head = RecurrentHead(
        w_x=ExactMatrix.from_entries((inputs, width), [(row, row + 1, 1) for row in range(inputs)]),
        b_x=ExactMatrix.zeros(inputs, 1),
        b_c=ExactMatrix.from_entries((len(constants), 1), [(row, 0, x) for row, x in enumerate(constants)]),
        w_o=ExactMatrix.from_entries((width, 1), [(width - 1, 0, 1)]),
        family=family,
        d_k=1,
        d_v=1,
    )
    return with_rows([[1, *row, 0] for row in rows], precision, head)


def outs(model: Model) -> list[Fraction]:
    prompt = [0] * model.positions.height
    found = fractions_of(run(model, np.array(prompt), every_row=True))
    assert found == evaluate(document_of(model), prompt).logits
    return [row[-1] for row in found]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_on_a_fine_grid_it_is_the_recurrence(family: str, seed: int) -> None:
    """Quarters in, 400 bits after the point: no state is rounded, and an output only where it is a quotient."""
    rng, tokens, fraction = Random(seed), 5, 400
    count = 2 if {"w", "n_h"} & set(FAMILIES[family].extra_sizes) else 1
    shape = blank_recurrent_head(family, 2, 3, count)
    inputs, constants = shape.shapes(1)["w_x"][0], shape.shapes(1)["b_c"][0]
    rows = [[Fraction(rng.randint(1, 4), 4) for _ in range(inputs)] for _ in range(tokens)]
    fixed = [Fraction(rng.randint(0, 4), 4) for _ in range(constants)]
    width = inputs + 5
    head = RecurrentHead(
        w_x=ExactMatrix.from_entries((inputs, width), [(row, row + 1, 1) for row in range(inputs)]),
        b_x=ExactMatrix.zeros(inputs, 1),
        b_c=ExactMatrix.from_entries((constants, 1), [(row, 0, x) for row, x in enumerate(fixed)]),
        w_o=ExactMatrix.from_entries((width, 3), [(inputs + 1 + row, row, 1) for row in range(3)]),
        family=family,
        d_k=2,
        d_v=3,
        count=count,
    )
    model = with_rows([[1, *row, 0, 0, 0, 0] for row in rows], Precision(32, 900, fraction), head)
    arrays: dict[str, Any] = {"window": count}
    for parts, table in ((head.inputs, rows), (head.constants, [fixed])):
        for part in parts:
            found = np.array([row[part.start : part.stop] for row in table], dtype=object).reshape(-1, *part.shape)
            arrays[part.name] = found if parts is head.inputs else found[0]
    names = frozenset(["window", *(part.name for part in head.constants)])
    wanted = FAMILIES[family].run(Inputs(arrays, names, head.sizes, tokens))
    step = Fraction(1, 2**fraction)
    outputs = [row[inputs + 1 : inputs + 4] for row in fractions_of(run(model, np.zeros(tokens, int), every_row=True))]
    assert outputs == [[number // step * step for number in row] for row in wanted.tolist()]
    exact = family not in ("linear-normalised", "mlstm", "sliding-window")
    assert not exact or outputs == wanted.tolist()
    assert any(number for row in outputs for number in row)


def test_states_are_rounded_down_after_every_token() -> None:
    """RetNet with γ = 1/2 and f = 1: 3/2 → 3/4 ↓ 1/2 → 1/4 ↓ 0; −3/2 → −3/4 ↓ −1 → −1/2."""
    half = Fraction(3, 2)
    fading = [[1, 1, half], [1, 0, 0], [1, 0, 0], [1, 1, -half], [1, 0, 0], [1, 0, 0]]
    assert outs(lone("retnet", fading, Precision(8, 9, 1), [Fraction(1, 2)])) == [
        half,
        Fraction(1, 2),
        0,
        -half,
        -1,
        Fraction(-1, 2),
    ]


def test_a_quotient_by_0_is_0() -> None:
    assert outs(lone("linear-normalised", [[1, 0, 5], [1, 1, 5], [0, 1, 5]], Precision(8, 9, 1))) == [0, 5, 0]
    # n is rounded down to 0 and S is not: the numerator alone is left.
    eighth = Fraction(1, 8)
    assert outs(lone("linear-normalised", [[1, eighth, 40]], Precision(8, 9, 1))) == [0]
    # All weights of the window are below 1: P = 0 and scores below the shift d_k = 1.
    assert outs(lone("sliding-window", [[1, 1, 5], [1, 0, 5]], Precision(0, 9, 1))) == [5, 0]


@pytest.mark.parametrize(("value", "fits"), [(255, True), (256, False), (-256, True), (-257, False)])
def test_an_entry_of_a_state_has_p_bits(value: int, fits: bool) -> None:
    """p = 9 and f = 0: −256 to 255, though activations go from −512 to 512."""
    model = lone("linear", [[1, 1, value]], Precision(8, 9, 0))
    if fits:
        assert outs(model) == [value]
        return
    with pytest.raises(PrecisionOverflow, match=r"^layer 1: an activation \(state\) needs more than p = 9 bits$"):
        outs(model)
    with pytest.raises(TooLarge):
        evaluate(document_of(model), [0])


def test_inputs_are_checked_before_they_are_clipped() -> None:
    model = lone("hgrn2", [[1, 1, 512]], Precision(8, 9, 0))
    assert outs(model) == [0]
    too_large = replace(model, positions=replace(model.positions, matrix=ExactMatrix.from_rows([[1, 1, 1, 513, 0]])))
    with pytest.raises(PrecisionOverflow, match=r"^layer 0"):
        outs(too_large)
    head = replace(model.layers[0].heads[0], b_x=ExactMatrix.from_rows([[0], [0], [1]]))
    biased = replace(model, layers=(replace(model.layers[0], heads=(head,)),))
    with pytest.raises(PrecisionOverflow, match=r"^layer 1: an activation \(input\) needs more than p = 9 bits$"):
        outs(biased)


def test_numbers_beyond_64_bits() -> None:
    large = Fraction(2**90, 3)
    model = lone("gated-delta-net", [[large, 1, large, 2**70, large], [1, 1, 5, 1, 0]], Precision(8, 400, 70))
    step = Fraction(1, 2**70)
    state = large // step * step
    assert outs(model) == [large * state // step * step, state]


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_and_state_entries(family: str) -> None:
    count = 3 if family in ("sliding-window", "delta-product") else 1
    head, sizes = blank_recurrent_head(family, 2, 5, count), {"k": 2, "v": 5, "n": count}
    rows = sum(size_of([sizes[d] for d in shape]) for _, shape, _ in INPUTS[family])
    fixed = sum(size_of([sizes[d] for d in shape]) for _, shape in CONSTANTS.get(family, []))
    assert head.shapes(7) == {"w_x": (rows, 7), "b_x": (rows, 1), "b_c": (fixed, 1), "w_o": (7, 5)}
    entries = {"linear-normalised": 12, "mlstm": 12, "sliding-window": 21, "rnn": 5}.get(family, 10)
    assert head.state_entries == entries
    assert [part.name for part in head.inputs] == [name for name, _, _ in INPUTS[family]]


def test_every_domain_has_an_interval() -> None:
    used = {kind.domain for family in FAMILIES.values() for kind in family.inputs.values()}
    assert used == {*INTERVALS, "window"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"family": "lstm"}, "family must be one of linear, linear-normalised, .*, got 'lstm'"),
        ({"d_k": 0}, "d_k, d_v and count are at least 1, got 0, 1, 1"),
        ({"count": 2}, "count is 1 for the family retnet, got 2"),
        ({"b_c": ExactMatrix.from_rows([[Fraction(5, 4)]])}, r"the constant gamma of retnet lies in 0\.\.1"),
        ({"b_c": ExactMatrix.from_rows([[-1]])}, r"the constant gamma of retnet lies in 0\.\.1"),
    ],
)
def test_heads_that_make_no_sense(change: dict[str, Any], message: str) -> None:
    model = lone("retnet", [[1, 1, 1]], Precision(8, 9, 0), [1])
    with pytest.raises(ValueError, match=f"^{message}$"):
        replace(model.layers[0].heads[0], **change)
