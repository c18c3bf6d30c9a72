"""Hand-built weights with their invariants, one file a construction; `build` finds one by its name or its word."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

from separation.files import InputError
from separation.proving import Construction
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

NAMES = ("C1", "C2", "C3", "C4", "C5", "C6", "C7")
SEARCHES = ("C6", "C7")
"""The constructions for 2-Sum; the others are for FuncComp."""

DEFAULT_SIZE = 4

__all__ = ["NAMES", "SEARCHES", "build", "builder"]


def builder(name: str) -> Callable[..., Construction]:
    """The build function of a construction, `builder("C1")(sizes)`, or of a word over F and R, `builder("RFF")`."""
    if name.upper() in NAMES:
        return import_module(f"constructions.{name.lower()}").build  # type: ignore[no-any-return]
    if name and set(name.upper()) <= {"F", "R"}:
        build_word = import_module("constructions.words").build_word
        return lambda sizes, **options: build_word(name.upper(), sizes, **options)
    known = ", ".join(NAMES)
    raise InputError(f"unknown construction {name[:20]!r}; known are {known}, and words over F and R such as RFF")


def build(name: str, sizes: Sizes | TwoSumSizes | int, **options: Any) -> Construction:
    """A construction at given sizes; a number L stands for FuncComp with m = n_1 = … = 4. Options None are left out.

    `build("C1", Sizes(8, (8, 8)))`, `build("RFF", 2)`, `build("C7", TwoSumSizes(64, 4097), block=8)`
    """
    make = builder(name)
    if isinstance(sizes, int):
        sizes = Sizes.from_lists(sizes, DEFAULT_SIZE, [DEFAULT_SIZE] * max(sizes - 1, 0))
    wanted = TwoSumSizes if name.upper() in SEARCHES else Sizes
    if not isinstance(sizes, wanted):
        raise InputError(f"{name.upper()} is built for {wanted.__name__}, got {shown(sizes)}")
    chosen = {option: value for option, value in options.items() if value is not None}
    own = make if name.upper() in NAMES else import_module("constructions.words").build_word
    taken = [option for option in signature(own).parameters if option not in ("word", "sizes") or name.upper() in NAMES]
    for option in chosen:
        if option not in taken:
            raise InputError(f"{name.upper()} has no option {option}; it has {', '.join(taken[1:] or taken)}")
    return make(sizes, **chosen)
