"""Rule P9: linear attention, whose weights φ_q·φ_k are exact: a feature is 0, or a peak at one sign pattern."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from separation.arithmetic import ExactMatrix, Precision
from separation.models import LinearHead
from separation.proving.attention import (
    Match,
    anything_in,
    facts_in_view,
    hull_of,
    noise_rows,
    partners,
    visible_kinds,
    winner_value,
    within,
)
from separation.proving.delta import Entry, State, form_entries, state_of, sum_of
from separation.proving.forms import Forms, Symbol, bit, variable_bits
from separation.tasks.shape import Fact, Kind, Shape

Pattern = frozenset[tuple[Symbol, int]]


@dataclass(frozen=True)
class Feature:
    """relu of a form: 0 (``most`` = 0); ``most`` at one sign pattern and else 0; or (no pattern) up to ``most``."""

    most: Fraction
    pattern: Pattern | None = None


NOTHING = Feature(Fraction(0))


class LinearForms:
    """The features, values and states of one linear head for every kind of token."""

    def __init__(self, head: LinearHead, streams: dict[str, Forms]) -> None:
        self.head = head
        self.query = {kind: x.image(head.w_q).plus(Forms.constant(head.b_q)).compact() for kind, x in streams.items()}
        self.key = {kind: x.image(head.w_k).plus(Forms.constant(head.b_k)).compact() for kind, x in streams.items()}
        self.value = {kind: x.image(head.w_v).compact() for kind, x in streams.items()}
        self.asked = {kind: classify(forms) for kind, forms in self.query.items()}
        self.offered = {kind: classify(forms) for kind, forms in self.key.items()}

    def output(self, shape: Shape, kind: Kind, precision: Precision) -> tuple[Forms, Match | None]:
        """The value of one proved target, or the last of `outputs`, which says least."""
        found = self.outputs(shape, kind, precision)
        return next((pair for pair in found if pair[1] is not None), found[-1])

    def outputs(self, shape: Shape, kind: Kind, precision: Precision) -> list[tuple[Forms, Match | None]]:
        """True descriptions of what the head hands to a kind: the sum of the values of proved targets, one in each kind
        that has a weight (of a mean: one); 0, or a hull."""
        found: list[tuple[Forms, Match | None]] = []
        heavy = [name for name, weight in self._weights(shape, kind).items() if weight]
        facts = [[fact for fact in facts_in_view(shape, kind) if fact.kind == name] for name in heavy]
        for chosen in product(*facts) if len(heavy) == 1 or (heavy and not self.head.normalised) else ():
            heights = [self._reads(shape, kind, fact) for fact in chosen]
            if None in heights:
                continue
            out = noise_rows([precision.step if self.head.normalised else Fraction(0)] * self.head.w_v.shape[0])
            for fact, height in zip(chosen, heights, strict=True):
                value = winner_value(self.value[fact.kind], shape, fact)
                out = out.plus(Forms(value.symbols, value.matrix.scaled(1 if self.head.normalised else height or 0)))
            match = Match(chosen[0], Fraction(0), heights[0] or Fraction(0), "exact") if len(chosen) == 1 else None
            found.append((out, match))
        return [*found, (self._anything(shape, kind, precision), None)]

    def _reads(self, shape: Shape, kind: Kind, fact: Fact) -> Fraction | None:
        """The weight of the target's token, if only that token of its kind has one, and the same for every address."""
        asked = self.asked[kind.name]
        live = [place for place, feature in enumerate(asked) if feature.most]
        target = shape.kind(fact.kind)
        partner = partners(target, fact)
        heights: dict[Pattern, Fraction] = {}
        for place in live:
            offer = self.offered[fact.kind][place]
            if not offer.most:
                continue
            pattern = asked[place].pattern
            if offer.pattern is None or pattern is None or len(offer.pattern) != len(partner):
                return None
            if any(symbol not in partner for symbol, _ in offer.pattern):
                return None
            if frozenset((partner[symbol], sign) for symbol, sign in offer.pattern) != pattern:
                return None
            heights[pattern] = heights.get(pattern, Fraction(0)) + asked[place].most * offer.most
        wanted = _weights_by_address(target, fact, heights)
        if len(wanted) != prod(variable.size for variable in target.address) or len(set(wanted)) != 1:
            return None
        return wanted[0]

    def _weights(self, shape: Shape, kind: Kind) -> dict[str, Fraction]:
        """The most that a token of each visible kind may weigh."""
        return {
            other.name: sum(
                (
                    q.most * k.most
                    for q, k in zip(self.asked[kind.name], self.offered[other.name], strict=True)
                    if q.most and k.most
                ),
                Fraction(0),
            )
            for other in visible_kinds(shape, kind)
        }

    def _anything(self, shape: Shape, kind: Kind, precision: Precision) -> Forms:
        """0 if nobody visible has a weight; else an average of those that may, or the sum of all that they may hold."""
        weights = self._weights(shape, kind)
        heavy = [other for other in visible_kinds(shape, kind) if weights[other.name]]
        if not heavy:
            return within([(Fraction(0), Fraction(0))] * self.head.w_v.shape[0])
        if self.head.normalised:
            return anything_in(hull_of([self.value[other.name] for other in heavy]), precision)
        reach = [Fraction(0)] * self.head.w_v.shape[0]
        for other in heavy:
            for row, (low, high) in enumerate(self.value[other.name].ranges()):
                reach[row] += other.count * weights[other.name] * max(high, -low)
        return within([(-number, number) for number in reach])

    def state(self, shape: Shape, number: int, index: int, finest: Fraction | None) -> State:
        """Entry (a, r) = Σ_j φ_a v_r and the normaliser Σ_j φ_a, over all kinds: ranges and grids.

        Features that are alike at every kind have entries alike, which are worked out once.
        """
        values = {kind: form_entries(forms) for kind, forms in self.value.items()}
        one = form_entries(Forms.constant(ExactMatrix.from_rows([[1]])))
        columns: Counter[tuple[tuple[str, int, Fraction, bool], ...]] = Counter()
        for place in range(self.head.w_k.shape[0]):
            parts = [(kind, self.offered[kind.name][place]) for kind in shape.kinds]
            columns[tuple(_written(kind, feature) for kind, feature in parts if feature.most)] += 1
        entries: list[tuple[Entry, int]] = []
        for parts_alike, times in columns.items():
            for row in range(self.head.w_v.shape[0]):
                entries.append((sum_of(_stored(part, values[part[0]][row]) for part in parts_alike), times))
            if self.head.normalised:
                entries.append((sum_of(_stored(part, one[0]) for part in parts_alike), times))
        return state_of(number, index, entries, finest)


def _written(kind: Kind, feature: Feature) -> tuple[str, int, Fraction, bool]:
    """(kind, how many of its tokens may write, φ at most, is φ one of 0 and that): what a feature does at a kind."""
    exact = feature.pattern is not None
    address = {symbol for variable in kind.address for symbol in variable_bits(variable.name, variable.bits)}
    alone = feature.pattern is not None and {symbol for symbol, _ in feature.pattern} >= address
    return kind.name, 1 if alone else kind.count, feature.most, exact


def _stored(part: tuple[str, int, Fraction, bool], value: Entry) -> Entry:
    """What the tokens of a kind add to an entry of the state, at any time: nothing, or up to count·φ·v."""
    _, count, most, exact = part
    grid = None if value.grid is None or not exact else most * value.grid
    return Entry(count * most * min(Fraction(0), value.low), count * most * max(Fraction(0), value.high), grid)


def _weights_by_address(target: Kind, fact: Fact, heights: dict[Pattern, Fraction]) -> list[Fraction]:
    """The weight of every pattern that is an address: each digit below its size."""
    found = []
    for pattern, height in heights.items():
        signs = dict(pattern)
        digits = [
            (sum(1 << j for j in range(own.bits) if signs[bit(name, j)] > 0), own.size)
            for own, name in zip(target.address, fact.address, strict=True)
        ]
        if all(digit < size for digit, size in digits):
            found.append(height)
    return found


def classify(forms: Forms) -> list[Feature]:
    """P9: what relu makes of each form. Numerators are compared, as that is faster than comparing fractions."""
    high, matrix = forms.bounds()[1], forms.matrix
    fractions: dict[int, Fraction] = {}  # the features have few different heights
    features = []
    for most, row in zip(high.numerators[:, 0].tolist(), matrix.numerators[:, 1:], strict=True):
        if most <= 0:
            features.append(NOTHING)
            continue
        if most not in fractions:
            fractions[most] = Fraction(most, high.denominator)
        places = np.flatnonzero(row).tolist()
        terms = [(forms.symbols[place + 1], number) for place, number in zip(places, row[places].tolist(), strict=True)]
        is_peak = all(symbol.is_bit for symbol, _ in terms)
        least = 2 * min((abs(number) for _, number in terms), default=0)
        if is_peak and (not terms or most * matrix.denominator <= least * high.denominator):
            features.append(
                Feature(fractions[most], frozenset((symbol, 1 if number > 0 else -1) for symbol, number in terms))
            )
        else:
            features.append(Feature(fractions[most]))
    return features
