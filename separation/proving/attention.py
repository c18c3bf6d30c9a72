"""Rules P2, P3, P5 and the use of P4: what a head of full attention hands to a kind of token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor

from separation.arithmetic import ExactMatrix, Precision
from separation.models import Head
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, Symbol, bit, fresh_noise, variable_bits
from separation.tasks.shape import Fact, Kind, Shape
from separation.tasks.suppositions import suppose, supposition_named

RADIUS_BITS = 32


@dataclass(frozen=True)
class HeadForms:
    """q, k and v of one head for every kind of token."""

    head: Head
    query: dict[str, Forms]
    key: dict[str, Forms]
    value: dict[str, Forms]

    @classmethod
    def of(cls, head: Head, streams: dict[str, Forms]) -> HeadForms:
        parts = [{kind: x.image(w) for kind, x in streams.items()} for w in (head.w_q, head.w_k, head.w_v)]
        return cls(head, *({kind: forms.compact() for kind, forms in part.items()} for part in parts))


@dataclass(frozen=True)
class Match:
    """Every query of a kind finds the token of ``fact``; all other keys together weigh at most ``leak`` times it.

    ``score``: the winner's least score; ``gap``: how far the best other score stays below, when that was measured.
    """

    fact: Fact
    leak: Fraction
    score: Fraction
    path: str
    gap: Fraction | None = None


def visible_kinds(shape: Shape, kind: Kind) -> list[Kind]:
    """P2: kinds with a token at or before some token of this kind; all of them where attention goes both ways."""
    return [other for other in shape.kinds if other.start < kind.stop or not shape.causal]


def wholly_visible(shape: Shape, other: Kind, kind: Kind) -> bool:
    """P2: does every token of ``kind`` see all tokens of the other?"""
    return not shape.causal or other.stop <= kind.start or (other.name == kind.name and kind.count == 1)


def facts_in_view(shape: Shape, kind: Kind) -> list[Fact]:
    """P2: the facts whose tokens are all visible from every token of the kind; one token has an empty address."""
    whole = {other.name for other in visible_kinds(shape, kind) if wholly_visible(shape, other, kind)}
    facts = [fact for fact in shape.facts if fact.kind in whole and fact.reader in (None, kind.name)]
    return facts + [Fact(other.name, ()) for other in shape.kinds if other.name in whole and not other.address]


def partners(kind: Kind, fact: Fact) -> dict[Symbol, Symbol]:
    """Each bit of the kind's names, and the bit of the reader that the fact names for it; `1` for a fixed one."""
    pairs = zip(kind.address, fact.address, strict=True)
    named = {bit(own.name, index): bit(name, index) for own, name in pairs for index in range(own.bits)}
    return named | dict.fromkeys(fixed_signs(kind, fact), ONE)


def fixed_signs(kind: Kind, fact: Fact) -> dict[Symbol, int]:
    """The bits of the kind's last name for which the fact has constants, and these."""
    return {bit(kind.address[-1].name, place): sign for place, sign in enumerate(fact.fixed)}


def supposed_facts(query: Forms, key: Forms, shape: Shape, kind: Kind) -> list[Fact]:
    """P4: what a table says with constants for the last bits of the index, if that is what a query asks for."""
    if kind.table is None or kind.table < 2:
        return []
    scores, index, signs = score_matrix(query, key).numerators, kind.address[-1], list[int]()
    for offered in variable_bits(index.name, index.bits):
        met = scores[:, key.places[offered]].nonzero()[0].tolist() if offered in key.places else []
        if met != [0]:  # the query's constant, and nothing else
            break
        signs.append(1 if scores[0, key.places[offered]] > 0 else -1)
    j = sum(1 << place for place, sign in enumerate(signs) if sign > 0)
    found = suppose(shape, kind, j, 1 << len(signs))
    return [] if found is None else [found.supposed_fact]


def require_shift(forms: HeadForms, shape: Shape, kind: Kind) -> None:
    """P3: no score of a query of this kind is above the head's shift."""
    keys = {other.name: forms.key[other.name] for other in visible_kinds(shape, kind)}
    require_scores_below(forms.head.shift, forms.query[kind.name], keys)


def require_scores_below(shift: Fraction, query: Forms, keys: dict[str, Forms]) -> None:
    """P3 for the keys of several kinds; the quick bound Σ_r max|q_r|·max|k_r| first."""
    reach = [_largest_entries(key) for key in keys.values()]
    coordinates = zip(_largest_entries(query), *reach, strict=True)
    if sum(q * max(others) for q, *others in coordinates) <= shift:
        return
    for name, key in keys.items():
        bound = score_bound(query, key)
        if bound > shift:
            message = f"a score may reach {float(bound):g} with keys of {name}, above the shift {shift}"
            details = {"score": float(bound), "shift": float(shift), "keys": name}
            raise ProofFailed("P3", "score", message, details=details)


def score_matrix(query: Forms, key: Forms) -> ExactMatrix:
    """M with score = Σ M_ab s_a t_b over the query's symbols a and the key's symbols b."""
    return query.matrix.T @ key.matrix


def score_bound(query: Forms, key: Forms) -> Fraction:
    """M_11 + Σ |M_ab| · radius_a · radius_b."""
    matrix = score_matrix(query, key)
    total = Fraction(0)
    for row, column, number in matrix.entries():
        a, b = query.symbols[row], key.symbols[column]
        total += number if a == ONE and b == ONE else abs(number) * a.radius * b.radius
    return total


def head_output(forms: HeadForms, shape: Shape, kind: Kind, match: Match | None, precision: Precision) -> Forms:
    """P4's conclusion if there is a match, else P5's hull."""
    hull = hull_of([forms.value[other.name] for other in visible_kinds(shape, kind)])
    if match is None:
        return anything_in(hull, precision)
    share = match.leak / (1 + match.leak)
    errors = [outward((high - low) * share + precision.step, precision) for low, high in hull]
    return winner_value(forms.value[match.fact.kind], shape, match.fact).plus(noise_rows(errors))


def outward(radius: Fraction, precision: Precision) -> Fraction:
    """The next multiple of 2^-32 (finer for large f) above a radius: short numbers keep later sums fast."""
    unit = 1 << max(RADIUS_BITS, precision.fraction_bits + 8)
    return Fraction(-floor(-radius * unit), unit)


Range = tuple[Fraction, Fraction]


def hull_of(values: Sequence[Forms]) -> list[Range]:
    """For each coordinate the least interval that holds the ranges of all these forms."""
    per_kind = [forms.ranges() for forms in values]
    return [(min(low for low, _ in row), max(high for _, high in row)) for row in zip(*per_kind, strict=True)]


def anything_in(hull: list[Range], precision: Precision) -> Forms:
    """P5: an average of values (or 0, if all weights are 0), rounded down."""
    step = precision.step
    return within([(min(Fraction(0), floor(low / step) * step), max(Fraction(0), high)) for low, high in hull])


def within(ranges: list[Range]) -> Forms:
    """Some number in each range: its middle and a noise symbol."""
    middles = [(row, 0, (low + high) / 2) for row, (low, high) in enumerate(ranges)]
    centre = Forms.constant(ExactMatrix.from_entries((len(ranges), 1), middles))
    return centre.plus(noise_rows([(high - low) / 2 for low, high in ranges]))


def noise_rows(radii: list[Fraction]) -> Forms:
    """One fresh noise symbol for each coordinate; none where the radius is 0."""
    rows = [row for row, radius in enumerate(radii) if radius]
    symbols = [fresh_noise(radii[row]) for row in rows]
    entries = [(row, index, 1) for index, row in enumerate(rows, start=1)]
    return Forms([ONE, *symbols], ExactMatrix.from_entries((len(radii), 1 + len(rows)), entries))


def winner_value(value: Forms, shape: Shape, fact: Fact) -> Forms:
    """What the winner holds, told in the reader's variables; what only the winner knows is noise to the reader."""
    return told(value, shape, fact, cache(lambda symbol: fresh_noise(symbol.radius)))


def told(value: Forms, shape: Shape, fact: Fact, unknown: Callable[[Symbol], Symbol]) -> Forms:
    """What the token of a fact holds, told in the reader's variables; ``unknown``: a symbol that it does not know."""
    kind = shape.kind(fact.kind)
    names = dict(zip((variable.name for variable in kind.address), fact.address, strict=True)) | dict(fact.values)
    known, fixed = {variable.name for variable in shape.global_variables}, fixed_signs(kind, fact)

    def is_named(variable: str) -> bool:
        return variable in names or variable in known or supposition_named(shape, variable) is not None

    def rename(symbol: Symbol) -> Symbol:
        if symbol.is_bit and symbol not in fixed and is_named(symbol.variable):
            return bit(names.get(symbol.variable, symbol.variable), int(symbol.name.rpartition(".")[2]))
        return symbol if symbol == ONE else unknown(symbol)

    return value.renamed(rename)


def _largest_entries(forms: Forms) -> list[Fraction]:
    return [max(high, -low) for low, high in forms.ranges()]
