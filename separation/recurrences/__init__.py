"""Every linear attention is a recurrence: the families, their parallel forms, and the checks that the two are one."""

from separation.recurrences.algebra import causal as causal
from separation.recurrences.checks import EXACT_SIZES as EXACT_SIZES
from separation.recurrences.checks import Outcome as Outcome
from separation.recurrences.checks import check_chunked as check_chunked
from separation.recurrences.checks import check_exact as check_exact
from separation.recurrences.checks import check_float as check_float
from separation.recurrences.checks import check_symbolic as check_symbolic
from separation.recurrences.checks import chunked_error as chunked_error
from separation.recurrences.checks import parallel_error as parallel_error
from separation.recurrences.checks import recurrence_error as recurrence_error
from separation.recurrences.families import FAMILIES as FAMILIES
from separation.recurrences.families import TWINS as TWINS
from separation.recurrences.inputs import floats as floats
from separation.recurrences.inputs import fractions as fractions
from separation.recurrences.inputs import symbols as symbols
from separation.recurrences.recurrence import Input as Input
from separation.recurrences.recurrence import Inputs as Inputs
from separation.recurrences.recurrence import Recurrence as Recurrence
from separation.recurrences.recurrence import State as State
from separation.recurrences.recurrence import Token as Token
from separation.recurrences.references import REFERENCES as REFERENCES
from separation.recurrences.references import Reference as Reference
from separation.recurrences.third_party import check_third_party as check_third_party
from separation.recurrences.third_party import missing_package as missing_package
from separation.recurrences.tracked import Tracked as Tracked
