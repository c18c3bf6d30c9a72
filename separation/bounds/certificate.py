"""Certificates of impossibility: a claim with all the integers that a stranger needs to check it again.

The format and what each claim says are in docs/certificates.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Message
from separation.bounds.capacity import Asked, capacity_claim
from separation.bounds.decision import Decision
from separation.bounds.powers import exact_json
from separation.bounds.shortest import Found
from separation.bounds.theorem import CERTIFICATE_NAMES, prompt_tokens, task_document
from separation.bounds.theorems.ceiling import AccuracyBound, Ceiling
from separation.bounds.theorems.theorem_a2 import theorem_a2_average
from separation.bounds.theorems.theorem_d import SparseBound
from separation.bounds.word import Word
from separation.files import InputError

SCHEMA = "separation.certificate/1"


def bound_certificate(found: Found, message: Message | None = None) -> dict[str, Any]:
    """A theorem at exactly one choice of sizes: kind `bound`, or kind `ceiling` for a bound on the accuracy.

    With ``message``, β is large enough for such a prompt.
    """
    if not found.certified:
        raise InputError("only what is certified has a certificate")
    if isinstance(found, AccuracyBound):
        return ceiling_certificate(found, message)
    return _document("bound", found.certificate_claim(message), found.certificate_choice())


def sparse_certificate(bound: SparseBound, summary_bits: int) -> dict[str, Any]:
    """Theorem D: with this many summary bits no sparse layer is right."""
    if not bound.forbids(summary_bits):
        raise InputError(f"{summary_bits} summary bits are not too few; {bound.bits} are needed")
    claim = {
        "theorem": "D",
        "modulus": exact_json(bound.modulus),
        "block": exact_json(bound.block),
        "open": exact_json(bound.opened),
        "blocks": exact_json(bound.blocks),
        "summary_bits": exact_json(summary_bits),
    }
    return _document("bound", claim, None)


def sparse_layers_certificate(layers: int, block: int, opened: int, always: int, length: int) -> dict[str, Any]:
    """Theorem D2: so many layers with content-free summaries do not read all tokens."""
    values = {"layers": layers, "block": block, "open": opened, "always": always, "length": length}
    return _document("bound", {"theorem": "D2", **{name: exact_json(value) for name, value in values.items()}}, None)


def capacity_certificate(asked: Asked, theorem: str, room: Mapping[str, int]) -> dict[str, Any]:
    """A task other than composition, which the theorem forbids to models with so much room."""
    return _document("bound", capacity_claim(asked, theorem, room), None)


def decision_certificate(decision: Decision) -> dict[str, Any]:
    """A word and L: solvable at all sizes (C1, C2) or at those asked (C3), or impossible at the sizes found.

    Kind `ceiling` where only a bound on the accuracy decides. Chunks are written as the windows of their lengths: what
    these cannot, they cannot.
    """
    if decision.solvable and decision.construction == "C2" and decision.word.chunks_alone:
        raise InputError(
            "no certificate: that z_0 and w stand in one chunk is not a claim of a word; write a window, W"
        )
    claim: dict[str, Any] = {"layers": _windows(decision.charged), "L": decision.L, "solvable": decision.solvable}
    if decision.solvable and decision.construction in ("C1", "C2"):
        return _document("decision", claim | {"construction": decision.construction}, None)
    if decision.solvable and decision.sizes is not None and decision.budget is not None:
        task = task_document(decision.sizes.m, decision.sizes.n)
        stored = {"construction": "C3", "task": task, "state_bits": exact_json(decision.budget.state_bits or 0)}
        return _document("decision", claim | stored, None)
    if decision.solvable is None or decision.found is None or decision.budget is None:
        raise InputError("no certificate: what is not decided has nothing to certify")
    if isinstance(decision.found, AccuracyBound):
        return ceiling_certificate(decision.found, decision.budget.message)
    claim |= decision.found.certificate_claim(decision.budget.message)
    if "tables" not in claim:  # A, B and C: idle layers and a total are known to the kernel from the word
        claim["lambda"] = [exact_json(bits) for bits in decision.budget.state_bits_at_most(decision.charged)]
    return _document("decision", claim, decision.found.certificate_choice())


def _windows(word: Word) -> list[str]:
    return [layer.replace("K", "W") for layer in word.layers]


def ceiling_certificate(bound: AccuracyBound, message: Message | None) -> dict[str, Any]:
    """accuracy ≤ the ceiling's value for every model of the word at these sizes: kind `ceiling`."""
    word, m, n, found, bits = bound.word, bound.m, bound.n, bound.ceiling, bound.state_bits
    if found.value >= 1:
        raise InputError("no certificate: a ceiling of 1 claims nothing")
    named = [k for name, k in found.parameters if name == "named"]
    theorem, own = found.theorem.partition(",")[0], n[: len(n) - len(named)]
    if theorem == "A2 nested":
        found = _with_tau(found, m, own, bound.message_bits, bits)
    parameters, theorem = dict(found.parameters), CERTIFICATE_NAMES.get(theorem, theorem)
    shares = {"shares": [_number(term.share) for term in found.terms]}
    choice: dict[str, Any] = {"named": named}
    if theorem == "A2 average":
        excess = None if bits[0] == 0 else _number(found.rest * m / bits[0])
        choice |= {"tau": _number(Fraction(parameters["tau"])), "excess": excess, **shares}
    elif theorem in ("B2c average", "A3c average"):
        chosen = {name: _number(Fraction(parameters[name])) for name in ("tau", "excess", "point")}
        choice |= {**chosen, "groups": parameters["groups"], **shares}
    elif theorem == "E":
        kept = [exact_json(int(parameters[f"x_{level}"])) for level in range(len(own) + 1)]
        blocks = list(range(word.full + 1))  # idle full layers stand behind all others
        choice |= {"payment": parameters["payment"], "blocks": blocks, "x": kept, **shares}
    elif found.terms:
        choice |= shares
    claim = {
        "layers": _windows(word),
        "theorem": theorem,
        "task": task_document(m, n),
        "tokens": exact_json(prompt_tokens(m, n)),
        "beta": None if bound.beta is None else exact_json(bound.beta),
        "lambda": [exact_json(value) for value in bits],
        "message": None if bound.beta is None or message is None else message.document(),
        "ceiling": _number(bound.ceiling.value),
    }
    return _document("ceiling", claim, choice)


def _with_tau(nested: Ceiling, m: int, n: Sequence[int], beta: int, state_bits: tuple[int, ...]) -> Ceiling:
    """The form of A2 that certificates have, which gives the same share as the nested one, or a smaller one."""
    from separation.bounds.ceilings import best_tau

    tau = best_tau(m, n[0], beta, state_bits) if state_bits[0] else Fraction(1)
    found = theorem_a2_average(m, n[0], tau, beta, state_bits)
    if found.value > nested.terms[-1].share:
        raise InputError("no certificate: the kernel does not know A2's nested form, which is the smaller one here")
    return found


def sparse_ceiling_certificate(
    block: int, opened: int, blocks: int, summary_bits: int, false_alarms: Fraction, hits: Fraction
) -> dict[str, Any]:
    """Theorem D': no sparse layer of this shape finds more than ``hits`` of the matches; `most_hits` gives a value."""
    claim = {
        "theorem": "D'",
        "block": exact_json(block),
        "open": exact_json(opened),
        "blocks": exact_json(blocks),
        "summary_bits": exact_json(summary_bits),
        "false_alarms": _number(false_alarms),
        "ceiling": _number(hits),
    }
    return _document("ceiling", claim, None)


def _number(value: Fraction) -> int | str:
    """An exact number as JSON has it."""
    written = number_to_json(value)
    if written is None:
        raise InputError("no certificate: one of its numbers has more than 4,000 digits")
    return written


def _document(kind: str, claim: dict[str, Any], choice: dict[str, Any] | None) -> dict[str, Any]:
    from separation.version import VERSION

    return {"schema": SCHEMA, "kind": kind, "tool": VERSION, "claim": claim, "choice": choice}
