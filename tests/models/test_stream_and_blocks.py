from __future__ import annotations

import pytest

from separation.files import InputError
from separation.models import Blocks, Stream

STREAM = Stream([("one", 1), ("tag", 2), ("empty", 0), ("pointer", 3)])
KEYS = Stream([("address", 2), ("kind", 1)])


@pytest.mark.parametrize("coordinate", [-1, 6])
def test_coordinates_outside(coordinate: int) -> None:
    with pytest.raises(IndexError, match=f"coordinate {coordinate} of 6"):
        STREAM.name(coordinate)


def test_unknown_and_repeated_names() -> None:
    with pytest.raises(InputError, match=r"no slot is called 'poinetr'; did you mean pointer\?"):
        STREAM["poinetr"]
    with pytest.raises(InputError, match="no slot is called 'xyz'; there are one, tag, empty, pointer"):
        STREAM["xyz"]
    with pytest.raises(ValueError, match="slot tag is named twice"):
        Stream([("tag", 1), ("one", 1), ("tag", 2)])


def test_a_copy_is_never_cut_off_in_silence() -> None:
    with pytest.raises(InputError, match="address has 2 coordinates, pointer has 3: copy_low"):
        Blocks(KEYS, STREAM).copy("address", "pointer")
    with pytest.raises(InputError, match=r"the order is \(to, origin\), as in copy\('address', 'tag'\)"):
        Blocks(KEYS, STREAM).copy("tag", "address")
    with pytest.raises(InputError, match="pointer has 2 coordinates from coordinate 1 on, got 3 numbers"):
        Blocks(STREAM, STREAM).constants("pointer", [1, 1, 1], start=1)


def test_an_entry_written_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"entry \(address\[1\], pointer\[1\]\) is written twice"):
        Blocks(KEYS, STREAM).copy_low("address", "pointer").put(1, 4, 1)
    with pytest.raises(ValueError, match=r"entry \(kind, one\) is written twice"):
        Blocks(KEYS, STREAM).constants("kind", [1]).constants("kind", [1])
    for first, second in ((0, 1), (1, 0), (0, 0)):
        with pytest.raises(ValueError, match="written twice"):
            Blocks(KEYS, STREAM).put(0, 0, first).put(0, 0, second)
