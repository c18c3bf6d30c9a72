"""T.unordered: hardness is not monotone in the length: a hard prompt, and a longer one that the same word solves.

One word, one budget, and two prompts of nearly the same length; the longer one is solved by the machine of T.small
with one head of one coordinate.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.statements.t_small import Machine
from separation.bounds import Message, Parameters, Rule, bound_certificate, ceil_log2, evaluate
from separation.proving.kernel import check_certificate
from separation.tasks.funccomp import Sizes, hops, samples

SAMPLES = 8
HARD, SOLVED = Parameters(133, (376,), (6, 10)), Sizes(2, (25_071,))


@dataclass(frozen=True)
class Pair:
    """RF and L = 2, with messages of β bits and states of Λ bits: impossible at ``hard``, solved at ``solved``."""

    beta: int = 49
    linear: int = 2
    hard: Parameters = HARD
    solved: Sizes = SOLVED

    @property
    def message(self) -> Message:
        """One head of one coordinate that holds an entry of table 2, and P = 0."""
        return Message(heads=1, dim=1, bits=ceil_log2(self.solved.N[1]), score_bits=0)


def check(pair: Pair) -> Checked:
    """The kernel forbids the shorter prompt; the machine of T.small solves the longer one within the same β and Λ.

    That the machine is right for all inputs is T.small's argument; here it is run on samples, with table 2 in full
    length. Its state is counted in bits, and its β by M1 at its own length.
    """
    shorter, longer = pair.hard.tokens(), pair.solved.length
    require(
        shorter is not None and shorter < longer,
        f"{shorter} tokens are hard, {longer} solved: the longer one should be solved",
    )
    found = evaluate(Rule.A, pair.hard, pair.beta, (pair.linear, pair.linear))
    require(found.certified, f"{pair.hard} is not certified at β = {pair.beta}, Λ = {pair.linear}")
    require(check_certificate(bound_certificate(found)).ok, "the kernel refuses the certificate")
    needed = pair.message.beta(ceil_log2(longer))
    require(needed <= pair.beta, f"solving takes messages of {needed} bits")
    machine = Machine()
    require(
        machine.state_bits(pair.solved) <= pair.linear, f"it takes a state of {machine.state_bits(pair.solved)} bits"
    )
    for instance in samples(pair.solved, 0, SAMPLES):
        require(machine.answer(instance) == hops(instance)[-1], "RF is wrong at the longer prompt")
    return Checked(
        Status.EXHAUSTIVE,
        f"the kernel on the hard size; {SAMPLES} runs at the solved one",
        f"{shorter} and {longer} tokens",
    )


def _head_fits(pair: Pair) -> bool:
    return pair.message.beta(ceil_log2(pair.solved.length)) <= pair.beta


def _table_fits(pair: Pair) -> bool:
    return Machine().state_bits(pair.solved) <= pair.linear


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
        "one bit of state": Pair(linear=1),
        "messages of 48 bits": Pair(beta=48),
        "messages of 64 bits": Pair(beta=64),
        "m = 4": Pair(solved=Sizes(4, (12_535,))),
    },
    speaks_of=("D1",),
    rests_on=("T.small", "M1"),
    hypotheses=(
        Hypothesis("β is enough for the head that solves", _head_fits, outside=Pair(beta=48)),
        Hypothesis(
            "the state can hold table 1 at m = 2",
            _table_fits,
            outside=Pair(linear=1),
        ),
    ),
    witness=Pair(),
)
