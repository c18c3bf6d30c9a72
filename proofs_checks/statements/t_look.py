"""T.look: one full layer cannot choose among h symbols when the prompt itself says which: recall, selective copying.

h symbols of V are Alice's, at fixed places; h ways to write the rest of the prompt ask for one of them each, at one and
the same token q. No layer stands before the full one, so what Alice's tokens send to q is a function of her symbols and
q alone, the same for all ways: β bits. What recurrent layers behind it hand to q is Λ bits for each way. If
β + h·Λ < h·log2 V, two of her strings agree on all of it; they differ at some place, the way that asks for it makes q
say the same, and one is wrong. Recall: q is fixed, the keys are all another symbol but one, which is q. Selective
copying: c letters in the first half, c = 1..h; the place h is asked for, the letter h − c of the second half.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from proofs_checks.kit.cube import Protocol
from proofs_checks.kit.other_tasks import program_of
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.capacity import Asked, forbids
from separation.tasks.program import answers

SEEDS = 16


@dataclass(frozen=True)
class Look:
    """The theorem, or a false neighbour: a charge that is not paid, or a way to ask that is shifted."""

    looks_pay: bool = True
    states_pay: bool = True
    shift: int = 0


def ways(task: str, sizes: tuple[int, ...], symbols: tuple[int, ...], shift: int) -> list[list[int]]:
    """The prompt for each of the h ways to ask, with Alice's symbols in it; way j asks for symbol j."""
    h = len(symbols)
    if task == "recall":
        V = sizes[1]
        prompts = []
        for j in range(h):
            keys = [0 if place == (j + shift) % h else 1 for place in range(h)]
            pairs = [x for key, value in zip(keys, symbols, strict=True) for x in (1 + key, 1 + value)]
            prompts.append([0, *pairs, 1 + V])
        return prompts
    n, V = sizes
    blank = 1 + V
    return [
        [0, *([1] * (h - j - shift)), *([blank] * (j + shift)), *(1 + x for x in symbols), *([blank] * (n - 2 * h)),
         *([2 + V] * n)]
        for j in range(h)
    ]  # fmt: skip


def require_asked(claim: Look, task: str, sizes: tuple[int, ...], h: int) -> None:
    """The oracle's answer at the token that asks is the symbol."""
    program, _ = program_of(task, sizes)
    place = 0 if task == "recall" else h
    for symbols in product(range(sizes[1]), repeat=h):
        for j, ids in enumerate(ways(task, sizes, symbols, claim.shift)):
            require(answers(program, ids)[place] == symbols[j], f"{task} {sizes}: way {j} asks for another symbol")


def require_determined(claim: Look, seed: int, h: int, V: int) -> None:
    """Random models, β = Λ = 1: strings with equal charges have equal outputs for all ways to ask."""
    run, seen = Protocol(seed, 1), dict[Any, Any]()
    for symbols in product(range(V), repeat=h):
        alice = [("value", place, x) for place, x in enumerate(symbols)]
        charges, outputs = [run.heard(1, alice, "q")] * claim.looks_pay, []
        for way in range(h):
            bob = [("key", place, place == way) for place in range(h)]
            heard = run.heard(1, [*alice, *bob], "q")
            state = run.function(2, (tuple(alice), tuple(bob)), "state")  # of everything, and mixed at will
            charges += [state] * claim.states_pay
            outputs.append(run.function(3, (heard, state, tuple(bob)), "q"))
        require(seen.setdefault(tuple(charges), outputs) == outputs, f"seed {seed}: equal charges, and other outputs")


def check(claim: Look) -> Checked:
    for task, sizes, h in (("recall", (2, 2), 2), ("recall", (3, 3), 3), ("selective_copying", (4, 2), 2)):
        require_asked(claim, task, sizes, h)
        bits = (sizes[1] ** h - 1).bit_length()
        found = [forbids(Asked(task, sizes), "look", {"beta": beta, "lambda": 0}).holds for beta in (bits - 1, bits)]
        require(found == [True, False], f"{task} {sizes}: the calculator says {found}")
    for seed in range(SEEDS):
        require_determined(claim, seed, 3, 3)
    return Checked(Status.TESTED, "the ways to ask on the oracle; random models with equal charges", f"{SEEDS} models")


STATEMENT = Statement(
    id="T.look",
    title="one full layer does not choose among symbols when the prompt says which",
    latex=r"\beta+h\Lambda<h\log_2V",
    english="If this holds, no model with one full layer, messages of β bits and recurrent layers only behind it, of Λ "
    "bits, answers every prompt of associative recall of h pairs, keys and values in turn, of V symbols; nor of "
    "selective copying of 2h tokens.",
    subject=Look(),
    check=check,
    twins={
        "the look is free": Look(looks_pay=False),
        "states are free": Look(states_pay=False),
        "the ways shifted by one": Look(shift=1),
    },
    applies_to=("D2",),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "β + h·Λ < h·log2 V",
            lambda held: (
                forbids(Asked("recall", (4, 8)), "look", dict(zip(("beta", "lambda"), held, strict=True))).holds is True
            ),
            outside=(8, 1),
        ),
    ),
    witness=(7, 1),
)
"""The witness: β and Λ, for recall of 4 pairs of 8 symbols."""
