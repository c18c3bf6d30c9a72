"""Which of the messages that theorems A3, A_L, B_L and E fix their proofs cannot do without: two inputs for each class.

A class that speaks of table 3 is needed where two tables 3 agree on all other classes, and yet w hears two different
things. A class that is fixed of table 1 or 2, or of tables 2 and 3 together, before copies are drawn is needed where
two such tables differ in that class alone, and a message that is paid once for all copies is not the same for both.
That the classes are needed is shown by models made by hand (`routed_models`), in which news takes one way only. This
refutes the step of the proof without the class; whether the theorem without its charge is false is another question.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_messages import Counting, MessageClass, counting
from proofs_checks.kit.fixed_messages import Heard
from proofs_checks.kit.routed_models import Hop
from proofs_checks.kit.verdict import require
from separation.tasks.funccomp import Instance, Sizes

INVENTED = "last layer into z_0"
"""Nobody pays for it: of what z_0 hears in the last layer, w hears what late states carry, which is paid."""
FIRST_STATE = "the first state"


@dataclass(frozen=True)
class Witness:
    """Two inputs that agree in all fixed messages but those of one class, and two messages that should be the same."""

    charge: str
    word: str
    inputs: tuple[Instance, Instance]
    message: str
    heard: tuple[Hashable, Hashable]

    def __str__(self) -> str:
        """``layer 1 into z_0 (RFRFR): table 3 = (0, 0) and (1, 0), all other messages equal: w hears … and …``"""
        one, other = self.inputs
        pairs = [(f"table {k}", a, b) for k, (a, b) in enumerate(zip(one.tables, other.tables, strict=True), start=1)]
        shown = [
            f"{name} = {_written(a)}" + (f" and {_written(b)}" if a != b else "") for name, a, b in reversed(pairs)
        ]
        told = " and ".join(map(str, self.heard))
        return (
            f"{self.charge} ({self.word}): {', '.join(shown)}, z_0 = {one.z0}, w = {_written(one.w)}, "
            f"all other messages equal: {self.message} {told}"
        )


def require_all_needed(names: Collection[str], cases: Sequence[DelayedCase]) -> None:
    """In some case two inputs show that the proof does not go through without this class, for each of the names."""
    found = {name for case in cases for name in witnesses(case)}
    idle = set(names) - found
    require(not idle, f"no transcript needs {', '.join(sorted(idle))}")


@cache
def witnesses(case: DelayedCase) -> dict[str, Witness]:
    """One witness for each class that this case needs."""
    found: dict[str, Witness] = {}
    for of in (_last_tables, _middle_tables, _first_tables):
        for witness in of(counting(case)):
            found.setdefault(witness.charge, witness)
    return found


def _last_tables(of: Counting) -> Iterator[Witness]:
    """Pairs of tables 3 on all paths, with all draws and queries."""
    case, draws, paths = of.case, of.draws, of.paths
    classes = [*of.classes(paths), *of.joint(paths)]
    invented = of.soft_class(INVENTED, of.full[-1], "z0")
    asked = list(product(draws, paths, range(len(case.queries))))
    runs = {z3: [case.heard(z3, z2, z1, z0, query) for z2, (z0, z1), query in asked] for z3 in case.tables()[0]}
    for one, other in combinations(runs, 2):
        apart = {group.charge for group in classes if _differ(group, runs[one], runs[other])}
        if of.behind_last(one) != of.behind_last(other):
            apart.add(FIRST_STATE)
        if not apart and _differ(invented, runs[one], runs[other]):
            apart.add(INVENTED)
        views = [(a.view("w"), b.view("w")) for a, b in zip(runs[one], runs[other], strict=True)]
        place = next((place for place, (a, b) in enumerate(views) if a != b), None)
        if len(apart) == 1 and place is not None:
            z2, (z0, z1), query = asked[place]
            inputs = (case.instance(one, z2, z1, z0, query), case.instance(other, z2, z1, z0, query))
            yield Witness(apart.pop(), case.word, inputs, "w hears", _parts_apart(*views[place]))


def _middle_tables(of: Counting) -> Iterator[Witness]:
    """Pairs of tables 2, as two draws: what is paid for both together must be the same."""
    case, paths = of.case, of.paths
    queries = range(len(case.queries))
    for z3 in of.lasts:
        said = {
            z2: {name: tuple(of.said_of_middle(z2, z3, q)[name] for q in queries) for name in names}
            | of.said_together(z3, z2)
            for z2 in case.tables()[1]
            for names in [of.said_of_middle(z2, z3, 0)]
        }
        for one, other in combinations(said, 2):
            apart = [name for name in said[one] if said[one][name] != said[other][name]]
            if len(apart) != 1:
                continue
            for (p, (z0, z1)), q in product(enumerate(paths), queries):
                inputs = (case.instance(z3, one, z1, z0, q), case.instance(z3, other, z1, z0, q))
                for group in of.classes(paths):
                    if group.known((z3, 0, p, q)) == group.known((z3, 1, p, q)):
                        yield from _told_apart(of, apart[0], group, inputs)


def _first_tables(of: Counting) -> Iterator[Witness]:
    """Pairs of tables 1, as two copies."""
    case = of.case
    z2, z0, queries = case.tables()[1][0], case.sizes.m - 1, range(len(case.queries))
    for z3, (one, other) in product(of.lasts, combinations(case.tables()[2], 2)):
        said = [[of.said_of_first(z1, z3, q) for q in queries] for z1 in (one, other)]
        apart = {name for a, b in zip(*said, strict=True) for name in a if a[name] != b[name]}
        if len(apart) != 1:
            continue
        paths = [(z0, one), (z0, other)]
        for q in queries:
            inputs = (case.instance(z3, z2, one, z0, q), case.instance(z3, z2, other, z0, q))
            for group in (*of.classes(paths), *of.joint(paths)):
                if group.known((z3, 0, 0, q)) == group.known((z3, 0, 1, q)):
                    yield from _told_apart(of, next(iter(apart)), group, inputs)


def _told_apart(of: Counting, charge: str, group: MessageClass, inputs: tuple[Instance, Instance]) -> Iterator[Witness]:
    """The messages of a class on two inputs of which its receiver should know the same."""
    a, b = (group.content(of.case.heard_of(instance))[0] for instance in inputs)
    if a != b:
        message = f"{group.charge}, paid once for both, is"
        yield Witness(charge, of.case.word, inputs, message, (_shown(a), _shown(b)))


def _differ(group: MessageClass, one: Sequence[Heard], other: Sequence[Heard]) -> bool:
    return any(group.content(a)[0] != group.content(b)[0] for a, b in zip(one, other, strict=True))


def _parts_apart(one: tuple[bytes | None, ...], other: tuple[bytes | None, ...]) -> tuple[str, str]:
    a, b = next(pair for pair in zip(one, other, strict=True) if pair[0] != pair[1])
    return _shown(a), _shown(b)


def _shown(said: object) -> str:
    if isinstance(said, tuple):
        return " ".join(map(_shown, said))
    return said.hex() if isinstance(said, bytes) else str(said)


def _written(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(str, numbers))})"


# --- models in which news takes one way only ---

SIZES = Sizes(4, (1, 1))
LAST, MIDDLE, FIRST, Z0, W = range(4), range(4, 8), range(8, 12), 12, 13
"""The places of tables 3, 2 and 1, of z_0 and of w."""


def _case(kind: str, word: str, *hops: Hop) -> DelayedCase:
    return DelayedCase(kind, word, 0, sizes=SIZES, window=4, starts=1 if kind == "A" else 2, hops=hops)


def _told_and_asks(layer: int, sender: int, then: int, entry: int, number: int, recurrent: bool) -> tuple[Hop, Hop]:
    """Hops ``number`` and ``number`` + 1: w is told an entry, and asks table 3 in a later layer if that is 1."""
    return Hop(layer, sender, W, recurrent=recurrent), Hop(then, LAST[entry], W, if_told=number)


def _by_tokens(layer: int, then: Sequence[int]) -> tuple[Hop, ...]:
    """Hops 0 to 5: z_0, a token of table 1 and one of table 2 hear of table 3 in a layer, and tell w in a later one."""
    tokens = (Z0, FIRST[3], MIDDLE[3])
    pairs = [
        (Hop(layer, LAST[k], token), Hop(later, token, W, carried=2 * k))
        for k, (token, later) in enumerate(zip(tokens, then, strict=True))
    ]
    return tuple(hop for pair in pairs for hop in pair)


def _by_boundary(block: int, then: int) -> tuple[Hop, ...]:
    """Hops 6 and 7: a state tells a token of table 2, and is forgotten before table 1; the token tells w.

    Then one that w never hears of: `INVENTED`.
    """
    state = Hop(block, LAST[3], MIDDLE[3], recurrent=True, until=FIRST[0])
    return state, Hop(then, MIDDLE[3], W, carried=6), Hop(then, LAST[0], Z0)


def _into_w(first: int, full: int, last: int, block: int) -> tuple[Hop, ...]:
    """w hears an entry of table 3 in the first full layer and in the last, from the last state and from the first."""
    return (
        Hop(full, LAST[0], W),
        Hop(last, LAST[1], W),
        Hop(block, LAST[2], W, recurrent=True),
        Hop(first, LAST[3], W, recurrent=True),
        Hop(last, LAST[2], Z0),
    )


ROUTED_A = (
    _case("A", "RFRFR", *_by_tokens(2, (4, 4, 4)), *_by_boundary(3, 4)),
    _case("A", "RFRFR", *_into_w(1, 2, 4, 5)),
    _case(
        "A",
        "RFRFR",
        *_told_and_asks(1, FIRST[3], 2, 0, 0, recurrent=True),
        *_told_and_asks(1, MIDDLE[0], 2, 1, 2, recurrent=True),
        *_told_and_asks(2, MIDDLE[1], 4, 2, 4, recurrent=False),
        *_told_and_asks(3, MIDDLE[2], 4, 3, 6, recurrent=True),
    ),
)
ROUTED_B = (
    _case("B", "[FR]FRFR", *_by_tokens(1, (2, 2, 4)), *_by_boundary(3, 4)),
    _case("B", "[FR]FRFR", *_into_w(1, 1, 4, 5)),
    _case(
        "B",
        "[FR]FRFR",
        *_by_tokens(2, (4, 4, 4)),
        *_told_and_asks(2, MIDDLE[0], 4, 3, 6, recurrent=False),
        *_told_and_asks(3, MIDDLE[1], 4, 3, 8, recurrent=True),
    ),
    _case(
        "B",
        "[FR]FRFR",
        *_told_and_asks(1, FIRST[3], 2, 0, 0, recurrent=True),
        *_told_and_asks(1, FIRST[2], 2, 1, 2, recurrent=False),
        *_told_and_asks(1, MIDDLE[0], 4, 2, 4, recurrent=True),
        *_told_and_asks(1, MIDDLE[1], 4, 3, 6, recurrent=False),
        Hop(1, MIDDLE[2], FIRST[3]),
        Hop(2, FIRST[3], W, carried=8),
        Hop(4, LAST[3], W, if_told=9),
    ),
)
