"""Names of a package that are imported when they are first used: a command loads what it needs, and nothing else.

A package says them once, in lines `from MODULE import NAME as NAME` that type checkers read.
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def homes_of(file: str) -> dict[str, tuple[str, str]]:
    """Each name that a package's file says, with the module that has it and what it is called there."""
    with open(file, encoding="utf-8") as text:
        lines = [line.split() for line in text if line.startswith("    from ")]
    return {line[5]: (line[1], line[3]) for line in lines if line[4:5] == ["as"]}


def names_of(package: str, file: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """(`__all__`, `__getattr__`, `__dir__`) of the package in a file; a name that was found is kept."""
    homes = homes_of(file)
    names = sorted(homes)

    def look_up(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, said = homes[name]
        found = getattr(import_module(module), said)
        setattr(sys.modules[package], name, found)
        return found

    return names, look_up, lambda: names
