"""docs/stock.md: certificates of the GPT-2 export, its constants, and how much of it the tests run."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from separation.pages.parts import Block, PageError, Part, Sentence
from separation.pages.writing import power_of_two, table

if TYPE_CHECKING:
    from separation.numeric.stock.gpt2_bound import Certificate
    from separation.tasks.funccomp import Sizes

PAGE = "docs/stock.md"
Case = tuple[int, tuple[int, ...]]

SIZES: tuple[Case, ...] = (
    (2, ()),
    (2, (2,)),
    (4, (4, 4)),
    (8, (8, 8)),
    (64, (64,)),
    (2, (2,) * 9),
    (2, (2,) * 11),
    (256, (256,)),
    (1024, (1024,)),
)
LEVELS = 3
# What the tests run, as far as the page names it; tests/pages/test_pages_runs.py compares it with the tests.
EVERY_LOOK_UP: tuple[Case, ...] = ((2, ()), (5, ()), (3, (2,)), (3, (2, 3)), (4, (4, 4)))
TINY: tuple[Case, ...] = ((2, ()), (3, ()), (2, (2,)), (2, (1, 1)))
MILLIONS: tuple[Case, ...] = ((2, (2, 1)), (3, (2,)))
LONG: tuple[Case, ...] = ((64, (64,)), (2, (2,) * 11), (128, (128,)))
DEEP: tuple[Case, ...] = ((2, (2,) * 9), (2, (1,) * 31))


def certificate(sizes: Sizes, dtype: str) -> Certificate:
    from separation.numeric.stock.gpt2_bound import certify_plan
    from separation.numeric.stock.gpt2_plan import Gpt2Plan

    return certify_plan(Gpt2Plan(sizes), dtype)


def certificates() -> str:
    from separation.numeric.stock.gpt2_plan import Gpt2Plan
    from separation.tasks.funccomp import Sizes

    rows = []
    for m, n in SIZES:
        sizes = Sizes(m, n)
        written = ", ".join(map(str, n)) if sizes.L < 5 else f"{n[0]}, {sizes.L - 1} times"
        long = [f"{certificate(sizes, dtype).bound:.1e}" for dtype in ("float32", "float64")]
        (short,) = {certificate(sizes, dtype).bound for dtype in ("bfloat16", "float16")}
        shown = (f"{sizes.length:,}", Gpt2Plan(sizes).width, *long, f"{short:g}")
        rows.append((sizes.L, m, written or "–", *shown))
    return table(("L", "m", "n", "tokens", "width", "float32", "float64", "bfloat16, float16"), rows)


def significant_bits() -> tuple[object, ...]:
    from separation.numeric.stock.gpt2_plan import SIGNIFICANT_BITS

    return (SIGNIFICANT_BITS,)


def epsilon() -> tuple[object, ...]:
    from separation.numeric.stock.gpt2_plan import LAYER_NORM_EPSILON

    return (f"{LAYER_NORM_EPSILON:.0e}".replace("e-0", "e-"),)


def margins() -> tuple[object, ...]:
    """Of every size in the table, and the one with two values."""
    from separation.tasks.funccomp import Sizes

    found = {(sizes.N[-1] == 2, certificate(sizes, "float32").margin) for sizes in (Sizes(*case) for case in SIZES)}
    few, many = sorted(found, reverse=True)  # two kinds and no more
    return (many[1], few[1])


def exp_units() -> tuple[object, ...]:
    from separation.numeric.stock.gpt2_bound import EXP_UNITS

    return (EXP_UNITS,)


@cache
def longest(dtype: str) -> int:
    from separation.numeric.stock.gpt2_bound import certified_tokens

    found = certified_tokens(LEVELS, dtype)
    if found is None:
        raise PageError(f"nothing is certified in {dtype}")
    return found


def longest_certified() -> tuple[object, ...]:
    from separation.numeric.stock.gpt2_bound import LONG_UNITS

    (same,) = {longest(dtype) for dtype in ("float32", "bfloat16", "float16")}
    return (LEVELS, f"{same:,}", f"2^-{LONG_UNITS['float32'].denominator.bit_length() - 1}")


def longest_in_float64() -> tuple[object, ...]:
    from separation.numeric.stock.gpt2_bound import MAX_TOKENS_ASKED
    from separation.verbs.export import MAX_TOKENS

    if longest("float64") <= MAX_TOKENS_ASKED:
        raise PageError("float64 has an end")
    return (power_of_two(MAX_TOKENS_ASKED), f"{MAX_TOKENS:,}")


def inputs(case: Case) -> str:
    from separation.tasks.funccomp import Sizes

    return f"{Sizes(*case).count_inputs():,}"


def length(case: Case) -> str:
    from separation.tasks.funccomp import Sizes

    return f"{Sizes(*case).length:,}"


def tables(case: Case) -> int:
    return 1 + len(case[1])


def default_tests() -> tuple[object, ...]:
    return (len(EVERY_LOOK_UP), len(TINY), inputs(TINY[2]), *map(tables, DEEP))


def slow_tests() -> tuple[object, ...]:
    long, deep, longest_run = LONG
    return (*map(inputs, MILLIONS), length(long), length(deep), tables(deep), length(longest_run))


def leak() -> tuple[object, ...]:
    from separation.numeric.stock.gpt2_plan import LEAK_BITS

    return (f"2^-{LEAK_BITS}",)


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "All weights are whole numbers of at most {} significant bits", significant_bits),
    Sentence(PAGE, "divides by √(1+ε), with ε = {} as shipped", epsilon),
    Sentence(PAGE, "The margin is {} ({} when there are two values)", margins),
    Sentence(PAGE, "Weights are chosen for that: of {} bits", significant_bits),
    Sentence(PAGE, "exp within {} u; LayerNorm's mean", exp_units),
    Block(PAGE, "certificates", certificates),
    Sentence(
        PAGE,
        "at L = {}, {} tokens in float32, bfloat16 and float16, where a sum of 2n terms has no bound at u = "
        "{} any more",
        longest_certified,
    ),
    Sentence(
        PAGE,
        "in float64 beyond {}. The stock class computes all pairs of tokens, so `export` stops at {}.\n",
        longest_in_float64,
    ),
    Sentence(
        PAGE,
        "every look-up of {} sizes, both attentions, float32, float64 and bfloat16; all inputs of {} tiny sizes ({} at "
        "m = 2, n = 2); L = {} and L = {}. Slow tests",
        default_tests,
    ),
    Sentence(
        PAGE,
        "all {} inputs at m = 2, n = (2, 1), all {} at m = 3, n = 2; {} tokens, {} (L = {}) and {} tokens.\n",
        slow_tests,
    ),
    Sentence(PAGE, "the answers still hold ({} of leak", leak),
    Sentence(PAGE, "ignoring the shipped ε = {} costs", epsilon),
)
