"""Names of a package that are imported when they are first used: a command loads what it needs, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def found_in(package: str, names: Sequence[str], *modules: str) -> Callable[[str], Any]:
    """A package's ``__getattr__``: a name is looked for in its modules, in this order, and kept."""

    def look_up(name: str) -> Any:
        if name in names:
            for module in modules:
                found = vars(import_module(f"{package}.{module}"))
                if name in found and not isinstance(found[name], type(sys)):  # modules of a package
                    setattr(sys.modules[package], name, found[name])
                    return found[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return look_up
