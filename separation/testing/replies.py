"""What a solver said, taken apart: an answer, or why there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from separation.escaping import terminal
from separation.tasks.checks import shown
from separation.testing.text import parse_answer, read_answer

Answer = int | tuple[int, ...]

ANSWERED = "answered"
RAISED = "raised"
WRONG_SHAPE = "wrong shape"
NOT_A_NUMBER = "not a number"
NEVER_RETURNED = "never returned"
DIED = "died"
UNPARSED = "unparsed"
NO_CONNECTION = "no connection"
STATUSES = (ANSWERED, RAISED, WRONG_SHAPE, NOT_A_NUMBER, NEVER_RETURNED, DIED, UNPARSED, NO_CONNECTION)

LONGEST_DETAIL = 200
LONGEST_BARE = 40
"""A reply of more characters, or of several lines, is more than an answer: the model thinks aloud."""


@dataclass(frozen=True)
class Reply:
    """One answer, or a status that says why there is none, with a line of detail.

    ``aloud``: a text that says more than the answer.
    """

    status: str
    answer: Answer | None = None
    detail: str = ""
    aloud: bool = False


class NoConnection(Exception):
    """A server could not be reached, however often it was tried."""


def line(text: object) -> str:
    """At most LONGEST_DETAIL characters, on one line."""
    whole = terminal(" ".join(str(text).split()))
    return whole if len(whole) <= LONGEST_DETAIL else f"{whole[: LONGEST_DETAIL - 1]}…"


def failed(error: BaseException) -> Reply:
    """The reply of a solver that raised."""
    if isinstance(error, NoConnection):
        return Reply(NO_CONNECTION, None, line(error))
    return Reply(RAISED, None, line(f"{type(error).__name__}: {error}"))


def replies(outputs: Any, count: int, numbers: int | None) -> list[Reply] | Reply:
    """Each of ``count`` outputs as a reply; one `Reply` for all if they are not ``count`` outputs.

    where an answer is one integer, or a sequence of ``numbers`` of them if that is not None.
    """
    outputs = _listed(outputs)
    if outputs is None:
        return Reply(WRONG_SHAPE, None, "not a sequence of answers")
    if len(outputs) != count:
        return Reply(WRONG_SHAPE, None, f"{len(outputs)} answers for {count} inputs")
    return [_reply(output, numbers) for output in outputs]


def text_replies(outputs: Any, count: int, numbers: int | None, strict: bool = False) -> list[Reply] | Reply:
    """Each of ``count`` texts as a reply; what cannot be read (``strict``: by the grammar alone) is unparsed."""
    if not isinstance(outputs, Sequence) or isinstance(outputs, str | bytes) or len(outputs) != count:
        return Reply(WRONG_SHAPE, None, f"not a sequence of {count} texts")
    return [text_reply(output, numbers, strict) for output in outputs]


def text_reply(output: Any, numbers: int | None, strict: bool = False) -> Reply:
    if isinstance(output, BaseException):
        return failed(output)
    if not isinstance(output, str):
        return Reply(WRONG_SHAPE, None, f"{line(shown(output))} is not a text")
    found = (parse_answer if strict else read_answer)(output, numbers or 1)
    if found is None:
        return Reply(UNPARSED, None, line(shown(output[:LONGEST_DETAIL])))
    aloud = len(output.strip()) > max(LONGEST_BARE, 4 * (numbers or 1)) or "\n" in output.strip()
    return Reply(ANSWERED, found if numbers is None or isinstance(found, tuple) else (found,), aloud=aloud)


def _reply(output: Any, numbers: int | None) -> Reply:
    if isinstance(output, BaseException):
        return failed(output)
    if numbers is None:
        return _number(output)
    parts = _listed(output)
    if parts is None or len(parts) != numbers:
        what = "one value" if parts is None else f"{len(parts)} values"
        return Reply(WRONG_SHAPE, None, f"{what} where {numbers} are asked")
    found = [_number(part) for part in parts]
    bad = next((reply for reply in found if reply.status != ANSWERED), None)
    return bad or Reply(ANSWERED, tuple(reply.answer for reply in found))  # type: ignore[misc]


def _number(value: Any) -> Reply:
    """An integer, as Python, numpy or torch write it; a float if it is a whole number."""
    if type(value) is int:
        return Reply(ANSWERED, value)
    if hasattr(value, "item"):
        try:
            value = value.item()
        except (ValueError, RuntimeError, TypeError) as error:
            return Reply(WRONG_SHAPE, None, line(error))
    if isinstance(value, int):  # a bool too: 2-Sum asks yes or no
        return Reply(ANSWERED, int(value))
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return Reply(ANSWERED, int(value))
    kind = NOT_A_NUMBER if isinstance(value, float) else WRONG_SHAPE
    return Reply(kind, None, f"{line(shown(value))} is no integer")


def _listed(outputs: Any) -> Sequence[Any] | None:
    """A sequence: lists and tuples, arrays and tensors; no texts, no iterators of unknown length."""
    if hasattr(outputs, "tolist"):
        outputs = outputs.tolist()
    if isinstance(outputs, str | bytes | dict) or not hasattr(outputs, "__len__") or not hasattr(outputs, "__iter__"):
        return None
    return list(outputs)
