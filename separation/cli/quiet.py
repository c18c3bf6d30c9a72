"""`--quiet`: every verb takes it; no progress and no table, the exit status tells. Errors are still one line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Annotated, Any

import typer

Verb = Callable[..., None]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no table and no progress; the exit status tells.")]

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def is_quiet() -> bool:
    return _quiet.get()


def with_quiet(verb: Verb) -> Verb:
    """The verb with one option more, which holds while it runs."""

    @wraps(verb)
    def quietly(*, quiet: bool, **given: Any) -> None:
        before = _quiet.set(quiet)
        try:
            verb(**given)
        finally:
            _quiet.reset(before)

    own = inspect.signature(verb, eval_str=True)
    option = inspect.Parameter("quiet", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Quiet)
    parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own.parameters.values()]
    quietly.__signature__ = own.replace(parameters=[*parameters, option])  # type: ignore[attr-defined]
    quietly.__annotations__ = {each.name: each.annotation for each in (*parameters, option)}
    return quietly
