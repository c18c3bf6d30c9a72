"""T.run: the induction of theorems A and B, run on transcripts of the simulator with all sets written out.

On random models at small sizes, with explicit sets 𝒬 and Z, the induction is run in the simulator, input by input. The
graph and the transcripts agree in this sense: what a receiver has heard, and what is sent to it, never depends on an
input that is not an ancestor in the graph; for each charged message some model and some inputs make every ancestor
count, and all combinations of their inputs are distinguished; with the charged messages fixed, the next level holds
for every z; and each charged message is needed, as two members of 𝒬 may differ in it alone. The messages, with the
bits in which they are written, add up to D_{ℓ+1} − x_ℓ·D_ℓ − 1. At these sizes 2^-D is mostly less than one input, so
this does not test density; L1 and L3 do. R heads inside a full layer ([FR]) read what was known before it: a graph
that lets their state carry what the layer brought would charge W·x_0·x_1 in B's first step, and no transcript shows
that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from proofs_checks.kit.messages import (
    Accounting,
    Case,
    Charge,
    Level,
    Replay,
    Step,
    Tally,
    Transcripts,
    charges,
    fixed_graph,
    linear_blocks,
    message_graph,
)
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word, run_recursion
from separation.fooling.hybrids import pair_of
from separation.protocol import Cut, simulate
from separation.tasks.funccomp import Sizes, answer, token_ids

TWO, THREE = Sizes(2, (2,)), Sizes(2, (1, 2))
CASES = (
    Case("A", "RFR", TWO, (3, 5), seed=26, score_bits=3),
    Case("A", "F", TWO, (3, 5), seed=81, score_bits=2),
    Case("A", "FR", TWO, (3, 5), seed=4, score_bits=1, heads=2),
    Case("B", "FF", TWO, (3, 5), seed=8, score_bits=1),
    Case("B", "FF", TWO, (3, 5), seed=33, score_bits=2),
    Case("B", "FFR", TWO, (3, 5), seed=27, score_bits=4),
    Case("B", "FFR", TWO, (3, 5), seed=25, score_bits=2),
    Case("B", "[FR]F", TWO, (3, 5), seed=16, score_bits=1),
    Case("A", "RFRFR", THREE, (2, 2, 2), seed=53, score_bits=2, heads=2),
    Case("B", "FFRFR", THREE, (2, 2, 2), seed=21, score_bits=2, heads=2),
)
"""Chosen seeds: at such sizes most models tell all tables apart, and then there is little to see."""


def check(accounting: Accounting) -> Checked:
    """The graph of messages and the transcripts agree, and the induction goes through, on every case.

    A case is a random model of a word, and for each player an explicit set of inputs. All inputs of these sets are run
    in the simulator, as the induction asks for them. After the base, each step from level ℓ to ℓ+1 means:

    0. *Base.* The bits that the first level fixes are D_1: Λ_0 in theorem A, β·W and Λ_1 in theorem B.
    1. *Draws.* Over all draws of x_ℓ tables the mean density is at least the power (L1), exactly; one is taken.
    2. *No more than the graph says.* For each charge (receiver, layer) and fixed (z_{ℓ+1}, …, z_L), what the receiver
       has heard before the layer, and the sum that the players above ℓ send it, are functions of the inputs that are
       ancestors in the graph. Seen by changing one player's input at a time.
    3. *No less.* For each charge some case has one (z_{ℓ+1}, …, z_L) for which each ancestor's input alone makes a
       difference, and all combinations of their inputs are known apart: as many messages as the theorem charges.
    4. *Nothing else must be fixed.* With the charged messages fixed to their most common value, all of level ℓ+1 holds
       for every z of Z: states into player ℓ, summed soft messages to all players up to ℓ in all covered layers, and
       what these players know, are the same for all of 𝒬.
    5. *Nothing less.* For each charge of level 1 some case has two members of 𝒬 that differ in this message and in no
       other. (Level 2 takes more cases; they are in the tests.)
    6. *Bits.* The messages of 3, as many as were known apart, each with the bits in which its transcript writes it, and
       the bits of the states are D_{ℓ+1} − x_ℓ·D_ℓ − 1 of the recursion at this β and Λ; less in theorem A's first
       step without states in block 0, by β·W·(x_0 − 1), as the query does not know z_0 then.
    7. *Density and cover* are at least 2^-D and Θ. At sizes that can be listed 2^-D is mostly less than one input.
    One transcript of each case is compared with a plain run of the simulator, and that with the forward pass.
    At level L, two tables of 𝒬 that differ where Z asks are run as a pair: one output, two correct answers.
    """
    tally = replayed(CASES, accounting)
    tally.require_reached()
    tally.require_needed([1])
    tally.require_bits()
    require(tally.pairs > 0, "no case ends with two inputs of one output and different answers")
    words = ", ".join(dict.fromkeys(case.word for case in CASES))
    return Checked(
        Status.EXHAUSTIVE,
        f"{tally.transcripts} transcripts of the simulator against the graph (networkx); {tally.pairs} final pairs",
        f"{len(CASES)} random models of {words}; m = 2, L = 2 and 3, all inputs of explicit sets",
    )


def replayed(cases: Iterable[Case], accounting: Accounting) -> Tally:
    """The induction on each case, and what they show together."""
    tally = Tally()
    for case in cases:
        replay = Replay(case.transcripts, case.letters, case.theorem, case.pools, case.kept, accounting)
        for step in _steps(case, replay):
            tally.add(step, replay.held)
        _require_forward_pass(case.transcripts)
        tally.transcripts += len(case.transcripts.instances)
        tally.pairs += ends_with_a_pair(replay)
    return tally


def _steps(case: Case, replay: Replay) -> Iterator[Step]:
    """Each step with the bits that the theorem charges for it at the β and Λ that were measured."""
    sizes, x, steps = case.sizes, case.kept, list(replay.run())
    transcript = case.transcripts.of(next(iter(case.transcripts.instances))).transcript
    assert transcript.beta is not None
    assert transcript.linear is not None
    recursion = run_recursion(case.rule, transcript.beta, transcript.linear, sizes.m, sizes.n, x)
    require(replay.base_bits == recursion.D[0], f"{replay.where}: the base fixes {replay.base_bits} bits, not D_1")
    require(
        steps[0].before << recursion.D[0] >= replay.inputs(1), f"{replay.where}: the first density is less than 2^-D"
    )
    for level_step in steps:
        where = f"{case.word}, theorem {case.theorem}, level {level_step.level}"
        require(
            level_step.good and level_step.cover >= recursion.theta[level_step.level],
            f"{where}: the draw is not a good one",
        )
        require(
            level_step.kept << recursion.D[level_step.level] >= level_step.inputs,
            f"{where}: the density is less than 2^-D",
        )
        said = recursion.D[level_step.level] - x[level_step.level] * recursion.D[level_step.level - 1] - 1
        if case.theorem == "A" and level_step.level == 1 and not case.letters.blocks[0]:
            said -= transcript.beta * sizes.queries * (x[0] - 1)
        yield Step(where, case.theorem, level_step, said)


@cache
def _require_forward_pass(transcripts: Transcripts) -> None:
    """One of the transcripts, from a run without memory, equals the forward pass in every message and stream."""
    instance = next(iter(transcripts.instances))
    plain = simulate(transcripts.model, token_ids(instance), Cut.of_task(transcripts.sizes), keep=True)
    require(plain.ok, "the simulator differs from the forward pass")
    said = transcripts.of(instance).transcript
    require(
        (plain.transcript.messages, plain.transcript.sums) == (said.messages, said.sums), "the players' memory is wrong"
    )


def ends_with_a_pair(replay: Replay) -> bool:
    """Two members of the last 𝒬 and a z of Z that asks where they differ; the model must say the same."""
    first, *others = replay.members
    for later in replay.later():
        for other in others:
            a, b = (replay.instance(tables, later) for tables in (first, other))
            if answer(a) != answer(b):
                pair = pair_of(replay.transcripts.model, a, np.array(first[0]), np.array(other[0]))
                require(pair.holds, f"{replay.where}: two inputs of the last 𝒬 are told apart")
                return True
    return False


# --- broken twins ---


def _without_soft(word: Word, here: Level, following: Level) -> list[Charge]:
    """The edge of layer 1 from z_0 to the query is dropped."""
    graph = fixed_graph(word, here, following)
    graph.remove_edge((0, 0), (-1, 1), ("soft", 1))
    return list(charges(word, here, following, graph))


def _without_states(word: Word, here: Level, following: Level) -> list[Charge]:
    """The edges of all states are dropped."""
    return list(charges(Word(tuple(letter for letter in word.layers if letter != "R")), here, following))


def _nobody_silenced(word: Word, here: Level, following: Level) -> list[Charge]:
    """What level ℓ makes constant is still in the graph."""
    return list(charges(word, here, following, message_graph(word, here.number, following.layers)))


def _one_layer_less(word: Word, here: Level, following: Level) -> list[Charge]:
    last = here.number, following.layers
    return [charge for charge in charges(word, here, following) if (charge.receiver, charge.layer) != last]


def _free_one_charged(word: Word, here: Level, following: Level) -> list[Charge]:
    """What the query heard in the first layer is constant from the second level on."""
    more = [Charge(-1, 1, frozenset({-1}))] if here.covers(-1, 1) else []
    return [*charges(word, here, following), *more]


STATEMENT = Statement(
    id="T.run",
    title="the induction of theorems A and B, run on small sets",
    latex=r"\#\{\text{messages to fix from }\ell\text{ to }\ell+1\}\cdot\text{bits}=D_{\ell+1}-x_\ell D_\ell-1",
    english="On real models with explicit sets, the messages that the graph charges are those that transcripts show, "
    "in number and in bits; with them fixed, level ℓ+1 holds; and the last level gives a pair.",
    subject=Accounting(),
    check=check,
    twins={
        "an edge of a soft message dropped": Accounting(_without_soft),
        "the edges of states dropped": Accounting(_without_states),
        "edges that level ℓ has silenced": Accounting(_nobody_silenced),
        "one layer less for player ℓ": Accounting(_one_layer_less),
        "a message charged that is constant": Accounting(_free_one_charged),
        "the states are not charged": Accounting(blocks=lambda _word, _following: 0),
        "the states of one block less": Accounting(blocks=linear_blocks),
    },
    hypotheses=(
        Hypothesis(
            "the theorem applies to the word: L−1 full layers (A), or L and no R before the second (B)",
            lambda case: (
                case.letters.full == case.sizes.L - (case.theorem == "A") and case.letters.depth < case.sizes.L
            ),
            outside=Case("B", "RF", Sizes(2, ()), (2,), 0, 1),
        ),
        Hypothesis(
            "each player has at least as many inputs as are kept",
            lambda case: all(len(case.pools[player]) >= kept for player, kept in enumerate(case.kept)),
            outside=Case("A", "RFR", TWO, (1, 5), 0, 1),
        ),
    ),
    witness=Case("A", "RFR", TWO, (3, 5), 0, 1),
    speaks_of=("D1", "D2"),
    rests_on=("L1", "L3"),
)
