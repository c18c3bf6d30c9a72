"""The same weights in floating point: torch runs in any type on any device, with error bounds that are proved.

torch is an extra (`pip install 'separation[torch]'`) and is imported only when something runs.
"""

from separation.numeric.arithmetic import DTYPES, PATHS, Arithmetic, arithmetic_of
from separation.numeric.crosscheck import CrossCheck, crosscheck
from separation.numeric.devices import chosen_device
from separation.numeric.float_proof import prove_floats
from separation.numeric.reference import refined

__all__ = [
    "DTYPES",
    "PATHS",
    "Arithmetic",
    "CrossCheck",
    "arithmetic_of",
    "chosen_device",
    "crosscheck",
    "prove_floats",
    "refined",
]
