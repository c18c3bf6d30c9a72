"""M1.code: sums are written in exactly β bits per token, and the largest need all of them.

For n ≥ 2 also n−1 ≥ 2^(k−1), k = ⌈log2 n⌉, so the largest sums need every one of these bits. The simulator writes
every message in exactly that many bits and goes on from what it reads back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import Precision, PrecisionOverflow
from separation.bounds import Message, ceil_log2
from separation.models import Sums
from separation.protocol import Field, SumCode

Coder = Callable[[tuple[int, ...], Precision, int], SumCode]
"""How sums are written: the value dimensions of the heads, the precision, the tokens."""
MOST_TOKENS = 257
PRECISIONS = (Precision(0, 1, 0), Precision(8, 8, 3), Precision(40, 31, 0))
DIMS = (2, 1)


class Written(NamedTuple):
    """n, and P, p and f."""

    tokens: int
    precision: Precision


def by_the_formula(dims: tuple[int, ...], precision: Precision, tokens: int) -> SumCode:
    return SumCode(dims, precision, ceil_log2(tokens))


def without_the_sign(dims: tuple[int, ...], precision: Precision, tokens: int) -> SumCode:
    """Broken: numerators in P + p + k bits, as if they had no sign."""
    return by_the_formula(dims, Precision(precision.score_bits, precision.bits - 1, 0), tokens)


def of_the_floor(dims: tuple[int, ...], precision: Precision, tokens: int) -> SumCode:
    """A false neighbour: ⌊log2(n−1)⌋ in place of ⌈log2 n⌉."""
    return SumCode(dims, precision, (tokens - 1).bit_length() - 1)


def one_bit_more(dims: tuple[int, ...], precision: Precision, tokens: int) -> SumCode:
    """Broken: fields for twice as many tokens."""
    return SumCode(dims, precision, ceil_log2(tokens) + 1)


def check(coder: Coder) -> Checked:
    for precision in PRECISIONS:
        for tokens in range(2, MOST_TOKENS + 1):
            where = f"n = {tokens}, P = {precision.score_bits}, p = {precision.bits}"
            code = coder(DIMS, precision, tokens)
            total = (tokens - 1) << precision.score_bits
            for sign in (-1, 1):
                _require_exact(code, sign * total << precision.bits, total, where)
            for field, most in zip(code.row.fields, (total << precision.bits, total), strict=True):
                narrower = Field(1, field.width - 1, field.signed)
                require(not _fits(narrower, most), f"{where}: one bit less would be enough")
            beta = sum(Message(1, d, precision.bits, precision.score_bits).beta(ceil_log2(tokens)) for d in DIMS)
            require(code.row.bits == beta, f"{where}: {code.row.bits} bits, β is {beta}")
    return Checked(
        Status.EXHAUSTIVE,
        "the largest sums, written in bits and read back; one bit less refused",
        f"every n from 2 to {MOST_TOKENS}, {len(PRECISIONS)} precisions",
    )


def _require_exact(code: SumCode, numerator: int, total: int, where: str) -> None:
    totals = np.full((1, 1), total, dtype=object)
    parts = [Sums(np.full((1, 1, d), numerator, dtype=object), totals) for d in code.dims]
    try:
        messages = code.encode(parts, [0, 1])
    except PrecisionOverflow as error:
        require(False, f"{where}: {error}")
    for found, part in zip(code.decode(messages, [0, 1]), parts, strict=True):
        same = (found.numerators == part.numerators).all() and (found.totals == part.totals).all()
        require(bool(same), f"{where}: the sums are not read back")


def _fits(field: Field, value: int) -> bool:
    try:
        field.require_fit(np.array([value], dtype=object))
    except PrecisionOverflow:
        return False
    return True


STATEMENT = Statement(
    id="M1.code",
    title="messages written in β bits, n up to 257",
    latex=r"k=\lceil\log_2 n\rceil:\quad 2(n{-}1)2^{P+p}+1\in(2^{P+p+k},2^{P+p+k+1}],"
    r"\quad (n{-}1)2^{P}+1\in(2^{P+k-1},2^{P+k}]",
    english="The sums of any group of other tokens, at most n − 1 of them, fit in β bits per token; the largest ones "
    "do not fit in a field that is one bit narrower.",
    subject=by_the_formula,
    check=check,
    twins={"no sign": without_the_sign, "⌊log2(n−1)⌋": of_the_floor, "one bit more": one_bit_more},
    speaks_of=("D2",),
    rests_on=("M1",),
    hypotheses=(
        # With one token there is nothing to hear, and no bit is needed.
        Hypothesis("n ≥ 2", lambda written: written.tokens >= 2, Written(1, PRECISIONS[1])),
        Hypothesis(
            f"n ≤ {MOST_TOKENS}", lambda written: written.tokens <= MOST_TOKENS, Written(MOST_TOKENS + 1, PRECISIONS[1])
        ),
        Hypothesis(
            "P and p are among those tried",
            lambda written: written.precision in PRECISIONS,
            Written(MOST_TOKENS, Precision(8, 9, 3)),
        ),
    ),
    witness=Written(MOST_TOKENS, PRECISIONS[1]),
)
