"""The names that the room exports are there, and there is no other list of them."""

from __future__ import annotations

import separation.bounds


def test_every_exported_name_is_there() -> None:
    for name in separation.bounds.__all__:
        assert hasattr(separation.bounds, name), name
    assert len(set(separation.bounds.__all__)) == len(separation.bounds.__all__)
