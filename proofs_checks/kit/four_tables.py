"""The messages that theorems A_L and A_W fix with four tables, read off transcripts, by the names of `window_flow`.

The models are made by hand (`routed_models`). Tables have a 1 in one place at most; table 1 has two copies at most. As
in the proof: σ, the states of block 1 into w, is the same for two copies of table 2; of tables 3 and 4 together step 2
is fixed, and it is the same for two copies of table 3; of table 4 step 3 is fixed. Then w knows nothing else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, pairwise, product
from typing import Any, NamedTuple

from proofs_checks.kit.fixed_messages import CutTranscripts, Heard, Key, Table, require_function, require_settled
from proofs_checks.kit.messages.transcripts import Transcripts
from proofs_checks.kit.routed_models import Hop, routed_model
from proofs_checks.kit.verdict import require
from proofs_checks.kit.window_flow import BETWEEN, PREFIX, VARIED, WINDOWS, Fixed, fixed_messages
from proofs_checks.kit.window_flow import Sizes as Priced
from separation.protocol import Cut
from separation.tasks.funccomp import Instance, Sizes


class Run(NamedTuple):
    """Table 4, a copy of each other table by its number, and the number of the query."""

    top: Table
    a3: int
    a2: int
    a1: int
    w: int


@dataclass(frozen=True)
class FourTables:
    """A model of hops with L = 4, the window u (m: all of table 2), and how many entries of table 3 vary."""

    word: str
    sizes: Sizes
    u: int
    varied: int
    hops: tuple[Hop, ...]

    @property
    def pieces(self) -> dict[str, int]:
        m, n1, N, outside = self.sizes.m, self.sizes.n[0], self.sizes.N, self.sizes.m - self.u
        lengths = {"table 4": N[3], "table 3": N[2], "prefix": outside, "window 1": self.u}
        for row in range(2, n1 + 1):
            lengths |= {f"between {row - 1}": outside, f"window {row}": self.u}
        return {name: length for name, length in (lengths | {"table 1": m, "z0": 1, "w": 1}).items() if length}

    def received(self, message: Fixed) -> list[str]:
        """The pieces that a fixed message goes to; a state goes to the first of a table's."""
        prefix = {WINDOWS: "window", BETWEEN: "between", PREFIX: "prefix", VARIED: "table 1"}.get(message.part)
        if message.receiver in (-1, 0):
            return ["w" if message.receiver == -1 else "z0"]
        if message.kind == "state":
            return ["table 3" if message.receiver == 3 else "window 1"]
        if message.receiver == 3 and not message.part:
            return ["table 3"]
        return [name for name in self.pieces if prefix is not None and name.startswith(prefix)]

    @cached_property
    def messages(self) -> list[Fixed]:
        """Those that are fixed, of receivers and blocks that exist here."""
        soft = [m for m in fixed_messages(4) if m.kind == "soft" and self.received(m)]
        with_states = [any("R" in self._letters[place - 1] for place in block) for block in self.blocks]
        return soft + [m for m in fixed_messages(4) if m.kind == "state" and with_states[m.layer]]

    @cached_property
    def full(self) -> list[int]:
        return [place for place, letter in enumerate(self._letters, start=1) if "F" in letter]

    @cached_property
    def blocks(self) -> list[range]:
        ends = [1, *self.full, len(self._letters) + 1]
        return [range(start, stop) for start, stop in pairwise(ends)]

    @property
    def _letters(self) -> list[str]:
        return [layer.letter for layer in self.transcripts.model.layers]

    @cached_property
    def transcripts(self) -> Transcripts:
        model = routed_model(self.word, self.sizes, self.hops)
        return CutTranscripts(model, self.sizes, Cut(tuple(self.pieces.values()), tuple(self.pieces)))

    def tables(self) -> tuple[list[Table], list[Table], list[Table], list[Table]]:
        """Tables 4 and 3, tables 2 that vary in the windows, two tables 1 with the values of the window."""
        m, (n1, *_), N = self.sizes.m, self.sizes.n, self.sizes.N
        windows = [row * m + index for row in range(n1) for index in range(m - self.u, m)]
        firsts = [(m - 1,) * m, (*(m - 1,) * (m - 1), m - 2)][: min(2, self.u)]
        return ones(N[3], range(N[3])), ones(N[2], range(self.varied)), ones(N[1], windows[:3]), firsts

    def said(self, message: Fixed, heard: Heard) -> tuple[Hashable, int]:
        """The content of a message, and its bits."""
        names = self.received(message)
        if message.kind == "state":
            return heard.states(self.blocks[message.layer], names[0])
        layer, beta = self.full[message.layer - 1], heard.transcript.beta or 0
        senders = (
            ["table 4"] if message.above == 3 else [s for s in ("table 4", "table 3", "prefix") if s in self.pieces]
        )
        content = tuple(heard.transcript.summed(layer, name, senders) for name in names)
        return content, beta * sum(self.pieces[name] for name in names)


def ones(size: int, places: Sequence[int]) -> list[Table]:
    return [(0,) * size, *(tuple(int(place == one) for place in range(size)) for one in places)]


@cache
def counting(case: FourTables) -> Counting:
    return Counting(case)


class Counting:
    """One case, step by step."""

    def __init__(self, case: FourTables) -> None:
        self.case = case
        self.tops, self.thirds, self.seconds, self.firsts = case.tables()
        self.queries = list(product(*map(range, case.sizes.n)))
        steps = {step: [m for m in case.messages if m.step == step] for step in (1, 2, 3)}
        self.first, self.second, self.third = steps[1], steps[2], steps[3]
        self._said: dict[tuple[Table, Table, Table], dict[str, Hashable]] = {}
        pairs = list(product(self.tops, self.thirds))
        self.a2, self.pairs = _copies(
            self.seconds, pairs, lambda pair, z2: self.contents(self.first, pair[0], pair[1], [z2])
        )
        told = {(z4, z3): self.contents(self.second, z4, z3, self.a2) for z4, z3 in self.pairs}
        # What is not among the pairs agrees with nothing.
        self.a3, self.kept = _copies(self.thirds, self.tops, lambda z4, z3: told.get((z4, z3), {"": z3}))

    def heard(self, z4: Table, z3: Table, z2: Table, a1: int, w: int) -> Heard:
        sizes, z1 = self.case.sizes, self.firsts[a1]
        instance = Instance(sizes, sizes.m - 1, (z1, z2, z3, z4), self.queries[w])
        return Heard(self.case.transcripts.of(instance).transcript)

    def contents(
        self, messages: Sequence[Fixed], z4: Table, z3: Table, seconds: Sequence[Table]
    ) -> dict[str, Hashable]:
        """Of each message its contents with these tables 2, on all paths and to all queries."""
        if not messages:
            return {}
        said = [self._contents(z4, z3, z2) for z2 in seconds]
        return {m.name: tuple(one[m.name] for one in said) for m in messages}

    def _contents(self, z4: Table, z3: Table, z2: Table) -> dict[str, Hashable]:
        key = z4, z3, z2
        if key not in self._said:
            runs = product(range(len(self.firsts)), range(len(self.queries)))
            heard = [self.heard(z4, z3, z2, a1, w) for a1, w in runs]
            self._said[key] = {m.name: tuple(self.case.said(m, one)[0] for one in heard) for m in self.case.messages}
        return self._said[key]

    def counted(self) -> dict[str, int]:
        """The bits of every message by name; each is a function of the tables above and of what it is paid for."""
        runs: dict[Key, Heard] = {
            Run(z4, a3, a2, a1, w): self.heard(z4, self.a3[a3], self.a2[a2], a1, w)
            for z4, a3, a2, a1, w in product(
                self.kept, range(2), range(2), range(len(self.firsts)), range(len(self.queries))
            )
        }
        found: dict[str, int] = {}
        parts: dict[str, dict[Key, Hashable]] = {}
        for message in self.case.messages:
            above = 1 if message.step == 3 else 2  # table 4, or tables 4 and 3
            said = {run: self.case.said(message, heard) for run, heard in runs.items()}
            count = require_function(
                f"{self.case.word}: {message.name}",
                (((run[:above], _known(message, Run(*run))), content) for run, (content, _) in said.items()),
            )
            copies = 1 if message.step == 3 else 2
            found[message.name] = count // (len(self.kept) * copies) * next(iter(said.values()))[1]
            parts[message.name] = {run: content for run, (content, _) in said.items()}
        views = {run: heard.view("w") for run, heard in runs.items()}
        require_settled(self.case.word, {run: run[1:] for run in runs}, parts, views)
        return found

    def priced(self) -> dict[str, int]:
        """What theorem A_W charges for each of them."""
        return {message.name: self.sizes.price(message) for message in self.case.messages}

    @property
    def sizes(self) -> Priced:
        """The numbers of the theorem, β and the states as the transcripts count them."""
        case, transcript = self.case, self.heard(self.tops[0], self.thirds[0], self.seconds[0], 0, 0).transcript
        linear, m, n = transcript.linear or (), case.sizes.m, case.sizes.n
        states = tuple(here - before for before, here in zip((0, *linear), linear, strict=False))
        return Priced(m, n, m, case.u, len(self.firsts), (2, 2), transcript.beta or 0, states)

    def needed(self) -> Iterator[tuple[str, str]]:
        """The messages without which w knows table 4, or without which one that is paid once is not the same."""
        for z4, other in combinations(self.kept, 2):
            said = [[self.contents(self.case.messages, top, z3, self.a2) for z3 in self.a3] for top in (z4, other)]
            apart = {name for one, two in zip(*said, strict=True) for name in one if one[name] != two[name]}
            if len(apart) == 1 and self._views(z4) != self._views(other):
                yield apart.pop(), f"table 4 = {z4} and {other}"
        for z4, z3, other in ((z4, a, b) for z4 in self.tops for a, b in combinations(self.thirds, 2)):
            if (z4, z3) in self.pairs and (z4, other) in self.pairs:
                both = [self.contents(self.case.messages, z4, table, self.a2) for table in (z3, other)]
                yield from _paid_once(
                    self.second, self.third, "a3", both, f"table 3 = {z3} and {other}, table 4 = {z4}"
                )
        for (z4, z3), (z2, other) in product(self.pairs, combinations(self.seconds, 2)) if self.first else ():
            both = [self.contents(self.case.messages, z4, z3, [table]) for table in (z2, other)]
            yield from _paid_once(self.first, self.second, "a2", both, f"table 2 = {z2} and {other}, table 4 = {z4}")

    def _views(self, z4: Table) -> list[Hashable]:
        runs = product(self.a3, self.a2, range(len(self.firsts)), range(len(self.queries)))
        return [self.heard(z4, z3, z2, a1, w).view("w") for z3, z2, a1, w in runs]


def _copies(
    tables: Sequence[Table], above: Sequence[Any], said: Callable[[Any, Table], Hashable | Mapping[str, Hashable]]
) -> tuple[list[Table], list[Any]]:
    """Two tables, and the tables above with which both say the same; as many of these as can be."""
    options = [([a, b], [x for x in above if said(x, a) == said(x, b)]) for a, b in combinations(tables, 2)]
    copies, kept = max(options, key=lambda option: len(option[1]))
    return (copies, kept) if kept else ([tables[0], tables[0]], list(above))


def _known(message: Fixed, run: Run) -> tuple[int, ...]:
    return tuple(getattr(run, letter) for letter in sorted(message.known))


def _paid_once(
    before: Sequence[Fixed], later: Sequence[Fixed], copy: str, both: Sequence[Mapping[str, Hashable]], where: str
) -> Iterator[tuple[str, str]]:
    """Two copies differ in one message of a step, and one of the next step that is paid once for both differs too."""
    one, other = both
    apart = [message.name for message in before if one[message.name] != other[message.name]]
    if len(apart) == 1:
        for message in later:
            if copy not in message.known and one[message.name] != other[message.name]:
                yield apart[0], f"{where}: {message.name}, paid once for both, is not the same"


def require_four_tables(cases: Sequence[FourTables], shown_elsewhere: Collection[str] = ()) -> None:
    """Transcripts show what is charged, by name; each message is needed in some case, if not ``shown_elsewhere``."""
    needed: set[str] = set()
    for case in cases:
        found, said = counting(case).counted(), counting(case).priced()
        require(found == said, f"{case.word}, four tables: charged are {said}, transcripts show {found}")
        needed |= {name for name, _ in counting(case).needed()}
    idle = {message.name for case in cases for message in case.messages} - needed - set(shown_elsewhere)
    require(not idle, f"four tables: no transcript needs {', '.join(sorted(idle))}")
