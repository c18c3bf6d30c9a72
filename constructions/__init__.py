"""Hand-built weights with their invariants, one file a construction; `build` finds one by its name or its word."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from types import ModuleType
from typing import Any

from separation.files import InputError
from separation.proving import Construction
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

NAMES = ("C1", "C2", "C3", "C4", "C5", "C6", "C7")
FOR_TWO_SUM = ("C6", "C7")
"""The constructions for 2-Sum; the others are for FuncComp."""
BY_RUNNING = ("C1.squares", "C8", "C9")
"""No rule of the kernel applies to their heads, which weigh by squares: `prove` runs every input."""
IN_COQ = {"C1.squares": "that these weights are right at every size is proved in Coq: separation proofs C1.squares"}

DEFAULT_SIZE = 4

__all__ = ["BY_RUNNING", "FOR_TWO_SUM", "IN_COQ", "NAMES", "build", "builder", "sizes_type"]


def builder(name: str) -> Callable[..., Construction]:
    """The build function of a construction, `builder("C1")(sizes)`, or of a word over F and R, `builder("RFF")`."""
    if name.upper() in NAMES or (own := _own(name)) is not None:
        module = import_module(f"constructions.{name.lower()}") if name.upper() in NAMES else own
        return module.build  # type: ignore[union-attr, no-any-return]
    if name and set(name.upper()) <= {"F", "R"}:
        build_word = import_module("constructions.words").build_word
        return lambda sizes, **options: build_word(name.upper(), sizes, **options)
    known = ", ".join((*NAMES, *BY_RUNNING))
    more = "words over F and R such as RFF, programs (`separation programs` names them), and FILE.py:program"
    raise InputError(f"unknown construction {name[:20]!r}; known are {known}, {more}")


def _own(name: str) -> ModuleType | None:
    """The file of a construction for a task of its own: it has its name, and says which SIZES it is built for."""
    file = name.lower().replace(".", "_")
    if not (name.isascii() and file.isidentifier()) or find_spec(f"constructions.{file}") is None:
        return None
    module = import_module(f"constructions.{file}")
    return module if hasattr(module, "SIZES") else None


def sizes_type(name: str) -> type:
    """The type of the sizes that a construction is built for."""
    if name.upper() in NAMES or (own := _own(name)) is None:
        return TwoSumSizes if name.upper() in FOR_TWO_SUM else Sizes
    return own.SIZES  # type: ignore[no-any-return]


def build(name: str, sizes: Any, **options: Any) -> Construction:
    """A construction at given sizes; a number L stands for FuncComp with m = n_1 = … = 4. Options None are left out.

    `build("C1", Sizes(8, (8, 8)))`, `build("RFF", 2)`, `build("C7", TwoSumSizes(64, 4097), block=8)`
    """
    make = builder(name)
    if isinstance(sizes, int) and sizes_type(name) is Sizes:
        sizes = Sizes.from_lists(sizes, DEFAULT_SIZE, [DEFAULT_SIZE] * max(sizes - 1, 0))
    wanted = sizes_type(name)
    if not isinstance(sizes, wanted):
        raise InputError(f"{name.upper()} is built for {wanted.__name__}, got {shown(sizes)}")
    chosen = {option: value for option, value in options.items() if value is not None}
    is_word = name.upper() not in NAMES and _own(name) is None
    own = import_module("constructions.words").build_word if is_word else make
    known = [option for option in signature(own).parameters if option not in ("word", "sizes") or not is_word]
    for option in chosen:
        if option not in known:
            raise InputError(f"{name.upper()} has no option {option}; it has {', '.join(known[1:] or known)}")
    return make(sizes, **chosen)
