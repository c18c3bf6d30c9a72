"""docs/bounds.md: thresholds, exponents, gains, and limits of the search and of the kernel."""

from __future__ import annotations

import math
from functools import cache

from separation.pages.parts import Block, Part, Sentence
from separation.pages.writing import power_of_two, table

PAGE = "docs/bounds.md"
BITS = 8
"""β and Λ_t of the table."""
THRESHOLDS = (("A", 2), ("A", 3), ("A", 4), ("A", 6), ("B", 2), ("B", 3))
TABLES = (2, 3, 4, 6)


@cache
def found_log2(theorem: str, linear: tuple[int, ...], cover: str) -> float:
    """log2 of the tokens of the shortest prompt that the search certifies."""
    from separation.bounds import optimise

    levels = len(linear) - (theorem == "B")
    return float(optimise(theorem, levels, BITS, list(linear), cover=cover).point.tokens_log2())


def thresholds() -> str:
    from separation.bounds import least_golden
    from separation.bounds.schedules import rule_for

    rows = []
    for theorem, levels in THRESHOLDS:
        linear = (BITS,) * levels if theorem == "A" else (0, 0, *(BITS,) * (levels - 1))
        golden = least_golden(rule_for(theorem, list(linear)), levels, BITS, list(linear))
        found = [found_log2(theorem, linear, cover) for cover in ("half", "chosen")]
        logs = [f"{value:.2f}" for value in (golden.evaluation.point.tokens_log2(), *found)]
        rows.append((theorem, levels, golden.y, *logs))
    return table(("theorem", "L", "golden y", "golden", "half", "chosen"), rows)


def gain(linear: tuple[int, ...], cover: str, rule: str = "A") -> float:
    """log2 of golden tokens over those of the search, theorem A at L = 3."""
    from separation.bounds import Rule, least_golden

    golden = least_golden(Rule[rule], 3, BITS, list(linear)).evaluation.point.tokens_log2()
    return float(golden - found_log2("A", linear, cover))


def gains() -> tuple[object, ...]:
    return (f"2^{gain((8, 8, 8), 'half'):.2f}", f"2^{gain((8, 8, 8), 'chosen'):.2f}")


def gain_not_reached() -> tuple[object, ...]:
    return (f"2^{math.ceil(gain((8, 8, 8), 'half'))}",)


def gains_with_a_free_start() -> tuple[object, ...]:
    return (f"2^{gain((0, 8, 8), 'half'):.2f}", f"2^{gain((0, 8, 8), 'half', 'A_FREE'):.2f}")


def exponents_by_tables() -> str:
    from separation.bounds import exponents
    from separation.bounds.asymptote import golden_asymptote

    limit = golden_asymptote()
    rows = [exponents(levels) for levels in TABLES]
    return table(
        ("L", "paper", "CPW", "A", "B", "paper/A", "(φ/√5)·φ^{2L}"),
        (
            (row.L, row.paper, row.cpw, row.theorem_a, row.theorem_b, f"{row.ratio:.1f}", f"{limit.at(row.L):.2f}")
            for row in rows
        ),
    )


def exact_bits() -> tuple[object, ...]:
    from separation.bounds.powers import EXACT_BITS

    return (f"{EXACT_BITS:,}",)


def searched_tables() -> tuple[object, ...]:
    from separation.bounds.optimise import MAX_SEARCHED

    return (MAX_SEARCHED,)


def exhausted_tokens() -> tuple[object, ...]:
    from separation.bounds.optimise import EFFORTS

    return (f"{EFFORTS['quick'].exhausted:,}",)


def cpw_checked() -> tuple[object, ...]:
    from separation.verbs.exponents import PRODUCTS, SHOWN_TABLES

    return (f"2..{SHOWN_TABLES},", min(PRODUCTS), power_of_two(max(PRODUCTS)))


def exponents_shown() -> tuple[object, ...]:
    from separation.verbs.exponents import MAX_TABLES, SHOWN_TABLES

    return (f"2..{SHOWN_TABLES}", MAX_TABLES)


def state_bits() -> tuple[object, ...]:
    from separation.bounds.families import STATE_BITS

    return (STATE_BITS,)


def digits_of_a_number() -> tuple[object, ...]:
    from separation.proving.checker import MAX_DIGITS

    return (f"{MAX_DIGITS:,}",)


def kernel_precision() -> tuple[object, ...]:
    from separation.proving.checker import BITS as KEPT
    from separation.proving.checker import DIGITS

    return (f"{KEPT:,}", DIGITS)


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "Beyond {} bits numbers are balls", exact_bits),
    Sentence(PAGE, "for two tables and at most {} tokens (`cover=", exhausted_tokens),
    Block(PAGE, "thresholds", thresholds),
    Sentence(PAGE, "the gain over golden is {} with half and {} with chosen", gains),
    Sentence(PAGE, "With half, integers do not gain {} when", gain_not_reached),
    Sentence(PAGE, "half gains {} over the golden schedule of the general form, and {} over", gains_with_a_free_start),
    Sentence(PAGE, "Beyond {} tables the golden schedule stands alone", searched_tables),
    Sentence(PAGE, "with β = 2·H·d·p for L = {} H·d·p from {} to {} and up to", cpw_checked),
    Sentence(PAGE, "prints the exponents for L = {} (`--L` for another end, up to {}), then", exponents_shown),
    Block(PAGE, "exponents", exponents_by_tables),
    Sentence(PAGE, "Numbers of a recurrent state count {} bits (or p if more)", state_bits),
    Sentence(PAGE, "a decimal string of at most {} digits beyond", digits_of_a_number),
    Sentence(
        PAGE,
        "that are exact up to {} bits and rounded outwards beyond; logarithms, that of 𝖾 too, have {} binary digits",
        kernel_precision,
    ),
)
