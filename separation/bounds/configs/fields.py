"""The fields of a Hugging Face config.json, read without defaults: each refusal is one line that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separation.files import InputError
from separation.tasks.checks import shown

MAX_LAYERS = 4096
MAX_VALUE = 1 << 40
_FLOAT8 = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
DTYPE_BITS = {"float64": 64, "float32": 32, "bfloat16": 16, "float16": 16, **dict.fromkeys(_FLOAT8, 8)}
DEFAULT_DTYPE = "float32"
"""What torch builds a model in when no dtype is named."""

REFUSED_WHEN_TRUE = {
    "is_encoder_decoder": "an encoder and a decoder",
    "add_cross_attention": "cross attention",
    "use_bidirectional_attention": "attention both ways",
}
ALONE = "without transformers every field that matters must be written out; pip install 'separation[stock]'"


def config_object(document: object) -> Mapping[str, Any]:
    """A parsed config.json with a model_type."""
    if not isinstance(document, Mapping):
        raise InputError("config: a JSON object is needed")
    if not isinstance(document.get("model_type"), str):
        raise InputError("config: model_type is missing")
    return document


def text_part(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The text model inside another, or None."""
    inner = document.get("text_config")
    if inner is not None and not isinstance(inner, Mapping):
        raise InputError("config: text_config is not an object")
    return inner


def require_causal(document: Mapping[str, Any]) -> None:
    """Refuse, here and in the text model inside, what is not a causal decoder of its own tokens."""
    for values in (document, text_part(document) or {}):
        for name, meaning in REFUSED_WHEN_TRUE.items():
            if values.get(name) not in (None, False):
                raise InputError(
                    f"config: {name} is {shown(values[name])}; {meaning} is not read, only causal decoders"
                )
        if values.get("is_causal") not in (None, True):
            raise InputError(f"config: is_causal is {shown(values['is_causal'])}; only causal decoders are read")


def precision(document: Mapping[str, Any]) -> tuple[int, str]:
    """(p, where it was read): the most bits of dtype and torch_dtype, outside and in the text model; else float32."""
    found = []
    for values in (document, text_part(document) or {}):
        for name in ("dtype", "torch_dtype"):
            value = values.get(name)
            if value is None:
                continue
            if not isinstance(value, str) or value not in DTYPE_BITS:
                raise InputError(f"config: {name} is {shown(value)}; known are {', '.join(DTYPE_BITS)}")
            found.append((DTYPE_BITS[value], f"{name} of the file, {value}"))
    return max(found, default=(DTYPE_BITS[DEFAULT_DTYPE], f"torch's default, {DEFAULT_DTYPE}: the file has no dtype"))


class Fields:
    """The fields of one configuration, none of them assumed."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.values = document

    def has(self, name: str) -> bool:
        return self.values.get(name) is not None

    def written(self, name: str) -> Any:
        """A field that may be null, but must be there."""
        if name not in self.values:
            raise InputError(f"config: {name} is missing; {ALONE}")
        return self.values[name]

    def integer(self, name: str, least: int = 1) -> int:
        """An integer field; null counts as missing."""
        value = self.values.get(name)
        if value is None:
            raise InputError(f"config: {name} is missing; {ALONE}")
        if type(value) is not int or not least <= value <= MAX_VALUE:
            raise InputError(f"config: {name} is {shown(value)}; an integer from {least} to {MAX_VALUE} is needed")
        return value

    def inner(self, name: str) -> Fields:
        """The fields of an object inside."""
        value = self.written(name)
        if not isinstance(value, Mapping):
            raise InputError(f"config: {name} is {shown(value)}; an object is needed")
        return Fields(value)

    def names(self, name: str) -> list[str]:
        """A list of strings."""
        value = self.written(name)
        if value is None:
            raise InputError(f"config: {name} is missing; {ALONE}")
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise InputError(f"config: {name} is {shown(value)}; a list of strings is needed")
        if not 1 <= len(value) <= MAX_LAYERS:
            raise InputError(f"config: {name} has {len(value)} entries; from 1 to {MAX_LAYERS} layers are read")
        return value

    def integers(self, name: str) -> list[int]:
        """A list of integers from 0 on."""
        value = self.written(name)
        if not isinstance(value, list) or not all(type(entry) is int and entry >= 0 for entry in value):
            raise InputError(f"config: {name} is {shown(value)}; a list of integers is needed")
        return value

    def layers(self, name: str = "num_hidden_layers") -> int:
        count = self.integer(name)
        if count > MAX_LAYERS:
            raise InputError(f"config: {name} is {count}; at most {MAX_LAYERS} layers are read")
        return count

    def quotient(self, whole: str, parts: str) -> int:
        """One number over another, which must divide it."""
        if self.integer(whole) % self.integer(parts):
            raise InputError(f"config: {parts} {self.integer(parts)} does not divide {whole} {self.integer(whole)}")
        return self.integer(whole) // self.integer(parts)
