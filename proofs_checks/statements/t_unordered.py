"""T.unordered: hardness is not monotone in the length: a hard prompt, and a longer one that the same word solves.

The word RF has depth 1, and yet it solves L = 2 wherever the state has m·⌈log2 m⌉ bits: it stores table 1, z_0's token
turns it into i_1, and F reads table 2 at (w_1, i_1) with one head of one coordinate. R is any step function here. Depth
is about all sizes at once, a certificate only about its own. So with one word and one budget there are two prompts of
nearly the same length of which the longer one is solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import IntegerArray, attention_weights
from separation.bounds import Message, Parameters, Rule, bound_certificate, ceil_log2, evaluate
from separation.models import Sums
from separation.proving.kernel import check_certificate
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, hops, samples

SAMPLES = 8
HARD, SOLVED = Parameters(133, (376,), (6, 10)), Sizes(2, (25_071,))


SMALL = (Sizes(2, (1,)), Sizes(2, (2,)), Sizes(3, (1,)))
"""Sizes of which all inputs are run."""


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


@dataclass(frozen=True)
class Pair:
    """RF and L = 2, with messages of β bits and states of Λ bits: impossible at ``hard``, solved at ``solved``."""

    beta: int = 49
    state_bits: int = 2
    hard: Parameters = HARD
    solved: Sizes = SOLVED
    machine: Machine = Machine()

    @property
    def message(self) -> Message:
        """One head of one coordinate that holds an entry of table 2, and P = 0."""
        return Message(heads=1, dim=1, bits=ceil_log2(self.solved.N[1]), score_bits=0)


def check(pair: Pair) -> Checked:
    """The kernel forbids the shorter prompt; the machine solves the longer one within the same β and Λ.

    By hand, for every m and n_1: after table 1 the state is the table, after z_0 it is z_1(z_0) = i_1, and F reads the
    one key that equals its query: off the match a weight is ⌊𝖾^{-2h}⌋ = 0. All inputs of small sizes are run, and
    samples with table 2 in full length. The state is counted in bits, and β by M1 at its own length.
    """
    shorter, longer, machine = pair.hard.tokens(), pair.solved.length, pair.machine
    ordered = shorter is not None and shorter < longer
    require(ordered, f"{shorter} tokens are hard, {longer} solved: the longer one should be solved")
    found = evaluate(Rule.A, pair.hard, pair.beta, (pair.state_bits, pair.state_bits))
    require(found.certified, f"{pair.hard} is not certified at β = {pair.beta}, Λ = {pair.state_bits}")
    require(check_certificate(bound_certificate(found)).ok, "the kernel refuses the certificate")
    needed = pair.message.beta(ceil_log2(longer))
    require(needed <= pair.beta, f"solving takes messages of {needed} bits")
    bits = machine.state_bits(pair.solved)
    require(bits <= pair.state_bits, f"it takes a state of {bits} bits")
    for instance in (*(each for sizes in SMALL for each in enumerate_inputs(sizes)), *samples(pair.solved, 0, SAMPLES)):
        require(machine.answer(instance) == hops(instance)[-1], f"{instance.sizes}: RF is wrong")
    return Checked(
        Status.EXHAUSTIVE,
        "the kernel on the hard size; RF run exactly, its state counted in bits",
        f"{shorter} and {longer} tokens; all inputs of {len(SMALL)} small sizes and {SAMPLES} at the solved one",
    )


def _head_fits(pair: Pair) -> bool:
    return pair.message.beta(ceil_log2(pair.solved.length)) <= pair.beta


def _table_fits(pair: Pair) -> bool:
    return Machine().state_bits(pair.solved) <= pair.state_bits


STATEMENT = Statement(
    id="T.unordered",
    title="hardness is not monotone in n",
    latex=r"RF,\ L=2,\ \beta=49,\ \Lambda=2:\ \text{impossible at}\ (m,n_1)=(133,376),\ "
    r"\text{solved at}\ (2,25071)",
    english="With the same β and Λ the word RF cannot solve L = 2 at 50143 tokens and solves it at 50146.",
    subject=Pair(),
    check=check,
    twins={
        "the same length": Pair(solved=Sizes(2, (25_069,))),
        "one bit of state": Pair(state_bits=1),
        "messages of 48 bits": Pair(beta=48),
        "messages of 64 bits": Pair(beta=64),
        "a state of one entry less": Pair(machine=Machine(forgotten=1)),
        "z_0 is ignored": Pair(machine=Machine(start_first=False)),
        "m = 4": Pair(solved=Sizes(4, (12_535,))),
    },
    applies_to=("D1", "D2"),
    rests_on=("S1", "M1", "T.A"),
    hypotheses=(
        Hypothesis("β is enough for the head that solves", _head_fits, outside=Pair(beta=48)),
        Hypothesis(
            "the state can hold table 1 at m = 2",
            _table_fits,
            outside=Pair(state_bits=1),
        ),
    ),
    witness=Pair(),
)
