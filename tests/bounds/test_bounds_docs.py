"""The families of docs/bounds.md are those that configs are read of."""

from __future__ import annotations

import re
from pathlib import Path

from separation.architectures.file_reader import FAMILIES
from separation.architectures.resolved import NOT_READ, READ, WRAPPERS

TEXT = (Path(__file__).parent.parent.parent / "docs" / "bounds.md").read_text()


def test_every_family_is_named() -> None:
    assert set(re.findall(r"`([a-z0-9_]+)`", TEXT)) >= {*READ, *WRAPPERS, *NOT_READ, *FAMILIES}
