"""M2: the simulation lemma: a model in exact arithmetic, run as players who hear sums and states, is the forward pass.

Players own consecutive tokens. In a full layer every player hears one message: the sum, over all players before it, of
their partial numerators and denominators for its tokens. In a recurrent layer it receives the states before its first
token. Sums of integers over disjoint groups of tokens add up, and the whole is rounded once; a scan over A·B is the
scan over B from the state after A, for any step; everything else is done token by token. Coq has it for every model of
F, R and [FR] layers (`M2_exact`): it is a model of the theorems, with the same word and answers, messages of M1's bits
and states of the bits counted; so the theorems hold for it. Here the simulator's code, run as players on random models
of F, R and [FR] layers and random cuts, equals the forward pass in every stream and in the logits; its messages have
the bits of the formulas; and each player, placed among others with other tokens and given the same messages, does the
same. How it is run and counted: [protocol.md](protocol.md).

It needs exact sums (in float16, (2048 + 1) + 1 = 2048 and 2048 + (1 + 1) = 2050), one rounding, a shift that does not
depend on the input (with the largest score as the shift, parts have different scales), and attention to earlier tokens
only.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from constructions import build
from proofs_checks.kit.hypotheses import is_full_or_recurrent
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import words_up_to
from separation.bounds import Word, ceil_log2
from separation.models import FullAttention, Scaled, Sums, streams
from separation.protocol import (
    FAMILIES,
    Cut,
    Player,
    Protocol,
    Public,
    RandomShape,
    SumCode,
    faults,
    random_model,
    sum_row,
)
from separation.tasks.two_sum import TwoSumSizes

Subject = tuple[type[Player], type[Protocol]]
WORDS = (*words_up_to(3), *map(Word.parse, ("[FR]", "R[FR]F")))
TOKENS, VOCABULARY, ANSWERS = 5, 6, 5


class DropsASender(Protocol):
    """Broken: forgets every sender but the first."""

    def added(self, totals: list[Sums], parts: list[Sums], first: int) -> list[Sums]:  # noqa: ARG002
        return totals


class RoundsForEachSender(Player):
    """Broken: sends ⌊numerator / total⌋ · total, a quotient rounded before the sums are added up."""

    def _partial(self, attention: FullAttention, query: Scaled) -> Sums:
        sums = super()._partial(attention, query)
        return Sums(sums.quotient().values * sums.totals[..., None], sums.totals)


class HandsOnTooEarly(Player):
    """Broken: hands on the states before its last token."""

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        new, handed = super().hear(layer, soft, linear)
        if handed is None or soft is not None:
            return new, handed
        if self.tokens == 1:
            return new, linear if linear is not None else bytes(len(handed))
        short = replace(self, ids=self.ids[:, :-1], stream=self.stream.tokens(0, self.tokens - 1))
        return new, Player.hear(short, layer, soft, linear)[1]


class ReadsEverybody(Player):
    """Broken, though every output is right: it looks up the prompt on a board that all players write to."""

    board: ClassVar[dict[int, NDArray[np.int64]]] = {}

    @classmethod
    def seated(cls, public: Public, name: str, first: int, ids: NDArray[np.int64]) -> Self:
        if first == 0:
            cls.board.clear()
        cls.board[first] = np.array(ids)
        return super().seated(public, name, first, ids)

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        new, handed = super().hear(layer, soft, linear)
        whole = np.concatenate([ids for _, ids in sorted(self.board.items())])
        stream = [stream for _, stream in zip(range(layer + 1), streams(self.public.model, whole), strict=False)][-1]
        return replace(new, stream=stream.tokens(self.first, self.first + self.tokens)), handed


class WiderPublic(Public):
    """Leaves one bit too many for every sum."""

    def sum_code(self, number: int) -> SumCode:
        code = super().sum_code(number)
        row = sum_row(code.dims, self.model.precision, ceil_log2(self.tokens) + 1)
        return replace(code, row=row) if self.on_grid else code


class SendsTooMuch(Player):
    """Broken: its messages could hold more than the sums."""

    @classmethod
    def seated(cls, public: Public, name: str, first: int, ids: NDArray[np.int64]) -> Self:
        return super().seated(WiderPublic(public.model, public.tokens), name, first, ids)


def check(subject: Subject) -> Checked:
    player, protocol = subject
    for number, word in enumerate(WORDS):
        family = list(FAMILIES)[number % len(FAMILIES)]
        rng = Random(number)
        model = random_model(RandomShape(word, TOKENS, VOCABULARY, ANSWERS, family=family), number)
        ids = np.array([rng.randrange(VOCABULARY) for _ in range(TOKENS)])
        cut = _cut(rng)
        found = faults(model, ids, cut, player, protocol)
        require(not found, f"{word}, {family}, cut {cut.lengths}: {'; '.join(found)}")
    return Checked(
        Status.TESTED,
        "M2_exact in Coq; the simulator's streams and logits against the forward pass; bits "
        "counted; each player again among other inputs",
        f"a random model of each of {len(WORDS)} words, {len(FAMILIES)} families in turn, random cuts",
    )


def _cut(rng: Random) -> Cut:
    """At least three players, so that some hear more than one sender."""
    ends = [0, *sorted(rng.sample(range(1, TOKENS), rng.randint(2, TOKENS - 1))), TOKENS]
    return Cut.of([stop - start for start, stop in pairwise(ends)])


STATEMENT = Statement(
    id="M2",
    title="the simulation lemma for F, R and [FR]",
    latex=r"X_i^{(t)}=g\bigl(z_i,\ \textstyle\sum_{j>i}\Pi_{j,i}^{(1..t)},\ \text{states into }i\bigr)=g'(z_{\ge i})",
    english="A model in exact arithmetic is one of the theorems, with the same answers: one sum of β bits for each "
    "token in each full layer and one state in each recurrent layer tell a player all that it hears of earlier tokens.",
    subject=(Player, Protocol),
    check=check,
    twins={
        "a sender is dropped": (Player, DropsASender),
        "rounded for each sender": (RoundsForEachSender, Protocol),
        "the state before the last token": (HandsOnTooEarly, Protocol),
        "a player reads everybody's tokens": (ReadsEverybody, Protocol),
        "longer messages": (SendsTooMuch, Protocol),
    },
    applies_to=("D2",),
    rests_on=("M1",),
    hypotheses=(
        Hypothesis("tokens hear earlier ones alone", lambda built: build(*built).model.causal, outside=("C4", 2)),
        Hypothesis(
            "layers are F, R or [FR]",
            lambda built: is_full_or_recurrent(build(*built).model),
            outside=("C7", TwoSumSizes(4, 5)),
        ),
    ),
    witness=("C2", 2),
)
