"""Rule P4 in closed form: the sum over all keys of a kind factorises over the bits of their addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from separation.arithmetic import WORKING_BITS, ExactMatrix, Precision, ball, exp_ball, floor_scaled_exp, upper_fraction
from separation.proving.attention import (
    HeadForms,
    Match,
    facts_in_view,
    fixed_signs,
    partners,
    score_bound,
    score_matrix,
    supposed_facts,
    visible_kinds,
)
from separation.proving.forms import ONE, Forms, Symbol, bit
from separation.tasks.shape import Fact, Kind, Shape


@dataclass(frozen=True)
class Pairing:
    """score = σ − 2·Σ τ_b·[query and key differ in bit b], up to ± ``wobble`` from the query's noise.

    ``lead``: the least τ_b − ρ_b, with ρ_b the noise that meets bit b alone; None without bits.
    """

    score: Fraction
    steepness: tuple[Fraction, ...]
    wobble: Fraction
    lead: Fraction | None


def closed_form_match(forms: HeadForms, shape: Shape, kind: Kind, precision: Precision) -> Match | None:
    """The fact that every query of the kind finds, with the least leak; None if the rule applies to none."""
    return next(iter(closed_form_matches(forms, shape, kind, precision)), None)


def closed_form_matches(forms: HeadForms, shape: Shape, kind: Kind, precision: Precision) -> list[Match]:
    """All facts that every query of the kind finds, the least leak first; each says something true of the output."""
    query = forms.query[kind.name]
    matches = []
    facts = facts_in_view(shape, kind)
    whole = [shape.kind(name) for name in dict.fromkeys(fact.kind for fact in facts)]
    facts += [fact for other in whole for fact in supposed_facts(query, forms.key[other.name], shape, other)]
    for fact in facts:
        pairing = pair_bits(query, forms.key[fact.kind], shape.kind(fact.kind), fact)
        if pairing is not None:
            leak = _leak(forms, shape, kind, fact, pairing, precision)
            if leak is not None:
                matches.append(Match(fact, leak, pairing.score - pairing.wobble, "closed"))
    return sorted(matches, key=lambda match: match.leak)


def pair_bits(query: Forms, key: Forms, kind: Kind, fact: Fact, loose: bool = False) -> Pairing | None:
    """Each address bit meets exactly one bit of the query, the one the fact names, with a positive coefficient, or the
    query's constant, where the fact has one for it, with its sign.

    ``loose`` lets the query's noise meet address bits too (the rule of the answer); its size is in ``wobble``.
    """
    partner, fixed = partners(kind, fact), fixed_signs(kind, fact)
    score, noise, steepness = Fraction(0), dict[Symbol, Fraction](), {}
    for row, column, number in score_matrix(query, key).entries():
        asked, offered = query.symbols[row], key.symbols[column]
        if asked.role == "noise" and (offered == ONE or (loose and offered in partner)):
            noise[offered] = noise.get(offered, Fraction(0)) + abs(number) * asked.radius
        elif asked == ONE and offered == ONE:
            score += number
        elif offered in partner and asked == partner[offered] and number * fixed.get(offered, 1) > 0:
            steepness[offered] = abs(number)
        else:
            return None
    if len(steepness) != len(partner):
        return None
    lead = min((tau - noise.get(offered, 0) for offered, tau in steepness.items()), default=None)
    found = tuple(steepness.values())
    return Pairing(score + sum(found), found, sum(noise.values(), Fraction(0)), lead)


def closed_form_margin(query: Forms, keys: Sequence[tuple[Forms, Kind]], emission: Fact) -> Fraction | None:
    """The least lead of the right row's logit over all other rows, of its own group and others; None if P4 fails.

    A wrong row of the group differs in a set D of bits, so it is below by Σ_{b∈D} 2(τ_b − ρ_b) or more.
    """
    right = next((key, group) for key, group in keys if group.name == emission.kind)
    pairing = pair_bits(query, right[0], right[1], emission, loose=True)
    if pairing is None:
        return None
    margins = [pairing.score - pairing.wobble - score_bound(query, key) for key, group in keys if group is not right[1]]
    if pairing.lead is not None:
        margins.append(2 * pairing.lead)
    return min(margins, default=None)


def _leak(
    forms: HeadForms, shape: Shape, kind: Kind, fact: Fact, pairing: Pairing, precision: Precision
) -> Fraction | None:
    """λ of P4, rounded up; None if it is astronomical, or if the winner's own weight may be floored to 0."""
    correction = floor_correction(forms, pairing.score - pairing.wobble, precision)
    if correction is None:
        return None
    try:
        with ctx.workprec(WORKING_BITS):
            total = arb(0)
            for other in visible_kinds(shape, kind):
                total += weight_of_kind(forms, shape, kind, fact, pairing, other)
            return upper_fraction(total * ball(correction))
    except OverflowError:
        return None


def weight_of_kind(forms: HeadForms, shape: Shape, kind: Kind, fact: Fact, pairing: Pairing, other: Kind) -> arb:
    """What all keys of a kind but the match weigh at most, as a multiple of the match."""
    if other.name == fact.kind:
        return _own_kind(shape.kind(fact.kind), pairing)
    return _other_kind(forms.query[kind.name], forms.key[other.name], other, pairing)


def floor_correction(forms: HeadForms, least_score: Fraction, precision: Precision) -> Fraction | None:
    """1 if the match weighs exactly 2^P, else 1 + 1/w with w its least floored weight; None if that is 0."""
    if least_score == forms.head.shift:
        return Fraction(1)
    weight = floor_scaled_exp(precision.score_bits, least_score - forms.head.shift)
    return None if weight < 1 else 1 + Fraction(1, weight)


def _own_kind(kind: Kind, pairing: Pairing) -> arb:
    """e^{2ρ} · (min(Π(1 + e^{-2τ_b}), 1 + (count − 1)·e^{-2 min τ}) − 1)."""
    if not pairing.steepness:
        return arb(0)
    patterns = arb(1)
    for steepness, times in Counter(pairing.steepness).items():
        patterns *= (1 + exp_ball(-2 * steepness)) ** times
    counted = (kind.count - 1) * exp_ball(-2 * min(pairing.steepness))
    return exp_ball(2 * pairing.wobble) * _smaller(patterns - 1, counted)


def _other_kind(query: Forms, key: Forms, kind: Kind, pairing: Pairing) -> arb:
    """e^{ρ−σ+u} · min(Π(e^{U_b} + e^{-U_b}), count·e^{ΣU_b}) over the address bits of another kind."""
    address = {bit(variable.name, index) for variable in kind.address for index in range(variable.bits)}
    matrix = score_matrix(query, key)
    constant, reach = _bounds_by_column(matrix, query, key, address)
    patterns = arb(1)
    # An address bit that no key form mentions still doubles the number of keys: U = 0 gives the factor 2.
    bounds = Counter([reach.get(symbol, Fraction(0)) for symbol in address])
    for bound, times in bounds.items():
        patterns *= (exp_ball(bound) + exp_ball(-bound)) ** times
    counted = kind.count * exp_ball(sum(reach.values(), Fraction(0)))
    return exp_ball(pairing.wobble - pairing.score + constant) * _smaller(patterns, counted)


def _bounds_by_column(
    matrix: ExactMatrix, query: Forms, key: Forms, address: set[Symbol]
) -> tuple[Fraction, dict[Symbol, Fraction]]:
    """(u, U_b): the largest part of the score that is the same for all keys, and the reach of each address bit."""
    constant = Fraction(0)
    reach: dict[Symbol, Fraction] = {}
    for row, column, number in matrix.entries():
        asked, offered = query.symbols[row], key.symbols[column]
        if offered in address:
            reach[offered] = reach.get(offered, Fraction(0)) + abs(number) * asked.radius
        elif asked == ONE and offered == ONE:
            constant += number
        else:
            constant += abs(number) * asked.radius * offered.radius
    return constant, reach


def _smaller(first: arb, second: arb) -> arb:
    return first if upper_fraction(first) <= upper_fraction(second) else second
