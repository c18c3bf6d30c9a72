"""A seeded random model to fool, with the sizes it is asked about and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from separation.arithmetic import Precision, PrecisionOverflow
from separation.bounds import Word, least_table
from separation.files import InputError, TooFewBits
from separation.fooling.birthday import state_hashes
from separation.fooling.messages import Heard, heard, packed
from separation.fooling.random_models import LOOKED_AT, MAX_TOKENS, random_recurrent_model
from separation.models import Model
from separation.models import state_bits as bits_of_state
from separation.protocol import Public, RandomShape, random_model
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes, sample, token_ids

SCORE_BITS = 4
LEAST_DISTINCT = 4
ATTEMPTS = 64


@dataclass(frozen=True)
class RandomHybrid:
    """The model, β, Λ_0..Λ_{#F}, how many transcripts ``tables`` random tables z_L had, and how many heads told them
    apart in any way."""

    model: Model
    beta: int | None
    state_bits: tuple[int, ...]
    tables: int
    distinct: int
    telling: int

    @property
    def score(self) -> tuple[int, int]:
        return self.telling, min(self.distinct, LEAST_DISTINCT)


def random_hybrid(
    word: Word,
    sizes: Sizes,
    seed: int,
    *,
    family: str = "linear",
    bits: int | None = None,
    score_bits: int | None = None,
    state_bits: int | None = None,
) -> RandomHybrid:
    """One head of each kind in a layer, values of two numbers; P is 4 unless ``score_bits`` is given.

    where ``bits`` is p, by default enough for every prompt, and ``state_bits`` the most that one R layer may hold,
    which sets p too. Models are drawn until every head says different things of some random tables, and all of them
    at least LEAST_DISTINCT; the attempts are numbered, so that a seed is one model.
    """
    require_integer("seed", seed, 0)
    if sizes.length > MAX_TOKENS:
        raise InputError(f"{sizes.length} tokens; random hybrids are made for at most {MAX_TOKENS}")
    if bits is not None and state_bits is not None:
        raise InputError("give either --bits or --state-bits: the bits of a state follow from p")
    shape = RandomShape(word, sizes.length, sizes.vocabulary, sizes.N[-1], heads=1, family=family)
    P = SCORE_BITS if score_bits is None else score_bits
    if state_bits is not None:
        bits = _bits_for(shape, state_bits, seed)
    heads = sum(map(len, word.layers))
    best: RandomHybrid | None = None
    for attempt in range(ATTEMPTS):
        drawn = _watched(random_model(shape, seed + (attempt << 32), bits, P), sizes, seed)
        if best is None or drawn.score > best.score:
            best = drawn
        if best.score == (heads, LEAST_DISTINCT):
            break
    assert best is not None
    return best


def _bits_for(shape: RandomShape, state_bits: int, seed: int) -> int:
    """The largest p with which no R layer's state has more than ``state_bits`` bits."""
    require_integer("state-bits", state_bits, 1)
    heads = [head for layer in random_model(shape, seed).layers for head in layer.stateful_heads]
    if not heads:
        raise InputError(f"--state-bits has no meaning for the word {shape.word}, which has no R layer")
    for bits in range(state_bits, 0, -1):
        precision = Precision(0, bits, 0)
        if max(head.entry_bits(precision) * head.state_entries for head in heads) <= state_bits:
            return bits
    entries = max(head.state_entries for head in heads)
    raise InputError(f"state-bits is {state_bits}; the state of a layer has {entries} numbers of at least 3 bits")


def _watched(model: Model, sizes: Sizes, seed: int) -> RandomHybrid:
    """With what later tokens hear of random tables z_L, the other inputs being the same."""
    size, public = sizes.N[-1], Public(model, sizes.length)
    tables = np.random.default_rng([seed, 15]).integers(size, size=(LOOKED_AT, size))
    others = token_ids(sample(sizes, seed))[size:]
    prompts = np.concatenate([tables, np.broadcast_to(others, (LOOKED_AT, len(others)))], axis=1)
    messages = list(heard(model, prompts, size))
    distinct = _different(model, messages)
    telling = sum(_different(model, [message]) > 1 for message in messages)
    beta = max(public.betas.values(), default=None)
    return RandomHybrid(model, beta, public.cumulative_bits, LOOKED_AT, distinct, telling)


def _different(model: Model, messages: list[Heard]) -> int:
    return len(np.unique(state_hashes(packed(model, messages))))


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
        asked = {"bits": bits, "score_bits": score_bits, "state_bits": state_bits}
        return _with_facts(*_hybrid(word, sizes, family, asked, seed), sizes, seed)
    if bits is not None or score_bits is not None:
        raise InputError(f"--bits and --score-bits are for words with F; the word is {word}: give --state-bits")
    digits = [2] * (levels - 1) if n is None else list(n)
    if family is not None:
        sizes = Sizes.from_lists(levels, DEFAULT_FAMILY_M if m is None else m, digits)
        return _with_facts(*_of_family(word, sizes, family, seed, thoughts), sizes, seed)
    held = require_integer("state-bits", DEFAULT_STATE_BITS if state_bits is None else state_bits, 1)
    forbidden = -(-least_table(held * len(word.layers)) // prod(max(1, digit) for digit in digits))
    sizes = Sizes.from_lists(levels, max(2, forbidden) if m is None else m, digits)
    made = random_recurrent_model(len(word.layers), sizes, held, seed, thoughts + 1)
    facts = {"state_bits": list(made.state_bits), "distinct": f"{made.distinct} states of {LOOKED_AT} tables"}
    return _with_facts(made.model, facts | {"thoughts": thoughts}, sizes, seed)


def too_few_bits(error: PrecisionOverflow) -> TooFewBits:
    return TooFewBits(f"{error}; give more --bits (p), or more --state-bits")


def _hybrid(
    word: Word, sizes: Sizes, family: str | None, asked: dict[str, int | None], seed: int
) -> tuple[Model, Facts]:
    try:
        made = random_hybrid(word, sizes, seed, family=family or "linear", **asked)
    except PrecisionOverflow as error:
        raise too_few_bits(error) from None
    precision = made.model.precision
    facts: Facts = {"precision_bits": {"P": precision.score_bits, "p": precision.bits}, "beta": made.beta}
    facts |= {"lambda": list(made.state_bits), "distinct": f"{made.distinct} transcripts of {made.tables} tables"}
    return made.model, facts


def _of_family(word: Word, sizes: Sizes, family: str, seed: int, thoughts: int) -> tuple[Model, Facts]:
    """States are rounded to p bits after every token."""
    if sizes.length > MAX_TOKENS:
        raise InputError(f"{sizes.length} tokens; random models are made for at most {MAX_TOKENS}")
    shape = RandomShape(word, sizes.length + thoughts, sizes.vocabulary, sizes.N[-1], heads=1, family=family)
    model = random_model(shape, require_integer("seed", seed, 0))
    held = [sum(bits_of_state(head, model.precision) for head in layer.stateful_heads) for layer in model.layers]
    return model, {"family": family, "state_bits": held, "thoughts": thoughts}


def _with_facts(model: Model, facts: Facts, sizes: Sizes, seed: int) -> tuple[Model, Sizes, Facts]:
    about = {"word": model.word, "m": sizes.m, "n": list(sizes.n), "tokens": sizes.length, "seed": seed}
    return model, sizes, about | facts
