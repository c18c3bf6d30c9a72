"""Rules P2, P3, P5 and the use of P4: what a head hands to a kind of token."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from separation.arithmetic import ExactMatrix, Precision
from separation.models import Head
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, Symbol, bit, fresh_noise
from separation.tasks.shape import Fact, Kind, Shape

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
    """P2: kinds with a token at or before some token of this kind."""
    return [other for other in shape.kinds if other.start < kind.stop]


def facts_in_view(shape: Shape, kind: Kind) -> list[Fact]:
    """P2: the facts whose tokens are all visible from every token of the kind; one token has an empty address."""
    facts = []
    for other in visible_kinds(shape, kind):
        if other.stop <= kind.start or (other is kind and kind.count == 1):
            facts += [fact for fact in shape.facts if fact.kind == other.name]
            if not other.address:
                facts.append(Fact(other.name, (), ""))
    return facts


def require_shift(forms: HeadForms, shape: Shape, kind: Kind) -> None:
    """P3: no score of a query of this kind is above the head's shift."""
    query = forms.query[kind.name]
    others = visible_kinds(shape, kind)
    reach = [_largest_entries(forms.key[other.name]) for other in others]
    coordinates = zip(_largest_entries(query), *reach, strict=True)
    if sum(q * max(keys) for q, *keys in coordinates) <= forms.head.shift:
        return
    for other in others:
        bound = score_bound(query, forms.key[other.name])
        if bound > forms.head.shift:
            message = (
                f"a score may reach {float(bound):g} with keys of {other.name}, above the shift {forms.head.shift}"
            )
            raise ProofFailed("P3", "score", message)


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
    hull = _hull(forms, shape, kind)
    if match is None:
        return _anything_in(hull, precision)
    share = match.leak / (1 + match.leak)
    errors = [outward((high - low) * share + precision.step, precision) for low, high in hull]
    value = _renamed_value(forms.value[match.fact.kind], shape, match.fact)
    return value.plus(_noise_rows([Fraction(0)] * len(hull), errors))


def outward(radius: Fraction, precision: Precision) -> Fraction:
    """The next multiple of 2^-32 (finer for large f) above a radius: short numbers keep later sums fast."""
    unit = 1 << max(RADIUS_BITS, precision.fraction_bits + 8)
    return Fraction(-floor(-radius * unit), unit)


def _hull(forms: HeadForms, shape: Shape, kind: Kind) -> list[tuple[Fraction, Fraction]]:
    per_kind = [forms.value[other.name].ranges() for other in visible_kinds(shape, kind)]
    return [(min(low for low, _ in row), max(high for _, high in row)) for row in zip(*per_kind, strict=True)]


def _anything_in(hull: list[tuple[Fraction, Fraction]], precision: Precision) -> Forms:
    """P5: an average of values (or 0, if all weights are 0), rounded down."""
    step = precision.step
    ends = [(min(Fraction(0), floor(low / step) * step), max(Fraction(0), high)) for low, high in hull]
    return _noise_rows([(low + high) / 2 for low, high in ends], [(high - low) / 2 for low, high in ends])


def _noise_rows(centres: list[Fraction], radii: list[Fraction]) -> Forms:
    symbols = [fresh_noise(radius) for radius in radii]
    entries = [(row, 0, centre) for row, centre in enumerate(centres)]
    entries += [(row, 1 + row, Fraction(1)) for row in range(len(radii))]
    return Forms([ONE, *symbols], ExactMatrix.from_entries((len(radii), 1 + len(radii)), entries))


def _renamed_value(value: Forms, shape: Shape, fact: Fact) -> Forms:
    """What the winner holds, told in global variables: its address is the fact's address, its value the result."""
    kind = shape.kind(fact.kind)
    names = {variable.name: name for variable, name in zip(kind.address, fact.address, strict=True)}
    if fact.result:
        (own,) = kind.value
        names[own.name] = fact.result
    renewed: dict[Symbol, Symbol] = {}

    def rename(symbol: Symbol) -> Symbol:
        if symbol.is_bit:
            name = names.get(symbol.variable, symbol.variable)
            return bit(name, int(symbol.name.rpartition(".")[2]))
        if symbol != ONE and symbol not in renewed:
            renewed[symbol] = fresh_noise(symbol.radius)
        return renewed.get(symbol, symbol)

    return value.renamed(rename)


def _largest_entries(forms: Forms) -> list[Fraction]:
    return [max(high, -low) for low, high in forms.ranges()]
