"""`crosscheck`: torch runs of a construction against exact ones, errors against proved bounds, in any type."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.numeric import CrossCheck
from separation.numeric import crosscheck as compare
from separation.proving import Construction
from separation.proving.proof import Progress
from separation.tasks.catalogue import prompt_tokens
from separation.verbs.certified import largest_certified
from separation.verbs.hard_inputs import hard_inputs
from separation.verbs.options import Options, chosen_construction

MAX_TOKENS = 1 << 22
FAMILY_TOKENS = 1 << 14
"""Longer prompts are sampled only: an adversarial family has a dozen of them."""
INSTANCES = 64
MOST_TOKENS_IN_ALL = 1 << 24
"""More are not held in memory at once."""
SAMPLED_TOKENS = 1 << 20
"""Unless told otherwise, so many samples, but no more tokens than these in all."""


@dataclass(frozen=True)
class CrossCheckReport:
    """The comparison; ``certified_tokens``: the longest prompt at which this type and path are certified, as far as
    it was looked for: this one, or a shorter one of the same construction if this one is not."""

    construction: Construction
    result: CrossCheck
    certified_tokens: int | None
    seconds: float

    @property
    def ok(self) -> bool:
        return self.result.ok

    def document(self) -> dict[str, Any]:
        return {
            **self.result.document(),
            "construction": self.construction.name,
            "word": self.construction.model.word,
            "certified_tokens": None if self.certified_tokens is None else number_to_json(self.certified_tokens),
            "seconds": self.seconds,
        }


def crosscheck(
    construction: str | None = None,
    *,
    model: str | Path | None = None,
    dtype: str = "float32",
    device: str = "auto",
    path: str = "rows",
    instances: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> CrossCheckReport:
    """Seeded samples and all adversarial families through torch and through the exact run.

    where ``instances`` is the number of samples; by default 64, or fewer of long prompts: a million tokens in all.
    """
    start = time.perf_counter()
    report = progress or (lambda _done, _what: None)
    subject = chosen_construction(construction, model, options)
    tokens = prompt_tokens(subject.sizes)
    if tokens > MAX_TOKENS:
        raise InputError(f"{tokens} tokens; float runs take at most {MAX_TOKENS}")
    if path == "full" and tokens > FAMILY_TOKENS:
        raise InputError(f"{tokens} tokens; whole matrices are computed up to {FAMILY_TOKENS}, --path rows takes more")
    count = max(1, min(INSTANCES, SAMPLED_TOKENS // tokens)) if instances is None else instances
    if count * tokens > MOST_TOKENS_IN_ALL:
        raise InputError(
            f"{count} instances of {tokens} tokens; at most {MOST_TOKENS_IN_ALL // tokens} of that length are built"
        )
    report(0.0, "instances")
    prompts, expected = hard_inputs(subject.sizes, seed, count, families=tokens <= FAMILY_TOKENS)
    report(0.1, f"{len(prompts)} prompts of {tokens} tokens")
    result = compare(subject, prompts, expected, dtype, device, path)
    certified: int | None = tokens
    if result.bound is None:
        report(0.9, "a size that is certified")
        certified = None if construction is None else largest_certified(construction, dtype, path, tokens, **options)
    return CrossCheckReport(subject, result, certified, time.perf_counter() - start)
