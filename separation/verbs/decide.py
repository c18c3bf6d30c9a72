"""`decide`: can a word of layers solve L-FuncComp, by which construction, or by which theorem not."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.bounds import Budget, Decision, Word, decision_certificate
from separation.bounds import decide as decide_word
from separation.files import InputError, require_writable
from separation.tasks.funccomp import Sizes
from separation.verbs.bound import require_effort
from separation.verbs.options import require_few_levels, write_accepted


@dataclass(frozen=True)
class DecideReport:
    """A decision; answered, unless nothing was found at the sizes asked."""

    decision: Decision
    seconds: float
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.decision.solvable is not None

    def document(self) -> dict[str, Any]:
        certificate = None if self.out is None else str(self.out)
        return {"ok": self.ok, **self.decision.document(), "certificate": certificate, "seconds": self.seconds}


def decide(
    word: str,
    *,
    L: int,
    m: int | None = None,
    n: Sequence[int] | None = None,
    beta: int | None = None,
    linear: int | Sequence[int] | None = None,
    heads: int | None = None,
    dim: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    state_bits: int | None = None,
    theorem: str | None = None,
    effort: str = "quick",
    proved_only: bool = False,
    out: str | Path | None = None,
) -> DecideReport:
    """Solvable at all sizes, or not (with the smallest sizes found at which that is certified), or at exactly m and n.

    β and Λ (``linear``) directly, or from heads, dim, bits and the state bits of one R layer; an example if neither.
    ``theorem`` leaves out all others in the search, ``proved_only`` those that are not proved in Coq. What is not
    decided has nothing to certify: then nothing is written to ``out``.
    """
    start = time.perf_counter()
    require_effort(effort)
    if out is not None:
        require_writable(out)
    require_few_levels(L)
    if m is None and n is not None:
        raise InputError("--n needs --m: sizes are m and n_1, …, n_{L-1}")
    sizes = None if m is None else Sizes.from_lists(L, m, list(n or ()))
    budget = Budget.of(
        beta=beta, linear=linear, heads=heads, dim=dim, bits=bits, score_bits=score_bits, state_bits=state_bits
    )
    options: dict[str, Any] = {"theorem": theorem, "proved_only": proved_only}
    decision = decide_word(Word.parse(word), L, budget, sizes, **options)
    written = None
    if out is not None and decision.solvable is not None:
        written = write_accepted(out, decision_certificate(decision))
    return DecideReport(decision, time.perf_counter() - start, written)
