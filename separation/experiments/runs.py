"""One training run: what it is, its result, and where it is kept so that a killed run goes on."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from separation.files import json_text, read_json, write_whole

NORMAL_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


@dataclass(frozen=True)
class Run:
    """A word of layers trained on one task at given sizes with one seed; ``label`` names its variant in the figure.

    ``settings``: what a variant changes, as pairs (name of a field of the network's or the trainer's settings, value).
    """

    experiment: str
    task: str
    word: str
    m: int
    n: tuple[int, ...]
    seed: int
    steps: int
    label: str = ""
    settings: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> str:
        """A file name: what is read, and a hash of everything."""
        text = json_text(dict(sorted(asdict(self).items())))
        digest = sha256(text.encode()).hexdigest()[:12]
        return f"{self.experiment}-{self.word[:12]}-L{len(self.n) + 1}-{self.seed}-{digest}"

    def setting(self, name: str, otherwise: Any) -> Any:
        return dict(self.settings).get(name, otherwise)


@dataclass(frozen=True)
class Outcome:
    """How a trained model did: ``correct`` of ``tested`` random inputs, and of each hop (accuracy at the last token).

    ``beta`` and ``linear``: β and Λ of that very model, None where it is not rounded. ``ceiling``: the accuracy that no
    model of its word, β and Λ exceeds on these inputs, by ``theorem``.
    """

    correct: int
    tested: int
    hops: tuple[float, ...]
    cpu_seconds: float
    parameters: int
    beta: int | None = None
    linear: int | None = None
    ceiling: float | None = None
    theorem: str = ""
    shifted: dict[str, float] = field(default_factory=dict)
    pairs: int | None = None

    @property
    def accuracy(self) -> float:
        return self.correct / self.tested

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.correct, self.tested)


def wilson(correct: int, tested: int) -> tuple[float, float]:
    """Wilson's 95 % interval (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).

    >>> low, high = wilson(50, 100)
    >>> round(low, 4), round(high, 4)
    (0.4038, 0.5962)
    >>> wilson(0, 10)[0], wilson(10, 10)[1]
    (0.0, 1.0)
    """
    share, squared = correct / tested, NORMAL_95**2
    centre = (share + squared / (2 * tested)) / (1 + squared / tested)
    half = NORMAL_95 * math.sqrt(share * (1 - share) / tested + squared / (4 * tested**2)) / (1 + squared / tested)
    low = 0.0 if correct == 0 else centre - half
    return low, 1.0 if correct == tested else centre + half


def outcome_path(folder: Path, run: Run) -> Path:
    return folder / f"{run.key}.json"


def checkpoint_path(folder: Path, run: Run) -> Path:
    return folder / f"{run.key}.safetensors"


def read_outcome(folder: Path, run: Run) -> Outcome | None:
    """The outcome of a run that was finished earlier; None if there is none that can be read as one."""
    path = outcome_path(folder, run)
    if not path.is_file():
        return None
    found = read_json(path)
    if not isinstance(found, dict) or set(found) != {each.name for each in fields(Outcome)}:
        return None
    return Outcome(**{**found, "hops": tuple(found["hops"])})


def write_outcome(folder: Path, run: Run, outcome: Outcome) -> None:
    write_whole(outcome_path(folder, run), json_text(asdict(outcome)))


COLUMNS = [
    "experiment",
    "task",
    "word",
    "label",
    "L",
    "m",
    "n",
    "seed",
    "steps",
    "parameters",
    "correct",
    "tested",
    "accuracy",
    "low",
    "high",
    "hops",
    "beta",
    "lambda",
    "ceiling",
    "theorem",
    "shifted",
    "pairs",
    "cpu_seconds",
    "settings",
]


def rows(runs: Sequence[Run], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A row for each run, in the order of the runs."""
    found = []
    for run, outcome in zip(runs, outcomes, strict=True):
        low, high = outcome.interval
        values = (
            *(run.experiment, run.task, run.word, run.label or run.word, len(run.n) + 1, run.m),
            *(" ".join(map(str, run.n)), run.seed, run.steps, outcome.parameters, outcome.correct, outcome.tested),
            *(
                round(outcome.accuracy, 6),
                round(low, 6),
                round(high, 6),
                " ".join(f"{hop:.4f}" for hop in outcome.hops),
            ),
            *(outcome.beta, outcome.linear, outcome.ceiling, outcome.theorem),
            " ".join(f"{name}={share:.4f}" for name, share in outcome.shifted.items()),
            *(outcome.pairs, round(outcome.cpu_seconds, 2)),
            " ".join(f"{name}={value}" for name, value in run.settings),
        )
        found.append(dict(zip(COLUMNS, values, strict=True)))
    return found


def write_csv(path: Path, found: Sequence[dict[str, Any]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: "" if value is None else value for name, value in row.items()} for row in found)
    write_whole(path, text.getvalue())


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
