"""The verbs, one module each; every verb returns a report with `ok` and `document()`, the JSON of the command line."""

from separation.verbs.bound import BoundReport, bound
from separation.verbs.certified import CertifiedReport, certified_table, largest_certified
from separation.verbs.check import CheckReport, check
from separation.verbs.constructions import ConstructionsReport, constructions_table
from separation.verbs.crosscheck import CrossCheckReport, crosscheck
from separation.verbs.decide import DecideReport, decide
from separation.verbs.prove import ProveReport, prove
from separation.verbs.recurrences import RecurrencesReport, recurrences_table
from separation.verbs.show import ShowReport, show
from separation.verbs.solve import SolveReport, solve
from separation.verbs.verify import VerifyReport, verify

__all__ = [
    "BoundReport",
    "CertifiedReport",
    "CheckReport",
    "ConstructionsReport",
    "CrossCheckReport",
    "DecideReport",
    "ProveReport",
    "RecurrencesReport",
    "ShowReport",
    "SolveReport",
    "VerifyReport",
    "bound",
    "certified_table",
    "check",
    "constructions_table",
    "crosscheck",
    "decide",
    "largest_certified",
    "prove",
    "recurrences_table",
    "show",
    "solve",
    "verify",
]
