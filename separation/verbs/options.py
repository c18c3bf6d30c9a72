"""Options that several verbs share: which construction, at which sizes, with which precision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from separation.files import InputError
from separation.verbs.cost import require_affordable_construction

if TYPE_CHECKING:  # a bound loads no construction, and the command line nothing at all
    from separation.proving import Construction
    from separation.tasks import Instance, TaskSizes
    from separation.tasks.funccomp import Sizes
    from separation.tasks.two_sum import TwoSumSizes

MAX_L = 128
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
    force: bool | None


def require_few_levels(L: int) -> None:
    """At most MAX_L tables."""
    if L > MAX_L:
        raise InputError(f"L is {L}; at most {MAX_L} is accepted")


def chosen_sizes(
    L: int | None = None, m: int | None = None, n: Sequence[int] | None = None, tokens: int | None = None
) -> Sizes:
    """The sizes asked for: L, m and n; or L and a least number of tokens; or m = n_1 = … = 4."""
    from separation.tasks.funccomp import Sizes

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
    from separation.tasks.two_sum import TwoSumSizes

    length = DEFAULT_LENGTH if length is None else length
    return TwoSumSizes(length, length**2 + 1 + length % 2 if modulus is None else modulus)


def chosen_construction(
    name: str | None, model: str | Path | None, options: Options, task: TaskSizes | None = None
) -> Construction:
    """A construction by name at the sizes asked for (or of ``task``), or that of a model file, which brings its own."""
    from constructions import SEARCHES, build
    from separation.proving import load_construction
    from separation.tasks import task_of

    given = {option: value for option, value in options.items() if value is not None}
    given.pop("force", None)
    if (name is None) == (model is None):
        raise InputError("give either the name of a construction or --model FILE")
    if model is not None:
        if given:
            raise InputError(f"a model file brings its own sizes and precision: leave out {flags(given)}")
        return load_construction(model)
    name = str(name).upper()
    others = FUNCCOMP_SIZES if name in SEARCHES else TWO_SUM_SIZES
    unknown = [option for option in others if option in given]
    if unknown:
        raise InputError(f"{name} has no {flags(unknown)}")
    require_ranges(given)
    sizes = task if task is not None else _chosen_task(name, given)
    plain = task_of(sizes).plain_sizes
    require_affordable_construction(name, plain, options.get("force"))
    variant = {option: value for option, value in given.items() if option not in (*FUNCCOMP_SIZES, *TWO_SUM_SIZES)}
    return build(name, plain, **variant)


def construction_for(
    name: str | None, model: str | Path | None, instance: Instance | None, options: Options
) -> tuple[Construction, Sizes | TwoSumSizes]:
    """The construction or model asked for, at the sizes of an instance if there is one, and the task it answers."""

    sized = [option for option in (*FUNCCOMP_SIZES, *TWO_SUM_SIZES) if options.get(option) is not None]
    if instance is not None and sized:
        raise InputError(f"an instance brings its own sizes: leave out {flags(sized)}")
    subject = chosen_construction(name, model, options, None if instance is None else instance.sizes)
    task = subject.task.plain_sizes
    if instance is not None and instance.sizes != task:
        raise InputError(f"the instance has sizes {instance.sizes}, the model {task}")
    return subject, task


def _chosen_task(name: str, given: dict[str, Any]) -> Sizes | TwoSumSizes:
    from constructions import SEARCHES

    if name in SEARCHES:
        return chosen_search(**{option: given[option] for option in TWO_SUM_SIZES if option in given})
    return chosen_sizes(**{option: given[option] for option in FUNCCOMP_SIZES if option in given})


def require_ranges(given: dict[str, Any]) -> None:
    ranges = {"bits": (1, MAX_BITS), "score_bits": (0, MAX_BITS), "block": (1, MAX_BLOCK), "opened": (0, None)}
    for name, (least, most) in ranges.items():
        value = given.get(name)
        if value is not None and (value < least or (most is not None and value > most)):
            allowed = f"{least} and above" if most is None else f"{least}..{most}"
            raise InputError(f"{name.replace('_', '-')} is {value}; allowed are {allowed}")


def flags(names: Iterable[str]) -> str:
    """Options as they are typed: --m, --score-bits; ``opened`` is --open and ``linear`` --lambda."""
    typed = {"opened": "open", "linear": "lambda"}
    return ", ".join(f"--{typed.get(name, name).replace('_', '-')}" for name in names)


def flags_given(options: dict[str, Any]) -> str:
    """Those of the options that have a value, as they are typed; empty if there are none."""
    return flags(name for name, value in options.items() if value is not None and value is not False)


def sizes_to_document(task: TaskSizes) -> dict[str, Any]:
    """L, m and n of FuncComp, length and modulus of 2-Sum, as numbers for `--json`."""
    from separation.tasks.catalogue import task_to_document

    document = task_to_document(task)
    return {"L": len(document["n"]) + 1, **document} if "n" in document else document


def write_accepted(out: str | Path, certificate: dict[str, Any]) -> Path:
    """Write a certificate of a bound or a decision, once the kernel has accepted it."""
    from separation.proving import accepted, write_certificate

    write_certificate(out, accepted(certificate))
    return Path(out)
