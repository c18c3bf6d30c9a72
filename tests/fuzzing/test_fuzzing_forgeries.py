"""Forged certificates of every kind: what the kernel accepts is true by a judge that shares no code with it."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from campaign import find, total
from claim_truth import sparse_holds
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


def test_theorem_d_by_brute_force() -> None:
    """Is some x ambiguous in too many blocks, whatever the summaries? As the judge says, at tiny sizes."""
    found = []
    for u, block, opened, blocks, bits in [(2, 1, 0, 1, 0), (2, 1, 0, 1, 1), (2, 2, 0, 1, 1), (2, 1, 1, 2, 0)]:
        claim = {"modulus": u + 1, "block": block, "open": opened, "blocks": blocks, "summary_bits": bits}
        found.append(sparse_holds(claim))
        assert found[-1] == always_ambiguous(u, block, opened, blocks, bits)
    assert set(found) == {False, True}


def always_ambiguous(u: int, B: int, k: int, g: int, r: int) -> bool:
    """Whatever the g maps from blocks to r bits, some x is ambiguous in more than k blocks."""
    blocks = list(itertools.product(range(1, u + 1), repeat=B))
    ambiguous = set()
    for summary in itertools.product(range(2**r), repeat=len(blocks)):
        told = list(zip(summary, blocks, strict=True))
        within, without = (
            {(x, s) for s, block in told for x in range(1, u + 1) if (x in block) == side} for side in (1, 0)
        )
        ambiguous.add(frozenset(x for x, _ in within & without))
    return not any(
        all(sum(x in found for found in chosen) <= k for x in range(1, u + 1))
        for chosen in itertools.product(ambiguous, repeat=g)
    )


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
