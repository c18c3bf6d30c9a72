"""The kernel: re-checks a certificate with the Python standard library alone.

    python -m separation.proving.checker FILE        exit status 0: it holds, 1: it does not, 2: it is no certificate

Nothing of the project is imported: this file and docs/proving.md (the formats, and the rules P1 to P8 cited here) are
all there is to read. Every number is an exact int or Fraction: there is no float here and no true division. Where a
real number is bounded by a rational one, it is rounded to the side that makes the check harder to pass.

Reading order: verdicts; the proof, rule by rule; forms; bounds of exp and log2; reading the document.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, gcd, prod
from typing import Any, NoReturn

MAX_BYTES = 64 << 20  # of a file
MAX_DIGITS = 4000  # of a number
MAX_WIDTH = 1 << 14  # of the stream, a head, an MLP
MAX_TABLES = MAX_LAYERS = MAX_HEADS = 256
MAX_CELLS = 1 << 22  # coordinates × kinds × stages
MAX_STORED = 1 << 20  # rows of a stored table
MAX_PRECISION = 4096  # bits P and p
MAX_WORK = 1 << 28  # multiplications of coefficients, and rows compared
MAX_CHOICES = 16  # ways to combine P4 and P5 over the heads of a layer
MAX_EXPONENT = 6000  # e^x is not evaluated beyond; above (MAX_PRECISION·ln 2)·2, so that P4 loses nothing
DIGITS = 256  # binary digits to which e^x is known

Number = int | Fraction
ONE = "1"  # the constant symbol
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Verdict:
    """Whether the claim holds; `message` names the rule and the place where it fails."""

    ok: bool
    kind: str
    claim: dict[str, Any]
    message: str


class Malformed(ValueError):
    """The document is not a certificate: wrong keys or types, unknown schema or kind, a limit exceeded."""


class Rejected(Exception):
    """The certificate is well formed, but what it claims is not proved by it."""


def check_text(text: str | bytes) -> Verdict:
    """Verdict on a JSON text; raises Malformed."""
    need(len(text) <= MAX_BYTES, f"more than {MAX_BYTES} bytes")
    try:
        document = json.loads(text, parse_float=no_float, parse_constant=no_float, object_pairs_hook=no_repetition)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"no JSON: {error}") from None
    return check_certificate(document)


def check_certificate(document: dict[str, Any]) -> Verdict:
    """Verdict on a parsed document; raises Malformed."""
    need(isinstance(document, dict), "not an object")
    need(document.get("schema") == "separation.certificate/1", "unknown schema")
    kind = document.get("kind")
    need(isinstance(kind, str) and kind in CHECKERS, "unknown kind of certificate")
    claim = document.get("claim")
    try:
        return Verdict(True, str(kind), claim or {}, CHECKERS[str(kind)](document))
    except Rejected as failure:
        return Verdict(False, str(kind), claim or {}, str(failure))


def check_construction(document: dict[str, Any]) -> str:
    """The model of the certificate computes its task on every input, as claimed: all fields of the claim are proved."""
    fields(document, "schema kind tool claim model", "the certificate")
    text(document["tool"], "tool")
    claim = fields(
        document["claim"],
        "construction task tokens width heads layers precision_bits inputs_covered_log2 margin",
        "the claim",
    )
    label, task = text(claim["construction"], "construction"), Task(claim["task"])
    bits = fields(claim["precision_bits"], "P p", "precision_bits")
    margin, covered = number(claim["margin"]), integer(claim["inputs_covered_log2"], 0, None, "inputs_covered_log2")
    model = Model(document["model"])
    facts = {
        "tokens": (claim["tokens"], model.task.tokens),
        "width": (claim["width"], model.width),
        "heads": (claim["heads"], max((len(layer.heads) for layer in model.layers), default=0)),
        "layers": (claim["layers"], len(model.layers)),
        "precision_bits P": (bits["P"], model.weight_bits),
        "precision_bits p": (bits["p"], model.activation_bits),
    }
    claimed = {name: integer(value, 0, None, name) for name, (value, _) in facts.items()}

    if (task.m, task.n) != (model.task.m, model.task.n):
        raise Rejected("claim, task: not the task of the model")
    for name, (_, true) in facts.items():
        if claimed[name] != true:
            raise Rejected(f"claim, {name}: {show(claimed[name])} is claimed, the model has {true}")
    if covered > task.inputs_log2():
        raise Rejected(f"claim, inputs_covered_log2: there are fewer than 2^{show(covered)} inputs")
    if margin <= 0:
        raise Rejected("claim, margin: not positive")
    proved = Proof(model).run()
    if margin > proved:
        raise Rejected(f"claim, margin: {show(margin)} is claimed, {show(proved)} is proved")
    return f"{label}: {len(model.layers)} layers answer all inputs (at least 2^{show(covered)}) with margin {show(proved)}"


CHECKERS: dict[str, Callable[[dict[str, Any]], str]] = {"construction": check_construction}


class Proof:
    """The rules, applied to one model. `layer` and `kind` are where the proof is, for the messages."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.kinds = model.task.kinds
        self.unit = Fraction(1, 2**model.fraction)
        self.bound = 2 ** (model.activation_bits - model.fraction)
        self.work = 0
        self.layer, self.kind = 0, "every"

    def run(self) -> Number:
        """By induction over the layers: every claimed invariant holds (P1 … P8). Returns the margin of the answer."""
        self.grid()
        for kind in self.kinds:
            self.kind = kind.name
            self.contain(self.embedding(kind), self.model.invariants[0][kind.name])
        for self.layer, layer in enumerate(self.model.layers, 1):
            before = {kind.name: self.model.invariants[self.layer - 1][kind.name].forms for kind in self.kinds}
            heads = [self.project(h, head, before) for h, head in enumerate(layer.heads, 1)]
            for kind in self.kinds:
                self.kind = kind.name
                self.pass_layer(layer, before[kind.name], [self.attend(kind, *head) for head in heads])
        return self.answer()

    def pass_layer(self, layer: Layer, x: Forms, options: list[list[tuple[str, Forms]]]) -> None:
        """The invariant after the layer. Each head offers one or two true descriptions of its output (P4, P5); since
        all are true, it is enough that one combination of them leads to the claimed invariant."""
        after, first = self.model.invariants[self.layer][self.kind], None
        for outputs in itertools.islice(itertools.product(*options), MAX_CHOICES):
            try:
                middle = [dict(form) for form in x]
                for head, (_, output) in zip(layer.heads, outputs, strict=True):
                    self.apply(head.w_o, output, middle)
                self.size(middle, self.model.slots)
                return self.contain(self.mlp(layer, middle), after)
            except Rejected as failure:
                first = first or Rejected(f"{failure} [{'; '.join(label for label, _ in outputs) or 'no head'}]")
        raise first or self.fail("heads", "no choice")

    def grid(self) -> None:
        """Precision: q, k, v, h and the stream are multiples of 2^-f. A list g says: coordinate r is an integer multiple
        of g_r·2^-f, for all tokens. Row r of W x is then one of gcd_c(W_rc·g_c)·2^-f, if these are integers; relu
        keeps multiples, and the output of attention is rounded to multiples of 2^-f."""
        model, self.kind, whole = self.model, "every", [2**self.model.fraction]
        g = [0] * model.width
        for table, name in ((model.positions, "positions"), (model.tokens, "tokens")):
            for matrix in (part.matrix for part in table.segments):
                g = self.multiples(name, matrix, whole * matrix.columns, g)
        for self.layer, layer in enumerate(model.layers, 1):
            start = g
            for head in layer.heads:
                for name, matrix in (("q", head.w_q), ("k", head.w_k), ("v", head.w_v)):
                    self.multiples(name, matrix, start)
                g = self.multiples("stream", head.w_o, [1] * head.w_o.columns, g)
            h = self.multiples("mlp", layer.b_1, whole, self.multiples("mlp", layer.w_1, g))
            g = self.multiples("stream", layer.b_2, whole, self.multiples("stream", layer.w_2, h, g))
        self.layer = 0

    def multiples(self, name: str, matrix: Matrix, g: list[int], start: list[int] | None = None) -> list[int]:
        """gcd_c(matrix_rc·g_c) for each row r, together with start_r."""
        result = list(start or [0] * matrix.rows)
        for row, column, value in matrix.items():
            product = Fraction(value * g[column])
            if product.denominator != 1:
                raise self.fail(f"{name}[{row}]", "may not be a multiple of 2^-f")
            result[row] = gcd(result[row], product.numerator)
        return result

    def embedding(self, kind: Kind) -> Forms:
        """P1: positions[position] + tokens[id], as forms in the bits of the kind's own variables."""
        total: Forms = [{} for _ in range(self.model.width)]
        for name, table, first, variables in (
            ("positions", self.model.positions, kind.first, kind.address),
            ("tokens", self.model.tokens, kind.first_id, kind.spelled),
        ):
            for form, part in zip(total, self.rows(name, table, first, variables), strict=True):
                add(form, part)
        return total

    def rows(self, name: str, table: RowTable, first: int, variables: Variables) -> Forms:
        """P1: row first + x of a table, x the mixed-radix number of the variables, as forms in their bits."""
        if table.stored is not None:
            return self.interpolate(name, table.stored, first, variables)
        sizes = [size for _, size in variables if size > 1]  # a digit of radix 1 is 0 and has no bits
        segment = next((part for part in table.segments if part.start == first), None)
        radices = [] if segment is None else [radix for radix in segment.radices if radix > 1]
        # A single larger radix writes the same numbers with more bits, which are −1 for all numbers below `sizes`.
        larger = len(sizes) <= 1 == len(radices) and radices[0] >= prod(sizes)
        if segment is None or not (radices == sizes or larger):
            raise self.fail(name, f"P1: no segment starts at row {first} with radices {sizes}")
        bits = [ONE, *bit_names(variables)]
        forms: Forms = [{} for _ in range(self.model.width)]
        for row, column, value in segment.matrix.items():
            add(forms[row], {bits[column]: value} if column < len(bits) else {ONE: -value})
        return forms

    def interpolate(self, name: str, table: dict[int, dict[int, Number]], first: int, variables: Variables) -> Forms:
        """P1, stored rows: with Δ_b = row(2^b) − row(0), every row x must be row(x − 2^b) + Δ_b, 2^b the highest bit of
        the first digit of x that is not 0. By induction row(x) = row(0) + Σ Δ_b over the bits set in x, that is
        row(0) + Σ Δ_b/2 + Σ (Δ_b/2)·(±1 bit b)."""
        row = [table.get(first + x, {}) for x in range(prod(size for _, size in variables))]
        forms: Forms = [{} for _ in range(self.model.width)]
        for r, value in row[0].items():
            add(forms[r], {ONE: value})
        delta: dict[int, dict[int, Number]] = {}
        strides = [prod(size for _, size in variables[v + 1 :]) for v in range(len(variables))]
        for variable, stride in zip(variables, strides, strict=True):
            for j, bit in enumerate(bit_names([variable])):
                step = delta[stride << j] = dict(row[stride << j])
                add(step, row[0], -1)
                for r, value in step.items():
                    add(forms[r], {ONE: HALF * value, bit: HALF * value})
        for x in range(1, len(row)):
            stride = next(stride for stride in strides if stride <= x)
            top = stride << ((x // stride).bit_length() - 1)
            predicted = dict(row[x - top])
            add(predicted, delta[top])
            self.spend(1 + len(predicted))
            if predicted != row[x]:
                raise self.fail(name, f"P1: row {first + x} is not affine in the bits")
        return forms

    def project(self, h: int, head: Head, x: dict[str, Forms]) -> tuple[int, Head, list[Forms], list[Forms], list[Forms]]:
        """q = W_Q x, k = W_K x, v = W_V x of every kind (with P8)."""
        result: tuple[list[Forms], ...] = ([], [], [])
        for kind in self.kinds:
            self.kind = kind.name
            for name, matrix, forms in zip("qkv", (head.w_q, head.w_k, head.w_v), result, strict=True):
                forms.append(self.apply(matrix, x[kind.name]))
                self.size(forms[-1], f"head {h} {name}")
        return h, head, *result

    def attend(
        self, kind: Kind, h: int, head: Head, q: list[Forms], k: list[Forms], v: list[Forms]
    ) -> list[tuple[str, Forms]]:
        """True descriptions of a head's output at a kind: that of P4 with the smallest λ, if any, and that of P5."""
        place = self.kinds.index(kind)
        visible = list(enumerate(self.kinds[: place + 1]))  # P2: the prompt lists the kinds in this order
        scores = [self.scores(q[place], k[j]) for j, _ in visible]
        for j, other in visible:
            self.shift(h, head, other, scores[j], q[place], k[j])
        ranges = [[span(form) for form in v[j]] for j, _ in visible]
        hulls = [(min(lo for lo, _ in column), max(hi for _, hi in column)) for column in zip(*ranges, strict=True)]
        options = [(f"head {h}: hull", [self.hull(lo, hi) for lo, hi in hulls])]
        best: tuple[Fraction, int] | None = None
        for j, target in visible:
            if j < place or target.count == 1:  # P2: wholly visible
                ratio = self.look_up(head, target, k[j], list(zip(self.kinds, scores, strict=False)), scores[j])
                best = best if ratio is None or (best and best[0] <= ratio) else (ratio, j)
        if best:
            target = self.kinds[best[1]]
            options.insert(0, (f"head {h} reads {target.name}", self.read(target, v[best[1]], hulls, best[0])))
        return options

    def shift(self, h: int, head: Head, key: Kind, table: Scores, q: Forms, k: Forms) -> None:
        """P3: score ≤ M_11 + Σ_{(a,b)≠(1,1)} |M_ab|·radius_a·radius_b, and score ≤ Σ_r max|q_r|·max|k_r|; one of the
        bounds must be ≤ shift, so that all weights are at most 2^P."""
        bound = sum(weigh(column, b == ONE) * radius(b) for b, column in table.items())
        if bound > head.shift:
            bound = min(bound, sum(largest(a) * largest(b) for a, b in zip(q, k, strict=True)))
        if bound > head.shift:
            raise self.fail(f"head {h}", f"P3: score with {key.name} up to {show(bound)}, shift {show(head.shift)}")

    def look_up(
        self, head: Head, target: Kind, keys: Forms, scores: list[tuple[Kind, Scores]], table: Scores
    ) -> Fraction | None:
        """P4: an upper bound λ of (weight of all other keys)/(weight of the target's matching key), or None.
        λ = e^{2ρ}·(min(Π_b(1+e^{-2τ_b}), 1 + (count−1)·e^{-2 min τ}) − 1) + Σ_{J≠T} E_J, times 1 + 1/w if w is floored."""
        taus: list[Number] = []
        for bit in target.address_bits:  # (b): column b holds τ_b > 0 in the row of the fact's bit, and nothing else
            column = table.get(bit, {})
            taus.append(column.get(target.fact[bit], 0))
            if len(column) != 1 or taus[-1] <= 0:
                return None
        constant = table.get(ONE, {})
        if any(isinstance(a, str) and a != ONE for a in constant):  # (c)
            return None
        if any(b != ONE and b not in target.address_bits for form in keys for b in form):  # (a)
            return None
        rho = sum(abs(c) * a.radius for a, c in constant.items() if isinstance(a, Noise))
        sigma = constant.get(ONE, 0) + sum(taus)
        if 2 * rho > MAX_EXPONENT:
            return None
        patterns = Fraction(1)
        for tau in taus:
            patterns = round_up(patterns * (1 + exp_upper(-2 * tau)))
        if taus:
            patterns = min(patterns, 1 + (target.count - 1) * exp_upper(-2 * min(taus)))
        ratio = exp_upper(2 * rho) * (patterns - 1)
        for kind, rival in scores:
            weight = Fraction(0) if kind is target else self.rival(kind, rival, rho - sigma)
            if weight is None:
                return None
            ratio = round_up(ratio + weight)
        if rho or sigma != head.shift:
            # The match weighs W = floor(x) ≥ w for its real weight x, and x/W < 1 + 1/W ≤ 1 + 1/w. A lower bound of
            # e^· gives a w that is perhaps too small, which only makes 1 + 1/w larger.
            w = floor(2**self.model.weight_bits * exp_lower(sigma - rho - head.shift))
            if w < 1:
                return None
            ratio *= 1 + Fraction(1, w)
        return ratio

    def rival(self, kind: Kind, table: Scores, offset: Number) -> Fraction | None:
        """P4: E_J = e^{offset+u_J}·min(Π_b(e^{U_b}+e^{-U_b}), count_J·e^{ΣU_b}), offset = ρ − σ, computed as
        e^{offset+u_J+ΣU_b}·min(Π_b(1+e^{-2U_b}), count_J). None if the exponent is out of reach."""
        exponent, patterns = offset, Fraction(1)
        for bit in kind.address_bits:  # also those that no query sees: there U_b = 0, and the factor is 2
            u = weigh(table.get(bit, {}), False)
            exponent, patterns = exponent + u, round_up(patterns * (1 + exp_upper(-2 * u)))
        for b, column in table.items():
            if b not in kind.address_bits:
                exponent += weigh(column, b == ONE) * radius(b)
        return None if exponent > MAX_EXPONENT else exp_upper(exponent) * min(patterns, kind.count)

    def read(self, target: Kind, values: Forms, hulls: list[tuple[Number, Number]], ratio: Fraction) -> Forms:
        """P4, output: the target's values at the fact's address, plus noise of radius D_r·λ/(1+λ) + 2^-f. The noise of
        the values is that of one token, the match: one fresh symbol each, shared by the coordinates."""
        fresh: dict[Noise, Noise] = {}
        output: Forms = []
        for form, (lo, hi) in zip(values, hulls, strict=True):
            result: Form = {}
            for s, c in form.items():
                image = target.fact.get(s, s) if isinstance(s, str) else fresh.setdefault(s, Noise(s.radius))
                add(result, {image: c})
            result[Noise(round_up((hi - lo) * Fraction(ratio, 1 + ratio)) + self.unit)] = 1
            output.append(result)
        return output

    def hull(self, lo: Number, hi: Number) -> Form:
        """P5: the output lies between min(0, lo), rounded down to a multiple of 2^-f, and max(0, hi)."""
        low, high = floor(min(0, lo) / self.unit) * self.unit, max(0, hi)
        return clean({ONE: HALF * (low + high), Noise(HALF * (high - low)): 1 if high > low else 0})

    def mlp(self, layer: Layer, x: Forms) -> Forms:
        """P6: x + W_2·relu(W_1 x + b_1) + b_2. relu(h) is h, 0, split on a bit s, or h/2 + |h|/2."""
        h = self.apply(layer.b_1, [{ONE: 1}], self.apply(layer.w_1, x))
        self.size(h, "mlp")
        plain: Forms = [{} for _ in h]
        cases: dict[str, tuple[Forms, Forms]] = {}  # bit s -> the units split on s, for s = +1 and for s = −1
        moduli: dict[frozenset[tuple[Symbol, Number]], Noise] = {}
        for unit, form in enumerate(h):
            if (relu := one_sign(form)) is not None:
                plain[unit] = relu
            elif split := self.split(form):
                bit, up, down = split
                plus, minus = cases.setdefault(bit, ([{} for _ in h], [{} for _ in h]))
                plus[unit], minus[unit] = up, down
            else:
                scale = Fraction(sum(abs(c) for c in form.values()))  # multiples of one form get equal g, up to sign
                g: Form = {s: c / scale for s, c in form.items()}
                modulus = moduli.setdefault(frozenset(g.items()), Noise(largest(g), g))
                moduli[frozenset((s, -c) for s, c in g.items())] = modulus
                add(plain[unit], form, HALF)
                add(plain[unit], {modulus: HALF * scale})
        result = self.apply(layer.b_2, [{ONE: 1}], self.apply(layer.w_2, plain, [dict(form) for form in x]))
        for bit, (plus, minus) in cases.items():
            products: dict[Symbol, Symbol] = {ONE: bit}  # s·1 = s; s·σ is a fresh symbol of σ's radius, since |s| = 1
            pairs = zip(result, self.apply(layer.w_2, plus), self.apply(layer.w_2, minus), strict=True)
            for total, high, low in pairs:
                add(total, high, HALF)
                add(total, low, HALF)
                add(high, low, -1)
                for s, c in high.items():
                    add(total, {products.setdefault(s, Noise(radius(s))): HALF * c})
        return result

    def split(self, form: Form) -> tuple[str, Form, Form] | None:
        """P6: the bit with the largest |coefficient| and relu(form) for its two values, if both leave one sign."""
        rank = self.model.task.rank
        bits = [s for s in form if isinstance(s, str) and s != ONE]
        if not bits:
            return None
        bit = min(bits, key=lambda s: (-abs(form[s]), rank[s]))
        cases: list[Form | None] = []
        for sign in (1, -1):
            case = dict(form)
            add(case, {ONE: sign * case.pop(bit)})
            cases.append(one_sign(case))
        up, down = cases
        return None if up is None or down is None else (bit, up, down)

    def contain(self, derived: Forms, claimed: Invariant) -> None:
        """P7: there are ν_j with derived = A·symbols + Σ_j column_j·ν_j, as forms, and |ν_j| ≤ r_j. The gap, derived −
        claimed with the ν_j as unknowns, is solved by elimination: each ν_j is expressed by one row, and put into
        all others; the remaining rows must vanish. (With P8 for the claimed invariant.)"""
        gap = [dict(form) for form in derived]
        for row, form in zip(gap, claimed.forms, strict=True):
            add(row, form, -1)
        solved: dict[int, Noise] = {}
        for nu in claimed.noise:
            rows = [r for r, row in enumerate(gap) if nu in row]
            pivot = next((r for r in rows if r not in solved), None)
            if pivot is None:
                raise self.fail("invariant", "P7: the noise columns are not independent")
            solved[pivot] = nu
            factor = Fraction(-1, gap[pivot].pop(nu))
            gap[pivot] = {s: c * factor for s, c in gap[pivot].items()}
            for r in rows:
                if r != pivot:
                    self.spend(len(gap[pivot]))
                    add(gap[r], gap[pivot], gap[r].pop(nu))
        self.spend(len(gap) * (1 + len(claimed.noise)))
        for r, row in enumerate(gap):
            if r not in solved and row:
                raise self.fail(self.model.slots[r], f"P7: the claimed form lacks {describe(row)}")
            if r in solved and (reach := extreme(row)) > solved[r].radius:
                text = f"P7: noise up to {show(reach)}, claimed {show(solved[r].radius)}"
                raise self.fail(self.model.slots[r], text)
        self.size(claimed.forms, self.model.slots)

    def size(self, forms: Forms, names: str | list[str]) -> None:
        """P8: every coordinate is within ±2^(p−f)."""
        for r, form in enumerate(forms):
            if largest(form) > self.bound:
                slot = names[r] if isinstance(names, list) else f"{names}[{r}]"
                raise self.fail(slot, f"P8: up to {show(largest(form))}, beyond 2^(p-f) = {self.bound}")

    def answer(self) -> Number:
        """Answer: the logit of v is Σ M_ab·s_a·t_b, t the bits of v. Column b holds τ_b > 0 in the row of bit b of iL and
        else only noise, and column 1 only `1` and noise: so the logit of iL exceeds each other by 2·min τ − 2ρ."""
        self.kind, task = "w", self.model.task
        variables = [("answer", task.sizes[-1])]
        x = self.model.invariants[-1]["w"].forms
        table = self.scores(x, self.rows("unembedding", self.model.unembedding, 0, variables))
        taus: list[Number] = []
        for bit in [ONE, *bit_names(variables)]:
            column = table.get(bit, {})
            wanted = ONE if bit == ONE else f"i{task.hops}.{bit.partition('.')[2]}"
            if any(isinstance(a, str) and a != wanted for a in column):
                raise self.fail("unembedding", f"answer: the coefficient of bit {bit} is {describe(column)}")
            if bit != ONE:
                taus.append(column.get(wanted, 0))
        noise = sum(abs(c) * a.radius for column in table.values() for a, c in column.items() if isinstance(a, Noise))
        margin = 2 * min(taus, default=0) - 2 * noise  # with one answer only there is nothing to separate
        if margin <= 0:
            raise self.fail("unembedding", f"answer: the margin {show(margin)} is not positive")
        return margin

    def scores(self, q: Forms, k: Forms) -> Scores:
        """M = (q forms)ᵀ(k forms), by columns: M[b][a] is the coefficient of s_a·t_b in Σ_r q_r·k_r."""
        table: Scores = {}
        for a, b in zip(q, k, strict=True):
            self.spend(1 + len(a) * len(b))
            for symbol, c in b.items():
                add(table.setdefault(symbol, {}), a, c)
        return {symbol: column for symbol, column in table.items() if column}

    def apply(self, matrix: Matrix, x: Forms, start: Forms | None = None) -> Forms:
        """start + matrix·x (start is changed)."""
        result = [{} for _ in range(matrix.rows)] if start is None else start
        self.spend(matrix.rows)
        for row, column, value in matrix.items():
            self.spend(1 + len(x[column]))
            add(result[row], x[column], value)
        return result

    def spend(self, amount: int) -> None:
        self.work += amount
        need(self.work <= MAX_WORK, "the check takes more work than MAX_WORK")

    def fail(self, slot: str, text: str) -> Rejected:
        return Rejected(f"layer {self.layer}, kind {self.kind}, slot {slot}: {text}")


# --- forms: linear combinations of symbols, without zero coefficients ---


@dataclass(frozen=True, eq=False)
class Noise:
    """An unknown number within ±radius, different from every other; if `of` is given, the number |of|."""

    radius: Number
    of: Form | None = None


Symbol = str | Noise  # a string is `1` or a bit
Form = dict[Symbol, Number]
Forms = list[Form]
Scores = dict[Symbol, Form]
Variables = Sequence[tuple[str, int]]  # names and sizes


def add(target: dict[Any, Number], source: dict[Any, Number], factor: Number = 1) -> None:
    """target += factor·source."""
    for symbol, value in source.items():
        total = target.get(symbol, 0) + factor * value
        if total:
            target[symbol] = total
        else:
            target.pop(symbol, None)


def clean(form: Form) -> Form:
    return {symbol: value for symbol, value in form.items() if value}


def radius(symbol: Symbol) -> Number:
    return symbol.radius if isinstance(symbol, Noise) else 1


def weigh(form: Form, signed: bool) -> Number:
    """Upper bound of the form (signed), or of its absolute value."""
    return sum(c if signed and s == ONE else abs(c) * radius(s) for s, c in form.items())


def span(form: Form) -> tuple[Number, Number]:
    """The range of a form: its constant ± Σ |coefficient|·radius."""
    high = weigh(form, True)
    return 2 * form.get(ONE, 0) - high, high


def largest(form: Form) -> Number:
    return weigh(form, False)


def one_sign(form: Form) -> Form | None:
    """relu(form), if the form has one sign: then it is the form or 0."""
    low, high = span(form)
    return form if low >= 0 else {} if high <= 0 else None


def extreme(form: Form) -> Number:
    """P7: upper bound of |form|. The |g| whose g = c_0 + c_1·ν mentions one symbol are taken together with ν: their sum
    is piecewise linear in ν, so its extremes are at ±radius and at the zeros of the g. (A bit, which takes only
    the values ±1, is covered too.) Any other |g| is in [0, max |g|]."""
    low = high = form.get(ONE, 0)
    joint: dict[Symbol, list[tuple[Number, Form]]] = {}
    for symbol, c in form.items():
        inner = symbol.of if isinstance(symbol, Noise) else None
        unknowns = [s for s in inner or {} if s != ONE]
        if inner is None:
            joint.setdefault(symbol, [])
        elif len(unknowns) == 1:
            joint.setdefault(unknowns[0], []).append((c, inner))
        else:
            low, high = low + min(0, c * radius(symbol)), high + max(0, c * radius(symbol))
    joint.pop(ONE, None)
    for nu, parts in joint.items():
        zeros = [Fraction(-g.get(ONE, 0), g[nu]) for _, g in parts]
        values = [
            form.get(nu, 0) * x + sum(c * abs(g.get(ONE, 0) + g[nu] * x) for c, g in parts)
            for x in (-radius(nu), radius(nu), *(zero for zero in zeros if abs(zero) <= radius(nu)))
        ]
        low, high = low + min(values), high + max(values)
    return max(-low, high)
