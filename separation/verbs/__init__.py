"""The verbs, one module each; every verb returns a report with `ok` and `document()`, the JSON of the command line."""

from separation.verbs.bound import BoundReport, bound
from separation.verbs.check import CheckReport, check
from separation.verbs.constructions import ConstructionsReport, constructions_table
from separation.verbs.decide import DecideReport, decide
from separation.verbs.export import ExportReport, export
from separation.verbs.prove import ProveReport, prove
from separation.verbs.recurrences import RecurrencesReport, recurrences_table
from separation.verbs.show import ShowReport, show
from separation.verbs.solve import SolveReport, solve
from separation.verbs.verify import VerifyReport, verify

__all__ = [
    "BoundReport",
    "CheckReport",
    "ConstructionsReport",
    "DecideReport",
    "ExportReport",
    "ProveReport",
    "RecurrencesReport",
    "ShowReport",
    "SolveReport",
    "VerifyReport",
    "bound",
    "check",
    "constructions_table",
    "decide",
    "export",
    "prove",
    "recurrences_table",
    "show",
    "solve",
    "verify",
]
