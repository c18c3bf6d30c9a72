"""L7: what an indistinguishable decomposition hides: players below ℓ know nothing about those from ℓ up.

𝒬 is a set of inputs of the players ℓ..L, Z one of the others. Suppose that for each z ∈ Z the following are the same
for all of 𝒬: (i) the linear messages into player ℓ−1, blocks 0..ℓ−1; (ii) for i < ℓ and layers 1..ℓ−1 the sum over j ≥
ℓ of the soft messages into i. Then what player i < ℓ knows before full layer ℓ depends on z alone. Coq has it for every
list of layers; here random models with one full layer are run as players 2, 1, 0, −1, with weights so coarse that
different tables z_2 often send the same bits. Where they do, players 1, 0 and −1 end with equal streams; where only the
soft or only the linear messages agree, they do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.models import Model
from separation.protocol import Cut, Player, Protocol, RandomShape, random_model, seats
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, token_ids

SIZES, TABLES_KEPT = Sizes(2, (1,)), ((0, 1),)
"""All z_2, z_0 and w, and z_1 the identity."""
CASES = (("F", 5), ("RF", 5), ("FR", 1), ("[FR]", 11))
"""A word with one full layer, and the seed of a random model with P = 0, where messages often coincide."""


@dataclass(frozen=True)
class Fixed:
    """What is the same for all of 𝒬, given z."""

    linear: bool = True
    """(i): linear messages into player ℓ−1, blocks 0..ℓ−1."""
    soft: bool = True
    """(ii): soft messages into players i < ℓ, layers 1..ℓ−1."""


def check(fixed: Fixed) -> Checked:
    """Level 2 of L = 2: for each z_{<2} the tables z_2 with the same soft and linear messages leave the same streams.

    Players 2, 1, 0, −1 run a random model of a word with one full layer: that is F layer 1 and blocks 0 and 1. What
    player 2 says is recorded in bits; inputs with equal z_{<2} and equal records are compared in the exact streams of
    players 1, 0, −1. Some different tables must coincide, or nothing would be compared.
    """
    compared = 0
    for letters, seed in CASES:
        shape = RandomShape(Word.parse(letters), SIZES.length, vocabulary=SIZES.N[-1] + 1, answers=2)
        model = random_model(shape, seed, score_bits=0)
        streams: dict[tuple[object, ...], list[tuple[bytes, ...]]] = {}
        for instance in enumerate_inputs(SIZES):
            if tuple(instance.tables[0]) in TABLES_KEPT:
                said, found = _played(model, instance, fixed)
                streams.setdefault((instance.tables[0], instance.z0, instance.w, said), []).append(found)
        for alike in streams.values():
            require(len(set(alike)) == 1, f"{letters}, seed {seed}: equal messages, different streams")
            compared += len(alike) - 1
    require(compared > 0, "no two inputs have the same messages")
    scope = f"{len(CASES)} random models, {compared} inputs whose messages equal another's"
    return Checked(Status.TESTED, "`layers_step` in Coq; messages and streams of the simulator, bit for bit", scope)


def _played(model: Model, instance: Instance, fixed: Fixed) -> tuple[tuple[object, ...], tuple[bytes, ...]]:
    """(what player 2 says that is held constant, the streams of players 1, 0, −1 at the end)."""
    cut = Cut.of([*reversed(SIZES.N), 1, 1])
    protocol = Protocol(seats(model, np.atleast_2d(token_ids(instance)), cut, Player), cut, keep=True)
    for _ in protocol.run():
        pass
    kinds = {kind for kind, constant in (("soft", fixed.soft), ("linear", fixed.linear)) if constant}
    said = tuple(
        (message.layer, message.kind, message.receiver, message.content)
        for message in protocol.messages
        if message.sender == cut.names[0] and message.kind in kinds
    )
    return said, tuple(player.stream.values.tobytes() for player in protocol.players[1:])


STATEMENT = Statement(
    id="L7",
    title="what an indistinguishable decomposition hides",
    latex=r"(i),(ii)\ \text{constant on}\ \mathcal Q\ \Rightarrow\ X_i^{(\ell-1)}\ \text{depends on}\ z_{<\ell}\ "
    r"\text{only},\ i<\ell",
    english="If the linear messages into player ℓ−1 and the summed soft messages into all i < ℓ are the same on 𝒬, "
    "the players below ℓ know nothing that tells 𝒬's members apart.",
    subject=Fixed(),
    check=check,
    twins={"linear messages not fixed": Fixed(linear=False), "soft messages not fixed": Fixed(soft=False)},
    speaks_of=("D1", "D2"),
    hypotheses=(
        Hypothesis("(i) the linear messages are constant", lambda held: held.linear, outside=Fixed(linear=False)),
        Hypothesis(
            "(ii) the soft messages of layers 1..ℓ−1 into all players below ℓ are constant",
            lambda held: held.soft,
            outside=Fixed(soft=False),
        ),
    ),
    witness=Fixed(),
)
