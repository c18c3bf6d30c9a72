"""A mutant put in place inside this process; no file is changed.

A function's code object is exchanged: whoever imported the function, or holds it in a table, runs the mutant.
A change at module level comes into force when the module is imported, so the import itself is answered with it.
"""

from __future__ import annotations

import functools
import gc
import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tools.mutation.mutants import Site

FUTURE_ANNOTATIONS = 0x1000000  # every file of the project starts with this import


def module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def exchange(site: Site, changed: bool = True) -> None:
    """Give the function the mutant's code and defaults (unchanged ones with changed = False, for the control run)."""
    target, built = located(site), built_function(site, changed)
    target.__code__ = built.__code__
    target.__defaults__, target.__kwdefaults__ = built.__defaults__, built.__kwdefaults__


def exchangeable(site: Site) -> bool:
    """Whether the function compiled on its own has the names of the function in the module: a mutant can stand in.

    The instructions may differ: the compiler calls the methods of an imported module in another way.
    """
    try:
        ours, theirs = built_function(site, changed=False), located(site)
    except (KeyError, AttributeError, NameError, TypeError):
        return False
    return _names(ours.__code__) == _names(theirs.__code__)


def _names(code: CodeType) -> tuple[tuple[str, ...], ...]:
    return code.co_varnames, code.co_names, code.co_freevars, code.co_cellvars


def located(site: Site) -> FunctionType:
    """The function object of the module, inside whatever its decorators made of it."""
    module = importlib.import_module(module_name(site.mutant.path))
    owner = getattr(module, site.mutant.owner) if site.mutant.owner else module
    found: Any = vars(owner)[site.mutant.function]
    while not isinstance(found, FunctionType) or hasattr(found, "__wrapped__"):
        inner = (getattr(found, name, None) for name in ("__func__", "fget", "func", "__wrapped__"))
        found = next(item for item in inner if item is not None)
    return found


def built_function(site: Site, changed: bool) -> FunctionType:
    """The function of the (mutated) source, defined among the names of its module."""
    code = compiled(site, changed)
    names = dict(vars(importlib.import_module(module_name(site.mutant.path))))
    exec(code, names)
    found = vars(names[site.mutant.owner])[site.mutant.function] if site.mutant.owner else names[site.mutant.function]
    assert isinstance(found, FunctionType)
    return found


def compiled(site: Site, changed: bool = True) -> CodeType:
    code = compile(site.source(changed), site.mutant.path, "exec", flags=FUTURE_ANNOTATIONS, dont_inherit=True)
    assert isinstance(code, CodeType)
    return code


class Answer(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Answers the import of one module with the mutated source."""

    def __init__(self, site: Site, origin: str) -> None:
        self.name, self.origin = module_name(site.mutant.path), origin
        self.code = compile(site.file(), origin, "exec", dont_inherit=True)
        self.is_folder = origin.endswith("__init__.py")

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=self.origin, is_package=self.is_folder)
        spec.has_location = True
        if self.is_folder:
            spec.submodule_search_locations = [self.origin.rpartition("/")[0]]
        return spec

    def get_code(self, fullname: str) -> Any:  # noqa: ARG002
        return self.code

    def get_source(self, fullname: str) -> str | None:  # noqa: ARG002
        return None


def answer_import(site: Site, root: Path) -> None:
    """From now on an import of the mutant's module gives the mutant; it must not have been imported yet."""
    answer = Answer(site, str(root / site.mutant.path))
    assert answer.name not in sys.modules
    sys.meta_path.insert(0, answer)


def memories(prefixes: tuple[str, ...]) -> list[Any]:
    """The functions with a cache in modules whose name starts or ends with one of these."""
    found = [
        item for item in gc.get_objects() if type(item) is functools._lru_cache_wrapper
    ]  # isinstance would ask each item
    names = [str(getattr(item, "__module__", "")) for item in found]
    return [
        item for item, name in zip(found, names, strict=True) if name.startswith(prefixes) or name.endswith(prefixes)
    ]
