"""Which stock models constructions are exported to; a module is loaded when its target is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from separation.files import InputError
from separation.tasks.checks import shown

TARGETS: dict[str, str] = {
    name: f"separation.numeric.stock.{name}" for name in ("gpt2", "llama", "olmo_hybrid", "qwen3_next")
}
"""The module of a target: `build(sizes)` gives its checkpoint; where it has them, `certify(checkpoint, dtype)` gives a
bound on its error, `certified_tokens(L, dtype)` the longest prompt that has one, and `ideal_logits(sizes, answers)` the
logits without error."""
CONSTRUCTIONS: dict[str, tuple[str, ...]] = {
    "gpt2": ("C1",),
    "llama": ("C1",),
    "olmo_hybrid": ("C2",),
    "qwen3_next": ("C2",),
}
"""The constructions that a target takes."""
PACKAGES = ("torch", "transformers", "tokenizers")


def target_module(target: str, construction: str) -> Any:
    """The module of a target, when it takes the construction."""
    if target not in TARGETS:
        raise InputError(f"--to is {shown(target)}; known are {', '.join(TARGETS)}")
    taken = CONSTRUCTIONS[target]
    if construction.upper() not in taken:
        others = [f"--to {other} takes {', '.join(names)}" for other, names in CONSTRUCTIONS.items() if other != target]
        known = "; ".join([f"--to {target} takes {', '.join(taken)}, not {construction[:20]}", *others])
        raise InputError(known)
    return import_module(TARGETS[target])


def require_packages() -> None:
    """Refuse, before any work is done, what needs packages that are not there or that cannot be loaded."""
    missing = [package for package in PACKAGES if not _loads(package)]
    if missing:
        raise InputError(f"export needs {', '.join(missing)}: pip install -e '.[stock]'")


def _loads(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:
        return False
    return True
