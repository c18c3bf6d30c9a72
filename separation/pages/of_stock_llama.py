"""docs/stock_llama.md: bounds and certified lengths of the Llama export, and the constants of its codes."""

from __future__ import annotations

from fractions import Fraction

from separation.pages.of_stock import Case, length, tables
from separation.pages.of_stock_hybrid import LEVELS, longest_position
from separation.pages.parts import Block, Part, Sentence
from separation.pages.writing import power_of_two, table, tokens

PAGE = "docs/stock_llama.md"
SIZES: tuple[Case, ...] = ((16, (16,)), (8, (8, 8)), (2, (2,) * 5))
SUMS = (4, 274, 1 << 24)
EQUAL_TOKENS = 4096
# What a slow test runs; tests/pages/test_pages_runs.py compares it with the test.
BFLOAT16: tuple[Case, ...] = ((6000, ()), (2, (2,) * 9))


def bounds() -> str:
    from separation.numeric.stock.llama_bound import UNITS, certify_plan
    from separation.numeric.stock.llama_plan import LlamaPlan
    from separation.tasks.funccomp import Sizes

    rows = []
    for m, n in SIZES:
        sizes = Sizes(m, n)
        found = [certify_plan(LlamaPlan(sizes), dtype).bound for dtype in UNITS]
        shown = ["none" if bound is None else f"{bound:.1e}" for bound in found]
        rows.append((sizes.L, m, f"{sizes.length:,}", LlamaPlan(sizes).stream.width, *shown))
    return table(("L", "m = n_1 = …", "tokens", "width", *UNITS), rows)


def certified() -> str:
    from separation.numeric.stock.llama_bound import UNITS, certified_tokens

    rows = ((levels, *(tokens(certified_tokens(levels, dtype)) for dtype in UNITS)) for levels in LEVELS)
    return table(("L", *UNITS), rows)


def equal_amplitudes() -> tuple[object, ...]:
    from separation.numeric.stock.rotary import least_gap, tuned

    return (f"{float(least_gap(EQUAL_TOKENS, (Fraction(1),) * tuned(EQUAL_TOKENS).used)):.2f}", f"{EQUAL_TOKENS:,}")


def inequalities() -> tuple[object, ...]:
    from separation.numeric.stock.rotary import ALONE, AMPLITUDE_UNIT

    return (f"{ALONE:,}", f"{ALONE // 2:,}", f"2^-{AMPLITUDE_UNIT.denominator.bit_length() - 1}")


def sums_of_amplitudes() -> tuple[object, ...]:
    from separation.numeric.stock.rotary import tuned

    few, some, most = (f"{float(tuned(count).total):.1f}" for count in SUMS)
    return (few, SUMS[0], some, SUMS[1], most, power_of_two(SUMS[2]))


def longest_average() -> tuple[object, ...]:
    from separation.numeric.stock.llama_bound import INNER

    return (power_of_two(INNER.denominator // 2),)


def beyond_the_certified() -> tuple[object, ...]:
    long, deep = BFLOAT16
    return (length(long), tables(deep))


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "then position·2^{-j} is exact up to {} tokens", longest_position),
    Sentence(PAGE, "Equal amplitudes would leave a gap of {} at a match score of f at {} tokens", equal_amplitudes),
    Sentence(PAGE, "Each d below {} has its own inequality; above, each octave is cut into {} blocks with a bound that "
             "holds for the whole block. Rounded up to multiples of {} they", inequalities),
    Sentence(PAGE, "Σ a_j is {} at {} tokens, {} at {} and {} at {}.\n", sums_of_amplitudes),
    Block(PAGE, "bounds", bounds),
    Block(PAGE, "certified", certified),
    Sentence(PAGE, "end where the next k would pass {} tokens: there the average", longest_average),
    Sentence(PAGE, "on every input that was tried, up to {} tokens and L = {} (`pytest", beyond_the_certified),
)  # fmt: skip
