"""What players hear: a message of β bits (M1), from which a run is the forward pass (M2)."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np

from constructions import build
from proofs_checks.kit.coq.comparison import IN_COQ, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.hypotheses import is_full_or_recurrent
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import words_up_to
from separation.bounds import Message, Word, ceil_log2
from separation.protocol import FAMILIES, Cut, RandomShape, random_model, simulate
from separation.tasks.two_sum import TwoSumSizes

CASES = 200
BITS = "2 ^ (H * (d * (P + p + k + 1) + (P + k)))"


class Heard(NamedTuple):
    """n, P and p, and what other players' tokens send: a weight and a value each."""

    tokens: int
    score_bits: int
    bits: int
    weights: tuple[int, ...]
    values: tuple[int, ...]


def check(text: CoqText) -> Checked:
    """The calculator's β is the exponent of `M1_softmax`; every pair of sums at the largest weights and values fits."""
    rng = Random(1)
    for _ in range(CASES):
        H, d, P, p, n = (rng.randint(*ends) for ends in ((1, 8), (1, 8), (0, 6), (1, 6), (1, 300)))
        k = ceil_log2(n)
        coq = text.term("M1_softmax", r"sums l = 2 \^ \((.*?)\), states l", H=H, d=d, P=P, p=p, k=k)
        where, beta = f"H, d, P, p, n = {H}, {d}, {P}, {p}, {n}", Message(H, d, bits=p, score_bits=P).beta(k)
        require(coq == beta, f"{where}: β is {beta} in the calculator, {coq} in Coq")
        values = (2 * (n - 1) * 2 ** (P + p) + 1) ** (H * d) * ((n - 1) * 2**P + 1) ** H
        require(values <= 2**coq, f"{where}: {values} sums do not fit into {coq} bits")
        a = -(-P // p)
        in_regime = k > p or H * d * p <= coq <= (a + 2) * 2 * H * d * p
        require(in_regime, f"{where}: β = {coq} is not H·d·p up to the constant")
    return Checked(
        Status.TESTED,
        "M1_softmax in Coq; its bits, read from the Coq files, against the calculator's",
        f"{CASES} cases",
    )


WITNESS = Heard(4, score_bits=3, bits=2, weights=(8, 0, 8), values=(4, 1, -4))

MESSAGE = Statement(
    id="M1",
    title="a soft message has β bits",
    latex=r"\beta=H\bigl(d\,(P+p+\lceil\log_2 n\rceil+1)+P+\lceil\log_2 n\rceil\bigr),\quad "
    r"Hdp\le\beta\le(a+2)\,2Hdp\ \text{if}\ P\le ap,\ \lceil\log_2n\rceil\le p",
    english="All earlier tokens together, or any group of them, tell one token of a full layer one of 2^β things.",
    explanation="""
A weight is at most 2^P, a value at most 2^p in absolute value, and there are at most n−1 earlier tokens. A numerator
summed over them is one of 2(n−1)·2^{P+p} + 1 integers, a denominator one of (n−1)·2^P + 1. So H heads of value
dimension d bring at most β = H·(d·(P+p+⌈log2 n⌉+1) + P+⌈log2 n⌉) bits. The sum over any group of senders has at most
n − 1 terms as well, so a player hears one sum of β bits for each of its tokens, however many senders there are. CPW
write 2·H·d·p: with P ≤ a·p and ⌈log2 n⌉ ≤ p, H·d·p ≤ β ≤ (a+2)·2·H·d·p.
""",
    subject=IN_COQ,
    check=check,
    twins={
        "no bit for the sign": altered(BITS, BITS.replace("k + 1", "k")),
        "the length of the sum forgotten": altered(BITS, BITS.replace("(P + k)", "P")),
        "one head": altered(BITS, BITS.replace("H * (", "1 * (")),
    },
    hypotheses=(
        Hypothesis(
            "other players have at most n−1 tokens",
            lambda heard: len(heard.weights) == len(heard.values) <= heard.tokens - 1,
            WITNESS._replace(weights=(8, 8, 8, 8), values=(4, 4, 4, 4)),
        ),
        Hypothesis(
            "weights are integers from 0 to 2^P",
            lambda heard: all(weight in range((1 << heard.score_bits) + 1) for weight in heard.weights),
            WITNESS._replace(weights=(9, 0, 8)),
        ),
        Hypothesis(
            "values are integers of absolute value at most 2^p",
            lambda heard: all(abs(value) in range((1 << heard.bits) + 1) for value in heard.values),
            WITNESS._replace(values=(4, 1, -5)),
        ),
    ),
    witness=WITNESS,
    applies_to=("D2",),
)

WORDS = (*words_up_to(3), *map(Word.parse, ("[FR]", "R[FR]F")))
TOKENS, VOCABULARY, ANSWERS = 5, 6, 5
SOFT_BITS = "=> H * (d * (P + p + k + 1) + (P + k))"


def check_players(text: CoqText) -> Checked:
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
            dims = found.transcript.public.value_dims(layer)
            (d,) = set(dims)
            heads = {"H": len(dims), "d": d}
            precision = {"P": model.precision.score_bits, "p": model.precision.bits, "k": ceil_log2(TOKENS)}
            coq = text.term("soft_bits", r"Attention H d P p [_ ]*=> (.*?)\n", **heads, **precision)
            require(bits == coq, f"{where}: a message of layer {layer} has {bits} bits a token, {coq} in Coq")
    return Checked(
        Status.TESTED,
        "M2_exact in Coq; the simulator's streams and logits against the forward pass, its bits against Coq's",
        f"a random model of each of {len(WORDS)} words, {len(FAMILIES)} families in turn, random cuts",
    )


SIMULATION = Statement(
    id="M2",
    title="the simulation lemma for F, R and [FR]",
    latex=r"X_i^{(t)}=g\bigl(z_i,\ \textstyle\sum_{j>i}\Pi_{j,i}^{(1..t)},\ \text{states into }i\bigr)=g'(z_{\ge i})",
    english="A model in exact arithmetic is one of the theorems, with the same answers: one sum of β bits for each "
    "token in each full layer and one state in each recurrent layer tell a player all that it hears of earlier tokens.",
    explanation="""
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
""",
    subject=IN_COQ,
    check=check_players,
    twins={
        "no bit for the sign": altered(SOFT_BITS, SOFT_BITS.replace("k + 1", "k")),
        "the sum of the weights is not sent": altered(SOFT_BITS, SOFT_BITS.replace(" + (P + k)", "")),
        "the players' heads share a message": altered(SOFT_BITS, SOFT_BITS.replace("H * (", "(")),
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

STATEMENTS = (MESSAGE, SIMULATION)
