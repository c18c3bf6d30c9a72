"""The states and messages that theorems A2 and B2 fix before all others: two inputs show that the proofs need them.

Models made by hand (`routed_models`), in which news takes one way only; as `needed_messages` has it for three tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from proofs_checks.kit.fixed_messages import CutTranscripts, Heard, Table
from proofs_checks.kit.messages.transcripts import Transcripts
from proofs_checks.kit.routed_models import Hop, routed_model
from proofs_checks.kit.verdict import require
from separation.protocol import Cut
from separation.tasks.funccomp import Instance, Sizes

Contents = Mapping[str, Callable[[Heard], Hashable]]


@dataclass(frozen=True)
class TwoTables:
    """A model of hops with two tables of four entries each, of which table 1 varies on its last two; n_1 = 1.

    ``full``: its full layers; ``early``: the layers whose states are fixed behind each table; ``later``: other R.
    """

    word: str
    full: tuple[int, ...]
    early: tuple[int, ...]
    later: tuple[int, ...]
    hops: tuple[Hop, ...]

    def heard(self, z2: Table, z1: Table) -> Heard:
        return Heard(_transcripts(self).of(Instance(SIZES, 3, (z1, z2), (0,))).transcript)

    @property
    def of_last(self) -> Contents:
        """What is fixed of table 2: the state behind it, what it says in full layers, the later states into w."""
        ways = [(layer, name) for layer in self.full for name in ("w", "z0", "first")]
        ways = [way for way in ways if way[1] == "w" or way[0] != self.full[-1]]
        return {
            BEHIND_2: lambda heard: heard.states(self.early, "first"),
            LATE: lambda heard: heard.states(self.later, "w"),
            **{f"layer {layer} into {name}": _soft(layer, name) for layer, name in ways},
        }

    @property
    def of_first(self) -> Contents:
        """What is fixed of table 1: the state behind it, and, with two full layers, what it says to w in the first."""
        said = {TABLE_1_TO_W: lambda heard: heard.soft(self.full[0], "first", "w")} if len(self.full) > 1 else {}
        return {BEHIND_1: lambda heard: heard.states(self.early, "z0"), **said}

    def needed(self) -> Iterator[tuple[str, str]]:
        """The names, and two tables that differ in that alone, though w hears two different things."""
        tables = [(0,) * 4, *(tuple(int(place == one) for place in range(4)) for one in range(4))]
        zero, firsts = tables[0], [(0, 0, *ends) for ends in product((0, 1), repeat=2)]
        for one, other in combinations(tables, 2):
            a, b = self.heard(one, firsts[0]), self.heard(other, firsts[0])
            if a.view("w") != b.view("w"):
                yield from _alone(self.of_last, a, b, f"table 2 = {one} and {other}")
        asked = _soft(self.full[-1], "w")
        for one, other in combinations(firsts, 2):
            a, b = self.heard(zero, one), self.heard(zero, other)
            if asked(a) != asked(b):
                yield from _alone(self.of_first, a, b, f"table 1 = {one} and {other}: w hears of table 2")


def require_needed_first(names: Collection[str], cases: Sequence[TwoTables]) -> None:
    idle = set(names) - {name for case in cases for name, _ in case.needed()}
    require(not idle, f"no transcript needs {', '.join(sorted(idle))}")


def _soft(layer: int, receiver: str) -> Callable[[Heard], Hashable]:
    return lambda heard: heard.soft(layer, "last", receiver)


def _alone(said: Contents, one: Heard, other: Heard, where: str) -> Iterator[tuple[str, str]]:
    apart = [name for name, content in said.items() if content(one) != content(other)]
    if len(apart) == 1:
        yield apart[0], where


@cache
def _transcripts(case: TwoTables) -> Transcripts:
    return CutTranscripts(
        routed_model(case.word, SIZES, case.hops), SIZES, Cut((6, 2, 1, 1), ("last", "first", "z0", "w"))
    )


SIZES = Sizes(4, (1,))
LAST, FIRST, Z0, W = 0, 7, 8, 9
"""The first place of table 2, the last of table 1, those of z_0 and w."""
BEHIND_1, BEHIND_2, LATE = "the state behind table 1", "the state behind table 2", "late states into w"
TABLE_1_TO_W = "layer 1, table 1 to w"
RFR = TwoTables(
    "RFR",
    full=(2,),
    early=(1,),
    later=(3,),
    hops=(
        Hop(1, LAST, W, recurrent=True),
        Hop(1, FIRST, W, recurrent=True),
        Hop(2, LAST + 1, W, if_told=1),
        Hop(2, LAST + 2, W),
        Hop(3, LAST + 3, W, recurrent=True),
    ),
)
BESIDE = TwoTables(
    "[FR]FR",
    full=(1, 2),
    early=(1,),
    later=(2, 3),
    hops=(
        Hop(1, LAST, W, recurrent=True),
        *(Hop(1, FIRST, W, recurrent=True), Hop(2, LAST + 1, W, if_told=1)),
        *(Hop(1, FIRST - 1, W), Hop(2, LAST + 2, W, if_told=3)),
    ),
)
