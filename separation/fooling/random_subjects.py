"""A seeded random model to fool, with the sizes it is asked about and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from separation.arithmetic import PrecisionOverflow
from separation.bounds import Word, least_table
from separation.files import InputError, TooFewBits
from separation.fooling.hybrids import random_hybrid
from separation.fooling.random_models import LOOKED_AT, MAX_TOKENS, random_recurrent_model
from separation.models import STATEFUL, Model
from separation.models import state_bits as bits_of_state
from separation.protocol import RandomShape, random_model
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes

DEFAULT_STATE_BITS, DEFAULT_FAMILY_M = 6, 6
DEFAULT_HYBRID_M = {1: 6, 2: 3}
"""By L, else 2: large enough that models of few bits are fooled, small enough to search."""

MAX_LEVELS = MAX_TOKENS
"""Each table has a token, so that no model of more levels is run."""

Facts = dict[str, Any]


def random_subject(
    word: Word,
    *,
    L: int | None,
    m: int | None,
    n: Sequence[int] | None,
    state_bits: int | None,
    bits: int | None,
    score_bits: int | None,
    family: str | None,
    seed: int,
    thoughts: int,
) -> tuple[Model, Sizes, Facts]:
    """A random model of a word: with full layers, in R alone, or of a recurrent family in R alone.

    L is by default one more than the word's depth. With full layers m and n are by default small; in R alone m is so
    large that Theorem C forbids the state to hold the last table.
    """
    if family is not None and state_bits is not None:
        raise InputError("the state bits of a family follow from its precision: leave out --state-bits or --family")
    usual = word.depth + 1 if n is None else len(n) + 1
    levels = require_integer("L", usual if L is None else L, 1, MAX_LEVELS)
    if word.full:
        if family is not None and word.full == len(word.layers):
            raise InputError(f"--family has no meaning for the word {word}, which has no R layer")
        least = DEFAULT_HYBRID_M.get(levels, 2) if m is None else m
        sizes = Sizes.from_lists(levels, least, [least] * (levels - 1) if n is None else list(n))
        return _hybrid(word, sizes, family, {"bits": bits, "score_bits": score_bits, "state_bits": state_bits}, seed)
    if bits is not None or score_bits is not None:
        raise InputError(f"--bits and --score-bits are for words with F; the word is {word}: give --state-bits")
    digits = [2] * (levels - 1) if n is None else list(n)
    if family is not None:
        sizes = Sizes.from_lists(levels, DEFAULT_FAMILY_M if m is None else m, digits)
        return _of_family(word, sizes, family, seed, thoughts)
    held = require_integer("state-bits", DEFAULT_STATE_BITS if state_bits is None else state_bits, 1)
    forbidden = -(-least_table(held * len(word.layers)) // prod(max(1, digit) for digit in digits))
    sizes = Sizes.from_lists(levels, max(2, forbidden) if m is None else m, digits)
    made = random_recurrent_model(len(word.layers), sizes, held, seed, thoughts + 1)
    facts = _facts(made.model, sizes) | {"seed": seed, "state_bits": list(made.state_bits)}
    return (
        made.model,
        sizes,
        facts | {"distinct": f"{made.distinct} states of {LOOKED_AT} tables", "thoughts": thoughts},
    )


def too_few_bits(error: PrecisionOverflow) -> TooFewBits:
    return TooFewBits(f"{error}; give more --bits (p), or more --state-bits")


def _hybrid(
    word: Word, sizes: Sizes, family: str | None, asked: dict[str, int | None], seed: int
) -> tuple[Model, Sizes, Facts]:
    try:
        made = random_hybrid(word, sizes, seed, family=family or "linear", **asked)
    except PrecisionOverflow as error:
        raise too_few_bits(error) from None
    precision = made.model.precision
    facts = _facts(made.model, sizes) | {"seed": seed}
    facts |= {"precision_bits": {"P": precision.score_bits, "p": precision.bits}, "beta": made.beta}
    facts |= {"lambda": list(made.linear), "distinct": f"{made.distinct} transcripts of {made.tables} tables"}
    return made.model, sizes, facts


def _of_family(word: Word, sizes: Sizes, family: str, seed: int, thoughts: int) -> tuple[Model, Sizes, Facts]:
    """States are rounded to p bits after every token."""
    if sizes.length > MAX_TOKENS:
        raise InputError(f"{sizes.length} tokens; random models are made for at most {MAX_TOKENS}")
    shape = RandomShape(word, sizes.length + thoughts, sizes.vocabulary, sizes.N[-1], heads=1, family=family)
    model = random_model(shape, require_integer("seed", seed, 0))
    stateful = [[head for head in layer.heads if isinstance(head, STATEFUL)] for layer in model.layers]
    held = [sum(bits_of_state(head, model.precision) for head in heads) for heads in stateful]
    facts = _facts(model, sizes) | {"family": family, "seed": seed, "state_bits": held, "thoughts": thoughts}
    return model, sizes, facts


def _facts(model: Model, sizes: Sizes) -> Facts:
    return {"word": model.word, "m": sizes.m, "n": list(sizes.n), "tokens": sizes.length}
