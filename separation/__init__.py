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
    from separation.verbs.bound import bound
    from separation.verbs.certified import largest_certified
    from separation.verbs.check import check
    from separation.verbs.constructions import constructions_table
    from separation.verbs.crosscheck import crosscheck
    from separation.verbs.decide import decide
    from separation.verbs.exponents import exponents_table
    from separation.verbs.export import export
    from separation.verbs.fool import fool
    from separation.verbs.fool_phase import fool_phase
    from separation.verbs.fool_sparse import fool_sparse
    from separation.verbs.proofs import proofs
    from separation.verbs.prove import prove
    from separation.verbs.recurrences import recurrences_table
    from separation.verbs.show import show
    from separation.verbs.simulate import simulate
    from separation.verbs.simulate_stock import simulate_stock
    from separation.verbs.solve import solve
    from separation.verbs.sparse import bound_sparse
    from separation.verbs.verify import verify
    from separation.version import VERSION as __version__

_HOMES = {
    "Construction": "separation.proving",
    "InputError": "separation.files",
    "Instance": "separation.tasks.funccomp",
    "Proof": "separation.proving",
    "Sizes": "separation.tasks.funccomp",
    "TwoSumSizes": "separation.tasks.two_sum",
    "bound": "separation.verbs.bound",
    "bound_sparse": "separation.verbs.sparse",
    "build": "constructions",
    "check": "separation.verbs.check",
    "constructions_table": "separation.verbs.constructions",
    "decide": "separation.verbs.decide",
    "fool": "separation.verbs.fool",
    "fool_phase": "separation.verbs.fool_phase",
    "fool_sparse": "separation.verbs.fool_sparse",
    "export": "separation.verbs.export",
    "exponents_table": "separation.verbs.exponents",
    "crosscheck": "separation.verbs.crosscheck",
    "largest_certified": "separation.verbs.certified",
    "load_construction": "separation.proving",
    "proofs": "separation.verbs.proofs",
    "prove": "separation.verbs.prove",
    "recurrences_table": "separation.verbs.recurrences",
    "show": "separation.verbs.show",
    "simulate": "separation.verbs.simulate",
    "simulate_stock": "separation.verbs.simulate_stock",
    "solve": "separation.verbs.solve",
    "verify": "separation.verbs.verify",
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
    "bound_sparse",
    "build",
    "check",
    "constructions_table",
    "crosscheck",
    "decide",
    "exponents_table",
    "export",
    "fool",
    "fool_phase",
    "fool_sparse",
    "largest_certified",
    "load_construction",
    "proofs",
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
