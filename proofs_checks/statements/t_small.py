"""T.small: not every size is hard: with a state that holds table 1 the word RF of depth 1 solves L = 2.

The word RF has depth 1, and yet it solves L = 2 wherever the state has m·⌈log2 m⌉ bits: it stores table 1, z_0's token
turns it into i_1, and F reads table 2 at (w_1, i_1). R is any step function here. Depth is about all sizes at once, a
certificate only about its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import IntegerArray, attention_weights
from separation.bounds import Rule, Word, ceil_log2, least_golden
from separation.models import Sums
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, hops

SIZES = (Sizes(2, (1,)), Sizes(2, (2,)), Sizes(3, (1,)))


@dataclass(frozen=True)
class Machine:
    """RF: R's state holds table 1, then i_1; F looks up table 2 at (w_1, i_1) with one head, P = 0, d = 1.

    The state is an integer of m·⌈log2 m⌉ bits, less ``forgotten`` entries. A step is any function of it and of the
    token (with its position in the prompt); that is all that R is.
    """

    forgotten: int = 0
    start_first: bool = True
    """z_0 turns the state into i_1; if not, the first entry is taken whatever z_0 is."""

    def state_bits(self, sizes: Sizes) -> int:
        return (sizes.m - self.forgotten) * ceil_log2(sizes.m)

    def state_at_query(self, instance: Instance) -> int:
        """Token by token: table 2 leaves the state at 0, table 1 is written entry by entry, z_0 picks one."""
        bits, whole, state = ceil_log2(instance.sizes.m), self.state_bits(instance.sizes), 0
        for address, value in enumerate(instance.tables[0]):
            state |= int(value) << (address * bits)
            state &= (1 << whole) - 1
        picked = instance.z0 if self.start_first else 0
        return (state >> (picked * bits)) & ((1 << bits) - 1)

    def answer(self, instance: Instance) -> int:
        """One head at w: ±1 codes of (table 2 or not, address), shift at the match, P = 0, values the entries."""
        sizes = instance.sizes
        address = instance.w[0] * sizes.m + self.state_at_query(instance)
        return looked_up([*instance.tables[1], *instance.tables[0], instance.z0, instance.w[0]], sizes.N[1], address)


def looked_up(prompt: Sequence[int], table: int, address: int) -> int:
    """What one head (P = 0, d = 1) reads at ``address`` of a prompt that begins with ``table`` entries of a table."""
    weights = look_up_weights(address, table, len(prompt))
    sums = Sums((weights * np.array(prompt)).sum()[None, None, None], weights.sum()[None, None])
    return int(sums.quotient().values[0, 0, 0])


@lru_cache(maxsize=64)
def look_up_weights(address: int, table: int, tokens: int) -> IntegerArray:
    """⌊exp(score − b)⌋ of all tokens of a prompt that begins with a table, scores b − 2·d_H(query, key) (S1).

    A key is the bits of the token's position and, in front, one that is 1 in the table and 0 in all that follows it.
    """
    bits = ceil_log2(tokens) + 1
    positions = np.arange(tokens)
    keys = positions + ((positions < table) << (bits - 1))
    differs = np.bitwise_xor(keys, address + (1 << (bits - 1)))
    distance = sum(((differs >> bit) & 1 for bit in range(bits)), np.zeros(tokens, dtype=np.int64))
    return attention_weights(np.asarray(bits - 2 * distance, dtype=np.int64), 1, Fraction(bits), 0)


def check(machine: Machine) -> Checked:
    """All inputs at small sizes; and the word is hard at other sizes, with the same state and any β.

    By hand, for every m and n_1: after table 1 the state is the table, after z_0 it is z_1(z_0) = i_1, and F reads the
    one key that equals its query: off the match a weight is ⌊𝖾^{-2h}⌋ = 0. So RF solves L = 2 with m·⌈log2 m⌉ bits of
    state, though its depth is 1 and theorem A forbids L = 2 at other sizes, certified here for the largest state used.
    """
    count = 0
    for sizes in SIZES:
        for instance in enumerate_inputs(sizes):
            found, expected = machine.answer(instance), hops(instance)[-1]
            require(found == expected, f"{instance}: RF says {found}, the answer is {expected}")
            count += 1
        largest = machine.state_bits(sizes)
        require(largest <= sizes.m * ceil_log2(sizes.m), f"{sizes}: the state has {largest} bits")
    word = Word.parse("RF")
    require(word.depth == 1, f"the depth of RF is {word.depth}")
    state = max(machine.state_bits(sizes) for sizes in SIZES)
    require(least_golden(Rule.A, 2, 64, (state, state)).evaluation.certified, "no sizes are hard for RF and L = 2")
    return Checked(
        Status.EXHAUSTIVE, "RF run exactly, its state counted in bits", f"all {count} inputs of {len(SIZES)} sizes"
    )


STATEMENT = Statement(
    id="T.small",
    title=f"{len(SIZES)} sizes of small tables that are not hard",
    latex=r"\Lambda_0\ge m\lceil\log_2 m\rceil\ \Rightarrow\ RF\ \text{solves}\ 2\text{-FuncComp}(m;n_1),\quad"
    r"\mathrm{depth}(RF)=1",
    english="If m is small, R's state can hold all of z_1, and RF solves L = 2 there: depth is a statement about all "
    "sizes at once.",
    subject=Machine(),
    check=check,
    twins={
        "a state of one entry less": Machine(forgotten=1),
        "z_0 is ignored": Machine(start_first=False),
    },
    speaks_of=("D1", "D2"),
    rests_on=("S1", "T.A"),
    hypotheses=(
        Hypothesis(
            "the state can hold table 1",
            lambda held: held[1] >= held[0].m * ceil_log2(held[0].m),
            outside=(Sizes(3, (1,)), 5),
        ),
        Hypothesis("there are two tables", lambda held: held[0].L == 2, outside=(Sizes(2, (1, 1)), 2)),
    ),
    witness=(Sizes(3, (1,)), 6),
)
"""The witness: sizes and state bits."""
