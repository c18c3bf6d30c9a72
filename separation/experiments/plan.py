"""Experiments as TOML files: which words, at which sizes, with which seeds and settings; one recipe for all words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from separation.experiments.runs import Run
from separation.files import InputError, read_bytes

NAMES = ("depth", "capacity", "sparse", "recurrence", "shift", "stock", "fool")
GROUP_KEYS = {"words", "m", "n", "seeds", "steps", "settings", "label", "task", "vary", "recipe"}


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
    shipped = files("separation.experiments") / "plans" / f"{name}.toml"
    data = shipped.read_bytes() if path is None else read_bytes(path, 2**20)
    try:
        document = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path or name} is not TOML: {str(error).splitlines()[0][:120]}") from None
    part = document.get("quick" if quick else "full")
    if not isinstance(part, list) or not part:
        raise InputError(f"{path or name} has no groups of runs called {'quick' if quick else 'full'}")
    recipe = dict(document.get("recipe", {}))
    runs = tuple(run for group in part for run in _runs(name, group, recipe, str(path or name)))
    return Plan(name, str(document.get("title", name)), recipe, runs)


def _runs(name: str, group: dict[str, Any], recipe: dict[str, Any], source: str) -> Iterable[Run]:
    """words × (each value of what varies) × seeds; what a group says of the recipe holds for all of its words."""
    unknown = set(group) - GROUP_KEYS
    if unknown or not {"words", "m", "seeds", "steps"} <= set(group):
        wrong = f"the unknown key {sorted(unknown)[0]!r}" if unknown else "not all of words, m, seeds and steps"
        raise InputError(f"{source}: a group of runs has {wrong}")
    common = dict(group.get("settings", {}))
    for word in group["words"]:
        for change in group.get("vary", [{}]):
            settings = common | {key: value for key, value in change.items() if key != "label"}
            for seed in group["seeds"]:
                yield Run(
                    name,
                    group.get("task", "funccomp"),
                    word,
                    group["m"],
                    tuple(group.get("n", ())),
                    seed,
                    group["steps"],
                    change.get("label", group.get("label", "")),
                    tuple(sorted(settings.items())),
                    tuple(sorted((recipe | group.get("recipe", {})).items())),
                )


def layers_of(word: str) -> str:
    """R3F as RRRF.

    >>> layers_of("R3F"), layers_of("FRF")
    ('RRRF', 'FRF')
    """
    return re.sub(r"([A-Z])(\d+)", lambda found: found[1] * int(found[2]), word)
