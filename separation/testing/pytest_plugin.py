"""A fixture for pytest, found by its entry point: ``assert_solves``. Nothing else of pytest is touched.

def test_my_model(assert_solves):
    assert_solves(my_solver, "funccomp", seconds=5)
"""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def assert_solves() -> Any:
    """`separation.testing.assert_solves`: fails the test with the smallest failing input."""
    from separation.testing import assert_solves as helper

    def assert_solves(*given: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        return helper(*given, **options)

    return assert_solves
