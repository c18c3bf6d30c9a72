"""The gallery: one program a file, each with its sentence, its paper and the sizes at which it is proved.

A module has ``program(…)``, whose defaults are so small that all inputs can be run, and ``LARGE``, other sizes.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

NAMES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py")))


def module(name: str) -> ModuleType:
    """The file of a program."""
    return import_module(f"constructions.programs.{name}")


def sentence(name: str) -> str:
    """What the program says, in one sentence."""
    return str(module(name).__doc__).split("\n\n")[0].replace("\n", " ")


def gallery(name: str, large: bool = False, **sizes: Any) -> Any:
    """The program of this name at its small sizes, at its large ones, or at given ones."""
    found = module(name)
    return found.program(**{**(found.LARGE if large else {}), **sizes})
