"""Seeded random models of any word with few bits, and none that says nothing of its tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separation.arithmetic import Precision
from separation.bounds import Word
from separation.files import InputError
from separation.fooling.birthday import state_hashes
from separation.fooling.hybrids.hearing import Heard, heard, packed
from separation.models import Model
from separation.protocol import Public, RandomShape, random_model
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes, sample, token_ids

SCORE_BITS = 4
LOOKED_AT, LEAST_DISTINCT = 64, 4
ATTEMPTS = 64
MAX_TOKENS = 1 << 10


@dataclass(frozen=True)
class RandomHybrid:
    """The model, β, Λ_0..Λ_{#F}, how many transcripts ``tables`` random tables z_L had, and how many heads told them
    apart in any way."""

    model: Model
    beta: int | None
    linear: tuple[int, ...]
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
    distinct = _different(messages)
    telling = sum(_different([message]) > 1 for message in messages)
    numbers = range(1, len(model.layers) + 1)
    betas = [found for number in numbers if (found := public.beta(number)) is not None]
    states = [found for number in numbers if (found := public.state_bits(number)) is not None]
    return RandomHybrid(model, max(betas, default=None), public.word.linear_bits(states), LOOKED_AT, distinct, telling)


def _different(messages: list[Heard]) -> int:
    return len(np.unique(state_hashes(packed(messages))))
