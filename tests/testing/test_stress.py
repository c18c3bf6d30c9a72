"""stress: adapters, results that a run goes on from, the page; its three exits and its keys."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ctrl_c import stopped_by_ctrl_c
from read_pages import ReadPage

import separation
from separation.files import InputError
from separation.tasks.funccomp import Instance, answer
from separation.verbs.command_line import run as run_command

SMALL: dict[str, Any] = {"L": (1,), "lengths": (6,), "count": 4, "seconds": 60.0}
MODULE = """
from separation.tasks.funccomp import answer
asked = []

def right(cases):
    print("solving")
    return [answer(case) for case in cases]

def wrong(cases):
    return [answer(case) if case.z0 == 0 else 0 for case in cases]

def slow(cases):
    import time
    time.sleep(0.02 * len(cases))
    return right(cases)

def broken(cases):
    open("calls", "a").write("x")
    raise KeyError("no such table")

def text(texts):
    return ["Answer: 0"] * len(texts)

number = 3
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module in the working folder."""
    name = f"solver_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return name


def run(*arguments: str) -> int:
    return run_command([*arguments])


COMMON = ("--L", "1..1", "--lengths", "6", "--count", "4")


def test_the_three_exits_and_the_keys(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stress", f"{module}:right", *COMMON, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ok"]
    assert document["failure"] is None
    assert document["rows"]
    assert run("stress", f"{module}:wrong", *COMMON) == 1
    printed = capsys.readouterr().out
    assert re.search(r'wrong": [\d,]+ of [\d,]+ right \(\d+\.\d %\)', printed)
    assert "smallest failure" in printed
    assert run("stress", f"{module}:missing", *COMMON) == 2
    error = capsys.readouterr().err
    assert error.startswith("separation: error: cannot import")
    assert error.count("\n") == 1


def test_the_smallest_failure_of_each_number_of_hops(module: str) -> None:
    report = separation.stress(f"{module}:wrong", **{**SMALL, "L": (1, 3), "lengths": (8,)})
    document = report.document()
    assert {failure["hops"] for failure in document["failures"]} == {1, 3}
    assert document["failure"]["task"] == "funccomp"
    case = document["failures"][0]["instance"]
    instance = Instance(separation.Sizes(case["m"], tuple(case["n"])), case["z0"], case["tables"], case["w"])
    assert answer(instance) == document["failures"][0]["expected"] != document["failures"][0]["answered"]


def test_a_run_that_was_stopped_goes_on(module: str, tmp_path: Path) -> None:
    results = tmp_path / "run.jsonl"
    whole = separation.stress(f"{module}:wrong", results=results, **SMALL)
    lines = results.read_text().splitlines()
    assert len(lines) == 1 + whole.solver.asked
    assert len({json.loads(line)["name"] for line in lines[1:]}) == whole.solver.asked
    results.write_text("\n".join(lines[:41]) + "\n" + lines[41][:20])  # stopped in the middle of a line
    again = separation.stress(f"{module}:wrong", results=results, resume=True, **SMALL)
    assert again.resumed == 40
    assert sorted(results.read_text().splitlines()) == sorted(lines)
    counts = [(row.stage, row.family, row.hops, row.length, row.asked, row.right) for row in whole.solver.rows]
    assert counts == [(row.stage, row.family, row.hops, row.length, row.asked, row.right) for row in again.solver.rows]


def test_results_are_not_overwritten_nor_mixed(module: str, tmp_path: Path) -> None:
    results = tmp_path / "run.jsonl"
    separation.stress(f"{module}:right", results=results, **SMALL)
    with pytest.raises(InputError, match="--resume"):
        separation.stress(f"{module}:right", results=results, **SMALL)
    with pytest.raises(InputError, match="other settings: model, seed"):
        separation.stress(f"{module}:wrong", results=results, resume=True, seed=3, **SMALL)
    for bad, said in (("[]\n", "an object"), ("{}\n", "no file of results"), ("x\n", "not JSON")):
        results.write_text(bad)
        with pytest.raises(InputError, match=said):
            separation.stress(f"{module}:right", results=results, resume=True, **SMALL)
    results.write_text("")
    assert separation.stress(f"{module}:right", results=results, resume=True, **SMALL).ok


def test_a_time_limit_that_ran_out_is_no_success(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stress", f"{module}:slow", *COMMON, "--seconds", "1") == 1
    printed = capsys.readouterr().out
    asked, planned = re.search(r"incomplete: ([\d,]+) of ([\d,]+) asked, all of them right", printed).groups()  # type: ignore[union-attr]
    assert 0 < int(asked) < int(planned.replace(",", ""))
    whole = separation.stress(f"{module}:right", **SMALL)
    assert whole.solver.planned == whole.solver.asked == int(planned.replace(",", ""))


def test_a_function_that_always_raises_is_called_a_few_times(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stress", f"{module}:broken", *COMMON) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "none of 8 calls gave an answer; raised: KeyError: 'no such table'" in printed
    assert len(Path("calls").read_text()) == 8


def test_the_solver_of_the_docs_solves() -> None:
    """Instances have the fields that docs/stress.md names."""
    text = (Path(__file__).parents[2] / "docs" / "stress.md").read_text()
    names: dict[str, Any] = {}
    exec(re.search(r"```python\n(def solve.*?)```", text, re.DOTALL)[1], names)  # type: ignore[index]
    assert separation.stress(names["solve"], L=(1, 3), lengths=16, count=8).ok


def test_the_page_stands_alone_and_names_are_escaped(tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    def evil(_: list[Any]) -> None:
        raise RuntimeError("<script>alert(1)</script>")

    evil.__qualname__ = "<img src=x onerror=alert(2)>"
    report = separation.stress(evil, report=page, **{**SMALL, "seconds": 3.0})
    assert report.page == page
    text = page.read_text()
    reader = ReadPage(text)
    assert reader.stands_alone()
    assert reader.addresses == []
    assert "&lt;img src=x onerror=alert(2)&gt;" in text
    assert "&lt;script&gt;" in text
    assert "url(" not in text


def test_the_depth_of_one_pass_is_not_drawn_for_a_model_that_thinks_aloud(module: str, tmp_path: Path) -> None:
    config, page = tmp_path / "config.json", tmp_path / "page.html"
    config.write_text((Path(separation.__file__).parent / "architectures/data/gpt2.json").read_text())

    def aloud(texts: list[str]) -> list[str]:
        return ["Let me look it up, one table after the other.\nAnswer: 0"] * len(texts)

    separation.stress(aloud, reads="text", config=config, report=page, **SMALL)
    assert "says nothing here" in page.read_text()
    assert "depth 11:" not in page.read_text()
    separation.stress(f"{module}:text", reads="text", config=config, report=page, **SMALL)
    assert "depth 11:" in page.read_text()


def test_a_config_tells_the_depth(module: str, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    document = {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 8}
    config.write_text(json.dumps({**document, "intermediate_size": 8, "vocab_size": 16, "torch_dtype": "float32"}))
    page = tmp_path / "page.html"
    report = separation.stress(f"{module}:wrong", config=config, report=page, **{**SMALL, "L": (1, 3), "lengths": (8,)})
    assert (report.document()["word"], report.document()["depth"]) == ("F2", 1)
    text = page.read_text()
    assert text.index("L = 1") < text.index("depth 1:") < text.index("L = 3")


def test_the_dataset_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "set"
    assert run("stress", "--write-dataset", str(folder), "--L", "2", "--lengths", "12", "--count", "2", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    rows = [json.loads(line) for line in (folder / "funccomp.jsonl").read_text().splitlines()]
    assert document["rows"] == len(rows)
    assert {row["hops"] for row in rows} == {2}
    assert all({"text", "ids", "answer", "hops", "family", "seed"} <= set(row) for row in rows)
    numbers = np.array([row["ids"] for row in rows])
    sizes = separation.Sizes(rows[0]["sizes"]["m"], tuple(rows[0]["sizes"]["n"]))
    from separation.tasks import task_of

    assert task_of(sizes).right_answers(numbers).tolist() == [row["answer"] for row in rows]


HALTING = """
import os
from pathlib import Path
from separation.tasks.funccomp import answer

def slow(cases):
    if any(case.z0 == 2 for case in cases):
        Path("child").write_text(str(os.getpid()))
        print("stuck", flush=True)
        while not Path("go").exists():
            pass
    return [answer(case) for case in cases]
"""
INTERRUPTED = ["stress", "halting:slow", "--L", "1", "--lengths", "5", "--count", "4", "--results", "r.jsonl"]


def test_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "halting.py").write_text(HALTING)
    stopped_by_ctrl_c(INTERRUPTED, tmp_path, once="stuck")
    child = int((tmp_path / "child").read_text())
    assert not _runs(child)
    written = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert len(written) > 1
    (tmp_path / "go").write_text("")
    command = [sys.executable, "-m", "separation", *INTERRUPTED, "--resume", "--json"]
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    document = json.loads(again.stdout)
    assert again.returncode == 0
    assert document["resumed"] == len(written) - 1


def _runs(child: int) -> bool:
    try:
        os.kill(child, 0)
    except ProcessLookupError:
        return False
    return True


ROOT = Path(__file__).parents[2]
PLUGIN = "separation.testing.pytest_plugin"
TESTS = """
import sys
from separation.tasks.funccomp import Sizes, answer

def test_right(assert_solves):
    assert assert_solves(lambda cases: [answer(case) for case in cases], sizes=Sizes(2, ()), instances=4).ok

def test_wrong(assert_solves):
    assert_solves(lambda cases: [0 for case in cases], sizes=Sizes(2, ()), instances=4)
"""


def test_the_fixture_passes_and_fails(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-q", "test_mine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "wrong answer (exhaustive-small, all_inputs): answered 0, expected 1" in done.stdout


def test_the_plugin_is_an_entry_point_and_loads_nothing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}
    code = f"import sys, {PLUGIN}; print(sorted({{'numpy', 'torch', 'separation.tasks'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
