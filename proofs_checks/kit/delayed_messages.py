"""What the proofs of theorems A3, A_L, B_L and E (delayed) fix for three tables, read off transcripts.

The players hold the pieces of `delayed_cases`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.fixed_messages import Heard, Table, require_function, unsettled_without
from proofs_checks.kit.statement import require

Run = tuple[Table, int, int, int]
"""(table 3, the number of a draw of table 2, of a path (z_0, table 1), of a query): one run."""


@dataclass(frozen=True)
class Counted:
    """The bits that were counted, by name, with the numbers of copies; and the names without which w is not settled."""

    case: DelayedCase
    beta: int
    states: tuple[int, ...]
    draws: int
    paths: int
    copies: int
    reached: Mapping[str, int]
    told: Mapping[str, int]
    needed: frozenset[str]


@dataclass(frozen=True)
class MessageClass:
    """Messages with one charge: what goes from ``last`` to these pieces in a layer, or the states into w or a window.

    where the receiver knows no more than ``known`` of (draw, path, query); it is fixed once for each such value.
    """

    name: str
    content: Callable[[Heard], tuple[Hashable, int]]
    known: Callable[[Run], Hashable]


def most_common(members: Iterable[Table], value: Callable[[Table], Hashable]) -> list[Table]:
    found = {member: value(member) for member in members}
    most, _ = Counter(found.values()).most_common(1)[0]
    return [member for member, said in found.items() if said == most]


@cache
def counted(case: DelayedCase) -> Counted:
    """The sets of the proof, written out, and every class of messages that it fixes: see the steps below."""
    return _Counting(case).counted()


class _Counting:
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

    def counted(self) -> Counted:
        case = self.case
        lasts, middles, firsts = case.tables()
        # What the first block hands on is a function of one piece alone, and is fixed piece by piece.
        behind_last = self._states(lambda z3: case.heard(z3, middles[0], firsts[0], case.sizes.m - 1, 0), "window 1")
        lasts = most_common(lasts, lambda z3: behind_last(z3)[0])
        firsts, of_first = self._first_tables(lasts, middles, firsts)
        paths = self._paths(firsts)
        middles, of_middle = self._middle_tables(lasts, middles, paths)
        reached, joint = {**of_first, **of_middle}, self._joint(paths)
        draws, lasts = self._draws(lasts, middles, paths, joint)
        runs = {
            (z3, a, p, q): case.heard(z3, draws[a], paths[p][1], paths[p][0], q)
            for z3, a, p, q in product(lasts, range(len(draws)), range(len(paths)), range(len(case.queries)))
        }
        classes = [*self._classes(paths), *joint]
        told, parts = {"the first state": behind_last(lasts[0])[1]}, {}
        for group in classes:
            contents = {key: group.content(heard) for key, heard in runs.items()}
            count = require_function(
                f"{case.word}: {group.name}", (((key[0], group.known(key)), said[0]) for key, said in contents.items())
            )
            bits = next(iter(contents.values()))[1]
            name = group.name.split(":")[0]
            told[name] = told.get(name, 0) + count // len(lasts) * bits
            parts[group.name] = {key: said[0] for key, said in contents.items()}
        views = {key: heard.view("w") for key, heard in runs.items()}
        unsettled = unsettled_without(case.word, {key: key[1:] for key in runs}, parts, views)
        needed = {name.split(":")[0] for name in unsettled} | self._needed_jointly(lasts, middles, paths)
        copies = len({z1 for _, z1 in paths})
        return Counted(
            case, self.beta, self._block_bits(), len(draws), len(paths), copies, reached, told, frozenset(needed)
        )

    def _block_bits(self) -> tuple[int, ...]:
        return tuple(b - a for a, b in zip((0, *self.linear), self.linear, strict=False))

    def _states(self, run: Callable[[Table], Heard], receiver: str) -> Callable[[Table], tuple[tuple[bytes, ...], int]]:
        return lambda table: run(table).states(self.first_block, receiver)

    def _first_tables(
        self, lasts: list[Table], middles: list[Table], firsts: list[Table]
    ) -> tuple[list[Table], dict[str, int]]:
        """𝒬_1: the first block's state behind table 1; in B also what every w hears of table 1 in layer 1."""
        case, queries, z0 = self.case, range(len(self.case.queries)), self.case.sizes.m - 1
        mine = [name for name in ("fixed", "varied") if name in case.pieces]

        def said(z1: Table, z3: Table, query: int) -> tuple[Any, ...]:
            heard = case.heard(z3, middles[0], z1, z0, query)
            into_w = (self._summed(heard, mine, "w"),) if case.kind == "B" else ()
            return (*into_w, heard.states(self.first_block, "z0")[0])

        runs = product(firsts, lasts, queries)
        require_function(f"{case.word}: table 1", (((z1, q), said(z1, z3, q)) for z1, z3, q in runs))
        kept = most_common(firsts, lambda z1: tuple(said(z1, lasts[0], query) for query in queries))
        state = case.heard(lasts[0], middles[0], kept[0], z0, 0).states(self.first_block, "z0")[1]
        into_w = {"layer 1, table 1 to w": len(queries) * self.beta} if case.kind == "B" else {}
        return kept, {"the state behind table 1": state, **into_w}

    def _middle_tables(
        self, lasts: list[Table], middles: list[Table], paths: list[tuple[int, Table]]
    ) -> tuple[list[Table], dict[str, int]]:
        """𝒬_2: the first block's states behind each window, layer 1 into every w; in B also into table 1 and z_0."""
        case, queries, names = self.case, range(len(self.case.queries)), list(self.case.pieces)
        after = {name: following for name, following in pairwise(names) if name.startswith("window")}
        mine, (z0, z1) = case.middle_pieces, paths[0]
        tokens = [name for name in ("fixed", "varied", "z0") if name in case.pieces] if case.kind == "B" else []

        def said(z2: Table, z3: Table, query: int) -> tuple[Any, ...]:
            heard = case.heard(z3, z2, z1, z0, query)
            runs = [case.heard(z3, z2, copy, start, query) for start, copy in paths]
            into = [self._summed(run, mine, name) for run in runs for name in ("w", *tokens)]
            behind = [heard.states(self.first_block, name)[0] for name in after.values()]
            return (*into, *behind)

        runs = product(middles, lasts, queries)
        require_function(f"{case.word}: table 2", (((z2, q), said(z2, z3, q)) for z2, z3, q in runs))
        kept = most_common(middles, lambda z2: tuple(said(z2, lasts[0], query) for query in queries))
        heard = case.heard(lasts[0], kept[0], z1, z0, 0)
        starts = {start for start, _ in paths}
        reached = {
            "layer 1, table 2 to w": len(queries) * (len(starts) if case.kind == "A" else 1) * self.beta,
            "the states behind the windows": sum(heard.states(self.first_block, name)[1] for name in after.values()),
        }
        if tokens:
            copies = {copy for _, copy in paths}
            heard_by = case.sizes.m - case.varied + case.varied * len(copies) + len(starts)
            reached["layer 1, table 2 to table 1 and z_0"] = heard_by * self.beta
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

    def _draws(
        self, lasts: list[Table], middles: list[Table], paths: list[Any], joint: list[MessageClass]
    ) -> tuple[list[Table], list[Table]]:
        """Two tables 2, and tables 3, for which what both together say is the same: most tables 3 that there are."""
        case = self.case

        def said(z3: Table, z2: Table) -> Hashable:
            runs = product(range(len(paths)), range(len(case.queries)))
            heard = [case.heard(z3, z2, paths[p][1], paths[p][0], q) for p, q in runs]
            return tuple(group.content(one)[0] for one in heard for group in joint)

        table = {(z3, z2): said(z3, z2) for z3, z2 in product(lasts, middles)}
        options: list[tuple[tuple[Table, ...], list[Table]]] = [
            ((a, b), [z3 for z3 in lasts if table[z3, a] == table[z3, b]]) for a, b in combinations(middles, 2)
        ] or [((middles[0],), lasts)]
        draws, kept = max(options, key=lambda option: len(option[1]))
        if not kept:
            return [middles[0]], lasts
        return list(draws), kept

    def _needed_jointly(self, lasts: list[Table], middles: list[Table], paths: list[Any]) -> set[str]:
        """What tables 2 and 3 say together is needed if w, heard from table 3 later, tells other tables 2 apart."""
        case, last_full = self.case, self.full[-1]
        found = set()
        for p, q in product(range(len(paths)), range(len(case.queries))):
            for z3 in lasts:
                said = {case.heard(z3, z2, paths[p][1], paths[p][0], q).soft(last_full, "last", "w") for z2 in middles}
                if len(said) > 1:
                    found |= {group.name for group in self._joint(paths) if self._varies(group, z3, middles, paths)}
        return found

    def _varies(self, group: MessageClass, z3: Table, middles: list[Table], paths: list[Any]) -> bool:
        case = self.case
        runs = product(range(len(paths)), range(len(case.queries)))
        return any(
            len({group.content(case.heard(z3, z2, paths[p][1], paths[p][0], q))[0] for z2 in middles}) > 1
            for p, q in runs
        )

    # --- the classes of messages ---

    def _soft(self, layer: int, *receivers: str) -> Callable[[Heard], tuple[Hashable, int]]:
        def content(heard: Heard) -> tuple[Hashable, int]:
            said = [heard.soft(layer, "last", receiver) for receiver in receivers]
            return tuple(data for data, _ in said), sum(bits for _, bits in said)

        return content

    def _state(self, layers: range, receiver: str) -> Callable[[Heard], tuple[Hashable, int]]:
        return lambda heard: heard.states(layers, receiver)

    def _joint(self, paths: list[tuple[int, Table]]) -> list[MessageClass]:
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

    def _classes(self, paths: list[tuple[int, Table]]) -> list[MessageClass]:
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
