"""Well-formed certificates that ask for much: long denominators, many terms."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from kernel_cases import construction
from plain_tables import matrix

Document = dict[str, Any]


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


HANGS: dict[str, Callable[[], Document]] = {
    "moduli of one noise symbol": lambda: many_moduli(5000),
    "noise in every row": lambda: dense_noise(50),
}
