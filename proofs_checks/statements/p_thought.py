"""P.thought: a chain of thought closes the gap for FuncComp with one full layer, and never without one.

The paper leaves open whether a chain of thought closes the gap. For FuncComp: RF and FR, of depth 1 without thoughts,
solve every L with them and a state of ⌈log2 m⌉ + Σ⌈log2 n_ℓ⌉ bits (C5); R alone with as few bits never does, whatever
it generates, since 2^{⌈log2 m⌉+Σ⌈log2 n_ℓ⌉} < N² ≤ N^N (T.C).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from constructions import build
from proofs_checks.kit.measurements import state_bits
from proofs_checks.kit.solvers import require_codes_below_squares
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word, theorem_c
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

WORDS = ("RF", "FR")
PROVED = (Sizes(3, ()), Sizes(2, (2,)), Sizes(2, (1, 2)))
"""Sizes at which the states of C5 are proved; the calculator is asked at all of them."""


def handed(sizes: Sizes) -> int:
    """⌈log2 m⌉ + Σ⌈log2 n_ℓ⌉."""
    return bit_count(sizes.m) + sum(map(bit_count, sizes.n))


def check(state: Callable[[Sizes], int]) -> Checked:
    """s = ⌈log2 m⌉ + Σ⌈log2 n_ℓ⌉ bits are what RF and FR hand on (C5); R alone needs 2^s ≥ N^N, N = N_{L-1} (T.C).

    By hand: 2^⌈log2 a⌉ < 2a ≤ a² for a ≥ 2 (tried), so 2^s < m²·W² = N² ≤ N^N: the state that is enough with one full
    layer is never enough without one, at any sizes. Without thoughts RF and FR have depth 1, so L ≥ 2 is hard
    (T.depth). Compared: the state that the proof of the built weights finds, and the calculator's verdict.
    """
    require_codes_below_squares()
    count = 0
    for sizes in cases():
        s = state(sizes)
        require(theorem_c(sizes, s).certified, f"{sizes}: R alone is not forbidden with {s} bits")
        for word in WORDS if sizes in PROVED else ():
            found = state_bits(build("C5", sizes, word=word, family="linear"))
            require(found == s, f"{sizes}: {word} is proved with a state of {found} bits, not {s}")
            require(Word.parse(word).depth == 1, f"{word}: the depth is {Word.parse(word).depth}")
        count += 1
    return Checked(
        Status.EXHAUSTIVE,
        "C5 from below and T.C from above, their bits compared: by hand for all sizes; some by proofs and calculator",
        f"{count} sizes, L up to 4",
    )


def cases() -> Iterator[Sizes]:
    for L in (1, 2, 3):
        for m, n in product((2, 3, 5), product((1, 2, 3), repeat=L - 1)):
            yield Sizes(m, tuple(n))
    yield Sizes(2, (2, 2, 2))


STATEMENT = Statement(
    id="P.thought",
    title="at small sizes a chain of thought closes the gap, with one full layer (open in the paper)",
    latex=r"RF,\ FR\text{ with thoughts}:\ s=\lceil\log_2m\rceil+\sum_\ell\lceil\log_2n_\ell\rceil;\quad "
    r"R^*\text{ with thoughts}:\ 2^{s}\ge N^N>2^{\lceil\log_2m\rceil+\sum_\ell\lceil\log_2n_\ell\rceil}",
    english="With a chain of thought RF and FR solve every L with O(log n) state bits; R alone never does with so few.",
    subject=handed,
    check=check,
    twins={
        "64 times the bits": lambda sizes: 64 * handed(sizes),
        "the last table stored": lambda sizes: sizes.N[-1] * bit_count(sizes.N[-1]),
        "the query forgotten": lambda sizes: bit_count(sizes.m),
    },
    speaks_of=("D1", "D2"),
    rests_on=("C5", "T.C", "T.depth"),
    hypotheses=(
        Hypothesis("m ≥ 2", lambda pair: pair[0] >= 2, outside=(1, (3,))),
        Hypothesis("n_l ≥ 1", lambda pair: all(size >= 1 for size in pair[1]), outside=(2, (0,))),
    ),
    witness=(2, (3,)),
)
