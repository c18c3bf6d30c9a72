"""CPW.can: which of CPW's positive results this project proves: L+1 layers, encoders, chain of thought.

L+1 full layers with H·d·p ≤ (8k+1)·max(8, k), k = ⌈log2 n⌉ (C1; d is the width of the stream); an encoder of
1+⌈log2(L+1)⌉ layers (C4), where a decoder needs L+1; one full layer with L+1 generated tokens (C5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from constructions import build
from proofs_checks.kit.solvers import require_codes_below_squares
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.models import Model
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count


@dataclass(frozen=True)
class Can:
    """H·d·p ≤ (``digits``·k + 1)·max(``least``, k) for C1, k = ⌈log2 n⌉.

    An encoder has 1 + ⌈log2(L + ``tables``)⌉ layers, a model with a chain of thought ``layers`` layers. d is the width
    of the stream, which no head exceeds.
    """

    digits: int = 8
    least: int = 8
    tables: int = 1
    layers: int = 1


def check(claim: Can) -> Checked:
    """C1 has one head, p = max(8, k) and the width of C1.width, a sum of seven ⌈log2 ·⌉, one Σ⌈log2 n_ℓ⌉ among them.

    By hand: L+2, n_ℓ, N_ℓ and W are at most n, and ⌈log2 a⌉ ≤ 2·log2 a for a ≥ 2 (2^⌈log2 a⌉ < 2a ≤ a², tried), so
    Σ⌈log2 n_ℓ⌉ ≤ 2·log2 W ≤ 2k: the width is at most 8k + 1, whatever L is. An encoder's e = 1 + ⌈log2(L+1)⌉ layers
    mean 2^{e-2} < L+1 ≤ 2^{e-1}, where a decoder of full layers needs L+1 (T.depth). One full layer with a chain of
    thought has L+1 generated tokens. All of it is counted on built weights; C1, C4 and C5 say that they solve the task.
    """
    require_codes_below_squares()
    count = 0
    for sizes in cases():
        k = bit_count(sizes.length)
        decoder, encoder = (build(name, sizes).model for name in ("C1", "C4"))
        said = (claim.digits * k + 1) * max(claim.least, k)
        require(bits(decoder) <= said, f"{sizes}: C1 has H·d·p = {bits(decoder)}, more than {said}")
        require(decoder.word == "F" * (sizes.L + 1), f"{sizes}: C1 is {decoder.word}")
        require(Word.parse("F" * sizes.L).depth < sizes.L, f"{sizes}: F^L is as deep as L tables")
        most = 1 + bit_count(sizes.L + claim.tables)
        require(len(encoder.layers) == most, f"{sizes}: C4 has {len(encoder.layers)} layers, not {most}")
        require(2 ** (most - 2) < sizes.L + 1 <= 2 ** (most - 1), f"{sizes}: {most} layers are not about log2 L")
        thinker = build("C5", sizes, word="F").model
        require(len(thinker.layers) == claim.layers, f"{sizes}: C5 is {thinker.word}")
        count += 1
    return Checked(
        Status.EXHAUSTIVE,
        "built weights counted; the width's bound by hand; C1, C4, C5 and T.depth say that they solve it",
        f"{count} sizes, L up to 7",
    )


def bits(model: Model) -> int:
    """H·d·p with the width for d."""
    return model.heads * model.width * model.precision.bits


def cases() -> Iterator[Sizes]:
    for L in (1, 2, 3):
        for m, n in product((2, 5), product((1, 3), repeat=L - 1)):
            yield Sizes(m, tuple(n))
    yield Sizes(2, (1,) * 6)
    yield Sizes(2, (2,) * 6)


STATEMENT = Statement(
    id="CPW.can",
    title="L+1 layers, encoders and chains of thought solve it at given sizes (CPW's positive results)",
    latex=r"F^{L+1}:\ H\,d\,p\le(8k+1)\max(8,k),\ k=\lceil\log_2n\rceil;\quad "
    r"F_{\leftrightarrow}^{1+\lceil\log_2(L+1)\rceil};\quad F\text{ with }L+1\text{ tokens of thought}",
    english="L+1 full layers need only polylog n bits, an encoder 1+⌈log2(L+1)⌉ layers, and one layer is enough with "
    "a chain of thought.",
    subject=Can(),
    check=check,
    twins={
        "a width of ⌈log2 n⌉ + 1": Can(digits=1),
        "no precision of 8": Can(least=1),
        "an encoder with one table less": Can(tables=0),
        "no layer with thoughts": Can(layers=0),
    },
    speaks_of=("D1", "D2"),
    rests_on=("C1", "C4", "C5", "T.depth"),
    hypotheses=(
        Hypothesis("m ≥ 2", lambda pair: pair[0] >= 2, outside=(1, (3,))),
        Hypothesis("n_l ≥ 1", lambda pair: all(size >= 1 for size in pair[1]), outside=(2, (0,))),
    ),
    witness=(2, (3,)),
)
