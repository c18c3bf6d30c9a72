"""The numbers in the kernel's rules, compared with the formulas of docs/proving.md in 100 digits and more."""

from __future__ import annotations

from fractions import Fraction
from math import floor, prod
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_cases import construction, real
from naive_model import weight

from separation.proving import kernel, kernel_bounds

ONE = kernel.ONE
NOTHING = {name: kernel.Matrix(0, []) for name in ("W_Q", "W_V")}
"""Weights of a head whose queries and values are given as forms."""


def proof_of(m: int, P: int = 8, fraction: int = 3) -> kernel.Proof:
    document = construction(m, [])["model"]
    document["precision"] = {"P": P, "p": 40, "fraction": fraction}
    return kernel.Proof(kernel.Model(document), False)


def decimal(x: Any) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def look_up(
    proof: kernel.Proof,
    taus: list[Any],
    *,
    shift: Any,
    noise: Any = 0,
    constant: Any = 0,
    rivals: tuple[Any, Any] = (-20, -20),
    wide: Any = 0,
) -> Fraction | None:
    """λ of w's query for table 1; kinds are table 1, z0 and w. z0 and w have the constant scores `rivals`, and w's key
    also meets the query in a bit with the weight `wide`."""
    bits = len(taus)
    q: kernel.Forms = [*({f"i0.{j}": tau} for j, tau in enumerate(taus)), {ONE: 1}]
    if noise:
        q[-1][kernel.Noise(noise)] = 1
    target: kernel.Forms = [*({f"index.{j}": 1} for j in range(bits)), {ONE: constant}]
    others: list[kernel.Forms] = [[*({} for _ in range(bits)), {ONE: score}] for score in rivals]
    if wide:
        others[1][0] = {ONE: wide}
    keys = [target, *others]
    scores = [proof.scores(q, k) for k in keys]
    return proof.look_up(0, {f"index.{j}": f"i0.{j}" for j in range(bits)}, scores, shift)


def formula(count: int, taus: list[Any], shift: Any, P: int, rho: Any, constant: Any, rivals: list[Any]) -> Any:
    """P4, with the rivals' scores as they are at most."""
    exp = mpmath.exp
    sigma = constant + sum(taus)
    patterns = prod((1 + exp(-2 * tau) for tau in taus), start=mpmath.mpf(1))
    patterns = min(patterns, 1 + (count - 1) * exp(-2 * min(taus)))
    ratio = exp(2 * rho) * (patterns - 1) + sum(exp(rho - sigma + rival) for rival in rivals)
    if rho == 0 and sigma == shift:
        return ratio
    w = int(mpmath.floor(2**P * exp(sigma - rho - shift)))
    return ratio * (1 + mpmath.mpf(1) / w)


def test_off_match_weight() -> None:
    """P4's λ. The noise of the query meets the constants of all keys: ρ is what it does to the match."""
    mpmath.mp.dps = 100
    cases: list[tuple[int, list[int], int, Any, int, Any]] = [
        (4, [3, 3], 0, 0, 0, (-20, -20)),  # all patterns occur
        (3, [3, 3], 0, 0, 0, (-20, -20)),  # one of four does not: the number of keys is the better bound
        (4, [1, 5], 0, 0, 0, (-20, -20)),
        (4, [5, 1], 2, 0, 1, (-20, -20)),  # the shift is above the match
        (4, [3, 4], 0, "1/2", 0, (-20, -20)),  # the query is not quite known
        (4, [3, 4], 1, "1/4", -1, (-20, -20)),
        (4, [3, 3], 0, 0, 2, (3, -1)),  # rivals that count
        (4, [3, 3], 0, 0, 0, (2, 2)),
    ]
    for m, taus, more, noise, constant, rivals in cases:
        size = Fraction(noise)
        shift = sum(taus) + constant + more + size
        found = look_up(proof_of(m, P=8), taus, shift=shift, noise=size, constant=constant, rivals=rivals)
        most = [decimal(rival + abs(rival) * size) for rival in rivals]
        exact = formula(m, taus, decimal(shift), 8, decimal(size * abs(constant)), constant, most)
        assert found is not None
        assert 0 <= decimal(found) - exact < mpmath.mpf(10) ** -60


def test_when_a_look_up_is_none() -> None:
    assert look_up(proof_of(4), [3, 0], shift=3) is None  # a bit without weight
    assert look_up(proof_of(4), [3, -1], shift=4) is None
    assert look_up(proof_of(4, P=0), [3, 3], shift=Fraction(61, 10)) is None  # the match may weigh nothing
    assert look_up(proof_of(4, P=0), [3, 3], shift=6) is not None
    assert look_up(proof_of(4), [3, 3], shift=6, rivals=(kernel.MAX_EXPONENT + 6, -20)) is not None
    assert look_up(proof_of(4), [3, 3], shift=6, rivals=(kernel.MAX_EXPONENT + 7, -20)) is None
    assert look_up(proof_of(4), [3, 3], shift=6, wide=1) is not None


@pytest.mark.parametrize("sparse", [False, True])
def test_search_numbers(sparse: bool) -> None:
    """K keys at most, λ = (K−1)·e^{-2 min τ}, least = 1 − 2λ/(1+λ) − 2^-f, down to 2^-32, most = b − 2 + b·2^-f."""
    mpmath.mp.dps = 100
    proof = kernel.Proof(kernel.Model(real("C6")["model"]), False)
    proof.layer, n, b, tau = 1, proof.kinds[0].count, 3, [2, 1, 3]
    q: kernel.Forms = [{f"y.{j}": tau[j]} for j in range(b)]
    k: kernel.Forms = [{f"x.{j}": 1} for j in range(b)]
    table = proof.scores(q, k)
    head = kernel.Head("sparse" if sparse else "full", NOTHING, sum(tau), False, 2, 1)
    ((first, *_),) = proof.search(1, head, 1, table, k)
    (symbol,) = first
    assert isinstance(symbol, kernel.Noise)
    assert symbol.product is not None
    search = symbol.product.search
    assert search is not None
    keys = -(-n // 2) - 1 + 2 * 1 + 2 if sparse else n
    ratio = (keys - 1) * mpmath.exp(-2)
    unit = Fraction(1, 2**proof.model.fraction)
    exact = 1 - 2 * ratio / (1 + ratio) - decimal(unit)
    assert 0 <= exact - decimal(search.least) < mpmath.mpf(2) ** -32
    assert (search.least * 2**32).denominator == 1
    assert search.most == b - 2 + b * unit
    assert proof.searches == {"seen 1/0.0": (2, 1)}
    head.shift += 1
    assert proof.search(1, head, 1, table, k) == []
    head.shift -= 1
    assert proof.search(1, head, 1, table, k[:2]) == []
    assert proof.search(1, head, 1, proof.scores([{"y.0": 2}, {"y.1": 0}, {"y.2": 3}], k), k) == []


@given(st.fractions(-6000, 6000, max_denominator=10**9) | st.sampled_from([0, 1, -20, 6000, -6000]))
@settings(max_examples=40)
def test_exp_is_tight(x: Any) -> None:
    mpmath.mp.prec = 12000
    exact = mpmath.exp(mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator)
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in kernel.exp(x))
    assert low <= exact <= high
    # 59 terms and two roundings in the last of DIGITS digits, doubled by each of k squarings
    squarings = int(abs(x)).bit_length() + 1
    assert high - low <= exact * 64 * mpmath.mpf(2) ** (squarings + 1 - kernel.DIGITS)
    assert (low == high) == (x == 0)


@pytest.mark.parametrize("bits", [0, 290, 400, 4096])
def test_more_digits_decide_a_weight(bits: int) -> None:
    for x in (Fraction(-4), Fraction(-1, 3), Fraction(-200), Fraction(-5999)):
        low, high = (floor(end * 2**bits) for end in kernel.exp(x, kernel.DIGITS + bits))
        assert low == high == weight(x, bits)


@given(st.integers(1, 300) | st.integers(1, 2**600) | st.sampled_from([2**4000 + 1, 2**4000]))
@settings(max_examples=40)
def test_logarithms_are_tight(n: int) -> None:
    mpmath.mp.prec = 600
    found, exact = kernel_bounds.Interval(n).log2(), mpmath.log(n, 2)
    low, high = (mpmath.ldexp(end, found.shift) for end in (found.low, found.high))
    assert low - mpmath.mpf(2) ** -500 <= exact <= high + mpmath.mpf(2) ** -500
    assert high - low <= mpmath.mpf(2) ** -255
    assert (low == high) == (n & (n - 1) == 0)
    assert found.shift == -kernel.DIGITS
    assert 0 <= exact - decimal(kernel.log2_lower(n)) <= mpmath.mpf(2) ** -255
    log2_e = kernel_bounds.log2_of_e()
    assert 0 <= mpmath.ldexp(log2_e.high, log2_e.shift) - 1 / mpmath.log(2) <= mpmath.mpf(2) ** -200


def test_logarithms_of_what_may_be_nothing() -> None:
    with pytest.raises(kernel.Malformed, match=r"^the logarithm of what may be 0$"):
        kernel_bounds.Interval(0).log2()
    with pytest.raises(kernel.Malformed, match=r"^the logarithm of what may be 0$"):
        kernel_bounds.Interval(0, 5).log2()


def test_the_free_start_reaches_no_more_than_there_is() -> None:
    """Θ_1 is the smaller of x_0·x_1 and m; it is not guessed where intervals overlap."""
    long = {"powers": [[3, 2000]]}  # longer than an interval's ends
    sizes = [kernel_bounds.large(long, 1), kernel_bounds.Interval(2)]
    state_bits = [kernel_bounds.Interval(0)] * 2
    choice = {"x": [long, 1], "reached": None, "free_start": True}
    with pytest.raises(kernel.Rejected, match=r"^x_0 ≤ m does not hold$"):
        kernel_bounds.recursion_room(False, kernel_bounds.Interval(1), state_bits, sizes, choice)
    near = [kernel_bounds.large({"powers": [[3, 2000], [2, 1]]}, 1), kernel_bounds.Interval(2)]
    with pytest.raises(kernel.Rejected, match=r"^it is not certain which of x_0·x_1 and m is smaller$"):
        kernel_bounds.recursion_room(False, kernel_bounds.Interval(1), state_bits, near, {**choice, "x": [long, 2]})
