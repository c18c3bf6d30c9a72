"""C9: protocols of two full layers (FF) for two and three tables, run message by message, with their bits counted.

They show how far no theorem can go: a size at which one of them fits into β is solvable. In layer 1 a token hears a
list of entries of earlier tables, in layer 2 w hears one number. No weights are built here; what each token hears is a
function of its own knowledge and of the table, as a full layer allows.

    L = 2   early: w hears all of z_1, and z_0, (m+1)·⌈log2 m⌉ bits; then its entry of z_2.
            ahead: each token of table 1 hears its n_1 successors in z_2, n_1·⌈log2 N_1⌉ bits; w hears z_0, then i_2.
    L = 3   both: w hears all of z_1, and z_0; each token of table 2 hears its n_2 successors in z_3; then w hears i_3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from separation.bounds.theorem import Impossibility
from separation.bounds.theorems.theorem_a3c import theorem_a3c
from separation.bounds.theorems.theorem_b2c import theorem_b2c
from separation.tasks.funccomp import Instance, Sizes, answer, sample
from separation.tasks.shape import bit_count

RUNS = 50


class Listener:
    """Counts what one token hears in one layer: numbers of whole bits each; the largest total is β."""

    def __init__(self) -> None:
        self.beta = 0

    def __call__(self, *numbers: tuple[int, int]) -> list[int]:
        """The values of (value, how many values there are)."""
        if not all(0 <= value < count for value, count in numbers):
            raise ValueError("a number that does not fit its bits")
        self.beta = max(self.beta, sum(bit_count(count) for _, count in numbers))
        return [value for value, _ in numbers]


def early(asked: Instance, hear: Listener) -> int:
    """L = 2: w hears all of z_1."""
    (z1, z2), (m, N) = asked.tables, asked.sizes.N
    *table, start = hear(*((value, m) for value in z1), (asked.z0, m))
    return hear((z2[asked.w[0] * m + table[start]], N))[0]


def ahead(asked: Instance, hear: Listener) -> int:
    """L = 2: table 1 reads ahead."""
    (z1, z2), (m, N) = asked.tables, asked.sizes.N
    successors = [hear(*((z2[w * m + value], N) for w in range(asked.sizes.n[0]))) for value in z1]
    (start,) = hear((asked.z0, m))
    return hear((successors[start][asked.w[0]], N))[0]


def both(asked: Instance, hear: Listener) -> int:
    """L = 3: w hears all of z_1, and table 2 reads ahead."""
    (z1, z2, z3), (m, N1, N2) = asked.tables, asked.sizes.N
    *table, start = hear(*((value, m) for value in z1), (asked.z0, m))
    successors = [hear(*((z3[w * N1 + value], N2) for w in range(asked.sizes.n[1]))) for value in z2]
    return hear((successors[asked.w[0] * m + table[start]][asked.w[1]], N2))[0]


PROTOCOLS: dict[int, dict[str, Callable[[Instance, Listener], int]]] = {
    2: {"early": early, "ahead": ahead},
    3: {"both": both},
}


def formula(name: str, m: int, n: Sequence[int]) -> int:
    """β of a protocol: the most that any token hears in either layer."""
    N = Sizes(m, tuple(n)).N
    lists = {"early": [(m + 1) * bit_count(m)], "ahead": [n[0] * bit_count(N[1])]}
    lists["both"] = [(m + 1) * bit_count(m), n[-1] * bit_count(N[-1])]
    return max(*lists[name], bit_count(N[-1]), bit_count(m))


def counted(name: str, m: int, n: Sequence[int], seed: int = 0) -> int:
    """β as the messages of some random inputs are counted, each of which must be answered rightly."""
    sizes, hear = Sizes(m, tuple(n)), Listener()
    for run in range(RUNS):
        asked = sample(sizes, seed + run)
        if PROTOCOLS[sizes.L][name](asked, hear) != answer(asked):
            raise ArithmeticError(f"protocol {name} is wrong on {asked}")
    return hear.beta


SIZES = (
    (4, (2,)),
    (8, (4,)),
    (16, (8,)),
    (32, (8,)),
    (64, (16,)),
    (8, (1, 4)),
    (16, (1, 8)),
    (32, (1, 16)),
    (64, (1, 32)),
)


@dataclass(frozen=True)
class TwoLayerRow:
    """FF at these sizes: messages of ``impossible`` bits are too short (B2c, A3c), ``built`` are enough (C9)."""

    m: int
    n: tuple[int, ...]
    impossible: int | None
    built: int
    protocol: str

    @property
    def ratio(self) -> float | None:
        """built / (impossible + 1): the threshold is known up to this factor."""
        return None if self.impossible is None else self.built / (self.impossible + 1)


def two_layer_rows() -> list[TwoLayerRow]:
    """The table "certified impossible up to, built from" for FF, L = 2 and 3; β is counted in runs."""
    found = []
    for m, n in SIZES:
        built, protocol = min((counted(name, m, n), name) for name in PROTOCOLS[len(n) + 1])
        found.append(TwoLayerRow(m, n, largest_impossible(m, n), built, protocol))
    return found


def largest_impossible(m: int, n: tuple[int, ...]) -> int | None:
    """The largest β that B2c, or A3c, excludes at these sizes; None if it excludes none."""
    values = (1, m) if len(n) == 1 else (1, m * n[0])  # both sides are linear in v: one of its ends is best

    def at(g: int, v: int, beta: int) -> Impossibility:
        return (theorem_b2c if len(n) == 1 else theorem_a3c)(m, n, (g, v), beta, (0, 0, 0))

    def excluded(beta: int) -> bool:
        return any(at(g, v, beta).certified for g in range(m, 0, -1) for v in values)

    beta = 0
    while excluded(beta + 1):
        beta += 1
    return beta or None
