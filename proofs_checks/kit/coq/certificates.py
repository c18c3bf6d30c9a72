"""A certificate of the kinds bound and decision as a theorem in Coq, proved by one application of Decide.v.

The claim is stated over Definitions.v; its integers are binary naturals, and the inequalities are decided by
`vm_compute`: powers and binomials as they are where they are short, logarithms to q binary digits where they are not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_checks.kit.coq.sharper import sharper_text
from separation.bounds import Recursion, Rule, chosen_cover, half_cover, run_recursion
from separation.files import InputError

EXACT_BITS = 6_000
"""The longest number that is computed as it is: Coq multiplies bit by bit."""
LONGEST_BITS = 2_000
"""The longest number of a certificate that is written into a theorem."""
GUARD_DIGITS = 16

_HEAD = """\
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Decide.
"""


@dataclass(frozen=True)
class CoqTheorem:
    """The text of a Coq file with one theorem, `certificate`; what it applies, how it computes, what it imports."""

    text: str
    applied: str
    arithmetic: str
    imported: tuple[str, ...] = ("Decide.v",)


@dataclass(frozen=True)
class _Impossible:
    """The integers of a claim that something cannot be; ``idle`` full layers are put in front of the word's own."""

    theorem: str
    m: int
    n: tuple[int, ...]
    beta: int
    state_bits: tuple[int, ...]
    idle: int
    choice: dict[str, Any] | None
    word: str | None

    @property
    def L(self) -> int:
        return len(self.n) + 1

    @property
    def padded(self) -> tuple[int, ...]:
        return (0,) * self.idle + self.state_bits


def certificate_in_coq(document: dict[str, Any]) -> CoqTheorem:
    """The theorem that a certificate claims; only for one that the kernel accepted, so its fields are in order."""
    kind, claim = document["kind"], document["claim"]
    if kind not in ("bound", "decision"):
        raise InputError(f"a certificate of the kind {kind} has no Coq form; a bound and a decision have one")
    if claim.get("solvable") is True:
        return _solvable(claim)
    if claim["theorem"] == "A2W":
        return _windows(claim)
    if "tables" in claim:
        text, form = sharper_text(document, _integer, _word(claim["layers"]) if kind == "decision" else None)
        return CoqTheorem(text, form.theorem, "exactly", ("Decide.v", "Prefix.v", form.file))
    if claim["theorem"] not in ("A", "B", "C"):
        raise InputError(f"a certificate by Theorem {claim['theorem']} has no Coq form")
    full = None if kind == "bound" else sum("F" in layer for layer in claim["layers"])
    task = claim["task"]
    own = _Impossible(
        theorem=claim["theorem"],
        m=_integer(task["m"]),
        n=tuple(map(_integer, task["n"])),
        beta=0 if claim["beta"] is None else _integer(claim["beta"]),
        state_bits=tuple(map(_integer, claim["lambda"])),
        idle=0 if full is None or claim["theorem"] != "A" else len(task["n"]) - full,
        choice=document["choice"],
        word=None if full is None else _word(claim["layers"]),
    )
    if own.theorem == "C" or (own.theorem == "B" and own.L == 1):
        return _counted(own)
    return _by_recursion(own)


def _solvable(claim: dict[str, Any]) -> CoqTheorem:
    """C1 and C2: L ≤ depth, at all sizes. C3: states that hold a table each, at the sizes of the claim."""
    if claim["construction"] == "C3":
        task, held = claim["task"], _integer(claim["state_bits"])
        m, n = _integer(task["m"]), [_integer(size) for size in task["n"]]
        spare = len(claim["layers"]) - len(n) - 2
        statement = (
            f"exists md, [/\\ word md = nseq {len(claim['layers'])} false, "
            f"solves {_nat(m)} {_nats(n)} md & all (fun l => states l <= 2 ^ {_nat(held)}) (layers md)]"
        )
        test = f"all (holds_table {held}) (binary_sizes {m} {_list(n)})"
        return _theorem(statement, test, f"@decision_C3 {spare}%nat {held} {m} {_list(n)} h", "decision_C3")
    word, L = _word(claim["layers"]), _integer(claim["L"])
    statement = (
        f"forall m ns, (size ns).+1 = {L} -> exists md, [/\\ word md = {word}, solves m ns md, "
        "forall beta, tokens m ns <= 2 ^ beta -> message_bits md beta & "
        "forall lam, maxn m 1 <= 2 ^ lam -> all_state_bits md lam]"
    )
    return _theorem(
        statement, f"({L} <= depth {word})%nat", f"@decision_solvable {word} {L}%nat isT h", "decision_solvable"
    )


def _windows(claim: dict[str, Any]) -> CoqTheorem:
    """A2_W, of reaches or of a word: what the proved checker says of the claim (Claims.v), computed in Coq."""
    task, (before, after) = claim["task"], map(_integer, claim["reaches"])
    sizes = "; ".join(f"[:: ({_integer(size)}, 1)%num]" for size in task["n"])
    letters = ["None" if layer == "F" else f"Some {int(layer[1:]) - 1}%num" for layer in claim.get("layers", [])]
    word = f"(Some ([:: {'; '.join(letters)}], {_integer(claim['L'])}%num))" if letters else "None"
    said = (
        f"says (WindowsCannot {word} (Task [:: ({_integer(task['m'])}, 1)%num] [:: {sizes}] None)\n"
        f"  (Budget {_integer(claim['beta'])} [::] None) {before} {after})"
    )
    text = (
        "From Coq Require Import NArith.\nFrom mathcomp Require Import all_ssreflect.\n"
        "From separation Require Import Claims Checker CheckerTheorems.\n"
        f"Theorem certificate : {said}.\nProof. by apply: (@T_checker [::]); vm_compute. Qed.\n"
    )
    return CoqTheorem(text, "T_checker", "by logarithms", ("CheckerTheorems.v",))


def _counted(own: _Impossible) -> CoqTheorem:
    """Theorem C, and Theorem B for one table: all bits that pass are fewer than the last table has."""
    N = math.prod(own.n, start=own.m)
    bits = own.state_bits[-1] if own.theorem == "C" else own.beta + own.state_bits[1]
    arithmetic = _arithmetic([bits, N], N * N.bit_length())
    solved = f"solves {_nat(own.m)} {_nats(own.n)} md"
    if own.theorem == "C":
        thought = f"forall next, ~ solves_cot {_nat(own.m)} {_nats(own.n)} (md := md) next"
        shape = "number_full md = 0" if own.word is None else f"word md = {own.word}"
        statement = f"forall md : model, {shape} -> all_state_bits md {_nat(bits)} -> ~ {solved} /\\ {thought}"
        folded = f"(foldl N.mul {own.m} {_list(own.n)})"
        test = f"ends {arithmetic} {bits} {folded} {folded}"
        name = "certificate_C" if own.word is None else "decision_C"
        proof = f"@{name} {arithmetic} {bits} {own.m} {_list(own.n)}"
        rest = " h" if own.word is None else f" {own.word} h erefl"
        return _theorem(statement, test, proof + rest, name, arithmetic)
    test = f"ends {arithmetic} (N.add {own.beta} (listed {_list(own.state_bits)} 1%nat)) {own.m} {own.m}"
    name = "certificate_B_one" if own.word is None else "decision_B_one"
    proof = f"@{name} {arithmetic} {own.beta} {_list(own.state_bits)} {own.m}"
    rest = " h" if own.word is None else f" {own.word} h isT isT"
    return _theorem(_cannot(own), test, proof + rest, name, arithmetic)


def _by_recursion(own: _Impossible) -> CoqTheorem:
    """Theorem A, A with Λ_0 = 0, or B: the levels with their (x_ℓ, Θ_ℓ)."""
    assert own.choice is not None
    x = [_integer(value) for value in own.choice["x"]]
    reached = own.choice["reached"]
    cover = half_cover if reached is None else chosen_cover([_integer(value) for value in reached])
    rule = Rule.B if own.theorem == "B" else Rule.A_FREE if own.choice["free_start"] else Rule.A
    ladder = run_recursion(rule, own.beta, own.padded, own.m, own.n, x, cover)
    arithmetic = _arithmetic([*ladder.D, *ladder.N], _longest_power(ladder, own.n, x))
    form = {Rule.A: "A", Rule.A_FREE: "A_free", Rule.B: "B"}[rule]
    first = {Rule.A: x[:1], Rule.A_FREE: x[:2], Rule.B: [*x[:2], *ladder.theta[1:2]]}[rule]
    pairs = list(zip(x, ladder.theta, strict=True))[1 if rule is Rule.A else 2 :]
    given = f"{own.m} {_list(own.n)} {' '.join(map(str, first))} {_list([f'({kept}, {th})' for kept, th in pairs])}"
    listed, idle = _list(own.state_bits), ""
    if own.word is not None and rule is not Rule.B:
        listed, idle = f"(nseq {own.idle}%nat 0 ++ {listed})", f"{own.idle}%nat "
    test = f"hard{form}_test {arithmetic} {own.beta} (listed {listed}) {given}"
    name = f"{'certificate' if own.word is None else 'decision'}_{form}"
    supposed = "h" if own.word is None else f"{own.word} h isT{' isT' if rule is Rule.B else ''}"
    proof = f"@{name} {arithmetic} {idle}{own.beta} {_list(own.state_bits)} {given} {supposed}"
    return _theorem(_cannot(own), test, proof, name, arithmetic)


def _cannot(own: _Impossible) -> str:
    """No model of the theorem's shape, or of the word, with these message and state bits solves the task."""
    held = [f"message_bits md {_nat(own.beta)}", f"state_bits md (bits {_list(own.state_bits)})"]
    if own.word is not None:
        parts = [f"word md = {own.word}", *held]
    elif own.theorem == "B":
        parts = [*held, f"number_full md <= {own.L}", "no_early_rec md"]
    else:
        parts = [*held, f"number_full md <= {own.L - 1}"]
    return f"forall md : model, {' -> '.join(parts)} -> ~ solves {_nat(own.m)} {_nats(own.n)} md"


def _theorem(statement: str, test: str, proof: str, applied: str, arithmetic: str = "Exactly") -> CoqTheorem:
    """h is the computed test, and the proof one application to it."""
    text = (
        f"{_HEAD}\nTheorem certificate :\n  {statement}.\n"
        f"Proof.\nhave h : ({test})%num by vm_compute.\nexact ({proof})%num.\nQed.\n"
    )
    digits = re.search(r"\d+", arithmetic)
    return CoqTheorem(text, applied, f"by logarithms to {digits[0]} digits" if digits else "exactly")


def _arithmetic(numbers: Sequence[int], longest: int) -> str:
    """Exactly, if no number has more than EXACT_BITS; else logarithms to some digits more than the numbers have."""
    if longest <= EXACT_BITS and max(numbers) <= EXACT_BITS**2:
        return "Exactly"
    return f"(ByLogarithms {max(number.bit_length() for number in numbers) + GUARD_DIGITS}%nat)"


def _longest_power(ladder: Recursion, n: Sequence[int], x: Sequence[int]) -> int:
    """The bits of the longest of N_{ℓ-1}^{t_ℓ} and 2^{1+x_ℓ·D_ℓ} for all ℓ, N_{L-1}^{n·Θ} and 2^{D_L}, nearly."""
    asked = [ladder.theta[0], *(size * values for size, values in zip(n, ladder.theta[1:], strict=True))]
    powers = [kept * k * N.bit_length() for kept, k, N in zip(x[1:], asked, ladder.N, strict=False)]
    doubled = [1 + kept * D for kept, D in zip(x[1:], ladder.D, strict=False)]
    return int(max([*powers, *doubled, asked[-1] * ladder.N[-1].bit_length(), ladder.D[-1]]))


def _word(layers: Sequence[str]) -> str:
    """true for F and [FR], which is a Full layer with a state of its own; false for R."""
    return "[:: " + "; ".join("true" if "F" in layer else "false" for layer in layers) + "]"


def _integer(value: Any) -> int:
    """An integer; a string, which may be a fraction that is whole; or a product of powers."""
    if isinstance(value, dict):
        pairs = [(_integer(base), _integer(exponent)) for base, exponent in value["powers"]]
        if sum(base.bit_length() * exponent for base, exponent in pairs) > 2 * LONGEST_BITS:
            raise InputError(f"a number of the certificate has more than {LONGEST_BITS} bits, too long for Coq here")
        return math.prod(base**exponent for base, exponent in pairs)
    number = int(Fraction(value))
    if number.bit_length() > LONGEST_BITS:
        raise InputError(f"a number of the certificate has more than {LONGEST_BITS} bits, too long for Coq here")
    return number


def _nat(number: int) -> str:
    return f"(N.to_nat {number})"


def _nats(numbers: Sequence[int]) -> str:
    return f"(map N.to_nat {_list(numbers)})" if numbers else "[::]"


def _list(numbers: Sequence[object]) -> str:
    return f"[:: {'; '.join(map(str, numbers))}]%num" if numbers else "[::]"
