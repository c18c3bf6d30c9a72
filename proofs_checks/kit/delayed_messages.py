"""What the proofs of theorems A3, A_L, B_L and E (delayed) fix for three tables, read off transcripts.

The players hold the pieces of `delayed_cases`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, product

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.fixed_messages import Heard, Table, commonest, require_function, require_settled
from proofs_checks.kit.statement import require

BEHIND_1, BEHIND_2 = "the state behind table 1", "the states behind the windows"
TABLE_1_TO_W, TABLE_2_TO_W = "layer 1, table 1 to w", "layer 1, table 2 to w"
TABLE_2_TO_TOKENS = "layer 1, table 2 to table 1 and z_0"

Run = tuple[Table, int, int, int]
"""(table 3, the number of a draw of table 2, of a path (z_0, table 1), of a query): one run."""


@dataclass(frozen=True)
class Counted:
    """The bits that were counted, by name, with the numbers of copies."""

    case: DelayedCase
    beta: int
    states: tuple[int, ...]
    draws: int
    paths: int
    copies: int
    reached: Mapping[str, int]
    told: Mapping[str, int]


@dataclass(frozen=True)
class MessageClass:
    """Messages with one charge: what goes from ``last`` to these pieces in a layer, or the states into w or a window.

    where the receiver knows no more than ``known`` of (draw, path, query); it is fixed once for each such value.
    """

    name: str
    content: Callable[[Heard], tuple[Hashable, int]]
    known: Callable[[Run], Hashable]

    @property
    def charge(self) -> str:
        """What is said to a table's pieces is charged together."""
        return self.name.split(":")[0]


def _values(said: Mapping[str, Hashable]) -> tuple[Hashable, ...]:
    return tuple(said.values())


@cache
def counted(case: DelayedCase) -> Counted:
    """The sets of the proof, written out, and every class of messages that it fixes: see the steps below."""
    return counting(case).counted()


class Counting:
    """One case, step by step."""

    def __init__(self, case: DelayedCase) -> None:
        self.case = case
        z1, z2, z3 = ((0,) * size for size in case.sizes.N)
        some = case.heard(z3, z2, z1, 0, 0)
        layers = some.transcript.public.layers
        self.full = [place for place, layer in enumerate(layers, start=1) if layer.full]
        ends = [1, *self.full, len(layers) + 1]
        self.blocks = [range(start, stop) for start, stop in pairwise(ends)]
        self.first_block = self.blocks[0] if case.kind == "A" else self.blocks[1]
        self.later_blocks = self.blocks[1:] if case.kind == "A" else self.blocks[2:]
        require(some.transcript.linear is not None and some.transcript.beta is not None, "no p-bit messages")
        assert some.transcript.linear is not None
        assert some.transcript.beta is not None
        self.beta, self.linear = some.transcript.beta, some.transcript.linear
        self._said_of_middle: dict[tuple[Table, Table, int], dict[str, Hashable]] = {}
        lasts, middles, firsts = case.tables()
        # What the first block hands on is a function of one piece alone, and is fixed piece by piece.
        self.lasts = commonest(lasts, {z3: self.behind_last(z3)[0] for z3 in lasts})
        firsts, self._of_first = self._first_tables(middles, firsts)
        self.paths = self._paths(firsts)
        middles, self._of_middle = self._middle_tables(middles)
        self.draws, self.lasts = self._draws(middles)

    def counted(self) -> Counted:
        case, lasts, draws = self.case, self.lasts, self.draws
        runs = {
            (z3, a, p, q): case.heard(z3, draws[a], self.paths[p][1], self.paths[p][0], q)
            for z3, a, p, q in product(lasts, range(len(draws)), range(len(self.paths)), range(len(case.queries)))
        }
        told, parts = {"the first state": self.behind_last(lasts[0])[1]}, {}
        for group in (*self.classes(self.paths), *self.joint(self.paths)):
            contents = {key: group.content(heard) for key, heard in runs.items()}
            count = require_function(
                f"{case.word}: {group.name}", (((key[0], group.known(key)), said[0]) for key, said in contents.items())
            )
            bits = next(iter(contents.values()))[1]
            told[group.charge] = told.get(group.charge, 0) + count // len(lasts) * bits
            parts[group.name] = {key: said[0] for key, said in contents.items()}
        views = {key: heard.view("w") for key, heard in runs.items()}
        require_settled(case.word, {key: key[1:] for key in runs}, parts, views)
        copies = len({z1 for _, z1 in self.paths})
        return Counted(
            case,
            self.beta,
            self._block_bits(),
            len(draws),
            len(self.paths),
            copies,
            {**self._of_first, **self._of_middle},
            told,
        )

    def _block_bits(self) -> tuple[int, ...]:
        return tuple(b - a for a, b in zip((0, *self.linear), self.linear, strict=False))

    def behind_last(self, z3: Table) -> tuple[tuple[bytes, ...], int]:
        """The first block's state behind table 3: a function of table 3 alone."""
        _, middles, firsts = self.case.tables()
        heard = self.case.heard(z3, middles[0], firsts[0], self.case.sizes.m - 1, 0)
        return heard.states(self.first_block, "window 1")

    def said_of_first(self, z1: Table, z3: Table, query: int) -> dict[str, Hashable]:
        """What is fixed of table 1, by name: the first block's state behind it; in B also layer 1 into w."""
        case, mine = self.case, [name for name in ("fixed", "varied") if name in self.case.pieces]
        heard = case.heard(z3, case.tables()[1][0], z1, case.sizes.m - 1, query)
        into_w = {TABLE_1_TO_W: self._summed(heard, mine, "w")} if case.kind == "B" else {}
        return {**into_w, BEHIND_1: heard.states(self.first_block, "z0")[0]}

    def said_of_middle(self, z2: Table, z3: Table, query: int) -> dict[str, Hashable]:
        """What is fixed of table 2: the first block's states behind windows, layer 1 into w; in B into other tokens."""
        key = z2, z3, query
        if key not in self._said_of_middle:
            self._said_of_middle[key] = self._find_said_of_middle(*key)
        return self._said_of_middle[key]

    def _find_said_of_middle(self, z2: Table, z3: Table, query: int) -> dict[str, Hashable]:
        case, mine = self.case, self.case.middle_pieces
        runs = [case.heard(z3, z2, copy, start, query) for start, copy in self.paths]
        said: dict[str, Hashable] = {
            TABLE_2_TO_W: tuple(self._summed(run, mine, "w") for run in runs),
            BEHIND_2: tuple(runs[0].states(self.first_block, name)[0] for name in self._after_windows),
        }
        if self._other_tokens:
            said[TABLE_2_TO_TOKENS] = tuple(
                self._summed(run, mine, name) for run in runs for name in self._other_tokens
            )
        return said

    @property
    def _after_windows(self) -> list[str]:
        return [following for name, following in pairwise(self.case.pieces) if name.startswith("window")]

    @property
    def _other_tokens(self) -> list[str]:
        return [name for name in ("fixed", "varied", "z0") if name in self.case.pieces and self.case.kind == "B"]

    def _first_tables(self, middles: list[Table], firsts: list[Table]) -> tuple[list[Table], dict[str, int]]:
        """𝒬_1: those tables 1 of which all that is fixed is the commonest; and the bits of that."""
        case, queries, z0 = self.case, range(len(self.case.queries)), self.case.sizes.m - 1
        runs = product(firsts, self.lasts, queries)
        require_function(
            f"{case.word}: table 1", (((z1, q), _values(self.said_of_first(z1, z3, q))) for z1, z3, q in runs)
        )
        some = self.lasts[0]
        said = {z1: tuple(_values(self.said_of_first(z1, some, query)) for query in queries) for z1 in firsts}
        kept = commonest(firsts, said)
        state = case.heard(some, middles[0], kept[0], z0, 0).states(self.first_block, "z0")[1]
        into_w = {TABLE_1_TO_W: len(queries) * self.beta} if case.kind == "B" else {}
        return kept, {BEHIND_1: state, **into_w}

    def _middle_tables(self, middles: list[Table]) -> tuple[list[Table], dict[str, int]]:
        """𝒬_2: the same of tables 2."""
        case, queries, (z0, z1) = self.case, range(len(self.case.queries)), self.paths[0]
        runs = product(middles, self.lasts, queries)
        require_function(
            f"{case.word}: table 2", (((z2, q), _values(self.said_of_middle(z2, z3, q))) for z2, z3, q in runs)
        )
        some = self.lasts[0]
        said = {z2: tuple(_values(self.said_of_middle(z2, some, query)) for query in queries) for z2 in middles}
        kept = commonest(middles, said)
        heard, starts = case.heard(some, kept[0], z1, z0, 0), {start for start, _ in self.paths}
        reached = {
            TABLE_2_TO_W: len(queries) * (len(starts) if case.kind == "A" else 1) * self.beta,
            BEHIND_2: sum(heard.states(self.first_block, name)[1] for name in self._after_windows),
        }
        if self._other_tokens:
            copies = {copy for _, copy in self.paths}
            heard_by = case.sizes.m - case.varied + case.varied * len(copies) + len(starts)
            reached[TABLE_2_TO_TOKENS] = heard_by * self.beta
        return kept, reached

    def _summed(self, heard: Heard, senders: Sequence[str], receiver: str) -> bytes:
        return heard.transcript.summed(self.full[0], receiver, senders)

    def _paths(self, firsts: list[Table]) -> list[tuple[int, Table]]:
        """(z_0, table 1) with different values i_1: of the z_0 with most of them, or of ``starts`` many."""
        case, m = self.case, self.case.sizes.m
        places = range(m - case.varied, m)
        if case.kind == "A" and case.starts == 1:
            z0 = max(places, key=lambda start: len({z1[start] for z1 in firsts}))
            return [(z0, z1) for z1 in {z1[z0]: z1 for z1 in firsts}.values()]
        return list(product(places[-case.starts :], firsts[:2]))

    def _draws(self, middles: list[Table]) -> tuple[list[Table], list[Table]]:
        """Two tables 2, and tables 3, for which what both together say is the same: most tables 3 that there are."""
        lasts = self.lasts
        table = {(z3, z2): self.said_together(z3, z2) for z3, z2 in product(lasts, middles)}
        options: list[tuple[tuple[Table, ...], list[Table]]] = [
            ((a, b), [z3 for z3 in lasts if table[z3, a] == table[z3, b]]) for a, b in combinations(middles, 2)
        ] or [((middles[0],), lasts)]
        draws, kept = max(options, key=lambda option: len(option[1]))
        if not kept:
            return [middles[0]], lasts
        return list(draws), kept

    def said_together(self, z3: Table, z2: Table) -> dict[str, Hashable]:
        """What tables 2 and 3 say together, by name, on all paths and to all queries."""
        case, paths = self.case, self.paths
        runs = product(range(len(paths)), range(len(case.queries)))
        heard = [case.heard(z3, z2, paths[p][1], paths[p][0], q) for p, q in runs]
        return {group.name: tuple(group.content(one)[0] for one in heard) for group in self.joint(paths)}

    # --- the classes of messages ---

    def soft_class(self, name: str, layer: int, *receivers: str) -> MessageClass:
        """What table 3 says to these pieces in a layer, one message for each run."""
        return MessageClass(name, self._soft(layer, *receivers), lambda key: key)

    def _soft(self, layer: int, *receivers: str) -> Callable[[Heard], tuple[Hashable, int]]:
        def content(heard: Heard) -> tuple[Hashable, int]:
            said = [heard.soft(layer, "last", receiver) for receiver in receivers]
            return tuple(data for data, _ in said), sum(bits for _, bits in said)

        return content

    def _state(self, layers: range, receiver: str) -> Callable[[Heard], tuple[Hashable, int]]:
        return lambda heard: heard.states(layers, receiver)

    def joint(self, paths: list[tuple[int, Table]]) -> list[MessageClass]:
        """D_2: what tables 3 and 2 say together, of (table 2, path): the states into w; in B also layer 2 into w."""
        found = [MessageClass("states into w", self._state(self.later_blocks[0], "w"), lambda key: key[2])]
        if self.case.kind == "B":
            senders = ["last", *self.case.middle_pieces]
            layer = self.full[1]
            found.append(
                MessageClass(
                    "layer 2 into w",
                    lambda heard: (heard.transcript.summed(layer, "w", senders), self.beta),
                    lambda key: (key[3], paths[key[2]][0]),
                )
            )
        return found

    def classes(self, paths: list[tuple[int, Table]]) -> list[MessageClass]:
        """What is fixed about table 3, with the layers of the theorem's kind."""
        case, full = self.case, self.full

        def start(key: Run) -> int:
            return paths[key[2]][0]

        def copy(key: Run) -> Table:
            return paths[key[2]][1]

        inside = [name for name in case.pieces if name.startswith("window")]
        between = [name for name in case.pieces if name.startswith("between")]
        table_1: list[tuple[str, Callable[[Run], Hashable]]] = [("fixed", lambda _: ()), ("varied", copy)]
        one = case.kind == "A"
        delay = full[:1] if one else full[:2]
        found = [
            MessageClass("layer 1 into w", self._soft(full[0], "w"), lambda key: (key[3], start(key) if one else 0)),
            MessageClass("the new boundary", self._state(self.later_blocks[0], "window 1"), lambda _: ()),
            MessageClass("late states", self._state(self.later_blocks[1], "w"), lambda key: key[1:3]),
            MessageClass("last layer into w", self._soft(full[-1], "w"), lambda key: key[2:]),
        ]
        for number, layer in enumerate(delay, start=1):
            name = f"layer {number} into"
            late = number == 2
            found.append(MessageClass(f"{name} z_0", self._soft(layer, "z0"), (lambda key: key[2]) if late else start))
            found += [
                MessageClass(f"{name} table 1: {piece}", self._soft(layer, piece), known)
                for piece, known in table_1
                if piece in case.pieces
            ]
            found.append(MessageClass(f"{name} table 2: windows", self._soft(layer, *inside), lambda key: key[1]))
            if between:
                found.append(MessageClass(f"{name} table 2: between", self._soft(layer, *between), lambda _: ()))
        return found


counting = cache(Counting)
"""The same one for the same case."""
