"""Decisions: a word and L, solvable or not; each next to a false neighbour. All numbers are written down here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tools.corpus.entries import Change, Document, Entry, certificate, changed


def solvable(layers: str, L: int, construction: str, **more: Any) -> Document:
    """`layers` is written with a space between layers: "R FR F"."""
    claim = {"layers": layers.split(), "L": L, "solvable": True, "construction": construction}
    return certificate("decision", claim | more, choice=None)


def impossible(layers: str, theorem: str, m: int, n: list[int], linear: list[int], **more: Any) -> Document:
    claim = {"layers": layers.split(), "L": len(n) + 1, "solvable": False, "theorem": theorem}
    claim |= {"task": {"task": "funccomp", "m": m, "n": n}, "tokens": more.get("tokens"), "beta": more.get("beta")}
    claim |= {"lambda": linear, "message": more.get("message")}
    choice = {"x": more["x"], "reached": None, "free_start": more.get("free", False)} if "x" in more else None
    return certificate("decision", claim, choice=choice)


SIX = {"task": {"task": "funccomp", "m": 3, "n": [2]}, "state_bits": 18}
BASES: dict[str, tuple[Document, str]] = {
    "c1-fff": (solvable("F F F", 2, "C1"), "depth 2 by full layers"),
    "c1-frff": (solvable("F R R F F", 1, "C1"), "L = 1 by C1, although C2 would reach further"),
    "c1-beside": (solvable("FR F FR", 2, "C1"), "[FR] layers count as F"),
    "c2-rff": (solvable("R F F", 2, "C2"), "an R before the second F"),
    "c2-frf": (solvable("F R F", 2, "C2"), "an R between the first and the second F"),
    "c2-fr": (solvable("F R", 1, "C2"), "one F, and an R behind it"),
    "c2-rf": (solvable("R F", 1, "C2"), "one F, and an R before it"),
    "c2-beside": (solvable("R FR F", 2, "C2"), "an R layer before two [FR] or F layers"),
    "c3": (solvable("R R R", 2, "C3", **SIX), "R alone: a state of 6·3 = 18 bits, exactly"),
    "c3-more-layers": (solvable("R R R R", 2, "C3", **SIX), "R alone, more layers than are needed"),
    "c3-one": (
        solvable("R R", 1, "C3", task={"task": "funccomp", "m": 4, "n": []}, state_bits=8),
        "R alone, one table of 4 entries with 2 bits each",
    ),
    "not-a": (
        impossible("R F", "A", 33, [466, 2], [4, 4], tokens=46169, beta=2, x=[1, 13, 1], free=True),
        "Theorem A: one F for three tables, so an idle layer with Λ_0 = 0 stands in front",
    ),
    "not-a-full": (
        impossible("F", "A", 7, [115], [0, 0], tokens=814, beta=47, x=[1, 7], free=True),
        "Theorem A: one F for two tables, no padding",
    ),
    "not-a-heads": (
        impossible(
            *("F", "A", 7, [115], [0, 0]),
            tokens=814,
            beta=47,
            x=[1, 7],
            free=True,
            message={"heads": 1, "dim": 2, "P": 3, "p": 3},
        ),
        "Theorem A with the message of heads",
    ),
    "not-a-recurrent-later": (
        impossible("F R", "A", 37, [9], [5, 5], tokens=372, beta=3, x=[16, 1]),
        "Theorem A: an R layer behind one F; Λ_0 may be more than the word needs",
    ),
    "not-b": (
        impossible("FR F", "B", 101, [5], [0, 3, 3], tokens=608, beta=2, x=[50, 1]),
        "Theorem B: two F for two tables, R only beside F",
    ),
    "not-b-late-r": (
        impossible("F F R", "B", 101, [5], [0, 0, 3], tokens=608, beta=2, x=[50, 1]),
        "Theorem B: an R behind the second F does not help",
    ),
    "not-b-one": (impossible("F", "B", 5, [], [0, 0], tokens=7, beta=11), "Theorem B: one F for one table"),
    "not-c": (impossible("R R", "C", 2, [5], [30], tokens=14), "Theorem C: R alone, 30 < 10·log2 10 = 33.2…"),
    "not-c-empty": (impossible("", "C", 4, [], [7], tokens=6), "Theorem C: no layers at all"),
}
LAYERS, L, TASK = ("claim", "layers"), ("claim", "L"), ("claim", "task")
DEEP = "false: by the theorems there are sizes at which no such model is right"
CHANGES: list[tuple[str, str, str, list[Change], str]] = [
    ("c1-fff-deeper", "c1-fff", "reject", [(L, 3)], f"{DEEP}, as the depth is 2"),
    ("c1-fff-as-c2", "c1-fff", "reject", [(("claim", "construction"), "C2")], "false: C2 needs an R"),
    ("c2-rff-as-c1", "c2-rff", "reject", [(("claim", "construction"), "C1")], "false: C1 needs three F"),
    ("c2-rff-deeper", "c2-rff", "reject", [(L, 3)], f"{DEEP}, as the depth is 2"),
    ("c2-late-r", "c2-rff", "reject", [(LAYERS, ["F", "F", "R"])], f"{DEEP}: the R stands behind the second F"),
    ("c2-only-beside", "c2-rff", "reject", [(LAYERS, ["FR", "FR"])], f"{DEEP}: R heads beside F do not count"),
    ("c2-no-full", "c2-rf", "reject", [(LAYERS, ["R", "R"])], f"{DEEP}: there is no F"),
    ("c2-unknown-letter", "c2-rf", "malformed", [(LAYERS, ["R", "S"])], "S is no letter of a word here"),
    ("c2-unknown-order", "c2-rf", "malformed", [(LAYERS, ["RF", "F"])], "a layer with both is written FR"),
    ("c2-L-0", "c2-rf", "malformed", [(L, 0)], "L is at least 1"),
    ("c2-with-choice", "c2-rf", "malformed", [(("choice",), {})], "what is solvable has no choice"),
    ("c3-bits-under", "c3", "reject", [(("claim", "state_bits"), 17)], "not shown: 17 bits, the largest table has 18"),
    ("c3-layers-under", "c3", "reject", [(LAYERS, ["R", "R"])], "not shown: C3 needs L + 1 = 3 layers"),
    ("c3-with-full", "c3", "reject", [(LAYERS, ["R", "R", "F"])], "not shown: C3 is for R alone"),
    ("c3-other-L", "c3", "reject", [(L, 1)], "false: the task has two tables"),
    ("c3-without-task", "c3", "malformed", [(("claim",), solvable("R R R", 2, "C3")["claim"])], "C3 names its sizes"),
    ("not-a-beta-over", "not-a", "reject", [(("claim", "beta"), 3)], "not shown: the inequality fails at β = 3"),
    ("not-a-as-b", "not-a", "reject", [(("claim", "theorem"), "B")], "not shown: Theorem A speaks of this word"),
    ("not-a-depth", "not-a-full", "reject", [(LAYERS, ["F", "R", "F"])], "false: the word has depth 2 and solves it"),
    ("not-c-L", "not-c", "reject", [(L, 3)], "false: the task has two tables"),
    ("not-a-lambda-long", "not-a", "malformed", [(("claim", "lambda"), [4, 4, 4])], "Λ_0, Λ_1 of a word with one F"),
    ("not-b-beta-over", "not-b", "reject", [(("claim", "beta"), 3)], "not shown: the inequality fails at β = 3"),
    (
        "not-b-with-r",
        "not-b",
        "reject",
        [(LAYERS, ["R", "F", "F"])],
        "false: the R stands before the second F: depth 2",
    ),
    ("not-b-one-over", "not-b-one", "reject", [(("claim", "beta"), 12)], "not shown: 12 ≥ 5·log2 5 = 11.6…"),
    ("not-c-exact", "not-c", "accept", [(("claim", "lambda"), [33])], "Theorem C: 33 < 33.2…"),
    ("not-c-over", "not-c", "reject", [(("claim", "lambda"), [34])], "not shown: 34 ≥ 33.2…"),
    ("not-c-full", "not-c", "reject", [(LAYERS, ["F"]), (("claim", "lambda"), [30, 30])], "not shown: A speaks of F"),
    ("not-c-tokens", "not-c", "reject", [(("claim", "tokens"), 15)], "false: the prompt has 14 tokens"),
]


def entries() -> Iterator[Entry]:
    for name, (document, why) in BASES.items():
        yield Entry(name, "decision", "accept", why, "written down", partial(changed, document))
    for name, of, expect, changes, why in CHANGES:
        yield Entry(name, "decision", expect, why, f"{of}, changed", partial(changed, BASES[of][0], *changes))
