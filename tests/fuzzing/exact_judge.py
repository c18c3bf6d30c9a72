"""Theorems A to D and decisions, judged with long integers and certified logarithms; no other module is imported.

A claim counts as true only if the inequality holds for every number within the bounds of the logarithms. Sizes are
integers here; those that are too long to write down are `TooLong`.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import Any

Document = dict[str, Any]
Ends = tuple[Fraction, Fraction]
BITS = 600  # of the fixed-point numbers in logarithms
LONGEST = 1 << 14  # bits of a size


class TooLong(Exception):
    """A size that is given by powers and cannot be written down."""


def size(value: Any) -> int:
    if not isinstance(value, dict):
        return int(Fraction(value))
    pairs = [(int(base), int(exponent)) for base, exponent in value["powers"]]
    if sum(base.bit_length() * exponent for base, exponent in pairs) > LONGEST:
        raise TooLong
    return prod(base**exponent for base, exponent in pairs)


@lru_cache(maxsize=4096)
def ln(numerator: int, denominator: int) -> Ends:
    """ln of a fraction in [1/2, 2]: 2·artanh(t) = 2·Σ t^(2i+1)/(2i+1), t = (x−1)/(x+1), |t| ≤ 1/3, in fixed point.

    Each of the terms is off by at most 3 units, and what is left out by less than 9^-terms.
    """
    one, terms = 1 << BITS, BITS // 3
    t = one * (numerator - denominator) // (numerator + denominator)
    total, power = 0, t
    for i in range(terms):
        total += power // (2 * i + 1)
        power = power * t // one * t // one
    slack = 8 * terms * terms + one // 9**terms + 8
    return Fraction(2 * total - slack, one), Fraction(2 * total + slack, one)


def log2(n: int) -> Ends:
    """log2 of a whole number; exact for powers of two."""
    places = n.bit_length() - 1
    if n == 1 << places:
        return Fraction(places), Fraction(places)
    low, high = ln(n, 1 << places)
    two = ln(2, 1)
    return places + low / two[1], places + high / two[0]


def log2_e() -> Ends:
    low, high = ln(2, 1)
    return 1 / high, 1 / low


def climbs(theorem: str, beta: int, state_bits: list[int], m: int, n: list[int], choice: Document) -> bool:
    """Theorem A, or B with two tables and more: x_0 ≤ m, every (E_ℓ), and (F)."""
    x, free = [size(part) for part in choice["x"]], choice["free_start"]
    chosen = None if choice["reached"] is None else [size(part) for part in choice["reached"]]
    L, N = len(n) + 1, list(itertools.accumulate([m, *n], lambda a, b: a * b))
    W, radix = prod(n), [1, *n]
    if (
        len(x) != L
        or min(x) < 1
        or x[0] > m
        or (chosen is not None and (len(chosen) != L - 1 or min(chosen, default=1) < 1))
    ):
        return False
    if free and (theorem == "B" or state_bits[0]):
        return False
    theta = x[0]
    density = state_bits[0] if theorem == "A" else beta * W + state_bits[1]
    for ell in range(1, L):
        draws = x[ell] * radix[ell - 1] * theta
        opening = free and ell == 1
        if opening:
            theta = min(x[0] * x[1], m)
        elif chosen is None:
            theta = max(1, draws // 2)  # t is twice that
            draws = 2 * theta
        else:
            theta = chosen[ell - 1]
        if not opening:
            left = 1 + x[ell] * density
            ratio = log2(N[ell - 1])[0] - log2(theta)[1]
            if theta > draws or theta > N[ell - 1] or (draws - theta) * ratio - theta * log2_e()[1] < left:
                return False
        own = ell + (theorem == "B")
        bracket = own * x[ell] * N[ell - 1] + (W + 1) * prod(x[:ell])
        bracket += sum(prod(x[i:ell]) * N[i - 1] for i in range(1, ell))
        if theorem == "B" and ell == 1:
            bracket = 2 * x[1] * N[0] + W * x[0] + x[0] + x[0] * x[1]
        bits = state_bits[ell + (theorem == "B")]
        density = x[ell] * density + (not opening) + bits + beta * bracket
    return density < radix[L - 1] * theta * log2(N[-1])[0]


def impossible(claim: Document, state_bits: list[int], choice: Any) -> bool:
    theorem, task = claim["theorem"], claim["task"]
    m, n = size(task["m"]), [size(part) for part in task["n"]]
    N, L = m * prod(n), len(n) + 1
    length = sum(itertools.accumulate([m, *n], lambda a, b: a * b)) + 2
    if task["task"] != "funccomp" or m < 2 or min(n, default=1) < 1 or min(state_bits, default=0) < 0:
        return False
    if claim["tokens"] is not None and size(claim["tokens"]) != length:
        return False
    if theorem == "C":
        fits = claim["beta"] is None and claim["message"] is None and choice is None and len(state_bits) == 1
        return (
            fits and 2 ** state_bits[0] < N**N if state_bits[0] < LONGEST else fits and state_bits[0] < N * log2(N)[0]
        )
    beta = size(claim["beta"])
    if beta < 1 or theorem not in ("A", "B") or len(state_bits) != L + (theorem == "B"):
        return False
    if claim["message"] is not None:
        heads, dim, P, p = (size(claim["message"][key]) for key in ("heads", "dim", "P", "p"))
        k = (length - 1).bit_length()  # ⌈log2 of the prompt's length⌉
        if beta < heads * (dim * (P + p + k + 1) + P + k):
            return False
    if theorem == "B" and (state_bits[0] or L == 1):
        return L == 1 and not state_bits[0] and choice is None and beta + state_bits[1] < m * log2(m)[0]
    return choice is not None and climbs(theorem, beta, state_bits, m, n, choice)


def too_few(claim: Document) -> bool:
    """Theorem D: 2^r < V(d, B), or V(u, B) − 1 if d = u, with d = ⌈u(g−k)/g⌉; and by brute force, if short."""
    M, B, k, g, r = (size(claim[key]) for key in ("modulus", "block", "open", "blocks", "summary_bits"))
    if M < 3 or M % 2 == 0 or B < 1 or g <= k:
        return False
    u = M - 1
    d = -(-u * (g - k) // g)
    subsets = sum(comb(d, t) for t in range(min(B, d) + 1))
    holds = 2**r < subsets - (d == u)
    if (2**r) ** (g * u**B) <= 1 << 12:
        assert holds == always_ambiguous(u, B, k, g, r)
    return holds


def always_ambiguous(u: int, B: int, k: int, g: int, r: int) -> bool:
    """Whatever the g maps from blocks to r bits, some x is ambiguous in more than k blocks."""
    blocks = list(itertools.product(range(1, u + 1), repeat=B))
    ambiguous = set()
    for summary in itertools.product(range(2**r), repeat=len(blocks)):
        found = frozenset(
            x
            for x in range(1, u + 1)
            if {s for s, block in zip(summary, blocks, strict=True) if x in block}
            & {s for s, block in zip(summary, blocks, strict=True) if x not in block}
        )
        ambiguous.add(found)
    for chosen in itertools.product(ambiguous, repeat=g):
        if all(sum(x in found for found in chosen) <= k for x in range(1, u + 1)):
            return False
    return True


def bound_is_true(document: Document) -> bool:
    claim = document["claim"]
    if claim["theorem"] == "D":
        return document["choice"] is None and too_few(claim)
    return impossible(claim, [size(bits) for bits in claim["lambda"]], document["choice"])


def depth(layers: list[str]) -> int:
    """#F − 1, and one more if an R layer stands before the second F (with one F: anywhere); 0 without F."""
    if all(layer == "R" for layer in layers):
        return 0
    full = seen = 0
    for layer in layers:
        full += layer != "R"
        seen |= layer == "R" and full < 2
    return full - 1 + seen


def decision_is_true(document: Document) -> bool:
    claim, choice = document["claim"], document["choice"]
    layers, L = claim["layers"], size(claim["L"])
    full = sum(layer != "R" for layer in layers)
    if set(layers) - {"F", "R", "FR"} or L < 1 or not isinstance(claim["solvable"], bool):
        return False
    if claim["solvable"] and claim["construction"] == "C3":
        sizes = [size(claim["task"]["m"]), *map(size, claim["task"]["n"])]
        N = prod(sizes)
        fits = full == 0 and len(sizes) == L < len(layers) and sizes[0] > 1 and min(sizes) > 0 and choice is None
        return fits and size(claim["state_bits"]) >= N * (N - 1).bit_length()
    if claim["solvable"]:
        return depth(layers) >= L and claim["construction"] == ("C1" if full > L else "C2") and choice is None
    state_bits = [size(bits) for bits in claim["lambda"]]
    theorem = "C" if full == 0 else "B" if full == L else "A"
    if depth(layers) >= L or len(claim["task"]["n"]) + 1 != L or claim["theorem"] != theorem:
        return False
    idle = [0] * (L - 1 - full) if theorem == "A" else []
    return len(state_bits) == full + 1 and impossible(claim, idle + state_bits, choice)
