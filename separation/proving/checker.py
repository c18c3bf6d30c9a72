"""The kernel: re-checks a certificate with the Python standard library alone.

    python separation/proving/checker.py FILE        exit status 0: it holds, 1: it does not, 2: it is no certificate

Nothing of the project is imported: this file and docs/proving.md (the formats, and the rules P1 to P8 cited here) are
all there is to read. Numbers are exact; a real number is bounded by a rational one on the side that makes the check
harder to pass. Order: verdicts; the proof, rule by rule; forms; bounds of exp and log2; reading the document.
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
from typing import Any, NamedTuple

MAX_BYTES, MAX_DIGITS = 64 << 20, 4000  # of a file, of an integer
MAX_WIDTH, MAX_LENGTH = 1 << 14, 256  # of stream, head or MLP; number of tables, of layers, of heads in a layer
MAX_CELLS, MAX_STORED = 1 << 22, 1 << 20  # coordinates × kinds × stages; rows of a stored table
MAX_WORK, MAX_CHOICES = 1 << 27, 64  # coefficients multiplied; ways to combine the heads' descriptions
MAX_PRECISION, MAX_EXPONENT = 4096, 6000  # bits P and p; the x of e^x, beyond which P4 is of no use
NUMBER = re.compile(rf"(-?[0-9]{{1,{MAX_DIGITS}}})(?:/([0-9]{{1,{MAX_DIGITS}}}))?")
DIGITS = 256  # binary digits to which real numbers are bounded
ONE, ZERO, UNIT, HALF = "1", Fraction(0), Fraction(1), Fraction(1, 2)  # ONE is the constant symbol


@dataclass(frozen=True)
class Verdict:
    """Whether the claim holds; if not, `message` names the rule and the place where it fails."""

    ok: bool
    kind: str
    claim: dict[str, Any]
    message: str


class Malformed(ValueError):
    """The document is not a certificate: wrong keys or types, unknown schema or kind, a limit exceeded."""


class Rejected(Exception):
    """The certificate is well formed, but does not prove its claim."""


def check_text(text: str | bytes) -> Verdict:
    """The verdict on a JSON text; raises Malformed."""
    need(len(text) <= MAX_BYTES, f"more than {MAX_BYTES} bytes")
    try:  # the number reader refuses what JSON calls a float
        document = json.loads(text, parse_float=number, parse_constant=number, object_pairs_hook=without_repetition)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not readable as JSON: {error}") from None
    return check_certificate(document)


def check_certificate(document: dict[str, Any]) -> Verdict:
    """The verdict on a parsed document; raises Malformed."""
    need(isinstance(document, dict) and document.get("schema") == "separation.certificate/1", "unknown schema")
    kind, claim = document.get("kind"), document.get("claim")
    if not (isinstance(kind, str) and kind in CHECKERS and isinstance(claim, dict)):
        raise Malformed("unknown kind of certificate, or no claim")
    try:
        return Verdict(True, kind, claim, CHECKERS[kind](document))
    except Rejected as failure:
        return Verdict(False, kind, claim, str(failure))


def check_construction(document: dict[str, Any]) -> str:
    """The model answers its task on every input, and every field of the claim is true."""
    _, _, tool, claim, body = fields(document, "schema kind tool claim model")
    names = "construction task tokens width heads layers precision_bits integral inputs_covered_log2 margin"
    construction, task, *counts, bits, integral, inputs, least = fields(claim, names)
    need(isinstance(integral, bool), "integral is neither true nor false")
    label, _, claimed = string(construction), string(tool), [integer(n) for n in (*counts, *fields(bits, "P p"))]
    same, covered, margin, model = Task(task), integer(inputs), number(least), Model(body)

    heads = max((len(layer.heads) for layer in model.layers), default=0)
    true = [model.task.tokens, model.width, heads, len(model.layers), model.weight_bits, model.activation_bits]
    for name, ours, theirs in zip((*names.split()[2:6], "P", "p"), true, claimed, strict=True):
        refuse(ours != theirs, f"claim, {name}: the model has {ours}")
    refuse((same.m, same.n) != (model.task.m, model.task.n), "claim, task: the model has another")
    refuse(covered > model.task.inputs_log2(), f"claim, inputs_covered_log2: fewer than 2^{show(covered)} inputs")
    proved = Proof(model).run(integral)
    refuse(not 0 < margin <= proved, f"claim, margin: {show(margin)} is claimed, {show(proved)} is proved")
    return f"{label}: {len(model.layers)} layers answer all inputs, at least 2^{show(covered)}; margin {show(proved)}"


CHECKERS: dict[str, Callable[[dict[str, Any]], str]] = {"construction": check_construction}


class Proof:
    """The rules, applied to one model. `layer` and `kind` are where the proof is, for the messages."""

    def __init__(self, model: Model) -> None:
        self.model, self.kinds, self.layer, self.kind, self.work = model, model.task.kinds, 0, "every", 0

    def run(self, integral: bool) -> Fraction:
        """By induction over the layers, all claimed invariants hold, and if `integral` is claimed, all activations are
        multiples of 2^-f. Returns the margin of the answer."""
        start = []
        for kind, claimed in zip(self.kinds, self.model.invariants[0], strict=True):
            self.kind = kind.name
            start.append(self.embedding(kind))
            self.contain(start[-1], claimed)
        if integral:
            self.kind = "every"
            self.grid(start)
        self.layer = 0
        for layer in self.model.layers:
            x = [claimed.forms for claimed in self.model.invariants[self.layer]]
            self.layer += 1
            views = [self.project(h, head, x) for h, head in enumerate(layer.heads, 1)]
            for place, kind in enumerate(self.kinds):
                self.kind = kind.name
                options = [self.attend(place, *view) for view in views]
                self.advance(layer, x[place], options, self.model.invariants[self.layer][place])
        return self.answer()

    def advance(self, layer: Layer, x: Forms, options: list[list[Forms]], claimed: Invariant) -> None:
        """The invariant after a layer. Each head offers true descriptions of its output (P4, P5), so it is enough that
        one combination of them leads to the claimed invariant."""
        first = None
        for outputs in itertools.islice(itertools.product(*options), MAX_CHOICES):
            try:
                middle = [dict(form) for form in x]
                for head, output in zip(layer.heads, outputs, strict=True):
                    self.apply(head.w_o, output, middle)
                self.size(middle, self.model.slots)
                return self.contain(self.mlp(layer, middle), claimed)
            except Rejected as failure:
                first = first or failure
        raise first or Rejected("a head without description")

    def grid(self, start: list[Forms]) -> None:
        """Integral: q, k, v, h and the stream are multiples of 2^-f. The list g says: coordinate r is an integer times
        g_r·2^-f, at all tokens. Then row r of W x is an integer times gcd_c(W_rc·g_c)·2^-f, if these are integers;
        relu keeps multiples, and the output of attention is rounded to multiples of 2^-f."""
        one = [2**self.model.fraction]
        entries: list[Entry] = []
        for r, form in ((r, form) for forms in start for r, form in enumerate(forms)):
            bits = [c for s, c in form.items() if s != ONE]  # the value if all bits are −1, and its steps to +1:
            entries += [(r, 0, c) for c in (form.get(ONE, ZERO) - sum(bits), *(2 * c for c in bits))]
        g = self.multiples("stream", Matrix(self.model.width, entries), one, [0] * self.model.width)
        for heads, w_1, b_1, w_2, b_2 in self.model.layers:
            self.layer += 1
            for w in (w for head in heads for w in (head.w_q, head.w_k, head.w_v)):
                self.multiples("q, k or v", w, g, [0] * w.rows)
            for head in heads:
                g = self.multiples("stream", head.w_o, [1] * head.w_v.rows, g)
            h = self.multiples("mlp", b_1, one, self.multiples("mlp", w_1, g, [0] * w_1.rows))
            g = self.multiples("stream", w_2, h, self.multiples("stream", b_2, one, g))

    def multiples(self, name: str, matrix: Matrix, g: list[int], start: list[int]) -> list[int]:
        """For each row r of a matrix W: the gcd of start_r and all W_rc·g_c."""
        result = list(start)
        for row, column, value in matrix.entries:
            self.refuse((value * g[column]).denominator != 1, f"{name}[{row}]", "integral: no multiple of 2^-f")
            result[row] = gcd(result[row], int(value * g[column]))
        return result

    def embedding(self, kind: Kind) -> Forms:
        """P1: positions[position] + tokens[id], as forms in the bits of the kind's own variables."""
        position = self.rows("positions", self.model.positions, kind.first, kind.address)
        token = self.rows("tokens", self.model.tokens, kind.first_id, kind.spelled)
        return [plus(a, b) for a, b in zip(position, token, strict=True)]

    def rows(self, name: str, table: RowTable, first: int, variables: Variables) -> Forms:
        """P1: row first + x of a table, x the mixed-radix number of the variables, as forms in their bits."""
        sizes, bits = [size for _, size in variables if size > 1], [ONE, *bit_names(variables)]
        if table.stored is not None:
            return self.interpolate(name, [table.stored.get(first + x, {}) for x in range(prod(sizes))], variables)
        found, entries = table.segments.get(first, ([0], []))
        radices = [radix for radix in found if radix != 1]  # a digit of radix 1 is 0 and has no bits
        # A single larger radix writes the same numbers with more bits, which are −1 at all numbers in question.
        larger = len(radices) == 1 and len(sizes) <= 1 and radices[0] >= prod(sizes)
        self.refuse(radices != sizes and not larger, name, f"P1: no segment at row {first} with radices {sizes}")
        forms: Forms = [{} for _ in range(self.model.width)]
        for r, column, value in entries:
            add(forms[r], {bits[column]: value} if column < len(bits) else {ONE: -value})
        return forms

    def interpolate(self, name: str, row: list[Row], variables: Variables) -> Forms:
        """P1, stored rows: put Δ_b = row(2^b) − row(0). Row x must be row(x − 2^b) + Δ_b, for 2^b the top bit of the
        first digit of x that is not 0. So row(x) = row(0) + Σ_{b set in x} Δ_b = row(0) + Σ_b (Δ_b/2)·(1 + bit b)."""
        strides = [prod(size for _, size in variables[v + 1 :]) for v in range(len(variables))]
        parts: dict[str, Row] = {ONE: row[0]}
        halves: dict[int, Row] = {}
        for variable, stride in zip(variables, strides, strict=True):
            for j, bit in enumerate(bit_names([variable])):
                half = {r: HALF * c for r, c in plus(row[stride << j], row[0], -1).items()}
                halves[stride << j], parts[bit], parts[ONE] = half, half, plus(parts[ONE], half)
        for x in range(1, len(row)):
            stride = next(stride for stride in strides if stride <= x)
            top = stride << ((x // stride).bit_length() - 1)
            self.spend(1 + len(row[x]))
            self.refuse(plus(row[x - top], halves[top], 2) != row[x], name, f"P1: row {x} is not affine in the bits")
        return [{symbol: part[r] for symbol, part in parts.items() if r in part} for r in range(self.model.width)]

    def project(self, h: int, head: Head, x: list[Forms]) -> View:
        """q = W_Q x, k = W_K x, v = W_V x, for all kinds (with P8)."""
        parts: list[list[Forms]] = []
        for name, matrix in zip("qkv", (head.w_q, head.w_k, head.w_v), strict=True):
            names = [f"head {h} {name}[{r}]" for r in range(matrix.rows)]
            parts.append([self.apply(matrix, forms) for forms in x])
            for kind, forms in zip(self.kinds, parts[-1], strict=True):
                self.kind = kind.name
                self.size(forms, names)
        return h, head, parts[0], parts[1], parts[2]

    def attend(self, place: int, h: int, head: Head, q: list[Forms], k: list[Forms], v: list[Forms]) -> list[Forms]:
        """True descriptions of a head's output at a kind: by P4, the smallest λ first, and by P5. P2: kinds are in the
        order of the prompt, so those up to `place` are visible; wholly visible, if earlier or a single token."""
        visible = range(place + 1)
        scores = [self.scores(q[place], k[j]) for j in visible]
        for j in visible:
            self.shift(h, head, scores[j], q[place], k[j])
        spans = zip(*([span(form) for form in v[j]] for j in visible), strict=True)  # for each coordinate, all kinds'
        hulls = [(min(low for low, _ in column), max(high for _, high in column)) for column in spans]
        whole = [j for j in visible if j < place or self.kinds[j].count == 1]
        ratios = [(self.look_up(j, k[j], scores, head.shift), j) for j in whole]
        found = sorted((ratio, j) for ratio, j in ratios if ratio is not None)
        return [*(self.read(self.kinds[j], v[j], hulls, ratio) for ratio, j in found), self.hull(hulls)]

    def shift(self, h: int, head: Head, table: Scores, q: Forms, k: Forms) -> None:
        """P3: score ≤ M_11 + Σ_{(a,b)≠(1,1)} |M_ab|·radius_a·radius_b and score ≤ Σ_r max|q_r|·max|k_r|; one of the two
        bounds must be ≤ shift, so that all weights are at most 2^P."""
        bound = sum((upper(column, b == ONE) * radius(b) for b, column in table.items()), ZERO)
        if bound > head.shift:
            bound = min(bound, sum((upper(a) * upper(b) for a, b in zip(q, k, strict=True)), ZERO))
        self.refuse(bound > head.shift, f"head {h}", f"P3: score up to {show(bound)}, shift {show(head.shift)}")

    def look_up(self, place: int, keys: Forms, scores: list[Scores], shift: Fraction) -> Fraction | None:
        """P4: λ ≥ (weight of all other keys)/(weight of the target's matching key); None if the rule does not apply.
        λ = e^{2ρ}·(min(Π_b(1+e^{-2τ_b}), 1 + (count−1)·e^{-2 min τ}) − 1) + Σ_{J≠T} E_J, and ·(1 + 1/w) if inexact."""
        target, table = self.kinds[place], scores[place]
        bits, constant = target.address_bits, table.get(ONE, {})
        taus = [table.get(bit, {}).get(target.fact[bit], ZERO) for bit in bits]
        if (
            any(b != ONE and b not in bits for form in keys for b in form)  # (a)
            or any(len(table.get(bit, {})) != 1 or tau <= 0 for bit, tau in zip(bits, taus, strict=True))  # (b)
            or any(isinstance(a, str) and a != ONE for a in constant)  # (c)
        ):
            return None
        sigma = constant.get(ONE, ZERO) + sum(taus)
        rho = upper(constant) - abs(constant.get(ONE, ZERO))
        self.spend(64 * len(scores))
        exponents = [self.rival(self.kinds[j], scores[j], rho - sigma) for j in range(len(scores)) if j != place]
        if max([2 * rho, *(exponent for exponent, _ in exponents)]) > MAX_EXPONENT:
            return None
        patterns = patterns_sum(taus)
        if taus:
            patterns = min(patterns, 1 + (target.count - 1) * exp(-2 * min(taus))[1])
        ratio = exp(2 * rho)[1] * (patterns - 1)
        ratio += sum((exp(exponent)[1] * factor for exponent, factor in exponents), ZERO)
        if rho == 0 and sigma == shift:
            return round_up(ratio)
        # The match weighs W = floor(x) ≥ w for some real x, and x/W < 1 + 1/W ≤ 1 + 1/w. A lower bound in place of e^…
        # can only make w smaller, and 1 + 1/w larger.
        w = floor(2**self.model.weight_bits * exp(sigma - rho - shift)[0])
        return round_up(ratio * (1 + Fraction(1, w))) if w >= 1 else None

    def rival(self, kind: Kind, table: Scores, offset: Fraction) -> tuple[Fraction, Fraction]:
        """P4: E_J = e^{offset+u_J}·min(Π_b(e^{U_b}+e^{-U_b}), count_J·e^{ΣU_b}), with offset = ρ − σ, as an exponent
        and a factor: e^{offset+u_J+ΣU_b} and min(Π_b(1+e^{-2U_b}), count_J)."""
        u = [upper(table.get(bit, {})) for bit in kind.address_bits]  # 0 for a bit that no query sees: its factor is 2
        columns = [(b, column) for b, column in table.items() if b not in kind.address_bits]
        others = sum((upper(column, b == ONE) * radius(b) for b, column in columns), ZERO)
        return offset + others + sum(u), min(patterns_sum(u), Fraction(kind.count))

    def read(self, target: Kind, values: Forms, hulls: list[tuple[Fraction, Fraction]], ratio: Fraction) -> Forms:
        """P4, output: the target's values at the fact's address, plus noise of radius D_r·λ/(1+λ) + 2^-f. Noise in the
        values is that of one token, the match: one fresh symbol each, shared by the coordinates."""
        fresh: dict[Noise, Noise] = {}
        output: Forms = []
        for form, (low, high) in zip(values, hulls, strict=True):
            output.append({Noise(round_up((high - low) * Fraction(ratio, 1 + ratio)) + self.model.unit): UNIT})
            for s, c in form.items():
                image = fresh.setdefault(s, Noise(s.radius)) if isinstance(s, Noise) else target.fact.get(s, s)
                add(output[-1], {image: c})
        return output

    def hull(self, hulls: list[tuple[Fraction, Fraction]]) -> Forms:
        """P5: the output lies between min(0, low), rounded down to a multiple of 2^-f, and max(0, high)."""
        down = self.model.unit
        ends = [(floor(min(ZERO, Fraction(low, down))) * down, max(ZERO, high)) for low, high in hulls]
        return [plus({Noise(HALF * (top - end)): UNIT}, {ONE: HALF * (top + end)}) for end, top in ends]

    def mlp(self, layer: Layer, x: Forms) -> Forms:
        """P6: x + W_2·relu(W_1 x + b_1) + b_2, where relu(h) is h, or 0, or split on a bit s, or h/2 + |h|/2. The units
        split on s give (G₊+G₋)/2 + s·(G₊−G₋)/2, with G± their sums through W_2 for s = ±1."""
        h = self.apply(layer.b_1, [{ONE: UNIT}], self.apply(layer.w_1, x))
        self.size(h, [f"mlp[{unit}]" for unit in range(len(h))])
        plain: dict[int, Form] = {}
        cases: dict[str, tuple[dict[int, Form], dict[int, Form]]] = {}
        moduli: dict[frozenset[tuple[Symbol, Fraction]], Noise] = {}
        for unit, form in enumerate(h):
            if (relu := one_sign(form)) is not None:
                plain[unit] = relu
            elif split := self.split(form):
                plus_case, minus_case = cases.setdefault(split[0], ({}, {}))
                plus_case[unit], minus_case[unit] = split[1:]
            else:
                scale = sum((abs(c) for c in form.values()), ZERO)  # the multiples of a form share one g, up to sign
                g: Form = {s: Fraction(c, scale) for s, c in form.items()}
                modulus = moduli.setdefault(frozenset(g.items()), Noise(upper(g), g))
                moduli[frozenset((s, -c) for s, c in g.items())] = modulus
                plain[unit] = plus({modulus: HALF * scale}, form, HALF)
        result = self.apply(layer.b_2, [{ONE: UNIT}], self.apply(layer.w_2, plain, [dict(form) for form in x]))
        for bit, (plus_case, minus_case) in cases.items():
            product: dict[Symbol, Symbol] = {ONE: bit}  # s·1 = s, and s·σ is a fresh symbol of σ's radius, as |s| = 1
            sums = self.apply(layer.w_2, plus_case), self.apply(layer.w_2, minus_case)
            for total, high, low in zip(result, *sums, strict=True):
                add(total, plus(high, low), HALF)
                for s, c in plus(high, low, -1).items():
                    add(total, {product.setdefault(s, Noise(radius(s))): HALF * c})
        return result

    def split(self, form: Form) -> tuple[str, Form, Form] | None:
        """P6: the bit with the largest |coefficient| and relu(form) for its two values, if each leaves one sign."""
        bits = [s for s in form if isinstance(s, str) and s != ONE]
        if not bits:
            return None
        bit = min(bits, key=lambda s: (-abs(form[s]), self.model.task.rank[s]))
        rest = {s: c for s, c in form.items() if s != bit}
        up, down = (one_sign(plus(rest, {ONE: form[bit]}, sign)) for sign in (1, -1))
        return None if up is None or down is None else (bit, up, down)

    def contain(self, derived: Forms, claimed: Invariant) -> None:
        """P7: derived = A·symbols + Σ_j column_j·ν_j as forms, for some ν_j with |ν_j| ≤ r_j. In derived − claimed the
        ν_j are unknowns: one row expresses each, and is put into the others; what remains must be 0. And P8."""
        gap = [plus(form, other, -1) for form, other in zip(derived, claimed.forms, strict=True)]
        solved: dict[int, Noise] = {}
        for nu in claimed.noise:
            rows = [r for r, row in enumerate(gap) if nu in row]
            pivot = next((r for r in rows if r not in solved), -1)
            self.refuse(pivot < 0, "invariant", "P7: the noise columns are not independent")
            solved[pivot], coefficient = nu, gap[pivot].pop(nu)
            gap[pivot] = {s: Fraction(-c, coefficient) for s, c in gap[pivot].items()}
            for r in rows:
                if r != pivot:
                    add(gap[r], gap[pivot], gap[r].pop(nu))
            self.spend(len(gap) + len(rows) * len(gap[pivot]))
        for r, (slot, row) in enumerate(zip(self.model.slots, gap, strict=True)):
            reach, most = (extreme(row), solved[r].radius) if r in solved else (upper(row), ZERO)
            self.refuse(reach > most, slot, f"P7: up to {show(reach)} off the claimed form, allowed {show(most)}")
        self.size(claimed.forms, self.model.slots)

    def size(self, forms: Forms, slots: list[str]) -> None:
        """P8: every coordinate is within ±2^(p−f)."""
        for slot, form in zip(slots, forms, strict=True):
            reach = upper(form)
            self.refuse(reach > self.model.bound, slot, f"P8: up to {show(reach)}, beyond 2^(p-f)")

    def answer(self) -> Fraction:
        """Answer: the logit of v is Σ M_ab·s_a·t_b, t the bits of v. Column b holds τ_b > 0 in the row of bit b of iL,
        and else noise; column 1 holds `1` and noise. So the logit of iL is above the others by 2·min τ − 2ρ or more."""
        sizes, self.kind = self.model.task.sizes, "w"
        variables = [(f"i{len(sizes)}", sizes[-1])]
        keys = self.rows("unembedding", self.model.unembedding, 0, variables)
        table = self.scores(self.model.invariants[-1][-1].forms, keys)
        for b, column in table.items():
            wrong = [a for a in column if isinstance(a, str) and a != b]
            self.refuse(bool(wrong), "unembedding", f"answer: {b} of the unembedding meets {wrong[:1]} of the stream")
        noise = sum((abs(c) * a.radius for t in table.values() for a, c in t.items() if isinstance(a, Noise)), ZERO)
        taus = [table.get(b, {}).get(b, ZERO) for b in bit_names(variables)]
        margin = 2 * min(taus, default=ZERO) - 2 * noise
        self.refuse(margin <= 0, "unembedding", f"answer: the margin {show(margin)} is not positive")
        return margin

    def scores(self, q: Forms, k: Forms) -> Scores:
        """M = (q forms)ᵀ(k forms), by columns: M[b][a] is the coefficient of s_a·t_b in Σ_r q_r·k_r."""
        table: Scores = {}
        for a, b in zip(q, k, strict=True):
            self.spend(1 + len(a) * len(b))
            for symbol, c in b.items():
                add(table.setdefault(symbol, {}), a, c)
        return {symbol: column for symbol, column in table.items() if column}

    def apply(self, matrix: Matrix, x: Forms | dict[int, Form], start: Forms | None = None) -> Forms:
        """start + matrix·x (start is changed)."""
        result: Forms = [{} for _ in range(matrix.rows)] if start is None else start
        sources = x if isinstance(x, dict) else dict(enumerate(x))
        self.spend(matrix.rows + len(matrix.entries))
        for row, column, value in matrix.entries:
            if source := sources.get(column):
                self.spend(len(source))
                add(result[row], source, value)
        return result

    def spend(self, amount: int) -> None:
        self.work += amount
        need(self.work <= MAX_WORK, "the check takes more work than MAX_WORK")

    def refuse(self, condition: bool, slot: str, reason: str) -> None:
        refuse(condition, f"layer {self.layer}, kind {self.kind}, slot {slot}: {reason}")


# --- forms: linear combinations of symbols, without zero coefficients ---


@dataclass(frozen=True, eq=False)
class Noise:
    """An unknown number within ±radius, different from every other such symbol; with `of`, the number |of|."""

    radius: Fraction
    of: Form | None = None


Symbol = str | Noise  # a string is `1` or a bit
Form = dict[Symbol, Fraction]
Forms = list[Form]
Scores = dict[Symbol, Form]
View = tuple[int, "Head", list[Forms], list[Forms], list[Forms]]  # number, head, q, k, v
Row = dict[int, Fraction]
Variables = Sequence[tuple[str, int]]  # names and sizes


def add(target: dict[Any, Fraction], source: dict[Any, Fraction], factor: Fraction | int = 1) -> None:
    """target += factor·source."""
    for symbol, value in source.items():
        product = value if factor == 1 else value * factor
        total = target[symbol] + product if symbol in target else product
        if total:
            target[symbol] = total
        else:
            target.pop(symbol, None)


def plus(form: dict[Any, Fraction], other: dict[Any, Fraction], factor: Fraction | int = 1) -> dict[Any, Fraction]:
    """form + factor·other."""
    result = dict(form)
    add(result, other, factor)
    return result


def radius(symbol: Symbol) -> Fraction:
    return symbol.radius if isinstance(symbol, Noise) else UNIT


def upper(form: Form, signed: bool = False) -> Fraction:
    """The maximum of |form|; signed: of form."""
    return sum((c if signed and s == ONE else abs(c) * radius(s) for s, c in form.items()), ZERO)


def span(form: Form) -> tuple[Fraction, Fraction]:
    """The range of a form: its constant ± Σ |coefficient|·radius."""
    high = upper(form, True)
    return 2 * form.get(ONE, ZERO) - high, high


def one_sign(form: Form) -> Form | None:
    """relu(form), if the range of the form has one sign."""
    low, high = span(form)
    return form if low >= 0 else {} if high <= 0 else None


def extreme(form: Form) -> Fraction:
    """P7: an upper bound of |form|. All |g| whose g = g_1 + g_ν·ν mentions one symbol are taken together with ν: their
    sum is piecewise linear in ν, with extremes at ±radius or zeros of the g. Any other |g| is in [0, max |g|]."""
    low = high = form.get(ONE, ZERO)
    joint: dict[Symbol, list[tuple[Fraction, Form]]] = {}
    for symbol, c in form.items():
        if not isinstance(symbol, Noise) or symbol.of is None:
            joint.setdefault(symbol, [])
        elif len(unknowns := [s for s in symbol.of if s != ONE]) == 1:
            joint.setdefault(unknowns[0], []).append((c, symbol.of))
        else:
            low, high = low + min(ZERO, c * symbol.radius), high + max(ZERO, c * symbol.radius)
    joint.pop(ONE, None)
    for nu, parts in joint.items():
        zeros = (Fraction(-g.get(ONE, ZERO), g[nu]) for _, g in parts)
        values = [
            form.get(nu, ZERO) * x + sum((c * abs(g.get(ONE, ZERO) + g[nu] * x) for c, g in parts), ZERO)
            for x in (-radius(nu), radius(nu), *(zero for zero in zeros if abs(zero) <= radius(nu)))
        ]
        low, high = low + min(values), high + max(values)
    return max(-low, high)


# --- rational bounds of exp and log2 ---


@lru_cache(maxsize=4096)
def exp(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals low ≤ e^x ≤ high, for x ≤ MAX_EXPONENT. Integers stand for multiples of 2^-DIGITS, rounded down for low
    and up for high. e^|x| is the 2^k-th power of e^y, y = |x|/2^k < 1/2, and e^y is its Taylor sum plus a rest of at
    most the last term t_n: t_{n+1} + t_{n+2} + … ≤ t_n·(y + y² + …) ≤ t_n."""
    if x < -MAX_EXPONENT:
        return ZERO, exp(Fraction(-MAX_EXPONENT))[1]
    k, one = floor(abs(x)).bit_length() + 1, 1 << DIGITS
    low_y = floor(abs(x) * Fraction(one, 2**k))
    high_y = low_y + 1 if x else 0
    low = high = low_term = high_term = one
    for n in range(1, 60):
        low_term, high_term = low_term * low_y // (n * one), -(-high_term * high_y // (n * one))
        low, high = low + low_term, high + high_term
    high += high_term
    for _ in range(k):
        low, high = low * low // one, -(-high * high // one)
    return (Fraction(low, one), Fraction(high, one)) if x >= 0 else (Fraction(one, high), Fraction(one, low))


def patterns_sum(exponents: list[Fraction]) -> Fraction:
    """A rational ≥ Π (1 + e^{-2x}), for x ≥ 0: the sum over all sign patterns."""
    result = UNIT
    for x in exponents:
        result = round_up(result * (1 + exp(-2 * x)[1]))
    return result


def round_up(x: Fraction) -> Fraction:
    """The next multiple of 2^-DIGITS, which keeps numbers short."""
    return Fraction(ceil(x * 2**DIGITS), 2**DIGITS)


def log2_lower(n: int) -> Fraction:
    """A rational ≤ log2(n), equal if n is a power of two. With n = 2^e·y, 1 ≤ y < 2, the next binary digit of log2(y)
    is 1 if y² ≥ 2; go on with y² or y²/2. Rounding y down can only make the result smaller."""
    result = n.bit_length() - 1
    y = (n << 2 * DIGITS) >> result
    for _ in range(DIGITS):
        y = y * y >> 2 * DIGITS
        digit = y >> 2 * DIGITS + 1
        result, y = 2 * result + digit, y >> digit
    return Fraction(result, 2**DIGITS)


# --- reading the document: types, ranges and keys are checked before anything is used ---


@dataclass(frozen=True)
class Kind:
    """A kind of token. `address`: the variables that tell its tokens apart; `spelled`: those that its token id spells;
    `fact`: own bit -> the global bit which it equals at the token that the fact is about."""

    name: str
    first: int
    count: int
    address: Variables
    first_id: int
    spelled: Variables
    address_bits: list[str]
    fact: dict[str, str]


class Task:
    """FuncComp: sizes N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ; kinds in the order of the prompt."""

    def __init__(self, value: Any) -> None:
        name, m, n = fields(value, "task m n")
        need(name == "funccomp", "unknown task")
        self.m, self.n = integer(m, 1), [integer(size, 1) for size in listed(n)]
        self.sizes = list(itertools.accumulate([self.m, *self.n], lambda a, b: a * b))
        need(len(self.sizes) <= MAX_LENGTH and self.sizes[-1].bit_length() <= MAX_PRECISION, "the task is too large")
        w = [(f"w{ell}", size) for ell, size in enumerate(self.n, 1)]
        hops = [("i0", self.m), *((f"i{ell}", size) for ell, size in enumerate(self.sizes, 1))]
        self.kinds: list[Kind] = []
        self.tokens, self.ids = 0, self.sizes[-1] + prod(self.n)
        for ell in range(len(self.sizes), 0, -1):
            known = [*w[ell - 2 : ell - 1], hops[ell - 1]] if ell > 1 else hops[:1]
            address = [("digit" if name[0] == "w" else "index", size) for name, size in known]
            self.add_kind(f"table {ell}", address, 0, [("value", self.sizes[ell - 1])], [*known, hops[ell]])
        self.add_kind("z0", [], 0, hops[:1], hops[:1])
        self.add_kind("w", [], self.sizes[-1], w, w)
        self.global_bits = bit_names([*w, *hops])
        local = bit_names([(name, self.sizes[-1]) for name in ("digit", "index", "value")])
        self.rank = {bit: place for place, bit in enumerate([*local, *self.global_bits])}

    def add_kind(self, name: str, address: Variables, first_id: int, spelled: Variables, known: Variables) -> None:
        """A kind whose own variables, address and spelled, are those called `known` in its fact."""
        bits, fact = bit_names(address), dict(zip(bit_names([*address, *spelled]), bit_names(known), strict=True))
        count = prod(size for _, size in address)
        self.kinds.append(Kind(name, self.tokens, count, address, first_id, spelled, bits, fact))
        self.tokens += count

    def inputs_log2(self) -> Fraction:
        """A lower bound of log2(m·W·Π N_{ℓ-1}^{N_{ℓ-1}}), exact if that is an integer."""
        factors = [*((n, 1) for n in (self.m, *self.n)), *((n, n) for n in self.sizes)]
        return sum((exponent * log2_lower(n) for n, exponent in factors), ZERO)


Entry = tuple[int, int, Fraction]  # row, column, number


class Matrix(NamedTuple):
    rows: int
    entries: list[Entry]  # not 0, no two at the same place


class RowTable(NamedTuple):
    stored: dict[int, Row] | None  # row -> coordinate -> number
    segments: dict[int, tuple[list[int], list[Entry]]]  # start -> radices, entries of the matrix


class Head(NamedTuple):
    w_q: Matrix
    w_k: Matrix
    w_v: Matrix
    w_o: Matrix
    shift: Fraction


class Layer(NamedTuple):
    heads: list[Head]
    w_1: Matrix
    b_1: Matrix
    w_2: Matrix
    b_2: Matrix


class Invariant(NamedTuple):
    forms: Forms
    noise: list[Noise]  # the noise symbols in forms; they occur nowhere else


class Model:
    """The model file; `slots` are the names of the coordinates."""

    def __init__(self, value: Any) -> None:
        keys = "schema task precision slots positions tokens unembedding layers invariants"
        schema, task, precision, slots, positions, tokens, unembedding, layers, invariants = fields(value, keys)
        need(schema == "separation.model/1", "unknown schema of the model")
        self.task = Task(task)
        bits = [integer(size, 0, MAX_PRECISION) for size in fields(precision, "P p fraction")]
        self.weight_bits, self.activation_bits, self.fraction = bits
        need(self.fraction <= self.activation_bits, "fraction is larger than p")
        self.unit, self.bound = Fraction(1, 2**self.fraction), 2 ** (self.activation_bits - self.fraction)
        pairs = [fields(slot, "name width") for slot in listed(slots)]
        names = [(string(name), integer(width, 0, MAX_WIDTH)) for name, width in pairs]
        self.width = sum(width for _, width in names)
        need(len(dict(names)) == len(names) and self.width <= MAX_WIDTH, "slots: a repeated name, or too wide")
        self.slots = [f"{name}[{r}]" for name, width in names for r in range(width)]
        self.positions = row_table(positions, self.task.tokens, self.width)
        self.tokens = row_table(tokens, self.task.ids, self.width)
        self.unembedding = row_table(unembedding, self.task.sizes[-1], self.width)
        self.layers = [self.read_layer(layer) for layer in listed(layers)]
        stages, kinds = listed(invariants, len(self.layers) + 1), self.task.kinds
        need(len(self.layers) <= MAX_LENGTH and len(stages) * len(kinds) * self.width <= MAX_CELLS, "too many layers")
        values = [fields(stage, ",".join(kind.name for kind in kinds), ",") for stage in stages]
        self.invariants = [[self.read_invariant(*pair) for pair in zip(stage, kinds, strict=True)] for stage in values]

    def read_layer(self, value: Any) -> Layer:
        head_values, mlp = fields(value, "heads mlp")
        heads, d = [], self.width
        for head in listed(head_values):
            q, k, v, o, shift = fields(head, "W_Q W_K W_V W_O shift")
            w_q, w_v = matrix(q, None, d), matrix(v, None, d)
            heads.append(Head(w_q, matrix(k, w_q.rows, d), w_v, matrix(o, d, w_v.rows), number(shift)))
        need(len(heads) <= MAX_LENGTH, "too many heads")
        first, b_1, second, b_2 = fields(mlp, "W_1 b_1 W_2 b_2")
        w_1 = matrix(first, None, d)
        return Layer(heads, w_1, matrix(b_1, w_1.rows, 1), matrix(second, d, w_1.rows), matrix(b_2, d, 1))

    def read_invariant(self, value: Any, kind: Kind) -> Invariant:
        """A kind's invariant may mention `1`, the bits of its own variables and those of the global ones."""
        entries, noise_values = fields(value, "forms noise")
        forms: Forms = [{} for _ in range(self.width)]
        noise: list[Noise] = []
        symbols = {ONE, *kind.fact, *self.task.global_bits}
        triples: list[list[Any]] = [listed(entry, 3) for entry in listed(entries)]
        need(all(isinstance(s, str) and s in symbols for _, s, _ in triples), f"unknown symbol at {kind.name}")
        for part in listed(noise_values):
            size, column = fields(part, "radius column")
            noise.append(Noise(number(size)))
            need(noise[-1].radius >= 0, "a negative radius")
            triples += [[row, noise[-1], c] for row, c in (listed(entry, 2) for entry in listed(column))]
        for row, symbol, c in triples:
            form = forms[integer(row, 0, self.width - 1)]
            need(symbol not in form, "an invariant has a repeated entry")
            form[symbol] = number(c)
        return Invariant([{s: c for s, c in form.items() if c} for form in forms], noise)


def row_table(value: Any, rows: int, width: int) -> RowTable:
    """A table of `rows` rows: stored, or declared by segments that cover each row once."""
    if isinstance(value, dict) and "stored" in value:
        need(rows <= MAX_STORED, f"more than {MAX_STORED} stored rows")
        stored: dict[int, Row] = {}
        for row, r, c in matrix(fields(value, "stored")[0], rows, width).entries:
            stored.setdefault(row, {})[r] = c
        return RowTable(stored, {})
    segments, end = {}, 0
    parts = [fields(part, "start radices matrix") for part in listed(fields(value, "declared")[0])]
    for start, digits, body in sorted(parts, key=lambda part: integer(part[0])):
        need(integer(start) == end, "the segments of a row table overlap or leave gaps")
        radices = [integer(radix, 1) for radix in listed(digits)]
        need(len(radices) <= MAX_LENGTH, "too many radices")
        segments[end] = radices, matrix(body, width, 1 + len(bit_names([("", radix) for radix in radices]))).entries
        end += prod(radices)
    need(end == rows, "the segments of a row table do not cover its rows")
    return RowTable(None, segments)


def matrix(value: Any, rows: int | None, columns: int) -> Matrix:
    """A matrix of this shape (None: any number of rows)."""
    shape, triples = fields(value, "shape entries")
    height, width = (integer(size) for size in listed(shape, 2))
    need(width == columns and (height <= MAX_WIDTH if rows is None else height == rows), "a matrix of another shape")
    entries: dict[tuple[int, int], Fraction] = {}
    for row, column, c in (listed(entry, 3) for entry in listed(triples)):
        place = integer(row, 0, height - 1), integer(column, 0, width - 1)
        need(place not in entries, "a matrix has a repeated entry")
        entries[place] = number(c)
    return Matrix(height, [(*place, c) for place, c in entries.items() if c])


def bit_names(variables: Variables) -> list[str]:
    """The bits of the variables in order, least significant first: bitlength(r − 1) for a variable of size r."""
    return [f"{name}.{j}" for name, size in variables for j in range((size - 1).bit_length())]


def number(value: Any) -> Fraction:
    """An exact number: an integer up to 2^53, "a" or "a/b"."""
    if type(value) is int and abs(value) <= 2**53:  # neither bool nor float
        return Fraction(value)
    parts = NUMBER.fullmatch(value) if isinstance(value, str) else None
    if parts is None or int(parts[2] or 1) == 0:
        raise Malformed("not an exact number, that is an integer up to 2^53, or a string like 7 or 1/2")
    return Fraction(int(parts[1]), int(parts[2] or 1))


def integer(value: Any, low: int = 0, high: int | None = None) -> int:
    """An integer within bounds; it is a string if and only if it is beyond 2^53."""
    exact: Fraction | int = value if type(value) is int else number(value)
    need(exact.denominator == 1 and (type(value) is int) == (-(2**53) <= exact <= 2**53), "not an integer")
    need(low <= exact and (high is None or exact <= high), "an integer out of range")
    return int(exact)


def fields(value: Any, keys: str, separator: str = " ") -> list[Any]:
    """The values of an object with exactly these keys: nothing unchecked rides along."""
    need(isinstance(value, dict) and set(value) == set(keys.split(separator)), f"not an object with the keys {keys}")
    return [value[key] for key in keys.split(separator)]


def listed(value: Any, length: int | None = None) -> list[Any]:
    need(isinstance(value, list) and length in (None, len(value)), "not a list of the right length")
    return list(value)


def string(value: Any) -> str:
    need(isinstance(value, str) and len(value) <= 200 and value.isprintable(), "not a short string")
    return str(value)


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len(dict(pairs)) == len(pairs), "a key is repeated")
    return dict(pairs)


def need(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)


def refuse(condition: bool, message: str) -> None:
    if condition:
        raise Rejected(message)


def show(x: Fraction | int) -> str:
    """A number for a message, in a few characters."""
    thousandths, size = floor(Fraction(x) * 1000), x.numerator.bit_length() - x.denominator.bit_length()
    if x.numerator.bit_length() + x.denominator.bit_length() < 100:
        return str(x)
    return f"about {thousandths}/1000" if abs(size) < 64 else f"about {'-' if x < 0 else ''}2^{size}"


def main(file: str = "") -> int:
    """One line on a file, and the exit status."""
    try:
        with open(file, "rb") as stream:
            verdict = check_text(stream.read(MAX_BYTES + 1))
    except (OSError, Malformed) as error:
        status, line = 2, f"no certificate: {error}"
    else:
        status, line = (0, "proved: ") if verdict.ok else (1, "not proved: ")
        line += verdict.message
    print(line.encode("ascii", "replace").decode())
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
