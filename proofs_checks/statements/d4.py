"""D4: a block-sparse layer reads summaries of earlier blocks, tokens of the opened ones, its own block so far.

Tokens are grouped in blocks of B. Each block before the query's own has a summary key and a summary value for each
head, linear maps of its keys and values. A query scores the summary keys, opens the k blocks that score highest (the
earlier one in a tie) and attends, in one softmax, to all summaries, to the tokens of the opened blocks and to those of
its own block up to itself. In theorem D, k counts the blocks opened by all heads together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import ExactMatrix, IntegerArray, Precision, attention_weights
from separation.models import Layer, Model, SparseHead, Stored, Stream, run

View = Callable[[int, int, Sequence[int]], tuple[list[int], list[int]]]
"""(token i, B, opened blocks) ↦ (blocks whose summaries are read, tokens that are read)."""
TOKENS, VOCABULARY, DIM, PRECISION = 7, 4, 2, Precision(96, 40, 4)
BLOCKS, OPENED = (1, 2, 3), (0, 1, 2)


def by_definition(i: int, block: int, opened: Sequence[int]) -> tuple[list[int], list[int]]:
    own = i // block
    tokens = [b * block + step for b in opened for step in range(block)]
    return list(range(own)), [*tokens, *range(own * block, i + 1)]


def check(view: View) -> Checked:
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


STATEMENT = Statement(
    id="D4",
    title="block-sparse attention",
    latex=r"\text{token}\ i\ \text{reads the summaries of blocks}\ b<\lfloor i/B\rfloor,\ \text{the tokens of}\ k\ "
    r"\text{opened ones, and}\ \lfloor i/B\rfloor B..i",
    english="One softmax over the summaries of all earlier blocks, the tokens of the k blocks that score highest, and "
    "the tokens so far of the query's own block.",
    subject=by_definition,
    check=check,
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
