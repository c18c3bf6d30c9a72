"""docs/fooling.md: the levels of a decomposition, and the limits of the searches."""

from __future__ import annotations

from separation.pages.parts import Block, PageError, Part, Sentence
from separation.pages.writing import fenced, printed

PAGE = "docs/fooling.md"


def levels() -> str:
    from separation.display.fool import show_fool
    from separation.verbs.fool import fool

    report = fool(word="FRF", L=3, m=2, n=[1, 2], seed=2)
    return fenced(printed(show_fool, report).split("decomposition of Theorem A:\n")[1])


def birthday_bits() -> tuple[object, ...]:
    from separation.fooling.recurrent import BIRTHDAY_BITS

    return (BIRTHDAY_BITS,)


def ten_to_the(number: int) -> str:
    exponent = len(str(number)) - 1
    if number != 10**exponent:
        raise PageError(f"{number} is no power of ten")
    return f"10^{exponent}"


def entries_of_a_state() -> tuple[object, ...]:
    from separation.fooling.random_models import FEW_BITS, LONG_ENTRY, MANY_BITS, SHORT_ENTRY

    return (FEW_BITS, MANY_BITS, SHORT_ENTRY, LONG_ENTRY)


def explicit_inputs() -> tuple[object, ...]:
    from separation.fooling.hybrids.pools import EXPLICIT

    return (ten_to_the(EXPLICIT),)


def enumerated_sequences() -> tuple[object, ...]:
    from separation.fooling.sparse.ambiguity import ENUMERATED

    return (ten_to_the(ENUMERATED),)


def score_bits() -> tuple[object, ...]:
    from separation.fooling.hybrids.random_hybrids import SCORE_BITS

    return (SCORE_BITS,)


def looked_at() -> tuple[object, ...]:
    from separation.fooling.hybrids.random_hybrids import LOOKED_AT

    return (LOOKED_AT,)


def phase_score_bits() -> tuple[object, ...]:
    from separation.verbs.fool_phase.words import SCORE_BITS, SIZES

    *first, last = sorted(SIZES)
    return (*(f"{level}" for level in first), last, SCORE_BITS)


def phase_inputs() -> tuple[object, ...]:
    from separation.verbs.fool_phase.sparse import INPUTS

    return (f"{INPUTS:,}",)


def seconds() -> tuple[object, ...]:
    from separation.fooling.budget import DEFAULT_SECONDS

    return (f"{DEFAULT_SECONDS:.0f}",)


def closest_tables() -> tuple[object, ...]:
    from separation.fooling.recurrent import LOOKED_AT

    return (LOOKED_AT,)


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "where more than {} bits of states were observed", birthday_bits),
    Sentence(
        PAGE,
        "With fewer than {} bits asked for, a state has one entry; below {}, one for each {} bits; from there on, one "
        "for each {};",
        entries_of_a_state,
    ),
    Block(PAGE, "levels", levels),
    Sentence(PAGE, "All inputs are looked at if there are at most {} in all", explicit_inputs),
    Sentence(PAGE, "one head of each kind in a layer, P = {} (`--score-bits`)", score_bits),
    Sentence(PAGE, "says how many transcripts {} random tables have", looked_at),
    Sentence(PAGE, "sequences of a block are looked at up to {} of them", enumerated_sequences),
    Sentence(PAGE, "three layers and L = {}, {}, {}, three random models with P = {}, of which", phase_score_bits),
    Sentence(PAGE, "For each of {} random inputs all ways to open", phase_inputs),
    Sentence(PAGE, "`--seconds` ({}) and `--samples` end a search", seconds),
    Sentence(PAGE, "of the first {} tables.", closest_tables),
)
