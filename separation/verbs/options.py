"""Options that several verbs share: which sizes, which precision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from constructions import build
from separation.files import InputError
from separation.proving import Construction, load_construction
from separation.tasks.funccomp import Sizes

DEFAULT_L = 3
DEFAULT_SIZE = 4
MAX_L = 128
MAX_BITS = 4096


def chosen_sizes(
    L: int | None = None, m: int | None = None, n: Sequence[int] | None = None, tokens: int | None = None
) -> Sizes:
    """The sizes asked for: L, m and n; or L and a least number of tokens; or m = n_1 = … = 4."""
    if tokens is not None and (m is not None or n is not None):
        raise InputError("give either --tokens or --m and --n, not both")
    if L is None:
        L = DEFAULT_L if n is None else len(n) + 1
    if L > MAX_L:
        raise InputError(f"L is {L}; at most {MAX_L} is accepted")
    if tokens is not None:
        return Sizes.for_tokens(L, tokens)
    if m is None and n is None:
        return Sizes.from_lists(L, DEFAULT_SIZE, [DEFAULT_SIZE] * max(L - 1, 0))
    return Sizes.from_lists(L, DEFAULT_SIZE if m is None else m, list(n or ()))


def precision_options(bits: int | None, score_bits: int | None) -> dict[str, Any]:
    """p and P for a construction's builder, within reason."""
    for name, value, least in (("bits", bits, 1), ("score-bits", score_bits, 0)):
        if value is not None and not least <= value <= MAX_BITS:
            raise InputError(f"{name} is {value}; allowed are {least}..{MAX_BITS}")
    return {"bits": bits, "score_bits": score_bits}


def chosen_construction(
    name: str | None,
    model: str | Path | None,
    sizes: Sizes | None,
    size_options: dict[str, Any],
    bits: int | None,
    score_bits: int | None,
) -> Construction:
    """A construction by name at the sizes asked for (or given), or the one in a model file, which brings its own."""
    if (name is None) == (model is None):
        raise InputError("give either the name of a construction or --model FILE")
    if model is None:
        return build(str(name), sizes or chosen_sizes(**size_options), **precision_options(bits, score_bits))
    if any(option is not None for option in (*size_options.values(), bits, score_bits)):
        raise InputError("a model file brings its own sizes and precision: leave out --L, --m, --n, --tokens, --bits")
    return load_construction(model)
