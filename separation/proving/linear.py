"""Rule P9: linear attention, whose weights φ_q·φ_k are exact: a feature is 0, or a peak at one sign pattern."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from separation.arithmetic import ExactMatrix, Precision
from separation.models import LinearHead
from separation.proving.attention import (
    Match,
    anything_in,
    facts_in_view,
    hull_of,
    noise_rows,
    visible_kinds,
    winner_value,
    within,
)
from separation.proving.forms import ONE, Forms, Symbol, bit, variable_bits
from separation.proving.states import Entry, State, form_entries, state_of, sum_of
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
        """What the head hands to a kind: the value of a proved target, 0, or a hull."""
        for fact in facts_in_view(shape, kind):
            height = self._reads(shape, kind, fact)
            if height is not None:
                value = winner_value(self.value[fact.kind], shape, fact)
                if self.head.normalised:
                    out = value.plus(noise_rows([precision.step] * value.height))
                else:
                    out = Forms(value.symbols, value.matrix.scaled(height))
                return out, Match(fact, Fraction(0), height, "exact")
        return self._anything(shape, kind, precision), None

    def _reads(self, shape: Shape, kind: Kind, fact: Fact) -> Fraction | None:
        """The weight of the target's token, if only that token has one, and the same for every address."""
        asked = self.asked[kind.name]
        live = [place for place, feature in enumerate(asked) if feature.most]
        others = [other.name for other in visible_kinds(shape, kind) if other.name != fact.kind]
        if not live or any(self.offered[other][place].most for other in others for place in live):
            return None
        target = shape.kind(fact.kind)
        partner = _partners(target, fact)
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
        if len(wanted) != target.count or len(set(wanted)) != 1:
            return None
        return wanted[0]

    def _anything(self, shape: Shape, kind: Kind, precision: Precision) -> Forms:
        """0 if nobody visible has a weight; else an average of those that may, or the sum of all that they may hold."""
        weights = {
            other.name: sum(
                (q.most * k.most for q, k in zip(self.asked[kind.name], self.offered[other.name], strict=True)),
                Fraction(0),
            )
            for other in visible_kinds(shape, kind)
        }
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
    alone = feature.pattern is not None and {symbol for symbol, _ in feature.pattern} == address
    return kind.name, 1 if alone else kind.count, feature.most, exact


def _stored(part: tuple[str, int, Fraction, bool], value: Entry) -> Entry:
    """What the tokens of a kind add to an entry of the state, at any time: nothing, or up to count·φ·v."""
    _, count, most, exact = part
    grid = None if value.grid is None or not exact else most * value.grid
    return Entry(count * most * min(Fraction(0), value.low), count * most * max(Fraction(0), value.high), grid)


def _partners(target: Kind, fact: Fact) -> dict[Symbol, Symbol]:
    """Each address bit of the target, and the bit that the fact names for it."""
    pairs = zip(target.address, fact.address, strict=True)
    return {bit(own.name, j): bit(name, j) for own, name in pairs for j in range(own.bits)}


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
    """P9: what relu makes of each form."""
    _, high = forms.bounds()
    features = []
    for row, positive in enumerate(high.numerators[:, 0] > 0):
        if not positive:
            features.append(NOTHING)
            continue
        most = high.entry(row, 0)
        terms = [(symbol, number) for symbol, number in forms.terms(row) if symbol != ONE]
        is_peak = all(symbol.is_bit for symbol, _ in terms)
        if is_peak and (not terms or most - 2 * min(abs(number) for _, number in terms) <= 0):
            features.append(Feature(most, frozenset((symbol, 1 if number > 0 else -1) for symbol, number in terms)))
        else:
            features.append(Feature(most))
    return features
