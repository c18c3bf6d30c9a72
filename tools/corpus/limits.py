"""Beyond the limits of the kernel: small files that ask for much. A checker with higher limits may answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tools.corpus.bounds import BASES, bound, sparse
from tools.corpus.constructions import base
from tools.corpus.decisions import solvable
from tools.corpus.entries import Document, Entry, changed, matrix
from tools.corpus.pairs import base as pair
from tools.corpus.pairs import no_layers


def layers_257() -> Document:
    return changed(no_layers(), (("model", "layers"), [{"heads": [], "mlps": []}] * 257))


def wide_stream() -> Document:
    """16,385 coordinates, none of which is used."""
    document = no_layers()
    for table in ("positions", "tokens", "unembedding"):
        document["model"][table]["stored"]["shape"][1] = 16_385
    return changed(document, (("model", "slots", 0, "width"), 16_385))


def long_prompt() -> Document:
    """A table of 2^21 entries, stored, most of whose rows are 0; the inputs are written short and do not fit."""
    document = no_layers()
    m = 2**21
    for table, height in (("positions", m + 2), ("tokens", m + 1), ("unembedding", m)):
        document["model"][table]["stored"]["shape"][0] = height
    changes: list[tuple[tuple[Any, ...], Any]] = [(("model", "task", "m"), m)]
    return changed(document, *changes, *((("claim", key, "m"), m) for key in "ab"))


def large_state() -> Document:
    """A linear head with a state of 2^13·2^13 numbers, all 0."""
    d, zero = 2**13, 0
    row, bias = matrix(d, 1, {}), matrix(d, 1, {})
    head = {"type": "linear", "W_Q": row, "b_Q": bias, "W_K": row, "b_K": bias, "W_V": row, "W_O": matrix(1, d, {})}
    heads = [{"heads": [head | {"normalised": False}], "mlps": []}]
    return changed(no_layers(), (("model", "layers"), heads), (("claim", "word"), "R"), (("claim", "expected_a"), zero))


def many_cells() -> Document:
    """256 stages of 3 kinds in a stream of 16,384 coordinates."""
    document = base("c1-m2")
    model, claim, d = document["model"], document["claim"], 16_384
    model["slots"].append({"name": "unused", "width": d - claim["width"]})
    for table in ("positions", "tokens", "unembedding"):
        for part in model[table]["declared"]:
            part["matrix"]["shape"][0] = d
    model["layers"], model["invariants"] = [{"heads": [], "mlps": []}] * 255, [model["invariants"][0]] * 256
    return changed(document, (("claim", "width"), d), (("claim", "layers"), 255))


def many_bits() -> Document:
    return changed(base("c1-m2"), (("model", "precision", "P"), 4097), (("claim", "precision_bits", "P"), 4097))


def long_modulus() -> Document:
    return changed(base("c6-n3-m5"), (("model", "task", "modulus"), str(2**4096 + 1)))


LIMITS: list[tuple[str, str, Callable[[], Document], str, str]] = [
    ("precision", "construction", many_bits, "P = 4,097 bits", "accept"),
    ("cells", "construction", many_cells, "256 stages × 3 kinds × 16,384 coordinates", "reject"),
    ("task", "construction", long_modulus, "a modulus of 4,097 bits, and rows for a smaller one", "malformed"),
    ("digits", "bound", lambda: changed(BASES["a"], (("claim", "beta"), "9" * 4001)), "4,001 digits", "reject"),
    (
        "exponent",
        "bound",
        lambda: bound("C", {"powers": [[2, str(2**512)]]}, [], [5]),
        "an exponent of 2^512",
        "accept",
    ),
    ("powers", "bound", lambda: bound("C", {"powers": [[2, 1]] * 9}, [], [5]), "nine powers", "accept"),
    ("tables", "bound", lambda: bound("C", 2, [1] * 256, [1]), "257 tables", "accept"),
    ("subsets", "bound", lambda: sparse(2**18 + 1, 2**16 + 1, 0, 1, 5), "a sum of 65,538 binomials", "accept"),
    ("long-subsets", "bound", lambda: sparse(str(10**3999 + 1), 1000, 0, 1, 5), "binomials of 3,999 digits", "accept"),
    ("word", "decision", lambda: solvable("F " * 4097, 7, "C1"), "a word of 4,097 layers", "accept"),
    ("layers", "pair", layers_257, "257 layers, all empty", "accept"),
    ("width", "pair", wide_stream, "16,385 coordinates", "accept"),
    ("rows", "pair", long_prompt, "2^21 stored rows, and inputs that are too short for them", "malformed"),
    ("state", "pair", large_state, "a state of 2^26 numbers", "reject"),
    (
        "map",
        "pair",
        lambda: changed(pair("map-table"), (("claim", "block"), 60)),
        "tables of 4^60 summaries",
        "malformed",
    ),
]


def entries() -> Iterator[Entry]:
    for name, kind, make, why, otherwise in LIMITS:
        yield Entry(f"declined-{name}", kind, "decline", why, "written down", make, otherwise)
