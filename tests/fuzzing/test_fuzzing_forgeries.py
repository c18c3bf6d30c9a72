"""Forged certificates of every kind: what the kernel accepts is true by a judge that shares no code with it."""

from __future__ import annotations

from collections import Counter

import pytest
from campaign import find, total
from comparison import Violation
from forgeries import forgery

from separation.proving import kernel_bounds

SAMPLE = 360


def test_what_is_accepted_is_true() -> None:
    counts: Counter[str] = Counter()
    for seed in range(SAMPLE):
        counts += forgery(seed)
    print(total(counts))
    for kind in ("bound", "decision", "ceiling", "pair"):
        assert counts[f"{kind} accepted"] > 0
        assert counts[f"{kind} rejected"] > 0


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("check_sparse", lambda *_: ("accepted", ())),
        ("far_apart", lambda *_: True),
        ("recursion_room", lambda *_: kernel_bounds.Interval(1)),
        ("depth_of", lambda layers: (sum("F" in layer for layer in layers), len(layers))),
    ],
)
def test_a_broken_kernel_is_found(what: str, instead: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_bounds, what, instead)
    with pytest.raises(Violation, match="the kernel accepts"):
        find(forgery, range(8 * SAMPLE))
