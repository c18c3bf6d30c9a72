"""Why no look-up could be proved: which bits of query and key meet, how, and which of them should."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, is_bit, named, order_of, symbols_of, variable_of
from separation.proving.kernel import Fact, Forms, Noise, Rational, Scores, Symbol, absolute, radius

if TYPE_CHECKING:
    from separation.proving.kernel_tasks import Kind
    from separation.proving.prover import Prover

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
    coefficient: Rational
    absent: str = ""

    def document(self, slots: Slots) -> dict[str, Any]:
        return {
            "clause": self.clause,
            "query_bit": named(self.asked),
            "query_slots": slots.of_query(self.asked),
            "key_bit": named(self.offered),
            "key_slots": slots.of_key(self.offered),
            "coefficient": str(self.coefficient),
            **({"absent": self.absent} if self.absent else {}),
        }


@dataclass(frozen=True)
class Slots:
    """Where the symbols of a query and of a key stand in the streams that they are read from, and their names."""

    names: Sequence[str]
    query: Forms
    key: Forms
    asker: str = "query"
    holder: str = "key"

    def of_query(self, symbol: Symbol) -> list[str]:
        return self._of(self.query, symbol)

    def of_key(self, symbol: Symbol) -> list[str]:
        return self._of(self.key, symbol)

    def _of(self, stream: Forms, symbol: Symbol) -> list[str]:
        places = enumerate(self.names[: len(stream)])
        return [] if symbol == ONE else [name for row, name in places if symbol in stream[row]]


def pairing_problems(query: Forms, key: Forms, table: Scores, partner: Fact, loose: bool = False) -> list[Problem]:
    """All that keeps P4 from pairing these bits; empty exactly if nothing does.

    ``partner``: the bit of the query that each bit of the key's name must meet, alone. ``loose`` lets the query's noise
    meet them too (the rule of the answer).
    """
    found: list[Problem] = []
    met: set[Symbol] = set()
    for offered, column in table.items():
        for asked, number in column.items():
            alike = asked == ONE and offered == ONE
            if alike or (isinstance(asked, Noise) and (offered == ONE or loose)):
                continue
            if isinstance(offered, str) and partner.get(offered) == asked:
                met.add(offered)
                if number <= 0:
                    found.append(Problem("wrong sign", asked, offered, number))
            else:
                found.append(Problem(_clause(asked, offered, partner), asked, offered, number))
    seen = {problem.offered for problem in found}
    for symbol in symbols_of(key) - seen - {ONE, *partner}:
        found.append(Problem("key beyond its address", ONE, symbol, 0))
    for offered, asked in partner.items():
        if offered not in met:
            sides = (("query", query, asked), ("key", key, offered))
            absent = [name for name, forms, symbol in sides if symbol not in symbols_of(forms)]
            found.append(Problem("missing bit", asked, offered, 0, " and ".join(absent) or "neither"))
    return sorted(found, key=lambda p: (ORDER.index(p.clause), order_of(p.asked), order_of(p.offered)))


def _clause(asked: Symbol, offered: Symbol, partner: Fact) -> str:
    if offered != ONE and offered not in partner:
        return "key beyond its address"
    if is_bit(asked):
        return "wrong bit"
    return "constant" if asked == ONE else "noise"


def in_words(problems: Sequence[Problem], partner: Fact, slots: Slots, target: str) -> str:
    """The first problems as sentences, and how many more there are."""
    # One bit of each clause says what is wrong; the same of other bits is only counted.
    first = [next(p for p in problems if p.clause == clause) for clause in dict.fromkeys(p.clause for p in problems)]
    shown = [_sentence(problem, partner, slots, target) for problem in first[:SHOWN]]
    hidden = len(problems) - len(shown)
    return "; ".join(shown) + (f"; and {hidden} more like these" if hidden else "")


def _sentence(problem: Problem, partner: Fact, slots: Slots, target: str) -> str:
    asked, offered, number = problem.asked, problem.offered, problem.coefficient
    asker, holder = slots.asker, slots.holder
    query = f"{asker} bit {named(asked)}{_at(slots.of_query(asked))}"
    key = f"{holder} bit {named(offered)}{_at(slots.of_key(offered))}"
    if problem.clause == "wrong sign":
        return f"{query} meets {key} with coefficient {number}, a positive one is needed"
    if problem.clause == "key beyond its address":
        beyond = f"{named(offered)}{_at(slots.of_key(offered))}, which is no part of an address"
        return f"the {holder}s of {target} depend on {beyond}"
    if problem.clause == "missing bit":
        if "query" in problem.absent:
            return f"the {asker} does not mention {asked}{_at(slots.of_query(asked))}, which {key} must meet"
        if problem.absent == "key":
            return f"no {holder} of {target} tells {offered}{_at(slots.of_key(offered))}, which {query} must meet"
        return f"{query} and {key} never meet: their coefficient is 0"
    wanted = f", which should meet {partner[str(offered)]} alone" if offered in partner else ""
    if offered == ONE:
        return f"{query} moves the score of every {holder} of {target} by {number}"
    if problem.clause == "constant":
        return f"the {asker}'s constant meets {key} with coefficient {number}{wanted}"
    if problem.clause == "noise":
        most = float(absolute(number) * radius(asked))
        return f"noise of the {asker}{_at(slots.of_query(asked))} meets {key}, by up to {most:g}{wanted}"
    return f"{query} meets {key} with coefficient {number}{wanted}"


def _at(slots: list[str]) -> str:
    if not slots:
        return ""
    return f" (slot {slots[0]})" if len(slots) == 1 else f" (slots {', '.join(slots[:2])}{', …' * (len(slots) > 2)})"


def unpaired_answer(prover: Prover, query: Forms, key: Forms, group: Kind, error: ProofFailed) -> ProofFailed:
    """If the logits do not single out the right row of the unembedding: which of its bits is to blame."""
    partner = {bit: bit for bit in group.name_bits}
    problems = pairing_problems(query, key, prover.scores(query, key), partner, loose=True)
    if not problems:
        return error
    asked = list(dict.fromkeys(map(variable_of, partner)))
    slots = Slots(prover.model.slots, query, key, "stream", "row")
    message = (
        f"the logits do not single out {', '.join(asked)}: {in_words(problems, partner, slots, 'the unembedding')}"
    )
    details = {"answer": asked, "problems": [problem.document(slots) for problem in problems]}
    return ProofFailed("answer", "answer", message, problems[0].clause, details)
