"""What each kind of head hands to each kind of token in floats: a form with noise, and the error of the read-out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log2
from typing import Any, Generic, TypeVar

import numpy as np

from separation.arithmetic import ExactMatrix, Precision
from separation.models import AnyHead, DeltaHead, Head, LinearHead, SparseHead
from separation.numeric.arithmetic import Arithmetic, TooLong
from separation.numeric.float_errors import (
    OUTWARD,
    SMALLEST_MATCH,
    KeySide,
    Values,
    Vector,
    any_read_error,
    fits,
    mapped,
    read_error,
    score_error,
    stored,
    sum_error,
    weight_error,
)
from separation.proving import (
    DeltaForms,
    Forms,
    LinearForms,
    Match,
    Proof,
    SearchForms,
    gate,
    hull_of,
    noise_rows,
    visible_kinds,
    winner_value,
    within,
)
from separation.tasks.shape import Kind, Shape

SIGNIFICANT_BITS = 10


@dataclass(frozen=True)
class Reading:
    """What a head hands to a kind: the float is the form ``out``, up to ``off``.

    ``error``: |float − real number|, None where nothing is looked up.
    """

    out: Forms
    off: Vector
    error: Vector | None


@dataclass(frozen=True)
class Setting:
    """The task, its proof, the way to run, and the largest number of keys that one query reads."""

    shape: Shape
    proof: Proof
    arithmetic: Arithmetic
    precision: Precision


KindOfHead = TypeVar("KindOfHead", bound=AnyHead)


class FloatHead(ABC, Generic[KindOfHead]):
    """One head on the streams before its layer: forms of the exact run, and what is known of the floats."""

    def __init__(
        self,
        setting: Setting,
        place: tuple[int, int],
        head: KindOfHead,
        forms: Mapping[str, Forms],
        floats: Mapping[str, Values],
    ) -> None:
        self.setting, self.place, self.head = setting, place, head
        self.forms, self.floats = dict(forms), floats
        self.arithmetic = setting.arithmetic

    @abstractmethod
    def reading(self, kind: Kind) -> Reading:
        """What the head hands to the tokens of a kind."""

    def _mapped(self, matrix: ExactMatrix, bias: ExactMatrix | None = None) -> dict[str, Values]:
        return {kind: mapped(values, matrix, self.arithmetic, bias) for kind, values in self.floats.items()}

    def _stored(self, matrix: ExactMatrix) -> dict[str, Values]:
        return {kind: stored(values, self.arithmetic) for kind, values in self._mapped(matrix).items()}


class FloatFull(FloatHead[Head]):
    """Softmax over all visible tokens; the match of the proof tells the winner from the rest."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.query = self._mapped(self.head.w_q)
        key, value = self._stored(self.head.w_k), self._stored(self.head.w_v)
        self.sides = {kind: KeySide(key[kind], value[kind]) for kind in key}
        self.values = {kind: x.image(self.head.w_v).compact() for kind, x in self.forms.items()}

    def reading(self, kind: Kind) -> Reading:
        shape, arithmetic = self.setting.shape, self.arithmetic
        visible = visible_kinds(shape, kind)
        hull = hull_of([self.values[other.name] for other in visible])
        ends = vectors(hull)
        sides = [self.sides[other.name] for other in visible]
        match = self._match(kind)
        if match is None:
            leave = any_read_error(ends, [side.value for side in sides], arithmetic, shape.length)
            ranges = [(min(Fraction(0), low), max(Fraction(0), high)) for low, high in hull]
            return Reading(within(ranges), leave, None)
        scores = max(score_error(self.query[kind.name], side.key, self.head.shift, arithmetic) for side in sides)
        if self.head.shift - match.score > SMALLEST_MATCH:
            raise TooLong(f"a match weighs e^-{float(self.head.shift - match.score):.0f} only")
        weights = weight_error(scores, arithmetic)
        found = self.sides[match.fact.kind].value
        others = [side.value for side in sides]
        error = read_error(match.leak, weights, found, others, ends, arithmetic, shape.length)
        share = float(match.leak / (1 + match.leak))
        leaked = (ends[1] - ends[0]) * share * OUTWARD
        value = winner_value(self.values[match.fact.kind], shape, match.fact)
        return Reading(value.plus(noise(leaked + error)), np.zeros_like(error), error)

    def _match(self, kind: Kind) -> Match | None:
        found = [step for step in self.setting.proof.look_ups if (step.layer, step.head) == self.place]
        return next((step.match for step in found if step.kind == kind.name), None)


class FloatSearch(FloatHead[Head | SparseHead]):
    """A head that asks for M − x, full or block-sparse; the error of its read-out stands in for the rounding step."""

    def reading(self, kind: Kind) -> Reading:
        head, arithmetic, proof = self.head, self.arithmetic, self.setting.proof
        found = next((search for search in proof.searches if (search.layer, search.head) == self.place), None)
        view = SearchForms(head, self.forms, kind)
        query, key, value = (mapped(self.floats[kind.name], w, arithmetic) for w in (head.w_q, head.w_k, head.w_v))
        keys, values = [stored(key, arithmetic)], [stored(value, arithmetic)]
        if isinstance(head, SparseHead):
            for parts, compressor in ((keys, head.c_k), (values, head.c_v)):
                parts.append(stored(mapped(repeated(parts[0], head.block), compressor, arithmetic), arithmetic))
        hull = vectors(hull_of([view.value] if view.summary_value is None else [view.value, view.summary_value]))
        length = self.setting.shape.length
        if found is None:
            leave = any_read_error(hull, values, arithmetic, length)
            return Reading(view.output(*self.place, self.setting.precision)[0], leave, None)
        scores = max(score_error(query, one, head.shift, arithmetic) for one in keys)
        if scores and isinstance(head, SparseHead) and head.opened:
            raise TooLong("scores are not exact, and which blocks are opened depends on them")
        weights = weight_error(scores, arithmetic)
        error = read_error(found.leak, weights, values[0], values, hull, arithmetic, length)
        step = max(float(error.max()), 2.0**-200)
        if step >= 0.5:
            raise TooLong(f"read-outs may be off by {step:.3g}")
        bits = self.setting.precision.bits
        coarse = Precision(self.setting.precision.score_bits, bits, min(bits, floor(-log2(step))))
        return Reading(view.output(*self.place, coarse)[0], np.zeros_like(error), error)


class FloatLinear(FloatHead[LinearHead]):
    """Linear attention: features must be exact; then only the values that are read have an error."""

    def reading(self, kind: Kind) -> Reading:
        head, arithmetic, shape = self.head, self.arithmetic, self.setting.shape
        forms = LinearForms(head, self.forms)
        out, match = forms.output(shape, kind, self.setting.precision)
        value = self._mapped(head.w_v)
        self._require_exact(self._mapped(head.w_q, head.b_q), self._mapped(head.w_k, head.b_k), forms)
        if match is None:
            reach = max((float(max(high, -low)) for low, high in out.ranges()), default=0.0)
            off = reach * (sum_error(arithmetic, shape.length) * 2 + 8 * float(arithmetic.result.unit))
            writers = [values.error for name, values in value.items() if any(f.most for f in forms.offered[name])]
            carried = np.max(writers, axis=0) * shape.length if writers and reach else np.zeros(out.height)
            return Reading(out, carried + off, None)
        winner = value[match.fact.kind]
        height = 1.0 if head.normalised else float(match.score)
        error = winner.error * height
        size = winner.reach * height
        if head.normalised or winner.error.any():
            error = error + 4 * float(arithmetic.result.unit) * size
        elif arithmetic.result != arithmetic.wide and not fits(size, winner.grid, arithmetic.result).all():
            error = error + 2 * float(arithmetic.result.unit) * size
        return Reading(out.plus(noise(error * OUTWARD)), np.zeros_like(error), error * OUTWARD)

    def _require_exact(self, query: dict[str, Values], key: dict[str, Values], forms: LinearForms) -> None:
        parts = [(query[kind], forms.asked[kind]) for kind in self.floats]
        parts += [(key[kind], forms.offered[kind]) for kind in self.floats]
        for part, features in parts:
            if any(feature.most and part.error[index] for index, feature in enumerate(features)):
                raise TooLong("a feature of linear attention is not exact")
            if any(not feature.most and part.error[index] for index, feature in enumerate(features)):
                raise TooLong("a feature of linear attention may be 0 or not")
        state = next(state for state in self.setting.proof.states if (state.layer, state.head) == self.place)
        largest = np.array([float(state.largest)])
        if not fits(largest, np.array([-2]), self.arithmetic.wide)[0]:
            raise TooLong(f"a state may reach {float(state.largest):.3g}, where not all whole numbers are floats")


class FloatDelta(FloatHead[DeltaHead]):
    """The gated delta rule: gates and keys must be exact; the state carries the error of what was written."""

    def reading(self, kind: Kind) -> Reading:
        head, arithmetic = self.head, self.arithmetic
        forms = DeltaForms(head, self.forms, self.setting.shape)
        out = forms.output(kind)
        parts = [self._mapped(head.w_k), self._mapped(head.w_a, head.b_a), self._mapped(head.w_b, head.b_b)]
        if any(values.error.any() for part in parts for values in part.values()):
            raise TooLong("a gate or a key of the delta rule is not exact")
        query, value = self._mapped(head.w_q)[kind.name], self._mapped(head.w_v)
        state = np.zeros(head.w_v.shape[0])
        reach = max((float(max(high, -low)) for low, high in out.ranges()), default=0.0)
        for other in self.setting.shape.kinds:
            keep, write = gate(forms.forget[other.name], "forget gate"), gate(forms.write[other.name], "write gate")
            if keep == 1 and write == 0:
                continue
            said = value[other.name]
            own = said.error
            key = np.array([float(forms.key[other.name].matrix.entry(row, 0)) for row in range(head.w_k.shape[0])])
            # With one key 0 or ±1 and gates 0 or 1 the state is kept, emptied or replaced, and nothing is rounded.
            plain = len(key) == 1 and {abs(key[0]), float(keep), float(write)} <= {0.0, 1.0}
            if not plain and (own.any() or state.any() or not fits(said.size, said.grid, arithmetic.wide).all()):
                own = own + 16 * float(arithmetic.wide.unit) * (said.reach + reach)
            # The largest row of |α (1 − β k kᵀ)| times what was off, and β |k| times the error of the value.
            kept = np.abs(np.eye(len(key)) - float(write) * np.outer(key, key)).sum(axis=1).max() * float(keep)
            state = (kept * state + float(write) * np.abs(key).max(initial=0.0) * own) * OUTWARD
            if other.name == kind.name:
                break
        error = float(query.reach.sum()) * state + float(query.error.sum()) * reach
        if error.any() or arithmetic.result != arithmetic.wide:
            error = error + 4 * float(arithmetic.result.unit) * reach * (error > 0)
        return Reading(out.plus(noise(error * OUTWARD)), np.zeros_like(error), error * OUTWARD)


_RECURRENT: dict[type, Callable[..., FloatHead[Any]]] = {LinearHead: FloatLinear, DeltaHead: FloatDelta}
LOOKING_UP = {**_RECURRENT, Head: FloatFull}
SEARCHING = {**_RECURRENT, Head: FloatSearch, SparseHead: FloatSearch}
"""The bounds for each type of head that has rules, by what the task asks of attention."""


def float_head(
    setting: Setting,
    place: tuple[int, int],
    head: AnyHead,
    forms: Mapping[str, Forms],
    floats: Mapping[str, Values],
) -> FloatHead[Any]:
    bounds = SEARCHING if setting.shape.search else LOOKING_UP
    return bounds[type(head)](setting, place, head, forms, floats)


def noise(radii: Vector) -> Forms:
    """One fresh noise symbol for each coordinate with an error."""
    return noise_rows([outward(radius) for radius in radii])


def outward(radius: float) -> Fraction:
    """The next number above with ten bits: short numbers keep later sums fast."""
    if not radius:
        return Fraction(0)
    if not np.isfinite(radius):
        raise TooLong("an error has no bound")
    step = Fraction(2) ** (floor(log2(radius)) - SIGNIFICANT_BITS)
    return -(-Fraction(float(radius)) // step) * step


def vectors(hull: list[tuple[Fraction, Fraction]]) -> tuple[Vector, Vector]:
    """The lower and the upper ends."""
    low, high = (np.array([float(pair[end]) for pair in hull]) for end in (0, 1))
    return low - np.abs(low) * 2.0**-50, high + np.abs(high) * 2.0**-50


def repeated(values: Values, times: int) -> Values:
    """(u; …; u): the tokens of a block side by side."""
    return Values(np.tile(values.size, times), np.tile(values.error, times), np.tile(values.grid, times))
