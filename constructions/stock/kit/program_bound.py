"""How far the stock forward pass of a program's weights can be from what the program says: a bound for all inputs.

The rules of `FloatDerivation`, with what the stock classes do besides: a norm before each sublayer and before the
logits moves what is read, rotary embeddings turn queries and keys by almost nothing, and scores are scaled. What is
assumed of the machine is what docs/stock.md assumes for C1: rounding to nearest, sums in any order, exp within 64
units, LayerNorm's mean within γ_{d+16} of the mean of absolute values, and variances within 8·γ_{d+16}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, exp, expm1, sqrt
from typing import Any

import numpy as np

from constructions.stock.gpt2.bound import EXP_UNITS
from constructions.stock.kit.program_models import BALLAST, EPSILON, GPT2_BALLAST, STILL, sharpened
from constructions.stock.kit.programs import TARGETS
from constructions.stock.kit.target import Certificate, Tensors, first_difference
from separation.arithmetic import ExactMatrix
from separation.models import MLP, Model
from separation.numeric.arithmetic import Arithmetic, TooLong, arithmetic_of, gamma
from separation.numeric.float_errors import OUTWARD, Values, Vector, mapped, values_of, weight_error, with_noise
from separation.numeric.float_programs import FloatDerivation, Forms
from separation.programs import CompiledProgram
from separation.proving import kernel, kernel_programs
from separation.proving.certificates import program_proof
from separation.proving.kernel_forms import Form, maximum, polynomial, span, split, times, wobble
from separation.proving.kernel_forms import add as added

CERTIFIED = ("gpt2", "llama")
GRID = 1 << 6
"""Coefficients of forms with noise are kept as multiples of 1/GRID; what they lose becomes noise."""
SCORE_ROUNDINGS = 6
"""√d·W_Q is rounded twice; 1/√d may stand as its root in queries and keys, each rounded, and so is each product."""


@dataclass(frozen=True)
class StockProgram:
    """A program in the layout of a class, and what is certified of it; None for a class without a bound.

    ``factor``: queries are so many times as long as in the exact proof, which divides what others weigh by a power.
    """

    config: dict[str, Any]
    tensors: Tensors
    certificate: Certificate | None
    factor: int = 1


def stock_program(compiled: CompiledProgram, to: str, dtype: str = "float32") -> StockProgram:
    """The tensors and their certificate; with longer queries where others would weigh too much."""
    if to not in CERTIFIED:
        config, tensors = TARGETS[to](compiled.program, compiled.model, dtype)
        return StockProgram(config, tensors, None)
    tried: list[StockProgram] = []
    for factor in QUERY_FACTORS:
        config, tensors = TARGETS[to](compiled.program, sharpened(compiled.model, factor), dtype)
        certificate = certify_program(compiled, to, dtype, (config, tensors), factor)
        tried.append(StockProgram(config, tensors, certificate, factor))
        if certificate.ok or not certificate.leaks:
            break
    best = next((each for each in tried if each.certificate and each.certificate.ok), tried[0])
    found = best.certificate
    if found and not found.ok and (to, dtype) == ("gpt2", "float32"):
        wider = stock_program(compiled, to, "float64").certificate
        if wider and wider.ok:
            return replace(best, certificate=found.refused(f"{found.reason}; certified with --dtype float64"))
    return best


def certify_program(
    compiled: CompiledProgram, to: str, dtype: str, found: tuple[Mapping[str, Any], Tensors], factor: int = 1
) -> ProgramCertificate:
    """The certificate of this config and these tensors, number by number the program's, queries times ``factor``."""
    model = sharpened(compiled.model, factor)
    wanted = TARGETS[to](compiled.program, model, dtype)
    proof = program_proof(compiled.construction)
    if proof.certificate is None:
        return ProgramCertificate(0.0, None, reason="the exact proof fails", dtype=dtype)
    margin = float(proof.proof.margin or 0)
    run = StockDerivation(proof.certificate, compiled, model, to, dtype, wanted[0])
    run.above = ABOVE + ceil((factor - 1) * max([0, *(head.shift for each in run.model.layers for head in each.heads)]))
    kernel.Work.start()
    try:
        left = float(run.run())
    except (TooLong, kernel.Rejected, kernel.Declined) as failure:
        reason = f"{failure}".replace("is above the shift", f"may be off by more than {ABOVE}")
        return ProgramCertificate(
            margin, None, reason=reason, dtype=dtype, leaks=bool(run.doubts) and kernel.Work.units < QUICK
        )
    lead = max(0.0, margin - left) * OUTWARD
    reason = f"a lead may lose {lead:.3g} of the margin {margin:g}" if lead >= margin else ""
    further = {"lead_bound": lead, "query_factor": float(factor)}
    result = ProgramCertificate(margin, run.logit, reason=reason, lead=lead, dtype=dtype, further=further)
    names = [first_difference(*pair) for pair in zip(found, wanted, strict=True)]
    fault = next((name for name in names if name), None)
    return result if fault is None else replace(result, bound=None, reason=f"{fault} is not that of the program")


@dataclass(frozen=True)
class ProgramCertificate(Certificate):
    """``leaks``: there is none, a head was met where others may weigh too much, and it took little work to see."""

    leaks: bool = False


QUERY_FACTORS = (1, 2, 4)
QUICK = 1 << 22
"""Units of the kernel's work, after which no other factor is tried."""
ABOVE = 1000
"""By how much noise may raise a score; a softmax has no shift, that of the derivation is raised by so much."""
EXACT_BITS = 1 << 12
"""In place of P and p of the exact run, which say nothing of floats."""


class StockDerivation(FloatDerivation):
    """`run` gives the margin of float logits; ``logit``: how far one of them is from that of the same weights in real
    numbers, without norms: both are within the noise of one form, and a float is rounded once more."""

    def __init__(
        self,
        certificate: Mapping[str, Any],
        compiled: CompiledProgram,
        model: Model,
        to: str,
        dtype: str,
        config: Mapping[str, Any],
    ) -> None:
        # Llama's norms, angles and eager softmax are in float32 whatever the type of the model.
        arithmetic: Arithmetic = arithmetic_of("float32" if to == "llama" else dtype, "full")
        tokens = compiled.program.length
        super().__init__(certificate["model"], certificate["example"], model, arithmetic, tokens)
        # Softmax subtracts the largest score: no weight is rounded to a multiple of 2^-P, and maps look at the range.
        self.model.weight_bits, self.model.bound = EXACT_BITS, 1 << EXACT_BITS
        self.to, self.dtype, self.ids = to, dtype, config["vocab_size"]
        self.width = config["n_embd" if to == "gpt2" else "hidden_size"]
        self.unit = float(arithmetic.wide.unit)
        self.skew = dict.fromkeys(self.kinds, 0.0)
        """Σ |x_i + x'_i| for the two halves of a row, x' = −x but for roundings, which nothing cancels."""
        self.one = model.stream["one"][0]

    def run(self) -> kernel.Rational:
        """As in floats, but that each sublayer reads a norm of the stream; the heads of a layer are one product."""
        x = {kind: self.embedding(self.program.kinds[kind]) for kind in self.kinds}
        for number, (layer, own) in enumerate(zip(self.model.layers, self.floats.layers, strict=True), 1):
            z = {kind: self.normed(kind, forms) for kind, forms in x.items()}
            said: dict[str, Forms] = {kind: [] for kind in self.kinds}
            for h, (head, exact) in enumerate(zip(layer.heads, own.heads, strict=True)):
                self.at, self.place = f"layer {number}, head {h}", (number, h)
                if head.type != "full":
                    raise TooLong(f"{self.at} is no full attention")
                for kind, forms in self.float_attention(head, exact, z).items():
                    said[kind] += forms
            if own.heads:
                output = _side_by_side([head.w_o for head in own.heads])
                x = {kind: self.after_heads(kind, x[kind], output, said[kind]) for kind in self.kinds}
            for m, (mlp, units) in enumerate(zip(layer.mlps, own.mlps, strict=True)):
                self.at = f"layer {number}, MLP {m}"
                x = {kind: self.float_relu(kind, list(mlp.values()), units, x[kind]) for kind in self.kinds}
        self.at = "answer"
        return self.float_answer(x[self.program.answer_kind])

    # ---- norms

    def normed(self, kind: str, x: Forms) -> Forms:
        return with_noise(x, self.norm_error(kind, x))

    def norm_error(self, kind: str, x: Forms) -> Vector:
        """|ρ·x + … − x|: the ballast makes ρ nearly 1, and GPT-2 subtracts a mean that is nearly 0."""
        size = values_of(x).size
        scale, mean = self.scale(kind, size)
        return (size * scale + mean * (1 + scale)) * OUTWARD

    def scale(self, kind: str, size: Vector) -> tuple[float, float]:
        """(by how much ρ may differ from 1, the largest mean), as in `gpt2/bound.py`; RMSNorm subtracts nothing."""
        d, skew, halves = self.width, self.skew[kind], 2 if self.to == "gpt2" else 1
        length, mean = float(gamma(d + 16, self.arithmetic.wide.unit)), 0.0
        squares = halves * float(size @ size) + 2 * float(size.max(initial=0.0)) * skew + skew**2
        ballast = GPT2_BALLAST[self.dtype] if self.to == "gpt2" else BALLAST
        if self.to == "gpt2":
            mean = skew / d + length * (2 * ballast + 2 * float(size.sum()) + skew) / d
        off = (squares + d * EPSILON[self.to] + d * mean**2) / (halves * ballast**2)
        off += 8 * length * (1 + off)
        if off > 0.5:
            raise TooLong(f"{self.at}: the norm of a row at {kind} is not known")
        inside, stored = float(gamma(10, self.arithmetic.wide.unit)), 2 * self.unit  # the gain is stored, too
        return ((1 + stored) * (1 + inside) / sqrt(1 - off) - 1) * OUTWARD, mean * OUTWARD

    # ---- steps

    def projected(self, name: str, matrix: ExactMatrix, x: Forms) -> Forms:
        forms, reach = super().projected(name, matrix, x), mapped(values_of(x), matrix, self.arithmetic).size
        off = SCORE_ROUNDINGS * self.unit * reach if name == "w_q" else np.zeros(len(forms))
        if self.to == "llama" and name != "w_v":
            # x·cos θ + x'·sin θ, for the coordinate x' that is turned with x.
            angle = self.tokens / sqrt(STILL) + 8 * self.unit
            off = off + angle * (reach + reach.max(initial=0.0))
        return with_noise(forms, off * OUTWARD)

    def weighing(self, score: float) -> float:
        """exp as bad as it is assumed to be of the stock classes."""
        return (1 + weight_error(score, self.arithmetic)) * (1 + EXP_UNITS * self.unit) * OUTWARD - 1

    def count(self, d: Any, head: Any, scores: Any, values: Any) -> Forms | None:  # noqa: ARG002
        """All matches have one score, as have all tokens of some other kinds, one of which there is; the rest leaks.

        Weights are within a factor e^±ρ of what they are without noise, so a mean moves by at most D·(e^2ρ − 1), and by
        2·V·λ for others that weigh λ of one match; D is the spread of all values, V the largest.
        """
        target = d.target
        if target not in scores:
            return None
        laws = {J: [*self.laws(d.kind), *self.laws(J, "@")] for J in scores}
        values = {J: [kernel_programs.seen(form) for form in forms] for J, forms in values.items()}
        plain = {J: [split(form)[0] for form in forms] for J, forms in values.items()}
        high = self.one_value(scores[target][0], self.matches(d), laws[target])
        if high is None:
            return None
        full, leak = list[tuple[str, int]](), 0.0
        for J, (form, _) in scores.items():
            n = self.program.kinds[J].count
            if n is None:
                return None
            if J not in (target, d.kind) and self.one_value(form, [], laws[J]) == high:
                full.append((J, n))
                continue
            tops = [maximum(form, atoms, laws[J]) for atoms in (self.others(d) if target == J else [[]])]
            leak += n * max((exp(min(float(top - high), 600.0)) for top in tops if top is not None), default=0.0)
        if not full:
            return None  # a softmax without matches is a mean of others
        said: Forms = []
        for r, form in enumerate(plain[target]):
            known = [(self.one_value(plain[J][r], [], laws[J]), n) for J, n in full]
            match, sure = self.one_value(form, self.matches(d), laws[target]), Fraction(0)
            for value, n in known:
                if match is None or value is None:
                    return None
                sure += Fraction(value) * n
            tokens = sum(n for _, n in full)
            counts = range(self.program.sizes[d.kind, d.name] or 0)
            shares = [self.share((sure + c * Fraction(match or 0)) / (tokens + c)) for c in counts]
            said.append(polynomial(shares, [self.variable(d.kind, d.name)]))
        ends = [span(form) for forms in values.values() for form in forms]
        low, top = (float(pick(end[side] for end in ends)) for side, pick in enumerate((min, max)))
        moved = (top - low) * expm1(2 * float(max(noise for _, noise in scores.values())))
        off = max(float(wobble(split(form)[1])) for forms in values.values() for form in forms)
        self.sure.add(d.kind)
        error = moved + off + 2 * max(-low, top, 0.0) * leak
        return with_noise(said, np.full(len(said), error * OUTWARD))

    def share(self, mean: Fraction) -> Fraction:
        """A mean of values as it is; the exact run rounds it down to a multiple of 2^-f."""
        return mean

    def after_heads(self, kind: str, x: Forms, output: ExactMatrix, said: Forms) -> Forms:
        change = mapped(values_of(said), output, self.arithmetic)
        exact: Forms = [dict(form) for form in x]
        for row, column in np.argwhere(output.numerators != 0).tolist():
            added(exact[row], said[column], output.entry(row, column))
        return self.written(kind, exact, change)

    def unit_errors(self, kind: str, units: MLP, x: Forms) -> Vector:
        """What the norm moves, weight by weight; Llama multiplies each unit by `one`, as the norm has it."""
        if self.to == "llama" and (units.b_1.numerators.any() or units.b_2.numerators.any()):
            raise TooLong(f"{self.at} has an offset, and Llama has none")
        weights = np.abs(np.asarray(units.w_1.numerators, dtype=np.float64)) / units.w_1.denominator
        inner = mapped(values_of(self.normed(kind, x)), units.w_1, self.arithmetic, units.b_1)
        off = inner.error + weights @ self.norm_error(kind, x)
        if self.to == "llama":
            up = self.norm_error(kind, x)[self.one] + wobble(split(x[self.one])[1])
            off = off + (float(up) * 2 + 4 * self.unit) * (inner.size + off)
        return np.asarray(off * OUTWARD)

    def written(self, kind: str, after: Forms, change: Values) -> Forms:
        """Both halves are rounded, each in its own order: they are no longer opposite by twice that."""
        result = super().written(kind, [_plain(form) for form in after], change)
        for form, size, off in zip(after, change.size, change.error, strict=True):
            self.skew[kind] += 2 * (float(off) + float(self.rounding(form)[0])) * OUTWARD if size else 0.0
        return result

    # ---- the answer

    def float_answer(self, x: Forms) -> kernel.Rational:
        """The margin; ids that are no answers have the logit −`one`."""
        kind, (name, size) = self.program.answer_kind, self.program.answer
        z = self.normed(kind, x)
        try:
            margin = super().float_answer(z)
        except kernel.Rejected as failure:
            off = max((float(wobble(split(form)[1])) for form in z), default=0.0)
            raise kernel.Rejected(f"{failure}; a coordinate may be off by {off:.2g}") from failure
        if self.ids == size:
            return margin
        rows, form, noise = (
            [self.model.unembedding.row(answer) for answer in range(size)],
            dict[Any, Any](),
            Fraction(0),
        )
        for r, (exact, rest) in enumerate(map(split, z)):
            column = [row.get(r, 0) for row in rows]
            if any(column):
                added(form, times(self.said_in(kind, name, exact), polynomial(column, [(name, size)])))
                noise += max(map(kernel.absolute, column)) * Fraction(wobble(rest))
        right, one = span(form, self.laws(kind))[0] - noise, span(z[self.one], self.laws(kind))[0]
        return min(margin, right + one - 2 * Fraction(self.logit - 2 * float(noise)))


def _plain(form: Form) -> Form:
    """The form with short coefficients, where its noise hides the difference: what is added to the noise is said."""
    exact, rest = split(form)
    short = {s: Fraction(round(c * GRID), GRID) for s, c in exact.items()}
    moved = sum(kernel.absolute(short[s] - c) for s, c in exact.items())
    if not moved or moved > wobble(rest):
        return form
    return with_noise([{**{s: c for s, c in short.items() if c}, **rest}], np.array([float(moved) * OUTWARD]))[0]


def _side_by_side(matrices: list[ExactMatrix]) -> ExactMatrix:
    entries, width = list[tuple[int, int, Fraction]](), 0
    for matrix in matrices:
        entries += [(row, width + column, number) for row, column, number in matrix.entries()]
        width += matrix.shape[1]
    return ExactMatrix.from_entries((matrices[0].shape[0], width), entries)
