"""docs/stock_hybrid.md: certified lengths of both families, the constants of their weights, and what tests run."""

from __future__ import annotations

import math

from separation.pages.of_stock import Case, length, tables
from separation.pages.parts import Block, Part, Sentence
from separation.pages.writing import power_of_two, table, tokens

PAGE = "docs/stock_hybrid.md"
FAMILIES = {"Olmo-hybrid": "olmo_hybrid", "Qwen3-Next": "qwen3_next"}
LEVELS = (1, 2, 3, 6, 10)
# What the tests run, as far as the page names it; tests/pages/test_pages_runs.py compares it with the tests.
LONGEST: tuple[Case, ...] = ((300, ()), (16, (16,)), (4, (4, 4)), (2, (2,) * 5))
SLOW: tuple[Case, ...] = ((4000, ()), (16, (8, 8)), (2, (2,) * 9))
BFLOAT16: tuple[Case, ...] = ((20_000, ()), (2, (2,) * 9))


def certified() -> str:
    from separation.numeric.stock.catalogue import target_module

    rows = []
    for title, target in FAMILIES.items():
        module = target_module(target, "C2")
        for levels in LEVELS:
            (long,) = {module.certified_tokens(levels, dtype) for dtype in ("float32", "float64")}
            short = [module.certified_tokens(levels, dtype) for dtype in ("float16", "bfloat16")]
            rows.append((title, levels, *map(tokens, (long, *short))))
    return table(("family", "L", "float32, float64", "float16", "bfloat16"), rows)


def saturation() -> tuple[object, ...]:
    from separation.numeric.stock.hybrid_plan import SATURATION

    fed = f"{SATURATION:.0f}"
    return (f"±{fed}", fed, math.floor(SATURATION / math.log(10)))


def missing_norm() -> tuple[object, ...]:
    """‖(silu(gx), silu(−gx))‖² is g²c less a part below 1.8·c: `hybrid_bound` has the argument."""
    from separation.numeric.stock.hybrid_plan import VALUE_SCALE

    return (math.floor(2 * math.log2(VALUE_SCALE) - math.log2(1.8)),)


def scale_of_the_state() -> tuple[object, ...]:
    """The square root of the above is off by half as much, which is below 1/g²."""
    from separation.numeric.stock.hybrid_plan import VALUE_SCALE

    return (int(2 * math.log2(VALUE_SCALE)),)


def closed_gate() -> tuple[object, ...]:
    from separation.numeric.stock.hybrid_plan import SATURATION

    return (f"−{SATURATION:.0f}",)


def longest_position() -> tuple[object, ...]:
    from separation.numeric.stock.rotary import MAX_TOKENS

    return (power_of_two(MAX_TOKENS),)


def beyond_the_certified() -> tuple[object, ...]:
    long, deep = BFLOAT16
    return (length(long), tables(deep))


def longest_runs() -> tuple[object, ...]:
    named = [part for case in (*LONGEST, *SLOW) for part in (length(case), tables(case))]
    del named[2 * len(LONGEST) + 1]  # of the first slow one the page gives the length alone
    return tuple(named)


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "are fed {}. In real numbers they miss by e^{-{}} < 10^{-{}}; in float32", saturation),
    Sentence(PAGE, "less a part below 2^{-{}}. This is the one identity", missing_norm),
    Sentence(PAGE, "the scale by 2^{-{}} and the rounding of norms", scale_of_the_state),
    Sentence(PAGE, "on the output of attention does, fed {} on all rows but w's", closed_gate),
    Block(PAGE, "certified", certified),
    Sentence(PAGE, "end where the next k would pass {} tokens", longest_position),
    Sentence(PAGE, "beyond these lengths too (slow test: {} tokens, and L = {}): no", beyond_the_certified),
    Sentence(
        PAGE,
        "inputs up to {} tokens at L = {}, {} at L = {}, {} at L = {}, {} at L = {} (slow: {} tokens, {} at L = {}, {} "
        "at L = {}); w",
        longest_runs,
    ),
)
