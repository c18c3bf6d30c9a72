"""The corpus as it stands on disk, and what the kernel, or a twin of it, says of it."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

from separation.proving import kernel, kernel_bounds

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "corpus"
MANIFEST: list[dict[str, Any]] = json.loads((CORPUS / "manifest.json").read_text())
OF_PROGRAMS = ("kernel_forms", "kernel_program", "kernel_programs")
SECOND_FILE = "# --- kernel_bounds.py ---\n"
KERNEL = SECOND_FILE.join(Path(str(file.__file__)).read_text() for file in (kernel, kernel_bounds))


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
    made = {name: types.ModuleType(name) for name in ("kernel_twin", "kernel_twin_bounds")}
    sys.modules.update(made)
    source = source.replace("from separation.proving import kernel_bounds as", "import kernel_twin_bounds as")
    for name in OF_PROGRAMS:  # those as they are, but with the first file as it is here
        made[f"kernel_twin_{name}"] = types.ModuleType(f"kernel_twin_{name}")
        sys.modules[f"kernel_twin_{name}"] = made[f"kernel_twin_{name}"]
    texts = [
        *source.split(SECOND_FILE),
        *(Path(str(kernel.__file__)).with_name(f"{name}.py").read_text() for name in OF_PROGRAMS),
    ]
    for (name, twin), text in zip(made.items(), texts, strict=True):
        text = text.replace("from separation.proving.kernel import", "from kernel_twin import")
        for part in OF_PROGRAMS:
            text = text.replace(f"from separation.proving.{part} import", f"from kernel_twin_{part} import")
            text = text.replace(f"from separation.proving import {part} as", f"import kernel_twin_{part} as")
        exec(compile(text, name, "exec"), twin.__dict__)
    return made["kernel_twin"]
