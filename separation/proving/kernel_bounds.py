"""The part of the kernel for bounds, decisions and ceilings; `kernel.py`, beside it, hands them over.

Nothing but `kernel.py` and the standard library is imported: these two files and docs/certificates.md are all there is
to read. A real number is bounded on the side that makes the check harder to pass. Order: claims; whole numbers that may
be too long to write down; theorems; sentences.
"""

from __future__ import annotations

import itertools
import operator
import re
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, factorial, floor, prod

from separation.proving.kernel import (
    BITS,
    DIGITS,
    MAX_CELLS,
    MAX_EXPONENT,
    MAX_LENGTH,
    MAX_SUBSETS,
    Rational,
    counted,
    exp,
    fields,
    funccomp_text,
    integer,
    limit,
    list_text,
    listed,
    many,
    need,
    number,
    product,
    products,
    refuse,
    show,
    silent,
    spend,
    string,
    total,
    word_text,
)

TYPE_CHECKING = False  # as in kernel.py
if TYPE_CHECKING:
    from typing import Any

    from separation.proving.kernel import Accepted

MAX_LAYERS, MAX_POWER = 4096, 1 << 512  # of a word; an exponent of a size
MAX_WINDOW = 10**9  # tokens
MAX_BINOMIAL, MAX_UNION = 20000, 1 << 12  # bits up to which C(N, k) is written out; entries of a table in a union bound
BY_HAND = {  # theorems that are not proved in Coq in all their forms, and how those are known that are not
    "A2 average": "proved by hand, tested",
    "B2c average": "proved by hand, tested",
    "A3c average": "proved by hand, tested",
    "E": "proved by hand, tested",
    "memory": "proved by hand, tested",
    "look": "proved by hand, tested",
    "reach": "proved by hand, tested",
    "period": "proved by hand, tested",
}


def theorem_text(theorem: str, step: bool = False, form: bool = False) -> str:
    """Which theorem a sentence rests on, and how that is known, if not by Coq, which has a ``form`` of some of BY_HAND;
    by hand is the ``step`` to a table more in front."""
    known = "proved by hand, tested" if step else None if form else BY_HAND.get(theorem)
    return f"(Theorem {theorem}{f', {known}' if known else ''})"


def check_bound(document: dict[str, Any]) -> Accepted:
    """No model of the theorem's shape solves the task at exactly these sizes; every field of the claim is true."""
    _, _, tool, claim, choice = fields(document, "schema kind tool claim choice")
    string(tool)
    if claim.get("theorem") == "D":
        return check_sparse(claim, choice)
    if claim.get("theorem") == "D2":
        return check_sparse_layers(claim, choice)
    if isinstance(claim.get("theorem"), str) and claim["theorem"] in CAPACITY:
        return check_capacity(claim, choice)
    if claim.get("theorem") == "A2W":
        _, task, _, beta, _, _, _ = fields(claim, WINDOWS)
        before, after = check_windows(claim, choice)
        shape = f"1 full layer and windows that reach {show(before)} tokens back before and {show(after)} behind it"
        room = f"with messages of at most {large_text(beta)} bits"
        sentence = f"No causal model of {shape}, {room}, solves {sizes_text(task)} in one pass {theorem_text('A2W')}."
        return sentence, silent(claim, "tokens", "message")
    if "tables" in claim:
        return check_sharper_bound(claim, choice)
    theorem, task, _, beta, linear, _ = fields(claim, BOUND)
    L = check_impossible(claim, listed(linear), choice)
    words = {"A": full_text("A", L - 1), "B": full_text("B", L), "C": "recurrent layers alone"}
    sentence = f"No causal model of {words[theorem]}, {room_text(beta, linear)}, solves {sizes_text(task)} in one pass"
    return f"{sentence} {theorem_text(theorem)}.", silent(claim, "tokens", "beta", "message")


def check_decision(document: dict[str, Any]) -> Accepted:
    """The word's depth, and with it the construction that solves L, or the theorem that forbids it at these sizes."""
    _, _, tool, claim, choice = fields(document, "schema kind tool claim choice")
    string(tool)
    if claim.get("solvable") is True:
        return check_solvable(claim, choice)
    sharper, windows = "tables" in claim, claim.get("theorem") == "A2W"
    names = f"layers L solvable {WINDOWS if windows else BOUND}{' tables' if sharper and not windows else ''}"
    layers, asked, solvable, theorem, *_, linear, _ = fields(claim, names)[:9]
    (full, depth), L = depth_of(layers), integer(asked, 1)
    limit(L <= MAX_LENGTH, f"L is more than {MAX_LENGTH}")
    need(solvable is False, "solvable is neither true nor false")
    refuse(depth >= L, f"L = {L} is at most the depth {depth}")
    if windows:
        first = next((place for place, layer in enumerate(layers) if layer == "F"), 0)
        seen = [sum(window(layer) - 1 for layer in part) for part in (layers[:first], layers[first + 1 :])]
        alone = all(layer == "F" or window(layer) for layer in layers)
        refuse(not alone or full != 1 or seen != check_windows(claim, choice), "another theorem applies to this word")
        refuse(len(claim["task"]["n"]) + 1 != L, "the task has another L")
    elif sharper:
        check_sharper(claim, choice)
        applies = full == full_layers(theorem, claim["tables"])
        refuse(not applies or (theorem[0] == "B" and depth == full), "another theorem applies to this word")
        refuse(len(claim["task"]["n"]) + 1 != L, "the task has another L")
    else:
        need(theorem in ("A", "B", "C"), "unknown theorem")
        refuse(theorem != ("C" if full == 0 else "B" if full == L else "A"), "another theorem applies to this word")
        idle = [0] * (L - 1 - full) if theorem == "A" else []  # the missing full layers are idle and stand in front
        check_impossible(claim, idle + listed(linear, full + 1), choice, L)
    if windows:
        room = f"with messages of at most {large_text(claim['beta'])} bits"
    else:
        room = (blocks_text if sharper else room_text)(claim["beta"], linear)
    word = f"No causal model of the word {word_text(layers)}, which has depth {depth}, {room}"
    sentence = f"{word}, solves {sizes_text(claim['task'])} in one pass {theorem_text(theorem)}."
    return sentence, silent(claim, "tokens", "beta", "message")


def check_ceiling(document: dict[str, Any]) -> Accepted:
    """No model of the word, randomised ones included, answers more than this share of uniformly random inputs. If the
    theorem is about fewer tables, each further one is in front and known: who names i_L can name i_{L-1}, one of the K
    that lead to it, and Pr[K > k] ≤ n^-k/k!; so a ceiling p becomes k·p + n^-k/k!, for a chosen k."""
    _, _, tool, claim, choice = fields(document, "schema kind tool claim choice")
    string(tool)
    if claim.get("theorem") == "D'":
        return check_sparse_ceiling(claim, choice)
    layers, theorem, task, _, beta, linear, _, most = fields(claim, f"layers {BOUND} ceiling")
    (full, depth), ceiling = depth_of(layers), number(most)
    budget = read_prompt(claim, full == 0)[1]
    m, n = integer(task["m"], 2), [integer(size, 1) for size in task["n"]]
    total = [integer(value) for value in listed(linear, full + 1)]
    bits = [total[0], *(later - earlier for earlier, later in itertools.pairwise(total))]
    limit(product(m, *n).bit_length() <= 8 * BITS, "the tables are too large")
    need(isinstance(theorem, str) and theorem in CEILINGS, "unknown theorem")
    named, *values = fields(choice, f"named{CEILINGS[theorem]}")
    front = [integer(k, 1, 64) for k in listed(named)]
    need(len(front) <= len(n), "too many tables in front")
    refuse(min(bits) < 0, "Λ_t decreases")
    own, form = n[: len(n) - len(front)], False
    if theorem == "E":
        blocks = [integer(block) for block in listed(values[1], full + 1)]
        need(all(a < b for a, b in itertools.pairwise([-1, *blocks, len(own) + 2])), "blocks: out of order")
        last = layers[-1:] == ["F"] or blocks[-1] < len(own)
        share, form = hybrids(values, blocks, last, depth, budget, bits, m, own)
    elif theorem[2] == "c":
        fits = (full, len(own), depth) == (2, 1, 1) if theorem[0] == "B" else (full, len(own)) == (2, 2)
        refuse(not fits or bits[0] > 0, f"Theorem {theorem} does not apply to this word, or Λ_0 is not 0")
        share = cube_share(values, budget, bits, m, own)
    elif theorem[0] == "A":
        refuse((full, len(own)) != (1, 1), "Theorem A2 applies to one full layer and two tables")
        share, form = one_full_layer(values, budget, bits, m, own[0]), bits[0] == 0
    else:
        refuse(full > 0 and (full, depth, len(own)) != (1, 0, 0), "Theorem C' applies to recurrent layers alone")
        share = stored_share(values, budget + sum(bits), prod(own, start=m))
    for k, size in zip(front, n[len(own) :], strict=True):
        share = counted(k * share + Fraction(1, int(counted(size**k * factorial(k)))))
    refuse(not share <= ceiling <= 1, f"claim, ceiling: {show(share)} is shown")
    word = f"No causal model of the word {word_text(layers)}, {blocks_text(beta, linear)}, answers in one pass"
    said = f"{word} more than {percent(ceiling)} of uniformly random inputs of {sizes_text(task)} correctly"
    return f"{said} {theorem_text(theorem, bool(front), form)}.", silent(claim, "tokens", "beta", "message")


# --- whole numbers that may be too long to write down ---


class Interval:
    """A number from low·2^shift to high·2^shift, ends rounded outwards to BITS digits: a whole number not longer
    has shift 0 and is exact. Only a difference may be negative; if the low end of a − b is ≥ 0, a ≥ b is certain."""

    def __init__(self, low: int, high: int | None = None, shift: int = 0) -> None:
        high = low if high is None else high
        bits = high.bit_length()
        cut = max(0, bits - BITS)
        spend(24 + (bits * bits >> 18))
        self.low, self.high, self.shift = low >> cut, -(-high >> cut), shift + cut

    def __mul__(self, other: Interval) -> Interval:
        return Interval(self.low * other.low, self.high * other.high, self.shift + other.shift)

    def __add__(self, other: Interval) -> Interval:
        b, a = sorted((self, other), key=lambda number: number.shift)
        up = min(a.shift - b.shift, BITS)  # a is written that much longer; what b has below the last digit of a is cut
        down = a.shift - b.shift - up
        return Interval((a.low << up) + (b.low >> down), (a.high << up) - (-b.high >> down), a.shift - up)

    def __sub__(self, other: Interval) -> Interval:
        return self + Interval(-other.high, -other.low, other.shift)

    def log2(self) -> Interval:
        """By the number of digits of the 2^DIGITS-th power, for numbers above 0."""
        need(self.low > 0, "the logarithm of what may be 0")
        if self.low == self.high and self.low & (self.low - 1) == 0:
            return Interval(self.low.bit_length() - 1 + self.shift << DIGITS, shift=-DIGITS)
        power = self
        for _ in range(DIGITS):
            power = power * power
        return Interval(power.low.bit_length() - 1 + power.shift, (power.high - 1).bit_length() + power.shift, -DIGITS)


def large(value: Any, least: int) -> Interval:
    """An integer, or {"powers": [[base, exponent], …]}: the product of base^exponent, by squares."""
    if not isinstance(value, dict):
        return Interval(integer(value, least))
    result, pairs = Interval(1), [listed(pair, 2) for pair in listed(fields(value, "powers")[0])]
    powers = [(integer(base, 1), integer(exponent)) for base, exponent in pairs]
    limit(len(pairs) <= 8 and all(e < MAX_POWER for _, e in powers), "too many powers, or an exponent is too long")
    for place in range(MAX_POWER.bit_length(), -1, -1):
        result = result * result * Interval(product(*(base for base, exponent in powers if exponent >> place & 1)))
    need((result - Interval(least)).low >= 0, "an integer out of range")
    return result


# --- other tasks than FuncComp (docs/certificates.md, "Other tasks") ---

CAPACITY = {"memory": "lambda", "look": "beta lambda", "reach": "reach", "period": "layers values"}
OTHER_TASKS = {  # sizes, and what a sentence says of the task
    "recall": ("pairs symbols", "associative recall of {} pairs, keys and values in turn, of {} symbols"),
    "copying": ("length symbols", "copying {} tokens of {} symbols to as many places after them"),
    "selective_copying": ("length symbols", "selective copying of {} tokens, blanks or letters of {} symbols"),
    "two_sum": ("length modulus", "2-Sum of {} tokens modulo {}"),
    "majority": ("length", "majority of {} bits, asked after them"),
    "state_based_recall": ("rows symbols length", "recall from a table of {} rows of {} symbols after {} moves"),
    "parity": ("length", "parity of {} bits, at every token"),
}


def check_capacity(claim: dict[str, Any], choice: Any) -> Accepted:
    """The theorems of memory, of one look, of reach and of period, each one inequality."""
    theorem, task, *values = fields(claim, f"theorem task {CAPACITY[claim['theorem']]}")
    need(choice is None, "these theorems have no choice")
    name = str(task.get("task")) if isinstance(task, dict) else ""
    need(name in OTHER_TASKS and task["task"] == name, "unknown task")
    names, text = OTHER_TASKS[name]
    a, b, c = [*(integer(size, 1) for size in fields(task, f"task {names}")[1:]), 1, 1][:3]
    room = [integer(value) for value in values]
    need(name != "recall" or a <= b, "recall needs a symbol for each key")
    need("symbols" not in names or b >= 2, "with one symbol nothing is asked")
    need(name != "two_sum" or (b % 2 == 1 and b >= 3), "2-Sum needs an odd modulus")
    shown = [show(value) for value in room]
    if theorem == "memory":
        each = (b - 1) // max(1, a - 1)
        h, V = {
            "two_sum": (a - 1, each) if each >= 2 else (min(a - 1, b - 1), 2),
            "majority": (1, a // 2 + 1),
            "parity": (1, min(a, 2)),  # one bit needs no memory
        }.get(name, (a, b))
        less(Interval(room[0]), Interval(h) * Interval(V).log2(), "Λ < h·log2 V")
        model = f"recurrent layers alone, with states of at most {shown[0]} bits together, with thoughts or without,"
    elif theorem == "look":
        need(name in ("recall", "selective_copying"), "the theorem does not apply to this task")
        h = a if name == "recall" else a // 2
        less(Interval(room[0] + h * room[1]), Interval(h) * Interval(b).log2(), "β + h·Λ < h·log2 V")
        behind = f"recurrent layers only behind it, with states of at most {shown[1]} bits"
        model = f"one full layer with messages of at most {shown[0]} bits, and {behind}, in one pass"
    elif theorem == "reach":
        twice = {"recall": 2 * a - 1, "selective_copying": 2 * a - 1, "state_based_recall": a + c - 1}
        distance = twice.get(name, a - (name in ("two_sum", "parity")))
        refuse(room[0] >= distance, "r < distance does not hold")
        model = f"layers with windows alone, whose reaches add up to at most {shown[0]} tokens, in one pass"
    else:
        need(name == "parity" and room[1] >= 1, "the theorem applies to parity of at least one value")
        refuse(room[0] * (room[1] - 1) + 2 > a, "ℓ·(g − 1) + 2 ≤ n does not hold")
        shape = (
            f"at most {shown[0]} recurrent layers with gates from 0 on, each number of a state one of {shown[1]} values"
        )
        model = f"{shape} and a non-decreasing function of what it was, without positions, in one pass"
    sizes = text.format(*(show(size) for size in (a, b, c)))
    return f"No causal model of {model} answers every prompt of {sizes} {theorem_text(theorem)}.", []


# --- theorems A to D (docs/bounds.md) ---

BOUND = "theorem task tokens beta lambda message"  # the claim of theorems A, B and C
WINDOWS = "theorem task tokens beta reaches message tables"  # of Theorem A2W


@lru_cache(maxsize=1)
def log2_of_e() -> Interval:
    return Interval(floor(exp(1)[0] * 2**DIGITS), ceil(exp(1)[1] * 2**DIGITS), -DIGITS).log2()


def depth_of(value: Any) -> tuple[int, int]:
    """#F and the depth: 0 without F, else #F − 1 + [some R before the second F]; with one F: some R anywhere. W128, a
    window of 128 tokens, counts as R."""
    layers = listed(value)
    need(all(layer in ("F", "R", "FR") or window(layer) for layer in layers), "not a word of layers")
    limit(len(layers) <= MAX_LAYERS, "too many layers")
    full = [place for place, layer in enumerate(layers) if "F" in layer]
    early = any("F" not in layer for layer in layers[: full[1] if len(full) > 1 else None])
    return len(full), max(0, len(full) - 1 + early)


def window(layer: Any) -> int:
    """The tokens of a window, at least 2; 0 for other layers."""
    found = re.fullmatch("W([1-9][0-9]{0,9})", layer) if isinstance(layer, str) else None
    tokens = int(found[1]) if found else 0
    return tokens if 2 <= tokens <= MAX_WINDOW else 0


def check_windows(claim: dict[str, Any], choice: Any) -> list[int]:
    """Theorem A2W, one full layer and windows of reach r_0 before and r_1 behind it, two tables: 2r_0 + r_1 ≤ m and
    β(n_1 + r_1) < N·log2 N. Returns the reaches."""
    need(choice is None and claim["tables"] == 2, "Theorem A2W has no choice, and applies to two tables alone")
    before, after = reaches = [integer(reach) for reach in listed(claim["reaches"], 2)]
    sizes, budget = read_prompt(claim, False)
    need(len(sizes) >= 2, "the theorem does not apply to so many tables")
    N = sizes[0] * sizes[1]
    less(Interval(2 * before + after), sizes[0], "2r_0 + r_1 ≤ m", False)
    less(Interval(budget) * (sizes[1] + Interval(after)), N * N.log2(), "β·(n_1 + r_1) < N·log2 N")
    return reaches


def check_solvable(claim: dict[str, Any], choice: Any) -> Accepted:
    """C1 and C2 at all sizes, by the depth; C3 at its sizes, by states of N·⌈log2 N⌉ bits, the largest table."""
    need(choice is None, "what is solvable has no choice")
    more = " task state_bits" if claim.get("construction") == "C3" else ""
    layers, asked, _, construction, *stored = fields(claim, f"layers L solvable construction{more}")
    (full, depth), L, _ = depth_of(layers), integer(asked, 1), string(construction)
    if not stored:
        refuse(depth < L, f"L = {show(L)} is not at most the depth {depth}")
        refuse(construction != ("C1" if full > L else "C2"), "another construction solves it")
        word = f"The word {word_text(layers)} has depth {depth}"
        return f"{word}, so construction {construction} solves L-FuncComp with L = {L} at all sizes.", []
    (name, m, n), held = fields(stored[0], "task m n"), integer(stored[1])
    need(name == "funccomp", "unknown task")
    limit(len(listed(n)) < MAX_LENGTH, "too many tables")
    N = product(integer(m, 2), *(integer(size, 1) for size in n))
    refuse(full > 0 or not len(n) + 1 == L < len(layers), "C3 needs L tables and more than L layers R alone")
    refuse(held < N * (N - 1).bit_length(), "the state does not hold the largest table")
    states = f"states of {show(held)} bits hold a table"
    word = f"With {many(len(layers), 'recurrent layer')} whose {states}"
    return f"{word}, construction C3 solves {sizes_text(stored[0])}.", []


def check_impossible(claim: dict[str, Any], linear: list[Any], choice: Any, asked: int | None = None) -> int:
    """Theorem A, B or C with these Λ_t, at one choice of integers; C, and B if L = 1, say β + Λ < N·log2 N alone.
    Returns L."""
    theorem = claim["theorem"]
    need(theorem in ("A", "B", "C"), "unknown theorem")
    b, c, bits = theorem == "B", theorem == "C", [large(value, 0) for value in linear]
    sizes, budget = read_prompt(claim, c)
    L, N = len(sizes), list(itertools.accumulate(sizes, operator.mul))
    need(len(linear) == (1 if c else L + b), "not the right number of Λ_t")
    refuse(asked not in (None, L), f"the task has L = {L}")
    refuse(b and bits[0].high > 0, "Theorem B: Λ_0 is not 0")
    if c or (b and L == 1):
        need(choice is None, "Theorem C has no choice, nor has B with one table")
        room = N[-1] * N[-1].log2() - bits[-1] - Interval(budget)
    else:
        room = recursion_room(b, Interval(budget), bits, sizes, choice)
    refuse(room.low <= 0, f"(F): D_{L} < n·Θ·log2 N does not hold")
    return L


def read_prompt(claim: dict[str, Any], recurrent: bool) -> tuple[list[Interval], int]:
    """m, n_1, … and β, which is 0 for recurrent layers alone; the length of the prompt, and that the message fits."""
    tokens, beta, message = claim["tokens"], claim["beta"], claim["message"]
    name, m, n = fields(claim["task"], "task m n")
    need(name == "funccomp", "unknown task")
    limit(len(listed(n)) < MAX_LENGTH, "too many tables")
    need(not recurrent or (beta is None and message is None), "recurrent layers alone have neither β nor a message")
    sizes, budget = [large(m, 2), *(large(size, 1) for size in n)], 0 if recurrent else integer(beta, 1)
    if tokens is not None:
        refuse(
            sum(products(map(integer, (m, *n)))) + 2 != integer(tokens), "claim, tokens: the prompt has another length"
        )
    if message is not None:
        H, d, P, p = map(integer, fields(message, "heads dim P p"))
        k = -(-sum(itertools.accumulate(sizes, operator.mul), Interval(2)).log2().high >> DIGITS)
        refuse(budget < H * (d * (P + p + k + 1) + P + k), "β is smaller than H·(d·(P+p+⌈log2 n⌉+1)+P+⌈log2 n⌉)")
    return sizes, budget


def recursion_room(b: bool, beta: Interval, linear: list[Interval], sizes: list[Interval], choice: Any) -> Interval:
    """Theorem A, or B: Θ_ℓ, (E_ℓ) and D_{ℓ+1} for all levels ℓ, then the right side of (F) minus the left one. N is
    N_{ℓ-1}, `reached` n_{ℓ-1}·Θ_{ℓ-1}, `paths` x_0⋯x_{ℓ-1}, and `sums` Σ_{i<ℓ} x_i⋯x_{ℓ-1}·N_{i-1}."""
    values, covers, free = fields(choice, "x reached free_start")
    need(type(free) is bool, "free_start is neither true nor false")
    (N, *n), (D, *later), W = sizes, linear[b:], prod(sizes[1:], start=Interval(1))
    x = [large(value, 1) for value in listed(values, len(sizes))]
    chosen = None if covers is None else [large(value, 1) for value in listed(covers, len(n))]
    refuse(free and (b or D.high > 0), "free_start needs Theorem A and Λ_0 = 0")
    refuse((N - x[0]).low < 0, "x_0 ≤ m does not hold")
    reached, paths, sums, D = x[0], x[0], Interval(0), D + beta * W if b else D
    for ell, (x_ell, n_ell, bits) in enumerate(zip(x[1:], n, later, strict=True), 1):
        draws = reached * x_ell
        if free and ell == 1:  # no (E_1), and D_1 = 0
            theta = draws if (N - draws).low >= 0 else N
            refuse(theta is N and (draws - N).low < 0, "it is not certain which of x_0·x_1 and m is smaller")
        else:
            ends = (draws.low, draws.high) if draws.shift else (max(1, draws.low // 2), max(1, draws.high // 2))
            half = Interval(*ends, max(0, draws.shift - 1))
            theta, rest = (half, half) if chosen is None else (chosen[ell - 1], draws - chosen[ell - 1])  # Θ, t − Θ
            D, ratio = D * x_ell + Interval(1), N.log2() - theta.log2()
            refuse(ratio.low < 0 or (rest * ratio - theta * log2_of_e() - D).low < 0, f"(E_{ell}) does not hold")
        bracket = Interval(ell + b) * x_ell * N + (W + Interval(1)) * paths + sums
        N, reached, paths, sums = N * n_ell, theta * n_ell, paths * x_ell, (sums + N) * x_ell
        D = D + bits + beta * (bracket + paths if b and ell == 1 else bracket)
    return reached * N.log2() - D


SHARPER = {"B": 1, "A2": 2, "B2": 2, "B2c": 2, "A3": 3, "A3.free": 3, "A3c": 3, "AL": 3, "BL": 2}  # the fewest tables
MANY = {"AL": "g", "BL": "x_0 x_1"}  # theorems of any number of tables, and the first keys of the choice


def full_layers(theorem: str, tables: int) -> int:
    """As many as tables for B, B2, B2c and BL, and one fewer for the others."""
    return tables if theorem[0] == "B" else tables - 1


def check_sharper_bound(claim: dict[str, Any], choice: Any) -> Accepted:
    """The sharper theorems, of all models with this number of full layers."""
    theorem, task, _, beta, linear, _, tables = fields(claim, f"{BOUND} tables")
    check_sharper(claim, choice)
    shape = f"{full_text(theorem, full_layers(theorem, tables))}, {blocks_text(beta, linear)}"
    sentence = f"No causal model of {shape}, solves {sizes_text(task)} in one pass {theorem_text(theorem)}."
    return sentence, silent(claim, "tokens", "message")


def full_text(theorem: str, full: int) -> str:
    """The layers that a theorem applies to: F and R and nothing else, R where it may stand."""
    recurrent = "recurrent ones"
    if theorem[0] == "B":  # R heads beside a full layer are part of it
        recurrent = "no recurrent one" + (" before the second" if full > 1 else "")
    return f"{many(full, 'full layer')} and {recurrent}"


def check_sharper(claim: dict[str, Any], choice: Any) -> None:
    """The theorem at the first `tables` tables: further ones are the identity, constants in front of the prompt. λ_0 =
    Λ_0 and λ_t = Λ_t − Λ_{t-1} are the bits of the blocks, each for itself."""
    theorem, tables = claim["theorem"], integer(claim["tables"], 1)
    need(isinstance(theorem, str) and theorem in SHARPER, "unknown theorem")
    fits = tables == SHARPER[theorem] or (theorem in MANY and tables > SHARPER[theorem])
    sizes, budget = read_prompt(claim, False)
    need(fits and tables <= len(sizes), "the theorem does not apply to so many tables")
    total = [large(value, 0) for value in listed(claim["lambda"], full_layers(theorem, tables) + 1)]
    bits = [total[0], *(later - earlier for earlier, later in itertools.pairwise(total))]
    refuse(any(own.low < 0 for own in bits), "Λ_t decreases")
    refuse(theorem[0] == "B" and bits[0].high > 0, f"Theorem {theorem}: Λ_0 is not 0")
    (m, *n), beta = sizes[:tables], Interval(budget)
    if theorem == "B":
        need(choice is None, "Theorem B with one table has no choice")
        less(beta + bits[1], m * m.log2(), "β + Λ_1 < m·log2 m")
    elif theorem in MANY:
        delayed(theorem, beta, bits, m, n, choice)
    elif theorem[-1] == "c":
        cube(theorem, beta, bits, m, n, choice)
    else:
        names = {"A2": "Theta", "B2": "x_0 v Theta", "A3": "g u Theta_1 x_2 Theta_2", "A3.free": "Theta_1 v Theta_2"}
        values = [large(value, 1) for value in fields(choice, names[theorem])]
        (two_tables if tables == 2 else three_tables)(theorem, beta, bits, m, n, values)


def two_tables(
    theorem: str, beta: Interval, bits: list[Interval], m: Interval, n: list[Interval], values: list[Interval]
) -> None:
    """A2: (Θ−1)^m·2^Λ_0 < m^m, and 2^(Λ_0 + Θλ_1 + βn_1) < N^(n_1Θ). B2: x_0v ≤ m, (Θ−1)^x_0·2^(βn_1+Λ_1) <
    (x_0v)^x_0, and 2^(Λ_1 + β(n_1 + x_0 + x_0v + n_1x_0) + Θλ_2) < N^(n_1Θ)."""
    *some, theta = values
    told, late = bits[-2:]
    if theorem == "A2":
        require_reached(told, theta, m, m, "(reached)")
        told = told + beta * n[0]
    else:
        x, v = some
        less(x * v, m, "x_0·v ≤ m", False)
        require_reached(told + beta * n[0], theta, x, x * v, "(reached)")
        told = told + beta * (n[0] + x + x * v + n[0] * x)
    less(told + theta * late, n[0] * theta * (m * n[0]).log2(), "(asked)")


def three_tables(
    theorem: str, beta: Interval, bits: list[Interval], m: Interval, n: list[Interval], values: list[Interval]
) -> None:
    """A3 and A3.free; W = n_1n_2, t = x_2n_1Θ_1, E = n_1Θ_1."""
    one, (n_1, n_2), (early, middle, late) = Interval(1), n, bits
    W, N = n_1 * n_2, m * n_1
    if theorem == "A3.free":
        theta_1, v, theta = values
        E = n_1 * theta_1
        refuse(early.high > 0 or middle.high > 0, "Theorem A3.free: Λ_1 is not 0")
        less(theta_1, m, "Θ_1 ≤ m", False)
        less(E * v, N, "n_1·Θ_1·v ≤ N_1", False)
        require_reached(beta * W, theta, E, E * v, "(reached)")
        heard, told = m + theta_1 + E * v + (n_1 - one) * (m - theta_1), theta * late
    else:
        g, u, theta_1, x, theta = values
        less(g, m, "g ≤ m", False)
        less(u, m, "u ≤ m", False)
        require_reached(early, theta_1, g, u, "(reached)")
        copies = x * theta_1
        drawn, some = x * (n_1 * early + beta * W) + copies * middle, middle.high > 0
        require_reached(drawn + one if some else drawn, theta, copies * n_1, N, "(covered)", True, not some)
        heard = one + (m - g) + g * theta_1 + x * n_1 * u + (n_1 - one) * (m - u)
        told = early + middle + copies * late
        told = told + one + copies * middle if some else told
    less(told + beta * (W + heard + W * theta_1), n_2 * theta * (N * n_2).log2(), "(asked)")


def cube(theorem: str, beta: Interval, bits: list[Interval], m: Interval, n: list[Interval], choice: Any) -> None:
    """B2c and A3c. `heard` is what a group of `size` queries hears of the `entries` that vary, A = entries·v −
    (v−1)·heard of whose values survive; what is told is twice that of B2c, so that A3c has no halves."""
    one, two, late, last = Interval(1), Interval(2), bits[-1], n[-1]
    grouped = late.high > 0
    g, v, *group = (large(value, 1) for value in fields(choice, "g v omega groups" if grouped else "g v"))
    size, groups = group if grouped else (one, last)
    less(g, m, "g ≤ m", False)
    less(last, size * groups, "n ≤ ω·γ", False)
    if theorem == "B2c":
        entries, heard, values, told = g, size * beta + bits[1], m, two * (g + v)
    else:
        refuse(bits[0].high > 0, "Theorem A3c: Λ_0 is not 0")
        entries, heard, values = n[0] * g, size * n[0] * beta + g * bits[1], m * n[0]
        told = two * (m + v + entries) + (n[0] - one) * (m - g)
    less(v, values, "v is too large", False)
    lost = (v - one) * heard
    less(lost, entries * v, "A ≥ 1")
    survive = entries * v - lost
    told = entries * (two * bits[1] + beta * (Interval(4) * last + told)) + two * groups * survive * late
    less(told, two * last * survive * prod(n, start=m).log2(), "(asked)")


def delayed(theorem: str, beta: Interval, bits: list[Interval], m: Interval, n: list[Interval], choice: Any) -> None:
    """AL or BL; `nu` says how many rows are used, all where there is none. `copies` is Θ_1·x_2⋯x_{ℓ-1}, `heard`
    x_2⋯x_{ℓ-1}(m−g+gΘ_1) + Σ_{1<i<ℓ} x_i⋯x_{ℓ-1}M_i with x_0 for g and x_1 for its Θ_1 in BL, `earlier` the bits of the
    blocks 1 to ℓ−1, in BL 2 to ℓ, `held` M_ℓ: the used rows of table ℓ, and the `unused` ones of table ℓ−1, which stand
    behind them."""
    b, last, one = theorem == "BL", len(n), Interval(1)
    firsts, some = MANY[theorem].split(), isinstance(choice, dict) and "nu_1" in choice
    names = [*firsts, *(f"Theta_{ell}" for ell in range(1, last + 1)), *(f"x_{ell}" for ell in range(2, last + 1))]
    used = [f"nu_{ell}" for ell in range(1, last)] if some else []
    values = [large(value, 1) for value in fields(choice, " ".join([*names, *used]))]
    (g, *more), values = values[: len(firsts)], values[len(firsts) :]
    (theta, *thetas), x = values[:last], values[last : 2 * last - 1]
    rows = [*values[2 * last - 1 :], n[-1]] if some else n
    less(g, m, "x_0 ≤ m" if b else "g ≤ m", False)
    for own, all_rows in zip(rows, n[:-1] if some else [], strict=False):
        less(own, all_rows, "ν ≤ n", False)
    W = prod(rows, start=one)
    P, D = beta * W + bits[b], theta * bits[1 + b]
    if b:
        require_reached(more[0] * P, theta, g * more[0], m, "(E_1)", True)
        P, D = P + beta * (m + g * more[0]), D + beta * W * g
    else:
        require_reached(bits[0], theta, g, m, "(reached)")
    copies, heard, earlier, N = theta, m - g + g * (more[0] if b else theta), Interval(0), m
    unused = Interval(0)
    for ell, (x_ell, after) in enumerate(zip(x, thetas, strict=True), 2):
        size, row = n[ell - 2], rows[ell - 2]
        held, unused, N = row * N + unused, (size - row) * N if some else unused, size * N
        require_reached(x_ell * (P + D) + one, after, x_ell * row * theta, N, f"(E_{ell})", True, False)
        earlier, told = earlier + bits[ell - 1 + b], copies if b or ell > 2 else one
        soft = Interval(ell - 1 + b) * x_ell * held + told + heard + W * copies
        D = one + x_ell * D + earlier + x_ell * copies * bits[ell + b] + beta * soft
        copies, heard, theta = x_ell * copies, x_ell * (heard + held), after
    less(P + D, n[-1] * theta * (N * n[-1]).log2(), "(F)")


def less(left: Interval, right: Interval, text: str, strict: bool = True) -> None:
    """left < right, or ≤."""
    refuse((right - left).low < strict, f"{text} does not hold")


def require_reached(
    told: Interval,
    theta: Interval,
    draws: Interval,
    size: Interval,
    text: str,
    cover: bool = False,
    strict: bool = True,
) -> None:
    """2^told·(Θ−1)^draws < size^draws, or ≤; to cover, C(size, Θ−1) is a further factor on the left, and Θ ≤ size."""
    refuse(cover and (size - theta).low < 0, f"{text}: Θ is too large")
    below = theta - Interval(1)
    if below.high > 0:  # else the left side is 0
        left = told + draws * below.log2() + (log2_choose(size, below) if cover else Interval(0))
        less(left, draws * size.log2(), text, strict)


def log2_choose(N: Interval, k: Interval) -> Interval:
    """log2 C(N, k), 0 < k < N, or what is above it: √(N/(2πk(N−k)))·(N/k)^k·(N/(N−k))^(N−k), where 2π > 157/25, and the
    last factor is at most 𝖾^k."""
    rest = N - k
    refuse(rest.low <= 0, "it is not certain that Θ is at most N")
    if N.low == N.high and k.low == k.high and min(k.low, rest.low) * N.low.bit_length() <= MAX_BINOMIAL:
        return Interval(comb(N.low, k.low)).log2()
    root = Interval(25).log2() + N.log2() - Interval(157).log2() - k.log2() - rest.log2()
    ratio, most = N.log2() - rest.log2(), k * log2_of_e()
    tail = rest * ratio if ratio.low >= 0 and (most - rest * ratio).low >= 0 else most
    return k * (N.log2() - k.log2()) + tail + Interval(root.low, root.high, root.shift - 1)


CEILINGS = {  # the keys of the choice, behind `named`
    "A2 average": " tau excess shares",
    "A2 union": "",
    "B2c average": " tau groups excess point shares",
    "A3c average": " tau groups excess point shares",
    "C' average": " shares",
    "C' union": "",
    "E": " payment blocks x shares",
}


def hybrids(
    values: list[Any], blocks: list[int], quiet: bool, depth: int, beta: int, bits: list[int], m: int, n: list[int]
) -> tuple[Rational, bool]:
    """Theorem E, and whether Coq has the form. A: at most L−1 full layers, idle ones added: block t of the word is
    number `blocks`[t], and Λ_t accordingly. B: L full layers, no R before the second. `copies` is x_0⋯x_{ℓ-1}, `sums`
    Σ_{i<ℓ} x_i⋯x_{ℓ-1}N_{i-1}, `reached` t_{ℓ-1}, `entries` n_{ℓ-1}t_{ℓ-1}, and `asked` what w hears: V_ℓ.

    Coq has the delayed payment, and with two tables the quiet one, which is the same without late states, where the
    first share a/b has room for as many bits, ⌈b·D_1/m⌉, if ⌊m/x_0⌋·x_0 stands for m; and the late one of two tables in
    A where Λ_0 = 0 and x_0·x_1 ≤ m; idle layers behind all others.
    """
    payment, _, numbers, shares = values
    L, full, W, N = len(n) + 1, len(bits) - 1, prod(n), m
    b = full == L
    x = [integer(value, 1) for value in listed(numbers, L)]
    need(payment in ("full", "late", "quiet", "delayed"), "unknown payment")
    refuse(L < 2 or full > L or blocks[-1] >= L + b, "Theorem E does not apply to so many full layers")
    refuse(b and (depth == full or bits[0] > 0 or payment == "delayed"), "Theorem E: R before the second full layer")
    refuse(payment == "quiet" and not quiet, "R stands after or beside the last full layer")
    refuse(x[0] > m, "x_0 ≤ m does not hold")
    own = [0] * (L + b)
    for block, value in zip(blocks, bits, strict=True):
        own[block] = value
    held = list(itertools.accumulate(own))
    D, copies, sums, reached, entries, terms = beta * W + held[1] if b else held[0], x[0], 0, x[0], m, []
    form = payment == "late" and L == 2 and not b and D == 0 and x[0] * x[1] <= m
    if payment == "delayed" or (payment == "quiet" and L == 2):
        told = number(listed(shares, L)[0]).denominator * D
        form = ceil(Fraction(told, m)) == ceil(Fraction(told, m - m % x[0]))
    for ell, (x_ell, n_ell) in enumerate(zip(x[1:], n, strict=True), 1):
        reached = x_ell * (reached if ell == 1 else entries)
        terms.append((Fraction(reached - 1, 2 * N), Fraction(D, entries)))
        pays = payment if ell == L - 1 or payment == "delayed" else "full"
        asked = W if ell == 1 and not b and own[0] == 0 else W * copies
        heard = copies + copies * x_ell if b and ell == 1 else copies + sums
        place = ell + b  # of the block behind the full layer that is paid for
        if pays == "full":
            told, late = place * x_ell * N + heard, held[place]
        elif pays == "late":
            told, late = (place - 1) * x_ell * N + heard, held[place - 1] + x_ell * own[place]
        elif pays == "quiet":
            told, late = (place - 1) * x_ell * N + (copies if b and ell == 1 else 0), held[place - 1]
        else:
            told = 0 if ell == 1 else (ell - 1) * x_ell * N + (x[0] if ell == 2 else copies) + sums
            late = held[ell - 1] + copies * x_ell * own[ell]
        D = x_ell * D + late + beta * (told + asked)
        copies, sums, entries, N = copies * x_ell, x_ell * (sums + N), n_ell * reached, N * n_ell
        for size in (D, copies, sums, entries):
            counted(size)
    last = (Fraction(1, N), Fraction(D, entries))
    return add_shares(shares, [*terms, last]), form and blocks == [*range(full + 1)]


def one_full_layer(values: list[Any], beta: int, bits: list[int], m: int, n: int) -> Rational:
    """A2 on average: c_τ·Λ_0/m + ⟨1/N; λ_1/n_1 + τ(βn_1 + Λ_0)/N⟩, c_τ ≤ c = `excess`: y = 2^(1/c) has τ·ln y ≥ y − 1.
    Without early R τ = 1 will do, and so does the union bound over all 2^(mλ_1 + βn_1) messages."""
    early, late = bits
    if not values:
        refuse(early > 0, "Theorem A2 union: Λ_0 is not 0")
        return union(m * n, m * late + beta * n)
    tau, rest = number(values[0]), Fraction(0)
    need((values[1] is None) == (early == 0), "excess is for Λ_0 > 0")
    refuse(tau < 1 or (tau == 1 and early > 0), "τ is too small")
    if early:
        c, e = number(values[1]), log2_of_e()
        low, high = Fraction(2**DIGITS, e.high), Fraction(2**DIGITS, e.low)  # ln 2
        refuse(c <= 0 or c * MAX_EXPONENT < high, "excess is below c_τ")
        refuse(exp(Fraction(high, c))[1] - 1 > Fraction(tau * low, c), "excess is below c_τ")
        rest = Fraction(c * early, m)
    return rest + add_shares(
        values[2], [(Fraction(1, m * n), Fraction(late, n) + tau * Fraction(beta * n + early, m * n))]
    )


def cube_share(values: list[Any], beta: int, bits: list[int], m: int, n: list[int]) -> Rational:
    """B2c, n = (n_1), and A3c on average: c·`heard` + ⟨1/N; γλ_2/n + τ·told/N⟩, c ≥ c'_τ by the tangent at p = u/v of
    c(1−h(p)) − 1 + τp/(1−p), which is convex: it is at least 0 at 0 and at 1/(1+τ)."""
    tau, c, p, groups = number(values[0]), number(values[2]), number(values[3]), integer(values[1], 1, n[-1])
    refuse(tau <= 1 or not 0 < p < 1 or c <= 0, "τ is too small, or there is no such point")
    r, (u, v), size = Fraction(p, 1 - p), p.as_integer_ratio(), -(-n[-1] // groups)
    scale = int(counted(c.denominator * tau.denominator**2 * (v - u) ** 2))
    rest, all_of_it, some = (Interval(x).log2() for x in (v - u, v, u))
    whole, product = Interval(int(c * scale)), Interval(int(c * tau * scale))
    left = Interval(int(scale * (1 + tau * r * r))) + whole * all_of_it
    less(left, whole + whole * rest, "excess ≥ c'_τ, at 0,", False)
    left = Interval(int(scale * (1 + tau + (tau * r) ** 2))) + (product + whole) * all_of_it
    right = product + whole + Interval(int(scale * tau * (1 + 2 * r))) + product * rest + whole * some
    less(left, right, "excess ≥ c'_τ, at 1/(1+τ),", False)
    N, entries = prod(n, start=m), m if len(n) == 1 else m * n[0]
    heard = size * beta + bits[1] if len(n) == 1 else size * n[0] * beta + m * bits[1]
    told = bits[1] + beta * (2 * n[-1] + 2 * entries + (m if len(n) == 2 else 0))
    kappa = Fraction(groups * bits[2], n[-1]) + tau * Fraction(told, N)
    return c * Fraction(heard, entries) + add_shares(values[4], [(Fraction(1, N), kappa)])


def stored_share(values: list[Any], bits: int, N: int) -> Rational:
    """Theorem C': ⟨1/N; Λ/N⟩, or the union bound over 2^Λ states."""
    return add_shares(values[0], [(Fraction(1, N), Fraction(bits, N))]) if values else union(N, bits)


def union(N: int, bits: int) -> Rational:
    """(1/N)·Σ_{a=1..N} min(1, 2^bits·Pr[Bin(N, 1/N) ≥ a])."""
    limit(N <= MAX_UNION, "the table is too large for a union bound")
    whole, tail, shares, term = N**N, 0, 0, 1
    if bits >= whole.bit_length():
        return 1
    for a in range(N, 0, -1):
        tail, term = tail + term, term * a * (N - 1) // (N - a + 1)  # C(N, a)·(N−1)^(N−a)
        shares += min(whole, tail << bits)
    return Fraction(shares, whole * N)


def add_shares(values: Any, terms: list[tuple[Fraction, Fraction]]) -> Rational:
    """Σ ⟨q;κ⟩, term by term at most the shares: the largest p ≥ q with D(p‖q) ≤ κ bits; 0 if q = 0."""
    shares = [number(value) for value in listed(values, len(terms))]
    for share, (q, kappa) in zip(shares, terms, strict=True):
        counted(q)
        counted(kappa)
        refuse(share < q and share < 1, f"the share {show(share)} is below {show(q)}")
        if q > 0 and share < 1:
            refuse(not far_apart(Fraction(share), q, ceil(share.denominator * kappa)), f"{show(share)} is not shown")
    return total(shares)


def far_apart(p: Fraction, q: Fraction, bits: int) -> bool:
    """b·D(p‖q) ≥ bits, for 0 < q ≤ p = a/b < 1: a·log2(p/q) + (b−a)·log2((1−p)/(1−q)), whose last term is at least
    −b(p−q)·log2 𝖾."""
    (a, b), (u, v) = (map(Interval, x.as_integer_ratio()) for x in (p, q))
    missed, rest = (Interval(x.denominator - x.numerator) for x in (p, q))
    told = Interval(bits) + a * (b.log2() + u.log2())
    rough = a * (a.log2() + v.log2()) - told - Interval(ceil((p - q) * p.denominator)) * log2_of_e()
    exact = a * a.log2() + missed * missed.log2() + b * v.log2()
    less = Interval(bits) + b * b.log2() + a * u.log2() + missed * rest.log2()
    return bits == 0 or rough.low >= 0 or (exact - less).low >= 0


def check_sparse_ceiling(claim: dict[str, Any], choice: Any) -> Accepted:
    """Theorem D': the share of matches that are found is at most ⟨k/g + ε; r/B⟩, ε the share of false alarms."""
    names = "theorem block open blocks summary_bits false_alarms ceiling"
    *values, alarms, most = fields(claim, names)[1:]
    B, k, g, r = (integer(value, least) for value, least in zip(values, (1, 0, 1, 0), strict=True))
    false, ceiling = number(alarms), number(most)
    need(choice is None and 0 <= false <= 1, "there is a choice, or a share of false alarms that is none")
    refuse(not add_shares([most], [(Fraction(k, g) + false, Fraction(r, B))]) <= 1, "claim, ceiling: above 1")
    layer = f"{many(g, 'block')} of {many(B, 'token')}, {show(k)} of them opened, and summaries of {many(r, 'bit')}"
    errors = f"and says yes to at most {percent(false)} of the queries independent of them"
    found = f"finds more than {percent(ceiling)} of the matches in uniformly random blocks"
    known = theorem_text("D'")
    return f"No single block-sparse layer with {layer} {found}, {errors} {known}.", []


def check_sparse(claim: dict[str, Any], choice: Any) -> Accepted:
    """Theorem D: 2^r < V(d,B), or V(u,B) − 1 if d = u, with u = M − 1 and d = ⌈u(g−k)/g⌉ = u − ⌊uk/g⌋."""
    values = fields(claim, "theorem modulus block open blocks summary_bits")[1:]
    M, B, k, g, r = (integer(value, least) for value, least in zip(values, (3, 1, 0, 1, 0), strict=True))
    need(choice is None and M % 2 == 1, "the modulus is even, or there is a choice")
    refuse(g <= k, "no more blocks than are opened")
    u, d = M - 1, M - 1 - (M - 1) * k // g
    limit(min(B, d) <= MAX_SUBSETS and min(B, d) * d.bit_length() <= MAX_CELLS, "too many terms")
    subsets = term = 1  # V, and C(d, t) for t = 0
    for t in range(min(B, d)):
        if subsets.bit_length() > r + 2:  # enough
            break
        spend(8 + ((term.bit_length() + 64) * (d.bit_length() + 64) >> 14))
        term = term * (d - t) // (t + 1)
        subsets += term
    refuse(r >= (subsets - (d == u) - 1).bit_length(), f"2^{show(r)} summary values are not too few")
    layer = f"{many(g, 'block')} of {many(B, 'token')}, {show(k)} of them opened, and summaries of {many(r, 'bit')}"
    return f"No single block-sparse layer with {layer} solves 2-Sum modulo {show(M)} {theorem_text('D')}.", []


def check_sparse_layers(claim: dict[str, Any], choice: Any) -> Accepted:
    """Theorem D2: n > R^λ, R = (k+1)·B + s the most tokens that a token reads in one layer."""
    values = fields(claim, "theorem layers block open always length")[1:]
    layers, B, k, s, n = (integer(value, least) for value, least in zip(values, (1, 1, 0, 0, 1), strict=True))
    need(choice is None, "there is a choice")
    reads, reached, left = (k + 1) * B + s, 1, layers
    while left and reads > 1 and reached < n:  # as many steps as n has bits, at most
        spend(8 + ((reached.bit_length() + 64) * (reads.bit_length() + 64) >> 14))
        reached, left = reached * reads, left - 1
    refuse(reached >= n, "the last token may depend on all of them")
    stack = f"{many(layers, 'block-sparse layer')} with summaries of positions alone, blocks of {many(B, 'token')}"
    opened = f"{show(k)} of them opened and {many(s, 'more token')} read"
    return f"No {stack}, {opened}, solve 2-Sum of {many(n, 'token')} modulo any odd number {theorem_text('D2')}.", []


# --- sentences ---


def large_text(value: Any) -> str:
    """What `large` read."""
    if isinstance(value, dict):
        return "*".join(f"{show(integer(base))}^{show(integer(exponent))}" for base, exponent in value["powers"]) or "1"
    return show(integer(value))


def sizes_text(task: dict[str, Any]) -> str:
    return funccomp_text(large_text(task["m"]), map(large_text, task["n"]))


def room_text(beta: Any, linear: list[Any]) -> str:
    """β and the Λ_t of a theorem; C has one Λ and no β."""
    if beta is None:
        return f"with states of at most {large_text(linear[0])} bits"
    states = list_text([large_text(value) for value in linear])
    return f"with messages of at most {large_text(beta)} bits and at most {states} linear bits"


def blocks_text(beta: Any, linear: list[Any]) -> str:
    """β and the λ_t = Λ_t − Λ_{t-1} of a sharper theorem; recurrent layers alone have no β."""
    blocks = [large_text(value) for value in linear[:1]]
    for earlier, later in itertools.pairwise(linear):
        written = isinstance(earlier, dict) or isinstance(later, dict)
        blocks.append(
            f"{large_text(later)} - {large_text(earlier)}" if written else show(integer(later) - integer(earlier))
        )
    messages = "" if beta is None else f"messages of at most {large_text(beta)} bits and "
    return f"with {messages}R blocks of at most {list_text(blocks)} bits"


def percent(share: Rational) -> str:
    """A share, rounded up to a tenth of a percent; and exactly, if that is short, or below a power of two."""
    tenths, (u, v) = ceil(1000 * share), share.as_integer_ratio()
    exact = f" ({share})" if u.bit_length() + v.bit_length() < 100 else ""
    small = f" (below 2^{u.bit_length() - v.bit_length() + 1})" if not exact and tenths == 1 else exact
    return f"{tenths // 10}.{tenths % 10} %{small}"


CHECKERS = {"bound": check_bound, "decision": check_decision, "ceiling": check_ceiling}
