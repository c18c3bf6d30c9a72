"""Reading what comes from outside with limits, and writing whole files or none."""

from __future__ import annotations

import contextlib
import io
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.escaping import terminal

MAX_BYTES = 64 * 2**20
MODEST = 150 * 2**20
LARGE = 6 << 20
"""Smaller texts take no more than MODEST, whatever is in them."""
MOST_BLANKS = 1 << 16
_DIGITS = bytes(48 if byte in b"0123456789.eE+-" else 32 for byte in range(256))
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


def require_modest(data: bytes, name: str) -> None:
    """Refuse, before it is parsed, JSON that would take more than ten times its size and MODEST bytes of memory.

    An object of eight bytes takes 240 of memory, an empty list of three 64: what is in a text is counted, roughly and
    from above, at the speed of memory.
    """
    if len(data) <= LARGE:
        return
    digits = data.translate(_DIGITS)
    needed = (2 if data.isascii() else 5) * len(data) + 240 * data.count(b"{") + 64 * data.count(b"[")
    needed += 36 * data.count(b'"') + 9 * data.count(b",") + 32 * digits.count(b"000")
    if needed > 10 * len(data) + MODEST:
        raise InputError(
            f"{name} would take about {needed >> 20} MB of memory as JSON, and has {len(data)} bytes; "
            f"at most ten times its size and {MODEST >> 20} MB are taken"
        )


def require_modest_file(path: str | Path) -> None:
    """`require_modest` for a file that somebody else parses; what cannot be read is left to them."""
    if os.path.isfile(path) and LARGE < os.path.getsize(path) <= MAX_BYTES:
        require_modest(read_bytes(path), str(path))


def parse_json(data: bytes, name: str) -> Any:
    """JSON without NaN and infinities, repeated keys or deep nesting, and without more parts than its size explains."""
    head = data[:MOST_BLANKS].lstrip()[:1]
    if head not in (b"{", b"["):
        raise InputError(f"{name} is not a JSON object or list")
    require_modest(data, name)
    try:
        import json

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


def require_writable(*paths: str | Path | None) -> tuple[Path | None, ...]:
    """The paths; refused, before any work is done, if one could not be written, or two are the same file.

    A device is never replaced by a file. A symbolic link is followed: what it names is written, and it stays a link.
    """
    found = tuple(None if path is None else Path(path) for path in paths)
    targets = [_target(path) for path in found if path is not None]
    if len(set(targets)) < len(targets):
        raise InputError(f"two outputs have the same name, {targets[-1].name}")
    return found


def _target(path: Path) -> Path:
    """The file that is written when ``path`` is asked for: itself, or what a symbolic link names."""
    try:
        target = path.resolve() if path.is_symlink() else path.absolute()
        if target.is_dir():
            raise InputError(f"cannot write {path}: it is a folder")
        if target.exists() and not target.is_file():
            raise InputError(f"cannot write {path}: it is not a regular file")
        if not target.parent.is_dir():
            raise InputError(f"cannot write {path}: no such folder")
        if not os.access(target.parent, os.W_OK):
            raise InputError(f"cannot write {path}: the folder is not writable")
        return target
    except (OSError, RuntimeError) as error:  # a name that is too long, a circle of links
        raise InputError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def write_whole(path: str | Path, data: bytes | str) -> None:
    """Write to a temporary file beside ``path``, then rename: a reader sees all of it or nothing."""
    write_together({path: data})


def write_together(contents: Mapping[Any, bytes | str]) -> None:
    """Write files that belong together: all are written aside, then renamed one after the other.

    What fails while they are written leaves everything as it was; so does SIGKILL where the system has files without
    a name (Linux), and else a hidden file is left. Permissions are those of the umask.
    """
    paths = [Path(path) for path in contents]
    require_writable(*paths)
    staged: list[_Staged] = []
    try:
        for path, data in zip(paths, contents.values(), strict=True):
            with one_line(path):
                staged.append(_Staged.beside(path))
                staged[-1].write(data.encode() if isinstance(data, str) else data)
        for one in staged:
            with one_line(one.path):
                one.give_name()
        for one in staged:
            with one_line(one.path):
                one.publish()
    finally:
        for one in staged:
            one.drop()


@dataclass
class _Staged:
    """A file that is not published yet: without a name as long as possible, then under a temporary one."""

    path: Path
    target: Path
    handle: int
    name: str | None

    @classmethod
    def beside(cls, path: Path) -> _Staged:
        target = _target(path)
        if hasattr(os, "O_TMPFILE"):
            with contextlib.suppress(OSError):  # not every file system has them
                return cls(path, target, os.open(target.parent, os.O_TMPFILE | os.O_WRONLY, 0o666), None)
        name = _free_name(target)
        return cls(path, target, os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), name)

    def write(self, data: bytes) -> None:
        with os.fdopen(os.dup(self.handle), "wb") as file:
            file.write(data)

    def give_name(self) -> None:
        if self.name is None:
            name, folder = _free_name(self.target), os.open(self.target.parent, os.O_RDONLY)
            try:  # with a folder given, the link in /proc is followed
                os.link(f"/proc/self/fd/{self.handle}", name, src_dir_fd=folder, follow_symlinks=True)
            finally:
                os.close(folder)
            self.name = name

    def publish(self) -> None:
        assert self.name is not None
        os.replace(self.name, self.target)
        self.name = None

    def drop(self) -> None:
        """Close it; what has a temporary name still was not published."""
        os.close(self.handle)
        if self.name is not None:
            Path(self.name).unlink(missing_ok=True)


def _free_name(target: Path) -> str:
    return str(target.parent / f"{TEMPORARY}{os.urandom(8).hex()}")


def permissions(most: int) -> int:
    """``most`` without what the umask takes away."""
    mask = os.umask(0o077)
    os.umask(mask)
    return most & ~mask


@contextmanager
def one_line(path: Path) -> Iterator[None]:
    """What the system refuses, as one line for the person who named the path."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def json_text(document: Any, *, readable: bool = False, indent: int | None = None) -> str:
    """JSON as the standard has it: a number that is infinite or none is null; its logarithm belongs beside it.

    where ``readable``: letters outside ASCII as they are, and spaces after commas.
    """
    import json

    options: dict[str, Any] = {"ensure_ascii": not readable, "allow_nan": False, "indent": indent}
    if not readable and indent is None:
        options["separators"] = (",", ":")
    try:
        return json.dumps(document, **options)
    except ValueError:
        return json.dumps(_finite(document), **options)


def csv_text(header: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A line for the header and one for each row; None is empty."""
    import csv

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([list(header), *map(list, rows)])
    return text.getvalue()


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
