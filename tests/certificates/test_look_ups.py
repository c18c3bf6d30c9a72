"""Look-ups, the task of older certificates (MQAR): changed certificates, and what is said of one."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from separation.proving import kernel

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "separation" / "lesson" / "kernel.mjs"


Change = Callable[[dict[str, Any]], None]


def task_change(change: Callable[[dict[str, Any]], Any]) -> Change:
    """The same change to the task of the claim and of the model."""

    def changed(certificate: dict[str, Any]) -> None:
        for task in (certificate["claim"]["task"], certificate["model"]["task"]):
            change(task)

    return changed


CHANGES: dict[str, tuple[int, Change]] = {
    "nothing": (0, lambda _c: None),
    "another label": (0, task_change(lambda t: t.update(name="recall"))),
    "another task in the claim": (1, lambda c: c["claim"]["task"]["kinds"][0].update(count=1)),
    "more inputs": (1, lambda c: c["claim"].update(inputs_covered_log2=c["claim"]["inputs_covered_log2"] + 1)),
    "more margin": (1, lambda c: c["claim"].update(margin="100")),
    "keys may be alike": (2, task_change(lambda t: t["kinds"][0].update(named_by=["position"]))),
    "any key is asked for": (2, task_change(lambda t: t["kinds"][1]["token"][0].__setitem__(2, None))),
    "asked of another kind": (2, task_change(lambda t: t["kinds"][1]["token"][0].__setitem__(2, "queries"))),
    "the key is the answer": (2, task_change(lambda t: t["finds"][0].update({"as": [["key", "answer"]]}))),
    "the position is the answer": (1, task_change(lambda t: t["finds"][0].update({"as": [["position", "answer"]]}))),
    "no find": (2, task_change(lambda t: t.update(finds=[]))),
    "found in itself": (2, task_change(lambda t: t["finds"][0].update(kind="queries"))),
    "an unknown kind": (2, task_change(lambda t: t["finds"][0].update(kind=[]))),
    "a name that is no word": (2, task_change(lambda t: t["kinds"][0].update(name="table 1"))),
    "a repeated kind": (2, task_change(lambda t: t["kinds"].append(t["kinds"][0]))),
    "the name of a pair names": (2, task_change(lambda t: t["kinds"][0]["token"][0].__setitem__(2, "queries"))),
    "more pairs than keys": (2, task_change(lambda t: t["kinds"][0].update(count=9))),
    "too many kinds": (2, task_change(lambda t: t.update(kinds=t["kinds"] * 9))),
    "an unknown key": (2, task_change(lambda t: t.update(more=1))),
    "a find with a list": (2, task_change(lambda t: t["finds"][0].update({"as": [[[], "answer"]]}))),
    "attention both ways": (2, lambda c: c["model"].update(attention="both")),
}


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    """Two pairs, three keys."""
    document: dict[str, Any] = json.loads((ROOT / "corpus" / "construction" / "mqar-f-k3.json").read_text())
    return document


def test_the_kernel_judges_changed_certificates(certificate: dict[str, Any]) -> None:
    for name, (status, change) in CHANGES.items():
        document = copy.deepcopy(certificate)
        change(document)
        try:
            found = 0 if kernel.check_text(json.dumps(document)).ok else 1
        except kernel.Malformed:
            found = 2
        assert found == status, name


def test_the_second_kernel_agrees(certificate: dict[str, Any], tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the JavaScript kernel cannot be run")
    paths = []
    for index, (_, change) in enumerate(CHANGES.values()):
        document = copy.deepcopy(certificate)
        change(document)
        paths.append(tmp_path / f"{index}.json")
        paths[-1].write_text(json.dumps(document))
    (tmp_path / "list").write_text("\n".join(map(str, paths)))
    said = subprocess.run(
        [node, str(KERNEL), "--batch", str(tmp_path / "list")], capture_output=True, text=True, check=False
    ).stdout.splitlines()
    assert not any("internal error" in line for line in said)
    found = {name: int(line.split("\t")[0]) for name, line in zip(CHANGES, said, strict=True)}
    assert found == {name: status for name, (status, _) in CHANGES.items()}


def test_the_sentence_says_what_was_checked(certificate: dict[str, Any]) -> None:
    said = kernel.check_certificate(certificate).message
    assert "2 tokens pairs (key below 3, value below 2), told apart by key" in said
    assert "mqar" not in said  # a label is not checked


def test_the_certificate_fits_its_schema(certificate: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    from separation.proving.schemas import schema

    validator = jsonschema.Draft202012Validator(schema("construction"))
    assert not list(validator.iter_errors(certificate))
    wrong = copy.deepcopy(certificate)
    wrong["claim"]["task"]["kinds"][0]["name"] = "Pairs"
    assert list(validator.iter_errors(wrong))
