"""What the Coq theorem of a certificate says, in one sentence: `says` of Claims.v, read for the claim at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separation.proving.kernel import many, show, word_text
from separation.proving.kernel_bounds import blocks_text, large_text, room_text, sizes_text

MANY_FULL = ("B", "B2", "B2c", "BL")
"""The theorems about as many full layers as tables; the others but C are about fewer."""


def in_words(document: Mapping[str, Any]) -> str:
    """Of a bound or a decision that has a Coq form; models are those of Definitions.v."""
    claim = document["claim"]
    if claim.get("solvable") is True:
        return _solvable(claim)
    if claim["theorem"] == "D":
        opened, block, summary = (claim[key] for key in ("open", "block", "summary_bits"))
        layer = f"opens {show(opened)} of {many(claim['blocks'], 'block')} of {many(block, 'number')}"
        told = f"is told {many(summary, 'bit')} of each"
        return (
            f"No sparse layer that {layer} and {told} answers 2-Sum modulo {show(int(claim['modulus']))} on all lists."
        )
    heads = claim["message"]
    exact = "" if heads is None else f"; nor does such a model in exact arithmetic with at most {_heads(heads)}"
    tokens = "" if claim["tokens"] is None else f", a prompt of {many(int(claim['tokens']), 'token')}"
    return (
        f"No model {_shape(claim)}, {_room(claim)}, answers every input of {sizes_text(claim['task'])}{tokens}{exact}."
    )


def _heads(heads: Mapping[str, Any]) -> str:
    sizes = f"{many(heads['heads'], 'head')} a layer of {many(heads['dim'], 'value')}"
    return f"{sizes}, weights of {many(heads['P'], 'bit')} and values of {many(heads['p'], 'bit')}"


def _solvable(claim: Mapping[str, Any]) -> str:
    """C1 and C2 at all sizes with L tables; C3 at its own."""
    word, L = word_text(claim["layers"]), show(claim["L"])
    if claim["construction"] == "C3":
        held = f"with states of at most {many(int(claim['state_bits']), 'bit')} a layer"
        return f"Some model of the word {word}, {held}, answers every input of {sizes_text(claim['task'])}."
    sizes = f"At all sizes with L = {L}"
    room = "with messages of k bits for prompts of at most 2^k tokens and k bits of state for m up to 2^k"
    return f"{sizes} some model of the word {word}, {room}, answers every input."


def _shape(claim: Mapping[str, Any]) -> str:
    """Of a word, or of every word to which the theorem applies."""
    theorem = claim["theorem"]
    if "layers" in claim:
        beside = ", with R heads beside F or without" if theorem != "A2W" and "F" in claim["layers"] else ""
        return f"of the word {word_text(claim['layers'])}{beside}" if claim["layers"] else "without layers"
    if theorem == "A2W":
        before, behind = (many(reach, "token") for reach in claim["reaches"])
        return f"of one full layer, windows before it that reach {before} back in all, and behind it {behind}"
    if theorem == "C":
        return "without a full layer, with any chain of thought or none"
    tables = claim.get("tables", len(claim["task"]["n"]) + 1)
    if theorem in MANY_FULL:
        return f"with at most {many(tables, 'full layer')} and no R layer before the second"
    return f"with at most {many(tables - 1, 'full layer')}"


def _room(claim: Mapping[str, Any]) -> str:
    """β, and λ_t of a sharper theorem, Λ_t of another, no states of A2_W."""
    if claim["theorem"] == "A2W":
        return f"with messages of at most {large_text(claim['beta'])} bits and no states"
    if "tables" in claim:
        return blocks_text(claim["beta"], claim["lambda"])
    return room_text(claim["beta"], claim["lambda"])
