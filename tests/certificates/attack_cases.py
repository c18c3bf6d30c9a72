"""Well-formed certificates that ask for much: states without rows, long denominators, many terms."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from kernel_cases import construction
from plain_tables import matrix

Document = dict[str, Any]
SHAPES = {"W_Q": "k", "b_Q": "k", "W_K": "k", "b_K": "k", "W_V": "v", "W_A": "1", "b_A": "1", "W_B": "1", "b_B": "1"}


def head(kind: str, d_k: int, d_v: int, weight: Any = 0) -> Document:
    """A head over a stream of one coordinate; all its matrices hold one weight, where they have room."""
    keys = {"linear": "W_Q b_Q W_K b_K W_V", "delta": "W_Q W_K W_V W_A b_A W_B b_B", "full": "W_Q W_K W_V"}[kind]
    rows = {"k": d_k, "v": d_v, "1": 1}
    made = {key: matrix(rows[SHAPES[key]], 1, {(0, 0): weight} if rows[SHAPES[key]] else {}) for key in keys.split()}
    more = {"linear": {"normalised": False}, "delta": {}, "full": {"shift": 200}}[kind]
    return {"type": kind, **made, "W_O": matrix(1, d_v, {(0, 0): weight or 1}), **more}


def pair_of(layers: list[Document], word: str, m: int = 2, position: Callable[[int], Any] = lambda _: 1) -> Document:
    """Two inputs of FuncComp with one table; the claims are not true, but the model has to be run to see that."""
    task = {"task": "funccomp", "m": m, "n": []}
    model = {"schema": "separation.model/1", "task": task, "attention": "causal", "layers": layers}
    model |= {"precision": {"P": 4, "p": 30, "fraction": 4}, "slots": [{"name": "x", "width": 1}]}
    model["positions"] = {"stored": matrix(m + 2, 1, {(i, 0): position(i) for i in range(m + 2)})}
    model["tokens"] = {"stored": matrix(m + 1, 1, {(0, 0): 1})}
    model["unembedding"] = {"stored": matrix(m, 1, {(0, 0): 1})}
    inputs = [task | {"z0": 0, "tables": [[first] + [0] * (m - 1)], "w": []} for first in (0, 1)]
    claim = {"word": word, "differ": [0, m], "a": inputs[0], "b": inputs[1], "expected_a": 0, "expected_b": 1}
    claim |= {"output_a": [0], "output_b": [0], "transcript": []}
    return {"schema": "separation.certificate/1", "kind": "pair", "tool": "0", "claim": claim, "model": model}


def pair_of_heads(kind: str, d_k: int, d_v: int, weight: Any = 0, layers: int = 1) -> Document:
    one = {"heads": [head(kind, d_k, d_v, weight)], "mlps": []}
    return pair_of([one] * layers, ("F" if kind == "full" else "R") * layers)


def many_moduli(units: int) -> Document:
    """An MLP whose units are |ν + c_i| for one noise symbol ν, all added to one coordinate."""
    made = construction(2, [])
    made["claim"]["integral"], width = False, made["claim"]["width"]
    pointer = sum(slot["width"] for slot in made["model"]["slots"][:6])
    mlp = {"W_1": matrix(units, width, {(i, pointer): 1 for i in range(units)})}
    mlp["b_1"] = matrix(units, 1, {(i, 0): f"{i + 1}/{units + 2}" for i in range(units)})
    mlp["W_2"] = matrix(width, units, {(0, i): f"1/{1000 * units}" for i in range(units)})
    made["model"]["layers"][-1]["mlps"].insert(0, mlp | {"b_2": matrix(width, 1, {})})
    return made


def dense_noise(columns: int) -> Document:
    """As many noise columns as rows of a new slot, each with a random rational in every row."""
    made, rng = construction(2, []), random.Random(1)
    made["claim"]["integral"], width = False, made["claim"]["width"]
    model, made["claim"]["width"] = made["model"], width + columns
    model["slots"].append({"name": "more", "width": columns})
    parts: list[Any] = [part for key, part in model.items() if key != "invariants"]
    while parts:
        part = parts.pop()
        if isinstance(part, dict) and "shape" in part:
            part["shape"] = [width + columns if size == width else size for size in part["shape"]]
        elif isinstance(part, dict | list):
            parts += part.values() if isinstance(part, dict) else part
    for _ in range(columns):
        column = [[width + i, f"{rng.randrange(1, 10**10)}/{rng.randrange(1, 10**10)}"] for i in range(columns)]
        model["invariants"][0]["z0"]["noise"].append({"radius": 1, "column": column})
    return made


CRASHES: dict[str, Callable[[], Document]] = {
    "linear attention whose state has no rows": lambda: pair_of_heads("linear", 0, 1),
    "a delta rule whose state has no rows": lambda: pair_of_heads("delta", 0, 1),
}
HANGS: dict[str, Callable[[], Document]] = {
    "moduli of one noise symbol": lambda: many_moduli(5000),
    "noise in every row": lambda: dense_noise(50),
}
