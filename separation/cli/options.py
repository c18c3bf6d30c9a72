"""Options that several verbs share, each defined once; a verb gets those it takes as one dict."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from separation.files import InputError
from separation.verbs.options import flags, flags_given

OPTIONS: dict[str, tuple[type, str]] = {
    "L": (int, "Number of tables, L >= 1 (default 3)."),
    "m": (int, "Size of table 1, m >= 2 (default 4)."),
    "n": (str, "n_1,...,n_{L-1}, e.g. 8,8."),
    "tokens": (int, "Instead of --m and --n: the smallest equal powers of two that reach this prompt length."),
    "length": (int, "2-Sum: number of tokens (default 64)."),
    "modulus": (int, "2-Sum: odd modulus M (default: the next odd number above n^2)."),
    "sizes": (str, "Sizes of another task, e.g. pairs=8,keys=16,values=4,queries=2 of MQAR."),
    "word": (str, "Variant of C2 or C5, e.g. RFF, FRF; RF, FR, F."),
    "family": (str, "R layer of C2 or C5: linear (default) or delta."),
    "block": (int, "C7: tokens in a block (default 4)."),
    "opened": (int, "C7: blocks opened by all heads together (default 1)."),
    "bits": (int, "p, bits of an activation."),
    "score_bits": (int, "P, bits of an attention weight (default p)."),
    "beta": (int, "beta: bits that one full layer brings to a token."),
    "linear": (str, "Lambda: bits of all recurrent states together, or Lambda_0,Lambda_1,... of the blocks."),
    "heads": (int, "H, heads of a full layer (instead of --beta)."),
    "dim": (int, "d, value dimension of a head."),
    "linear_layers": (int, "Number of R layers, all charged to every Lambda_t."),
    "state_bits": (int, "Bits of one R layer's state."),
    "full_layers": (int, "Full layers: L-1 (default), L (Theorem B), 0."),
    "blocks": (int, "Complete blocks before the query."),
    "summary_bits": (int, "Bits of a block's summary."),
    "thoughts": (int, "Tokens of a chain of thought before the answer."),
    "force": (bool, "Start even if the estimate says more than an hour, or more memory than is free."),
    "workers": (int, "Processes that share the work (default: one per processor)."),
    "dask": (str, "Instead of --workers: address of a Dask scheduler, whose cluster shares the work."),
}
SIZES = "L m n tokens length modulus sizes word family block opened force"

Gathered = dict[str, Any]
"""Options by name, None where nothing was given."""

Name = Annotated[
    str | None, typer.Argument(metavar="NAME", help="A construction (C1 to C7, MQAR) or a word over F and R.")
]
ModelFile = Annotated[Path | None, typer.Option("--model", help="A model file (JSON or .safetensors) instead of NAME.")]
InstanceFile = Annotated[Path | None, typer.Option("--instance", help="An instance as JSON.")]
Certificate = Annotated[Path | None, typer.Option("--out", help="Write the certificate here.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed for everything random.", min=0)]
Effort = Annotated[str, typer.Option("--effort", help="How long to search: quick (within a second) or thorough.")]
ProvedOnly = Annotated[
    bool, typer.Option("--proved-only", help="Leave out theorems that are not proved in Coq (docs/bounds.md).")
]
Workers = Annotated[int | None, typer.Option("--workers", help=OPTIONS["workers"][1], min=1)]
Dask = Annotated[str | None, typer.Option("--dask", metavar="ADDRESS", help=OPTIONS["dask"][1])]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]

Verb = Callable[..., None]


def gathers(parameter: str, names: str, **helps: str) -> Callable[[Verb], Verb]:
    """Put the options ``names`` where the verb has one ``parameter``: it gets them as one dict.

    ``helps``: for this verb, another help text than that of OPTIONS.
    """
    gathered = names.split()

    def decorate(verb: Verb) -> Verb:
        hints = get_type_hints(verb, include_extras=True)
        if parameter not in hints or not helps.keys() <= set(gathered):
            raise TypeError(f"{verb.__name__} has no parameter {parameter}, or a help text is for no option of it")
        parameters = []
        for own in inspect.signature(verb).parameters.values():
            if own.name == parameter:
                parameters += [_option(name, helps.get(name)) for name in gathered]
            else:
                parameters.append(own.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[own.name]))

        @wraps(verb)
        def with_options(**given: Any) -> None:
            options = {name: given.pop(name) for name in gathered}
            if "n" in options:
                options["n"] = numbers(options["n"], "--n")
            verb(**given, **{parameter: options})

        with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {each.name: each.annotation for each in parameters}
        return with_options

    return decorate


def _option(name: str, text: str | None) -> inspect.Parameter:
    kind, usual = OPTIONS[name]
    annotation = Annotated[kind | None, typer.Option(flags([name]), help=text or usual)]  # type: ignore[valid-type]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


# Every list, share and range that is typed is read here, so that each is refused in the same way, before any work.
_INTEGER = re.compile(r"-?\d{1,4000}", re.ASCII)


def numbers(text: str | None, option: str) -> list[int] | None:
    """'8,8' → [8, 8]; '' → []."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(_INTEGER.fullmatch(part) for part in parts):
        raise InputError(f"{option} is {text[:40]!r}; a list of integers like 8,8 is needed")
    return [int(part) for part in parts]


MOST_NUMBERS = 10_000


def ranges(text: str | None, option: str) -> list[int] | None:
    """'2..4,8' → [2, 3, 4, 8]."""
    if text is None:
        return None
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        ends = numbers(f"{first},{last}" if dots else first, option) or []
        if len(ends) != (2 if dots else 1) or ends[-1] - ends[0] not in range(MOST_NUMBERS):
            raise InputError(f"{option} is {text[:40]!r}; numbers like 8,64 or 2..4 are needed")
        found += range(ends[0], ends[-1] + 1)
    return found


def lambda_numbers(text: str | None) -> int | list[int] | None:
    """'8' → 8; '0,8' → [0, 8]."""
    found = numbers(text, "--lambda")
    if found is None or len(found) > 1:
        return found
    if not found:
        raise InputError("--lambda is empty; a number is needed, or one for each block, like 0,8")
    return found[0]


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


def refuse(what: str, options: Gathered) -> None:
    """Options that contradict another one are named, not ignored."""
    if given := flags_given(options):
        raise InputError(f"{what} does not go with {given}")
