"""The names that the room exports are there, and whoever wants the kernel gets it alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

import separation.proving


def test_every_exported_name_is_there() -> None:
    names = separation.proving.__all__
    assert len(set(names)) == len(names)
    assert {"Construction", "prove", "certified_proof", "refute"} <= set(names) == set(separation.proving._HOMES)
    for name in names:
        assert hasattr(separation.proving, name), name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        separation.proving.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("program", "others"), [("import separation.proving.kernel", False), ("from separation.proving import prove", True)]
)
def test_the_kernel_is_imported_alone(program: str, others: bool) -> None:
    program += "\nimport sys; print(*(name for name in sys.modules if name.startswith('separation.')))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert (set(found) != {"separation.proving", "separation.proving.kernel"}) == others
