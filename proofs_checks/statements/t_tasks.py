"""The tasks of the matrix besides composition: memory, reach, a look that chooses, and parity without positions.

They are programs of the gallery, so what is said of them is checked on their own oracle, or on all small models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from constructions.programs import gallery
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.capacity import DEMANDS, Asked, forbids
from separation.tasks.program import Definitions, answers
from separation.tasks.program.oracle import all_inputs

SMALL: dict[str, tuple[tuple[int, ...], ...]] = {
    "recall": ((1, 2), (2, 2), (2, 3)),
    "copying": ((1, 2), (3, 2), (2, 3)),
    "selective_copying": ((2, 2), (3, 2)),
    "two_sum": ((2, 3), (3, 3), (2, 7), (3, 5), (4, 3)),
    "majority": ((2,), (3,), (4,), (5,)),
    "state_based_recall": ((6, 2, 1),),
    "parity": ((1,), (2,), (4,)),
}
"""Sizes at which all inputs are run."""


def program_of(task: str, sizes: Sequence[int]) -> tuple[Definitions, int]:
    """The gallery's program, and how many tokens stand before the boundary at which states are counted."""
    a, b, c = [*sizes, 0, 0][:3]
    arguments: dict[str, dict[str, Any]] = {
        "recall": {"pairs": a, "V": b, "queries": 1},
        "copying": {"n": a, "V": b},
        "selective_copying": {"n": a, "V": b},
        "two_sum": {"n": a, "M": b},
        "majority": {"n": a},
        "state_based_recall": {"n": c, "V": b},
        "parity": {},
    }
    program = gallery(task, **arguments[task]).definitions
    cut = {"recall": 1 + 2 * a, "copying": a, "selective_copying": 1 + a, "two_sum": a, "majority": 1 + a // 2}
    if task == "parity":
        program = program.at_length(a)
    return program, cut.get(task, 1 + a if task == "state_based_recall" else a)


def answered(program: Definitions) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Every input with its right answers, one for each token that is asked."""
    for ids in all_inputs(program):
        yield tuple(ids), answers(program, ids)


Kept = Callable[[Asked], tuple[int, int]]
"""(h, V)."""


def told_apart(task: str, sizes: tuple[int, ...]) -> int:
    """How many prefixes, each with all continuations, have different answers: what any state must tell apart."""
    program, cut = program_of(task, sizes)
    functions: dict[tuple[int, ...], dict[Any, Any]] = {}
    for ids, right in answered(program):
        asked = len(ids) - cut
        functions.setdefault(ids[:cut], {})[ids[cut:]] = tuple(right[-asked:])
    groups: dict[frozenset[Any], set[Any]] = {}
    for each in functions.values():  # compared where they have the same continuations
        groups.setdefault(frozenset(each), set()).add(tuple(sorted(each.items())))
    return max(map(len, groups.values()))


def check_memory(kept: Kept) -> Checked:
    """All inputs of the gallery's programs at tiny sizes, and the calculator's verdict at the last bit."""
    count = 0
    for task, cases in SMALL.items():
        for sizes in cases:
            asked, found = Asked(task, sizes), told_apart(task, sizes)
            h, V = kept(asked)
            require(V**h <= found, f"{task} {sizes}: {V}^{h} prefixes are claimed, {found} differ")
            for bits in ((V**h - 1).bit_length(), max(0, (V**h - 1).bit_length() - 1)):
                holds = forbids(asked, "memory", {"lambda": bits}).holds
                require(holds == (1 << bits < V**h), f"{task} {sizes}: the calculator says {holds} at {bits} bits")
            count += 1
    return Checked(Status.EXHAUSTIVE, "all inputs, prefixes told apart by their continuations", f"{count} tiny sizes")


MEMORY = Statement(
    id="T.memory",
    title="recurrent layers alone must keep what may be asked",
    latex=r"\Lambda<h\log_2V",
    english="If the prefixes of a task include V^h of which any two are told apart by some continuation, no model of "
    "recurrent layers alone with fewer than h·log2 V state bits answers every prompt, with thoughts or without: recall "
    "of D pairs of V symbols and copying of n (h = D, n), 2-Sum, majority, state-based recall.",
    explanation="""
All that later tokens know of a prefix passes one boundary in Λ bits, thoughts or not. V^h prefixes are given such
that any two of them are told apart by some continuation: recall, keys 0..D−1 with any values, and a query for each;
copying, any string; selective copying, letters alone; 2-Sum, the set of values but 0 among the first n−1 tokens,
which is any choice of one value from each of n−1 classes, or any subset of n−1 values with 0 for those left out;
majority, any number of ones among the first half; state-based recall, any table, each row of which some word leads
to. If V^h > 2^Λ, two of them have the same state, and the same answers: one is wrong.
""",
    subject=lambda asked: asked.kept,
    check=check_memory,
    twins={
        "a symbol more": lambda asked: (asked.kept[0] + 1, asked.kept[1]),
        "a value more": lambda asked: (asked.kept[0], asked.kept[1] + 1),
    },
    hypotheses=(
        Hypothesis("a task with a demand", lambda held: held[0] in DEMANDS, outside=("sorting", 11)),
        Hypothesis(
            "Λ < h·log2 V",
            lambda held: forbids(Asked("recall", (4, 8)), "memory", {"lambda": held[1]}).holds is True,
            outside=("recall", 12),
        ),
    ),
    witness=("recall", 11),
)
"""The witness: recall of 4 pairs of 8 symbols, and Λ."""


def dependence(task: str, sizes: tuple[int, ...]) -> int:
    """The largest distance from a token that is asked back to one whose change alone changes its right answer."""
    program, _ = program_of(task, sizes)
    rows, found = dict(answered(program)), 0
    first, last = program.asked
    for ids, right in rows.items():
        for place in range(len(ids)):
            changed = [
                other for other in rows if other[:place] == ids[:place] and other[place + 1 :] == ids[place + 1 :]
            ]
            for other in changed:
                moved = [at for at in range(first, last) if rows[other][at - first] != right[at - first]]
                found = max([found, *(at - place for at in moved)])
    return found


def check_reach(distance: Callable[[Asked], int]) -> Checked:
    """All pairs of inputs that differ in one token, of the gallery's programs at tiny sizes."""
    count = 0
    for task, cases in SMALL.items():
        for sizes in cases[:2]:
            asked = Asked(task, sizes)
            claimed, found = distance(asked), dependence(task, sizes)
            require(claimed == found, f"{task} {sizes}: distance {claimed} is claimed, {found} is the farthest")
            verdicts = [forbids(asked, "reach", {"reach": reach}).holds for reach in range(claimed + 1)]
            require(verdicts == [True] * claimed + [False], f"{task} {sizes}: the calculator says {verdicts}")
            count += 1
    return Checked(Status.EXHAUSTIVE, "all pairs of inputs that differ in one token", f"{count} tiny sizes")


REACH = Statement(
    id="T.reach",
    title="windows alone see no farther than their reaches add up to",
    latex=r"\textstyle\sum_t(k_t-1)<\text{distance}",
    english="If an answer of a task depends on a token that stands farther back than the reaches of all windows add up "
    "to, no model of layers with windows alone answers every prompt: copying n tokens needs a reach of n.",
    explanation="""
By induction over layers: what a token knows depends on itself and on as many tokens before it as the windows so far
reach back, a window of k tokens k − 1. If an answer depends on a token that stands farther back, two inputs that differ
there alone get the same answer, and one of them is wrong.
""",
    subject=lambda asked: asked.distance,
    check=check_reach,
    twins={
        "a token farther": lambda asked: asked.distance + 1,
        "a token nearer": lambda asked: asked.distance - 1,
    },
    hypotheses=(
        Hypothesis(
            "r < distance",
            lambda reach: forbids(Asked("copying", (8, 2)), "reach", {"reach": reach}).holds is True,
            outside=8,
        ),
    ),
    witness=7,
)
"""The witness: a reach, for copying 8 tokens."""


class Protocol:
    """Full layers without R: what a token hears is a sum of random functions of sender and receiver, modulo 2^β."""

    def __init__(self, seed: int, beta: int) -> None:
        self.seed, self.beta = seed, beta

    def function(self, layer: int, sender: Any, receiver: Any) -> int:
        text = repr((self.seed, layer, sender, receiver)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") % (1 << self.beta)

    def heard(self, layer: int, senders: Iterable[Any], receiver: Any) -> int:
        return sum(self.function(layer, sender, receiver) for sender in senders) % (1 << self.beta)


SEEDS = 16


@dataclass(frozen=True)
class IndexBound:
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


def require_asked(claim: IndexBound, task: str, sizes: tuple[int, ...], h: int) -> None:
    """The oracle's answer at the token that asks is the symbol."""
    program, _ = program_of(task, sizes)
    place = 0 if task == "recall" else h
    for symbols in product(range(sizes[1]), repeat=h):
        for j, ids in enumerate(ways(task, sizes, symbols, claim.shift)):
            require(answers(program, ids)[place] == symbols[j], f"{task} {sizes}: way {j} asks for another symbol")


def require_determined(claim: IndexBound, seed: int, h: int, V: int) -> None:
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


def check_look(claim: IndexBound) -> Checked:
    for task, sizes, h in (("recall", (2, 2), 2), ("recall", (3, 3), 3), ("selective_copying", (4, 2), 2)):
        require_asked(claim, task, sizes, h)
        bits = (sizes[1] ** h - 1).bit_length()
        found = [forbids(Asked(task, sizes), "look", {"beta": beta, "lambda": 0}).holds for beta in (bits - 1, bits)]
        require(found == [True, False], f"{task} {sizes}: the calculator says {found}")
    for seed in range(SEEDS):
        require_determined(claim, seed, 3, 3)
    return Checked(Status.TESTED, "the ways to ask on the oracle; random models with equal charges", f"{SEEDS} models")


LOOK = Statement(
    id="T.look",
    title="one full layer does not choose among symbols when the prompt says which",
    latex=r"\beta+h\Lambda<h\log_2V",
    english="If this holds, no model with one full layer, messages of β bits and recurrent layers only behind it, of Λ "
    "bits, answers every prompt of associative recall of h pairs, keys and values in turn, of V symbols; nor of "
    "selective copying of 2h tokens.",
    explanation="""
h symbols of V are Alice's, at fixed places; h ways to write the rest of the prompt ask for one of them each, at one and
the same token q. No layer stands before the full one, so what Alice's tokens send to q is a function of her symbols and
q alone, the same for all ways: β bits. What recurrent layers behind it hand to q is Λ bits for each way. If
β + h·Λ < h·log2 V, two of her strings agree on all of it; they differ at some place, the way that asks for it makes q
say the same, and one is wrong. Recall: q is fixed, the keys are all another symbol but one, which is q. Selective
copying: c letters in the first half, c = 1..h; the place h is asked for, the letter h − c of the second half.
""",
    subject=IndexBound(),
    check=check_look,
    twins={
        "the look is free": IndexBound(looks_pay=False),
        "states are free": IndexBound(states_pay=False),
        "the ways shifted by one": IndexBound(shift=1),
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

Step = tuple[int, ...]


def monotone(g: int) -> list[Step]:
    return [step for step in product(range(g), repeat=g) if all(a <= b for a, b in pairwise(step))]


def any_map(g: int) -> list[Step]:
    return list(product(range(g), repeat=g))


def agrees_up_to(trace: list[object], most: int) -> int:
    """The largest n ≤ most such that some reading of the trace says the parity of the first 1, 2, …, n tokens."""
    said: dict[object, int] = {}
    for place, seen in enumerate(trace[:most]):
        if said.setdefault(seen, place % 2) != place % 2:
            return place
    return most


def longest(layers: int, g: int, steps: list[Step], most: int) -> int:
    """The longest ones-only prompt on which some model of so many layers is right: a token reads the state before it,
    and in the second layer the map is chosen by what the first one reads."""
    best = 0
    for step, first in product(steps, range(g)):
        states = [first]
        for _ in range(most):
            states.append(step[states[-1]])
        if layers == 1:
            best = max(best, agrees_up_to(list(states), most))
            continue
        for maps, start in product(product(steps, repeat=len(set(states))), range(g)):
            number, second = {seen: index for index, seen in enumerate(dict.fromkeys(states))}, [start]
            for seen in states[:most]:
                second.append(maps[number[seen]][second[-1]])
            best = max(best, agrees_up_to(list(zip(states, second, strict=True)), most))
    return best


def check_period(claim: tuple[Callable[[int], list[Step]], int]) -> Checked:
    """All models of one layer with up to 5 values, and of two layers with up to 3."""
    maps, more = claim
    cases = [(1, 2), (1, 3), (1, 4), (1, 5), (2, 2), (2, 3)]
    for layers, g in cases:
        wrong_at = layers * (g - 1) + more
        found = longest(layers, g, maps(g), wrong_at + 2)
        require(found < wrong_at, f"{layers} layers, {g} values: right on all of {found} tokens")
        room = {"layers": layers, "values": g}
        verdicts = [forbids(Asked("parity", (n,)), "period", room).holds for n in (wrong_at - 1, wrong_at)]
        require(verdicts == [False, True], f"{layers} layers, {g} values: the calculator says {verdicts}")
    return Checked(Status.EXHAUSTIVE, "all models of a chain of values, on ones alone", "up to 5 values, 2 layers")


PERIOD = Statement(
    id="T.period",
    title="gates from 0 on do not compute parity beyond a length",
    latex=r"n\ge\ell(g-1)+2",
    english="No model of ℓ recurrent layers in which each number of a state is one of g values and what a token makes "
    "of it is a non-decreasing function of what it was, without positions, says the parity of n bits at every token.",
    explanation="""
On ones alone all tokens are embedded alike. A number of a state in the first layer is moved by one map from a chain of
g values to itself, and the map is non-decreasing: s ↦ round(a·s + b) with a ≥ 0 and any rounding that keeps the order,
in fixed or floating point. So the number rises or falls until it stands still, after at most g − 1 steps; then the
layer's output stands still, and the next layer's states do so g − 1 steps later. After ℓ layers, from token ℓ(g−1) + 1
on, all outputs are the same, and parity is not. Whatever the tokens compute for themselves, gates that depend on them,
MLPs, several numbers, normalisation, is allowed. Full layers and windows without positions change nothing but the
number of steps: the share of the ones that look alike in an average is monotone in their number, and its floor has
finitely many values. With eigenvalues in [0, 1] in place of single numbers (delta rule, β·|k|² in [0, 1]) the same
holds for states kept exactly and outputs rounded: sums of powers of positive numbers are monotone from some length on
(Grazzi et al., 2024, Theorem 1).
""",
    subject=(monotone, 2),
    check=check_period,
    twins={"gates of any sign": (any_map, 2), "one token earlier": (monotone, 1)},
    hypotheses=(
        Hypothesis(
            "ℓ(g−1) + 2 ≤ n",
            lambda n: forbids(Asked("parity", (n,)), "period", {"layers": 2, "values": 4}).holds is True,
            outside=7,
        ),
    ),
    witness=8,
)
"""The witness: n, for two layers and four values."""

STATEMENTS = (MEMORY, REACH, LOOK, PERIOD)
