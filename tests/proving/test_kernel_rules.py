"""The rules P2 to P6, P9, P10 and P11 of the kernel, against direct evaluation at random inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_cases import construction, mlp_of, real
from naive_model import dot, relu, weight
from plain_evaluator import FuncComp, Variables
from plain_tables import bits_of, code, matrix

from separation.proving import kernel, kernel_tasks

Point = dict[kernel.Symbol, Fraction]
ONE = kernel.ONE
NOTHING = {name: kernel.Matrix(0, []) for name in ("W_Q", "W_V")}
"""Weights of a head whose queries and values are given as forms."""
POINTS = 8
"""Inputs at which a description is compared with the truth."""


def property_of(examples: int) -> Callable[[Callable[[Any], None]], Callable[[], None]]:
    """A test that is given so many sources of random numbers, always the same ones."""
    chosen = settings(max_examples=examples)
    return lambda test: chosen(given(st.randoms(use_true_random=True))(test))


def proof_of(task: dict[str, object], attention: str = "causal", fraction: int = 3, bits: int = 9) -> kernel.Proof:
    """A proof about an empty model of a task, whose rules can be tried one by one."""
    document = real("C6")["model"] if task["task"] == "two_sum" else construction(2, [])["model"]
    document |= {"task": task, "attention": attention, "precision": {"P": bits, "p": 40, "fraction": fraction}}
    document |= {"slots": [{"name": "all", "width": 1}], "layers": []}
    shape = kernel_tasks.Task(task, attention == "both")
    heights = {"positions": shape.length, "tokens": shape.ids, "unembedding": shape.answers}
    document |= {name: {"stored": matrix(rows, 1, {})} for name, rows in heights.items()}
    document["invariants"] = [{kind.name: {"forms": [], "noise": []} for kind in shape.kinds}]
    return kernel.Proof(kernel.Model(document), False)


def head_of(kind: str, shift: Fraction = Fraction(0), normalised: bool = False, **weights: int) -> kernel.Head:
    """A head whose matrices pick consecutive coordinates of a stream (q; k; v; …), so many for each letter."""
    picked, start = {}, 0
    for name, rows in weights.items():
        picked[f"W_{name}"] = kernel.Matrix(rows, [(r, start + r, 1) for r in range(rows)])
        start += rows
    return kernel.Head(kind, picked, shift, normalised, 1, 0)


def small(rng: random.Random, most: int = 4) -> Fraction:
    return Fraction(rng.randint(-most, most), rng.choice([1, 1, 2]))


def random_form(rng: random.Random, symbols: list[kernel.Symbol]) -> kernel.Form:
    chosen = rng.sample(symbols, rng.randint(0, min(3, len(symbols))))
    return {s: c for s in chosen if (c := small(rng))}


def point_of(variables: Variables, sizes: dict[str, int]) -> Point:
    point: Point = {ONE: Fraction(1)}
    for name, value in variables.items():
        point |= {f"{name}.{j}": Fraction(bit) for j, bit in enumerate(code(value, bits_of(sizes[name])))}
    return point


def value_of(form: kernel.Form, point: Point) -> Fraction:
    return sum((c * point[s] for s, c in form.items()), Fraction(0))


def agrees(option: kernel.Form, true: Fraction, point: Point) -> bool:
    """Whether a number is as a form describes it; symbols without a value in the point are fresh noise."""
    known = {s: c for s, c in option.items() if s in point}
    return abs(true - value_of(known, point)) <= kernel.upper({s: c for s, c in option.items() if s not in known})


def down(x: Fraction, proof: kernel.Proof) -> Fraction:
    """The largest multiple of 2^-f that is not above x."""
    return Fraction(floor(x * 2**proof.model.fraction), 2**proof.model.fraction)


def picked(matrix: kernel.Matrix, x: list[Fraction]) -> list[Fraction]:
    return [
        sum((c * x[column] for row, column, c in matrix.entries if row == r), Fraction(0)) for r in range(matrix.rows)
    ]


def run_mlp(mlp: kernel.Weights, row: list[Fraction]) -> list[Fraction]:
    """x + W_2 relu(W_1 x + b_1) + b_2."""
    hidden = [a + b for a, b in zip(picked(mlp["W_1"], row), picked(mlp["b_1"], [Fraction(1)]), strict=True)]
    change = picked(mlp["W_2"], relu(hidden)), picked(mlp["b_2"], [Fraction(1)])
    return [a + b + c for a, b, c in zip(row, *change, strict=True)]


class Inputs:
    """Random inputs of FuncComp with two tables: for each token its kind's place and the values of all symbols."""

    def __init__(self, rng: random.Random, proof: kernel.Proof, both: bool, noise: list[kernel.Noise]) -> None:
        self.rng, self.noise, self.kinds = rng, noise, proof.kinds
        self.task = FuncComp({"m": 2, "n": [2]}, both)
        self.sizes = {name: size for kind in self.kinds for name, size in kind.own}
        self.sizes |= {"i0": 2, "i1": 2, "i2": 4, "w1": 2, "digit": 2}
        self.own_sizes = {kind.name: dict(kind.own) for kind in self.kinds}

    def sample(self) -> list[tuple[int, Point]]:
        rng, tokens = self.rng, []
        z = tuple(tuple(rng.randrange(size) for _ in range(size)) for size in (2, 4))
        case = self.task.case(z, rng.randrange(2), (rng.randrange(2),))
        places = {kind.name: place for place, kind in enumerate(self.kinds)}
        for kind, variables in case.tokens:
            wanted = {name: v for name, v in variables.items() if name[0] in "iw" and name != "index"}
            wanted |= {name: variables[name] for name in self.own_sizes[kind]}
            own = {s: s.radius * Fraction(rng.randint(-2, 2), 2) for s in self.noise}
            tokens.append((places[kind], point_of(wanted, self.sizes | self.own_sizes[kind]) | own))
        return tokens


def symbols_of(kind: kernel_tasks.Kind, noise: list[kernel.Noise], rng: random.Random) -> list[kernel.Symbol]:
    shared = ["i0.0", "i1.0", "i2.0", "i2.1", "w1.0"]
    return [ONE, *kernel.bit_names(kind.own), *shared, *rng.sample(noise, 1)]


def noise_for(rng: random.Random) -> list[kernel.Noise]:
    return [kernel.Noise(Fraction(rng.randint(1, 4), 4)) for _ in range(3)]


def peaks(
    rng: random.Random, kinds: list[kernel_tasks.Kind], reader: int, target: int, fact: dict[str, str]
) -> Iterator[list[kernel.Forms]]:
    """For each address of the target a feature, as (φ_q, φ_k) of all kinds, that acts at this address only."""
    bits = kinds[target].name_bits
    for number in range(2 ** len(bits)):
        signs = code(number, len(bits))
        height = Fraction(rng.choice([1, 1, 1, 2]), 2)
        at = {bit: Fraction(sign) for bit, sign in zip(bits, signs, strict=True)} | {ONE: height - len(bits)}
        asked = {fact[bit]: c for bit, c in at.items() if bit != ONE} | {ONE: at[ONE]}
        never: kernel.Form = {ONE: Fraction(-1)}
        both = [[dict(asked) if j == reader else dict(never) for j in range(len(kinds))]]
        both.append([dict(at) if j == target else dict(never) for j in range(len(kinds))])
        yield both


@pytest.mark.parametrize("attention", ["causal", "both"])
def test_attention_is_described_truly(attention: str) -> None:
    """P2 to P5: queries near a look-up, at any precision, for w and for a table's token that reads; by its own later
    hops or the global ones where attention goes both ways."""

    @property_of(90)
    def described(rng: random.Random) -> None:
        task = {"task": "funccomp", "m": 2, "n": [2]}
        proof = proof_of(task, attention, rng.choice([0, 1, 3, 8]), rng.choice([0, 2, 9, 40]))
        noise, kinds = noise_for(rng), proof.kinds
        inputs = Inputs(rng, proof, attention == "both", noise)
        pairs = [(1, 0), (1, 0), (0, 1), (0, 0), (3, 0), (2, 1), (1, 1), (0, 3)] if attention == "both" else []
        reader, target = rng.choice(pairs or [(3, 0), (3, 0), (3, 1), (3, 2), (2, 1), (2, 0), (1, 0), (3, 3)])
        fact = rng.choice(proof.facts(reader, target) or [{bit: bit for bit in kinds[target].name_bits}])
        bits, tau = kinds[target].name_bits, Fraction(rng.randint(2, 8), 2)
        q: kernel.Forms = [{fact[bit]: tau} for bit in bits] + [{ONE: 4 * tau}, {}]
        keys: list[kernel.Forms] = []
        for j, kind in enumerate(kinds):
            found: kernel.Forms = [{bit: Fraction(1)} for bit in bits] if j == target else [{} for _ in bits]
            if j != target and rng.random() < 0.3:
                found = [random_form(rng, symbols_of(kind, noise, rng)) for _ in bits]
            keys.append([*found, {ONE: Fraction(2 if j == target else rng.randint(-4, 2), 2)}, {}])
        if rng.random() < 0.3:
            q[rng.randrange(len(q))] |= random_form(rng, symbols_of(kinds[reader], noise, rng))
        values = [[random_form(rng, symbols_of(kind, noise, rng)) for _ in range(2)] for kind in kinds]
        seen = proof.visible(reader)
        highest = max(Fraction(kernel.highest(proof.scores(q, keys[j]))) for j in seen)
        shift = highest + rng.choice([Fraction(0)] * 4 + [Fraction(-1), Fraction(1, 2), Fraction(9)])
        try:
            options = proof.attend(reader, 1, kernel.Head("full", NOTHING, shift, False, 1, 0), q, keys, values)
        except kernel.Rejected:
            assert highest > shift
            return
        assert options
        assert highest <= shift
        for _ in range(POINTS):
            tokens = inputs.sample()
            for i, (place, point) in enumerate(tokens):
                visible = tokens if attention == "both" else tokens[: i + 1]
                query = [value_of(form, point) for form in q] if place == reader else []
                pairs_seen = [([value_of(form, x) for form in keys[j]], values[j], x) for j, x in visible if query]
                weights = [weight(dot(query, key) - shift, proof.model.weight_bits) for key, _, _ in pairs_seen]
                for r in range(2 if query else 0):
                    total = sum(w * value_of(v[r], x) for w, (_, v, x) in zip(weights, pairs_seen, strict=True))
                    true = down(Fraction(total, max(1, sum(weights))), proof)
                    assert all(agrees(option[r], true, point) for option in options)

    described()


@property_of(60)
def test_sparse_attention_is_described_truly(rng: random.Random) -> None:
    """P3 and P5 for summaries, each one token of its block: blocks hold tokens of several kinds."""
    proof, noise = proof_of({"task": "funccomp", "m": 2, "n": [2]}), noise_for(rng)
    kinds, inputs = proof.kinds, Inputs(rng, proof, False, noise)
    block, opened = rng.randint(1, 4), rng.randint(0, 2)
    forms = [[[random_form(rng, symbols_of(kind, noise, rng)) for _ in range(2)] for kind in kinds] for _ in range(3)]
    q, keys, values = forms
    offset = rng.randrange(block)
    weights = {c: kernel.Matrix(2, [(r, 2 * offset + r, 1) for r in range(2)]) for c in ("C_K", "C_V")}
    shift = Fraction(rng.randint(0, 40))
    options = {}
    for place in range(len(kinds)):
        try:
            head = kernel.Head("sparse", NOTHING | weights, shift, False, block, opened)
            options[place] = proof.attend(place, 1, head, q[place], keys, values)
        except kernel.Rejected:
            continue
    for _ in range(POINTS):
        tokens = inputs.sample()
        k, v = ([[value_of(form, point) for form in y[place]] for place, point in tokens] for y in (keys, values))
        for i, (place, point) in enumerate(tokens):
            query, own = [value_of(form, point) for form in q[place]], i // block * block
            summaries = [
                [picked(weights[c], [a for row in y[g : g + block] for a in row]) for c, y in (("C_K", k), ("C_V", v))]
                for g in range(0, own, block)
            ]
            best = sorted(range(len(summaries)), key=lambda g: (-dot(query, summaries[g][0]), g))[:opened]
            raw = [*(g * block + o for g in best for o in range(block)), *range(own, i + 1)]
            pairs = [*summaries, *([k[j], v[j]] for j in raw)]
            if place in options:
                scores = [dot(query, key) for key, _ in pairs]
                assert max(scores) <= shift
                w = [weight(score - shift, proof.model.weight_bits) for score in scores]
                for r in range(2):
                    total = sum(a * value[r] for a, (_, value) in zip(w, pairs, strict=True))
                    true = down(Fraction(total, max(1, sum(w))), proof)
                    assert all(agrees(option[r], true, point) for option in options[place])


@property_of(72)
def test_search_is_described_truly(rng: random.Random) -> None:
    """P11 and P6: a full or sparse head and two MLP blocks, near those that measure the distance to y."""
    n, modulus, fraction = rng.randint(1, 6), rng.choice([3, 5, 7]), rng.choice([1, 3, 6])
    task = {"task": "two_sum", "length": n, "modulus": modulus}
    proof = proof_of(task, fraction=fraction, bits=rng.choice([0, 2, 9]))
    proof.layer = 1
    b, tau = bits_of(modulus), Fraction(rng.randint(1, 6), 2)
    order = rng.sample(range(b), b)
    q: kernel.Forms = [{f"y.{j}": tau} for j in range(b)]
    k: kernel.Forms = [{f"x.{j}": Fraction(1)} for j in range(b)]
    v: kernel.Forms = [{f"x.{j}": Fraction(1)} for j in order]
    block, opened = rng.randint(1, 4), rng.randint(0, 3)
    kind, offset = rng.choice(["full", "sparse"]), rng.randrange(block)
    pick = {(r, offset * b + r): 1 for r in range(b)}
    other = dict(pick)
    if rng.random() < 0.3:
        other[rng.randrange(b), rng.randrange(block * b)] = rng.choice([-1, 1, 2])
    maps = {
        c: kernel.Matrix(b, [(r, c, Fraction(x)) for (r, c), x in m.items()])
        for c, m in (("C_K", pick), ("C_V", other))
    }
    shift = tau * b + rng.choice([Fraction(0), Fraction(0), Fraction(0), Fraction(1)])
    head = kernel.Head(kind, NOTHING | (maps if kind == "sparse" else {}), shift, False, block, opened)
    try:
        options = proof.attend(0, 1, head, q, [k], [v])
    except kernel.Rejected:  # a summary is not one token of its block
        assert (kind, pick == other) == ("sparse", False)
        return

    # The stream: x's bits, y's bits, the output, the distance, a flag; blocks as in C6, sometimes with another weight.
    place = {"y": 0, "o": b, "d": 2 * b, "f": 2 * b + 1}
    width = 2 * b + 2
    w_1, w_2 = {}, {}
    for r, j in enumerate(order):
        for sign, unit_number in ((1, 2 * r), (-1, 2 * r + 1)):
            w_1 |= {(unit_number, place["o"] + r): sign, (unit_number, place["y"] + j): -sign}
            w_2[place["d"], unit_number] = 1
    second_1 = {(0, place["d"]): -4, (1, place["d"]): -4, (2, place["d"]): 1}
    second_b = {(0, 0): 7, (1, 0): 3}
    second_2 = {(place["f"], 0): 1, (place["f"], 1): -1, (place["d"], 2): -1}
    if rng.random() < 0.5:
        some = rng.choice([w_1, w_2, second_1, second_2, second_b])
        some[rng.choice(list(some))] += rng.choice([-1, 1, Fraction(1, 2)])
    made = lambda rows, entries: kernel.Matrix(rows, [(r, c, Fraction(x)) for (r, c), x in entries.items() if x])  # noqa: E731
    blank = kernel.Matrix(width, [])
    mlps = [mlp_of(made(2 * b, w_1), made(2 * b, {}), made(width, w_2), blank)]
    mlps.append(mlp_of(made(3, second_1), made(3, second_b), made(width, second_2), blank))
    results = []
    for output in options:
        stream: kernel.Forms = [*({f"y.{j}": Fraction(1)} for j in range(b)), *map(dict, output), {}, {}]
        for mlp in mlps:
            stream = proof.relu(mlp, stream)
        results.append(stream)
    sizes = {"x": modulus, "y": modulus, "position": n}
    for _ in range(POINTS):
        ids = [rng.randrange(1, modulus) for _ in range(n)]
        points = [point_of({"x": x, "y": modulus - x, "position": i}, sizes) for i, x in enumerate(ids)]
        vectors = [[[value_of(form, point) for form in forms] for point in points] for forms in (q, k, v)]
        for i, query in enumerate(vectors[0]):
            raw, earlier = list(range(i + 1)), 0
            pairs = []
            if kind == "sparse":
                earlier = i // block
                for g in range(earlier):
                    blocks = [[a for row in y[g * block : (g + 1) * block] for a in row] for y in vectors[1:]]
                    pairs.append((picked(maps["C_K"], blocks[0]), picked(maps["C_V"], blocks[1])))
                best = sorted(range(earlier), key=lambda g: (-dot(query, pairs[g][0]), g))[:opened]
                raw = [*(g * block + o for g in best for o in range(block)), *range(earlier * block, i + 1)]
            seen = {*raw, *(g * block + offset for g in range(earlier))}
            pairs += [(vectors[1][j], vectors[2][j]) for j in raw]
            weights = [weight(dot(query, key) - shift, proof.model.weight_bits) for key, _ in pairs]
            sums = [sum(w * value[r] for w, (_, value) in zip(weights, pairs, strict=True)) for r in range(b)]
            out = [down(Fraction(a, max(1, sum(weights))), proof) for a in sums]
            y = [points[i][f"y.{j}"] for j in range(b)]
            row = [*y, *out, Fraction(0), Fraction(0)]
            for mlp in mlps:
                row = run_mlp(mlp, row)
            for output, stream in zip(options, results, strict=True):
                point = dict(points[i]) | {
                    "seen 1/0.0": Fraction(1 if any(ids[j] == modulus - ids[i] for j in seen) else -1)
                }
                for form, true in zip(output, out, strict=True):
                    for s in form:
                        if isinstance(s, kernel.Noise) and s.product:
                            point |= {s: true, s.product: point[s.bit] * true}
                            assert -1 <= true <= 1
                    assert agrees(form, true, point)
                products = [s.product for form in output for s in form if isinstance(s, kernel.Noise) and s.product]
                if products:
                    search = products[0].search
                    assert search is not None
                    if point["seen 1/0.0"] > 0:
                        assert min(point[p] for p in products) >= search.least
                    else:
                        assert sum(point[p] for p in products) <= search.most
                for form, true in zip(stream, row, strict=True):
                    assert agrees(form, true, point)  # moduli count as fresh noise of their radius


@property_of(90)
def test_linear_attention_is_described_truly(rng: random.Random) -> None:
    """P9: features near a look-up, some of them broken; the output and the state are as described."""
    proof, noise = proof_of({"task": "funccomp", "m": 2, "n": [2]}, fraction=rng.choice([0, 3])), noise_for(rng)
    kinds, inputs = proof.kinds, Inputs(rng, proof, False, noise)
    reader, target = rng.choice([(3, 0), (3, 1), (3, 2), (2, 1), (1, 0), (3, 3), (2, 2)])
    fact = (proof.facts(reader, target) or [{}])[0]
    features = list(peaks(rng, kinds, reader, target, fact))
    if rng.random() < 0.6:
        broken = rng.choice(features)[rng.randrange(2)]
        place = rng.choice([reader, target, rng.randrange(len(kinds))])
        wider: kernel.Form = {ONE: Fraction(rng.randint(1, 4), 2)}  # no peak any more: 0 for fewer signs
        added = wider if rng.random() < 0.4 else random_form(rng, symbols_of(kinds[place], noise, rng))
        kernel.add(broken[place], added)
    normalised, d_k = rng.random() < 0.5, len(features)
    x = []
    for place, kind in enumerate(kinds):
        values = [random_form(rng, symbols_of(kind, noise, rng)) for _ in range(2)]
        x.append([*(f[0][place] for f in features), *(f[1][place] for f in features), *values])
    head = head_of("linear", normalised=normalised, Q=d_k, K=d_k, V=2)
    reaches: list[kernel.Rational] = []
    sized = lambda forms, name: reaches.extend(map(kernel.upper, forms)) if "state" in name else None  # noqa: E731
    proof.size = sized  # type: ignore[method-assign]
    describe = proof.linear(1, head, x)
    most = max(reaches)
    for _ in range(POINTS):
        state, norm = [[Fraction(0)] * 2 for _ in range(d_k)], [Fraction(0)] * d_k
        for place, point in inputs.sample():
            stream = [value_of(form, point) for form in x[place]]
            q, k, v = relu(stream[:d_k]), relu(stream[d_k : 2 * d_k]), stream[2 * d_k :]
            state = [[s + a * b for s, b in zip(row, v, strict=True)] for row, a in zip(state, k, strict=True)]
            norm = [s + a for s, a in zip(norm, k, strict=True)]
            assert all(abs(s) <= most for row in state for s in row)
            for option in describe(place):
                for r in range(2):
                    true = dot(q, [row[r] for row in state])
                    if normalised:
                        true = down(true / dot(q, norm), proof) if dot(q, norm) else Fraction(0)
                    assert agrees(option[r], true, point)  # with the reader's own noise: others' must be fresh


@property_of(90)
def test_delta_rule_is_described_truly(rng: random.Random) -> None:
    """P10: gates, keys and values of all kinds; where the rule applies, output and state are as described."""
    proof, noise = proof_of({"task": "funccomp", "m": 2, "n": [2]}), noise_for(rng)
    kinds, inputs = proof.kinds, Inputs(rng, proof, False, noise)
    own = {2: noise[0], 3: noise[1]}  # of z0 and w
    x = []
    for place, kind in enumerate(kinds):
        symbols = [ONE, *kernel.bit_names(kind.own), "i1.0", "w1.0", *([own[place]] if place in own else [noise[2]])]
        q = [random_form(rng, symbols if rng.random() < 0.3 else [ONE]) for _ in range(2)]
        k = [random_form(rng, symbols if rng.random() < 0.1 else [ONE]) for _ in range(2)]
        v = [random_form(rng, symbols) for _ in range(2)]
        gates = [{ONE: Fraction(rng.choice([-1, 0, 1, 1, 2, 3]), 2)} for _ in range(2)]
        if kind.count > 1 and rng.random() < 0.9:
            gates = [
                {ONE: Fraction(2), rng.choice(symbols[1:]): Fraction(1)},
                {ONE: Fraction(-1), symbols[1]: Fraction(1)},
            ]
        if kind.count == 1 and rng.random() < 0.2:
            gates[rng.randrange(2)] = {ONE: Fraction(1, 2), rng.choice(symbols[1:]): Fraction(rng.randint(1, 3), 2)}
        x.append([*q, *k, *v, *gates])
    proof.model.bound = 10**6
    try:
        describe = proof.delta(1, head_of("delta", Q=2, K=2, V=2, A=1, B=1), x)
    except kernel.Rejected:
        return
    for _ in range(POINTS):
        state, shared = [[Fraction(0)] * 2 for _ in range(2)], dict[kernel.Noise, Fraction]()
        for place, point in inputs.sample():
            shared |= {own[place]: point[own[place]]} if place in own else {}
            stream = [value_of(form, point) for form in x[place]]
            q, k, v = stream[:2], stream[2:4], stream[4:6]
            a, b = (min(max(gate, Fraction(0)), Fraction(1)) for gate in stream[6:])
            read = [dot(k, [row[r] for row in state]) for r in range(2)]
            state = [[a * (state[i][r] - b * k[i] * read[r]) + b * k[i] * v[r] for r in range(2)] for i in range(2)]
            known = {s: c for s, c in point.items() if not isinstance(s, kernel.Noise)} | shared
            for r, form in enumerate(describe(place)[0]):
                assert agrees(form, dot(q, [row[r] for row in state]), known)


@pytest.mark.parametrize("blocks", [1, 2])
def test_mlps_are_described_truly(blocks: int) -> None:
    """P6: random blocks on random forms; the second block may bend what the first has bent."""

    @property_of(72)
    def described(rng: random.Random) -> None:
        proof = kernel.Proof(kernel.Model(construction(3, [])["model"]), False)
        proof.model.bound = 10**6
        width, hidden = 3, 4
        noise = [kernel.Noise(Fraction(rng.randint(0, 4), 4)) for _ in range(2)]
        bits: list[kernel.Symbol] = ["i0.0", "i0.1"]
        x = [random_form(rng, [ONE, *bits, *noise] if blocks == 1 else [ONE, *noise]) for _ in range(width)]

        def weights(rows: int, columns: int) -> kernel.Matrix:
            entries = [(r, c, small(rng)) for r in range(rows) for c in range(columns) if rng.random() < 0.6]
            return kernel.Matrix(rows, [item for item in entries if item[2]])

        sizes = ((hidden, width), (hidden, 1), (width, hidden), (width, 1))
        mlps = [mlp_of(*(weights(*size) for size in sizes)) for _ in range(blocks)]
        derived = [dict(form) for form in x]
        for mlp in mlps:
            derived = proof.relu(mlp, derived)
        for _ in range(20):
            point: Point = {ONE: Fraction(1)}
            point |= {bit: Fraction(rng.choice([-1, 1])) for bit in bits}
            point |= {n: n.radius * Fraction(rng.randint(-6, 6), 6) for n in noise}
            row = [value_of(form, point) for form in x]
            for mlp in mlps:
                row = run_mlp(mlp, row)
            for form, true in zip(derived, row, strict=True):
                low, high = kernel.span(form)
                assert low <= true <= high
                assert agrees(form, true, point)  # fresh products s·σ, and bent functions of known forms

    described()


def test_a_bit_that_no_fact_names_is_not_the_readers() -> None:
    proof = proof_of({"task": "two_sum", "length": 1, "modulus": 5})
    assert proof.facts(0, 0) == []
    ((symbol, c),) = proof.renamed([{"x.0": Fraction(2)}], {})[0].items()
    assert isinstance(symbol, kernel.Noise)
    assert (symbol.radius, c) == (1, 2)
