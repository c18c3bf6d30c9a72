"""What a witness is, and what a hypothesis excludes, in a line for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from separation.models import Head, LinearHead, SparseHead
from separation.proving import Construction

LONGEST = 320


def in_words(thing: Any) -> str:
    """Names and values, in one line of at most LONGEST characters."""
    return _one_line(_words(thing))


def difference(witness: Any, other: Any) -> str:
    """``other`` in words; if it has the witness's parts, only those that are not the witness's."""
    own, found = _parts(witness), _parts(other)
    if own is None or found is None or own.keys() != found.keys():
        return in_words(other)
    changed = {name: text for name, text in found.items() if text != own[name]}
    return _one_line(_joined(changed)) if changed else in_words(other)


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _words(thing: Any) -> str:
    parts = _parts(thing)
    if parts is not None:
        return _joined(parts)
    if isinstance(thing, list | tuple | set | frozenset):
        return f"({', '.join(map(_words, thing))})"
    if callable(thing):
        return str(getattr(thing, "__name__", type(thing).__name__)).strip("_").replace("_", " ")
    return str(thing)


def _joined(parts: dict[str, str]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} = {text}" if name else text for name, text in parts.items())


def _parts(thing: Any) -> dict[str, str] | None:
    """The parts of weights, of a mapping, a named tuple or a dataclass, each in words; those within parts beside."""
    if isinstance(thing, Construction):
        return _weights(thing)
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


def _weights(subject: Construction) -> dict[str, str]:
    """What tells built weights from others: the word, the sizes, the precision, shifts, features of linear heads."""
    model, precision = subject.model, subject.model.precision
    shifts = [str(head.shift) for layer in model.layers for head in layer.heads if isinstance(head, Head | SparseHead)]
    features = [
        str(head.w_k.shape[0]) for layer in model.layers for head in layer.heads if isinstance(head, LinearHead)
    ]
    return {
        "": f"{subject.name} ({model.word})",
        **(_parts(subject.sizes) or {}),
        "P": str(precision.score_bits),
        "p": str(precision.bits),
        "f": str(precision.fraction_bits),
        "shifts": f"({', '.join(shifts)})",
        **({"features": f"({', '.join(features)})"} if features else {}),
        "attention": "causal" if model.causal else "both ways",
    }
