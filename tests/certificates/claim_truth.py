"""Is the claim of a certificate true? By plain evaluation of its kind; of the project only the oracle of programs.

A document is well formed here: whoever asks has had it accepted by the kernel. A construction runs its model on all
inputs, as does what claims that; a pair runs its model on both; bounds, decisions and ceilings evaluate the formulas
with long integers and mpmath.
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb, prod
from typing import Any

import mpmath
from naive_bounds import inequalities
from plain_pairs import pair_holds
from run_truth import construction_holds, runs_hold
from sharper_truth import ceiling_of, share, sharper_holds

Document = dict[str, Any]
LONGEST = 1 << 16  # bits up to which sizes are integers; beyond, floats of LONG_DIGITS digits
DIGITS, LONG_DIGITS = 150, 800  # of logarithms, and of sizes that are given as powers


def is_true(document: Document) -> bool:
    """What the certificate claims; the tool and the name of a construction claim nothing."""
    if document["schema"] != "separation.certificate/1":
        return False
    judges = {"construction": construction_holds, "pair": pair_holds, "bound": bound_holds, "decision": decision_holds}
    judges |= {"ceiling": ceiling_holds, "exhaustive": runs_hold, "wrong": runs_hold}
    with mpmath.workdps(LONG_DIGITS if '"powers"' in json.dumps(document.get("claim")) else DIGITS):
        return bool(judges[document["kind"]](document))


def size(value: Any) -> Any:
    """An integer, or a float of many digits if it is too long."""
    if not isinstance(value, dict):
        return int(Fraction(value))
    pairs = [(size(base), size(exponent)) for base, exponent in value["powers"]]
    if sum(base.bit_length() * exponent for base, exponent in pairs) <= LONGEST:
        return prod(base**exponent for base, exponent in pairs)
    return prod((mpmath.mpf(base) ** exponent for base, exponent in pairs), start=mpmath.mpf(1))


def bound_holds(document: Document) -> bool:
    claim, choice = document["claim"], document["choice"]
    if claim["theorem"] == "D":
        return choice is None and sparse_holds(claim)
    if claim["theorem"] == "D2":
        reads = (size(claim["open"]) + 1) * size(claim["block"]) + size(claim["always"])
        layers, n = size(claim["layers"]), size(claim["length"])
        return choice is None and (reads.bit_length() - 1) * layers < n.bit_length() and n > reads**layers
    if claim["theorem"] in ("memory", "look", "reach", "period"):
        return choice is None and other_task_holds(claim)
    return impossible(claim, [size(bits) for bits in claim.get("lambda", [])], choice)


def other_task_holds(claim: Document) -> bool:
    """A count of prefixes against states, a distance against a reach, or steps until a state stands still."""
    task = {key: size(value) for key, value in claim["task"].items() if key != "task"}
    name, V = claim["task"]["task"], task.get("symbols", 2)
    n = task.get("length", 0)
    if V < 2 or (name == "recall" and task["pairs"] > V):
        return False
    if claim["theorem"] == "period":
        return name == "parity" and n - 2 >= size(claim["layers"]) * (size(claim["values"]) - 1)
    if claim["theorem"] == "reach":
        ends = {  # (the place of a token, the place of one that it decides)
            "recall": (2, 2 * task.get("pairs", 0) + 1),
            "copying": (0, n),
            "selective_copying": (1, 2 * n),
            "two_sum": (1, n),
            "majority": (1, n + 1),
            "state_based_recall": (1, task.get("rows", 0) + n),
            "parity": (1, n),
        }[name]
        return size(claim["reach"]) < ends[1] - ends[0]
    symbols = {"recall": task.get("pairs"), "state_based_recall": task.get("rows")}.get(name, n)
    if name == "two_sum":
        M = task["modulus"]
        symbols, V = (n - 1, (M - 1) // (n - 1)) if 2 * (n - 1) <= M - 1 and n > 1 else (min(n, M) - 1, 2)
    elif name in ("majority", "parity"):
        symbols, V = 1, (n // 2 + 1 if name == "majority" else min(n, 2))
    bits = size(claim["lambda"])
    if claim["theorem"] == "look":
        symbols = n // 2 if name == "selective_copying" else symbols
        bits = size(claim["beta"]) + symbols * bits
    if symbols * V.bit_length() <= LONGEST:
        return bits < V.bit_length() * symbols and bool(2**bits < V**symbols)
    return bool(bits < symbols * mpmath.log(V, 2))


def sparse_holds(claim: Document) -> bool:
    """2^r < V(d, B), or V(u, B) − 1 if d = u, with d = ⌈u(g−k)/g⌉."""
    modulus, block, opened, blocks, bits = (
        size(claim[key]) for key in ("modulus", "block", "open", "blocks", "summary_bits")
    )
    u = modulus - 1
    if modulus % 2 == 0 or modulus < 3 or blocks <= opened or block < 1:
        return False
    d = -(-u * (blocks - opened) // blocks)
    subsets = sum(comb(d, t) for t in range(min(block, d) + 1))
    needed = subsets - 1 if d == u else subsets
    return bits <= needed.bit_length() and bool(2**bits < needed)  # 2^bits may be too long to write down


def impossible(claim: Document, state_bits: list[Any], choice: Any) -> bool:
    """Theorem A, B or C at these sizes, or a sharper one; A2W has reaches, and no states."""
    m, n = size(claim["task"]["m"]), [size(part) for part in claim["task"]["n"]]
    L, sizes = len(n) + 1, [m * prod(n[:k]) for k in range(len(n) + 1)]
    length = sum(sizes) + 2
    if claim["task"]["task"] != "funccomp" or m < 2 or min(n, default=1) < 1 or min(state_bits, default=0) < 0:
        return False
    if claim["tokens"] is not None and size(claim["tokens"]) != length:
        return False
    if claim["theorem"] == "C":
        alone = claim["beta"] is None and claim["message"] is None and choice is None and len(state_bits) == 1
        return alone and below(state_bits[0], sizes[-1])
    beta = size(claim["beta"])
    if beta < 1 or (claim["message"] is not None and beta < message_bits(claim["message"], length)):
        return False
    if claim["theorem"] == "A2W":  # 2r_0 + r_1 ≤ m and β(n_1 + r_1) < N·log2 N
        before, after = (size(reach) for reach in claim["reaches"])
        fits = (
            choice is None and claim["tables"] == 2 and L >= 2 and min(before, after) >= 0 and 2 * before + after <= m
        )
        return fits and below(beta * (n[0] + after), sizes[1])
    if "tables" in claim:
        values = None if choice is None else {key: size(value) for key, value in choice.items()}
        return sharper_holds(claim["theorem"], claim["tables"], beta, state_bits, m, n, values)
    if len(state_bits) != L + (claim["theorem"] == "B") or (claim["theorem"] == "B" and state_bits[0] != 0):
        return False
    if claim["theorem"] == "B" and L == 1:
        return choice is None and below(beta + state_bits[1], m)
    x, free = [size(part) for part in choice["x"]], choice["free_start"]
    reached = None if choice["reached"] is None else [size(part) for part in choice["reached"]]
    if len(x) != L or (reached is not None and len(reached) != L - 1) or min(x) < 1:
        return False
    if free and (claim["theorem"] == "B" or state_bits[0] != 0):
        return False
    found = inequalities(claim["theorem"], beta, state_bits, m, n, x, free, reached)
    return all(holds for _, holds in found.values())


def below(bits: Any, N: Any) -> bool:
    """2^bits < N^N; no rounded logarithm can tell that both are equal."""
    if isinstance(N, int) and N & (N - 1) == 0:
        return bool(bits < N * (N.bit_length() - 1))
    return bool(bits < N * mpmath.log(N, 2))


def message_bits(message: Document, length: Any) -> Any:
    """β of a layer with H heads of dimension d in a prompt of n tokens: H·(d·(P+p+⌈log2 n⌉+1) + P+⌈log2 n⌉)."""
    heads, dim, P, p = (size(message[key]) for key in ("heads", "dim", "P", "p"))
    k = (length - 1).bit_length() if isinstance(length, int) else int(mpmath.ceil(mpmath.log(length, 2)))
    return heads * (dim * (P + p + k + 1) + P + k)


def depth(layers: list[str]) -> int:
    """#F − 1 + [some R before the second F; with one F: anywhere]; 0 without F. R heads beside F heads do not count."""
    full = [place for place, layer in enumerate(layers) if layer != "R"]
    if not full:
        return 0
    end = full[1] if len(full) > 1 else len(layers)
    return len(full) - 1 + any(layer == "R" for layer in layers[:end])


def reaches_of(layers: list[str]) -> list[int] | None:
    """How far the windows before and behind one full layer reach together; None if there are other layers."""
    if layers.count("F") != 1 or any(layer[0] != "W" for layer in layers if layer != "F"):
        return None
    full = layers.index("F")
    return [sum(int(layer[1:]) - 1 for layer in part) for part in (layers[:full], layers[full + 1 :])]


def decision_holds(document: Document) -> bool:
    claim, choice = document["claim"], document["choice"]
    reaches, L = reaches_of(claim["layers"]), size(claim["L"])
    layers = [
        "R" if layer[0] == "W" else layer for layer in claim["layers"]
    ]  # a window's keys and values are its state
    full = sum(layer != "R" for layer in layers)
    if set(layers) - {"F", "R", "FR"} or L < 1:
        return False
    if claim["solvable"] is True and claim["construction"] == "C3":
        sizes = [size(claim["task"]["m"]), *map(size, claim["task"]["n"])]
        table = prod(sizes)
        room = size(claim["state_bits"]) >= table * (table - 1).bit_length()
        return full == 0 and len(layers) >= L + 1 and len(sizes) == L and room and min(sizes) >= 1
    if claim["solvable"] is True:
        construction = "C1" if full >= L + 1 else "C2"  # F^(L+1) needs no R
        return depth(layers) >= L and claim["construction"] == construction and choice is None
    if claim["solvable"] is not False or depth(layers) >= L or len(claim["task"]["n"]) + 1 != L:
        return False
    if claim["theorem"] == "A2W":
        return reaches == claim["reaches"] and impossible(claim, [], choice)
    state_bits = [size(bits) for bits in claim["lambda"]]
    if "tables" in claim:
        shape = full == claim["tables"] - (claim["theorem"][0] != "B") and not (
            claim["theorem"][0] == "B" and depth(layers) == full
        )
        return shape and impossible(claim, state_bits, choice)
    if len(state_bits) != full + 1 or claim["theorem"] != ("C" if full == 0 else "A" if full < L else "B"):
        return False
    idle = [0] * (L - 1 - full) if claim["theorem"] == "A" else []  # idle full layers in front
    return impossible(claim, idle + state_bits, choice)


def ceiling_holds(document: Document) -> bool:
    """What the theorem shows is at most the ceiling; shares are the kernel's affair, here they are computed."""
    claim, choice = document["claim"], document["choice"]
    if claim["theorem"] == "D'":
        block, opened, blocks, bits = (size(claim[key]) for key in ("block", "open", "blocks", "summary_bits"))
        chance = Fraction(opened, blocks) + Fraction(claim["false_alarms"])
        most = share(mpmath.mpf(chance.numerator) / chance.denominator, mpmath.mpf(bits) / block)
        return choice is None and bool(most <= real(claim["ceiling"]) * (1 + mpmath.mpf(10) ** -40))
    m, n = size(claim["task"]["m"]), [size(part) for part in claim["task"]["n"]]
    length = sum(m * prod(n[:k]) for k in range(len(n) + 1)) + 2
    alone = all(layer == "R" for layer in claim["layers"])
    if claim["tokens"] is not None and size(claim["tokens"]) != length:
        return False
    beta = 0 if alone else size(claim["beta"])
    if not alone and claim["message"] is not None and beta < message_bits(claim["message"], length):
        return False
    values = dict(choice)
    if "tau" in values:
        values["tau"] = Fraction(values["tau"])
    values |= {key: [size(part) for part in choice[key]] for key in ("x", "blocks", "named") if key in choice}
    state_bits = [size(bits) for bits in claim["lambda"]]
    shown = ceiling_of(claim["layers"], depth(claim["layers"]), claim["theorem"], beta, state_bits, m, n, values)
    most = real(claim["ceiling"])
    return shown is not None and bool(shown <= most * (1 + mpmath.mpf(10) ** -40) and most <= 1)


def real(value: Any) -> Any:
    """A rational number as a long float."""
    exact = Fraction(value)
    return mpmath.mpf(exact.numerator) / exact.denominator
