"""Rule P11: a head that asks, among all tokens it sees, for the value M − x; full or block-sparse."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix, Precision, exp_ball, upper_fraction
from separation.models import Head, Model, SparseHead
from separation.proving.attention import (
    anything_in,
    hull_of,
    outward,
    require_scores_below,
    score_matrix,
)
from separation.proving.closed_form import pair_bits
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, Group, Symbol, bit, fresh_noise, fresh_output
from separation.tasks.shape import Fact, Kind, Shape


@dataclass(frozen=True)
class Search:
    """Every match weighs 2^P, all other keys together at most ``leak`` times one match.

    ``offset``: the place in a block whose token a summary repeats; None for full attention.
    """

    layer: int
    head: int
    leak: Fraction
    error: Fraction
    offset: int | None


def seen_name(layer: int, head: int) -> str:
    """The variable of a token that is 1 if this head sees a key with x' = M − x."""
    return f"seen {layer}/{head}"


def seen_variables(model: Model, shape: Shape) -> list[str]:
    """The names of all such variables; none unless the task is a search."""
    if not shape.search:
        return []
    pairs = [(number, index) for number, layer in enumerate(model.layers, 1) for index in range(len(layer.heads))]
    return [seen_name(number, index) for number, index in pairs]


class SearchForms:
    """One head of full or sparse attention of a searching model, and its view of the kind x."""

    def __init__(self, head: Head | SparseHead, streams: dict[str, Forms], kind: Kind) -> None:
        self.head, self.kind = head, kind
        self.query, self.key, self.value = (
            streams[kind.name].image(w).compact() for w in (head.w_q, head.w_k, head.w_v)
        )
        self.summary_key = self.summary_value = None
        if isinstance(head, SparseHead):
            self.summary_key = _summary(head.c_k, self.key, head.block)
            self.summary_value = _summary(head.c_v, self.value, head.block)

    def parts(self) -> dict[str, Forms]:
        """All that must fit in p bits."""
        parts = {"query": self.query, "key": self.key, "value": self.value}
        if self.summary_key is not None and self.summary_value is not None:
            parts |= {"summary key": self.summary_key, "summary value": self.summary_value}
        return parts

    def require_shift(self) -> None:
        """P3 for tokens and for summaries."""
        keys = {self.kind.name: self.key}
        if self.summary_key is not None:
            keys["summaries"] = self.summary_key
        require_scores_below(self.head.shift, self.query, keys)

    def output(self, number: int, index: int, precision: Precision) -> tuple[Forms, Search | None]:
        """y's code up to an error if a match is seen, else numbers that together stay away from it; or the hull."""
        found = self._search(number, index, precision)
        if found is None:
            return self.hull(precision), None
        signs = self.signs()
        assert signs is not None
        return searched_output(found, signs, precision), found

    def hull(self, precision: Precision) -> Forms:
        """P5 over tokens and summaries."""
        values = [self.value] if self.summary_value is None else [self.value, self.summary_value]
        return anything_in(hull_of(values), precision)

    def _search(self, number: int, index: int, precision: Precision) -> Search | None:
        """The conditions of P11; None if one does not hold."""
        (value,) = self.kind.value
        mirror = self.kind.mirror
        assert mirror is not None
        keys = Kind(self.kind.name, 0, (value,), (), 0)
        met = (score_matrix(self.query, self.key).numerators != 0).any(axis=0)
        met[0] = True
        seen = np.flatnonzero(met)  # a symbol of the keys that no query meets is in no score
        offered = Forms([self.key.symbols[place] for place in seen], self.key.matrix.columns(seen))
        pairing = pair_bits(self.query, offered, keys, Fact(self.kind.name, (mirror.name,)))
        signs = self.signs()
        if pairing is None or pairing.wobble or signs is None or pairing.score != self.head.shift:
            return None
        offset = None
        if isinstance(self.head, SparseHead):
            offset = _only_offset(self.head, self.key, self.value)
            if offset is None:
                return None
        leak = upper_fraction((self.head.keys_seen(self.kind.count) - 1) * exp_ball(-2 * min(pairing.steepness)))
        return Search(number, index, leak, search_error(leak, precision), offset)

    def signs(self) -> list[Symbol] | None:
        """y.j(r) for each coordinate, if v_r = x.j(r) and r ↦ j(r) is a bijection onto two bits or more."""
        (value,) = self.kind.value
        assert self.kind.mirror is not None
        places = {bit(value.name, j): j for j in range(value.bits)}
        found: list[int] = []
        for row in range(self.value.height):
            terms = self.value.terms(row)
            if len(terms) != 1 or terms[0][0] not in places or terms[0][1] != 1:
                return None
            found.append(places[terms[0][0]])
        if sorted(found) != list(range(value.bits)) or value.bits < 2:
            return None
        return [bit(self.kind.mirror.name, j) for j in found]


def search_error(leak: Fraction, precision: Precision) -> Fraction:
    """How far a coordinate may be from the match's bit: what other keys pull, and one rounding."""
    return outward(2 * leak / (1 + leak) + precision.step, precision)


def searched_output(found: Search, signs: list[Symbol], precision: Precision) -> Forms:
    """P11's conclusion: close to y's code if a match is seen, else in sum away from it."""
    size = len(signs)
    guard = bit(seen_name(found.layer, found.head), 0)
    group = Group(guard, size, 1 - found.error, size - 2 + size * precision.step)
    symbols = [fresh_output(sign, group) for sign in signs]
    unit = ExactMatrix.from_entries((size, 1 + size), [(row, 1 + row, 1) for row in range(size)])
    return Forms([ONE, *symbols], unit)


def _summary(compressor: ExactMatrix, token: Forms, block: int) -> Forms:
    """C (t_1; …; t_B) for B tokens whose variables and noise have nothing to do with each other."""
    total = Forms.constant(ExactMatrix.zeros(compressor.shape[0], 1))
    for offset in range(block):
        part = compressor.columns(range(offset * token.height, (offset + 1) * token.height))
        if part.numerators.any():
            total = total.plus(_copy(token, offset).image(part))
    return total.compact()


def _copy(forms: Forms, offset: int) -> Forms:
    """The same forms of another token: its bits are numbers of their own."""

    def rename(symbol: Symbol) -> Symbol:
        if symbol == ONE:
            return symbol
        return bit(f"{symbol.name}@{offset}", 0) if symbol.is_bit else fresh_noise(symbol.radius)

    return forms.renamed(rename)


def _only_offset(head: SparseHead, key: Forms, value: Forms) -> int | None:
    """The o for which every summary is the key and the value of the o-th token of its block."""
    offsets = []
    for offset in range(head.block):
        parts = []
        for compressor, forms in ((head.c_k, key), (head.c_v, value)):
            chosen = compressor.columns(range(offset * forms.height, (offset + 1) * forms.height))
            parts.append((chosen @ forms.matrix, forms.matrix))
        if all(image == own for image, own in parts):
            offsets.append(offset)
        elif any(image.numerators.any() for image, _ in parts):
            return None
    return offsets[0] if len(offsets) == 1 else None


def search_margin(model: Model, difference: Forms, found: list[Search]) -> Fraction:
    """Answer of P11: logit 1 − logit 0 = c + Σ a_h·seen_h ± ρ, negative if all are unseen, positive if one is seen.

    All else that the logits depend on is in ρ.
    """
    heads = {bit(seen_name(search.layer, search.head), 0): search for search in found}
    constant, noise, weights, others = Fraction(0), Fraction(0), {}, []
    for symbol, number in difference.terms(0):
        if symbol == ONE:
            constant = number
        elif symbol in heads and number > 0:
            weights[symbol] = number
        else:
            noise += abs(number) * symbol.radius
            others += [(symbol, number)] if symbol.is_bit else []
    if not weights or not _see_everything(model, [heads[symbol] for symbol in weights]):
        _blame_bits([(symbol, number) for symbol, number in others if symbol in heads], heads)
        read = [heads[symbol] for symbol in weights]
        offsets = {"heads": [search.head for search in read], "offsets": [search.offset for search in read]}
        message = "the heads that the logits depend on do not see every token"
        raise ProofFailed("answer", "answer", message, "unseen tokens", offsets)
    lowest = constant - sum(weights.values(), Fraction(0))
    margin = min(-(lowest + noise), lowest + 2 * min(weights.values()) - noise)
    if margin <= 0:
        _blame_bits(others, heads)
    return margin


def _blame_bits(others: list[tuple[Symbol, Fraction]], heads: dict[Symbol, Search]) -> None:
    """The margin is not positive, and the logits depend on a bit that they should not: that is why."""
    for symbol, number in others:
        details = {"bit": symbol.name, "coefficient": str(number)}
        if symbol in heads:
            message = f"the logit of 1 falls when head {heads[symbol].head} finds a match, with coefficient {number}"
            raise ProofFailed("answer", "answer", message, "wrong sign", details)
        raise ProofFailed("answer", "answer", f"the logits depend on {symbol.name}", "wrong bit", details)


def _see_everything(model: Model, heads: list[Search]) -> bool:
    """Do these heads together see every token at or before a query: one of them is full, or all offsets of a block
    length occur?"""
    offsets: dict[int, set[int]] = {}
    for search in heads:
        part = model.layers[search.layer - 1].heads[search.head]
        if search.offset is None or not isinstance(part, SparseHead):
            return True
        offsets.setdefault(part.block, set()).add(search.offset)
    return any(len(found) == block for block, found in offsets.items())
