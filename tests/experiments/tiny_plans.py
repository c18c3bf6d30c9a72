"""Plans of a few steps, written where a test wants them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RECIPE = {"tables": 4, "queries": 4, "interval": 5}
GROUP = {
    "words": ["RF", "R"],
    "m": 4,
    "seeds": [0, 1],
    "steps": 10,
    "settings": {"bits": 2, "width": 16, "head": 4, "inner": 16},
}


def toml(value: Any) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {toml(each)}' for name, each in value.items())} }}"
    return json.dumps(value)


def tiny_plan(folder: Path, *groups: dict[str, Any], **recipe: Any) -> Path:
    """One group for each that is given, as it changes GROUP; GROUP itself if none is; ``recipe`` changes RECIPE."""
    parts = [("[recipe]", RECIPE | recipe), *(("[[full]]", GROUP | group) for group in groups or ({},))]
    lines = [line for head, fields in parts for line in (head, *(f"{k} = {toml(v)}" for k, v in fields.items()))]
    path = folder / "plan.toml"
    path.write_text("\n".join(['title = "tiny"', *lines]))
    return path
