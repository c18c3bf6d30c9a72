"""The corpus as it stands on disk, and what the kernel, or a twin of it, says of it."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

from separation.proving import kernel

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "corpus"
MANIFEST: list[dict[str, Any]] = json.loads((CORPUS / "manifest.json").read_text())
FILES = ("kernel", "kernel_bounds", "kernel_runs", "kernel_tasks", "kernel_forms", "kernel_programs")
SLOW = {"construction/declined-stored-rows.json", "ceiling/declined-named.json"}
"""Declined after much work, as is another, of a bound; with -m slow these too."""
NEXT_FILE = "# --- the next file ---\n"
KERNEL = NEXT_FILE.join(Path(str(kernel.__file__)).with_name(f"{name}.py").read_text() for name in FILES)


def text(entry: dict[str, Any]) -> bytes:
    return (CORPUS / str(entry["file"])).read_bytes()


def said(kernel: Any, entry: dict[str, Any]) -> str:
    """accept, reject, or "no verdict" for what is malformed or declined; any other exception has its own name."""
    try:
        return "accept" if kernel.check_text(text(entry)).ok else "reject"
    except kernel.Malformed:
        return "no verdict"
    except Exception as error:
        return type(error).__name__


def expected(entry: dict[str, Any]) -> str:
    return str(entry["expect"]) if entry["expect"] in ("accept", "reject") else "no verdict"


def twin(*replaced: tuple[str, str]) -> str:
    """The kernel's text with other lines; each must be there once."""
    source = KERNEL
    for old, new in replaced:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


def module(source: str) -> Any:
    """The files as modules: each is found under the name that the others ask for."""
    made = {name: types.ModuleType(f"twin_of_{name}") for name in FILES}
    folder = types.ModuleType("twin_of")
    vars(folder).update(made)
    sys.modules.update({"twin_of": folder} | {f"twin_of.{name}": twin for name, twin in made.items()})
    for (name, twin), text in zip(made.items(), source.split(NEXT_FILE), strict=True):
        exec(compile(text.replace("separation.proving", "twin_of"), name, "exec"), twin.__dict__)
    return made["kernel"]
