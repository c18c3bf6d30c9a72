"""Attention: exact weights (D2), and block-sparse layers (D4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import (
    ExactMatrix,
    IntegerArray,
    Precision,
    PrecisionOverflow,
    attention_weights,
    ball,
    floor_scaled_exp,
    log_ball,
)
from separation.models import Layer, Model, SparseHead, Stored, Stream, run

Weights = Callable[[IntegerArray, int, Fraction, int], IntegerArray]
POWERS = (0, 1, 8, 24, 40, 64)
DENOMINATORS = (1, 64, 3)


class Scored(NamedTuple):
    """Scores over a common denominator, the shift, and P."""

    scores: tuple[int, ...]
    denominator: int
    shift: Fraction
    power: int


def is_below_the_shift(scored: Scored, weights: Weights = attention_weights) -> bool:
    """No score is above the shift: the weights are given, not refused."""
    try:
        weights(np.array(scored.scores), scored.denominator, scored.shift, max(0, scored.power))
    except PrecisionOverflow:
        return False
    return True


def is_precision(scored: Scored) -> bool:
    try:
        Precision(scored.power, 0, 0)
    except ValueError:
        return False
    return True


def by_nearest_integer(scores: IntegerArray, denominator: int, shift: Fraction, power: int) -> IntegerArray:
    """Broken: rounds to nearest."""
    return np.rint(np.exp(scores / denominator - float(shift)) * 2.0**power).astype(object)


def without_shift(scores: IntegerArray, denominator: int, shift: Fraction, power: int) -> IntegerArray:  # noqa: ARG001
    """Broken: forgets the shift."""
    return attention_weights(scores, denominator, Fraction(0), power)


def above_the_shift(scores: IntegerArray, denominator: int, shift: Fraction, power: int) -> IntegerArray:
    """Broken: a score above the shift gets a weight above 2^P, and is not refused."""
    floors = [floor_scaled_exp(power, Fraction(int(score), denominator) - shift) for score in scores]
    return np.array(floors, dtype=object)


def check(weights: Weights) -> Checked:
    """w ≤ 2^P e^x < w + 1, tested through logarithms: log(w / 2^P) ≤ x < log((w+1) / 2^P), in balls.

    No weight exceeds 2^P: a score above the shift is refused.
    """
    count = 0
    for power in POWERS:
        for denominator in DENOMINATORS:
            scores = -(np.arange(40) ** 2)
            for score, weight in zip(scores, weights(scores, denominator, Fraction(1, 2), power), strict=True):
                x = ball(Fraction(int(score), denominator) - Fraction(1, 2))
                above = log_ball(Fraction(int(weight) + 1, 2**power))
                require(bool(x < above), f"weight {weight} is too small for score {score}/{denominator}, P = {power}")
                if weight:
                    below = log_ball(Fraction(int(weight), 2**power))
                    require(
                        bool(below <= x), f"weight {weight} is too large for score {score}/{denominator}, P = {power}"
                    )
                count += 1
            too_high = Scored((0, denominator // 2 + 1), denominator, Fraction(1, 2), power)
            require(not is_below_the_shift(too_high, weights), f"a score above the shift is accepted, P = {power}")
    return Checked(Status.TESTED, "logarithms of both neighbours in Arb", f"{count} scores, P up to {max(POWERS)}")


WITNESS = Scored((-3, 0, 1), 2, Fraction(1, 2), 8)

WEIGHTS = Statement(
    id="D2",
    title="exact attention weights",
    latex=r"e(q,k)=\lfloor 2^P\exp(q\cdot k-c)\rfloor\in\{0,\dots,2^P\}",
    english="Every weight is the floor of the scaled exponential, whatever P is.",
    explanation="""
Attention weights are the integers e(q, k) = ⌊2^P·exp(q·k − c)⌋ ∈ {0, …, 2^P}, where the shift c is fixed for each
head, never taken from the input, and at least every score. Activations are multiples of 2^-f of absolute value at most
2^(p-f): p bits and a sign. Numerators and denominators of attention are integer sums, so the order of summation does
not matter; only their quotient is rounded, down to a multiple of 2^-f; 0/0 = 0. An activation that needs more than p
bits, or a score above c, is an error; nothing wraps around.

Linear maps are exact. If all weights are integers (as in C1) every activation is a multiple of 2^-f on its own.
Weights may be rational: the maps are then exact over ℚ, activations are within the same range, but they may lie
between multiples of 2^-f, and the model is not a p-bit model in the sense of communication bounds. A certificate says
which of the two it is (`integral`).

The other layers obey the same rules. A recurrent layer R has a state that is read after the token's own step: linear
attention S = Σ φ_k vᵀ with features φ = relu(W x + b), read as φ_qᵀS divided by φ_qᵀΣφ_k (the quotient is rounded
down) or not divided at all (nothing is rounded); the gated delta rule S ← α(S − β k kᵀS) + β k vᵀ, read as Sᵀq,
unrounded. Entries of the state are activations too. Where a state is counted in bits, an entry counts ⌈log2 of the
number of multiples of its grid within its proved range⌉. A block-sparse layer S attends, in one softmax a head, to
linear summaries of earlier blocks, to the tokens of the opened ones and to its own block.
""",
    subject=attention_weights,
    check=check,
    twins={
        "rounded to nearest": by_nearest_integer,
        "shift forgotten": without_shift,
        "a score above the shift is accepted": above_the_shift,
    },
    hypotheses=(
        Hypothesis("the shift c is at least every score", is_below_the_shift, WITNESS._replace(scores=(-3, 0, 2))),
        Hypothesis("P is an integer ≥ 0", is_precision, WITNESS._replace(power=-1)),
    ),
    witness=WITNESS,
)

View = Callable[[int, int, Sequence[int]], tuple[list[int], list[int]]]
"""(token i, B, opened blocks) ↦ (blocks whose summaries are read, tokens that are read)."""
TOKENS, VOCABULARY, DIM, PRECISION = 7, 4, 2, Precision(96, 40, 4)
BLOCKS, OPENED = (1, 2, 3), (0, 1, 2)


def by_definition(i: int, block: int, opened: Sequence[int]) -> tuple[list[int], list[int]]:
    own = i // block
    tokens = [b * block + step for b in opened for step in range(block)]
    return list(range(own)), [*tokens, *range(own * block, i + 1)]


def check_sparse(view: View) -> Checked:
    """Random heads, blocks of 1 to 3 tokens, 0 to 2 opened: the project's layer against the definition, token by token.

    A block before the own one has a summary key and value, linear maps of its keys and values. A query scores the
    summary keys, opens the k blocks that score highest (of equals the earlier), and attends in one softmax to all
    summaries, the tokens of the opened blocks and those of its own block up to itself; weights are floors, the
    quotient is rounded down.
    """
    rng, count = Random(0), 0
    for block, opened, _ in product(BLOCKS, OPENED, range(2)):
        head = _random_head(rng, block, opened)
        rows = [[rng.choice((-1, 0, 1)) for _ in range(DIM)] for _ in range(VOCABULARY)]
        ids = [rng.randrange(VOCABULARY) for _ in range(TOKENS)]
        found = _project(head, rows, ids)
        for i in range(TOKENS):
            expected = _naive(view, head, np.array(rows)[ids], i)
            require(found[i] == expected, f"B = {block}, k = {opened}, token {i}: {found[i]}, by definition {expected}")
            count += 1
    return Checked(
        Status.TESTED,
        "an independent implementation of the definition, random heads",
        f"{count} outputs, B up to 3, k up to 2",
    )


def _naive(view: View, head: SparseHead, stream: IntegerArray, i: int) -> list[Fraction]:
    block = head.block
    query, keys, values = (
        part @ matrix.numerators[:, :DIM].T
        for part, matrix in ((stream[i], head.w_q), (stream, head.w_k), (stream, head.w_v))
    )
    whole = [slice(b * block, (b + 1) * block) for b in range(len(stream) // block)]
    summaries = [(head.c_k.numerators @ keys[b].ravel(), head.c_v.numerators @ values[b].ravel()) for b in whole]
    opened = sorted(range(i // block), key=lambda b: (-(query @ summaries[b][0]), b))[: head.opened]
    shown, tokens = view(i, block, opened)
    read = [summaries[b] for b in shown if b < len(summaries)] + [(keys[j], values[j]) for j in tokens if j < len(keys)]
    weights = attention_weights(np.array([query @ key for key, _ in read]), 1, head.shift, PRECISION.score_bits)
    total, unit = weights.sum(), 1 << PRECISION.fraction_bits
    sums = weights @ np.array([value for _, value in read], dtype=object)
    return [Fraction(unit * above // total if total else 0, unit) for above in sums]


def _project(head: SparseHead, rows: list[list[int]], ids: list[int]) -> list[list[Fraction]]:
    """The layer's outputs, read off a stream whose second half it alone writes."""
    width = 2 * DIM
    model = Model(
        stream=Stream([("token", DIM), ("out", DIM)]),
        positions=Stored(ExactMatrix.zeros(TOKENS, width)),
        tokens=Stored(ExactMatrix.from_rows([[*row, *([0] * DIM)] for row in rows])),
        layers=(Layer((head,), ()),),
        unembedding=Stored(ExactMatrix.from_entries((DIM, width), [(c, DIM + c, 1) for c in range(DIM)])),
        precision=PRECISION,
    )
    found = run(model, np.array(ids), every_row=True)
    return [[Fraction(int(logit), found.denominator) for logit in row] for row in found.logits[0]]


def _random_head(rng: Random, block: int, opened: int) -> SparseHead:
    """Maps with entries −1, 0, 1; the shift is above every score: |q|, |k| ≤ DIM each, a summary sums B·DIM of them."""

    def matrix(height: int, columns: int) -> ExactMatrix:
        return ExactMatrix.from_rows([[rng.choice((-1, 0, 1)) for _ in range(columns)] for _ in range(height)])

    def reader() -> ExactMatrix:
        return matrix(DIM, DIM).hstack(ExactMatrix.zeros(DIM, DIM))

    write = ExactMatrix.from_entries((2 * DIM, DIM), [(DIM + c, c, 1) for c in range(DIM)])
    c_k, c_v = (matrix(DIM, block * DIM) for _ in range(2))
    shift = Fraction(DIM * DIM * DIM * block * DIM)
    return SparseHead(reader(), reader(), reader(), c_k, c_v, write, shift, block, opened)


SPARSE = Statement(
    id="D4",
    title="block-sparse attention",
    latex=r"\text{token}\ i\ \text{reads the summaries of blocks}\ b<\lfloor i/B\rfloor,\ \text{the tokens of}\ k\ "
    r"\text{opened ones, and}\ \lfloor i/B\rfloor B..i",
    english="One softmax over the summaries of all earlier blocks, the tokens of the k blocks that score highest, and "
    "the tokens so far of the query's own block.",
    explanation="""
Tokens are grouped in blocks of B. Each block before the query's own has a summary key and a summary value for each
head, linear maps of its keys and values. A query scores the summary keys, opens the k blocks that score highest (the
earlier one in a tie) and attends, in one softmax, to all summaries, to the tokens of the opened blocks and to those of
its own block up to itself. In theorem D, k counts the blocks opened by all heads together.
""",
    subject=by_definition,
    check=check_sparse,
    twins={
        "the own block to its end": lambda i, B, opened: (
            by_definition(i, B, opened)[0],
            by_definition(i // B * B + B - 1, B, opened)[1],
        ),
        "an opened block loses its summary": lambda i, B, opened: (
            [b for b in range(i // B) if b not in opened],
            by_definition(i, B, opened)[1],
        ),
        "summaries of the opened blocks only": lambda i, B, opened: (list(opened), by_definition(i, B, opened)[1]),
    },
    applies_to=("D2",),
    hypotheses=(
        Hypothesis("a block has at least one token", lambda held: held[0] >= 1, outside=(0, 1)),
        Hypothesis("k ≥ 0 blocks are opened", lambda held: held[1] >= 0, outside=(2, -1)),
    ),
    witness=(2, 1),
)
"""The witness: B and k."""

STATEMENTS = (WEIGHTS, SPARSE)
