"""FR that composes two random tables nearly always, as z_0's token hears a part of table 2 that goes with z_0.

[m] has Q blocks, and each z_0 a set of k of them: z_0's token hears table 2 on these k blocks, and table 1 on its group
of s entries. What the entries of a group ask for is summed up (index coding): for each set T of k+1 blocks, of those
entries that ask for a block of T and have the k others as their set, one for each block share a sum modulo 2, and each
of them knows all summands but its own. So for each entry of table 1 about 1/(k+1) of an entry of table 2 is handed on,
and no token hears more than k/Q of table 2. Only where a group needs more sums than there is room for is it wrong; the
chance of that falls exponentially (Aven's bound for the mean number of sums, McDiarmid's for what is beyond).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil, comb, exp, sqrt
from typing import Any

import numpy as np

from proofs_checks.kit.claim_e import LATE, Numbers
from proofs_checks.kit.drawn_inputs import every_value, inputs
from proofs_checks.kit.solving_protocols import Budgets
from proofs_checks.kit.verdict import require
from separation.tasks.funccomp import Instance, Sizes, answer

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Plan:
    """Q, k, s, and the sums that there is room for in each group."""

    blocks: int
    known: int
    group: int
    room: int

    def sets(self) -> Array:
        """The sets of k blocks, as bits; entry e of table 1 has number e modulo their number."""
        chosen = combinations(range(self.blocks), self.known)
        return np.array([sum(1 << block for block in blocks) for blocks in chosen])

    def chance_of_failure(self) -> float:
        """At most: that a group of random entries needs more sums than there is room for."""
        entries = ceil(self.group / comb(self.blocks, self.known)) / self.blocks  # of one kind, on average
        mean = comb(self.blocks, self.known + 1) * (entries + sqrt(self.known * entries))
        beyond = self.room - mean
        return exp(-2 * beyond**2 / self.group) if beyond > 0 else 1.0

    def run(self, instance: Instance, budgets: Budgets) -> int:
        (m, N), (z1, z2), e = instance.sizes.N, instance.tables, instance.z0
        require(
            instance.sizes.n == (1,) and m % self.group == 0 == m % self.blocks, f"{self} is not for {instance.sizes}"
        )
        first = e - e % self.group
        wanted = np.array(z1[first : first + self.group], dtype=np.int64)
        budgets.hear_many((self.group, m), (self.known * (m // self.blocks), N))
        budgets.hear((z2[z1[e]], N))  # a token of table 1: the entry that it asks for
        budgets.hand_many(1, m // self.group * self.room, N)
        sets = self.sets()[np.arange(first, first + self.group) % comb(self.blocks, self.known)]
        own = wanted * self.blocks // m
        mine = int(sets[e - first])

        def heard(index: int) -> int:
            """Of table 2, by z_0's token."""
            require(mine >> index * self.blocks // m & 1 == 1, f"entry {index} of table 2 is not in the set of {e}")
            return z2[index]

        if mine >> int(own[e - first]) & 1:
            (found,) = budgets.hand(1, (heard(z1[e]), N))
            return found
        kinds = np.where(sets >> own & 1, 0, sets | 1 << own)  # T, or 0 where nothing is asked for
        place, summands = _sum_of(kinds, own, e - first, self.blocks)
        if place >= self.room:
            return 0
        total = 0  # what table 1 sums up
        for member in summands:
            total ^= z2[int(wanted[member])]
        for member in summands:
            total ^= heard(int(wanted[member])) if member != e - first else 0
        (found,) = budgets.hand(1, (total, N))
        return found


def _sum_of(kinds: Array, own: Array, e: int, blocks: int) -> tuple[int, list[int]]:
    """The number of the sum for entry e of a group, and the entries that share it."""
    counts = np.bincount(kinds * blocks + own, minlength=(1 << blocks) * blocks).reshape(1 << blocks, blocks)
    kind = int(kinds[e])
    before = int(counts[1:kind].max(axis=1).sum())
    rank = int(np.count_nonzero((kinds[:e] == kind) & (own[:e] == own[e])))
    same = [np.flatnonzero((kinds == kind) & (own == block)) for block in range(blocks) if kind >> block & 1]
    return before + rank, [int(members[rank]) for members in same if rank < len(members)]


SMALL = {
    Sizes(2, (1,)): (Plan(2, 1, 2, 2), Plan(2, 1, 1, 1)),
    Sizes(3, (1,)): (Plan(3, 1, 3, 3), Plan(3, 2, 3, 3)),
}
"""Plans with room for every group: these are right on all inputs."""
LARGE, LARGE_SIZES = Plan(16, 2, 1 << 19, 167_400), Sizes(1 << 28, (1,))


@cache
def often_right() -> tuple[str, Numbers, float]:
    """Its numbers at large sizes, after it was right on all inputs of small ones; and its accuracy at least."""
    for sizes, plans in SMALL.items():
        for plan in plans:
            for instance in every_value(sizes).every(sizes):
                _require_right(plan, instance, Budgets())
    budgets = Budgets()
    for instance in inputs(LARGE_SIZES):
        _require_right(LARGE, instance, budgets)
    of = Numbers(
        "A", LATE, LARGE_SIZES.m, LARGE_SIZES.n, (LARGE_SIZES.m * 15 // 16, 1), budgets.message, (0, budgets.states[1])
    )
    return "FR, sums for several z_0", of, 1 - LARGE.chance_of_failure()


def _require_right(plan: Plan, instance: Instance, budgets: Budgets) -> None:
    said, right = plan.run(instance, budgets), answer(instance)
    require(said == right, f"{plan} answers {said} to z_0 = {instance.z0}, not {right}")
