"""Hand-built weights with their invariants, one file a construction; `build` finds one by its name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from separation.files import InputError
from separation.proving.construction import Construction

NAMES = ("C1",)

__all__ = ["NAMES", "build", "builder"]


def builder(name: str) -> Callable[..., Construction]:
    """The build function of a construction: `builder("C1")(sizes)`."""
    name = name.upper()
    if name not in NAMES:
        raise InputError(f"unknown construction {name[:20]!r}; known are {', '.join(NAMES)}")
    return import_module(f"constructions.{name.lower()}").build  # type: ignore[no-any-return]


def build(name: str, *sizes: object, **options: object) -> Construction:
    return builder(name)(*sizes, **options)
