"""Neighbours that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def cut_into_runs(items: Iterable[Item], goes_on: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """The items in order, cut wherever the run so far does not go on with the next one."""
    found: list[list[Item]] = []
    for item in items:
        if found and goes_on(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found
