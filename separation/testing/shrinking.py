"""A failure made smaller, as long as it fails in the same way: runs of tokens made plain, then values lowered."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from separation.tasks.task import Array
from separation.testing.examining import Examiner, Failed, differing, is_wrong, oracle

AT_ONCE = 64


def shrunk(examiner: Examiner, failed: Failed, ends: float, calls: int = 1 << 14) -> Failed:
    """The failure with as many plain tokens, and as low values, as were found in time and with ``calls`` prompts.

    Every candidate is put to the solver: what is returned fails, with the same status as what was given.
    """
    search = _Search(examiner, failed, ends, calls)
    before = None
    while before is None or not np.array_equal(before, search.best.prompt):
        before = search.best.prompt
        search.make_plain()
        search.lower_values()
        if search.over():
            break
    return search.best


class _Search:
    def __init__(self, examiner: Examiner, failed: Failed, ends: float, calls: int) -> None:
        self.examiner, self.best, self.ends, self.left = examiner, failed, ends, calls
        self.task = failed.task
        self.plain = self.task.plainest_prompt()

    def over(self) -> bool:
        return self.left <= 0 or time.monotonic() > self.ends or self.examiner.stopped is not None

    def make_plain(self) -> None:
        size = len(self.plain)
        while size >= 1 and not self.over():
            for start in range(0, len(self.plain), size):
                places = np.arange(start, min(start + size, len(self.plain)))
                if (self.best.prompt[places] != self.plain[places]).any():
                    self._try([self._with(places, self.plain[places])])
            size //= 2

    def lower_values(self) -> None:
        for place in differing(self.best.prompt, self.plain):
            while not self.over():
                now, low = int(self.best.prompt[place]), int(self.plain[place])
                lower = dict.fromkeys((low + (now - low) // 2, now - 1))
                if not self._try(self._with([place], [value]) for value in lower if low < value < now):
                    break

    def _with(self, places: Iterable[int], values: Iterable[int]) -> Array:
        prompt = self.best.prompt.copy()
        prompt[np.array(list(places))] = np.array(list(values))
        return prompt

    def _try(self, candidates: Iterable[Array]) -> bool:
        """Take the first candidate that fails in the same way."""
        for prompt in candidates:
            if self.over():
                return False
            try:
                self.task.instance(prompt)
            except ValueError:  # no input of the task
                continue
            (expected,), numbers = oracle(self.task, prompt[None])
            self.left -= 1
            (reply,) = self.examiner.call(self.task, prompt[None], numbers)
            if reply.status == self.best.reply.status and is_wrong(reply, expected):
                self.best = replace(self.best, prompt=prompt, expected=expected, reply=reply)
                return True
        return False
