"""A program as JSON, {"task": "program", "name", "kinds", "definitions", "answer"}: one table writes and reads it.

Errors name the field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from separation.files import InputError
from separation.tasks.checks import require_integer, require_keys, shown
from separation.tasks.program.definitions import TASK, Count, Definitions, Find, Kind, Map, Scan, Step

Read = Callable[[Any, str], Any]
"""(value, name of its field) to what the program has for it."""


def definitions_to_document(program: Definitions) -> dict[str, Any]:
    return {"task": TASK, **_written(program)}


def definitions_from_document(document: object) -> Definitions:
    """The inverse of `definitions_to_document`."""
    read = require_keys(document, TASK, ("task", *KEYS[Definitions]))
    return Definitions(*(reader(read[key], key) for key, reader in KEYS[Definitions].items()))


def _written(value: Any) -> Any:
    """Of a class its fields in their order, as far as they have keys."""
    if isinstance(value, tuple):
        return [_written(part) for part in value]
    if type(value) not in KEYS:
        return value
    define = next(({"define": word} for word, made in DEFINITIONS.items() if made is type(value)), {})
    fields = (getattr(value, name) for name in type(value).__match_args__)
    written = {**define, **{key: _written(field) for key, field in zip(KEYS[type(value)], fields, strict=False)}}
    return {**written, "count": "any"} if isinstance(value, Kind) and value.count is None else written


def _object(made: type, *more: str) -> Read:
    def read(value: Any, field: str) -> Any:
        keys = (*more, *KEYS[made])
        if not isinstance(value, dict) or set(value) != set(keys):
            raise InputError(f"{field} is {shown(value)}; an object with the keys {', '.join(keys)} is needed")
        return made(*(reader(value[key], f"{field}.{key}") for key, reader in KEYS[made].items()))

    return read


def _definition(value: Any, field: str) -> Any:
    which = value.get("define") if isinstance(value, dict) else None
    if not isinstance(which, str) or which not in DEFINITIONS:
        raise InputError(f"{field}.define is {shown(which)}; there is {', '.join(DEFINITIONS)}")
    return _object(DEFINITIONS[which], "define")(value, field)


def _list(value: Any, field: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise InputError(f"{field} is {shown(value)}; a list{'' if length is None else f' of {length}'} is needed")
    return value


def _each(read: Read, place: str = "") -> Read:
    return lambda value, field: tuple(read(v, field + place.format(i)) for i, v in enumerate(_list(value, field)))


def _tuple(*reads: Read) -> Read:
    return lambda value, field: tuple(
        read(part, field) for read, part in zip(reads, _list(value, field, len(reads)), strict=True)
    )


def _either(other: Any, read: Read) -> Read:
    return lambda value, field: None if value == other else read(value, field)


def _natural(low: int) -> Read:
    return lambda value, field: require_integer(field, value, low)


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str) or not value or len(value) > 200:
        raise InputError(f"{field} is {shown(value)}; a short text is needed")
    return value


def _other(value: Any, field: str) -> str | int:
    return value if isinstance(value, str) else require_integer(field, value, 0)


def _best(value: Any, field: str) -> tuple[str, str]:
    which, by = _list(value, field, 2)
    if which not in ("largest", "smallest"):
        raise InputError(f"{field} is {shown(value)}; it is largest or smallest, and a variable")
    return which, _text(by, field)


def _once(value: Any, field: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{field} is {shown(value)}; it is true or false")
    return value


DEFINITIONS: dict[str, type] = {"map": Map, "find": Find, "count": Count, "scan": Scan}
_NAMES, _TABLE = _each(_text), _each(_either(None, _natural(0)))
_MATCHING = {"kind": _text, "name": _text, "target": _text, "where": _each(_tuple(_text, _text, _other))}
_DEFAULT = {"default": _either(None, _natural(0)), "once": _once}
_PROMPT = {"kinds": _each(_object(Kind), "[{}]"), "definitions": _each(_definition, "[{}]")}
_TOKEN = {"token": _each(_tuple(_text, _natural(1))), "distinct": _NAMES, "alphabet": _either(None, _text)}
KEYS: dict[type, dict[str, Read]] = {
    Definitions: {"name": _text, **_PROMPT, "answer": _tuple(_text, _text)},
    Kind: {"name": _text, "count": _either("any", _natural(1)), **_TOKEN},
    Map: {"kind": _text, "name": _text, "size": _natural(1), "inputs": _NAMES, "table": _TABLE},
    Count: _MATCHING,
    Find: {**_MATCHING, "read": _either(None, _text), "best": _either(None, _best), **_DEFAULT},
    Scan: {"name": _text, "size": _natural(1), "start": _natural(0), "over": _each(_object(Step), "[{}]")},
    Step: {"kind": _text, "inputs": _NAMES, "table": _TABLE},
}
"""Of each class its keys, in the order of its fields, and how their values are read."""
