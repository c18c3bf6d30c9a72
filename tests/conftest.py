"""Helper modules of one folder of tests can be imported from all others: their names are unique."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parent

sys.path.extend(sorted({str(path.parent) for path in TESTS.rglob("*.py")} - set(sys.path)))
