"""What a proof establishes as it goes: look-ups, searches, states, the margin of the answer; or where it failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from separation.proving.failures import Failure
from separation.tasks.shape import Fact, Shape


@dataclass(frozen=True)
class Match:
    """Every query of a kind finds the token of ``fact``; all other keys together weigh at most ``leak`` times it.

    ``score``: the winner's least score, or its weight, which is exact; ``gap``: how far the best other score stays
    below, when that was measured. ``target``: the place of the token's kind; ``bits``: of the token, in the reader's
    names.
    """

    fact: Fact
    leak: Fraction
    score: Fraction
    path: str
    gap: Fraction | None = None
    target: int = 0
    bits: dict[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class LookUp:
    """A head that was proved to look up a fact: which, for which kind, and how much other keys weigh at most."""

    layer: int
    head: int
    kind: str
    match: Match


@dataclass(frozen=True)
class Search:
    """Every match weighs 2^P, all other keys together at most ``leak`` times one match.

    ``offset``: the place in a block whose token a summary repeats; None for full attention.
    """

    layer: int
    head: int
    leak: Fraction
    offset: int | None


@dataclass(frozen=True)
class State:
    """The state of one R head: how many entries, the largest absolute value, and the bits of all (None: no grid)."""

    layer: int
    head: int
    entries: int
    largest: Fraction
    bits: int | None


@dataclass
class Proof:
    """What was proved: ok, the margin of the answer's logit, the look-ups; or where it failed.

    ``integral``: all activations are known to be multiples of 2^-f.
    """

    path: str
    look_ups: list[LookUp] = field(default_factory=list)
    searches: list[Search] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    margin: Fraction | None = None
    integral: bool = False

    @property
    def ok(self) -> bool:
        return not self.failures and self.margin is not None and self.margin > 0

    def causes(self, shape: Shape) -> list[Failure]:
        """The failures, the first cause first: layer by layer, and in a layer the tokens that answer before others."""
        readers = {emission.reader for emission in shape.emissions}
        return sorted(self.failures, key=lambda failure: (failure.layer, failure.kind not in readers))

    @property
    def leak(self) -> Fraction:
        """The largest share ratio of other keys in any look-up or search."""
        leaks = [step.match.leak for step in self.look_ups] + [search.leak for search in self.searches]
        return max(leaks, default=Fraction(0))

    @property
    def state_bits(self) -> int | None:
        """The bits of all recurrent states together; None if one of them has no grid."""
        bits = [state.bits for state in self.states]
        return None if None in bits else sum(number for number in bits if number is not None)
