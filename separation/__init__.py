"""Proves what attention can and cannot do: exact weights, proofs for all inputs at once, certificates.

The verbs of the command line are functions here; each returns a report with `ok` and `document()`:

    >>> import separation
    >>> report = separation.prove("C1", L=2, m=3, n=(2,))
    >>> report.ok, report.margin
    (True, Fraction(2, 1))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from constructions import build
    from separation.files import InputError
    from separation.proving import Construction, Proof, load_construction
    from separation.tasks.funccomp import Instance, Sizes
    from separation.tasks.two_sum import TwoSumSizes
    from separation.verbs import (
        bound,
        check,
        constructions_table,
        decide,
        fool,
        fool_sparse,
        prove,
        recurrences_table,
        show,
        simulate,
        simulate_stock,
        solve,
        verify,
    )
    from separation.version import VERSION as __version__

_HOMES = {
    "Construction": "separation.proving",
    "InputError": "separation.files",
    "Instance": "separation.tasks.funccomp",
    "Proof": "separation.proving",
    "Sizes": "separation.tasks.funccomp",
    "TwoSumSizes": "separation.tasks.two_sum",
    "bound": "separation.verbs",
    "build": "constructions",
    "check": "separation.verbs",
    "constructions_table": "separation.verbs",
    "decide": "separation.verbs",
    "fool": "separation.verbs",
    "fool_sparse": "separation.verbs",
    "load_construction": "separation.proving",
    "prove": "separation.verbs",
    "recurrences_table": "separation.verbs",
    "show": "separation.verbs",
    "simulate": "separation.verbs",
    "simulate_stock": "separation.verbs",
    "solve": "separation.verbs",
    "verify": "separation.verbs",
}

__all__ = [
    "Construction",
    "InputError",
    "Instance",
    "Proof",
    "Sizes",
    "TwoSumSizes",
    "__version__",
    "bound",
    "build",
    "check",
    "constructions_table",
    "decide",
    "fool",
    "fool_sparse",
    "load_construction",
    "prove",
    "recurrences_table",
    "show",
    "simulate",
    "simulate_stock",
    "solve",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Names are looked up on first use, so that `separation --help` imports none of them."""
    if name == "__version__":
        return import_module("separation.version").VERSION
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'separation' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
