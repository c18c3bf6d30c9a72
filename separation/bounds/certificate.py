"""Certificates of impossibility: a claim with all the integers that a stranger needs to check it again.

The format and what each claim says are in docs/bounds.md.
"""

from __future__ import annotations

from typing import Any

from separation.bounds.decide import Decision, Ground
from separation.bounds.evaluation import Evaluation
from separation.bounds.ladder import Rule
from separation.bounds.message import Message
from separation.bounds.powers import PowerProduct, Size, size_to_json
from separation.bounds.theorem_c import RecurrentOnly
from separation.bounds.theorem_d import SparseBound
from separation.files import InputError
from separation.tasks.funccomp import Sizes, sizes_to_document
from separation.version import VERSION

SCHEMA = "separation.certificate/1"


def bound_certificate(ground: Ground, message: Message | None = None, tool: str = VERSION) -> dict[str, Any]:
    """Theorem A, B or C at exactly one choice of sizes; with ``message``, β is large enough for such a prompt."""
    if not ground.certified:
        raise InputError("only what is certified has a certificate")
    return _document("bound", tool, _task_claim(ground, message), _choice(ground))


def sparse_certificate(bound: SparseBound, summary_bits: int, tool: str = VERSION) -> dict[str, Any]:
    """Theorem D: with this many summary bits no sparse layer is right."""
    if not bound.forbids(summary_bits):
        raise InputError(f"{summary_bits} summary bits are not too few; {bound.bits} are needed")
    claim = {
        "theorem": "D",
        "modulus": number(bound.modulus),
        "block": number(bound.block),
        "open": number(bound.opened),
        "blocks": number(bound.blocks),
        "summary_bits": number(summary_bits),
    }
    return _document("bound", tool, claim, None)


def decision_certificate(decision: Decision, tool: str = VERSION) -> dict[str, Any]:
    """A word and L: solvable at all sizes (C1, C2) or at those asked (C3), or impossible at the sizes of its ground."""
    claim: dict[str, Any] = {"layers": list(decision.word.layers), "L": decision.L, "solvable": decision.solvable}
    if decision.solvable and decision.construction in ("C1", "C2"):
        return _document("decision", tool, claim | {"construction": decision.construction}, None)
    if decision.solvable and decision.sizes is not None and decision.budget is not None:
        task = _task(decision.sizes.m, decision.sizes.n)
        stored = {"construction": "C3", "task": task, "state_bits": number(decision.budget.state_bits or 0)}
        return _document("decision", tool, claim | stored, None)
    if decision.solvable is None or decision.ground is None or decision.budget is None:
        raise InputError("no certificate: what is not decided has nothing to certify")
    claim |= _task_claim(decision.ground, decision.budget.message)
    claim["lambda"] = [number(bits) for bits in decision.budget.linear_bits(decision.word)]
    return _document("decision", tool, claim, _choice(decision.ground))


def _document(kind: str, tool: str, claim: dict[str, Any], choice: dict[str, Any] | None) -> dict[str, Any]:
    return {"schema": SCHEMA, "kind": kind, "tool": tool, "claim": claim, "choice": choice}


def _task_claim(ground: Ground, message: Message | None) -> dict[str, Any]:
    if isinstance(ground, RecurrentOnly):
        return {
            "theorem": "C",
            "task": _task(ground.sizes.m, ground.sizes.n),
            "tokens": number(ground.sizes.length),
            "beta": None,
            "lambda": [number(ground.linear)],
            "message": None,
        }
    tokens = ground.point.tokens()
    return {
        "theorem": ground.theorem,
        "task": _task(ground.point.m, ground.point.n),
        "tokens": None if tokens is None else size_to_json(tokens),
        "beta": number(ground.beta),
        "lambda": [number(bits) for bits in ground.linear],
        "message": None if message is None else _message(message),
    }


def _message(message: Message) -> dict[str, Any]:
    """P and p, as in the precision of a model."""
    parts = {"heads": message.heads, "dim": message.dim, "P": message.score_bits, "p": message.bits}
    return {name: number(value) for name, value in parts.items()}


def _choice(ground: Ground) -> dict[str, Any] | None:
    """x, Θ if chosen, and whether Λ_0 = 0 is used; nothing for Theorem C, nor for B with one table."""
    if not isinstance(ground, Evaluation) or not ground.point.x:
        return None
    reached = ground.point.reached
    return {
        "x": [number(kept) for kept in ground.point.x],
        "reached": None if reached is None else [number(values) for values in reached],
        "free_start": ground.rule is Rule.A_FREE,
    }


def _task(m: Size, n: tuple[Size, ...]) -> dict[str, Any]:
    if isinstance(m, int) and all(isinstance(size, int) for size in n):
        document = sizes_to_document(Sizes(m, tuple(int(size) for size in n)))  # type: ignore[arg-type]
        if None not in (document["m"], *document["n"]):
            return document
    return {"task": "funccomp", "m": number(m), "n": [number(size) for size in n]}


def number(size: Size) -> int | str | dict[str, Any]:
    """A number up to 2^53, a decimal string up to 4,000 digits, then {"powers": [[base, exponent], …]}.

    A long integer that is no product of powers is written as mantissa·2^shift; the search makes only short mantissas.
    """
    plain = None if isinstance(size, PowerProduct) else size_to_json(size)
    if plain is not None:
        return plain
    if not isinstance(size, PowerProduct):
        shift = (size & -size).bit_length() - 1
        size = PowerProduct(((size >> shift, 1), (2, shift)))
    pairs = [[size_to_json(base), size_to_json(exponent)] for base, exponent in size.factors]
    if any(None in pair for pair in pairs):
        raise InputError("no certificate: one of its numbers has more than 4,000 digits")
    return {"powers": pairs}
