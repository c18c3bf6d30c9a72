"""The verbs, one module each; every verb returns a report with `ok` and `document()`, the JSON of the command line."""

from separation.verbs.check import CheckReport, check
from separation.verbs.constructions import ConstructionsReport, constructions_table
from separation.verbs.prove import ProveReport, prove
from separation.verbs.show import ShowReport, show
from separation.verbs.solve import SolveReport, solve
from separation.verbs.verify import VerifyReport, verify

__all__ = [
    "CheckReport",
    "ConstructionsReport",
    "ProveReport",
    "ShowReport",
    "SolveReport",
    "VerifyReport",
    "check",
    "constructions_table",
    "prove",
    "show",
    "solve",
    "verify",
]
