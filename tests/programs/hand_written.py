"""Certificates of programs written by hand: a few coordinates, one head at most."""

from __future__ import annotations

from math import prod
from typing import Any

from plain_tables import matrix

Document = dict[str, Any]
Entries = dict[tuple[int, int], Any]


def table(width: int, *segments: tuple[list[int], Entries]) -> Document:
    """Segments one behind the other: radices, and the matrix on (1, bits ±1)."""
    declared, start = [], 0
    for radices, entries in segments:
        bits = sum((radix - 1).bit_length() for radix in radices)
        declared.append({"start": start, "radices": radices, "matrix": matrix(width, 1 + bits, entries)})
        start += prod(radices)
    return {"declared": declared}


def kind(name: str, count: int, *spelled: tuple[str, int]) -> Document:
    return {"name": name, "count": count, "token": [list(v) for v in spelled], "distinct": [], "alphabet": None}


def find(reader: str, name: str, target: str, where: list[Any], read: str | None, **more: Any) -> Document:
    best, default, once = more.get("best"), more.get("default"), more.get("once", False)
    keys = {"read": read, "best": best, "default": default, "once": once}
    return {"define": "find", "kind": reader, "name": name, "target": target, "where": where, **keys}


def mapped(of: str, name: str, size: int, inputs: list[str], values: list[int]) -> Document:
    return {"define": "map", "kind": of, "name": name, "size": size, "inputs": inputs, "table": values}


def full(width: int, q: Entries, k: Entries, v: Entries, o: Entries, shift: Any = 0) -> Document:
    """One key coordinate for each row of q, one value."""
    keys = max(r for r, _ in q) + 1
    values = max(r for r, _ in v) + 1
    shapes = {"W_Q": (keys, width, q), "W_K": (keys, width, k), "W_V": (values, width, v), "W_O": (width, values, o)}
    return {"type": "full", "shift": shift, **{name: matrix(*shape) for name, shape in shapes.items()}}


def certificate(
    kinds: list[Document],
    definitions: list[Document],
    answer: list[str],
    tables: tuple[Document, Document, Document],
    layers: list[Document],
    example: list[int],
    bits: tuple[int, int, int] = (16, 16, 8),
) -> Document:
    task = {"task": "program", "name": "by hand", "kinds": kinds, "definitions": definitions, "answer": answer}
    width = tables[0]["declared"][0]["matrix"]["shape"][0]
    heads = [[head["type"] for head in layer["heads"]] for layer in layers]
    claim = {
        "construction": "by hand",
        "task": task,
        "tokens": sum(each["count"] for each in kinds),
        "word": "F" * sum(map(bool, heads)),
        "width": width,
        "heads": max(map(len, heads), default=0),
        "layers": len(layers),
        "precision_bits": {"P": bits[0], "p": bits[1]},
        "integral": False,
        "state_bits": None,
        "inputs_covered_log2": None,
        "margin": "1/1000000",
    }
    model = {
        "schema": "separation.model/1",
        "task": task,
        "attention": "causal",
        "precision": {"P": bits[0], "p": bits[1], "fraction": bits[2]},
        "slots": [{"name": "x", "width": width}],
        **dict(zip(("positions", "tokens", "unembedding"), tables, strict=True)),
        "layers": layers,
    }
    whole = {"schema": "separation.certificate/1", "kind": "construction", "tool": "by hand"}
    return {**whole, "claim": claim, "model": model, "example": example}


def layer(*heads: Document, mlps: tuple[Document, ...] = ()) -> Document:
    return {"heads": list(heads), "mlps": list(mlps)}
