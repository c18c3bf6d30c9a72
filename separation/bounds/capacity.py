"""Four theorems about tasks other than composition: what they ask of a state, of one look, of windows and of gates.

| theorem | applies to | impossible if |
|---|---|---|
| memory | R layers alone with Λ state bits in all, with thoughts or without | Λ < h·log2 V: h symbols must be kept |
| look | one full layer, R layers only behind it (Λ bits) | β + h·Λ < h·log2 V: the prompt chooses one of h symbols |
| reach | windows alone, of which the reaches add up to r | r < the distance to a token on which an answer depends |
| period | ℓ R layers with gates ≥ 0, g values a number, no positions | the task is parity at n ≥ ℓ(g−1) + 2 tokens |

*Memory.* All that later tokens know of a prefix passes one boundary in Λ bits. V^h prefixes are such that any two are
told apart by some continuation; if two have the same state, one of them is answered wrongly.
*Look.* h symbols of V are Alice's; the rest of the prompt decides which of them is asked, at one and the same token.
In the full layer that token hears β bits of Alice's tokens, which no layer has mixed with others yet, so the same for
all ways to ask; what recurrent layers hand to it afterwards has Λ bits for each of the h ways.
*Reach.* No token sees farther.
*Period.* On ones alone, which are all embedded alike, every number of a state is moved by one non-decreasing map
of a chain of g values, so it rises or falls until it stands still, after at most g−1 steps; then the layer's output
stands still, and the next layer's state follows. Parity never does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from separation.bounds.condition import Condition, Order, verdict
from separation.bounds.log_sums import Inequality
from separation.bounds.powers import exact_json
from separation.files import InputError
from separation.tasks.checks import require_integer

ROOM = {"memory": ("lambda",), "look": ("beta", "lambda"), "reach": ("reach",), "period": ("layers", "values")}
"""The numbers of a model that each theorem asks for."""
Symbols = Callable[..., tuple[int, int]]
"""Sizes ↦ (h, V): h symbols of V values each."""


@dataclass(frozen=True)
class Demand:
    """What one task asks, as functions of its sizes: symbols to keep, symbols to choose from at once, a distance."""

    sizes: tuple[str, ...]
    text: str
    keeps: Symbols
    distance: Callable[..., int]
    chooses: Symbols | None = None


def kept_in_two_sum(n: int, M: int) -> tuple[int, int]:
    """Values of n−1 tokens: one of each of n−1 classes of ⌊(M−1)/(n−1)⌋ values; or each value there, or a 0 instead."""
    each = (M - 1) // max(1, n - 1)
    return (n - 1, each) if each >= 2 else (min(n - 1, M - 1), 2)


DEMANDS: dict[str, Demand] = {
    # Keys 0..D−1 in turn, any values. One look: the query is fixed, and the keys say at which place its value stands.
    "recall": Demand(
        ("pairs", "symbols"),
        "associative recall of {} pairs, keys and values in turn, of {} symbols",
        lambda D, V: (D, V),
        lambda D, V: 2 * D - 1,  # noqa: ARG005
        lambda D, V: (D, V),
    ),
    "copying": Demand(
        ("length", "symbols"),
        "copying {} tokens of {} symbols to as many places after them",
        lambda n, V: (n, V),
        lambda n, V: n,  # noqa: ARG005
    ),
    # Letters alone. One look: c letters in the first half, c = 1..h, and h letters after it: the place h is asked for,
    # which is the letter h − c of the second half.
    "selective_copying": Demand(
        ("length", "symbols"),
        "selective copying of {} tokens, blanks or letters of {} symbols",
        lambda n, V: (n, V),
        lambda n, V: 2 * n - 1,  # noqa: ARG005
        lambda n, V: (n // 2, V),
    ),
    "two_sum": Demand(
        ("length", "modulus"),
        "2-Sum of {} tokens modulo {}",
        kept_in_two_sum,
        lambda n, M: n - 1,  # noqa: ARG005
    ),
    # After half of the bits: any number of ones.
    "majority": Demand(("length",), "majority of {} bits, asked after them", lambda n: (1, n // 2 + 1), lambda n: n),
    # Any table; some word leads to each row.
    "state_based_recall": Demand(
        ("rows", "symbols", "length"),
        "recall from a table of {} rows of {} symbols at the state that {} moves lead to",
        lambda g, V, n: (g, V),  # noqa: ARG005
        lambda g, V, n: g + n - 1,  # noqa: ARG005
    ),
    "parity": Demand(("length",), "parity of {} bits, at every token", lambda n: (1, min(n, 2)), lambda n: n - 1),
}
"""By the name of the task; the sizes are those of its program in the gallery."""


@dataclass(frozen=True)
class Asked:
    """A task at given sizes."""

    task: str
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        for name, value in zip(self.demand.sizes, self.sizes, strict=True):
            require_integer(name, value, 2 if name == "symbols" else 1)
        sizes = dict(zip(self.demand.sizes, self.sizes, strict=True))
        if self.task == "recall" and sizes["symbols"] < sizes["pairs"]:
            raise InputError(f"{self.text}: a symbol for each key is needed")
        if self.task == "two_sum" and (sizes["modulus"] < 3 or sizes["modulus"] % 2 == 0):
            raise InputError(f"{self.text}: an odd modulus of at least 3 is needed")

    @property
    def demand(self) -> Demand:
        if self.task not in DEMANDS:
            raise InputError(f"task is {self.task!r}; known are {', '.join(DEMANDS)}")
        return DEMANDS[self.task]

    @property
    def text(self) -> str:
        return self.demand.text.format(*(f"{value:,}" for value in self.sizes))

    @property
    def kept(self) -> tuple[int, int]:
        """(h, V): a state of fewer than h·log2 V bits is too small."""
        return self.demand.keeps(*self.sizes)

    @property
    def distance(self) -> int:
        """Tokens from the token that is asked back to one on which its answer depends."""
        return self.demand.distance(*self.sizes)

    def document(self) -> dict[str, Any]:
        names = zip(self.demand.sizes, self.sizes, strict=True)
        return {"task": self.task} | {name: exact_json(value) for name, value in names}


def condition(asked: Asked, theorem: str, room: Mapping[str, int]) -> Condition | Order:
    """The inequality with which the theorem forbids the task to a model with so much room."""
    if theorem not in ROOM or set(room) != set(ROOM[theorem]):
        raise InputError(f"theorem is {theorem!r}; known are {', '.join(f'{t} ({r})' for t, r in ROOM.items())}")
    for name, value in room.items():
        require_integer(name, value, 0)
    if theorem == "memory":
        h, V = asked.kept
        return Condition("memory", "Λ < h·log2 V", room["lambda"], h, V)
    if theorem == "look":
        if asked.demand.chooses is None:
            raise InputError(f"{asked.text}: one look may be enough")
        h, V = asked.demand.chooses(*asked.sizes)
        return Condition("look", "β + h·Λ < h·log2 V", room["beta"] + h * room["lambda"], h, V)
    if theorem == "reach":
        return Order("reach", "r + 1 ≤ distance", room["reach"] + 1, asked.distance)
    if asked.task != "parity":
        raise InputError(f"{asked.text}: the theorem is about parity")
    return Order("period", "ℓ·(g − 1) + 2 ≤ n", room["layers"] * (room["values"] - 1) + 2, asked.sizes[0])


def forbids(asked: Asked, theorem: str, room: Mapping[str, int]) -> Inequality:
    """The inequality with both sides and its verdict.

    >>> task = Asked("recall", (4, 8))  # 8^4 = 2^12 tables
    >>> [forbids(task, "memory", {"lambda": bits}).holds for bits in (11, 12)]
    [True, False]
    >>> [forbids(task, "look", {"beta": bits, "lambda": 0}).holds for bits in (11, 12)]
    [True, False]
    >>> [forbids(Asked("parity", (tokens,)), "period", {"layers": 2, "values": 4}).holds for tokens in (7, 8)]
    [False, True]
    """
    return verdict(condition(asked, theorem, room))


def capacity_claim(asked: Asked, theorem: str, room: Mapping[str, int]) -> dict[str, Any]:
    """The claim of a certificate of kind `bound`."""
    if not forbids(asked, theorem, room).holds:
        raise InputError(f"no certificate: the {theorem} theorem does not forbid {asked.text} here")
    return {"theorem": theorem, "task": asked.document()} | {name: exact_json(room[name]) for name in ROOM[theorem]}
