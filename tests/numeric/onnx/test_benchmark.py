"""`export --benchmark`: files as VNN-COMP wants them; every answer replayed from the files by code of its own."""

from __future__ import annotations

import csv
import json
import operator
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import separation
from constructions.stock.kit import benchmark_networks
from constructions.stock.kit.benchmark_questions import answers
from separation.tasks.funccomp import enumerate_token_ids
from separation.verbs import export_benchmark
from separation.verbs.command_line import run

SMALL = ("c1_L1_m2", "c1_L1_m4", "gpt2_L1_m2", "llama_L1_m2")


def small_families() -> list[benchmark_networks.Family]:
    return [family for family in benchmark_networks.families() if family.name in SMALL]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("benchmark") / "set"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export_benchmark, "families", small_families)
        report = separation.export_benchmark(folder)
    assert report.ok
    return folder


Expression = Any


def parsed(text: str) -> list[Expression]:
    """The S-expressions of a file."""
    words = iter(re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text)))

    def rest() -> Iterator[Expression]:
        for word in words:
            if word == ")":
                return
            yield list(rest()) if word == "(" else word

    return list(rest())


def value(expression: Expression, known: dict[str, float]) -> Any:
    """A number or a truth, as SMT-LIB says."""
    if isinstance(expression, str):
        return known[expression] if expression in known else float(expression)
    head, *parts = expression
    if head in ("and", "or"):
        return (all if head == "and" else any)(value(part, known) for part in parts)
    return {">=": operator.ge, "<=": operator.le}[head](*(value(part, known) for part in parts))


def violated(text: str, point: Any, outputs: Any) -> bool:
    """Do all assertions hold of this input and this output: is it a counterexample?"""
    known = {f"X_{place}": float(number) for place, number in enumerate(point)}
    known |= {f"Y_{place}": float(number) for place, number in enumerate(outputs)}
    statements = parsed(text)
    assert {name for kind, name, *_ in statements if kind == "declare-const"} == set(known)
    return all(value(each[1], known) for each in statements if each[0] == "assert")


def instances(folder: Path) -> list[dict[str, Any]]:
    truth: list[dict[str, Any]] = json.loads((folder / "ground_truth.json").read_text())["instances"]
    assert (folder / "1.0" / "instances.csv").read_text() == (folder / "2.0" / "instances.csv").read_text()
    rows = list(csv.reader((folder / "1.0" / "instances.csv").read_text().splitlines()))
    assert [(row["onnx"], row["vnnlib"]) for row in truth] == [(graph, asked) for graph, asked, _ in rows]
    assert all(int(seconds) > 0 for *_, seconds in rows)
    return truth


def session(path: Path) -> Any:
    import onnxruntime

    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def test_every_counterexample_is_one(written: Path) -> None:
    found = [row for row in instances(written) if row["result"] == "sat"]
    assert len({row["onnx"] for row in found}) >= 8
    for row in found:
        text = (written / row["counterexample"]).read_text()
        assert text.startswith("sat\n")
        pairs = dict(parsed(text.removeprefix("sat\n"))[0])
        point = np.array([[float(pairs[f"X_{place}"]) for place in range(len(pairs)) if f"X_{place}" in pairs]])
        (outputs,) = session(written / "1.0" / row["onnx"]).run(None, {"X": point.astype(np.float32)})
        stored = [float(pairs[f"Y_{place}"]) for place in range(outputs.shape[1])]
        np.testing.assert_allclose(outputs[0], stored, rtol=1e-3, atol=1e-4)
        question = (written / "1.0" / row["vnnlib"]).read_text()
        assert violated(question, point[0], outputs[0])
        (outputs,) = session(written / "1.0" / "onnx" / f"{row['family']}_right.onnx").run(
            None, {"X": point.astype(np.float32)}
        )
        assert not violated(question, point[0], outputs[0])  # the same input, in the right network


def boxes(text: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """The boxes that a question names."""
    found = []
    asserted = [each[1] for each in parsed(text) if each[0] == "assert"]
    groups = [part[1:] for part in asserted[0][1:]] if len(asserted) == 1 else [asserted[:-1]]
    for group in groups:
        ends = {sign: {} for sign in (">=", "<=")}  # type: ignore[var-annotated]
        for sign, name, number in (each for each in group if each[1].startswith("X_")):
            ends[sign][int(name[2:])] = float(number)
        found.append(tuple(np.array([ends[sign][place] for place in sorted(ends[sign])]) for sign in ends))
    return found  # type: ignore[return-value]


def test_what_holds_is_not_refuted_by_many_inputs_of_its_boxes(written: Path) -> None:
    """Corners and inner points; this proves nothing, but a wrong proof would have to get past it."""
    rng = np.random.default_rng(1)
    for row in instances(written):
        if row["result"] != "unsat":
            continue
        text = (written / "1.0" / row["vnnlib"]).read_text()
        network = session(written / "1.0" / row["onnx"])
        every = boxes(text)
        assert len({str(each) for each in every}) == row["boxes"]
        for low, high in every[:4]:
            for share in [*rng.integers(0, 2, (6, len(low))), *rng.uniform(0, 1, (2, len(low)))]:
                point = (low + share * (high - low)).astype(np.float32)
                (outputs,) = network.run(None, {"X": point[None]})
                assert not violated(text, point, outputs[0])


def test_the_right_network_holds_everywhere_and_pairs_differ_in_the_network_alone(written: Path) -> None:
    rows = instances(written)
    right = [row for row in rows if row["network"] == "right"]
    assert {row["result"] for row in right} == {"unsat"}
    assert {row["vnnlib"] for row in right} == {row["vnnlib"] for row in rows}
    for name in SMALL:
        assert any(row["result"] == "sat" and row["family"] == name for row in rows)
    changed = [row for row in rows if row["network"] != "right"]
    assert any(row["result"] == "unsat" for row in changed)  # a change need not be seen in every box
    assert {path.name for path in written.iterdir()} == {
        *("1.0", "2.0", "counterexamples", "ground_truth.json", "README.md")
    }
    for row in rows:
        assert (written / "2.0" / row["onnx"]).read_bytes() == (written / "1.0" / row["onnx"]).read_bytes()


def test_all_prompts_are_in_the_question_about_all(written: Path) -> None:
    (family,) = (each for each in small_families() if each.name == "c1_L1_m4")
    prompts, _ = next(enumerate_token_ids(family.sizes, 2000))
    every = boxes((written / "1.0" / "vnnlib" / "c1_L1_m4_all.vnnlib").read_text())
    points = family.inputs(prompts)
    inside = [((points >= low) & (points <= high)).all(axis=1) for low, high in every]
    assert len(prompts) == 1024
    assert np.any(inside, axis=0).all()


def test_the_parser_of_the_standard_reads_the_same_boxes(written: Path) -> None:
    """In version 2.0, by the library of those who wrote it."""
    vnnlib = pytest.importorskip("vnnlib", reason="vnnlib is not installed")
    compat = pytest.importorskip("vnnlib.compat")
    for path in sorted((written / "2.0" / "vnnlib").iterdir()):
        query = vnnlib.parse_query_file(str(path))
        told = {tuple(np.ravel(case.input_box).tolist()) for case in compat.transform(query)}
        own = boxes((written / "1.0" / "vnnlib" / path.name).read_text())
        assert told == {tuple(np.stack(each, axis=1).ravel().tolist()) for each in own}


def test_a_broken_network_in_place_of_the_right_one_is_not_ok() -> None:
    (family,) = (each for each in small_families() if each.name == "c1_L1_m2")
    right, *others = family.networks
    assert answers(family, 0).ok
    for broken in others:
        swapped = answers(replace(family, networks=(broken, right)), 0)
        assert swapped.ok == (not any(swapped.wrong.values()) and not swapped.undecided)
    wrong = next(each for each in answers(family, 0).answered if each.result == "sat")
    assert wrong.replayed
    assert not replace(wrong, outputs=-wrong.outputs).replayed


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_benchmark, "families", lambda: small_families()[:1])
    assert run(["export", "--benchmark", str(tmp_path / "a"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["families"][0]["sat"] > 0
    assert run(["export", "--benchmark", str(tmp_path / "b")]) == 0
    assert "proved for every real input" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_the_whole_set(tmp_path: Path) -> None:
    report = separation.export_benchmark(tmp_path / "set")
    assert report.ok
    assert len(report.families) == len(benchmark_networks.families())
    test_every_counterexample_is_one(tmp_path / "set")
    test_what_holds_is_not_refuted_by_many_inputs_of_its_boxes(tmp_path / "set")
