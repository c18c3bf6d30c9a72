"""Do two accepted claims contradict each other? Asked of the claims alone, as the kernel gives them (`Verdict.claim`).

A construction is *built*: a word of layers, its attention, a task with or without thoughts, what its full heads send
(`message`, there only if integral), its states, what one sparse layer keeps of a block (`summary`). A bound, a decision
or a ceiling *excludes* all causal models of some words over F and R within β and Λ, in one pass. They conflict if the
model that is built is one of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Claim = dict[str, Any]
DIMENSIONS = ("attention", "thoughts", "letters", "order", "message", "states", "summary")
"""Of a claim, by which a model that is built may differ from all that are excluded."""


def conflict(built: Claim, excluding: Claim, ignored: str = "") -> bool:
    """Whether the model that is built is excluded; ``ignored``: a dimension that is not looked at."""
    if built["task"]["task"] == "two_sum":
        return sparse_conflict(built, excluding, ignored)
    same = built["task"]["task"] == "funccomp" == excluding.get("task", {}).get("task")
    if not same or excluding.get("solvable") is True:
        return False
    if excluding.get("ceiling") in (1, "1"):
        return False
    return all(name == ignored or differs(built, excluding) is False for name, differs in DIFFERENCES.items())


def sizes_differ(built: Claim, excluding: Claim) -> bool:
    return [sized(built["task"][key]) for key in "mn"] != [sized(excluding["task"][key]) for key in "mn"]


def sized(value: Any) -> Any:
    """A large integer of a certificate; a list of them."""
    if isinstance(value, list):
        return [sized(part) for part in value]
    if isinstance(value, dict):
        product = 1
        for base, exponent in value["powers"]:
            product *= int(base) ** int(exponent)
        return product
    return int(Fraction(value))  # a whole number may be written as a fraction


def attention_differs(built: Claim, excluding: Claim) -> bool:  # noqa: ARG001 (what is excluded is causal)
    return built["attention"] != "causal"


def thoughts_differ(built: Claim, excluding: Claim) -> bool:  # noqa: ARG001 (what is excluded has none)
    return "thoughts" in built["task"]


def letters_of(word: str) -> list[str]:
    """[FR]F as FR, F."""
    return [bracket or letter for bracket, letter in re.findall(r"\[([A-Z]+)\]|([A-Z])", word)]


def letters_differ(built: Claim, excluding: Claim) -> bool:
    """Other layers than F and R; or others than the word, or another number of full ones."""
    layers = letters_of(built["word"])
    if "layers" in excluding:
        return sorted(layers) != sorted(excluding["layers"])
    return not {*layers} <= {"F", "R", "FR"} or full_layers(layers) != excluded_full_layers(excluding)


def order_differs(built: Claim, excluding: Claim) -> bool:
    layers = letters_of(built["word"])
    if "layers" in excluding:
        return layers != excluding["layers"]
    return excluding["theorem"][0] == "B" and early(layers)


def full_layers(layers: list[str]) -> int:
    return sum("F" in layer for layer in layers)


def early(layers: list[str]) -> bool:
    """An R layer before the second full one; if there is only one, anywhere."""
    full = [place for place, layer in enumerate(layers) if "F" in layer]
    return "R" in layers[: full[1] if len(full) > 1 else None]


def excluded_full_layers(excluding: Claim) -> int:
    tables = excluding.get("tables", len(excluding["task"]["n"]) + 1)
    return 0 if excluding["theorem"] == "C" else tables if excluding["theorem"][0] == "B" else tables - 1


def message_differs(built: Claim, excluding: Claim) -> bool:
    """Its messages have more than β bits, or nothing says how many."""
    if excluding.get("beta") is None:
        return False
    if "message" not in built:
        return True
    heads, dim, P, p = (int(built["message"][key]) for key in ("heads", "dim", "P", "p"))
    k = (int(built["tokens"]) - 1).bit_length()
    return heads * (dim * (P + p + k + 1) + P + k) > int(excluding["beta"])


def states_differ(built: Claim, excluding: Claim) -> bool:
    """Some block may have more bits than are excluded; a model that says nothing of its states may."""
    layers, state_bits = letters_of(built["word"]), [sized(value) for value in excluding["lambda"]]
    each = "tables" in excluding or "ceiling" in excluding
    allowed = [b - a for a, b in zip([0, *state_bits], state_bits, strict=False)] if each else state_bits
    allowed = [0] * (full_layers(layers) + 1 - len(allowed)) + allowed  # a decision pads by idle layers in front
    blocks = {full_layers(layers[: place + 1]) for place, layer in enumerate(layers) if "R" in layer}
    if not blocks:
        return False
    return "state_bits" not in built or any(int(built["state_bits"]) > allowed[block] for block in blocks)


DIFFERENCES = {
    "sizes": sizes_differ,
    "attention": attention_differs,
    "thoughts": thoughts_differ,
    "letters": letters_differ,
    "order": order_differs,
    "message": message_differs,
    "states": states_differ,
}


def sparse_conflict(built: Claim, excluding: Claim, ignored: str = "") -> bool:
    """One sparse layer that is right at every token, and D or D' about blocks like its own that it does not hold."""
    if excluding.get("theorem") not in ("D", "D'") or excluding.get("ceiling") in (1, "1"):
        return False
    own = built.get("summary")
    if own is None or (int(own["block"]), int(own["open"])) != (int(excluding["block"]), int(excluding["open"])):
        return False
    if "modulus" in excluding and int(excluding["modulus"]) != int(built["task"]["modulus"]):
        return False
    fits = int(excluding["blocks"]) * int(own["block"]) < int(built["tokens"])
    return fits and (ignored == "summary" or int(own["bits"]) <= int(excluding["summary_bits"]))


def conflicts(built: list[Claim], excluding: list[Claim], ignored: str = "") -> Iterator[tuple[Claim, Claim]]:
    return ((one, other) for one in built for other in excluding if conflict(one, other, ignored))
