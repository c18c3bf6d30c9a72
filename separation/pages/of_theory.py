"""docs/theory.md: sizes that a statement of the proof book names."""

from __future__ import annotations

from separation.pages.parts import PageError, Part, Sentence

PAGE = "docs/theory.md"


def least_bits() -> tuple[object, ...]:
    """The least p with which C1 is proved at its smallest size, with P = 0."""
    from constructions.c1 import build
    from separation.proving import prove
    from separation.tasks.funccomp import Sizes

    for bits in range(1, 9):
        built = build(Sizes(2, ()), bits=bits, score_bits=0)
        if prove(built.model, built.stages, built.shape).ok:
            return (bits,)
    raise PageError("C1 is not proved with 8 bits")


def sparse_cases() -> tuple[object, ...]:
    from proofs_checks.c7_exhaustive import CASES

    blocks = {block for _, block, _ in CASES}
    if blocks != set(range(min(blocks), max(blocks) + 1)):
        raise PageError(f"block lengths {sorted(blocks)} are no range")
    return (min(blocks), max(blocks), *sorted({opened for _, _, opened in CASES}))


def encoder_tables() -> tuple[object, ...]:
    from proofs_checks.c4_exhaustive import SIZES

    return (min(sizes.L for sizes in SIZES), max(sizes.L for sizes in SIZES))


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "and at small sizes p = {} is.", least_bits),
    Sentence(PAGE, "At tiny sizes, with {} to {} tables and degenerate digits", encoder_tables),
    Sentence(PAGE, "block lengths {} to {} (one longer than the prompt) and {} or {} opened blocks", sparse_cases),
)
