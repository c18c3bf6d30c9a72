"""What T.AL and T.BL share: protocols that solve, charges read off transcripts, and the calculator's verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from random import Random

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_levels import (
    BOUNDARY,
    INTO_BELOW,
    INTO_TABLE,
    INTO_TOKENS,
    INTO_Z0,
    LAST_INTO_W,
    LATE,
    Recursion,
    Sharper,
    numbers_of,
)
from proofs_checks.kit.delayed_messages import counted
from proofs_checks.kit.four_table_cases import require_charges_a_l
from proofs_checks.kit.four_tables import FourTables, require_four_tables
from proofs_checks.kit.needed_messages import require_all_needed
from proofs_checks.kit.products import is_less
from proofs_checks.kit.searched_protocols import Search, require_search
from proofs_checks.kit.solving_protocols import measured, states_keep_tables, w_hears_tables
from proofs_checks.kit.verdict import Checked, Status, require
from separation.bounds.log_sums import LogSum
from separation.bounds.theorems.outcome import Impossibility
from separation.tasks.funccomp import Sizes

Solved = tuple[tuple[str, Sharper], ...]
SMALL = (Sizes(2, (4,)), Sizes(2, (1, 4)))


@dataclass(frozen=True)
class DelayedTheorem:
    """What differs between T.AL and T.BL.

    where without any charge of ``names`` that is neither in ``on_families`` nor in ``not_refuted`` some protocol of
    ``solved`` would be forbidden, and without one of ``on_families`` some protocol of ``solved_on_families``;
    without the new boundary the theorem holds too (T.agree);
    ``searches`` are of something solvable and of something forbidden, in this order.
    """

    forbids: Callable[[Recursion, Sharper], bool]
    forbids_first: Callable[[Recursion, Sharper], bool]
    charged: Callable[[Recursion, Sharper], tuple[Mapping[str, int], Mapping[str, int]]]
    calculated: Callable[[Sharper], Impossibility]
    drawn: Callable[[Random], Sharper]
    solved: Callable[[], Solved]
    solved_on_families: Callable[[], Solved]
    names: Sequence[str]
    first_names: Sequence[str]
    on_families: frozenset[str]
    not_refuted: frozenset[str]
    cases: Sequence[DelayedCase]
    searches: Mapping[Search, Sharper]
    seeded_cases: int
    four_tables: Sequence[FourTables] = ()

    def check(self, claim: Recursion) -> Checked:
        """Nothing that exists is forbidden; transcripts show the charges; the calculator has the recursion of Coq.

        1. *Protocols*, each right on all inputs of a small size (`measured`). In each block states that keep all or
           some tables; w hears them, or its entry in parts; a table reads another ahead: their bits counted, none is
           forbidden, neither on all inputs nor on a family. Without any one charge, but for the new boundary and those
           in ``on_families`` and ``not_refuted``, some of those on all inputs would be; without one in ``on_families``
           some on a family.
        2. *Transcripts.* In random models with three tables, all sets written out: each class of messages is a function
           of what its charge says that its receiver knows; in number and bits they are the charges, by name; and with
           all of them fixed, all that w hears is fixed. Without any one class it is not: in a model made by hand two
           inputs agree on all other classes and w hears two different things, or what is paid once for all copies of a
           table is not the same for two of them (`needed_messages`). Of A_L the same with four tables (`four_tables`).
        3. *Search* among all protocols: where one exists that is always right it is found, and it is not forbidden; at
           sizes that the theorem forbids none is found that is always right on some tables (`searched_protocols`).
        4. *One path.* With one copy of each table the charges for other tokens than w are not needed.
        5. *Calculator.* On seeded cases with two to four tables its verdict is that of the recursion, written here as
           SharperDefinitions.v has it.
        """
        for name, of in (*self.solved(), *self.solved_on_families()):
            require(not self.forbids(claim, of), f"{name}: solves {of}, which is called impossible")
        charged = [require_counted(case, lambda of: self.charged(claim, of)) for case in self.cases]
        require_all_needed({name for names in charged for name in names}, [case for case in self.cases if case.hops])
        for with_four in self.four_tables:
            require_charges_a_l(claim, with_four)
        require_four_tables(self.four_tables)
        gone, on_families = self._refuted(self.solved()), self._refuted(self.solved_on_families())
        left = set(self.names) - self.on_families - self.not_refuted - {BOUNDARY}
        require(gone == left, f"protocols refute the theorem without one of {sorted(gone)}")
        require(on_families - gone == self.on_families, f"and on families without one of {sorted(on_families)}")
        verdicts = [self.forbids(claim, of) for of in self.searches.values()]
        require(verdicts == [False, True], f"{list(self.searches.values())}: forbidden are {verdicts}")
        require_search(*self.searches)
        self._require_same_verdicts(claim)
        self.require_one_path()
        return Checked(
            Status.EXHAUSTIVE,
            "protocols that solve, right on all inputs at small sizes; "
            f"a search for others; {len(self.cases)} models' transcripts; the recursion of Coq "
            "against the calculator",
            f"transcripts at L = 3{' and 4' if self.four_tables else ''}, m up to "
            f"{max(case.sizes.m for case in self.cases)}; {self.seeded_cases} seeded cases, L up to 4",
        )

    def require_one_path(self) -> None:
        """With one copy of each table: what is forbidden without the charges for other tokens than w is so with reason.

        All that w hears in so many full layers, f·β·W, and from the states, Λ_f, is less than what is asked.
        """
        rng, found = Random(7), 0
        fewer = Recursion(frozenset({BOUNDARY, INTO_Z0, INTO_BELOW, INTO_TABLE}))
        for _ in range(self.seeded_cases):
            drawn = self.drawn(rng)
            of = replace(drawn, theta1=1, x0=1, x1=1, copies=tuple((1, theta) for _, theta in drawn.copies))
            if self.forbids(fewer, of):
                heard = (len(of.states) - 1) * of.beta * prod(of.n) + of.linear[-1]
                asked = of.n[-1] * (of.copies[-1][1] if of.copies else of.theta1)
                require(is_less(LogSum(heard), LogSum(0, ((asked, of.values_of(len(of.n) + 1)),))), f"{of}: not so")
                found += 1
        require(found > 0, "with one copy of each table nothing is forbidden")

    def twins(self) -> dict[str, Recursion]:
        """The theorem without one of its charges, but for the new boundary."""
        return {f"{name} free": Recursion(frozenset({name})) for name in self.names if name != BOUNDARY}

    def _refuted(self, solved: Solved) -> set[str]:
        """The charges without which something that exists is forbidden."""
        weaker = {name: Recursion(frozenset({name})) for name in self.names}
        return {name for name, claim in weaker.items() if any(self.forbids(claim, of) for _, of in solved)}

    def _require_same_verdicts(self, claim: Recursion) -> None:
        """On seeded cases the calculator says what the recursion says: of table 1 alone, and of all."""
        rng, verdicts = Random(4), set()
        for _ in range(self.seeded_cases):
            of = self.drawn(rng)
            outcome = self.calculated(of)
            first = all(found.holds for found in outcome.inequalities if found.name in self.first_names)
            ours = self.forbids_first(claim, of), self.forbids(claim, of)
            for what, said, our in zip(("first", "all"), (first, outcome.holds), ours, strict=True):
                require(said == our, f"{of}: the calculator says {said} ({what})")
                verdicts.add((what, said))
        require(len(verdicts) == 4, f"the seeded cases have these verdicts only: {sorted(verdicts)}")


def keeping_or_hearing_all(full: Callable[[int], int], blocks: Callable[[int], Iterable[int]]) -> Solved:
    """For two and three tables, with full(L) full layers: the states of a block keep all tables, or w hears them."""
    found = []
    for sizes in SMALL:
        L, layers = sizes.L, full(sizes.L)
        for block in blocks(layers):
            name = f"L = {L}, the states of block {block} keep everything"
            found.append((name, numbers_of(measured(name, states_keep_tables(block, L), sizes, layers))))
        name = f"L = {L}, w hears all tables"
        found.append((name, numbers_of(measured(name, w_hears_tables(L), sizes, layers))))
    return tuple(found)


def require_counted(
    case: DelayedCase, charged: Callable[[Sharper], tuple[Mapping[str, int], Mapping[str, int]]]
) -> set[str]:
    """The bits of the transcripts are those of the theorem, by name, for the copies that were made; the names.

    where ``charged`` gives what is fixed of tables 1 and 2 before their levels, and what is fixed of the last table.
    """
    found, m = counted(case), case.sizes.m
    of = Sharper(
        m,
        case.sizes.n,
        found.beta,
        found.states,
        found.paths,
        ((found.draws, 1),),
        case.varied,
        case.starts,
        found.copies,
    )
    before, told = charged(of)
    for what, shown, said in (("before", found.reached, before), ("told", found.told, told)):
        require(
            dict(said) == dict(shown), f"{case.word}, {what}: charged are {dict(said)}, transcripts show {dict(shown)}"
        )
    return {*before, *told}


def counted_names(
    start: Sequence[Mapping[str, int]], level: Mapping[str, int], of: Sharper, full: bool
) -> dict[str, int]:
    """All that is fixed of table 3, under the names of the transcripts: layers 1 (and 2) into each piece apart."""
    _, last, joint = start
    first_tokens = {"layer 1 into z_0": of.x0, "layer 1 into table 1": of.m - of.x0 + of.x0 * of.x1}
    told = {**last, **joint, BOUNDARY: level[BOUNDARY], LATE: level[LATE], LAST_INTO_W: level[LAST_INTO_W]}
    if not full:
        into = {"layer 1 into z_0": INTO_Z0, "layer 1 into table 1": INTO_BELOW, "layer 1 into table 2": INTO_TABLE}
        return {**told, **{shown: level[name] for shown, name in into.items()}}
    share = told.pop(INTO_TOKENS)
    whole = of.beta * sum(first_tokens.values())
    told |= {name: share * of.beta * tokens // whole for name, tokens in first_tokens.items()}
    told |= {"layer 2 into z_0": level[INTO_Z0], "layer 2 into table 1": level[INTO_BELOW]}
    return {**told, **{f"layer {layer} into table 2": level[INTO_TABLE] // 2 for layer in (1, 2)}}
