"""M2: the simulation lemma: a model in exact arithmetic, run as players who hear sums and states, is the forward pass.

Players own consecutive tokens. In a full layer every player hears one message: the sum, over all players before it, of
their partial numerators and denominators for its tokens. In a recurrent layer it receives the states before its first
token. Sums of integers over disjoint groups of tokens add up, and the whole is rounded once; a scan over A·B is the
scan over B from the state after A, for any step; everything else is done token by token. Coq has it for every model of
F, R and [FR] layers (`M2_exact`): it is a model of the theorems, with the same word and answers, messages of M1's bits
and states of the bits counted; so the theorems hold for it. Here the simulator's code, run as players on random models
of F, R and [FR] layers and random cuts, equals the forward pass in every stream and in the logits, and its messages
have the bits of Coq's formula. How it is run and counted, and which false players are caught:
[protocol.md](protocol.md).

It needs exact sums (in float16, (2048 + 1) + 1 = 2048 and 2048 + (1 + 1) = 2050), one rounding, a shift that does not
depend on the input (with the largest score as the shift, parts have different scales), and attention to earlier tokens
only.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np

from constructions import build
from proofs_checks.kit.coq.comparison import IN_COQ, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.hypotheses import is_full_or_recurrent
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import words_up_to
from separation.bounds import Word, ceil_log2
from separation.protocol import FAMILIES, Cut, RandomShape, random_model, simulate
from separation.tasks.two_sum import TwoSumSizes

WORDS = (*words_up_to(3), *map(Word.parse, ("[FR]", "R[FR]F")))
TOKENS, VOCABULARY, ANSWERS = 5, 6, 5
BITS = "=> H * (d * (P + p + k + 1) + (P + k))"


def check(text: CoqText) -> Checked:
    for number, word in enumerate(WORDS):
        family = list(FAMILIES)[number % len(FAMILIES)]
        rng = Random(number)
        model = random_model(RandomShape(word, TOKENS, VOCABULARY, ANSWERS, family=family), number)
        ids = np.array([rng.randrange(VOCABULARY) for _ in range(TOKENS)])
        # At least three players, so that some hear more than one sender.
        ends = [0, *sorted(rng.sample(range(1, TOKENS), rng.randint(2, TOKENS - 1))), TOKENS]
        cut = Cut.of([stop - start for start, stop in pairwise(ends)])
        found, where = simulate(model, ids, cut), f"{word}, {family}, cut {cut.lengths}"
        require(found.ok, f"{where}: differs from the forward pass after layer {found.differs}")
        require(found.transcript.agrees is True, f"{where}: messages or states of other bits than the calculator's")
        for layer, bits in found.transcript.betas.items():
            (d,) = {head.w_v.shape[0] for head in found.transcript.public.full_heads(layer)}
            heads = {"H": len(found.transcript.public.full_heads(layer)), "d": d}
            precision = {"P": model.precision.score_bits, "p": model.precision.bits, "k": ceil_log2(TOKENS)}
            coq = text.term("soft_bits", r"Attention H d P p [_ ]*=> (.*?)\n", **heads, **precision)
            require(bits == coq, f"{where}: a message of layer {layer} has {bits} bits a token, {coq} in Coq")
    return Checked(
        Status.TESTED,
        "M2_exact in Coq; the simulator's streams and logits against the forward pass, its bits against Coq's",
        f"a random model of each of {len(WORDS)} words, {len(FAMILIES)} families in turn, random cuts",
    )


STATEMENT = Statement(
    id="M2",
    title="the simulation lemma for F, R and [FR]",
    latex=r"X_i^{(t)}=g\bigl(z_i,\ \textstyle\sum_{j>i}\Pi_{j,i}^{(1..t)},\ \text{states into }i\bigr)=g'(z_{\ge i})",
    english="A model in exact arithmetic is one of the theorems, with the same answers: one sum of β bits for each "
    "token in each full layer and one state in each recurrent layer tell a player all that it hears of earlier tokens.",
    subject=IN_COQ,
    check=check,
    twins={
        "no bit for the sign": altered(BITS, BITS.replace("k + 1", "k")),
        "the sum of the weights is not sent": altered(BITS, BITS.replace(" + (P + k)", "")),
        "the players' heads share a message": altered(BITS, BITS.replace("H * (", "(")),
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
