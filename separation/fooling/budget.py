"""How long a search may go on, and how much it has done."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from separation.files import InputError
from separation.progress import Progress
from separation.tasks.checks import require_integer

DEFAULT_SECONDS = 60.0
DEFAULT_SAMPLES = 1 << 23
PIECE = 0.01
"""What is done between two looks at the clock takes about this share of the seconds, so that they are kept."""


@dataclass(frozen=True)
class Budget:
    """A limit on seconds and on inputs looked at, whichever is reached first."""

    seconds: float = DEFAULT_SECONDS
    samples: int = DEFAULT_SAMPLES

    def __post_init__(self) -> None:
        require_integer("samples", self.samples, 1)
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            raise InputError(f"seconds is {self.seconds}; a number above 0 is needed")

    def start(self, progress: Progress | None = None) -> Clock:
        return Clock(self, progress)


def in_pieces(count: int, deadline: float, seconds: float) -> Iterator[tuple[int, int]]:
    """(start, stop) of 0..count−1, each piece as long as PIECE · seconds allows; no more after the deadline."""
    start, size = 0, 16
    while start < count and (now := time.monotonic()) < deadline:
        stop = min(count, start + size)
        yield start, stop
        took = max(time.monotonic() - now, 1e-9)
        size = max(1, min(4 * size, int((stop - start) * PIECE * seconds / took)))
        start = stop


@dataclass
class Clock:
    """A budget that is being spent."""

    budget: Budget
    progress: Progress | None = None
    samples: int = 0
    began: float = field(default_factory=lambda: time.monotonic())  # looked up late: tests have their own clock
    whole: Clock | None = None

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def deadline(self) -> float:
        """When the time is up, on the clock that all processes of a machine share."""
        return self.began + self.budget.seconds

    @property
    def left(self) -> int:
        """Inputs that may still be looked at; 0 when the time is up."""
        return 0 if self.seconds >= self.budget.seconds else max(0, self.budget.samples - self.samples)

    def part(self, share: float) -> Clock:
        """A clock for this share of what is left; what it spends, this one spends too."""
        seconds = max(share * (self.budget.seconds - self.seconds), 1e-6)
        return Clock(Budget(seconds, max(1, int(share * self.left))), whole=self)

    def spend(self, samples: int, what: str) -> None:
        """Count inputs that were looked at, and report the share of the budget that is gone."""
        self.samples += samples
        if self.whole is not None:
            self.whole.spend(samples, what)
        if self.progress is not None:
            share = max(self.seconds / self.budget.seconds, self.samples / self.budget.samples)
            self.progress(min(1.0, share), what)
