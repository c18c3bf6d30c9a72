"""One question, one answer: the shortest prompt found at which no model of a word solves L tables, or is right often.

`shortest_prompt` is asked by every verb, by the lesson and by the statements. β may depend on the length of the prompt
itself: then the prompt is one for β(2^k) with at most 2^k tokens, for the least such k.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from separation.bounds.budget import Budget
from separation.bounds.condition import least_that
from separation.bounds.cube_search import CUBE, CubeSearch
from separation.bounds.known import is_proved
from separation.bounds.theorem import Impossibility, Theorem
from separation.bounds.theorems import THEOREMS
from separation.bounds.theorems.ceiling import AccuracyBound
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_a2 import TheoremA2
from separation.bounds.theorems.theorem_a2w import TheoremA2W, shortest_a2w
from separation.bounds.theorems.theorem_b import TheoremBOneTable
from separation.bounds.theorems.theorem_c import TheoremC, shortest_for_recurrent_only
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer

if TYPE_CHECKING:
    from separation.bounds.search import Search

MOST_TABLES = 12
"""Tables up to which integers are searched for; with more the golden schedule of A or B is taken as it is: its prompt,
as every other's, has more than 2^100,000 tokens."""
BELOW_ONE = Fraction(9999, 10_000)  # a ceiling of at most this is an impossibility
LONG_BITS = 100_000  # of a prompt, from which on k is raised a little more than needed, which ends the search sooner
CLOSE = 0.5  # bits over real numbers by which a theorem may lose and still have the shortest prompt in integers


Found = Impossibility | AccuracyBound


def hard_sizes(found: Found, budget: Budget | None) -> dict[str, Any]:
    """{beta, lambda, m, n, tokens, tokens_log2} of certified sizes, with x and whether β and Λ were an example."""
    return {**found.hard_sizes(), "assumed": budget is not None and budget.assumed}


class TheoremSearch:
    """A theorem for a word and L tables, as a function of β."""

    def __init__(self, theorem: Theorem, L: int, tables: int, state_bits: tuple[int, ...]) -> None:
        self.theorem, self.L, self.tables, self.state_bits = theorem, L, tables, state_bits
        self.found: dict[int, Impossibility | None] = {}
        own = (TheoremA2, TheoremA2W, TheoremBOneTable, TheoremC, *CUBE)
        self.search: Search[Impossibility] | None = None
        if not isinstance(theorem, own) and 1 < tables <= MOST_TABLES:
            from separation.bounds.search import PromptQuestion, Search

            beyond = (1,) * (L - tables)
            self.search = Search(lambda beta: PromptQuestion(theorem, tables, beta, state_bits, beyond))

    @property
    def proved(self) -> bool:
        return is_proved(self.theorem.name)

    def real_length(self, beta: int) -> float:
        """log2 of the tokens, or nearly, over real numbers, where integers take long; infinite if none were found."""
        if self.search is not None:
            return self.search.real_length(beta)
        found = self.shortest(beta)
        return math.inf if found is None else found.tokens_log2()

    def shortest(self, beta: int) -> Impossibility | None:
        """The shortest prompt found, certified; None if none was found."""
        if beta not in self.found:
            self.found[beta] = self._shortest(beta)
        return self.found[beta]

    def _shortest(self, beta: int) -> Impossibility | None:
        theorem, bits, identity = self.theorem, self.state_bits, self.L - self.tables
        if isinstance(theorem, CUBE):
            near = next((found for found in reversed(self.found.values()) if found is not None), None)
            shape = () if near is None else tuple(map(int, near.n[: self.tables - 1]))  # type: ignore[arg-type]
            return CubeSearch(theorem, self.tables, identity, beta, bits).shortest(shape)
        if isinstance(theorem, TheoremC):
            return shortest_for_recurrent_only(self.L, bits[0])
        if isinstance(theorem, TheoremA2W):
            return shortest_a2w(beta, bits, identity)
        if isinstance(theorem, TheoremA2):
            from separation.bounds.one_full_layer import shortest_a2

            return shortest_a2(beta, bits, identity)[0]
        if self.tables == 1:
            m = least_that(lambda m: theorem.at(m, (), self._ones(m), beta, bits, 1).certified, 2)
            return theorem.at(m, (1,) * identity, self._ones(m), beta, bits, 1)
        found = None if self.search is None else self.search.shortest(beta)
        if found is None and isinstance(theorem, TheoremA):
            from separation.bounds.schedules import least_golden

            return least_golden(theorem.rule(bits), self.L, beta, bits).evaluation
        return found

    def _ones(self, m: int) -> tuple[int, ...]:
        """Theorem A with one table chooses x_0 = m."""
        return (m,) * len(self.theorem.variables(1, self.state_bits))


@dataclass(frozen=True)
class AccuracySearch:
    """A search of `accuracy` whose outcome knows its word."""

    word: Word
    state_bits: tuple[int, ...]
    search: Any

    @property
    def proved(self) -> bool:
        """Of R alone, and of one full layer with one table, by C'; E delayed; the others are proved by hand."""
        return getattr(self.search, "theorem", "") != "" and is_proved(self.search.theorem)

    def real_length(self, beta: int) -> float:
        try:
            return float(self.search.real_length(beta))
        except OverflowError:  # numbers beyond floats, of one full layer
            return math.inf

    def shortest(self, beta: int) -> AccuracyBound | None:
        found = self.search.shortest(beta)
        if found is None:
            return None
        return AccuracyBound(self.word, found.m, tuple(found.n), beta, self.state_bits, found.ceiling)


def shortest_prompt(
    word: Word,
    L: int,
    budget: Budget,
    accuracy: Fraction = Fraction(1),
    *,
    proved_only: bool = False,
    theorem: str | None = None,
    every: bool = False,
) -> Found:
    """The shortest prompt found at which no model of the word solves L tables (or is right more often than
    ``accuracy``), certified; by any theorem that applies, or by the one named; ``every``: as `prompts`.

    >>> found = shortest_prompt(Word.parse("F"), 2, Budget(beta=8, total=0))
    >>> found.theorem, found.tokens(), found.certified
    ('A2', 12, True)
    """
    return shortest_of(prompts(word, L, budget, accuracy, proved_only=proved_only, theorem=theorem, every=every))


def prompts(
    word: Word,
    L: int,
    budget: Budget,
    accuracy: Fraction = Fraction(1),
    *,
    proved_only: bool = False,
    theorem: str | None = None,
    every: bool = False,
) -> list[Found]:
    """The shortest prompts of the theorems that may have the shortest of all; with ``every``, of all that apply.

    A theorem that loses over real numbers by more than CLOSE bits is not searched.
    """
    require_integer("L", L, 1)
    if not 0 < accuracy <= 1:
        raise InputError(f"the accuracy is {accuracy}; a number above 0 and at most 1 is needed")
    if word.depth >= L:
        raise InputError(f"{word} solves L = {L} at all sizes (its depth is {word.depth}); a larger L is needed")
    word = budget.carrying(word)
    searches = [
        search
        for search in _searches(word, L, budget, accuracy, theorem, proved_only, every)
        if search.proved or not proved_only
    ]
    if not searches:
        raise InputError(f"--proved-only leaves nothing: none on the accuracy of {word}, L = {L}, is proved in Coq")
    asked: list[tuple[Estimate, TheoremSearch | AccuracySearch]] = []
    most = math.inf
    # At the least β no prompt is longer than at its own: a theorem that loses there is not asked further.
    for least, search in sorted(((each.real_length(budget.beta_at_bits(1)), each) for each in searches), key=_first):
        if every or least <= most:
            asked.append((_estimate(search, budget), search))
            most = min(most, asked[-1][0].length + (math.inf if every else CLOSE))
    asked.sort(key=lambda pair: pair[0].length)
    found: list[Found] = []
    for estimate, search in asked:
        if estimate.length <= most or not found:  # where the best ones gave up, the next ones are searched
            outcome = consistent_prompt(search, budget, estimate.bits)
            found += [outcome] if outcome is not None and outcome.certified else []
    if not found and not every and accuracy == 1 and theorem is None:
        return prompts(word, L, budget, proved_only=proved_only, every=True)
    if not found:
        raise InputError("no prompt was found; the numbers are too large for this search")
    return found


def _searches(
    word: Word, L: int, budget: Budget, accuracy: Fraction, theorem: str | None, proved_only: bool, every: bool
) -> list[TheoremSearch | AccuracySearch]:
    """Every theorem that applies and may win; with ``every``, all that apply. In the worst case A, B and E, which have
    larger exponents of β than the sharper ones but charge late states once, are asked where these are `_heavy`."""
    separate = budget.separate_state_bits(word)
    heavy = every or _heavy(word, budget)
    found: list[TheoremSearch | AccuracySearch] = []
    if accuracy == 1:
        against = theorems_against(word, L, proved_only=proved_only, superseded=theorem is not None or heavy)
        sharper = [each for each in against if not isinstance(each, TheoremA) and word.full < MOST_TABLES]
        for each in against if theorem is not None or heavy or not sharper else sharper:
            if theorem in (None, each.name):
                tables = each.tables(word, L)
                assert tables is not None
                found.append(TheoremSearch(each, L, tables, each.state_bits(word, L, budget)))
    late = word.full > 0 and L > 1 and separate[-1] > separate[0] and word.full < MOST_TABLES
    if accuracy < 1 or theorem == "E" or (theorem is None and late and heavy):
        from separation.bounds.accuracy import accuracy_searches

        share, only_e = (BELOW_ONE, True) if accuracy == 1 else (accuracy, False)
        asked = accuracy_searches(word, L, separate, share, only_e=only_e, proved_only=proved_only)
        found += [AccuracySearch(word, separate, search) for search in asked]
    if not found:
        names = ", ".join(dict.fromkeys([*(each.name for each in theorems_against(word, L, superseded=True)), "E"]))
        raise InputError(f"theorem is {theorem!r}; here there are {names}")
    return found


def _heavy(word: Word, budget: Budget) -> bool:
    """Whether the states behind a full layer are so large that charging them once may pay. Among 600 questions, β from
    1 to 1,000, it did with one full layer from 4·β on, or with a product with β from 2^14 on, and with more full layers
    from 64·β on; half and a quarter of these are asked."""
    separate = budget.separate_state_bits(word)
    late, beta = separate[-1] - separate[0], budget.beta_at_bits(1)
    return late > 0 and ((late >= 2 * beta or late * beta >= 1 << 13) if word.full == 1 else late >= 16 * beta)


def _first(pair: tuple[float, Any]) -> float:
    return pair[0]


@dataclass(frozen=True)
class Estimate:
    """log2 of the tokens over real numbers, for the β of 2^``bits`` tokens, the least that are enough."""

    length: float
    bits: int


def _estimate(search: TheoremSearch | AccuracySearch, budget: Budget) -> Estimate:
    """k grows to log2 of the length for β(2^k) as long as that is more: as β never decreases, no k is passed over."""
    bits = 1
    while True:
        length = search.real_length(budget.beta_at_bits(bits))
        if budget.message is None or not math.isfinite(length) or math.ceil(length) <= bits:
            return Estimate(length, bits)
        bits = math.ceil(length)


def consistent_prompt(search: TheoremSearch | AccuracySearch, budget: Budget, bits: int, pads: int = 0) -> Found | None:
    """The prompt for β(2^k) with the least k, from ``bits`` on, such that it has at most 2^k tokens, the pads too."""
    while True:
        found = search.shortest(budget.beta_at_bits(bits))
        if found is None or budget.message is None:
            return found
        if (needed := ((1 << found.tokens_bits()) + pads - 1).bit_length() if pads else found.tokens_bits()) <= bits:
            return found
        bits = needed + (needed - bits) // 8 if needed > LONG_BITS else needed


def theorems_against(word: Word, L: int, proved_only: bool = False, superseded: bool = False) -> list[Theorem]:
    """The theorems that apply to a word and L-FuncComp in the worst case; none if and only if L ≤ depth.

    ``proved_only``: see `known`; then, and on request, with those that are ``superseded`` otherwise.
    """
    against = [theorem for theorem in THEOREMS if theorem.applies_to(word, L)] if word.depth < L else []
    if proved_only:
        return [theorem for theorem in against if is_proved(theorem.name)]
    return [theorem for theorem in against if superseded or not theorem.is_superseded(word)]


def shortest_of(found: Sequence[Found]) -> Found:
    return min(found, key=lambda each: each.tokens_log2())
