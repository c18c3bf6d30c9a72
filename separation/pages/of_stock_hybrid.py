"""docs/stock_hybrid.md: certified lengths of both families, the constants of their weights, and what tests run."""

from __future__ import annotations

import math

from separation.pages.of_stock import length
from separation.pages.parts import Block, Part, Sentence
from separation.pages.writing import power_of_two, table, tokens

PAGE = "docs/stock_hybrid.md"
FAMILIES = {"Olmo-hybrid": "olmo_hybrid", "Qwen3-Next": "qwen3_next"}
LEVELS = (1, 2, 3, 6, 10)


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


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "are fed {}. In real numbers they miss by e^{-{}} < 10^{-{}}; in float32", saturation),
    Sentence(PAGE, "less a part below 2^{-{}}. This is the one identity", missing_norm),
    Sentence(PAGE, "the scale by 2^{-{}} and the rounding of norms", scale_of_the_state),
    Sentence(PAGE, "on the output of attention does, fed {} on all rows but w's", closed_gate),
    Block(PAGE, "certified", certified),
    Sentence(PAGE, "end where the next k would pass {} tokens", longest_position),
    Sentence(PAGE, "beyond these lengths too (slow test: {} tokens, and L = 10)", lambda: (length(20_000),)),
    Sentence(PAGE, "inputs up to {} tokens at L = 1, {} at L = 2, {} at L = 3, {} at L = 6 (slow: {} tokens, {} at L = "
             "3, {} at L = 10)",
             lambda: (length(300), length(16, 16), length(4, 4, 4), length(2, *(2,) * 5), length(4000),
                      length(16, 8, 8), length(2, *(2,) * 9))),
)  # fmt: skip
