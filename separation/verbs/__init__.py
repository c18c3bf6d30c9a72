"""The verbs, one module each; every verb returns a report with `ok` and `document()`, the JSON of the command line."""

from separation.verbs.bound import BoundReport, bound
from separation.verbs.check import CheckReport, check
from separation.verbs.constructions import ConstructionsReport, constructions_table
from separation.verbs.decide import DecideReport, decide
from separation.verbs.exponents import ExponentsReport, exponents_table
from separation.verbs.export import ExportReport, export
from separation.verbs.fool import FoolReport, fool
from separation.verbs.fool_sparse import fool_sparse
from separation.verbs.proofs import ProofsReport, proofs
from separation.verbs.prove import ProveReport, prove
from separation.verbs.recurrences import RecurrencesReport, recurrences_table
from separation.verbs.show import ShowReport, show
from separation.verbs.simulate import SimulateReport, simulate
from separation.verbs.simulate_stock import StockReport, simulate_stock
from separation.verbs.solve import SolveReport, solve
from separation.verbs.sparse import SparseReport, bound_sparse
from separation.verbs.verify import VerifyReport, verify

__all__ = [
    "BoundReport",
    "CheckReport",
    "ConstructionsReport",
    "DecideReport",
    "ExponentsReport",
    "ExportReport",
    "FoolReport",
    "ProofsReport",
    "ProveReport",
    "RecurrencesReport",
    "ShowReport",
    "SimulateReport",
    "SolveReport",
    "SparseReport",
    "StockReport",
    "VerifyReport",
    "bound",
    "bound_sparse",
    "check",
    "constructions_table",
    "decide",
    "exponents_table",
    "export",
    "fool",
    "fool_sparse",
    "proofs",
    "prove",
    "recurrences_table",
    "show",
    "simulate",
    "simulate_stock",
    "solve",
    "verify",
]
