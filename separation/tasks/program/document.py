"""A program as JSON, read: {"task": "program", "name", "kinds", "definitions", "answer"}; errors name the field."""

from __future__ import annotations

from typing import Any

from separation.files import InputError
from separation.tasks.checks import require_integer, require_keys, shown
from separation.tasks.program.definitions import TASK, Count, Definition, Definitions, Find, Kind, Map, Scan, Step

KEYS = ("task", "name", "kinds", "definitions", "answer")
DEFINITIONS = {
    "map": ("define", "kind", "name", "size", "inputs", "table"),
    "find": ("define", "kind", "name", "target", "where", "read", "best", "default", "once"),
    "count": ("define", "kind", "name", "target", "where"),
    "scan": ("define", "name", "size", "start", "over"),
}


def definitions_from_document(document: object) -> Definitions:
    """The inverse of `Definitions.document`."""
    read = require_keys(document, TASK, KEYS)
    answer = _list(read["answer"], "answer", 2)
    return Definitions(
        _text(read["name"], "name"),
        tuple(_kind(part, f"kinds[{i}]") for i, part in enumerate(_list(read["kinds"], "kinds"))),
        tuple(
            _definition(part, f"definitions[{i}]") for i, part in enumerate(_list(read["definitions"], "definitions"))
        ),
        (_text(answer[0], "answer"), _text(answer[1], "answer")),
    )


def _kind(value: object, field: str) -> Kind:
    part = _object(value, field, ("name", "count", "token", "distinct", "alphabet"))
    pairs = [_list(pair, f"{field}.token", 2) for pair in _list(part["token"], f"{field}.token")]
    alphabet = part["alphabet"]
    return Kind(
        _text(part["name"], f"{field}.name"),
        None if part["count"] == "any" else require_integer(f"{field}.count", part["count"], 1),
        tuple((_text(name, f"{field}.token"), require_integer(f"{field}.token", size, 1)) for name, size in pairs),
        tuple(_text(name, f"{field}.distinct") for name in _list(part["distinct"], f"{field}.distinct")),
        None if alphabet is None else _text(alphabet, f"{field}.alphabet"),
    )


def _definition(value: object, field: str) -> Definition:
    which = value.get("define") if isinstance(value, dict) else None
    if not isinstance(which, str) or which not in DEFINITIONS:
        raise InputError(f"{field}.define is {shown(which)}; there is {', '.join(DEFINITIONS)}")
    part = _object(value, field, DEFINITIONS[which])
    name = _text(part["name"], f"{field}.name")
    if which == "map":
        size = require_integer(f"{field}.size", part["size"], 1)
        return Map(_text(part["kind"], f"{field}.kind"), name, size, _names(part, field), _table(part, field))
    if which == "scan":
        size = require_integer(f"{field}.size", part["size"], 1)
        steps = []
        for i, step in enumerate(_list(part["over"], f"{field}.over")):
            place = f"{field}.over[{i}]"
            own = _object(step, place, ("kind", "inputs", "table"))
            steps.append(Step(_text(own["kind"], f"{place}.kind"), _names(own, place), _table(own, place)))
        return Scan(name, size, require_integer(f"{field}.start", part["start"], 0), tuple(steps))
    kind, target = (_text(part[key], f"{field}.{key}") for key in ("kind", "target"))
    where = []
    for atom in _list(part["where"], f"{field}.where"):
        a, relation, b = _list(atom, f"{field}.where", 3)
        other = b if isinstance(b, str) else require_integer(f"{field}.where", b, 0)
        where.append((_text(a, f"{field}.where"), _text(relation, f"{field}.where"), other))
    if which == "count":
        return Count(kind, name, target, tuple(where))
    best, default, once = part["best"], part["default"], part["once"]
    order = None if best is None else _list(best, f"{field}.best", 2)
    if order is not None and order[0] not in ("largest", "smallest"):
        raise InputError(f"{field}.best is {shown(best)}; it is largest or smallest, and a variable")
    if not isinstance(once, bool):
        raise InputError(f"{field}.once is {shown(once)}; it is true or false")
    return Find(
        kind,
        name,
        target,
        tuple(where),
        None if part["read"] is None else _text(part["read"], f"{field}.read"),
        None if order is None else (order[0], _text(order[1], f"{field}.best")),
        None if default is None else require_integer(f"{field}.default", default, 0),
        once,
    )


def _names(part: dict[str, Any], field: str) -> tuple[str, ...]:
    return tuple(_text(name, f"{field}.inputs") for name in _list(part["inputs"], f"{field}.inputs"))


def _table(part: dict[str, Any], field: str) -> tuple[int | None, ...]:
    rows = _list(part["table"], f"{field}.table")
    return tuple(None if row is None else require_integer(f"{field}.table", row, 0) for row in rows)


def _object(value: object, field: str, keys: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(keys):
        raise InputError(f"{field} is {shown(value)}; an object with the keys {', '.join(keys)} is needed")
    return value


def _list(value: object, field: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise InputError(f"{field} is {shown(value)}; a list{'' if length is None else f' of {length}'} is needed")
    return value


def _text(value: object, field: str) -> str:
    if not isinstance(value, str) or not value or len(value) > 200:
        raise InputError(f"{field} is {shown(value)}; a short text is needed")
    return value
