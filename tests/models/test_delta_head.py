"""The gated delta rule by hand: writing, overwriting, forgetting, and what is skipped."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from naive_model import TooLarge
from plain_states import final_states, states
from random_models import batch, fractions_of, naive_logits
from run_cases import SOURCE, with_rows

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import DeltaAttention, DeltaHead, Model, run

Number = Fraction | int
# α, β, the two coordinates of k, v
Step = tuple[Number, Number, Number, Number, Number]
PRECISION = Precision(8, 9, 3)
LIMIT = int(PRECISION.limit)


def delta(steps: list[Step], precision: Precision, query: tuple[Number, Number] = (1, 0)) -> Model:
    """Stream one ⊕ (α, β, k, v) ⊕ out; every token has a step of its own, and all ask with the same query."""
    width = 7

    def reads(*places: int) -> ExactMatrix:
        return ExactMatrix.from_entries((len(places), width), [(row, place, 1) for row, place in enumerate(places)])

    head = DeltaHead(
        w_q=ExactMatrix.from_entries((2, width), [(row, 0, number) for row, number in enumerate(query)]),
        w_k=reads(3, 4),
        w_v=reads(5),
        w_a=reads(1),
        b_a=ExactMatrix.zeros(1, 1),
        w_b=reads(2),
        b_b=ExactMatrix.zeros(1, 1),
        w_o=ExactMatrix.from_entries((width, 1), [(6, 0, 1)]),
    )
    return with_rows([[1, *step, 0] for step in steps], precision, head)


def outs(model: Model) -> list[Fraction]:
    """What the head wrote at every token, by run() and by the naive evaluator alike."""
    tokens = model.positions.height
    ids = np.zeros((1, tokens), dtype=np.int64)
    rows = fractions_of(run(model, ids, every_row=True))
    for count in range(1, tokens + 1):
        (wanted,) = naive_logits(model, [[0] * count])
        assert rows[count - 1] == wanted == fractions_of(run(model, ids[:, :count]))[0]
    return [row[-1] for row in rows]


def test_a_key_is_written_read_and_overwritten() -> None:
    write: list[Step] = [(1, 1, 1, 0, 5), (1, 1, 0, 1, 7), (1, 0, 1, 0, 9), (1, 1, 1, 0, -2)]
    assert outs(delta(write, PRECISION)) == [5, 5, 5, -2]
    assert outs(delta(write, PRECISION, query=(0, 1))) == [0, 7, 7, 7]
    assert outs(delta(write, PRECISION, query=(1, Fraction(1, 2)))) == [
        5,
        Fraction(17, 2),
        Fraction(17, 2),
        Fraction(3, 2),
    ]


def test_half_a_write_goes_half_the_way() -> None:
    half = Fraction(1, 2)
    assert outs(delta([(1, half, 1, 0, 8), (1, half, 1, 0, 8)], PRECISION)) == [4, 6]


def test_alpha_forgets_and_gates_are_clipped() -> None:
    assert outs(delta([(1, 1, 1, 0, 8), (Fraction(1, 4), 0, 0, 1, 0), (0, 0, 1, 0, 3)], PRECISION)) == [8, 2, 0]
    clipped: list[Step] = [(5, 9, 1, 0, 8), (3, -1, 1, 0, 1), (-2, -2, 1, 0, 1)]
    assert outs(delta(clipped, PRECISION)) == [8, 8, 0]


def test_nothing_is_rounded() -> None:
    third = Fraction(1, 3)
    found = outs(delta([(1, third, 1, 0, Fraction(1, 7))] * 3, Precision(8, 9, 0)))
    assert found == [Fraction(1, 7) * (1 - Fraction(2, 3) ** count) for count in (1, 2, 3)]


@pytest.mark.parametrize("entries", [1, 30, 1 << 20])
@pytest.mark.parametrize(
    ("steps", "fits"),
    [
        ([(1, 1, 1, 0, LIMIT), (1, 1, 1, 0, 1)], True),
        ([(1, 1, 2, 0, LIMIT // 2), (0, 0, 1, 0, 1)], True),
        # k is no unit vector: the state is beyond the limit for one token, and gone after the next.
        ([(1, 1, 2, 0, LIMIT // 2 + 1), (0, 0, 1, 0, 1)], False),
        ([(1, 1, 1, 1, LIMIT), (1, 1, 1, 1, -LIMIT)], False),
    ],
)
def test_the_state_after_each_token_is_checked(
    steps: list[Step], fits: bool, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
    model = delta(steps, PRECISION)
    prompt = [[0] * len(steps)]
    for all_rows in (False, True):
        if fits:
            assert fractions_of(run(model, batch(prompt), all_rows=all_rows)) == naive_logits(model, prompt)
            continue
        with pytest.raises(TooLarge):
            naive_logits(model, prompt)
        with pytest.raises(PrecisionOverflow, match=r"^layer 1: an activation \(state\) needs more than p = 9 bits$"):
            run(model, batch(prompt), all_rows=all_rows)


@pytest.mark.parametrize("name", ["b_a", "b_b"])
@pytest.mark.parametrize("sign", [1, -1])
def test_gates_are_checked_before_they_are_clipped(name: str, sign: int) -> None:
    model = delta([(0, 0, 0, 0, 0)], PRECISION)
    (layer,) = model.layers
    for size, fits in ((LIMIT, True), (LIMIT + 1, False)):
        head = replace(layer.heads[0], **{name: ExactMatrix.from_rows([[sign * size]])})
        changed = replace(model, layers=(replace(layer, heads=(head,)),))
        if fits:
            assert outs(changed) == [0]
        else:
            with pytest.raises(
                PrecisionOverflow, match=r"^layer 1: an activation \(gate\) needs more than p = 9 bits$"
            ):
                run(changed, np.array([0]))


@pytest.mark.parametrize("scale", [1, 2**40, Fraction(2**70, 3), Fraction(1, 2**80)])
def test_numbers_of_any_size(scale: Number) -> None:
    rng = np.random.default_rng(5)
    steps: list[Step] = []
    for _ in range(6):
        alpha, beta, first, second, value = (Fraction(int(rng.integers(-3, 6)), 4) for _ in range(5))
        steps.append((alpha, beta, first * scale, second * scale, value * scale))
    for fraction in (0, 5, 70):
        assert any(outs(delta(steps, Precision(8, 4000, fraction))))


def test_idle_tokens_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """β = 0 and α = 1 in every prompt of the batch: the state is not touched."""
    touched: list[int] = []
    step = DeltaAttention._step

    def counted(self: DeltaAttention, *arguments: object) -> None:
        touched.append(1)
        step(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(DeltaAttention, "_step", counted)
    steps: list[Step] = [(1, 0, 3, 3, 3)] * 50
    for place in (7, 31):
        steps[place] = (1, 1, 1, 0, place)
    model = delta(steps, PRECISION)
    (found,) = fractions_of(run(model, np.zeros(50, dtype=np.int64)))
    assert (found[-1], len(touched)) == (31, 2)


def test_states() -> None:
    write: list[Step] = [(1, 1, 1, 0, 5), (1, 1, 0, 1, 7), (Fraction(1, 2), 0, 1, 0, 9)]
    model = delta(write, PRECISION)
    ids = np.zeros((2, 3), dtype=np.int64)
    (first, second) = states(model, ids, layer=1, head=0)
    assert first == second
    assert [state.entries for state in first] == [(5, 0), (5, 7), (Fraction(5, 2), Fraction(7, 2))]
    assert final_states(model, ids, 1) == [first[-1]] * 2
