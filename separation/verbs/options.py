"""How a parameter of a verb is typed, said without typer, which is loaded for help and mistakes; options that several
verbs share, each defined once; how lists, shares and ranges are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypedDict

from separation.files import InputError

if TYPE_CHECKING:
    from separation.proving import Construction


@dataclass
class Option:
    """An option with its help, by its parameter's name unless ``flags`` are given."""

    help: str
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    min: int | None = None
    max: int | None = None
    is_argument: ClassVar[bool] = False

    def for_typer(self) -> Any:
        import typer

        make = typer.Argument if self.is_argument else typer.Option
        return make(*self.flags, help=self.help, metavar=self.metavar, min=self.min, max=self.max)


class Argument(Option):
    """A word of the command line that stands by its place."""

    is_argument = True


class Choice:
    """A command that asks ``usual``, or one of the ``others`` in its place.

    Each other one has a name and a pair: the help of a flag of that name, None where it is an option of that name
    that only this function takes; and the function, or "file.function" of verbs/, which is not loaded without need.
    """

    def __init__(self, usual: Callable[..., Any], **others: tuple[str | None, Callable[..., Any] | str]) -> None:
        self.usual, self.others = usual, others


# Every list, share and range that is typed is read here, so that each is refused in the same way, before any work.
_INTEGER = re.compile(r"-?\d{1,4000}", re.ASCII)


def numbers(text: str, option: str) -> list[int]:
    """'8,8' → [8, 8]; '' → []."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(_INTEGER.fullmatch(part) for part in parts):
        raise InputError(f"{option} is {text[:40]!r}; a list of integers like 8,8 is needed")
    return [int(part) for part in parts]


def several(value: int | Sequence[int] | None) -> Sequence[int] | None:
    """What takes several numbers takes a single one, too: 2 → (2,)."""
    return (value,) if isinstance(value, int) else value


MOST_NUMBERS = 10_000


def ranges(text: str, option: str) -> list[int]:
    """'2..4,8' → [2, 3, 4, 8]."""
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        ends = numbers(f"{first},{last}" if dots else first, option)
        if len(ends) != (2 if dots else 1) or ends[-1] - ends[0] not in range(MOST_NUMBERS):
            raise InputError(f"{option} is {text[:40]!r}; numbers like 8,64 or 2..4 are needed")
        found += range(ends[0], ends[-1] + 1)
    return found


def lambda_numbers(text: str, option: str) -> int | list[int]:
    """'8' → 8; '0,8' → [0, 8]."""
    found = numbers(text, option)
    if not found:
        raise InputError(f"{option} is empty; a number is needed, or one for each block, like 0,8")
    return found[0] if len(found) == 1 else found


def share(text: str, option: str) -> Fraction:
    """'0.05' and '1/20' → 1/20."""
    try:
        return Fraction(text.strip()) if len(text) <= 100 else Fraction("no")
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{option} is {text[:40]!r}; a number like 0.05 or 1/20 is needed") from None


def two_shares(text: str, option: str) -> tuple[Fraction, Fraction]:
    """'0.05,1/20' → (1/20, 1/20)."""
    parts = text[:200].split(",")
    if len(parts) != 2:
        raise InputError(f"{option} is {text[:40]!r}; two shares like 0.05,0.05 are needed")
    return share(parts[0], option), share(parts[1], option)


def flags(names: Iterable[str]) -> str:
    """Options as they are typed: --m, --score-bits; Λ, ``state_bits``, is --lambda."""
    typed = {"opened": "open", "state_bits": "lambda", "layer_state_bits": "state-bits"}
    return ", ".join(f"--{typed.get(name, name).replace('_', '-')}" for name in names)


def flags_given(options: Mapping[str, Any]) -> str:
    """Those of the options that have a value, as they are typed; empty if there are none."""
    return flags(name for name, value in options.items() if value is not None and value is not False)


def refuse(what: str, options: Mapping[str, Any]) -> None:
    """Options that contradict another one are named, not ignored."""
    if given := flags_given(options):
        raise InputError(f"{what} does not go with {given}")


def asked_of(kind: type, options: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a TypedDict, None where one is not given; others are refused as Python refuses them."""
    if unknown := options.keys() - kind.__annotations__.keys():
        raise TypeError(f"unexpected keyword argument {sorted(unknown)[0]!r}")
    return {name: options.get(name) for name in kind.__annotations__}


def only_given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


class FuncCompSizes(TypedDict, total=False):
    """The sizes of FuncComp: L, m and n; or L and tokens."""

    L: Annotated[int | None, "Number of tables, L >= 1 (default 3)."]
    m: Annotated[int | None, "Size of table 1, m >= 2 (default 4)."]
    n: Annotated[int | Sequence[int] | None, "n_1,...,n_{L-1}, e.g. 8,8.", numbers]
    tokens: Annotated[
        int | None, "Instead of --m and --n: the smallest equal powers of two that reach this prompt length."
    ]


class TableSizes(FuncCompSizes, total=False):
    """Those of both tasks, and of C7."""

    length: Annotated[int | None, "2-Sum: number of tokens (default 64)."]
    modulus: Annotated[int | None, "2-Sum: odd modulus M (default: the next odd number above n^2)."]
    block: Annotated[int | None, "C7: tokens in a block (default 4)."]
    opened: Annotated[int | None, "C7: blocks opened by all heads together (default 1)."]
    force: Annotated[bool | None, "Start even if the estimate says more than an hour, or more memory than is free."]


class Options(TableSizes, total=False):
    """Which construction: sizes of any task, variants, and p and P."""

    sizes: Annotated[str | None, "Sizes of another task, e.g. pairs=8,keys=16,values=4,queries=2 of MQAR."]
    word: Annotated[str | None, "Layers of a program, C2 or C5, e.g. RFF, FRF; RF, FR, F."]
    family: Annotated[str | None, "R layer of C2 or C5: linear (default) or delta."]
    bits: Annotated[int | None, "p, bits of an activation."]
    score_bits: Annotated[int | None, "P, bits of an attention weight (default p)."]


class BudgetOptions(TypedDict, total=False):
    """What a model may send, as `Budget.of` takes it: β and Λ, or heads, dim, bits and the state bits of an R layer.

    In Python also one `separation.bounds.Budget` in place of all of them.
    """

    budget: Any  # naming its class would load the bounds for every verb
    beta: Annotated[int | None, "beta: bits that one full layer brings to a token."]
    state_bits: Annotated[
        int | Sequence[int] | None,
        "Lambda: bits of all recurrent states together, or Lambda_0,Lambda_1,... of the blocks.",
        lambda_numbers,
    ]
    heads: Annotated[int | None, "H, heads of a full layer (instead of --beta)."]
    dim: Annotated[int | None, "d, value dimension of a head."]
    bits: Annotated[int | None, "p, bits of an activation."]
    score_bits: Annotated[int | None, "P, bits of an attention weight (default p)."]
    layer_state_bits: Annotated[int | None, "Bits of one R layer's state."]


Block = Annotated[int, "--sparse: tokens in a block."]
Opened = Annotated[int, "--sparse: blocks opened, over all heads."]
Blocks = Annotated[int, "--sparse: complete blocks before the query."]
Name = Annotated[
    "str | Construction | None",
    Argument(
        metavar="NAME",
        help="A construction (C1 to C9, C1.squares), a word over F and R, a program of the gallery, or FILE.py:program,"
        " whose code is run.",
    ),
]
File = str | Path | None
ModelFile = Annotated[File, "A model file (JSON or .safetensors) instead of NAME."]
Certificate = Annotated[File, "Write the certificate here."]
Seed = Annotated[int, Option("Seed for everything random.", min=0)]
Effort = Annotated[str, "How long to search: quick (within a second) or thorough."]
Theorem = Annotated[str | None, "Ask one theorem alone, e.g. A; docs/bounds.md says when each of them wins."]
ProvedOnly = Annotated[bool, "Leave out theorems that are not proved in Coq (docs/bounds.md)."]
Workers = Annotated[int | None, Option("Processes that share the work (default: one per processor).", min=1)]
Dask = Annotated[
    str | None,
    Option(metavar="ADDRESS", help="Instead of --workers: address of a Dask scheduler, whose cluster shares the work."),
]
Json = Annotated[bool, Option("Print one JSON document and nothing else.", ("--json",))]
Quiet = Annotated[bool, Option("Print no table and no progress; the exit status tells.", ("--quiet", "-q"))]


EFFORTS = ("quick", "thorough")
