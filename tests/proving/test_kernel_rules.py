"""The rules of the kernel, against direct evaluation at random points."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor, prod

import pytest
from kernel_cases import SIZES, bits_of, code, construction, mlp_of
from plain_evaluator import weight

from separation.proving import kernel


@pytest.mark.parametrize(("m", "n"), [*SIZES, (4, [2]), (4, [4, 2]), (7, [3]), (2, [2, 2, 2]), (97, [])])
def test_counts_inputs_exactly(m: int, n: list[int]) -> None:
    task = kernel.Task({"task": "funccomp", "m": m, "n": n})
    sizes = itertools.accumulate([m, *n], lambda a, b: a * b)
    count = m * prod(n) * prod(size**size for size in sizes)
    assert floor(task.inputs_log2()) == count.bit_length() - 1


@pytest.mark.parametrize("seed", range(40))
def test_exp(seed: int) -> None:
    rng = random.Random(seed)
    x = Fraction(rng.randint(-(10**6), 10**6), rng.choice([1, 7, 10**3, 10**5, 10**9]))
    x = max(min(x, Fraction(5000)), Fraction(-5000))
    low, high = kernel.exp(x)
    with localcontext() as context:
        context.prec = 100
        value = (Decimal(x.numerator) / Decimal(x.denominator)).exp()
        exact = Fraction(*value.as_integer_ratio())
    assert low <= exact * (1 + Fraction(1, 10**90))
    assert high >= exact * (1 - Fraction(1, 10**90))
    assert high - low <= exact * Fraction(1, 10**60)


@pytest.mark.parametrize("bits", [0, 290, 400, 4096])
def test_more_digits_decide_a_weight(bits: int) -> None:
    for x in (Fraction(-4), Fraction(-1, 3), Fraction(-200), Fraction(-5999)):
        low, high = (floor(end * 2**bits) for end in kernel.exp(x, kernel.DIGITS + bits))
        assert low == high == weight(x, bits)


def test_more_digits_of_a_logarithm() -> None:
    """log2(2^300 + 1) is 300 to 256 digits; times 2^300 + 1 the difference is 1.44…"""
    n = 2**300 + 1
    assert kernel.log2_lower(n) == 300
    assert floor(n * kernel.log2_lower(n, 557)) == 300 * n + 1
    task = kernel.Task({"task": "funccomp", "m": str(n), "n": []})
    assert [task.has_inputs(300 * (n + 1) + more) for more in (0, 1, 2)] == [True, True, False]


def test_exp_at_the_ends() -> None:
    assert kernel.exp(Fraction(0)) == (1, 1)
    low, high = kernel.exp(Fraction(-(10**30)))
    assert low == 0 < high < Fraction(1, 10**2000)


def test_log2() -> None:
    for n in [*range(1, 300), 2**61 - 1, 10**18, 2**63 + 1]:
        low = kernel.log2_lower(n)
        power = n ** (2**12)
        assert power.bit_length() - 1 - 1 <= low * 2**12 < power.bit_length()
        assert low == n.bit_length() - 1 or n & (n - 1)


def value_of(form: kernel.Form, point: dict[kernel.Symbol, Fraction]) -> Fraction:
    return sum((c * point[s] for s, c in form.items()), Fraction(0))


def small(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(-8, 8), 4)


def random_form(rng: random.Random, symbols: list[kernel.Symbol]) -> kernel.Form:
    chosen = rng.sample(symbols, rng.randint(0, min(3, len(symbols))))
    return {s: c for s in chosen if (c := small(rng))}


@pytest.mark.parametrize("seed", range(300))
def test_attention_is_described_truly(seed: int) -> None:
    """P3, P4, P5: random queries, keys and values of the kinds table 1, z0 and w; the true output of a token of a kind
    is in range of every description, at random tables and noise. (Most queries are near a look-up in table 1.)"""
    rng = random.Random(seed)
    m, place = rng.choice([2, 3, 4]), rng.choice([0, 2, 2, 2])
    document = construction(m, [])
    document["model"]["precision"] = {"P": rng.choice([0, 2, 8, 40]), "p": 20, "fraction": rng.choice([0, 1, 3, 8])}
    proof = kernel.Proof(kernel.Model(document["model"]), False)
    bits, one, tau = bits_of(m), kernel.ONE, Fraction(rng.randint(2, 10), 2)
    hop: list[kernel.Symbol] = [one, *(f"i{i}.{j}" for i in (0, 1) for j in range(bits))]
    noise = [kernel.Noise(Fraction(rng.randint(1, 4), 4)) for _ in range(4)]
    local: list[kernel.Symbol] = [f"{name}.{j}" for name in ("index", "value") for j in range(bits)]

    # Rows of q and k: one for each address bit, a constant one, and one that only z0 and w have.
    free = random_form(rng, hop) if rng.random() < 0.3 else {}
    q: kernel.Forms = [*({f"i0.{j}": tau} for j in range(bits)), {one: tau}, free]
    if rng.random() < 0.5:
        q[bits][noise[3]] = Fraction(rng.choice([1, 4, 20]), 4)
    if rng.random() < 0.2:
        q[rng.randrange(bits)][rng.choice(noise)] = Fraction(rng.randint(1, 10))
    if rng.random() < 0.2:
        q[bits][rng.choice(hop[1:])] = Fraction(rng.randint(1, 10))
    keys: list[kernel.Forms] = [[{f"index.{j}": Fraction(1)} for j in range(bits)] + [{one: Fraction(1)}, {}]]
    for kind in (1, 2):
        rest = [random_form(rng, [*hop, noise[kind]]) if rng.random() < 0.1 else {} for _ in range(bits)]
        keys.append([*rest, {one: Fraction(rng.randint(-4, 1), 2)}, random_form(rng, hop)])
    values: list[kernel.Forms] = [
        [random_form(rng, [one, *local, noise[0]]), {f"value.{j}": Fraction(1) for j in range(bits)}],
        *([random_form(rng, [*hop, noise[kind]]), {one: 1 + abs(small(rng))}] for kind in (1, 2)),
    ]
    if rng.random() < 0.3:
        values[0][1] = {one: Fraction(rng.randint(4, 8), 3)}
    tables = [proof.scores(q, k) for k in keys[: place + 1]]
    bounds = [
        sum(kernel.span(c)[1] if b == one else kernel.upper(c) * kernel.radius(b) for b, c in table.items())
        for table in tables
    ]
    shift = Fraction(max(bounds)) + rng.choice([Fraction(0)] * 4 + [Fraction(-1), Fraction(1, 2), Fraction(9)])

    try:
        options = proof.attend(place, 1, kernel.Head("full", {}, shift, False, 1, 0), q, keys, values)
    except kernel.Rejected:
        options = []
    assert options or max(bounds) > shift
    f, weight_bits = proof.model.fraction, proof.model.weight_bits
    for _ in range(30 if options else 0):
        table, i0, here = (
            [rng.randrange(m) for _ in range(m)],
            rng.randrange(m),
            rng.randrange(m) if place == 0 else m + 1,
        )
        common: dict[kernel.Symbol, Fraction] = {one: Fraction(1)}
        for name, number in (("i0", i0), ("i1", table[i0])):
            common |= {f"{name}.{j}": Fraction(bit) for j, bit in enumerate(code(number, bits))}
        points: list[tuple[int, dict[kernel.Symbol, Fraction]]] = []
        for kind, x in [*((0, x) for x in range(m)), (1, 0), (2, 0)][: here + 1]:
            own: dict[kernel.Symbol, Fraction] = {n: n.radius * rng.choice([-1, 1]) for n in noise}
            for name, number in (("index", x), ("value", table[x])):
                own |= {f"{name}.{j}": Fraction(bit) for j, bit in enumerate(code(number, bits))}
            points.append((kind, common | own))
        query = [value_of(form, points[-1][1]) for form in q]
        scores = [sum(a * value_of(b, x) for a, b in zip(query, keys[kind], strict=True)) for kind, x in points]
        weights = [weight(Fraction(score) - shift, weight_bits) for score in scores]
        assert max(weights) <= 2**weight_bits
        for r, option in itertools.product(range(2), options):
            total = sum(w * value_of(values[kind][r], x) for w, (kind, x) in zip(weights, points, strict=True))
            output = Fraction(floor(Fraction(total, max(1, sum(weights))) * 2**f), 2**f)
            known = value_of({s: c for s, c in option[r].items() if isinstance(s, str)}, common)
            assert abs(output - known) <= kernel.upper({s: c for s, c in option[r].items() if not isinstance(s, str)})


@pytest.mark.parametrize("seed", range(60))
def test_relu_is_described_truly(seed: int) -> None:
    """P6: a random MLP on random forms; its true output is in range of the derived forms, at random points."""
    rng = random.Random(seed)
    proof = kernel.Proof(kernel.Model(construction(3, [])["model"]), False)
    proof.model.bound = 10**6
    width, hidden = 4, 6
    noise = [kernel.Noise(Fraction(rng.randint(0, 4), 4)) for _ in range(2)]
    bits: list[kernel.Symbol] = ["i0.0", "i0.1", "i1.0"]
    x = [random_form(rng, [kernel.ONE, *bits, *noise]) for _ in range(width)]

    def weights(rows: int, columns: int) -> kernel.Matrix:
        entries = [(r, c, small(rng)) for r in range(rows) for c in range(columns) if rng.random() < 0.5]
        return kernel.Matrix(rows, [item for item in entries if item[2]])

    mlp = mlp_of(weights(hidden, width), weights(hidden, 1), weights(width, hidden), weights(width, 1))
    derived = proof.relu(mlp, [dict(form) for form in x])
    for _ in range(20):
        point: dict[kernel.Symbol, Fraction] = {kernel.ONE: Fraction(1)}
        point |= {bit: Fraction(rng.choice([-1, 1])) for bit in bits}
        point |= {n: n.radius * Fraction(rng.randint(-4, 4), 4) for n in noise}
        stream = [value_of(form, point) for form in x]
        h = [Fraction(0)] * hidden
        for r, c, value in mlp["W_1"].entries:
            h[r] += value * stream[c]
        for r, _, value in mlp["b_1"].entries:
            h[r] += value
        result = list(stream)
        for r, c, value in mlp["W_2"].entries:
            result[r] += value * max(h[c], Fraction(0))
        for r, _, value in mlp["b_2"].entries:
            result[r] += value
        for form, true in zip(derived, result, strict=True):
            low, high = kernel.span(form)
            assert low <= true <= high
            # What is left when the known symbols are filled in: fresh products s·σ, and bent functions of known forms.
            known = [s for s in form if s in point]
            rest = true - value_of({s: form[s] for s in known}, point)
            assert abs(rest) <= kernel.upper({s: c for s, c in form.items() if s not in known})


@pytest.mark.parametrize("seed", range(300))
def test_two_blocks_are_described_truly(seed: int) -> None:
    """P6 twice: moduli of the second block may be of forms that mention those of the first."""
    rng = random.Random(seed)
    proof = kernel.Proof(kernel.Model(construction(3, [])["model"]), False)
    proof.model.bound = 10**6
    nu, mu = kernel.Noise(Fraction(1)), kernel.Noise(Fraction(1, 2))
    x: kernel.Forms = [{nu: Fraction(1)}, {mu: Fraction(rng.randint(0, 1))}, {kernel.ONE: Fraction(1)}]
    x = [{s: c for s, c in form.items() if c} for form in x]
    blocks = []
    for _ in range(2):
        parts = [
            [(r, c, small(rng)) for r in range(rows) for c in range(columns) if rng.random() < 0.6]
            for rows, columns in ((3, 3), (3, 1), (3, 3), (3, 1))
        ]
        blocks.append(mlp_of(*(kernel.Matrix(3, [item for item in part if item[2]]) for part in parts)))
    derived = proof.relu(blocks[1], proof.relu(blocks[0], [dict(form) for form in x]))
    for step_1, step_2 in itertools.product(range(-6, 7), range(-2, 3)):
        point = {kernel.ONE: Fraction(1), nu: Fraction(step_1, 6), mu: Fraction(step_2, 4)}
        row = [value_of(form, point) for form in x]
        for mlp in blocks:
            h = [sum((c * row[column] for r, column, c in mlp["W_1"].entries if r == u), Fraction(0)) for u in range(3)]
            for r, _, c in mlp["b_1"].entries:
                h[r] += c
            for r, unit, c in mlp["W_2"].entries:
                row[r] += c * max(h[unit], Fraction(0))
            for r, _, c in mlp["b_2"].entries:
                row[r] += c
        for form, true in zip(derived, row, strict=True):
            low, high = kernel.span(form)
            assert low <= true <= high
