"""The verbs, one module each; every verb returns a report with `ok` and `document()`, the JSON of the command line."""

from separation.verbs.bound import BoundReport, bound
from separation.verbs.check import CheckReport, check
from separation.verbs.constructions import ConstructionsReport, constructions_table
from separation.verbs.decide import DecideReport, decide
from separation.verbs.fool import FoolReport, fool
from separation.verbs.fool_sparse import fool_sparse
from separation.verbs.prove import ProveReport, prove
from separation.verbs.recurrences import RecurrencesReport, recurrences_table
from separation.verbs.show import ShowReport, show
from separation.verbs.simulate import SimulateReport, simulate
from separation.verbs.simulate_stock import StockReport, simulate_stock
from separation.verbs.solve import SolveReport, solve
from separation.verbs.verify import VerifyReport, verify

__all__ = [
    "BoundReport",
    "CheckReport",
    "ConstructionsReport",
    "DecideReport",
    "FoolReport",
    "ProveReport",
    "RecurrencesReport",
    "ShowReport",
    "SimulateReport",
    "SolveReport",
    "StockReport",
    "VerifyReport",
    "bound",
    "check",
    "constructions_table",
    "decide",
    "fool",
    "fool_sparse",
    "prove",
    "recurrences_table",
    "show",
    "simulate",
    "simulate_stock",
    "solve",
    "verify",
]
