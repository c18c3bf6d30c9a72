"""A certificate of the kinds bound and decision as a theorem in Coq: what its claim says, by the proved checker.

What a claim says is in Claims.v, over the definitions of the theorems; `T_checker` proves what the checker of
Checker.v accepts, and `vm_compute` runs that checker: powers are enclosed, logarithms have 256 digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_checks.kit.coq import term
from separation.files import InputError

LONGEST_BITS = 20_000
"""Of the length of a prompt, or of a stored table, which is multiplied out."""
IMPORTED = "CheckerTheorems.v"
_HEAD = """\
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Claims Checker CheckerTheorems.
"""
CHOSEN = {
    "B": ("ByOne",),
    "A2": ("ByA2", "Theta"),
    "B2": ("ByB2", "x_0", "v", "Theta"),
    "A3": ("ByA3", "g", "u", "Theta_1", "x_2", "Theta_2"),
    "A3.free": ("ByA3Free", "Theta_1", "v", "Theta_2"),
    "B2c": ("ByB2c", "g", "v", "omega", "groups"),
    "A3c": ("ByA3c", "g", "v", "omega", "groups"),
    "AL": ("ByAL", "g", "Theta_1"),
    "BL": ("ByBL", "x_0", "x_1", "Theta_1"),
}
"""The constructor of a sharper theorem, and the integers of its proof; of A_L and B_L levels and rows follow."""


@dataclass(frozen=True)
class CoqTheorem:
    """The text of a Coq file with one theorem, `certificate`; what it applies, and how it computes."""

    claim: str
    applied: str = "T_checker"
    arithmetic: str = "by enclosures and logarithms"

    @property
    def statement(self) -> str:
        return f"Theorem certificate :\n  says ({self.claim})."

    @property
    def text(self) -> str:
        proof = "by apply: (@T_checker [::]); vm_compute."
        return f"{_HEAD}\n{self.statement}\nProof. {proof} Qed.\n"

    @property
    def undecided(self) -> str:
        """A file that Coq accepts if the checker, which does not accept the claim, does not refuse it either."""
        return f"{_HEAD}\nGoal undecided ({self.claim}).\nProof. by vm_compute. Qed.\n"


def certificate_in_coq(document: Mapping[str, Any]) -> CoqTheorem:
    """The theorem that a certificate claims; only for one that the kernel accepted, so its fields are in order."""
    kind, claim, choice = document["kind"], document["claim"], document.get("choice")
    if kind not in ("bound", "decision"):
        raise InputError(f"a certificate of the kind {kind} has no Coq form; a bound and a decision have one")
    if claim.get("solvable") is True:
        return CoqTheorem(_solvable(claim))
    if claim["theorem"] == "A2W":
        return CoqTheorem(_windows(claim))
    if claim["theorem"] == "D":
        numbers = (int(claim["modulus"]) - 1, *(claim[key] for key in ("block", "open", "blocks", "summary_bits")))
        return CoqTheorem(f"Sparse {' '.join(map(_N, numbers))}")
    if claim["theorem"] not in ("A", "C", *CHOSEN):
        raise InputError(f"a certificate by Theorem {claim['theorem']} has no Coq form")
    said = f"{_task(claim)} {_budget(claim)} {_reason(claim, choice)}"
    return CoqTheorem(f"Cannot {said}" if kind == "bound" else f"WordCannot {_word(claim)} {_N(claim['L'])} {said}")


def _solvable(claim: Mapping[str, Any]) -> str:
    """C1 and C2: L ≤ depth, at all sizes. C3: states that hold a table each, at the sizes of the claim."""
    spoken = f"{_word(claim)} {_N(claim['L'])}"
    if claim["construction"] == "C3":
        return f"WordStores {spoken} {_task(claim, multiplied=True)} {_N(claim['state_bits'])}"
    return f"WordCan {spoken} {str(claim['construction'] == 'C1').lower()}"


def _windows(claim: Mapping[str, Any]) -> str:
    """A2_W, of reaches or of a word."""
    letters = ["None" if layer == "F" else f"Some {_N(int(layer[1:]) - 1)}" for layer in claim.get("layers", [])]
    word = f"(Some ({term(letters)}, {_N(claim['L'])}))" if letters else "None"
    before, after = map(_N, claim["reaches"])
    return f"WindowsCannot {word} {_task(claim)} {_budget(claim)} {before} {after}"


def _task(claim: Mapping[str, Any], multiplied: bool = False) -> str:
    task, tokens = claim["task"], claim.get("tokens")
    if multiplied or tokens is not None:
        bits = sum(b.bit_length() * e for value in (task["m"], *task["n"]) for b, e in _pairs(value))
        if bits > LONGEST_BITS:
            raise InputError(f"the sizes of the certificate have {bits} bits, too long for Coq, which multiplies them")
    length = "None" if tokens is None else f"(Some {_N(tokens)})"
    return f"(Task {_number(task['m'])} {term(map(_number, task['n']))} {length})"


def _budget(claim: Mapping[str, Any]) -> str:
    message, linear = claim["message"], term(map(_number, claim.get("lambda", ())))
    heads = "None"
    if message is not None:
        heads = f"(Some ({', '.join(_N(message[key]) for key in ('heads', 'dim', 'P', 'p'))}))"
    return f"(Budget {_N(claim['beta'] or 0)} {linear} {heads})"


def _reason(claim: Mapping[str, Any], choice: Mapping[str, Any] | None) -> str:
    """The theorem with the integers of its proof."""
    name, n = claim["theorem"], claim["task"]["n"]
    if "tables" in claim:
        return f"(BySharper {claim['tables']}%nat ({_sharper(name, claim['tables'], n, choice or {})}))"
    if name == "C":
        return "ByC"
    if choice is None:
        return "ByBOne"
    kept, reached = term(map(_number, choice["x"])), choice["reached"]
    values = "None" if reached is None else f"(Some {term(map(_number, reached))})"
    return f"(By{name} (Choice {kept} {values} {str(choice['free_start']).lower()}))"


def _sharper(name: str, tables: int, n: Sequence[Any], choice: Mapping[str, Any]) -> str:
    """Without groups there is one for each of the last values; without rows all are used."""
    by, *keys = CHOSEN[name]
    given = {"omega": 1, "groups": n[tables - 2] if tables > 1 else 1, **choice}
    said = [by, *(_number(given[key]) for key in keys)]
    if name in ("AL", "BL"):
        levels = (f"({_number(choice[f'x_{k}'])}, {_number(choice[f'Theta_{k}'])})" for k in range(2, tables))
        rows = (_number(choice.get(f"nu_{k}", n[k - 1])) for k in range(1, tables - 1))
        said += [term(levels), term(rows)]
    return " ".join(said)


def _word(claim: Mapping[str, Any]) -> str:
    """true for F and [FR], which is a Full layer with a state of its own; false for R."""
    return term("true" if "F" in layer else "false" for layer in claim["layers"])


def _pairs(value: Any) -> list[tuple[int, int]]:
    """Bases and exponents; an integer, also in a string or a whole fraction, is its own first power."""
    pairs = value["powers"] if isinstance(value, dict) else [(value, 1)]
    return [(int(Fraction(base)), int(Fraction(exponent))) for base, exponent in pairs]


def _number(value: Any) -> str:
    return f"{term(f'({base}, {exponent})' for base, exponent in _pairs(value))}%num"


def _N(value: Any) -> str:
    return f"{math.prod(base**exponent for base, exponent in _pairs(value))}%num"
