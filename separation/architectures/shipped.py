"""The configurations that ship with the package: real hybrids and plain decoders, each with its source.

`data/manifest.json` says for every file where its numbers were documented, which fields are documented there, and why
the others have the values they have. A file has every field that matters, so that it needs no transformers where
`separation.bounds.written` knows its family.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.files import InputError, read_json

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class ShippedConfig:
    """One config.json of a real model.

    ``kind`` is "hybrid" or "decoder"; ``context`` the tokens that its makers allow, or None. ``documented`` are the
    fields that the ``source`` states; ``assumed`` says for each of the others why it has its value. ``note``: where the
    defaults of the class, or anything else, differ from the model.
    """

    path: Path
    name: str
    kind: str
    context: int | None
    source: str
    note: str
    documented: tuple[str, ...]
    assumed: Mapping[str, str]

    def document(self) -> dict[str, Any]:
        """The parsed config.json."""
        return dict(read_json(self.path))


def shipped_configs(folder: Path = FOLDER) -> tuple[ShippedConfig, ...]:
    """All of them, in the order of the manifest."""
    entries = read_json(folder / "manifest.json")["models"]
    return tuple(
        ShippedConfig(
            folder / entry["file"],
            entry["name"],
            entry["kind"],
            entry["context"],
            entry["source"],
            entry["note"],
            tuple(entry["documented"]),
            entry["assumed"],
        )
        for entry in entries
    )


def shipped_config(name: str) -> ShippedConfig:
    """The one with this name (Jamba-v0.1) or file stem (jamba_v0_1)."""
    found = [config for config in shipped_configs() if name in (config.name, config.path.stem)]
    if not found:
        known = ", ".join(config.path.stem for config in shipped_configs())
        raise InputError(f"no shipped config is called {name!r}; there are {known}")
    return found[0]
