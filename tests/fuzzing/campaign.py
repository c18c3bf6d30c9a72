"""Numbered cases: the model of a seed is always the same, so that a violation can be looked at again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable

from comparison import Violation, examine
from forgeries import forgery
from fuzzed_models import random_model
from model_mutations import mutate, mutated_model
from plain_tables import Document
from verdicts import agreement

INPUTS = 24


def model_of(seed: int) -> tuple[str, Document, random.Random]:
    """A random model or a changed construction."""
    rng = random.Random(seed)
    if seed % 2:
        name, model = "random", random_model(rng)
        if rng.random() < 0.3:
            name += f"; {mutate(rng, model)}"
    else:
        name, model = mutated_model(rng)
    return name, model, rng


def soundness(seed: int, inputs: int = INPUTS) -> Counter[str]:
    """What was compared; raises Violation with the seed and the model's name."""
    name, model, rng = model_of(seed)
    paths = ("closed", "general") if seed % 3 == 0 else ("closed",)
    try:
        return examine(model, rng, inputs, paths)
    except Violation as error:
        raise Violation(f"seed {seed} ({name}), {error.who}", error.what) from None


def verdicts(seed: int) -> Counter[str]:
    """Prover and kernel on a model with stated invariants; raises Violation."""
    name, model, rng = model_of(seed)
    try:
        return agreement(model, name, rng)
    except Violation as error:
        raise Violation(f"seed {seed} ({error.who})", error.what) from None


def find(part: Callable[[int], Counter[str]], seeds: Iterable[int]) -> None:
    """Raises the first Violation among these cases."""
    for seed in seeds:
        part(seed)


def total(counts: Counter[str]) -> str:
    """All counts in one line, for people."""
    return ", ".join(f"{key}: {number:,}" for key, number in sorted(counts.items()))


PARTS: dict[str, Callable[[int], Counter[str]]] = {
    "soundness": soundness,
    "verdicts": verdicts,
    "forgeries": forgery,
}
