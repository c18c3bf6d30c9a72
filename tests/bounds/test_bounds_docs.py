"""The families of docs/bounds.md are those that configs are read of."""

from __future__ import annotations

import re
from pathlib import Path

from separation.bounds.families import FAMILIES

TEXT = (Path(__file__).parent.parent.parent / "docs" / "bounds.md").read_text()


def test_every_family_is_named() -> None:
    assert set(re.findall(r"`([a-z0-9_]+)`", TEXT)) >= set(FAMILIES) - {
        *("gemma", "olmo", "olmo2", "phi3", "mixtral", "qwen3", "qwen3_moe", "minimax_text_01")
    }
