"""Inputs of a recurrence in every number type: symbols, fractions, floats, floats with a bound on their error."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.recurrences.recurrence import Domain, Inputs, Recurrence, Sizes
from separation.recurrences.tracked import Tracked

Maker = Callable[[str, tuple[int, ...], Domain], Any]
LEAST_GATE_LOG = -0.3
"""Gates of floats are exp of something between this and 0: after 20 tokens between 1/400 and 1 is left."""


def make_inputs(family: Recurrence, tokens: int, sizes: Sizes, maker: Maker) -> Inputs:
    """``maker(name, shape, domain)`` is asked for each input."""
    sizes = {**family.extra_sizes, **sizes}
    arrays: dict[str, Any] = {}
    for name, kind in family.inputs.items():
        shape = tuple(sizes[letter] for letter in kind.shape)
        whole = shape if kind.constant else (tokens, *shape)
        arrays[name] = sizes["w"] if kind.domain == "window" else maker(name, whole, kind.domain)
    constants = frozenset(name for name, kind in family.inputs.items() if kind.constant)
    return Inputs(arrays, constants, sizes, tokens)


def symbols(family: Recurrence, tokens: int, sizes: Sizes) -> Inputs:
    """Every input number is an unknown of its own; polynomials and their quotients are kept in normal form."""

    def named(name: str, shape: tuple[int, ...], _domain: Domain) -> NDArray[Any]:
        array = np.empty(shape, dtype=object)
        for place in np.ndindex(*shape):
            array[place] = "_".join([name, *map(str, place)])
        return array

    inputs = make_inputs(family, tokens, sizes, named)
    arrays = {name: array for name, array in inputs.arrays.items() if isinstance(array, np.ndarray)}
    unknowns = _unknowns(family, [entry for array in arrays.values() for entry in array.flat])
    return inputs.replaced(**{name: _entries(unknowns.__getitem__, array) for name, array in arrays.items()})


def _entries(function: Callable[[Any], Any], array: Any) -> Any:
    """The function of each entry; of an array without axes, the one value."""
    return np.frompyfunc(function, 1, 1)(array)


def _unknowns(family: Recurrence, names: list[str]) -> Mapping[str, Any]:
    import sympy as sp
    from sympy.polys.fields import field
    from sympy.polys.rings import ring

    if family.numbers == "expression":
        return {name: sp.Symbol(name, real=True) for name in names}
    make = ring if family.numbers == "polynomial" else field
    _, *generators = make(names, sp.QQ)
    return dict(zip(names, generators, strict=True))


def fractions(family: Recurrence, tokens: int, sizes: Sizes, seed: int) -> Inputs:
    """Small random fractions; keys need no norm 1 for an identity to hold."""
    source = random.Random(seed)
    draws: dict[str, Callable[[], Fraction]] = {
        "unit": lambda: Fraction(source.randint(-4, 4), 4),
        "positive": lambda: Fraction(source.randint(1, 6), source.randint(1, 3)),
        "gate": lambda: Fraction(source.randint(5, 9), 10),
        "strength": lambda: Fraction(source.randint(1, 7), 8),
        "reflection": lambda: Fraction(source.randint(1, 7), 4),
    }

    def drawn(_name: str, shape: tuple[int, ...], domain: Domain) -> Any:
        draw = draws.get(domain, lambda: Fraction(source.randint(-5, 5), source.randint(1, 4)))
        return _entries(lambda _: draw(), np.empty(shape))

    return make_inputs(family, tokens, sizes, drawn)


def floats(family: Recurrence, tokens: int, sizes: Sizes, seed: int, bits: int = 64) -> Inputs:
    """Random float64 numbers; with ``bits`` = 32 they are float32 numbers, or, if gates, exp of float32 numbers."""
    source = np.random.default_rng(seed)
    kept: Any = np.float32 if bits == 32 else np.float64

    def drawn(_name: str, shape: tuple[int, ...], domain: Domain) -> Any:
        normal = source.standard_normal(shape)
        uniform = source.uniform(0.05, 0.95, shape)
        match domain:
            case "gate":
                return np.exp(np.float64((LEAST_GATE_LOG * uniform).astype(kept) if shape else kept(-0.1)))
            case "strength":
                chosen = uniform
            case "reflection":
                chosen = 2 * uniform
            case "positive":
                chosen = uniform + 0.25
            case "unit":
                chosen = 2 * uniform - 1
            case "key":
                chosen = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
            case "contraction":
                chosen = normal / np.linalg.norm(normal, 2)
            case _:
                chosen = normal
        return np.asarray(chosen).astype(kept).astype(np.float64)

    return make_inputs(family, tokens, sizes, drawn)


def tracked(family: Recurrence, xs: Inputs, unit: float, gate_roundings: float = 0.0) -> Inputs:
    """The same numbers for somebody with unit roundoff u, whose gates are off by some roundings."""
    return xs.replaced(
        **{
            name: Tracked.of(array, unit, gate_roundings if family.inputs[name].domain == "gate" else 0.0)
            for name, array in xs.arrays.items()
            if not isinstance(array, int)
        }
    )
