"""`solve`: one instance through the exact run, with the hops and where attention looked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from separation.files import InputError
from separation.models import run
from separation.proving import Construction
from separation.tasks.funccomp import Instance, describe, hops, load_instance, sample, to_document, token_ids
from separation.verbs.options import chosen_construction

MAX_TOKENS = 1 << 22


@dataclass(frozen=True)
class Look:
    """Where one head of the last token looked: a position, what stands there, its id, and its share of the weights."""

    layer: int
    head: int
    position: int
    token: str
    token_id: int
    share: Fraction


@dataclass(frozen=True)
class SolveReport:
    """The model's answer beside the oracle's."""

    construction: Construction
    instance: Instance
    answer: int
    hops: tuple[int, ...]
    looks: tuple[Look, ...]

    @property
    def expected(self) -> int:
        return self.hops[-1]

    @property
    def ok(self) -> bool:
        return self.answer == self.expected

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "answer": self.answer,
            "expected": self.expected,
            "hops": list(self.hops),
            "construction": self.construction.name,
            "tokens": self.construction.sizes.length,
            "looks": [
                {
                    "layer": look.layer,
                    "head": look.head,
                    "position": look.position,
                    "token": look.token,
                    "value": look.token_id,
                    "share": float(look.share),
                }
                for look in self.looks
            ],
            "instance": to_document(self.instance) if self.construction.sizes.length <= 4096 else None,
        }


def solve(
    construction: str | None = None,
    *,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    tokens: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    model: str | Path | None = None,
    instance: str | Path | Instance | None = None,
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> SolveReport:
    """Run one instance (a file, a value, or a seeded sample) through a construction or a model file."""
    size_options = {"L": L, "m": m, "n": n, "tokens": tokens}
    if isinstance(instance, (str, Path)):
        instance = load_instance(instance)
    if instance is not None and any(option is not None for option in size_options.values()):
        raise InputError("an instance brings its own sizes: leave out --L, --m, --n, --tokens")
    sizes = None if instance is None else instance.sizes
    subject = chosen_construction(construction, model, sizes, size_options, bits, score_bits)
    if sizes is not None and sizes != subject.sizes:
        raise InputError(f"the instance has sizes {sizes}, the model {subject.sizes}")
    if subject.sizes.length > MAX_TOKENS:
        raise InputError(f"{subject.sizes.length} tokens; the exact run takes at most {MAX_TOKENS}")
    if instance is None:
        instance = sample(subject.sizes, seed)
    return _report(subject, instance, progress)


def _report(subject: Construction, instance: Instance, progress: Callable[[float, str], None] | None) -> SolveReport:
    ids = token_ids(instance)
    result = run(subject.model, np.asarray(ids), progress=progress)
    looks = []
    for look in result.looks:
        position, total = int(look.positions[0]), int(look.totals[0])
        share = Fraction(int(look.weights[0]), total) if total else Fraction(0)
        token = describe(subject.sizes, position)
        looks.append(Look(look.layer, look.head, position, token, int(ids[position]), share))
    return SolveReport(subject, instance, int(result.answers[0]), hops(instance), tuple(looks))
