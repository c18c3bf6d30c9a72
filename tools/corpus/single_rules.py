"""Certificates that one rule alone keeps from being accepted: a checker that leaves the rule out is found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from tools.corpus.bounds import BASES as BOUNDS
from tools.corpus.constructions import base
from tools.corpus.decisions import BASES as DECISIONS
from tools.corpus.entries import Document, Entry, changed, edited, matrix
from tools.corpus.pairs import base as pair
from tools.corpus.pairs import no_layers
from tools.corpus.variants import Edit, head, times

POINTER, FOUND = 5, 6  # coordinates of C1 with m = 2


def answer_biased(document: Document) -> None:
    """The logit of the id v is (±1 for its bit)·(pointer + 5): it is always 1."""
    document["model"]["unembedding"]["declared"][0]["matrix"]["entries"] = [[POINTER, 1, 1], [0, 1, 5]]


def query_and_constant(document: Document) -> None:
    """Layer 2 asks for the index with 2·i0 + 2: for i0 = −1 all entries of the table have the same score."""
    head(document, 2)["W_Q"]["entries"].append([2, 0, 2])
    head(document, 2)["shift"] = 8


def key_with_value(document: Document) -> None:
    """Keys of layer 2 hold the value too: an entry of 1 that is not asked for scores as much as an asked one of −1."""
    head(document, 2)["W_K"]["entries"].append([0, 4, 1])
    head(document, 2)["shift"] = 8


def stream_of_thirds(document: Document) -> None:
    """At w the pointer starts as 1/3, and is cleared in the first layer."""
    document["model"]["positions"]["declared"][2]["matrix"]["entries"].append([POINTER, 0, "1/3"])
    document["model"]["invariants"][0]["w"]["forms"].append([POINTER, "1", "1/3"])


def large_before_the_mlp(document: Document) -> None:
    """`found` is eight times as large between head and MLP: up to 8, where 2^(p-f) = 4."""
    for layer in document["model"]["layers"]:
        layer["heads"][0]["W_O"] = times(layer["heads"][0]["W_O"], 8)
        mlp = layer["mlps"][0]
        read = [[r, c, x if c != FOUND else str(Fraction(x) / 8)] for r, c, x in mlp["W_1"]["entries"]]
        mlp["W_1"]["entries"] = read
        mlp["W_2"]["entries"] = [[r, c, x if r != FOUND else 8 * x] for r, c, x in mlp["W_2"]["entries"]]
    document["claim"]["integral"] = False


def large_at_the_end(document: Document) -> None:
    """The last MLP adds 5 to a coordinate that nobody reads, where 2^(p-f) = 4."""
    document["model"]["layers"][-1]["mlps"][-1]["b_2"]["entries"].append([FOUND, 0, 5])
    for invariant in document["model"]["invariants"][-1].values():
        invariant["forms"].append([FOUND, "1", 5])


def other_radices(document: Document) -> None:
    """The positions of table 2 as one digit of radix 4: its bits are index, digit, and not digit, index."""
    document["model"]["positions"]["declared"][0]["radices"] = [4]


def half_a_feature(document: Document) -> None:
    """φ_k = 1/2 at z0: the mean is the same."""
    head(document, 1)["b_K"]["entries"] = [[0, 0, "-3/2"]]


def _idle(document: Document, asks: int, writes: int, value: int) -> None:
    """A linear head whose output goes nowhere: φ_q and φ_k are constants, v is constant."""
    d = document["claim"]["width"]
    one = {"type": "linear", "W_Q": matrix(1, d, {}), "b_Q": matrix(1, 1, {(0, 0): asks}), "W_K": matrix(1, d, {})}
    one |= {"b_K": matrix(1, 1, {(0, 0): writes}), "W_V": matrix(1, d, {(0, 0): value}), "W_O": matrix(d, 1, {})}
    document["model"]["layers"][0]["heads"].append(one | {"normalised": False})
    document["claim"] |= {"heads": 2, "word": "[FR]F", "state_bits": None}


def state_fits(document: Document) -> None:
    """Four tokens write 1: the state grows to 4 = 2^(p-f)."""
    _idle(document, 0, 1, 1)


def large_state(document: Document) -> None:
    """Four tokens write 2: the state grows to 8."""
    _idle(document, 0, 1, 2)


def large_output(document: Document) -> None:
    """The state grows to 4, and is read with φ_q = 2."""
    _idle(document, 2, 1, 1)


def full_by_hand(shift: int, weight: int) -> Document:
    """One full head with scores 0 and values 0: each token hears (0, weight) of the first one."""
    d = matrix(1, 1, {})
    one: Document = {"type": "full", "W_Q": d, "W_K": d, "W_V": d, "W_O": d, "shift": shift}
    heard = [{"layer": 1, "head": 0, "numbers": [0, weight] * 3}]
    layers = [{"heads": [one], "mlps": []}]
    return changed(
        no_layers(), (("model", "layers"), layers), (("claim", "word"), "F"), (("claim", "transcript"), heard)
    )


def thoughts(rows: dict[str, int]) -> Document:
    """The model without layers says 1, then 0; `rows`: heights of its tables."""
    heights = [(("model", name, "stored", "shape", 0), height) for name, height in rows.items()]
    return changed(no_layers(), *heights, *((("claim", key), [1, 0]) for key in ("output_a", "output_b")))


def both_ways_linear() -> Document:
    return changed(base("c2-rf-linear"), (("model", "attention"), "both"))


def even_map() -> Document:
    """The pair of the linear map, modulo 6: the last token is 5 = −1."""
    ends = ((("claim", key, 6), 5) for key in "ab")
    return changed(pair("map-linear"), (("claim", "modulus"), 6), *ends)


def c3_of_two_sum() -> Document:
    return changed(DECISIONS["c3"][0], (("claim", "task", "task"), "two_sum"))


REJECTED: list[tuple[str, str, Edit, str]] = [
    ("c1-m2-answer-biased", "c1-m2", answer_biased, "false: the answer is always 1 (answer, a symbol too many)"),
    ("c1-m2-query-and-constant", "c1-m2", query_and_constant, "false: for i0 = 0 all entries score the same (P4, b)"),
    ("c1-m2-key-with-value", "c1-m2", key_with_value, "false: scores depend on the values of the table (P4, a)"),
    ("c1-m2-stream-thirds", "c1-m2", stream_of_thirds, "false: a coordinate starts as 1/3, and integral is claimed"),
    (
        "c1-m2-large-before-mlp",
        "c1-m2",
        large_before_the_mlp,
        "false: 8 in the stream before the MLP, 2^(p-f) = 4 (P8)",
    ),
    ("c1-m2-large-at-end", "c1-m2", large_at_the_end, "false: 5 in the stream after the last layer, 2^(p-f) = 4 (P8)"),
    ("c1-m2-n2-radices", "c1-m2-n2", other_radices, "false: digit and index are exchanged in the positions (P1)"),
    ("c2-rf-half-feature", "c2-rf-linear", half_a_feature, "not shown: a feature of 1/2, and integral is claimed (P9)"),
    ("c1-m2-large-state", "c1-m2", large_state, "false: a state of 8, 2^(p-f) = 4 (P8)"),
    ("c1-m2-large-output", "c1-m2", large_output, "false: the output of a head is 8, 2^(p-f) = 4 (P8)"),
]
OTHERS: list[tuple[str, str, str, Callable[[], Document], str]] = [
    ("c2-both", "construction", "malformed", both_ways_linear, "attention both ways is for full attention"),
    (
        *("malformed-task-name", "construction", "malformed"),
        lambda: changed(base("c1-m2"), *((path, "func") for path in _tasks())),
        "an unknown task",
    ),
    (
        *("malformed-normalised", "construction", "malformed"),
        lambda: changed(base("c2-rf-linear"), (("model", "layers", 0, "heads", 0, "normalised"), 1)),
        "1 in place of true",
    ),
    (
        *("malformed-entry-twice", "construction", "malformed"),
        lambda: changed(base("c1-m2"), (("model", "layers", 0, "heads", 0, "W_V", "entries"), [[0, 4, 1], [0, 4, 1]])),
        "a place of a matrix twice",
    ),
    (
        *("malformed-mirror", "construction", "malformed"),
        lambda: changed(base("c6-n3-m5"), (("model", "tokens", "declared", 0, "mirror"), 7)),
        "the mirror of another modulus than the radix",
    ),
    (
        *("malformed-short-table", "pair", "malformed"),
        lambda: changed(no_layers(), (("model", "tokens", "stored"), matrix(2, 1, {}))),
        "a table with fewer rows than ids",
    ),
    (
        *("a-one-table-x", "bound", "reject"),
        lambda: changed(BOUNDS["a-one-table"], (("choice", "x"), [6]), (("claim", "lambda"), [12])),
        "not shown: x_0 = 6 is above m = 5, and without that 12 < 6·log2 5",
    ),
    (
        *("malformed-powers-small", "bound", "malformed"),
        lambda: changed(BOUNDS["c"], (("claim", "task", "m"), {"powers": [[1, 3]]}), (("claim", "tokens"), None)),
        "m = 1 as a power; m is at least 2",
    ),
    (
        *("malformed-solvable", "decision", "malformed"),
        lambda: changed(DECISIONS["not-c"][0], (("claim", "solvable"), None)),
        "solvable is neither true nor false",
    ),
    ("malformed-c3-task", "decision", "malformed", c3_of_two_sum, "C3 is for FuncComp"),
    ("f-by-hand", "pair", "accept", partial(full_by_hand, 0, 1), "scores 0, shift 0, P = 0: every weight is 1"),
    ("f-by-hand-above", "pair", "reject", partial(full_by_hand, -1, 2), "false: scores of 0 above the shift of −1"),
    (
        *("no-layers-thoughts", "pair", "accept"),
        partial(thoughts, {"positions": 5}),
        "two generated tokens; the table of positions may have more rows than the prompt",
    ),
    ("no-layers-positions", "pair", "malformed", partial(thoughts, {}), "more tokens than positions"),
    (
        *("no-layers-unreadable", "pair", "malformed"),
        partial(thoughts, {"positions": 5, "unembedding": 4}),
        "an answer that is no token, and two generated tokens",
    ),
    (
        *("malformed-no-output", "pair", "malformed"),
        lambda: changed(no_layers(), (("claim", "output_a"), []), (("claim", "output_b"), [])),
        "no output",
    ),
    (
        *("malformed-ends", "pair", "malformed"),
        lambda: changed(no_layers(), (("claim", "differ"), [0, 4])),
        "the part where the inputs differ includes the last token",
    ),
    ("map-linear-even", "pair", "malformed", even_map, "an even modulus"),
    (
        *("map-table-opened-two", "pair", "reject"),
        lambda: changed(pair("map-table"), (("claim", "opened"), [1, 2])),
        "false: two blocks are opened, and one is allowed",
    ),
    (
        *("malformed-input-modulus", "pair", "malformed"),
        lambda: changed(pair("s"), *((("claim", key, "modulus"), 7) for key in "ab")),
        "inputs of another modulus than the model",
    ),
    (
        *("malformed-input-task", "pair", "malformed"),
        lambda: changed(pair("r"), (("claim", "a", "task"), "func")),
        "an input of an unknown task",
    ),
]


def _tasks() -> tuple[tuple[Any, ...], ...]:
    return (("claim", "task", "task"), ("model", "task", "task"))


def entries() -> Iterator[Entry]:
    for name, of, edit, why in REJECTED:
        yield Entry(name, "construction", "reject", why, f"{of}, {edit.__name__}", partial(_edited, of, edit))
    why = "a state of 4 = 2^(p-f), exactly"
    yield Entry(
        "c1-m2-state-exact", "construction", "accept", why, "c1-m2, state_fits", partial(_edited, "c1-m2", state_fits)
    )
    for name, kind, expect, make, why in OTHERS:
        yield Entry(name, kind, expect, why, "changed", make)


def _edited(of: str, edit: Edit) -> Document:
    return edited(base(of), edit)
