"""Errors stay within proved bounds, which are not far off; bounds without a term are left, other weights are caught."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from float_cases import CASES, DEVICES, construction, inputs, warmed

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.numeric import DTYPES, CrossCheck, arithmetic_of, crosscheck, prove_floats, refined
from separation.numeric import float_errors as bounds
from separation.numeric.arithmetic import FLOAT32, RunningSum, TooLong, gamma, roundings, weighted_sums
from separation.numeric.crosscheck import _Comparison
from separation.numeric.reference import Trace, exact_trace, joined_parts
from separation.numeric.session import Session
from separation.proving import Construction, prove
from separation.tasks.funccomp import Instance, Sizes, token_ids

RATIO = 100


def comparison(
    subject: Construction, against: Construction | None = None, dtype: str = "float32", path: str = "rows", **more: int
) -> _Comparison:
    """Float runs of a construction against the exact run and the bounds of another."""
    fine = refined(against or subject)
    proof = prove(fine)
    return _Comparison(subject, fine, proof, arithmetic_of(dtype, path), "cpu", **{"exact_scores": 1 << 10, **more})


def compared(subject: Construction, against: Construction | None = None, dtype: str = "float32") -> CrossCheck:
    return comparison(subject, against, dtype).over(*inputs(subject))


EVERY_KIND_OF_HEAD = ("C1", "C2 delta", "C3", "C7")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("name", "dtype"),
    [*((name, "float32") for name in CASES), *product(EVERY_KIND_OF_HEAD, (*DTYPES[:1], *DTYPES[2:]))],
)
def test_every_type_is_certified_and_stays_within_its_bound(name: str, dtype: str, device: str) -> None:
    subject = construction(name)
    result = crosscheck(subject, *inputs(subject), dtype, device, exact_scores=1 << 13)
    assert result.ok, result
    assert result.max_error <= result.bound < 1e-6
    assert result.compared > 0
    if device == "cpu":
        assert result.ratio <= RATIO, result


@pytest.mark.parametrize(
    ("name", "dtype"), [*product(("C2 linear", "C4", "C5 FR", "C7"), ["float32"]), ("C1", "float16")]
)
def test_whole_matrices_stay_within_their_bound(name: str, dtype: str) -> None:
    subject = construction(name)
    result = crosscheck(subject, *inputs(subject), dtype, "cpu", "full", exact_scores=1 << 10)
    assert result.ok, result


def test_a_small_bfloat16_is_not_certified_on_whole_matrices() -> None:
    subject = construction("C1")
    result = crosscheck(subject, *inputs(subject), "bfloat16", "cpu", "full", exact_scores=1 << 10)
    assert not result.ok
    assert result.bound is None
    assert result.reason.startswith("scores may be off by")
    assert result.mismatches == 0, "what is not certified may still be right"


@pytest.mark.parametrize(("what", "replacement"), [("EXPONENTIAL_ULPS", 0), ("weight_error", lambda _s, _a: 0.0)])
def test_a_bound_without_the_error_of_exp_is_left(what: str, replacement: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import separation.numeric.float_heads as heads

    for module in (bounds, heads):
        if hasattr(module, what):
            monkeypatch.setattr(module, what, replacement)
    broken = compared(construction("C1"))
    assert broken.outside > 0
    assert not broken.ok


def test_a_bound_with_too_small_a_unit_is_left() -> None:
    subject, good = construction("C6"), arithmetic_of("float32")
    checked = comparison(subject)
    assert checked.over(*inputs(subject)).ok
    checked.bounds = prove_floats(checked.fine, checked.proof, replace(good, weighed=replace(FLOAT32, digits=40)))
    assert checked.over(*inputs(subject)).outside > 0


@pytest.mark.parametrize("keys", [5, 8, 1000])
def test_sums_are_off_by_the_roundings_that_are_counted_and_not_by_one(keys: int) -> None:
    """float64 has no wider type: eight terms at a time, then in pairs; a bound of a single rounding is left."""
    arithmetic, worst = arithmetic_of("float64"), Fraction(0)
    allowed = gamma(roundings(arithmetic, keys), arithmetic.wide.unit)
    for seed in range(20 if keys <= 8 else 5):
        torch.manual_seed(seed)
        weights = torch.rand(1, keys, dtype=torch.float64)
        values = torch.randint(0, 2, (keys, 3)).double() * 2 - 1
        total = RunningSum(torch.zeros(1, 3, dtype=torch.float64))
        total.add(weighted_sums(weights, values, torch.float64))
        for column in range(3):
            terms = [Fraction(float(w)) * int(v) for w, v in zip(weights[0], values[:, column], strict=True)]
            off = abs(Fraction(float(total.value()[0, column])) - sum(terms))
            worst = max(worst, off / sum(map(abs, terms)))
    assert worst <= allowed
    if keys >= 100:
        assert worst > 0
    assert gamma(roundings(arithmetic, 1 << 40), arithmetic.wide.unit) < Fraction(1, 10**14), "no growth with length"


def test_bfloat16_products_on_this_cpu_add_up_in_float32() -> None:
    """What the bounds of the path of whole matrices assume: one rounding of the result, none of partial sums."""
    torch.manual_seed(0)
    left, right = (torch.randn(8, 512).bfloat16() for _ in range(2))
    product = (left @ right.T).double()
    exact = left.double() @ right.double().T
    sizes = left.double().abs() @ right.double().abs().T
    allowed = 2.0**-8 * exact.abs() + 512 * 2.0**-24 * sizes
    assert bool(((product - exact).abs() <= allowed).all())
    assert not bool(((product - exact).abs() <= allowed / 16).all()), "a bound of 12 bits would be left"


def test_a_float_run_at_another_temperature_is_caught() -> None:
    subject = construction("C1")
    result = compared(warmed(subject, Fraction(3, 4)), subject)
    assert result.outside > 0
    assert not result.ok


def test_a_float_run_with_a_wrong_clip_is_caught() -> None:
    """relu(2x+1) − relu(2x−1) with one slope halved: the pointer is no longer a bit."""
    subject = construction("C1")
    first, *rest = subject.model.layers
    (mlp,) = first.mlps
    row, column, number = mlp.w_1.entries()[0]
    wrong = replace(mlp, w_1=mlp.w_1.with_entry(row, column, number / 2))
    broken = replace(subject, model=replace(subject.model, layers=(replace(first, mlps=(wrong,)), *rest)))
    assert not compared(broken, subject, "float64").ok


def test_float16_and_bfloat16_miss_beyond_what_is_certified() -> None:
    """At a temperature that 8 or 11 bits cannot hold, a read-out that exactly stays within 1/2 leaves it."""
    sizes = Sizes(16, ())
    tau = Fraction(1361061, 1 << 20)
    subject = warmed(build("C1", sizes), tau / 2)
    head = subject.model.layers[1].heads[0]
    assert abs(head.w_q.entry(0, 0)) == tau
    table = (*(0,) * 15, 15)
    ids = token_ids(Instance(sizes, 15, (table,), ()))[None]
    exact = joined_parts(exact_trace(refined(subject), ids, False, False)[0], (2, 0))
    read = (exact.values.astype(object) / (exact.denominator << 96)).astype(np.float64)
    assert 0.49 < np.abs(np.abs(read) - 1).max() < 0.5
    misses = {}
    for dtype in DTYPES:
        trace = Trace()
        session = Session(subject.model, 1, arithmetic_of(dtype), watch=trace.note)
        session.read(ids)
        misses[dtype] = float((trace.parts[2, 0][0][1].abs() - 1).abs().max())
    assert misses["float64"] < 0.5
    assert misses["float32"] < 0.5
    assert misses["float16"] > 0.5
    assert misses["bfloat16"] > 0.5
    for dtype in ("float16", "bfloat16"):
        assert not comparison(subject, dtype=dtype).bounds.ok


def test_float16_answers_wrong_at_a_temperature_beyond_its_range() -> None:
    subject = build("C1", Sizes(3, (2,)), bits=24, temperature=70_000)
    prompts, expected = inputs(subject)
    result = crosscheck(subject, prompts, expected, "float16", "cpu", exact_scores=1 << 10)
    assert result.mismatches > 0
    assert result.bound is None
    assert result.reason == "a number may reach 7e+04, beyond float16"
    assert crosscheck(subject, prompts, expected, "float32", "cpu", exact_scores=1 << 10).ok


def test_weights_that_the_type_cannot_hold_are_in_the_bound() -> None:
    """In another basis the embedding is in thirds: rounded rows, larger bounds, and still within them."""
    subject = construction("C1")
    basis = ExactMatrix.from_entries(
        (subject.model.width, subject.model.width), [(i, i, Fraction(1, 3)) for i in range(subject.model.width)]
    )
    thirds = subject.in_basis(basis)
    assert thirds.model.positions.denominator == 3
    result = compared(thirds, dtype="float64")
    assert result.ok, result
    plain = compared(subject, dtype="float64")
    assert result.bound > plain.bound


def test_nothing_is_certified_where_the_exact_proof_fails() -> None:
    subject = warmed(construction("C1"), Fraction(1, 4))
    found = comparison(subject, dtype="float64").bounds
    assert not found.ok
    assert found.read is None
    assert found.reason == "the exact proof fails"


def test_sums_that_are_too_long_say_so() -> None:
    assert gamma(10, FLOAT32.unit) > 10 * FLOAT32.unit
    with pytest.raises(TooLong, match=r"^16777216 roundings of 2\^-24 each leave nothing certain$"):
        gamma(1 << 24, FLOAT32.unit)


@pytest.mark.parametrize("name", ["C2 delta", "C7"])
def test_longer_prompts_are_compared_with_float64_and_its_bound(name: str) -> None:
    """Heads without any error, as R heads, stand beside heads with one: each is compared with its own."""
    subject = construction(name)
    prompts, expected = inputs(subject)
    result = crosscheck(subject, prompts, expected, "float32", "cpu", exact_scores=0)
    assert result.reference == "float64 run and its bound"
    assert result.ok
    assert crosscheck(subject, prompts, expected, "float64", "cpu", exact_scores=0).reference == "none: answers only"


def test_float64_as_the_reference_catches_another_temperature(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = construction("C2 linear")
    right = comparison(subject, exact_scores=0)
    wrong = comparison(warmed(subject, Fraction(1, 2)), subject, exact_scores=0)
    traces = {"float64": right._float_trace, "float32": wrong._float_trace}
    monkeypatch.setattr(right, "_float_trace", lambda *given: traces[given[-1].name](*given))
    assert right.over(*inputs(subject)).outside > 0
