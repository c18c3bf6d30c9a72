"""Packages that only some commands need: what is missing is said in one line, before any work is done.

One that is there and fails to load is named at the end of every command (`separation.verbs.command_line`).
"""

from __future__ import annotations

from importlib.util import find_spec

from separation.files import InputError


def is_installed(*packages: str) -> bool:
    """Whether all of them can be imported; none is, by asking."""
    try:
        return all(find_spec(package) is not None for package in packages)
    except ValueError:  # a module that was put aside has no spec
        return False


def require_packages(needs: str, extra: str, *packages: str) -> None:
    """Refuse, in the words ``needs`` and with the extra that has them, what needs packages that are not there."""
    missing = [package for package in packages if not is_installed(package)]
    if missing:
        raise InputError(f"{needs} {', '.join(missing)}: pip install 'separation[{extra}]'")
