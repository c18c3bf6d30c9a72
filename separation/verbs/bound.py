"""`bound`: the shortest prompt found at which an impossibility is certified, beside what the papers ask for."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separation.bounds import (
    Bound,
    Budget,
    ConfigBound,
    bound_certificate,
    bound_config,
    cpw_prompt,
    load_config,
    paper_prompt,
)
from separation.bounds import bound as find_bound
from separation.bounds.optimise import require_effort
from separation.bounds.powers import log2_float
from separation.files import InputError, require_writable
from separation.verbs.levels import require_few_levels

if TYPE_CHECKING:
    from separation.bounds.symbolic import SymbolicTheorem


@dataclass(frozen=True)
class BoundReport:
    """What was found, for numbers given one by one or for a model's config.

    ``sharper``: the same question, with the covers of theorems A and B chosen instead of half the draws.
    """

    found: Bound | ConfigBound
    seconds: float
    sharper: Bound | None = None
    symbolic: SymbolicTheorem | None = None
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.found.ground.certified

    @property
    def L(self) -> int:
        return self.found.L if isinstance(self.found, Bound) else self.found.model.first_hard

    def document(self) -> dict[str, Any]:
        document = self.found.document()
        if isinstance(self.found, ConfigBound):
            product = self.found.model.message.product
            ours = {"theorem": document["theorem"], "certified": self.ok, **document.pop("hard_sizes")}
            document |= {"ours": ours, "paper": {"n_log2": log2_float(paper_prompt(self.L, product))}}
            document["cpw"] = {"n_log2": log2_float(cpw_prompt(self.L, product))}
        symbolic = None
        if self.symbolic is not None:
            theorem = self.symbolic
            parts = {"quantities": theorem.quantities, "inequalities": theorem.inequalities}
            parts["golden"] = theorem.golden.quantities
            named = {part: {name: str(value) for name, value in values.items()} for part, values in parts.items()}
            symbolic = {**named, "latex": theorem.latex()}
        certificate = None if self.out is None else str(self.out)
        rest = {"symbolic": symbolic, "certificate": certificate, "seconds": self.seconds}
        return {"ok": self.ok, **document, "sharper": self._sharper_document(), **rest}

    def _sharper_document(self) -> dict[str, Any] | None:
        if self.sharper is None:
            return None
        return {"gain_log2": self.sharper.gain_log2, "cover": "chosen", **self.sharper.document()["ours"]}


def bound(
    *,
    L: int | None = None,
    beta: int | None = None,
    linear: int | None = None,
    heads: int | None = None,
    dim: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    linear_layers: int | None = None,
    state_bits: int | None = None,
    full_layers: int | None = None,
    config: str | Path | None = None,
    symbolic: bool = False,
    effort: str = "quick",
    out: str | Path | None = None,
) -> BoundReport:
    """For β and Λ, for heads, dim and bits, or for a config.json: the shortest certified prompt.

    ``full_layers`` is L−1 (Theorem A) if None; L means Theorem B; 0 Theorem C. ``effort`` is quick or thorough.
    """
    start = time.perf_counter()
    require_effort(effort)
    if out is not None:
        require_writable(out)
    numbers = {"L": L, "beta": beta, "lambda": linear, "heads": heads, "dim": dim, "bits": bits}
    numbers |= {"state-bits": state_bits, "full-layers": full_layers, "linear-layers": linear_layers}
    found: Bound | ConfigBound
    sharper = None
    if config is not None:
        given = [f"--{name}" for name, value in numbers.items() if value is not None]
        if given:
            raise InputError(f"a config brings its own numbers: leave out {', '.join(given)}")
        found = bound_config(load_config(config, score_bits), effort=effort)
    else:
        if L is None:
            raise InputError("give --L, or --config FILE")
        require_few_levels(L)
        budget = Budget.of(
            beta=beta, linear=linear, heads=heads, dim=dim, bits=bits, score_bits=score_bits, state_bits=state_bits
        )
        if linear_layers is not None and linear is not None:
            raise InputError("lambda and linear layers are both given; lambda counts all of them")
        if (linear_layers or 0) > 0 and state_bits is None:
            raise InputError("state bits are missing: linear layers carry the state bits of one R layer each")
        if linear_layers is None and state_bits is not None:
            raise InputError("linear layers are missing: how many R layers have these state bits")
        question: dict[str, Any] = {"full_layers": full_layers, "linear_layers": linear_layers or 0, "effort": effort}
        found = find_bound(L, budget, **question)
        sharper = find_bound(L, budget, **question, cover="chosen") if found.golden is not None else None
    message = found.model.message if isinstance(found, ConfigBound) else found.budget.message
    written = None
    if out is not None:
        from separation.proving.certificates import accepted, write_certificate

        written = Path(out)
        write_certificate(written, accepted(bound_certificate(found.ground, message)))
    symbols = _symbols(found) if symbolic else None
    return BoundReport(found, time.perf_counter() - start, sharper, symbols, written)


def _symbols(found: Bound | ConfigBound) -> SymbolicTheorem:
    from separation.bounds.symbolic import symbolic_theorem

    rule = getattr(found.ground, "rule", None)
    point = getattr(found.ground, "point", None)
    if rule is None or point is None or not point.n:
        raise InputError("symbols are there for theorems A and B with L >= 2")
    return symbolic_theorem(rule, len(point.n) + 1)
