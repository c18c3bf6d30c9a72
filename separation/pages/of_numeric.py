"""docs/numeric.md: the longest certified prompts, and the constants of the float runs and their bounds."""

from __future__ import annotations

from typing import Any

from separation.pages.parts import Block, PageError, Part, Sentence
from separation.pages.writing import power_of_two

PAGE = "docs/numeric.md"


def certified() -> str:
    from separation.verbs.certified import certified_table, table_lines

    return "\n".join(table_lines(certified_table()))


def fine_bits() -> tuple[object, ...]:
    from separation.numeric.reference import FINE_BITS

    return (FINE_BITS,)


def exact_run_ends() -> tuple[object, ...]:
    from separation.numeric.crosscheck import EXACT_NUMBERS, EXACT_SCORES, LONE_PROMPT

    return (power_of_two(LONE_PROMPT * EXACT_SCORES), power_of_two(EXACT_NUMBERS))


def eight_terms() -> tuple[object, ...]:
    from separation.numeric.arithmetic import CHUNK

    return (CHUNK,)


def exponential_units() -> tuple[object, ...]:
    from separation.numeric.arithmetic import EXPONENTIAL_ULPS

    return (EXPONENTIAL_ULPS,)


def temperature_bits() -> tuple[object, ...]:
    """The significant bits of bfloat16, after a look at the queries of every construction at its largest size."""
    from constructions import SEARCHES
    from separation.models import RecurrentHead
    from separation.numeric.arithmetic import BFLOAT16
    from separation.verbs.certified import CASES, LEVELS, MOST_TOKENS, STATE_TOKENS
    from separation.verbs.options import chosen_construction

    for name, variant in CASES:
        most = STATE_TOKENS if name == "C3" else MOST_TOKENS
        options: Any = {"length": most} if name in SEARCHES else {"tokens": most, "L": LEVELS}
        for layer in chosen_construction(name, None, options | variant).model.layers:
            queries = [head.w_q for head in layer.heads if not isinstance(head, RecurrentHead)]
            for *_, entry in (triple for query in queries for triple in query.entries()):
                if int(entry) != entry or abs(int(entry)).bit_length() > BFLOAT16.digits:
                    raise PageError(f"{name} has {entry} in a query")
    return (BFLOAT16.digits,)


def blocks_of_keys() -> tuple[object, ...]:
    from separation.numeric.arithmetic import LONGEST_BLOCK, QUICK_CHUNK

    return (power_of_two(LONGEST_BLOCK), QUICK_CHUNK)


def tried() -> tuple[object, ...]:
    from separation.tasks.funccomp import Sizes
    from separation.verbs.certified import LEVELS, STATE_TOKENS

    return (LEVELS, Sizes.for_tokens(LEVELS, STATE_TOKENS).length)


def short_units() -> tuple[object, ...]:
    from separation.numeric.arithmetic import BFLOAT16, FLOAT16

    return (f"2^-{BFLOAT16.digits}", f"2^-{FLOAT16.digits}")


def family_tokens() -> tuple[object, ...]:
    from separation.verbs.crosscheck import FAMILY_TOKENS

    return (f"{FAMILY_TOKENS:,}",)


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "the same weights with P = f = {} bits", fine_bits),
    Sentence(PAGE, "beyond {} scores of one prompt, or {} numbers in its stream, the float64", exact_run_ends),
    Sentence(PAGE, "(float64 itself) {} terms are added at a time", eight_terms),
    Sentence(PAGE, "exp is within {} units in the last place", exponential_units),
    Sentence(PAGE, "the constructions use (at most {} bits) are numbers of bfloat16", temperature_bits),
    Sentence(PAGE, "One query over more than {} keys adds {} terms in float32", blocks_of_keys),
    Sentence(
        PAGE,
        "Tokens, L = {} (C6, C7: M = n²+1), found by bisection over powers of two; `≥`: nothing longer was "
        "tried (C3 writes out a feature for each table entry, and is proved to {} tokens here)",
        tried,
    ),
    Block(PAGE, "certified", certified, slow=True),  # tests/numeric/test_crosscheck_verb.py has two rows of it
    Sentence(PAGE, "where the clip's own rounding, {} or {} of a bit", short_units),
    Sentence(PAGE, "Beyond {} tokens only samples run", family_tokens),
)
