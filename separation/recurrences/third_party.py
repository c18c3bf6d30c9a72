"""Is a recurrence the same function as somebody else's implementation, within a computed bound."""

from __future__ import annotations

import importlib.metadata
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from separation.recurrences.checks import MARGIN, Outcome, recurrence_error, within
from separation.recurrences.inputs import floats
from separation.recurrences.recurrence import Recurrence, Sizes
from separation.recurrences.references import REFERENCES, Reference

TOKENS, SIZES = 64, {"d_k": 16, "d_v": 16, "d": 16, "w": 12, "n_h": 2}
FACTOR = 2
"""Others associate the same sums and products in another order: two roundings where there is one here."""


def check_third_party(family: Recurrence, tokens: int = TOKENS, sizes: Sizes = SIZES, seed: int = 0) -> Outcome:
    """|ours − theirs| ≤ our error bound in float64 + theirs in their own precision, in every entry."""
    reference = REFERENCES[family.id]
    missing = missing_package(reference)
    if missing is not None:
        return Outcome(None, f"{missing} not installed")
    xs = reference.prepare(floats(family, tokens, sizes, seed, bits=reference.bits))
    ours = family.run(xs)
    with quietly():
        try:
            function = reference.load()
        except (ImportError, AttributeError) as error:
            return Outcome(None, f"{reference.package} {version(reference)} does not have it: {error}")
        theirs = reference.outputs(function, xs)
    bound = recurrence_error(family, xs) + MARGIN * reference.extra(xs, ours)
    bound += recurrence_error(family, xs, FACTOR * reference.unit, reference.gate_roundings / FACTOR)
    scope = f"float{reference.bits}, T = {tokens}, d_k = {sizes['d_k']}, d_v = {sizes['d_v']}, seed {seed}"
    return within(ours - theirs, bound, scope)


def missing_package(reference: Reference) -> str | None:
    """The first distribution that the reference needs and that is not here."""
    needed = {"torch": ("torch",), "transformers": ("torch", "transformers")}
    for name in needed.get(reference.package, ("torch", "einops", reference.package)):
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return name
    return None


def version(reference: Reference) -> str:
    return importlib.metadata.version(reference.package)


@contextmanager
def quietly() -> Iterator[None]:
    """Others warn when they are imported on a machine without a graphics card; what they compute is checked."""
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
        try:
            yield
        finally:
            logging.disable(before)
