"""From options to a subject: which construction, at which sizes; refused if it would take too much.

What a run would take is estimated before it starts: more memory than is free, or more than an hour, is refused.
Measured on the constructions at the sizes in tests/test_cost.py, and rounded up: the width of a construction for
FuncComp is about 5.2 coordinates for each bit of the largest table, its weights 3.5·(L+1)·width² numbers (C3 also
keeps a feature for each entry), and the proof takes 400 bytes and 30 µs for each of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from dataclasses import fields as dataclass_fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separation.files import InputError
from separation.verbs.budgets import require_few_levels, require_ranges
from separation.verbs.options import Options, flags, only_given, several

if TYPE_CHECKING:  # a bound loads no construction, and the command line nothing at all
    from separation.programs import CompiledProgram
    from separation.proving import Construction
    from separation.tasks import Instance, TaskSizes
    from separation.tasks.funccomp import Sizes
    from separation.tasks.two_sum import TwoSumSizes

HOUR = 3600.0
WIDTH_PER_BIT = 5.2
WEIGHTS = 3.5
BYTES_PER_WEIGHT = 400
SECONDS_PER_WEIGHT = 3e-5

DEFAULT_L = 3
DEFAULT_SIZE = 4
DEFAULT_LENGTH = 64


FUNCCOMP_SIZES = ("L", "m", "n", "tokens")
TWO_SUM_SIZES = ("length", "modulus")
OWN_SIZES = "sizes"
ALL_SIZES = (*FUNCCOMP_SIZES, *TWO_SUM_SIZES, OWN_SIZES)


def chosen_sizes(
    L: int | None = None, m: int | None = None, n: int | Sequence[int] | None = None, tokens: int | None = None
) -> Sizes:
    """The sizes asked for: L, m and n; or L and a least number of tokens; or m = n_1 = … = 4."""
    from separation.tasks.funccomp import Sizes

    n = several(n)
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


def tokens_note(asked: int | None, sizes: Any) -> str | None:
    """Why --tokens gave a longer prompt."""
    longer = asked is not None and getattr(sizes, "length", asked) != asked
    return f"the smallest equal powers of two that reach --tokens {asked:,}" if longer else None


def chosen_search(length: int | None = None, modulus: int | None = None) -> TwoSumSizes:
    """The sizes asked for; the modulus is the next odd number above n² if none is given."""
    from separation.tasks.two_sum import TwoSumSizes

    length = DEFAULT_LENGTH if length is None else length
    return TwoSumSizes(length, length**2 + 1 + length % 2 if modulus is None else modulus)


def chosen_construction(
    name: str | Construction | Any | None, model: str | Path | None, options: Options, task: TaskSizes | None = None
) -> Construction:
    """A construction by name at the sizes asked for (or of ``task``), one already built, or that of a model file.

    The last two bring their own sizes.
    """
    from constructions import build, sizes_type
    from separation.proving import Construction, load_construction
    from separation.tasks import task_of
    from separation.tasks.funccomp import Sizes
    from separation.tasks.two_sum import TwoSumSizes

    given = only_given(options)
    given.pop("force", None)
    if (name is None) == (model is None):
        raise InputError("give either the name of a construction or --model FILE")
    if isinstance(name, Construction):
        _nothing_beside("a construction", given)
        return name
    if model is not None:
        _nothing_beside("a model file", given)
        loaded = load_construction(model)
        layers, weights = len(loaded.model.layers), _bounded(loaded.model.parameters)
        what = f"{loaded.name}, with {layers:,} layers and about {weights:.1g} weights,"
        require_affordable(what, weights, weights, options.get("force"))
        return loaded
    program = compiled_program(name, options)
    if program is not None:
        return program.construction
    if not isinstance(name, str):
        raise InputError("a construction, a program, or the name of one is needed")
    name = name.upper()
    wanted = sizes_type(name)
    asked: dict[type, Any] = {Sizes: (chosen_sizes, FUNCCOMP_SIZES), TwoSumSizes: (chosen_search, TWO_SUM_SIZES)}
    make, own = asked.get(wanted, (partial(own_sizes, wanted), (OWN_SIZES,)))
    if unknown := [option for option in ALL_SIZES if option in given and option not in own]:
        raise InputError(f"{name} has no {flags(unknown)}")
    require_ranges(given)
    if name in ("C1.SQUARES", "C9") and not given.keys() & {*FUNCCOMP_SIZES}:
        given |= {"L": 2, "m": 2, "n": 2}  # every input is run
    sized = {option: given[option] for option in own if option in given}
    plain = make(**sized) if task is None else task_of(task).plain_sizes
    weights = weights_of(name, plain)
    what = f"{name} at these sizes, with about {weights:.1g} weights,"
    require_affordable(what, weights, weights, options.get("force"))
    variant = {option: value for option, value in given.items() if option not in ALL_SIZES}
    return build(name, plain, **variant)


def _nothing_beside(what: str, given: Mapping[str, Any]) -> None:
    if given:
        raise InputError(f"{what} brings its own sizes and precision: leave out {flags(given)}")


def compiled_program(name: Any, options: Options) -> CompiledProgram | None:
    """The weights of a program, or of FILE.py:program or of one of the gallery, at its small sizes or those of --sizes;
    None if there is no program."""
    from constructions.programs import is_program, program_named
    from separation.programs import CompiledProgram, Program

    given = {option: value for option, value in only_given(options).items() if option != "force"}
    if isinstance(name, Program | CompiledProgram):
        _nothing_beside("a program", given)
        return name.compile() if isinstance(name, Program) else name
    if not isinstance(name, str) or not is_program(name):
        return None
    others = [option for option in given if option not in (OWN_SIZES, "word")]
    if others:
        raise InputError(f"a program has no {flags(others)}; its own sizes are given by --sizes")
    program = program_named(name, str(given.get(OWN_SIZES, "")))
    compiled: CompiledProgram = program.compile(given.get("word"))
    return compiled


def construction_for(
    name: str | Construction | None, model: str | Path | None, instance: Instance | None, options: Options
) -> Construction:
    """The construction or model asked for, at the sizes of an instance if there is one."""
    sized = [option for option in ALL_SIZES if options.get(option) is not None]
    if instance is not None and sized:
        raise InputError(f"an instance brings its own sizes: leave out {flags(sized)}")
    subject = chosen_construction(name, model, options, None if instance is None else instance.sizes)
    if instance is not None and instance.sizes != subject.task.plain_sizes:
        raise InputError(f"the instance has sizes {instance.sizes}, the model {subject.task.plain_sizes}")
    return subject


def own_sizes(wanted: type, sizes: str = "") -> Any:
    """The sizes of a task in "pairs=4,keys=8": those of its fields that have no default must be there."""
    from constructions.programs import named_integers

    found = named_integers(sizes)
    known = {field.name: field for field in dataclass_fields(wanted)}
    needed = {name for name, field in known.items() if field.default is MISSING}
    if not needed <= set(found) <= set(known):
        raise InputError(
            f"--sizes is {sizes[:60]!r}; integers for {', '.join(known)} are needed, like {next(iter(known))}=4"
        )
    return wanted(**found)


def about(construction: Construction) -> dict[str, Any]:
    """Which weights, and the sizes of their task: L, m and n of FuncComp, length and modulus of 2-Sum."""
    from separation.tasks.catalogue import prompt_tokens, task_to_document

    document = task_to_document(construction.sizes)
    levels = {"L": len(document["n"]) + 1} if "n" in document else {}
    named = {"construction": construction.name, "word": construction.model.word}
    return {**named, "tokens": prompt_tokens(construction.sizes), **levels, **document}


def free_memory() -> int | None:
    """Bytes that may be taken without harm to others, as far as the system says."""
    try:
        with open("/proc/meminfo", "rb") as file:
            for line in file:
                if line.startswith(b"MemAvailable:"):
                    return int(line.split()[1]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (OSError, ValueError, AttributeError):
        return None


def require_affordable(what: str, held: float, handled: float, force: bool | None = False) -> None:
    """Refuse what needs more memory than is free, or more than an hour; ``force`` starts it all the same.

    ``held``: weights that are in memory at a time; ``handled``: all that are built and proved.
    """
    free, memory, seconds = free_memory(), held * BYTES_PER_WEIGHT, handled * SECONDS_PER_WEIGHT
    if force or (seconds <= HOUR and (free is None or memory <= free)):
        return
    has = "" if free is None else f" ({_gigabytes(free)} are free)"
    hours = f"{seconds:,.0f} s" if seconds < HOUR else f"{seconds / HOUR:,.1f} hours"
    raise InputError(
        f"{what} would take about {_gigabytes(memory)} of memory{has} and {hours}; take smaller sizes, or --force"
    )


def weights_of(name: str, sizes: TaskSizes) -> float:
    """About how many numbers the weights of a construction have, before it is built."""
    from constructions.c8 import Workspace
    from separation.tasks.catalogue import prompt_tokens
    from separation.tasks.funccomp import Sizes
    from separation.tasks.two_sum import TwoSumSizes

    if isinstance(sizes, TwoSumSizes):
        return WEIGHTS * 2 * (WIDTH_PER_BIT * (2.0 * sizes.modulus.bit_length() + 2)) ** 2
    if isinstance(sizes, Workspace):  # a row for every token
        return WEIGHTS * WIDTH_PER_BIT * _bounded(sizes.query + sizes.modulus)
    if not isinstance(sizes, Sizes):  # a task of one's own: its look-ups are as wide as the code of a position
        return WEIGHTS * 2 * (WIDTH_PER_BIT * prompt_tokens(sizes).bit_length()) ** 2
    width = WIDTH_PER_BIT * max(sizes.N[-1].bit_length(), sizes.L)
    features = 4 * width * _bounded(sizes.length) if name in ("C1.SQUARES", "C3", "C9") else 0.0
    return WEIGHTS * (sizes.L + 1) * width**2 + features


def require_affordable_table(names: list[str], sizes: Sizes, search: TwoSumSizes, force: bool | None = False) -> None:
    """Of a table in which each of these constructions is built and proved, one after the other."""
    from constructions import FOR_TWO_SUM

    weights = [weights_of(name, search if name in FOR_TWO_SUM else sizes) for name in names if name != "C3"]
    require_affordable("the table at these sizes", max(weights), sum(weights), force)


def _bounded(number: int) -> float:
    return float(min(number, 10**300))


def _gigabytes(size: float) -> str:
    return f"{size / 2**30:,.1f} GB" if size < 1e15 else f"{size / 2**30:.1e} GB"
