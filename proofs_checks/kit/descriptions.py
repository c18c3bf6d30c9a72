"""A witness, and what a hypothesis excludes, each in one readable line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from proofs_checks.kit.statement import made
from separation.models import Head, LinearHead, Model, SparseHead
from separation.proving import Construction

LONGEST = 320
BITS_IN_FULL = 128


def describe(thing: Any) -> str:
    """Names and values, in one line of at most LONGEST characters."""
    return _one_line(_words(made(thing)))


def describe_difference(witness: Any, other: Any) -> str:
    """``other`` in words; if it has the same fields as the witness, only those that differ."""
    own, found = _parts(made(witness)), _parts(made(other))
    if own is None or found is None or own.keys() != found.keys():
        return describe(other)
    changed = {name: text for name, text in found.items() if text != own[name]}
    return _one_line(_joined(changed)) if changed else describe(other)


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _words(thing: Any) -> str:
    parts = _parts(thing)
    if parts is not None:
        return _joined(parts)
    if isinstance(thing, list | tuple | set | frozenset):
        return f"({', '.join(map(_words, thing))})"
    if isinstance(thing, int) and thing.bit_length() > BITS_IN_FULL:
        return _large(thing)
    if callable(thing):
        return str(getattr(thing, "__name__", type(thing).__name__)).strip("_").replace("_", " ")
    # An object whose repr is only its address is called by its type.
    return type(thing).__name__ if repr(thing).endswith(f"object at {id(thing):#x}>") else str(thing)


def _large(number: int) -> str:
    """2^k + d for a number near a power of two; else how long it is, and its last digits."""
    size, sign = abs(number), "-" if number < 0 else ""
    for power in (size.bit_length() - 1, size.bit_length()):
        distance = size - (1 << power)
        if distance == 0:
            return f"{sign}2^{power}"
        if abs(distance) < 1 << BITS_IN_FULL // 2:
            return f"{sign}(2^{power} {'+' if distance > 0 else '-'} {abs(distance)})"
    return f"{sign}…{size % 10**9:09} ({size.bit_length()} bits)"


def _joined(parts: dict[str, str]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} = {text}" if name else text for name, text in parts.items())


def _parts(thing: Any) -> dict[str, str] | None:
    """The parts of weights, of a mapping, a named tuple or a dataclass, each in words; parts of parts too."""
    if isinstance(thing, Construction):
        return {"": f"{thing.name} ({thing.model.word})", **(_parts(thing.sizes) or {}), **_weights(thing.model)}
    if isinstance(thing, Model):
        return {"": f"a model ({thing.word})", **_weights(thing)}
    if isinstance(thing, Mapping):
        named = {str(key): value for key, value in thing.items()}
    elif isinstance(thing, tuple) and hasattr(thing, "_asdict"):
        named = dict(thing._asdict())
    elif is_dataclass(thing) and not isinstance(thing, type):
        named = {field.name: getattr(thing, field.name) for field in fields(thing)}
    else:
        return None
    parts: dict[str, str] = {}
    for name, value in named.items():
        inner = _parts(value)
        parts |= {name: _words(value)} if inner is None else inner
    return parts


def _weights(model: Model) -> dict[str, str]:
    """What distinguishes weights of the same word and sizes: precision, shifts, features of linear heads."""
    precision, heads = model.precision, [head for layer in model.layers for head in layer.heads]
    shifts = [str(head.shift) for head in heads if isinstance(head, Head | SparseHead)]
    features = [str(head.w_k.shape[0]) for head in heads if isinstance(head, LinearHead)]
    return {
        "P": str(precision.score_bits),
        "p": str(precision.bits),
        "f": str(precision.fraction_bits),
        "shifts": f"({', '.join(shifts)})",
        **({"features": f"({', '.join(features)})"} if features else {}),
        "attention": "causal" if model.causal else "both ways",
    }
