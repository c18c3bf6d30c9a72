"""Constructions inside models that nobody here wrote: one module a stock class, found by its name; kit/ is shared."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from constructions.stock.kit.target import Certificate, Target
from separation.files import InputError
from separation.tasks.checks import shown

NAMES = tuple(sorted(module.name for module in iter_modules(__path__) if module.name != "kit"))
"""What `export --to` takes: every module here but kit/."""

__all__ = ["NAMES", "Certificate", "Target", "target", "target_for"]


def target(name: str) -> Target[Any]:
    """The target of a name."""
    if name not in NAMES:
        raise InputError(f"--to is {shown(name)}; known are {', '.join(NAMES)}")
    found: Target[Any] = import_module(f"{__name__}.{name}").TARGET
    return found


def target_for(name: str, construction: str) -> Target[Any]:
    """The target of a name, when it holds the construction."""
    found = target(name)
    if construction.upper() != found.construction:
        others = [f"--to {other} takes {target(other).construction}" for other in NAMES if other != name]
        raise InputError("; ".join([f"--to {name} takes {found.construction}, not {construction[:20]}", *others]))
    return found
