"""The proof in floats: {what the stream holds, up to an error} layer k {the same}, for all inputs at once.

The exact proof says what every slot of every kind of token holds; this one follows by how much floats are off, from
the unit roundoff and the lengths of sums. A read-out is off by what `float_errors` says; the MLP is followed on forms
with a noise symbol for every rounding, so that a clip that snaps a bit back is seen to do so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix
from separation.models import Declared, Layer, RowTable
from separation.numeric.arithmetic import Arithmetic, TooLong
from separation.numeric.float_errors import OUTWARD, Vector, embedding_error, fits, mapped, stored, values_of
from separation.numeric.float_heads import Reading, Rules, Setting, float_head, noisy
from separation.proving import ONE, Construction, Proof, ProofFailed
from separation.proving.certificates import program_proof
from separation.proving.kernel import Forms, Invariant, Noise, Rejected, Weights, plus, upper
from separation.proving.kernel import Layer as KernelLayer

USELESS = 0.01
"""Above this error of a bit its sign was not followed through the MLP: errors are then carried past it instead."""


@dataclass(frozen=True)
class ReadBound:
    """What a head hands to the tokens of a kind is off by at most ``error``, in any coordinate."""

    layer: int
    head: int
    kind: str
    error: float


@dataclass
class FloatProof:
    """The bounds of all read-outs, of the logits, and why they are not enough, if they are not."""

    reads: list[ReadBound] = field(default_factory=list)
    logit: float | None = None
    reason: str = ""

    @property
    def ok(self) -> bool:
        return not self.reason and self.logit is not None

    @property
    def read(self) -> float | None:
        """The largest bound of a read-out."""
        return max((bound.error for bound in self.reads), default=0.0) if self.ok else None


def prove_floats(construction: Construction, proof: Proof, arithmetic: Arithmetic) -> FloatProof:
    """Every answer of a float run is right, and each read-out within its bound of the exact one; or why not."""
    result = FloatProof()
    if not proof.ok:
        result.reason = "the exact proof fails"
        return result
    if not construction.task.states_invariants:
        return _program_floats(construction, arithmetic)
    run = _FloatProver(construction, proof, arithmetic, result)
    try:
        errors = run.embedding()
        for number, layer in enumerate(construction.model.layers, start=1):
            errors = run.layer(number, layer, errors)
        run.answer(errors)
    except TooLong as error:
        result.reason = str(error)
    except ProofFailed as error:
        result.reason = f"{error.rule}: {error.message}"
    return result


def _program_floats(construction: Construction, arithmetic: Arithmetic) -> FloatProof:
    """Weights of a program: the kernel derives what they say, with every rounding as noise."""
    from separation.numeric.float_programs import FloatDerivation

    result, certificate = FloatProof(), program_proof(construction).certificate
    if certificate is None:
        result.reason = "the exact proof fails"
        return result
    tokens = construction.shape.length
    run = FloatDerivation(certificate["model"], certificate["example"], construction.model, arithmetic, tokens)
    try:
        margin = run.run()
    except (TooLong, Rejected) as error:
        result.reason = str(error)
        return result
    result.reads = [ReadBound(*place, error) for place, error in run.reads.items()]
    result.logit = run.logit
    if margin <= 0:
        result.reason = f"logits may be off by {run.logit:.3g}, which is as much as the margin"
    return result


Errors = list[Vector]
"""For each kind: by how much each coordinate of its stream is off."""


class _FloatProver:
    def __init__(self, construction: Construction, proof: Proof, arithmetic: Arithmetic, result: FloatProof) -> None:
        self.model, self.rules, self.shape = construction.model, Rules(construction), construction.shape
        self.stages = self.rules.model.invariants
        self.arithmetic, self.result, self.margin = arithmetic, result, proof.margin
        self.setting = Setting(self.rules, self.shape, proof, arithmetic, self.model.precision)

    def embedding(self) -> Errors:
        """positions + tokens: two rows rounded to the stored type, and their sum."""
        lost_at = embedding_error((self.model.positions, self.model.tokens), self.arithmetic)
        values = [values_of(forms) for forms, _ in self.stages[0]]
        return [np.where(value.size > 0, lost_at, 0.0) * OUTWARD for value in values]

    def layer(self, number: int, layer: Layer, before: Errors) -> Errors:
        forms = [forms for forms, _ in self.stages[number - 1]]
        floats = [values_of(*pair) for pair in zip(forms, before, strict=True)]
        self.rules.layer, weights = number, self.rules.model.layers[number - 1]
        heads = [
            float_head(self.setting, (number, index), head, forms, floats) for index, head in enumerate(layer.heads)
        ]
        after = []
        for place, (stream, error, claimed) in enumerate(zip(forms, before, self.stages[number], strict=True)):
            readings = [head.reading(place) for head in heads]
            for index, reading in enumerate(readings):
                if reading.error is not None:
                    worst = float(reading.error.max(initial=0.0))
                    self.result.reads.append(ReadBound(number, index, self.shape.kinds[place].name, worst))
            wide = noisy(stream, error)
            found = self._after_layer(layer, weights, wide, np.zeros_like(error), readings, claimed)
            if error.any() and found[_is_known(claimed)].max(initial=0.0) > USELESS:
                carried = self._after_layer(layer, weights, stream, error, readings, claimed)
                found = np.minimum(found, carried)
            after.append(self._rounded(found, claimed))
        return after

    def answer(self, errors: Errors) -> None:
        """2·|float logit − logit| stays below the margin."""
        weights = [Fraction(float(number)) for number in _largest_entries(self.model.unembedding)]
        readers = {str(emission.reader) for emission in self.shape.emissions}
        worst = 0.0
        for kind, (forms, _), error in zip(self.shape.kinds, self.stages[-1], errors, strict=True):
            if not readers or kind.name in readers:
                logit = mapped(values_of(forms, error), ExactMatrix.from_rows([weights]), self.arithmetic)
                worst = max(worst, float(logit.error[0]))
        self.result.logit = worst
        assert self.margin is not None
        if 2 * worst >= self.margin:
            self.result.reason = f"logits may be off by {worst:.3g}, and the margin is {float(self.margin):g}"

    def _after_layer(
        self,
        layer: Layer,
        weights: KernelLayer,
        stream: Forms,
        off: Vector,
        readings: Sequence[Reading],
        claimed: Invariant,
    ) -> Vector:
        """How far the stream after a layer is from what the invariant says; before it, it is the forms up to ``off``.

        Errors of look-ups are noise in the forms, where a clip cancels them. All later ones are carried next to the
        forms: a map with weights W makes them |W| times as large, relu passes them on.
        """
        rules = self.rules
        for head, exact, reading in zip(layer.heads, weights.heads, readings, strict=True):
            written = mapped(values_of(reading.out, reading.off), head.w_o, self.arithmetic)
            stream, off = self._added(stream, off, rules.apply(exact.weights["W_O"], reading.out), written.error)
        for mlp, units in zip(layer.mlps, weights.mlps, strict=True):
            hidden = self._hidden(units, stream)
            inner = mapped(values_of(stream, off), mlp.w_1, self.arithmetic, mlp.b_1)
            change = mapped(values_of(hidden, inner.error), mlp.w_2, self.arithmetic, mlp.b_2)
            stream = rules.relu(units, stream)
            off = np.where(change.size == 0, off, self._rounded_sum(stream, off + change.error))
        return self._settled(stream, off, claimed)

    def _hidden(self, units: Weights, stream: Forms) -> Forms:
        return self.rules.apply(units["b_1"], [{ONE: 1}], self.rules.apply(units["W_1"], stream))

    def _added(self, left: Forms, left_off: Vector, right: Forms, right_off: Vector) -> tuple[Forms, Vector]:
        """A sum of floats; nothing is rounded where one of them is 0."""
        total = [plus(*pair) for pair in zip(left, right, strict=True)]
        alone = np.zeros(len(total), dtype=bool)
        for part, part_off in ((left, left_off), (right, right_off)):
            alone |= np.array([not form for form in part], dtype=bool) & (part_off == 0)
        off = left_off + right_off
        return total, np.where(alone, off, self._rounded_sum(total, off))

    def _rounded_sum(self, total: Forms, off: Vector) -> Vector:
        """How far a sum is off, whose summands together are off by ``off``, when it is rounded once."""
        values = values_of(total, off)
        exact = values.is_exact & fits(values.size, values.grid, self.arithmetic.result)
        lost = float(self.arithmetic.result.unit) * values.reach + float(self.arithmetic.result.tiny)
        return (off + np.where(exact, 0.0, lost)) * OUTWARD

    def _settled(self, derived: Forms, off: Vector, claimed: Invariant) -> Vector:
        """How far forms up to ``off`` are from what the invariant says, coordinate by coordinate."""
        error = np.zeros(len(derived))
        for row, rest, nu in self.rules.apart(derived, claimed):
            if nu is None:
                error[row] += float(upper(rest))
                continue
            beyond = max(0.0, float(upper(rest) - nu.radius))
            error += [abs(float(form.get(nu, 0))) * beyond for form in claimed[0]]
        return (error + off) * OUTWARD

    def _rounded(self, error: Vector, claimed: Invariant) -> Vector:
        """The last rounding, to the stored type: it snaps back what is nearer to its number than to the next float."""
        exact = values_of(claimed[0])
        if self.arithmetic.result == self.arithmetic.stored:
            return error
        alone = np.array([_alone(claimed, row) for row in range(len(error))])
        unit = float(self.arithmetic.stored.unit)
        snaps = (alone > 0) & fits(exact.size, exact.grid, self.arithmetic.stored) & (error < alone * unit / 4)
        off = stored(exact.with_error(error), self.arithmetic).error
        return np.where(snaps | (error == 0) & fits(exact.size, exact.grid, self.arithmetic.stored), 0.0, off)


def _is_known(claimed: Invariant) -> NDArray[np.bool_]:
    """Which coordinates are no junk."""
    known: NDArray[np.bool_] = np.array([not any(isinstance(s, Noise) for s in form) for form in claimed[0]])
    return known


def _alone(claimed: Invariant, row: int) -> float:
    """|c| if a coordinate is c or ±c for a number c, else 0."""
    form = claimed[0][row]
    return abs(float(next(iter(form.values())))) if len(form) == 1 and _is_known(([form], []))[0] else 0.0


def _largest_entries(table: RowTable) -> Vector:
    """max |entry| of each column of a table of rows."""
    if isinstance(table, Declared):
        parts = [
            np.abs(np.asarray(p.matrix.numerators, float)).sum(axis=1) / p.matrix.denominator for p in table.segments
        ]
        largest: Vector = np.max(parts, axis=0)
        return largest
    entries: Vector = np.abs(np.asarray(table.matrix.numerators, dtype=np.float64)).max(axis=0) / table.denominator
    return entries
