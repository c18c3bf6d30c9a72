"""What each kind of head would hand over if it read a given token, and why it is not proved to read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from separation.arithmetic import floor_scaled_exp, upper_fraction
from separation.models import SparseHead
from separation.proving.attention import (
    Match,
    facts_in_view,
    head_output,
    noise_rows,
    partners,
    told,
    visible_kinds,
)
from separation.proving.closed_form import Pairing, closed_form_match, floor_correction, pair_bits, weight_of_kind
from separation.proving.delta import gate
from separation.proving.forms import ONE, Forms, Symbol, bit
from separation.proving.heads import DeltaView, FullView, HeadView, LinearView, SearchView
from separation.proving.invariants import short
from separation.proving.pairing import Problem, Slots, in_words, pairing_problems
from separation.proving.search import Search, search_error, searched_output
from separation.tasks.shape import Fact, Kind, Shape


@dataclass(frozen=True)
class Cause:
    """Why a head is not proved to read a token: a clause, its rule, words, numbers; ``count`` of things wrong."""

    clause: str
    rule: str
    words: str
    details: dict[str, Any] = field(default_factory=dict)
    count: int = 1


class Probe:
    """A head at a kind of token: what it could read, what it reads, and why not something else."""

    def __init__(self, view: HeadView, kind: Kind, streams: dict[str, Forms]) -> None:
        self.view, self.kind, self.streams = view, kind, streams
        self.shape, self.precision = view.setting.shape, view.setting.model.precision

    def facts(self) -> list[Fact]:
        return []

    def found(self) -> tuple[Fact, Fraction] | None:
        """The fact that the head finds, and its leak."""
        return None

    def reading(self, fact: Fact, leak: Fraction | None) -> Forms:
        """What the head hands over if it finds the fact with this leak; None: without leak and without rounding."""
        raise NotImplementedError

    def cause(self, fact: Fact) -> Cause:
        raise NotImplementedError

    def note(self) -> str:
        """What else is to be said of the head where no look-up is looked for."""
        return ""

    def target(self, fact: Fact) -> str:
        """table 2 at (w1, i1)."""
        return f"{fact.kind} at ({', '.join(fact.address)})" if fact.address else fact.kind

    def slots(self, fact: Fact) -> Slots:
        return Slots(self.view.setting.model.stream.name, self.streams[self.kind.name], self.streams[fact.kind])

    def unpaired(self, problems: list[Problem], fact: Fact, partner: dict[Symbol, Symbol], rule: str) -> Cause:
        slots = self.slots(fact)
        words = in_words(problems, partner, slots, fact.kind)
        details = {"problems": [problem.document(slots) for problem in problems]}
        return Cause(problems[0].clause, rule, words, details, len(problems))


class DeltaProbe(Probe):
    """A head of the gated delta rule: its state is followed, and nothing is looked up."""

    def __init__(self, view: DeltaView, kind: Kind, streams: dict[str, Forms]) -> None:
        super().__init__(view, kind, streams)
        self.forms = view.forms

    def note(self) -> str:
        """Who writes the state before this kind reads it, and whether it reads at all."""
        head = f"head {self.view.index}"
        if not self.forms.query[self.kind.name].matrix.numerators.any():
            return f"the query of {head} is 0"
        writers = [name for name in self.forms.states if gate(self.forms.write[name], "write gate")]
        return f"the state of {head} is written by {', '.join(writers) or 'nobody'}"


class FullProbe(Probe):
    """A head of full attention: P4."""

    def __init__(self, view: FullView, kind: Kind, streams: dict[str, Forms]) -> None:
        super().__init__(view, kind, streams)
        self.forms = view.forms
        self.match = closed_form_match(self.forms, self.shape, kind, self.precision)

    def facts(self) -> list[Fact]:
        return facts_in_view(self.shape, self.kind)

    def found(self) -> tuple[Fact, Fraction] | None:
        return None if self.match is None or self.match.leak >= 1 else (self.match.fact, self.match.leak)

    def reading(self, fact: Fact, leak: Fraction | None) -> Forms:
        if leak is None:
            return form_of_fact(self.forms.value[fact.kind], self.shape, fact)
        match = Match(fact, leak, Fraction(0), "supposed")
        return head_output(self.forms, self.shape, self.kind, match, self.precision)

    def cause(self, fact: Fact) -> Cause:
        query, key, kind = self.forms.query[self.kind.name], self.forms.key[fact.kind], self.shape.kind(fact.kind)
        problems = pairing_problems(query, key, kind, fact)
        if problems:
            return self.unpaired(problems, fact, partners(kind, fact), "P4")
        pairing = pair_bits(query, key, kind, fact)
        assert pairing is not None
        return self._too_light(fact, pairing) or self._leak(fact, pairing)

    def _too_light(self, fact: Fact, pairing: Pairing) -> Cause | None:
        """The match's own weight may be floored to 0."""
        score, shift = pairing.score - pairing.wobble, self.forms.head.shift
        if floor_correction(self.forms, score, self.precision) is not None:
            return None
        words = f"the match scores {short(score)}, so far below the shift {short(shift)} that its weight floors to 0"
        details = {"score": str(score), "shift": str(shift), "score_bits": self.precision.score_bits}
        against, named = self._constants_apart(fact)
        return Cause("weight floors to 0", "P4", words + against, details | named)

    def _constants_apart(self, fact: Fact) -> tuple[str, dict[str, Any]]:
        """The slots, such as a tag, in which the query's constant asks for the opposite of what the keys hold."""
        query, key = self.forms.query[self.kind.name], self.forms.key[fact.kind]
        apart, name = [], self.view.setting.model.stream.name
        for row in range(query.height):
            asked, held = dict(query.terms(row)), dict(key.terms(row))
            if set(asked) == set(held) == {ONE} and asked[ONE] * held[ONE] < 0:
                columns = self.forms.head.w_k.numerators[row].nonzero()[0]
                apart.append({"slots": [name(int(column)) for column in columns], "query": str(asked[ONE]),
                              "key": str(held[ONE])})  # fmt: skip
        if not apart:
            return "", {}
        first = apart[0]
        words = f"; the query asks {first['query']} of slot {', '.join(first['slots'][:2])}"
        words += f", where {fact.kind} holds {first['key']}"
        return words, {"apart": apart}

    def _leak(self, fact: Fact, pairing: Pairing) -> Cause:
        """Other keys weigh too much; which kind of them weighs most."""
        score = pairing.score - pairing.wobble
        correction = floor_correction(self.forms, score, self.precision)
        weights: dict[str, float] = {}
        for other in visible_kinds(self.shape, self.kind):
            try:
                weight = weight_of_kind(self.forms, self.shape, self.kind, fact, pairing, other)
                weights[other.name] = float(upper_fraction(weight) * (correction or 1))
            except OverflowError:
                weights[other.name] = float("inf")
        heaviest = max(weights, key=lambda name: weights[name])
        total = sum(weights.values())
        details: dict[str, Any] = {"leak": finite(total), "heaviest": heaviest}
        details["by_kind"] = {name: finite(weight) for name, weight in weights.items()}
        if self.forms.head.shift != score:
            details["match_weight"] = floor_scaled_exp(self.precision.score_bits, score - self.forms.head.shift)
        words = f"other keys weigh up to {total:.3g} × the match, most of it keys of {heaviest}"
        against, named = self._constants_apart(fact)
        return Cause("leak", "P4", words + against, details | named)


class LinearProbe(Probe):
    """A head of linear attention: P9."""

    def __init__(self, view: LinearView, kind: Kind, streams: dict[str, Forms]) -> None:
        super().__init__(view, kind, streams)
        self.forms = view.forms
        _, self.match = self.forms.output(self.shape, kind, self.precision)

    def facts(self) -> list[Fact]:
        return facts_in_view(self.shape, self.kind)

    def found(self) -> tuple[Fact, Fraction] | None:
        return None if self.match is None else (self.match.fact, self.match.leak)

    def reading(self, fact: Fact, leak: Fraction | None) -> Forms:
        value = form_of_fact(self.forms.value[fact.kind], self.shape, fact)
        if self.forms.head.normalised:
            return value if leak is None else value.plus(noise_rows([self.precision.step] * value.height))
        # The weight that it would have: what it has if it reads this, 1 if it reads something else.
        height = self.match.score if self.match is not None and self.match.fact == fact else Fraction(1)
        return Forms(value.symbols, value.matrix.scaled(height))

    def cause(self, fact: Fact) -> Cause:
        asked, offered = self.forms.asked[self.kind.name], self.forms.offered[fact.kind]
        live = [place for place, feature in enumerate(asked) if feature.most]
        if not live:
            return Cause("no feature", "P9", "no feature of the query is ever positive")
        writers = {
            other.name: [place for place in live if self.forms.offered[other.name][place].most]
            for other in visible_kinds(self.shape, self.kind)
        }
        if not writers.pop(fact.kind, []):
            words = f"no key of {fact.kind} is positive in a feature that the query asks"
            return Cause("no feature", "P9", words, {"features": live[:8]})
        others = {name: places for name, places in writers.items() if places}
        if others:
            name, places = next(iter(others.items()))
            words = f"keys of {name} are positive in feature {places[0]} too, which the query asks"
            return Cause("other keys", "P9", words, {"kinds": list(others), "feature": places[0]}, len(others))
        return self._peaks(fact, [place for place in live if offered[place].most])

    def _peaks(self, fact: Fact, places: list[int]) -> Cause:
        """The features that query and key share, one by one: peaks at the same address?"""
        kind = self.shape.kind(fact.kind)
        partner, wrong = partners(kind, fact), []
        for place in places:
            asked, offered = (
                self.forms.asked[self.kind.name][place].pattern,
                self.forms.offered[fact.kind][place].pattern,
            )
            if asked is None or offered is None:
                side = "query" if asked is None else "key"
                words = f"feature {place} of the {side} is positive at more than one sign pattern"
                wrong.append(Cause("not a peak", "P9", words, {"feature": place, "side": side}))
                continue
            wanted = {partner.get(symbol, symbol): sign for symbol, sign in offered}
            signs = dict(asked)
            for symbol in [*wanted, *(symbol for symbol in signs if symbol not in wanted)]:
                if wanted.get(symbol) != signs.get(symbol):
                    clause = "wrong sign" if symbol in wanted and symbol in signs else "wrong bit"
                    words = f"feature {place} peaks at {symbol.name} = {_sign(signs.get(symbol))} in the query, "
                    words += f"at {_sign(wanted.get(symbol))} in the key"
                    wrong.append(Cause(clause, "P9", words, {"feature": place, "bit": symbol.name}))
                    break
        if wrong:
            first = wrong[0]
            return Cause(first.clause, "P9", first.words, first.details, len(wrong))
        features = "1 feature" if len(places) == 1 else f"{len(places)} features"
        words = f"{features} for the {kind.count} addresses of {fact.kind}, or not all of one height"
        return Cause("missing address", "P9", words, {"features": len(places), "addresses": kind.count})


class SearchProbe(Probe):
    """A head that searches for M − x: P11."""

    def __init__(self, view: SearchView, kind: Kind, streams: dict[str, Forms]) -> None:
        super().__init__(view, kind, streams)
        self.forms = view.forms
        _, self.search = self.forms.output(view.layer, view.index, self.precision)

    def facts(self) -> list[Fact]:
        assert self.kind.mirror is not None
        (value,) = self.kind.value
        fits = self.forms.value.height == value.bits
        return [Fact(self.kind.name, (self.kind.mirror.name,))] if fits else []

    def found(self) -> tuple[Fact, Fraction] | None:
        return None if self.search is None else (self.facts()[0], self.search.leak)

    def reading(self, fact: Fact, leak: Fraction | None) -> Forms:
        """With the bits of x in order where the values are no code of x."""
        error = Fraction(0) if leak is None else search_error(leak, self.precision)
        search = Search(self.view.layer, self.view.index, leak or Fraction(0), error, None)
        signs = self.forms.signs() or [bit(fact.address[0], index) for index in range(self.forms.value.height)]
        return searched_output(search, signs, self.precision)

    def target(self, fact: Fact) -> str:
        del fact
        return "the tokens whose x' is M − x"

    def cause(self, fact: Fact) -> Cause:
        (value,) = self.kind.value
        keys = Kind(self.kind.name, 0, (value,), (), 0)
        problems = pairing_problems(self.forms.query, self.forms.key, keys, fact)
        if problems:
            return self.unpaired(problems, fact, partners(keys, fact), "P11")
        pairing = pair_bits(self.forms.query, self.forms.key, keys, fact)
        assert pairing is not None
        head, score = self.forms.head, pairing.score
        if pairing.wobble:
            words = f"noise of the query moves every score by up to {float(pairing.wobble):g}"
            return Cause("noise", "P11", words, {"wobble": float(pairing.wobble)})
        if score != head.shift:
            words = f"a match scores {short(score)}, the shift is {short(head.shift)}: it does not weigh 2^P exactly"
            return Cause("match below the shift", "P11", words, {"score": str(score), "shift": str(head.shift)})
        if self.forms.signs() is None:
            return self._values()
        if isinstance(head, SparseHead) and (self.search is None or self.search.offset is None):
            words = "the summary of a block is not the key and the value of one of its tokens, the same in every block"
            return Cause("summary", "P11", words, {"block": head.block})
        leak = None if self.search is None else self.search.leak
        words = "its query mentions more than the bits of M − x"
        if leak is None:
            return Cause("wrong bit", "P11", words)
        words = f"other keys weigh up to {float(leak):.3g} × a match"
        return Cause("leak", "P11", words, {"leak": float(leak)})

    def _values(self) -> Cause:
        """The first coordinate of the value that is no bit of x, or repeats one."""
        seen: dict[str, int] = {}
        for row in range(self.forms.value.height):
            text = self.forms.value.row_text(row)
            terms = self.forms.value.terms(row)
            code = len(terms) == 1 and terms[0][1] == 1 and terms[0][0].variable == self.kind.value[0].name
            if not code or text in seen:
                words = f"coordinate {row} of the values holds {text}, where a bit of x of its own is needed"
                return Cause("value", "P11", words, {"coordinate": row, "holds": text})
            seen[text] = row
        return Cause("value", "P11", "the values do not have all bits of x, two or more")


PROBES: dict[type[HeadView], Callable[..., Probe]] = {
    FullView: FullProbe,
    LinearView: LinearProbe,
    DeltaView: DeltaProbe,
    SearchView: SearchProbe,
}


def probe_of(view: HeadView, kind: Kind, streams: dict[str, Forms]) -> Probe:
    """What looks for the cause where the rules of this view failed."""
    return PROBES[type(view)](view, kind, streams)


def form_of_fact(value: Forms, shape: Shape, fact: Fact) -> Forms:
    """What the token of a fact holds, as `winner_value`, but what the reader cannot know keeps its name."""
    whose = f"{fact.kind}'s"
    return told(
        value, shape, fact, lambda symbol: Symbol(f"{whose} {symbol.name}", "noise", -symbol.radius, symbol.radius)
    )


def unknown(view: HeadView, out: Forms) -> Forms:
    """What a head hands over of which only a hull is known, coordinate by coordinate, under a name."""
    ranges = out.ranges()
    symbols = [
        Symbol(f"what head {view.index} reads[{row}]", "noise", low, high) for row, (low, high) in enumerate(ranges)
    ]
    return Forms([ONE, *symbols], noise_rows([Fraction(1)] * len(ranges)).matrix)


def finite(number: float) -> float | None:
    return number if number != float("inf") else None


def _sign(sign: int | None) -> str:
    return "either" if sign is None else f"{sign:+d}"
