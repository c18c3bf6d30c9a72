"""The same weights in floating point: torch runs in any type on any device, with error bounds that are proved.

torch is an extra (`pip install 'separation[torch]'`) and is imported only when something runs.
"""

from separation.numeric.arithmetic import DTYPES as DTYPES
from separation.numeric.arithmetic import PATHS as PATHS
from separation.numeric.arithmetic import arithmetic_of as arithmetic_of
from separation.numeric.crosscheck import CrossCheck as CrossCheck
from separation.numeric.crosscheck import crosscheck as crosscheck
from separation.numeric.devices import chosen_device as chosen_device
from separation.numeric.float_proof import prove_floats as prove_floats
from separation.numeric.reference import refined as refined
