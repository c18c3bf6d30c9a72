"""Forged certificates of every kind: what the kernel accepts is true by judges that share no code with it."""

from __future__ import annotations

import random
from collections import Counter

import exact_judge
import pytest
from campaign import find, total
from certificate_cases import BOUNDS, DECISIONS, certificate, verdict
from claim_truth import is_true
from comparison import Violation
from forgeries import forged, forgery, judged

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


SHORT = [("bound", name) for name in BOUNDS if "powers" not in name] + [("decision", name) for name in DECISIONS]


def test_the_judge_says_yes_to_what_is_true_and_no_to_what_is_not() -> None:
    for kind, name in SHORT:
        document = certificate(kind, name)
        assert judged(document), name
        claim = document["claim"]
        if kind == "decision" and claim["solvable"]:
            claim["L"] += 7
        elif claim["theorem"] == "D":
            claim["summary_bits"] += 9
        else:
            claim["lambda"][-1] = 10**40
        assert not judged(document), name


def test_both_judges_agree() -> None:
    """On forged bounds and decisions that are well formed, whatever the kernel says of them."""
    seen = 0
    for seed in range(150):
        _, document = forged(random.Random(seed))
        short = document["kind"] in ("bound", "decision") and "powers" not in str(document)
        if short and verdict(document) != "malformed":
            assert judged(document) == is_true(document), document
            seen += 1
    assert seen > 0


def test_theorem_d_by_brute_force() -> None:
    """Is some x ambiguous in too many blocks, whatever the summaries? As the formula says, at tiny sizes."""
    for u, block, opened, blocks, bits in [(2, 1, 0, 1, 0), (2, 1, 0, 1, 1), (2, 2, 0, 1, 1), (2, 1, 1, 2, 0)]:
        claim = {"modulus": u + 1, "block": block, "open": opened, "blocks": blocks, "summary_bits": bits}
        assert exact_judge.too_few(claim) == exact_judge.always_ambiguous(u, block, opened, blocks, bits)
    assert exact_judge.always_ambiguous(4, 1, 0, 1, 1)
    assert not exact_judge.always_ambiguous(2, 1, 0, 1, 1)


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("check_sparse", lambda *_: ("accepted", ())),
        ("far_apart", lambda *_: True),
        ("climb", lambda *_: kernel_bounds.Interval(1)),
        ("depth_of", lambda layers: (sum("F" in layer for layer in layers), len(layers))),
    ],
)
def test_a_broken_kernel_is_found(what: str, instead: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_bounds, what, instead)
    with pytest.raises(Violation, match="the kernel accepts"):
        find(forgery, range(8 * SAMPLE))
