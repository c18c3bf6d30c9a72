"""docs/recurrences.md: how many families, and the sizes at which they are checked."""

from __future__ import annotations

from separation.pages.of_readme import families
from separation.pages.parts import PageError, Part, Sentence

PAGE = "docs/recurrences.md"


def symbolic() -> tuple[object, ...]:
    from separation.recurrences.checks import SYMBOLIC_SIZES, SYMBOLIC_TOKENS

    return (SYMBOLIC_TOKENS, square(SYMBOLIC_SIZES))


def floats() -> tuple[object, ...]:
    from separation.recurrences.checks import CHUNKED_TOKENS, FLOAT_TOKENS

    return (FLOAT_TOKENS, CHUNKED_TOKENS)


def chunks() -> tuple[object, ...]:
    from separation.recurrences import checks

    whole = (checks.SYMBOLIC_CHUNK, checks.EXACT_CHUNK, checks.FLOAT_CHUNK, checks.CHUNKED_TOKENS)
    return (*whole, square(checks.CHUNKED_SIZES))


def square(sizes: dict[str, int]) -> int:
    """The one number that d_k and d_v are."""
    if sizes["d_k"] != sizes["d_v"]:
        raise PageError(f"d_k and d_v differ: {sizes}")
    return sizes["d_k"]


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "for all inputs, at T = {} and d_k = d_v = {}: as polynomials", symbolic),
    Sentence(PAGE, "In float64 at T = {}, and in chunks at T = {}, they differ", floats),
    Sentence(
        PAGE,
        "in chunks of {} and {} tokens with a shorter one at the end; (c) in chunks of {} at T = {}, d_k = d_v = {}.\n",
        chunks,
    ),
    Sentence(PAGE, "All {} families are exact", families),
)
