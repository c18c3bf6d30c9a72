"""What each kind of head would hand over if it read a given token, and why it is not proved to read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from separation.proving.forms import ONE, Named, bit, form_text, named, variable_of
from separation.proving.invariants import short
from separation.proving.kernel import (
    Fact,
    Forms,
    Noise,
    Peaks,
    Proof,
    Rational,
    Search,
    Symbol,
    add,
    bit_names,
    hull_rows,
    peak,
    radius,
    span,
    upper,
)
from separation.proving.pairing import Problem, Slots, in_words, pairing_problems
from separation.tasks.shape import Fact as TaskFact

if TYPE_CHECKING:
    from separation.proving.prover import Prover


@dataclass(frozen=True)
class Cause:
    """Why a head is not proved to read a token: a clause, its rule, words, numbers; ``count`` of things wrong."""

    clause: str
    rule: str
    words: str
    details: dict[str, Any] = field(default_factory=dict)
    count: int = 1


@dataclass(frozen=True)
class Aim:
    """A token that a head may read: the place of its kind, its bits in the reader's names, the fact that says so."""

    target: int
    bits: Fact
    fact: TaskFact


class Probe:
    """A head at a kind of token: what it could read, what it reads, and why not something else."""

    def __init__(self, prover: Prover, place: int, h: int, out: Forms) -> None:
        from separation.proving.prover import Told

        self.prover, self.place, self.h = prover, place, h
        self.head, self.parts = prover.model.layers[prover.layer - 1].heads[h - 1], prover.parts[h]
        self.query, self.keys, self.values = self.parts["Q"][place], self.parts["K"], self.parts["V"]
        match = out.match if isinstance(out, Told) else None
        self.match = None if match is None or match.leak >= 1 else match
        self.certain = isinstance(out, Told) and (match is None or match.leak < 1)

    def aims(self) -> list[Aim]:
        """All facts about tokens in view."""
        facts = [(j, bits) for j in self.prover.visible(self.place) for bits in self.prover.facts(self.place, j)]
        return [Aim(j, bits, self.prover.fact_of(j, bits)) for j, bits in facts]

    def found(self) -> Aim | None:
        """What the head is proved to find."""
        return None if self.match is None else Aim(self.match.target, self.match.bits, self.match.fact)

    def reading(self, aim: Aim, leak: Fraction | None) -> Forms:
        """What the head hands over if it finds this with this leak; None: without leak and without rounding."""
        raise NotImplementedError

    def cause(self, aim: Aim) -> Cause:
        raise NotImplementedError

    def note(self) -> str:
        """What else is to be said of the head where no look-up is looked for."""
        return ""

    def target(self, aim: Aim) -> str:
        """table 2 at (w1, i1)."""
        fact = aim.fact
        return f"{fact.kind} at ({', '.join(fact.address)})" if fact.address else fact.kind

    def held(self, aim: Aim) -> Forms:
        """What the token of a fact holds; what the reader cannot know keeps its name."""
        names: dict[Symbol, Symbol] = {}
        shared, told = self.prover.model.task.shared, [dict[Symbol, Rational]() for _ in self.values[aim.target]]
        for form, result in zip(self.values[aim.target], told, strict=True):
            for s, c in form.items():
                own = s if shared(s) else Named(f"{aim.fact.kind}'s {named(s)}", radius(s))
                name = names.setdefault(s, aim.bits.get(s, own) if isinstance(s, str) else own)
                add(result, {name: c})
        return told

    def problems(self, aim: Aim, rule: str) -> Cause | None:
        """The bits that do not pair up."""
        prover, partner = self.prover, self.partner(aim)
        key = self.keys[aim.target]
        found = pairing_problems(self.query, key, prover.scores(self.query, key), partner)
        if not found:
            return None
        before = prover.model.invariants[prover.layer - 1]
        slots = Slots(prover.model.slots, before[self.place][0], before[aim.target][0])
        words = in_words(found, partner, slots, aim.fact.kind)
        return Cause(found[0].clause, rule, words, self.documents(found, slots), len(found))

    def documents(self, found: list[Problem], slots: Slots) -> dict[str, Any]:
        return {"problems": [problem.document(slots) for problem in found]}

    def partner(self, aim: Aim) -> Fact:
        """The bit of the reader that each bit of the token's name must meet."""
        return {s: aim.bits.get(s, ONE) for s in self.prover.kinds[aim.target].name_bits}


class DeltaProbe(Probe):
    """A head of the gated delta rule: its state is followed, and nothing is looked up."""

    def aims(self) -> list[Aim]:
        return []

    def found(self) -> Aim | None:
        return None

    def note(self) -> str:
        """Who writes the state before this kind reads it, and whether it reads at all."""
        head = f"head {self.h - 1}"
        if not any(self.query):
            return f"the query of {head} is 0"
        gates = zip(self.prover.kinds, self.parts["B"], strict=True)
        writers = [kind.name for kind, (write,) in gates if span(write)[1] > 0]
        return f"the state of {head} is written by {', '.join(writers) or 'nobody'}"


class FullProbe(Probe):
    """A head of full attention: P4."""

    def reading(self, aim: Aim, leak: Fraction | None) -> Forms:
        if leak is None:
            return self.held(aim)
        hulls = hull_rows([span(form) for form in self.values[j]] for j in self.prover.visible(self.place))
        return Proof.read(self.prover, self.values[aim.target], aim.bits, hulls, leak)

    def cause(self, aim: Aim) -> Cause:
        problems = self.problems(aim, "P4")
        if problems is not None:
            return problems
        scores = [self.prover.scores(self.query, self.keys[j]) for j in self.prover.visible(self.place)]
        paired = self.prover.pairing(aim.target, aim.bits, scores[aim.target])
        assert paired is not None
        taus, sigma, rho = paired
        score, shift = sigma - rho, self.head.shift
        weight = self.prover.match(score - shift)
        against, apart = self._constants_apart(aim)
        if not weight and score != shift:
            words = f"the match scores {short(score)}, so far below the shift {short(shift)} that its weight floors"
            details = {"score": str(score), "shift": str(shift), "score_bits": self.prover.model.weight_bits}
            return Cause("weight floors to 0", "P4", f"{words} to 0{against}", details | apart)
        others = [aim.target, *(j for j in self.prover.visible(self.place) if j != aim.target)]
        weights = self.prover.weights(aim.target, scores, taus, sigma, rho)
        by_kind = dict.fromkeys((self.prover.kinds[j].name for j in others), float("inf"))
        if weights is not None:
            more = 1 if score == shift else 1 + Fraction(1, weight)
            by_kind = {kind: number(part * more) for kind, part in zip(by_kind, weights, strict=True)}
        total, heaviest = sum(by_kind.values()), max(by_kind, key=lambda kind: by_kind[kind])
        details = {"leak": finite(total), "heaviest": heaviest}
        details["by_kind"] = {kind: finite(part) for kind, part in by_kind.items()}
        details |= {} if score == shift else {"match_weight": weight}
        words = f"other keys weigh up to {total:.3g} × the match, most of it keys of {heaviest}{against}"
        return Cause("leak", "P4", words, details | apart)

    def _constants_apart(self, aim: Aim) -> tuple[str, dict[str, Any]]:
        """The slots, such as a tag, in which the query's constant asks for the opposite of what the keys hold."""
        read, slots = dict[int, list[str]](), self.prover.model.slots
        for row, column, _ in sorted(self.head.weights["W_K"].entries):
            read.setdefault(row, []).append(slots[column])
        apart = [
            {"slots": read.get(row, []), "query": str(asked[ONE]), "key": str(held[ONE])}
            for row, (asked, held) in enumerate(zip(self.query, self.keys[aim.target], strict=True))
            if set(asked) == set(held) == {ONE} and asked[ONE] * held[ONE] < 0
        ]
        if not apart:
            return "", {}
        first = apart[0]
        words = f"; the query asks {first['query']} of slot {', '.join(first['slots'][:2])}"
        return f"{words}, where {aim.fact.kind} holds {first['key']}", {"apart": apart}


class LinearProbe(Probe):
    """A head of linear attention: P9."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.asked: Peaks = [peak(form) for form in self.query]
        self.stored: list[Peaks] = [[peak(form) for form in forms] for forms in self.keys]

    def reading(self, aim: Aim, leak: Fraction | None) -> Forms:
        value = self.held(aim)
        if self.head.normalised:
            unit = 0 if leak is None else self.prover.model.unit
            return [{**form, Noise(unit): 1} if unit else form for form in value]
        # The weight that it would have: what it has if it reads this, 1 if it reads something else.
        height = self.match.score if self.match is not None and self.match.fact == aim.fact else 1
        return [{s: c * height for s, c in form.items()} for form in value]

    def cause(self, aim: Aim) -> Cause:
        kind, live = aim.fact.kind, [place for place, (most, _) in enumerate(self.asked) if most]
        if not live:
            return Cause("no feature", "P9", "no feature of the query is ever positive")
        kinds = self.prover.kinds
        writers = {
            kinds[j].name: [place for place in live if self.stored[j][place][0]]
            for j in self.prover.visible(self.place)
        }
        shared = writers.pop(kind, [])
        if not shared:
            words = f"no key of {kind} is positive in a feature that the query asks"
            return Cause("no feature", "P9", words, {"features": live[:8]})
        others = {name: places for name, places in writers.items() if places}
        if others:
            name, places = next(iter(others.items()))
            words = f"keys of {name} are positive in feature {places[0]} too, which the query asks"
            return Cause("other keys", "P9", words, {"kinds": list(others), "feature": places[0]}, len(others))
        return self._peaks(aim, shared)

    def _peaks(self, aim: Aim, places: list[int]) -> Cause:
        """The features that query and key share, one by one: peaks at the same address?"""
        partner, wrong = self.partner(aim), list[Cause]()
        for place in places:
            asked, offered = self.asked[place][1], self.stored[aim.target][place][1]
            if asked is None or offered is None:
                side = "query" if asked is None else "key"
                words = f"feature {place} of the {side} is positive at more than one sign pattern"
                wrong.append(Cause("not a peak", "P9", words, {"feature": place, "side": side}))
                continue
            wanted, signs = {partner.get(s, s): up for s, up in sorted(offered)}, dict(sorted(asked))
            for s in [*wanted, *(s for s in signs if s not in wanted)]:
                if wanted.get(s) != signs.get(s):
                    clause = "wrong sign" if s in wanted and s in signs else "wrong bit"
                    words = f"feature {place} peaks at {s} = {_sign(signs.get(s))} in the query, "
                    words += f"at {_sign(wanted.get(s))} in the key"
                    wrong.append(Cause(clause, "P9", words, {"feature": place, "bit": s}))
                    break
        if wrong:
            first = wrong[0]
            return Cause(first.clause, "P9", first.words, first.details, len(wrong))
        count, features = (
            self.prover.kinds[aim.target].count,
            "1 feature" if len(places) == 1 else f"{len(places)} features",
        )
        words = f"{features} for the {count} addresses of {aim.fact.kind}, or not all of one height"
        return Cause("missing address", "P9", words, {"features": len(places), "addresses": count})


class SearchProbe(Probe):
    """A head that searches for M − x: P11."""

    def __init__(self, prover: Prover, place: int, h: int, out: Forms) -> None:
        super().__init__(prover, place, h, out)
        (self.kind,) = prover.kinds
        self.pairs = dict(zip(bit_names(self.kind.spelled), bit_names(self.kind.mirror), strict=True))
        here = [search for search in prover.proof.searches if (search.layer, search.head) == (prover.layer, h - 1)]
        self.search = here[0] if here else None

    def aims(self) -> list[Aim]:
        fits = len(self.values[0]) == len(self.pairs)
        return [Aim(0, self.pairs, TaskFact(self.kind.name, (self.kind.mirror[0][0],)))] if fits else []

    def found(self) -> Aim | None:
        return self.aims()[0] if self.search is not None else None

    def reading(self, aim: Aim, leak: Fraction | None) -> Forms:
        """With the bits of x in order where the values are no code of x."""
        model, size = self.prover.model, len(self.pairs)
        error = Fraction(0) if leak is None else self.prover.coarse(2 * leak / (1 + leak)) + model.unit
        sums = Search(f"seen {self.prover.layer}/{self.h - 1}.0", 1 - error, size - 2 + size * model.unit, [])
        sums.products.extend(Noise(1, search=sums) for _ in self.pairs)
        names = self._signs() or [bit(aim.fact.address[0], index) for index in range(size)]
        return [{Noise(1, name, product): 1} for name, product in zip(names, sums.products, strict=True)]

    def _signs(self) -> list[str]:
        """The bit of y for each coordinate of the values; none if they are not the bits of x, each once."""
        copied = [s for form in self.values[0] for s, c in form.items() if c == 1 and len(form) == 1]
        return [self.pairs[str(s)] for s in copied] if set(copied) == set(self.pairs) and len(copied) > 1 else []

    def target(self, aim: Aim) -> str:
        del aim
        return "the tokens whose x' is M − x"

    def partner(self, aim: Aim) -> Fact:
        return aim.bits

    def cause(self, aim: Aim) -> Cause:
        problems = self.problems(aim, "P11")
        if problems is not None:
            return problems
        table, shift = self.prover.scores(self.query, self.keys[0]), self.head.shift
        constant = table.get(ONE, {})
        wobble = upper({s: c for s, c in constant.items() if s != ONE})
        taus = [table[s][self.pairs[s]] for s in self.pairs]
        score = constant.get(ONE, 0) + sum(taus)
        if wobble:
            words = f"noise of the query moves every score by up to {float(wobble):g}"
            return Cause("noise", "P11", words, {"wobble": float(wobble)})
        if score != shift:
            words = f"a match scores {short(score)}, the shift is {short(shift)}: it does not weigh 2^P exactly"
            return Cause("match below the shift", "P11", words, {"score": str(score), "shift": str(shift)})
        if not self._signs():
            return self._values()
        if self.search is None:
            return Cause("wrong bit", "P11", "its query mentions more than the bits of M − x")
        words = f"other keys weigh up to {float(self.search.leak):.3g} × a match"
        return Cause("leak", "P11", words, {"leak": float(self.search.leak)})

    def _values(self) -> Cause:
        """The first coordinate of the value that is no bit of x, or repeats one."""
        seen: set[str] = set()
        for row, form in enumerate(self.values[0]):
            text = form_text(form)
            code = len(form) == 1 and all(
                c == 1 and variable_of(str(s)) == self.kind.spelled[0][0] for s, c in form.items()
            )
            if not code or text in seen:
                words = f"coordinate {row} of the values holds {text}, where a bit of x of its own is needed"
                return Cause("value", "P11", words, {"coordinate": row, "holds": text})
            seen.add(text)
        return Cause("value", "P11", "the values do not have all bits of x, two or more")


def probe_of(prover: Prover, place: int, h: int, out: Forms) -> Probe:
    """What looks for the cause where the rules for this head failed."""
    kind = prover.model.layers[prover.layer - 1].heads[h - 1].type
    attention = SearchProbe if prover.model.task.two_sum else FullProbe
    probes: dict[str, Callable[..., Probe]] = {"linear": LinearProbe, "delta": DeltaProbe}
    return probes.get(kind, attention)(prover, place, h, out)


def unknown(index: int, out: Forms) -> Forms:
    """What a head hands over of which only a hull is known, coordinate by coordinate, under a name."""
    return [{Named(f"what head {index} reads[{row}]", max(upper(form), 1)): 1} for row, form in enumerate(out)]


def number(x: Rational) -> float:
    try:
        return float(x)
    except OverflowError:
        return float("inf")


def finite(x: float) -> float | None:
    return x if x != float("inf") else None


def _sign(up: bool | None) -> str:
    return "either" if up is None else "+1" if up else "-1"
