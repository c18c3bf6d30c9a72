"""Why no look-up could be proved: which bits of query and key meet, how, and which of them should."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.proving.attention import partners, score_matrix
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, Symbol
from separation.tasks.shape import Fact, Kind

ORDER = ("wrong sign", "wrong bit", "key beyond its address", "noise", "constant", "missing bit")
"""What is named first if several things are wrong with one look-up: a wrong bit also leaves the right one missing."""
SHOWN = 2
"""At most this many problems are put into words; `details` has all of them."""


@dataclass(frozen=True)
class Problem:
    """One pair (query symbol, key symbol) whose coefficient in the score is not what a look-up needs.

    ``absent``: of a missing bit, who does not mention it: query, key, or neither of them but they never meet.
    """

    clause: str
    asked: Symbol
    offered: Symbol
    coefficient: Fraction
    absent: str = ""

    def document(self, slots: Slots) -> dict[str, Any]:
        return {
            "clause": self.clause,
            "query_bit": self.asked.name,
            "query_slots": slots.of_query(self.asked),
            "key_bit": self.offered.name,
            "key_slots": slots.of_key(self.offered),
            "coefficient": str(self.coefficient),
            **({"absent": self.absent} if self.absent else {}),
        }


@dataclass(frozen=True)
class Slots:
    """Where the symbols of a query and of a key stand in the streams that they are read from, and their names."""

    name: Callable[[int], str]
    query: Forms
    key: Forms
    asker: str = "query"
    holder: str = "key"

    def of_query(self, symbol: Symbol) -> list[str]:
        return self._of(self.query, symbol)

    def of_key(self, symbol: Symbol) -> list[str]:
        return self._of(self.key, symbol)

    def _of(self, stream: Forms, symbol: Symbol) -> list[str]:
        if symbol == ONE or symbol not in stream.places:
            return []
        column = stream.matrix.numerators[:, stream.places[symbol]]
        return [self.name(int(row)) for row in column.nonzero()[0]]


def pairing_problems(query: Forms, key: Forms, kind: Kind, fact: Fact, loose: bool = False) -> list[Problem]:
    """All that keeps `pair_bits` from pairing these bits; empty exactly if it can."""
    partner = partners(kind, fact)
    found: list[Problem] = []
    met: dict[Symbol, Fraction] = {}
    for row, column, number in score_matrix(query, key).entries():
        asked, offered = query.symbols[row], key.symbols[column]
        if asked.role == "noise" and (offered == ONE or loose):
            continue
        if asked == ONE and offered == ONE:
            continue
        if offered in partner and asked == partner[offered]:
            met[offered] = number
            if number <= 0:
                found.append(Problem("wrong sign", asked, offered, number))
        else:
            found.append(Problem(_clause(asked, offered, partner), asked, offered, number))
    for symbol in key.symbols:
        known = symbol == ONE or symbol in partner or any(problem.offered == symbol for problem in found)
        if not known:
            found.append(Problem("key beyond its address", ONE, symbol, Fraction(0)))
    for offered, asked in partner.items():
        if offered not in met:
            sides = (("query", query, asked), ("key", key, offered))
            absent = [name for name, forms, symbol in sides if symbol not in forms.places]
            found.append(Problem("missing bit", asked, offered, Fraction(0), " and ".join(absent) or "neither"))
    return sorted(found, key=lambda problem: ORDER.index(problem.clause))


def _clause(asked: Symbol, offered: Symbol, partner: dict[Symbol, Symbol]) -> str:
    if offered != ONE and offered not in partner:
        return "key beyond its address"
    if asked.is_bit:
        return "wrong bit"
    return "constant" if asked == ONE else "noise"


def in_words(problems: Sequence[Problem], partner: dict[Symbol, Symbol], slots: Slots, target: str) -> str:
    """The first problems as sentences, and how many more there are."""
    # One bit of each clause says what is wrong; the same of other bits is only counted.
    first = [next(p for p in problems if p.clause == clause) for clause in dict.fromkeys(p.clause for p in problems)]
    shown = [_sentence(problem, partner, slots, target) for problem in first[:SHOWN]]
    hidden = len(problems) - len(shown)
    return "; ".join(shown) + (f"; and {hidden} more like these" if hidden else "")


def _sentence(problem: Problem, partner: dict[Symbol, Symbol], slots: Slots, target: str) -> str:
    asked, offered, number = problem.asked, problem.offered, problem.coefficient
    asker, holder = slots.asker, slots.holder
    query = f"{asker} bit {asked.name}{_at(slots.of_query(asked))}"
    key = f"{holder} bit {offered.name}{_at(slots.of_key(offered))}"
    if problem.clause == "wrong sign":
        return f"{query} meets {key} with coefficient {number}, a positive one is needed"
    if problem.clause == "key beyond its address":
        beyond = f"{offered.name}{_at(slots.of_key(offered))}, which is no part of an address"
        return f"the {holder}s of {target} depend on {beyond}"
    if problem.clause == "missing bit":
        if "query" in problem.absent:
            return f"the {asker} does not mention {asked.name}{_at(slots.of_query(asked))}, which {key} must meet"
        if problem.absent == "key":
            return f"no {holder} of {target} tells {offered.name}{_at(slots.of_key(offered))}, which {query} must meet"
        return f"{query} and {key} never meet: their coefficient is 0"
    wanted = f", which should meet {partner[offered].name} alone" if offered in partner else ""
    if offered == ONE:
        return f"{query} moves the score of every {holder} of {target} by {number}"
    if problem.clause == "constant":
        return f"the {asker}'s constant meets {key} with coefficient {number}{wanted}"
    if problem.clause == "noise":
        reach = float(abs(number) * asked.radius)
        where = _at(slots.of_query(asked))
        return f"noise of the {asker}{where} meets {key}, by up to {reach:g}{wanted}"
    return f"{query} meets {key} with coefficient {number}{wanted}"


def _at(slots: list[str]) -> str:
    if not slots:
        return ""
    return f" (slot {slots[0]})" if len(slots) == 1 else f" (slots {', '.join(slots[:2])}{', …' * (len(slots) > 2)})"


def unpaired_answer(query: Forms, key: Forms, group: Kind, emission: Fact, name: Callable[[int], str]) -> ProofFailed:
    """The logits do not single out the right row of the unembedding: which of its bits is to blame."""
    asked = ", ".join(emission.address)
    problems = pairing_problems(query, key, group, emission, loose=True)
    slots = Slots(name, query, key, "stream", "row")
    message = f"the logits do not single out {asked}"
    details: dict[str, Any] = {"answer": list(emission.address)}
    if not problems:
        return ProofFailed("answer", "answer", message, "answer", details)
    details["problems"] = [problem.document(slots) for problem in problems]
    words = in_words(problems, partners(group, emission), slots, "the unembedding")
    return ProofFailed("answer", "answer", f"{message}: {words}", problems[0].clause, details)
