"""Every recurrent family once more, in plain Python on fractions: what goes in, one step, the read-out.

Vectors are lists, matrices lists of rows. Nothing here imports the project.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

Weigh = Callable[[Fraction], int]
# Name, shape (k and v: dimensions of keys and values; n: the count; a letter each), domain: in the order of W_X's rows.
INPUTS: dict[str, list[tuple[str, str, str]]] = {
    "linear": [("q", "k", ""), ("k", "k", ""), ("v", "v", "")],
    "linear-normalised": [("q", "k", "positive"), ("k", "k", "positive"), ("v", "v", "")],
    "retnet": [("q", "k", ""), ("k", "k", ""), ("v", "v", "")],
    "gla": [("q", "k", ""), ("k", "k", ""), ("v", "v", ""), ("alpha", "k", "gate")],
    "mamba": [("x", "v", ""), ("delta", "v", "gate"), ("b", "k", ""), ("c", "k", ""), ("decay", "kv", "gate")],
    "mamba2": [("x", "v", ""), ("delta", "", "gate"), ("b", "k", ""), ("c", "k", ""), ("a", "", "gate")],
    "delta-net": [("q", "k", ""), ("k", "k", ""), ("v", "v", ""), ("beta", "", "gate")],
    "gated-delta-net": [
        ("q", "k", ""),
        ("k", "k", ""),
        ("v", "v", ""),
        ("alpha", "", "gate"),
        ("beta", "", "gate"),
    ],
    "kimi-delta": [("q", "k", ""), ("k", "k", ""), ("v", "v", ""), ("alpha", "k", "gate"), ("beta", "", "gate")],
    "rwkv6": [("r", "k", ""), ("k", "k", ""), ("v", "v", ""), ("w", "k", "gate")],
    "rwkv7": [
        ("r", "k", ""),
        ("k", "k", ""),
        ("kappa", "k", ""),
        ("v", "v", ""),
        ("w", "k", "gate"),
        ("a", "k", "gate"),
    ],
    "mlstm": [("q", "k", ""), ("k", "k", ""), ("v", "v", ""), ("f", "", "gate"), ("i", "", "positive")],
    "hgrn2": [("q", "k", ""), ("v", "v", ""), ("f", "k", "gate")],
    "delta-product": [("q", "k", ""), ("k", "nk", ""), ("v", "nv", ""), ("beta", "n", "reflection")],
    "sliding-window": [("q", "k", "unit"), ("k", "k", "unit"), ("v", "v", "")],
    "rnn": [("x", "k", "")],
}
CONSTANTS: dict[str, list[tuple[str, str]]] = {
    "retnet": [("gamma", "")],
    "mamba": [("skip", "v")],
    "mamba2": [("skip", "")],
    "rwkv6": [("u", "k")],
    "rnn": [("W", "vv"), ("U", "vk"), ("b", "v")],
}
ENDS: dict[str, tuple[Fraction | None, Fraction | None]] = {
    "": (None, None),
    "positive": (Fraction(0), None),
    "gate": (Fraction(0), Fraction(1)),
    "reflection": (Fraction(0), Fraction(2)),
    "unit": (Fraction(-1), Fraction(1)),
}


def clipped(number: Fraction, domain: str) -> Fraction:
    low, high = ENDS[domain]
    if low is not None and number < low:
        return low
    return high if high is not None and number > high else number


def shaped(numbers: list[Fraction], shape: list[int]) -> Any:
    """The numbers, row by row, as nested lists; one number if there is no shape."""
    if not shape:
        return numbers[0]
    size = len(numbers) // shape[0]
    return [shaped(numbers[i * size : (i + 1) * size], shape[1:]) for i in range(shape[0])]


def size_of(shape: list[int]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total


def named(column: list[Fraction], kinds: list[tuple[str, list[int]]]) -> dict[str, Any]:
    found, start = {}, 0
    for name, shape in kinds:
        found[name] = shaped(column[start : start + size_of(shape)], shape)
        start += size_of(shape)
    assert start == len(column)
    return found


def inputs(
    head: dict[str, Any], raw: list[list[Fraction]], constants: list[Fraction], clip: bool
) -> list[dict[str, Any]]:
    """For each token what goes into its step, by name; ``raw`` are W_X x + b_X, one row a token."""
    sizes = {"k": head["d_k"], "v": head["d_v"], "n": head["count"]}
    kinds = [(name, [sizes[d] for d in shape], domain) for name, shape, domain in INPUTS[head["family"]]]
    fixed = [(name, [sizes[d] for d in shape]) for name, shape in CONSTANTS.get(head["family"], [])]
    domains = [domain for _, shape, domain in kinds for _ in range(size_of(shape))]
    found = []
    for row in raw:
        numbers = [clipped(x, domain) if clip else x for x, domain in zip(row, domains, strict=True)]
        found.append(named(numbers, [(name, shape) for name, shape, _ in kinds]) | named(constants, fixed))
    return found


def empty_state(head: dict[str, Any]) -> dict[str, Any]:
    family, d_k, d_v = head["family"], head["d_k"], head["d_v"]
    if family == "sliding-window":
        return {"K": [], "V": []}
    if family == "rnn":
        return {"h": [Fraction(0)] * d_v}
    state: dict[str, Any] = {"S": [[Fraction(0)] * d_v for _ in range(d_k)]}
    if family in ("linear-normalised", "mlstm"):
        state["n"] = [Fraction(0)] * d_k
    return state


def entries(head: dict[str, Any], state: dict[str, Any]) -> list[Fraction]:
    """All numbers of a state; a window that is not full has zeros in front."""
    found: list[Fraction] = []
    for name, part in state.items():
        if name in ("K", "V"):
            found += [Fraction(0)] * (head["d_k" if name == "K" else "d_v"] * (head["count"] - len(part)))
        found += flat(part)
    return found


def flat(part: Any) -> list[Fraction]:
    return [number for inner in part for number in flat(inner)] if isinstance(part, list) else [part]


def step(family: str, state: dict[str, Any], z: dict[str, Any], count: int) -> dict[str, Any]:
    """The next state, not yet rounded."""
    if family == "sliding-window":
        return {"K": [*state["K"], z["k"]][-count:], "V": [*state["V"], z["v"]][-count:]}
    if family == "rnn":
        rows = zip(z["W"], z["U"], z["b"], strict=True)
        return {"h": [max(Fraction(0), dot(w, state["h"]) + dot(u, z["x"]) + b) for w, u, b in rows]}
    old = state["S"]
    if family == "delta-product":
        for key, value, beta in zip(z["k"], z["v"], z["beta"], strict=True):
            old = delta(old, key, key, value, beta)
        return {"S": old}
    new: dict[str, Any] = {}
    decays = {
        "retnet": lambda: z["gamma"],
        "mamba2": lambda: z["a"],
        "gated-delta-net": lambda: z["alpha"],
        "mlstm": lambda: z["f"],
        "gla": lambda: z["alpha"],
        "kimi-delta": lambda: z["alpha"],
        "rwkv6": lambda: z["w"],
        "rwkv7": lambda: z["w"],
        "hgrn2": lambda: z["f"],
        "mamba": lambda: z["decay"],
    }
    decay = decays[family]() if family in decays else Fraction(1)
    kept = [[s * part(decay, i, j) for j, s in enumerate(row)] for i, row in enumerate(old)]
    if family in ("delta-net", "gated-delta-net", "kimi-delta"):
        return {"S": delta(kept, z["k"], z["k"], z["v"], z["beta"])}
    if family == "rwkv7":
        held = [dot(z["kappa"], column) for column in zip(*old, strict=True)]
        kept = [
            [s - a * k * h for s, h in zip(row, held, strict=True)]
            for row, a, k in zip(kept, z["a"], z["kappa"], strict=True)
        ]
    if family == "mamba":
        key, value = z["b"], [d * x for d, x in zip(z["delta"], z["x"], strict=True)]
    elif family == "mamba2":
        key, value = z["b"], [z["delta"] * x for x in z["x"]]
    elif family == "hgrn2":
        key, value = [1 - f for f in z["f"]], z["v"]
    elif family == "mlstm":
        key, value = [z["i"] * k for k in z["k"]], z["v"]
    else:
        key, value = z["k"], z["v"]
    new["S"] = [[s + k * v for s, v in zip(row, value, strict=True)] for row, k in zip(kept, key, strict=True)]
    if "n" in state:
        new["n"] = [part(decay, i, 0) * n + k for i, (n, k) in enumerate(zip(state["n"], key, strict=True))]
    return new


def delta(
    state: list[list[Fraction]], erased: list[Fraction], key: list[Fraction], value: list[Fraction], beta: Fraction
) -> list[list[Fraction]]:
    held = [dot(erased, list(column)) for column in zip(*state, strict=True)]
    return [
        [s + beta * k * (v - h) for s, v, h in zip(row, value, held, strict=True)]
        for row, k in zip(state, key, strict=True)
    ]


def part(decay: Any, row: int, column: int) -> Fraction:
    """A decay of the whole state, of each row, or of each entry."""
    if isinstance(decay, list):
        decay = decay[row]
    return decay[column] if isinstance(decay, list) else decay


def read(
    family: str, before: dict[str, Any], after: dict[str, Any], z: dict[str, Any], weigh: Weigh
) -> tuple[list[Fraction], Fraction]:
    """(numerators, denominator) of the output."""
    if family == "rnn":
        return after["h"], Fraction(1)
    if family == "sliding-window":
        weights = [Fraction(weigh(dot(key, z["q"]) - len(z["q"]))) for key in after["K"]]
        return [dot(weights, list(column)) for column in zip(*after["V"], strict=True)], sum(weights, Fraction(0))
    query = next(z[name] for name in ("q", "c", "r") if name in z)
    state = before if family == "rwkv6" else after
    sums = [dot(query, list(column)) for column in zip(*state["S"], strict=True)]
    if family == "rwkv6":
        bonus = sum((r * u * k for r, u, k in zip(z["r"], z["u"], z["k"], strict=True)), Fraction(0))
        return [s + bonus * v for s, v in zip(sums, z["v"], strict=True)], Fraction(1)
    if family == "mamba":
        return [s + d * x for s, d, x in zip(sums, z["skip"], z["x"], strict=True)], Fraction(1)
    if family == "mamba2":
        return [s + z["skip"] * x for s, x in zip(sums, z["x"], strict=True)], Fraction(1)
    if family == "linear-normalised":
        return sums, dot(query, after["n"])
    if family == "mlstm":
        return sums, max(abs(dot(query, after["n"])), Fraction(1))
    return sums, Fraction(1)


def dot(left: list[Fraction], right: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))
