"""Reading what comes from outside with limits, and writing whole files or none."""

from __future__ import annotations

import json
import math
import os
import tempfile
from pathlib import Path
from typing import Any

from separation.escaping import terminal

MAX_BYTES = 64 * 2**20
TEMPORARY = ".separation-"
"""How a file that is not whole yet is called; the name that was asked for may have no letter to spare."""


class InputError(ValueError):
    """Something given from outside is not acceptable; the text is one line for the person who gave it.

    Names and keys from outside may hold line breaks or control characters: they are shown as escapes.
    """

    def __init__(self, text: str) -> None:
        super().__init__(terminal(text))


class NumberTooLarge(ArithmeticError):
    """A number that a model or a bound needs does not fit where it must: another model or more bits are needed."""


class TooFewBits(InputError, NumberTooLarge):
    """The same, of a model that was asked for by its bits; the text says which options give more."""


def read_bytes(path: str | Path, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file of at most ``limit`` bytes."""
    path = Path(path)
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise InputError(f"{path} is not a regular file")
        if size > limit:
            raise InputError(f"{path} has {size} bytes; at most {limit} are read")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    if len(data) > limit:  # a file that grows, or one whose size the system does not tell (/proc)
        raise InputError(f"{path} has more than {limit} bytes, which is all that is read")
    return data


def parse_json(data: bytes, name: str) -> Any:
    """JSON without NaN and infinities, repeated keys or deep nesting."""
    head = data.lstrip()[:1]
    if head not in (b"{", b"["):
        raise InputError(f"{name} is not a JSON object or list")
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except RecursionError:
        raise InputError(f"{name} nests too deeply") from None
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text") from None
    except ValueError as error:
        text = str(error).splitlines()[0][:120]
        raise InputError(f"{name} is not JSON: {text}") from None


def read_json(path: str | Path, limit: int = MAX_BYTES) -> Any:
    return parse_json(read_bytes(path, limit), str(path))


def require_writable(path: str | Path) -> None:
    """Refuse, before any work is done, a path that could not be written; a device is never replaced by a file."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    if path.exists() and not path.is_file():
        raise InputError(f"cannot write {path}: it is not a regular file")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: no such folder")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"cannot write {path}: the folder is not writable")


def write_whole(path: str | Path, data: bytes | str) -> None:
    """Write to a temporary file beside ``path``, then rename: a reader sees all of it or nothing."""
    path = Path(path)
    require_writable(path)
    data = data.encode() if isinstance(data, str) else data
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"cannot write {path}: {error.strerror or error}") from None
        raise


def json_text(document: Any, *, readable: bool = False, indent: int | None = None) -> str:
    """JSON as the standard has it: a number that is infinite or none is null; its logarithm belongs beside it.

    where ``readable``: letters outside ASCII as they are, and spaces after commas.
    """
    options: dict[str, Any] = {"ensure_ascii": not readable, "allow_nan": False, "indent": indent}
    if not readable and indent is None:
        options["separators"] = (",", ":")
    try:
        return json.dumps(document, **options)
    except ValueError:
        return json.dumps(_finite(document), **options)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, list | tuple) else value


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise InputError("a key is given twice in one object")
    return result


def _no_constant(text: str) -> Any:
    raise InputError(f"{text} is not a number")
