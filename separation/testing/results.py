"""Results as JSON Lines: a line of settings, then one for each prompt; a run that was stopped goes on from them.

{"schema": "separation-stress-1", "settings": {…}}
{"name": …, "stage": …, "family": …, "hops": …, "length": …, "expected": …, "status": …, "answered": …, "detail": …}
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from separation.files import InputError, json_text, read_bytes, require_writable
from separation.tasks.checks import shown
from separation.testing.plan import Block
from separation.testing.replies import NO_CONNECTION, STATUSES, Answer, Reply

SCHEMA = "separation-stress-1"
MOST_BYTES = 1 << 30


class Results:
    """A file of results, open for more: every line is written out at once, so that nothing is lost.

    ``known``: the replies that the file already has. A prompt that found no connection is asked again.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any], resume: bool = False) -> None:
        self.path = Path(path)
        require_writable(self.path)
        self.known: dict[str, Reply] = {}
        exists = self.path.exists() and self.path.stat().st_size > 0
        if exists and not resume:
            raise InputError(f"{self.path} exists; --resume goes on from it")
        if exists:
            kept = self._read(settings)
            with self.path.open("r+b") as file:  # a line that was not written to its end is dropped
                file.truncate(kept)
        self.file: TextIO = self.path.open("a", encoding="utf-8")
        if not exists:
            self._write({"schema": SCHEMA, "settings": settings})

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.file.close()

    def note(self, name: str, block: Block, row: int, expected: Answer, reply: Reply) -> None:  # noqa: ARG002
        """One line for one prompt."""
        place = {"name": name, "stage": block.stage, "family": block.family}
        about = {"hops": block.task.depth, "length": block.length, "expected": expected}
        self._write({**place, **about, "status": reply.status, "answered": reply.answer, "detail": reply.detail})

    def _write(self, document: dict[str, Any]) -> None:
        self.file.write(json_text(document, readable=True) + "\n")
        self.file.flush()

    def _read(self, settings: dict[str, Any]) -> int:
        """Fill ``known``; how many bytes of the file are whole lines."""
        data = read_bytes(self.path, MOST_BYTES)
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        if not lines:
            return 0
        for number, written in enumerate(lines, start=1):
            document = self._line(written, number)
            if number == 1:
                self._require_same(document, settings)
                continue
            reply = _reply_in(document)
            if reply is None:
                raise InputError(f"{self.path}: line {number} is no result")
            if reply.status != NO_CONNECTION:
                self.known[str(document["name"])] = reply
        return whole

    def _line(self, written: bytes, number: int) -> dict[str, Any]:
        try:
            document = json.loads(written)
        except (ValueError, RecursionError):
            raise InputError(f"{self.path}: line {number} is not JSON") from None
        if not isinstance(document, dict):
            raise InputError(f"{self.path}: line {number} is {shown(document)}; an object is needed")
        return document

    def _require_same(self, document: dict[str, Any], settings: dict[str, Any]) -> None:
        if document.get("schema") != SCHEMA:
            raise InputError(f"{self.path} is no file of results")
        before = document.get("settings")
        before = before if isinstance(before, dict) else {}
        written = json.loads(json_text(settings))
        other = [name for name in written if before.get(name) != written[name]]
        if other:
            raise InputError(f"{self.path} was made with other settings: {', '.join(other)}")


def _reply_in(document: dict[str, Any]) -> Reply | None:
    name, status, answer = document.get("name"), document.get("status"), document.get("answered")
    if not isinstance(name, str) or status not in STATUSES:
        return None
    if isinstance(answer, list) and all(type(number) is int for number in answer):
        return Reply(status, tuple(answer), str(document.get("detail", "")))
    if answer is None or type(answer) is int:
        return Reply(status, answer, str(document.get("detail", "")))
    return None
