"""The numbers in the kernel's rules, compared with the formulas of docs/proving.md in 100 digits."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import mpmath
import pytest
from kernel_cases import REAL, construction, expand, real

from separation.proving import kernel, kernel_bounds

ONE = kernel.ONE


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
    return proof.look_up(0, {f"index.{j}": f"i0.{j}" for j in range(bits)}, target, scores, shift)


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


@pytest.mark.parametrize(
    ("m", "taus", "more", "noise", "constant", "rivals"),
    [
        (4, [3, 3], 0, 0, 0, (-20, -20)),  # all patterns occur
        (3, [3, 3], 0, 0, 0, (-20, -20)),  # one of four does not: the number of keys is the better bound
        (4, [1, 5], 0, 0, 0, (-20, -20)),
        (4, [5, 1], 2, 0, 1, (-20, -20)),  # the shift is above the match
        (4, [3, 4], 0, "1/2", 0, (-20, -20)),  # the query is not quite known
        (4, [3, 4], 1, "1/4", -1, (-20, -20)),
        (4, [3, 3], 0, 0, 2, (3, -1)),  # rivals that count
        (4, [3, 3], 0, 0, 0, (2, 2)),
    ],
)
def test_off_match_weight(m: int, taus: list[int], more: int, noise: Any, constant: int, rivals: Any) -> None:
    """The noise of the query meets the constants of all keys: ρ is what it does to the match."""
    mpmath.mp.dps = 100
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


def test_noise_of_what_is_read() -> None:
    """D·λ/(1+λ) + 2^-f for each coordinate."""
    proof = proof_of(4, fraction=3)
    forms: kernel.Forms = [{"value.0": 1}, {ONE: 2}]
    first, second = proof.read(forms, {"value.0": "i1.0"}, [(-1, 1), (0, 6)], Fraction(1, 3))
    radii = [next(s.radius for s in form if isinstance(s, kernel.Noise)) for form in (first, second)]
    assert radii == [Fraction(2, 4) + Fraction(1, 8), Fraction(6, 4) + Fraction(1, 8)]
    assert first["i1.0"] == 1
    assert second[ONE] == 2


@pytest.mark.parametrize("sparse", [False, True])
def test_search_numbers(sparse: bool) -> None:
    """K keys at most, λ = (K−1)·e^{-2 min τ}, least = 1 − 2λ/(1+λ) − 2^-f, down to 2^-32, most = b − 2 + b·2^-f."""
    mpmath.mp.dps = 100
    proof = kernel.Proof(kernel.Model(real("C6")["model"]), False)
    proof.layer, n, b, tau = 1, proof.kinds[0].count, 3, [2, 1, 3]
    q: kernel.Forms = [{f"y.{j}": tau[j]} for j in range(b)]
    k: kernel.Forms = [{f"x.{j}": 1} for j in range(b)]
    table = proof.scores(q, k)
    head = kernel.Head("sparse" if sparse else "full", {}, sum(tau), False, 2, 1)
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


@pytest.mark.parametrize("name", REAL)
def test_rows_of_declared_tables(name: str) -> None:
    """A run reads the same rows from declared tables as from the tables written out."""
    document = real(name)["model"]
    del document["invariants"]
    document["layers"] = []
    model = kernel.Model(document, proved=False)
    run = kernel.Run(model, [], 0, 0)
    for key, table in (("positions", model.positions), ("tokens", model.tokens), ("unembedding", model.unembedding)):
        written = expand(document[key]["declared"], table.height, model.width)
        rows = {(r, c): Fraction(x) for r, c, x in written["entries"]}
        for place in range(table.height):
            matrix, x = run.row(table, place)
            found = [sum(c * x[column] for r, column, c in matrix.entries if r == row) for row in range(model.width)]
            assert found == [rows.get((place, row), 0) for row in range(model.width)]
            assert matrix.rows == model.width


def test_limits() -> None:
    """What is read, and how much work is done, is limited; docs/certificates.md tells the first two."""
    assert (kernel.MAX_BYTES, kernel.MAX_DIGITS) == (64 * 1024**2, 4000)
    assert (kernel.MAX_WIDTH, kernel.MAX_LENGTH) == (16384, 256)
    assert (kernel.MAX_CELLS, kernel.MAX_STORED) == (4194304, 1048576)
    assert (kernel.MAX_WORK, kernel.MAX_BITS, kernel.MAX_CHOICES) == (134217728, 131072, 64)
    assert (kernel.MAX_PRECISION, kernel.MAX_EXPONENT) == (4096, 6000)
    assert (kernel_bounds.MAX_LAYERS, kernel.MAX_SUBSETS, kernel_bounds.MAX_POWER) == (4096, 65536, 2**512)
    assert (kernel.DIGITS, kernel.BITS) == (256, 2048)


def test_a_rejected_verdict_repeats_nothing_of_the_claim() -> None:
    document = real("C3")
    document["claim"]["margin"] = 3
    verdict = kernel.check_certificate(document)
    assert (verdict.ok, verdict.kind, verdict.claim) == (False, "construction", {})
    document["claim"]["margin"] = 0
    assert kernel.check_certificate(document).message == "claim, margin: 0 is claimed, 2 is proved"


@pytest.mark.parametrize("number", ["1.5", "1e3", "NaN", "Infinity", "-Infinity"])
def test_floats_are_refused_while_they_are_read(number: str) -> None:
    text = '{"schema": "separation.certificate/1", "kind": "bound", "claim": {"theorem": ' + number + "}}"
    with pytest.raises(kernel.Malformed, match=r"^not readable as JSON: not an exact number, that is an integer"):
        kernel.check_text(text)
    with pytest.raises(kernel.Malformed, match=r"^not readable as JSON: not an exact number, that is an integer"):
        kernel.check_text(text.encode())


def test_bytes_are_utf_8() -> None:
    with pytest.raises(kernel.Malformed, match=r"^not readable as JSON: 'utf-8' codec"):
        kernel.check_text("{}".encode("utf-16"))
