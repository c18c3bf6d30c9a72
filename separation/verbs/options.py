"""Options that several verbs share: which construction, at which sizes, with which precision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

from constructions import SEARCHES, build
from separation.files import InputError
from separation.proving import Construction, load_construction
from separation.tasks.catalogue import Instance, Task
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.levels import require_few_levels

DEFAULT_L = 3
DEFAULT_SIZE = 4
DEFAULT_LENGTH = 64
MAX_BITS = 4096
MAX_BLOCK = 256

FUNCCOMP_SIZES = ("L", "m", "n", "tokens")
TWO_SUM_SIZES = ("length", "modulus")


class Options(TypedDict, total=False):
    """The sizes of FuncComp (L, m, n or tokens) or of 2-Sum (length, modulus), variants, and p and P."""

    L: int | None
    m: int | None
    n: Sequence[int] | None
    tokens: int | None
    length: int | None
    modulus: int | None
    word: str | None
    family: str | None
    block: int | None
    opened: int | None
    bits: int | None
    score_bits: int | None


def chosen_sizes(
    L: int | None = None, m: int | None = None, n: Sequence[int] | None = None, tokens: int | None = None
) -> Sizes:
    """The sizes asked for: L, m and n; or L and a least number of tokens; or m = n_1 = … = 4."""
    if tokens is not None and (m is not None or n is not None):
        raise InputError("give either --tokens or --m and --n, not both")
    if L is None:
        L = DEFAULT_L if n is None else len(n) + 1
    require_few_levels(L)
    if tokens is not None:
        return Sizes.for_tokens(L, tokens)
    if m is None and n is None:
        return Sizes.from_lists(L, DEFAULT_SIZE, [DEFAULT_SIZE] * max(L - 1, 0))
    return Sizes.from_lists(L, DEFAULT_SIZE if m is None else m, list(n or ()))


def chosen_search(length: int | None = None, modulus: int | None = None) -> TwoSumSizes:
    """The sizes asked for; the modulus is the next odd number above n² if none is given."""
    length = DEFAULT_LENGTH if length is None else length
    return TwoSumSizes(length, length**2 + 1 + length % 2 if modulus is None else modulus)


def chosen_construction(
    name: str | None, model: str | Path | None, options: Options, task: Task | None = None
) -> Construction:
    """A construction by name at the sizes asked for (or of ``task``), or that of a model file, which brings its own."""
    given = {option: value for option, value in options.items() if value is not None}
    if (name is None) == (model is None):
        raise InputError("give either the name of a construction or --model FILE")
    if model is not None:
        if given:
            raise InputError(f"a model file brings its own sizes and precision: leave out {_flags(given)}")
        return load_construction(model)
    name = str(name).upper()
    others = FUNCCOMP_SIZES if name in SEARCHES else TWO_SUM_SIZES
    if any(option in given for option in others):
        raise InputError(f"{name} has no {_flags(option for option in others if option in given)}")
    _require_ranges(given)
    sizes = task if task is not None else _chosen_task(name, given)
    variant = {option: value for option, value in given.items() if option not in (*FUNCCOMP_SIZES, *TWO_SUM_SIZES)}
    return build(name, sizes.sizes if isinstance(sizes, Thoughts) else sizes, **variant)


def construction_for(
    name: str | None, model: str | Path | None, instance: Instance | None, options: Options
) -> tuple[Construction, Sizes | TwoSumSizes]:
    """The construction or model asked for, at the sizes of an instance if there is one, and the task it answers."""
    sized = [option for option in (*FUNCCOMP_SIZES, *TWO_SUM_SIZES) if options.get(option) is not None]
    if instance is not None and sized:
        raise InputError(f"an instance brings its own sizes: leave out {_flags(sized)}")
    subject = chosen_construction(name, model, options, None if instance is None else instance.sizes)
    task = subject.sizes.sizes if isinstance(subject.sizes, Thoughts) else subject.sizes
    if instance is not None and instance.sizes != task:
        raise InputError(f"the instance has sizes {instance.sizes}, the model {task}")
    return subject, task


def _chosen_task(name: str, given: dict[str, Any]) -> Sizes | TwoSumSizes:
    if name in SEARCHES:
        return chosen_search(**{option: given[option] for option in TWO_SUM_SIZES if option in given})
    return chosen_sizes(**{option: given[option] for option in FUNCCOMP_SIZES if option in given})


def _require_ranges(given: dict[str, Any]) -> None:
    ranges = {"bits": (1, MAX_BITS), "score_bits": (0, MAX_BITS), "block": (1, MAX_BLOCK), "opened": (0, None)}
    for name, (least, most) in ranges.items():
        value = given.get(name)
        if value is not None and (value < least or (most is not None and value > most)):
            allowed = f"{least} and above" if most is None else f"{least}..{most}"
            raise InputError(f"{name.replace('_', '-')} is {value}; allowed are {allowed}")


def _flags(names: Any) -> str:
    shown = {"score_bits": "score-bits", "opened": "open"}
    return ", ".join(f"--{shown.get(name, name)}" for name in names)
