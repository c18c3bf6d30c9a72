"""The same weights in floating point: torch runs, with an error bound computed from the proof.

torch is an extra (`pip install -e '.[torch]'`) and is imported only here, when it is used.
"""

from separation.numeric.crosscheck import CrossCheck, crosscheck, torch_is_installed
from separation.numeric.support import Unsupported, supports

__all__ = ["CrossCheck", "Unsupported", "crosscheck", "supports", "torch_is_installed"]
