"""An executor that does everything at once, in this process: nothing of a pool but its interface."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Inline(Executor):
    """``sends``: what is done and what comes out of it are pickled, as on the way to another process and back."""

    def __init__(self, sends: bool = False) -> None:
        self.sends = sends

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.sends:
            function, args, options = pickle.loads(pickle.dumps((function, args, options)))
        try:
            result = function(*args, **options)
            future.set_result(pickle.loads(pickle.dumps(result)) if self.sends else result)
        except Exception as error:
            future.set_exception(error)
        return future
