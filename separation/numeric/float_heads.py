"""What each kind of head hands to each kind of token in floats: a form with noise, and the error of the read-out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
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
from separation.progress import silent
from separation.proving import Construction, Invariant, Proof
from separation.proving.forms import place_of
from separation.proving.kernel import (
    ONE,
    Forms,
    Noise,
    Rational,
    add,
    hull_rows,
    peak,
    span,
    upper,
    within,
)
from separation.proving.kernel import Head as KernelHead
from separation.proving.proof import Match
from separation.proving.prover import Prover, Told
from separation.tasks.shape import Shape

SIGNIFICANT_BITS = 10


@dataclass(frozen=True)
class Reading:
    """What a head hands to a kind: the float is the form ``out``, up to ``off``.

    ``error``: |float − real number|, None where nothing is looked up.
    """

    out: Forms
    off: Vector
    error: Vector | None


class Rules(Prover):
    """The rules of the exact proof; how large numbers may be is the type's to say."""

    def __init__(self, construction: Construction) -> None:
        super().__init__(construction, "closed", silent, False)

    def fit(self, sizes: Iterable[Rational], name: str = "") -> None:
        pass


@dataclass(frozen=True)
class Setting:
    """The rules, the task, its proof, the way to run, and the precision of the exact run."""

    rules: Rules
    shape: Shape
    proof: Proof
    arithmetic: Arithmetic
    precision: Precision


KindOfHead = TypeVar("KindOfHead", bound=AnyHead)


class FloatHead(ABC, Generic[KindOfHead]):
    """One head on the streams before its layer: forms of the exact run, and what is known of the floats, by kind."""

    def __init__(
        self,
        setting: Setting,
        place: tuple[int, int],
        head: KindOfHead,
        forms: Sequence[Forms],
        floats: Sequence[Values],
    ) -> None:
        self.setting, self.place, self.head = setting, place, head
        self.forms, self.floats = list(forms), floats
        self.arithmetic, self.rules = setting.arithmetic, setting.rules
        self.weighed: KernelHead = self.rules.model.layers[place[0] - 1].heads[place[1]]

    @abstractmethod
    def reading(self, kind: int) -> Reading:
        """What the head hands to the tokens of a kind."""

    def _mapped(self, matrix: ExactMatrix, bias: ExactMatrix | None = None) -> list[Values]:
        return [mapped(values, matrix, self.arithmetic, bias) for values in self.floats]

    def _stored(self, matrix: ExactMatrix) -> list[Values]:
        return [stored(values, self.arithmetic) for values in self._mapped(matrix)]

    def _images(self, name: str) -> list[Forms]:
        return [self.rules.apply(self.weighed.weights[name], x) for x in self.forms]


class FloatFull(FloatHead[Head]):
    """Softmax over all visible tokens; the match of the proof tells the winner from the rest."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.query, self.values = self._mapped(self.head.w_q), self._images("W_V")
        parts = zip(self._stored(self.head.w_k), self._stored(self.head.w_v), strict=True)
        self.sides = [KeySide(key, value) for key, value in parts]

    def reading(self, kind: int) -> Reading:
        shape, arithmetic, visible = self.setting.shape, self.arithmetic, self.rules.visible(kind)
        hull = hull_rows([span(form) for form in self.values[other]] for other in visible)
        ends, sides = vectors(hull), [self.sides[other] for other in visible]
        match = self._match(shape.kinds[kind].name)
        if match is None:
            leave = any_read_error(ends, [side.value for side in sides], arithmetic, shape.length)
            return Reading([within(min(0, low), max(0, high)) for low, high in hull], leave, None)
        scores = max(score_error(self.query[kind], side.key, self.head.shift, arithmetic) for side in sides)
        if self.head.shift - match.score > SMALLEST_MATCH:
            raise TooLong(f"a match weighs e^-{float(self.head.shift - match.score):.0f} only")
        weights = weight_error(scores, arithmetic)
        others = [side.value for side in sides]
        error = read_error(match.leak, weights, self.sides[match.target].value, others, ends, arithmetic, shape.length)
        leaked = (ends[1] - ends[0]) * float(match.leak / (1 + match.leak)) * OUTWARD
        value = self.rules.renamed(self.values[match.target], match.bits)
        return Reading(noisy(value, leaked + error), np.zeros_like(error), error)

    def _match(self, kind: str) -> Match | None:
        found = [step for step in self.setting.proof.look_ups if (step.layer, step.head) == self.place]
        return next((step.match for step in found if step.kind == kind), None)


class FloatSearch(FloatHead[Head | SparseHead]):
    """A head that asks for M − x, full or block-sparse; the error of its read-out stands in for the rounding step."""

    def reading(self, kind: int) -> Reading:
        head, arithmetic, proof = self.head, self.arithmetic, self.setting.proof
        found = next((search for search in proof.searches if (search.layer, search.head) == self.place), None)
        query, key, value = (mapped(self.floats[kind], w, arithmetic) for w in (head.w_q, head.w_k, head.w_v))
        keys, values = [stored(key, arithmetic)], [stored(value, arithmetic)]
        if isinstance(head, SparseHead):
            for parts, compressor in ((keys, head.c_k), (values, head.c_v)):
                parts.append(stored(mapped(repeated(parts[0], head.block), compressor, arithmetic), arithmetic))
        ((q,), (k,), (v,)) = map(self._images, ("W_Q", "W_K", "W_V"))
        hull = [span(form) for form in v]  # a summary is one token of its block
        length = self.setting.shape.length
        if found is None:
            return Reading(self.rules.between(hull), any_read_error(vectors(hull), values, arithmetic, length), None)
        scores = max(score_error(query, one, head.shift, arithmetic) for one in keys)
        if scores and isinstance(head, SparseHead) and head.opened:
            raise TooLong("scores are not exact, and which blocks are opened depends on them")
        weights = weight_error(scores, arithmetic)
        error = read_error(found.leak, weights, values[0], values, vectors(hull), arithmetic, length)
        step = max(float(error.max()), 2.0**-200)
        if step >= 0.5:
            raise TooLong(f"read-outs may be off by {step:.3g}")
        bits = min(self.setting.precision.bits, floor(-log2(step)))
        model, index = self.rules.model, self.place[1] + 1
        unit, model.unit = model.unit, Fraction(1, 1 << bits)
        (out,) = self.rules.search(index, self.weighed, 0, self.rules.scores(q, k), v)
        model.unit = unit
        return Reading(out, np.zeros_like(error), error)


def searched_places(held: Invariant, w_v: ExactMatrix) -> list[int]:
    """Which bit of y stands in each coordinate that a head which searches hands over, at a match."""
    values: Forms = [{} for _ in range(w_v.shape[0])]
    for row, column, number in w_v.entries():
        add(values[row], held.forms[column], number)
    return [place_of(str(symbol)) for form in values for symbol in form]


class FloatLinear(FloatHead[LinearHead]):
    """Linear attention: features must be exact; then only the values that are read have an error."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.describe = self.rules.linear(self.place[1] + 1, self.weighed, self.forms)
        self.asked, self.offered = (
            [[peak(form) for form in forms] for forms in self.rules.parts[self.place[1] + 1][letter]] for letter in "QK"
        )

    def reading(self, kind: int) -> Reading:
        head, arithmetic = self.head, self.arithmetic
        *found, out = self.describe(kind)
        match = next((told.match for told in found if isinstance(told, Told) and told.match), None)
        value = self._mapped(head.w_v)
        self._require_exact(self._mapped(head.w_q, head.b_q), self._mapped(head.w_k, head.b_k))
        if match is None:
            reach, length = max((float(upper(form)) for form in out), default=0.0), self.setting.shape.length
            off = reach * (sum_error(arithmetic, length) * 2 + 8 * float(arithmetic.result.unit))
            offers = zip(value, self.offered, strict=True)
            writers = [values.error for values, features in offers if any(most for most, _ in features)]
            carried = np.max(writers, axis=0) * length if writers and reach else np.zeros(len(out))
            return Reading(out, carried + off, None)
        out = next(told for told in found if isinstance(told, Told) and told.match is match)
        winner = value[match.target]
        height = 1.0 if head.normalised else float(match.score)
        error = winner.error * height
        size = winner.reach * height
        if head.normalised or winner.error.any():
            error = error + 4 * float(arithmetic.result.unit) * size
        elif arithmetic.result != arithmetic.wide and not fits(size, winner.grid, arithmetic.result).all():
            error = error + 2 * float(arithmetic.result.unit) * size
        return Reading(noisy(out, error * OUTWARD), np.zeros_like(error), error * OUTWARD)

    def _require_exact(self, query: list[Values], key: list[Values]) -> None:
        for part, features in [*zip(query, self.asked, strict=True), *zip(key, self.offered, strict=True)]:
            if any(most and part.error[index] for index, (most, _) in enumerate(features)):
                raise TooLong("a feature of linear attention is not exact")
            if part.error.any():
                raise TooLong("a feature of linear attention may be 0 or not")
        state = next(state for state in self.setting.proof.states if (state.layer, state.head) == self.place)
        largest = np.array([float(state.largest)])
        if not fits(largest, np.array([-2]), self.arithmetic.wide)[0]:
            raise TooLong(f"a state may reach {float(state.largest):.3g}, where not all whole numbers are floats")


class FloatDelta(FloatHead[DeltaHead]):
    """The gated delta rule, whose state is a sum over single tokens (P10): gates and keys must be exact; the state
    carries the error of what was written."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.describe = self.rules.delta(self.place[1] + 1, self.weighed, self.forms)
        self.parts = self.rules.parts[self.place[1] + 1]

    def reading(self, kind: int) -> Reading:
        head, arithmetic = self.head, self.arithmetic
        out = self.describe(kind)[0]
        parts = [self._mapped(head.w_k), self._mapped(head.w_a, head.b_a), self._mapped(head.w_b, head.b_b)]
        if any(values.error.any() for part in parts for values in part):
            raise TooLong("a gate or a key of the delta rule is not exact")
        query, value = self._mapped(head.w_q)[kind], self._mapped(head.w_v)
        state = np.zeros(head.w_v.shape[0])
        reach = max((float(upper(form)) for form in out), default=0.0)
        for said, forms, (write,) in list(zip(value, self.parts["K"], self.parts["B"], strict=True))[: kind + 1]:
            if span(write)[1] <= 0:
                continue
            own, key = said.error, np.array([float(form.get(ONE, 0)) for form in forms])
            # With one key 0 or ±1 the state is kept or replaced, and nothing is rounded.
            plain = len(key) == 1 and abs(key[0]) in (0.0, 1.0)
            if not plain and (own.any() or state.any() or not fits(said.size, said.grid, arithmetic.wide).all()):
                own = own + 16 * float(arithmetic.wide.unit) * (said.reach + reach)
            # The largest row of |1 − k kᵀ| times what was off, and |k| times the error of the value.
            kept = np.abs(np.eye(len(key)) - np.outer(key, key)).sum(axis=1).max()
            state = (kept * state + np.abs(key).max(initial=0.0) * own) * OUTWARD
        error = float(query.reach.sum()) * state + float(query.error.sum()) * reach
        if error.any() or arithmetic.result != arithmetic.wide:
            error = error + 4 * float(arithmetic.result.unit) * reach * (error > 0)
        return Reading(noisy(out, error * OUTWARD), np.zeros_like(error), error * OUTWARD)


_RECURRENT: dict[type, Callable[..., FloatHead[Any]]] = {LinearHead: FloatLinear, DeltaHead: FloatDelta}
LOOKING_UP = {**_RECURRENT, Head: FloatFull}
SEARCHING = {**_RECURRENT, Head: FloatSearch, SparseHead: FloatSearch}
"""The bounds for each type of head that has rules, by what the task asks of attention."""


def float_head(
    setting: Setting,
    place: tuple[int, int],
    head: AnyHead,
    forms: Sequence[Forms],
    floats: Sequence[Values],
) -> FloatHead[Any]:
    bounds = SEARCHING if setting.shape.search else LOOKING_UP
    return bounds[type(head)](setting, place, head, forms, floats)


def noisy(forms: Forms, radii: Vector) -> Forms:
    """One fresh noise symbol for each coordinate with an error."""
    sizes = [outward(radius) for radius in radii]
    return [{**form, Noise(size): 1} if size else dict(form) for form, size in zip(forms, sizes, strict=True)]


def outward(radius: float) -> Fraction:
    """The next number above with ten bits: short numbers keep later sums fast."""
    if not radius:
        return Fraction(0)
    if not np.isfinite(radius):
        raise TooLong("an error has no bound")
    step = Fraction(2) ** (floor(log2(radius)) - SIGNIFICANT_BITS)
    return -(-Fraction(float(radius)) // step) * step


def vectors(hull: list[tuple[Rational, Rational]]) -> tuple[Vector, Vector]:
    """The lower and the upper ends."""
    low, high = (np.array([float(pair[end]) for pair in hull]) for end in (0, 1))
    return low - np.abs(low) * 2.0**-50, high + np.abs(high) * 2.0**-50


def repeated(values: Values, times: int) -> Values:
    """(u; …; u): the tokens of a block side by side."""
    return Values(np.tile(values.size, times), np.tile(values.error, times), np.tile(values.grid, times))
