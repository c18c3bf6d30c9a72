"""The fuzzer of the kernels: it reaches every rule, and finds a kernel that accepts too much or takes too long."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from random import Random

import pytest

from separation.proving import kernel
from tools.fuzz import kernels
from tools.fuzz.kernels import CPU_SECONDS, Outcome, Second, campaign, finding
from tools.fuzz.mutations import RULES, Mutations, corpus, places, written

with_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def test_every_rule_is_reached_and_every_change_is_one() -> None:
    bases = corpus()
    mutations, rules, same = Mutations(Random(0), bases), set(), 0
    for _ in range(400):
        rule, document = mutations.fresh()
        rules.add(rule)
        same += document in bases
    assert rules == set(RULES)
    assert same < 80


def test_the_bases_stay_as_they_are() -> None:
    bases = corpus()[:40]
    before = copy.deepcopy(bases)
    mutations = Mutations(Random(1), bases)
    for _ in range(200):
        mutations.changed(mutations.fresh()[1])
    assert bases == before


def test_places_of_a_key_are_its_value_and_what_is_inside() -> None:
    document = {"a": {"shift": [1, 2]}, "b": 3}
    assert [holder[key] for holder, key in places(document, ("shift",))] == [[1, 2], 1, 2]
    assert len(list(places(document))) == 5


@pytest.mark.parametrize(
    ("number", "expected"), [(2**53, 2**53), (2**53 + 1, str(2**53 + 1)), (-(2**60), str(-(2**60)))]
)
def test_integers_are_written_as_certificates_have_them(number: int, expected: int | str) -> None:
    assert written(number) == expected
    assert kernel.integer(expected, -(2**61)) == number


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("accepted", "accepted", False),
        ("accepted", "declined", False),
        ("rejected", "malformed", False),
        ("accepted", "rejected", True),
        ("malformed", "accepted", True),
        ("rejected", "exception TypeError", True),
        ("no answer", "declined", True),
    ],
)
def test_what_is_a_finding(one: str, other: str, found: bool) -> None:
    assert bool(finding(Outcome(one, 0.1), Outcome(other, 0.1))) == found
    assert finding(Outcome("declined", CPU_SECONDS + 1), Outcome("declined", 0.1))


@with_node
@pytest.mark.parametrize("slow", [False, True])
def test_a_short_campaign_finds_nothing(slow: bool) -> None:
    found = campaign(600, seed=0, slow=slow, runs=25)
    assert found.findings == []
    assert sum(found.counts.values()) == 25


@with_node
def test_a_kernel_that_accepts_too_much_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken, source = tmp_path / "kernel.mjs", kernels.SCRIPT.read_text(encoding="utf-8")
    rule = 'require(qmin(top(scoreTable(q, k), symbols), byReach).le(head.shift), "P3: a score above the shift");'
    assert source.count(rule) == 1
    broken.write_text(source.replace(rule, ""), encoding="utf-8")
    for other in ("kernel_programs.mjs", "kernel_runs.mjs"):
        (tmp_path / other).write_bytes((kernels.SCRIPT.parent / other).read_bytes())
    monkeypatch.setattr(kernels, "SCRIPT", broken)
    text = (Path(__file__).parents[2] / "corpus" / "construction" / "c1-m2-shift-under.json").read_text(
        encoding="utf-8"
    )
    with Second() as second:
        assert finding(kernels.first(text), second(text))
        assert second(json.dumps({})).verdict == "malformed"
