"""An executor that does everything at once, in this process: nothing of a pool but its interface."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Inline(Executor):
    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **options))
        except Exception as error:
            future.set_exception(error)
        return future
