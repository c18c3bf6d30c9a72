"""The names that the room exports are there."""

from __future__ import annotations

import separation.proving


def test_every_exported_name_is_there() -> None:
    assert len(separation.proving.__all__) == 12
    for name in separation.proving.__all__:
        assert hasattr(separation.proving, name), name
