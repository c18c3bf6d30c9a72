"""Every linear attention is a recurrence: the families, their parallel forms, and the checks that the two are one."""

from separation.recurrences.algebra import causal
from separation.recurrences.checks import (
    EXACT_SIZES,
    Outcome,
    check_chunked,
    check_exact,
    check_float,
    check_symbolic,
    chunked_error,
    parallel_error,
    recurrence_error,
)
from separation.recurrences.families import FAMILIES, TWINS
from separation.recurrences.inputs import floats, fractions, symbols
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token
from separation.recurrences.references import REFERENCES, Reference
from separation.recurrences.third_party import check_third_party, missing_package
from separation.recurrences.tracked import Tracked

__all__ = [
    "EXACT_SIZES",
    "FAMILIES",
    "REFERENCES",
    "TWINS",
    "Input",
    "Inputs",
    "Outcome",
    "Recurrence",
    "Reference",
    "State",
    "Token",
    "Tracked",
    "causal",
    "check_chunked",
    "check_exact",
    "check_float",
    "check_symbolic",
    "check_third_party",
    "chunked_error",
    "floats",
    "fractions",
    "missing_package",
    "parallel_error",
    "recurrence_error",
    "symbols",
]
