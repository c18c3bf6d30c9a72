"""Pairs with single changes: false ones, malformed ones, and the last that holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tools.corpus.entries import Change, Document, Entry, Path, changed
from tools.corpus.pairs import base, no_layers


def _other(name: str, path: Path, step: int = 1) -> Document:
    """The integer at a path, one more."""
    document = base(name)
    place: Any = document
    for key in path:
        place = place[key]
    return changed(document, (path, int(place) + step))


def _same_answer() -> Document:
    """Input b is input a."""
    document = base("r")
    claim = document["claim"]
    return changed(document, (("claim", "b"), claim["a"]), (("claim", "expected_b"), claim["expected_a"]))


def _elsewhere() -> Document:
    """The ends leave out a token that differs."""
    document = base("r")
    a, b = (document["claim"][key]["tables"][0] for key in "ab")
    last = max(index for index in range(3) if a[index] != b[index])
    return changed(document, (("claim", "differ"), [0, last] if last else [1, 2]))


def _long_outputs() -> Document:
    """The sparse layer, with two generated tokens."""
    claim = base("s")["claim"]
    return changed(base("s"), *_outputs([*claim["output_a"], 0]))


def _block_cut() -> Document:
    """The inputs differ in a part of a block that is no whole block."""
    start, stop = base("s")["claim"]["differ"]
    a, b = (base("s")["claim"][key]["x"] for key in "ab")
    inside = [index for index in range(start, stop) if a[index] != b[index]]
    return changed(base("s"), (("claim", "differ"), [inside[0], inside[-1] + 1]))


def _no_whole_bits() -> Document:
    document = base("r")
    return changed(document, (("model", "precision", "p"), document["model"]["precision"]["fraction"]))


def _outputs(value: Any, *index: int) -> list[Change]:
    """The same change of what both inputs are answered."""
    return [(("claim", key, *index), value) for key in ("output_a", "output_b")]


def _fewer_swaps() -> Document:
    document = base("map-table")
    kept = [swap for swap in document["claim"]["swaps"] if swap["block"] == 0]
    return changed(document, (("claim", "swaps"), kept))


def _swap_twice() -> Document:
    document = base("map-table")
    swaps = document["claim"]["swaps"]
    return changed(document, (("claim", "swaps"), [swaps[0], *swaps]))


def _swap_without_x() -> Document:
    """A swap that is the block itself: its summary is the same, and x is not in it."""
    document = base("map-table")
    return changed(document, (("claim", "swaps", 1, "with"), document["claim"]["a"][2:4]))


def _exact_swaps() -> Document:
    """One swap more than blocks that can be opened."""
    document = base("map-table")
    return changed(document, (("claim", "swaps"), document["claim"]["swaps"][:2]))


CASES: list[tuple[str, str, str, Callable[[], Document] | list[Change], str]] = [
    ("r-expected", "r", "reject", partial(_other, "r", ("claim", "expected_a")), "false: another answer is right"),
    ("r-output", "r", "reject", partial(_other, "r", ("claim", "output_a", 0)), "false: the outputs differ"),
    ("r-z0", "r", "malformed", partial(_other, "r", ("claim", "a", "z0"), 5), "z0 is no number below m"),
    ("r-same", "r", "reject", _same_answer, "false: both inputs are the same, and so is the right answer"),
    ("r-elsewhere", "r", "reject", _elsewhere, "false: the inputs differ outside the ends too"),
    ("r-word", "r", "reject", [(("claim", "word"), "F")], "false: the word is R"),
    (
        "r-transcript",
        "r",
        "reject",
        [(("claim", "transcript", 0, "numbers", 0), 1000)],
        "false: the state holds another number",
    ),
    (
        "r-transcript-short",
        "r",
        "reject",
        [(("claim", "transcript"), [])],
        "false: the transcript has an entry for each head",
    ),
    ("r-precision", "r", "reject", _no_whole_bits, "false: with p = f no activation may be above 1"),
    ("r-task", "r", "malformed", [(("claim", "a", "m"), 4)], "an input of another task"),
    (
        "rr-thoughts-third",
        "rr-thoughts",
        "reject",
        partial(_other, "rr-thoughts", ("claim", "output_a", 2)),
        "false: the outputs differ",
    ),
    ("rr-thoughts-other", "rr-thoughts", "reject", [*_outputs(0, 1)], "false: the model generates another token"),
    ("f-both", "f", "malformed", [(("model", "attention"), "both")], "pairs are defined for causal attention"),
    (
        "f-shift",
        "f",
        "reject",
        [(("model", "layers", 0, "heads", 0, "shift"), -1000)],
        "false: scores are above the shift",
    ),
    (
        "f-weight",
        "f",
        "reject",
        [(("model", "precision", "P"), 12)],
        "false: with P = 12 the weights, and so the sums that are heard, are larger",
    ),
    (
        "rf-transcript",
        "rf",
        "reject",
        [(("claim", "transcript", 1, "layer"), 1)],
        "false: the second transcript is that of layer 2",
    ),
    ("s-two-outputs", "s", "malformed", _long_outputs, "a sparse layer has no thoughts here"),
    ("s-part-of-a-block", "s", "reject", _block_cut, "not shown: the ends are not those of a block"),
    ("no-layers-output", "no-layers", "reject", [*_outputs([0])], "false: the model answers 1"),
    ("no-layers-tie", "no-layers", "accept", lambda: tie(0), "equal logits: the first of the largest is the answer"),
    ("no-layers-tie-last", "no-layers", "reject", lambda: tie(1), "false: equal logits: the first of the largest is 0"),
    ("map-table-exact", "map-table", "accept", _exact_swaps, "two swaps, one block can be opened: just enough"),
    (
        "map-table-fewer",
        "map-table",
        "reject",
        _fewer_swaps,
        "not shown: x is ambiguous in one block, and one is opened",
    ),
    ("map-table-twice", "map-table", "reject", _swap_twice, "not shown: a block is swapped twice"),
    ("map-table-without-x", "map-table", "reject", _swap_without_x, "false: the swap does not hold x"),
    (
        "map-table-open-more",
        "map-table",
        "reject",
        [(("claim", "open"), 3)],
        "false: a layer that opens three blocks sees every token",
    ),
    (
        "map-table-opened-it",
        "map-table",
        "reject",
        [(("claim", "opened"), [0])],
        "false: the block in which b differs is opened",
    ),
    (
        "map-table-expected",
        "map-table",
        "reject",
        [(("claim", "expected_b"), 0)],
        "false: 1 is right, as x stands in b",
    ),
    (
        "map-table-last",
        "map-table",
        "reject",
        [(("claim", "a", 6), 2), (("claim", "b", 6), 2)],
        "false: the last token is not −x",
    ),
    ("map-linear-modulus", "map-linear", "reject", [(("map", "modulus"), 97)], "false: modulo 97 the summaries differ"),
    ("map-linear-one", "map-linear", "accept", [(("map", "modulus"), 1)], "modulo 1 all summaries are alike"),
    ("map-linear-type", "map-linear", "malformed", [(("map", "type"), "affine")], "an unknown type of map"),
]


def tie(said: int) -> Document:
    """Both rows of the unembedding are 0."""
    rows: Change = ("model", "unembedding", "stored", "entries"), []
    return changed(no_layers(), rows, *_outputs([said]))


def entries() -> Iterator[Entry]:
    for name, of, expect, change, why in CASES:
        make = change if callable(change) else partial(_changed, of, change)
        yield Entry(name, "pair", expect, why, f"{of}, changed", make)


def _changed(of: str, changes: list[Change]) -> Document:
    return changed(base(of), *changes)
