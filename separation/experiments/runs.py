"""Experiments as TOML files, one recipe for all words; a training run, its row, and where it is kept."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from separation.files import InputError, csv_text, json_text, read_bytes, read_json, write_whole

Row = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """A word of layers trained on one task at given sizes with one seed, for at most so many steps.

    ``label`` names its variant in the figure. ``settings``: what a variant changes, as pairs (name of a field of the
    network's settings, value); ``recipe``: all of the trainer's, for all words alike. With another setting or recipe
    it is another run, with another key.
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
    recipe: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> str:
        """A file name: what is read, and a hash of everything."""
        text = json_text(dict(sorted(asdict(self).items())))
        digest = sha256(text.encode()).hexdigest()[:12]
        return f"{self.experiment}-{self.word[:12]}-L{len(self.n) + 1}-{self.seed}-{digest}"

    def setting(self, name: str, otherwise: Any) -> Any:
        return dict(self.settings).get(name, otherwise)


def wilson(correct: int, tested: int) -> tuple[float, float]:
    """Wilson's 95 % interval (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).

    >>> low, high = wilson(50, 100)
    >>> round(low, 4), round(high, 4)
    (0.4038, 0.5962)
    >>> wilson(0, 10)[0], wilson(10, 10)[1]
    (0.0, 1.0)
    """
    from scipy.stats import binomtest

    found = binomtest(correct, tested).proportion_ci(method="wilson")
    return float(found.low), float(found.high)


def kept_at(folder: Path, run: Run, what: str = "json") -> Path:
    """The row of a run, its checkpoint; where all inputs were asked, the weights and the certificate."""
    return folder / f"{run.key}.{what}"


def read_row(folder: Path, run: Run) -> Row | None:
    """The row of a run that was finished earlier; None if there is none that can be read as one."""
    path = kept_at(folder, run)
    found = read_json(path) if path.is_file() else None
    return found if isinstance(found, dict) and found.get("key") == run.key else None


def write_row(folder: Path, run: Run, row: Row) -> None:
    write_whole(kept_at(folder, run), json_text(row))


def write_csv(path: Path, found: Sequence[Row]) -> None:
    write_whole(path, csv_text(found[0], ([row[name] for name in found[0]] for row in found)))


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


TYPES: dict[str, type[int] | type[float]] = dict.fromkeys(
    ("L", "m", "seed", "budget", "steps", "parameters", "correct", "tested", "inputs", "wrong"), int
)
TYPES |= dict.fromkeys(("beta", "lambda", "certified"), int)
TYPES |= dict.fromkeys(("accuracy", "low", "high", "ceiling", "cpu_seconds"), float)


def rows_by_key(path: Path) -> dict[str, Row]:
    """What `write_csv` has written, if it has: a run whose row is there need not be trained again."""
    found = read_csv(path) if path.is_file() else []
    typed: list[Row] = [
        {name: TYPES.get(name, str)(value) if value or name not in TYPES else None for name, value in row.items()}
        for row in found
    ]
    return {row["key"]: row for row in typed if "key" in row}


NAMES = ("depth", "ablation", "capacity", "sparse", "recurrence", "shift", "exact", "tracking", "stock")
GROUP_KEYS = {"words", "m", "n", "seeds", "steps", "settings", "label", "tasks", "vary"}


@dataclass(frozen=True)
class Plan:
    """The runs of an experiment, in order, and how they are trained."""

    name: str
    title: str
    recipe: dict[str, Any]
    runs: tuple[Run, ...]


def load_plan(name: str, quick: bool = False, path: str | Path | None = None) -> Plan:
    """The shipped file of an experiment, or one of one's own in the same form."""
    if name not in NAMES:
        raise InputError(f"no experiment is called {name!r}; there are {', '.join(NAMES)}")
    shipped = files("separation.experiments") / "plans"
    data = (shipped / f"{name}.toml").read_bytes() if path is None else read_bytes(path, 2**20)
    try:
        document = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path or name} is not TOML: {str(error).splitlines()[0][:120]}") from None
    part = document.get("quick" if quick else "full")
    if not isinstance(part, list) or not part:
        raise InputError(f"{path or name} has no groups of runs called {'quick' if quick else 'full'}")
    usual = tomllib.loads((shipped / "recipe.toml").read_text())
    changed = document.get("recipe", {})
    if unknown := set(changed) - set(usual):
        raise InputError(f"{path or name}: the recipe has the unknown key {sorted(unknown)[0]!r}")
    recipe = usual | changed
    shared = {key: document[key] for key in GROUP_KEYS & document.keys()}  # of every group that says nothing else
    runs = tuple(run for group in part for run in _runs(name, shared | group, recipe, str(path or name)))
    return Plan(name, str(document.get("title", name)), recipe, runs)


def _runs(name: str, group: dict[str, Any], recipe: dict[str, Any], source: str) -> Iterable[Run]:
    """tasks × words × (each of what varies, of the settings or of the recipe) × seeds."""
    unknown = set(group) - GROUP_KEYS
    if unknown or not {"words", "m", "seeds", "steps"} <= set(group):
        wrong = f"the unknown key {sorted(unknown)[0]!r}" if unknown else "not all of words, m, seeds and steps"
        raise InputError(f"{source}: a group of runs has {wrong}")
    common = dict(group.get("settings", {}))
    for task, word, change in product(group.get("tasks", ["funccomp"]), group["words"], group.get("vary", [{}])):
        settings = common | {key: value for key, value in change.items() if key != "label" and key not in recipe}
        own = recipe | {key: value for key, value in change.items() if key in recipe}
        label = change.get("label", group.get("label", ""))
        pairs = tuple(sorted(settings.items())), tuple(sorted(own.items()))
        for seed in group["seeds"]:
            yield Run(name, task, word, group["m"], tuple(group.get("n", ())), seed, group["steps"], label, *pairs)


def layers_of(word: str) -> str:
    """R3F as RRRF.

    >>> layers_of("R3F"), layers_of("FRF")
    ('RRRF', 'FRF')
    """
    return re.sub(r"([A-Z])(\d+)", lambda found: found[1] * int(found[2]), word)
