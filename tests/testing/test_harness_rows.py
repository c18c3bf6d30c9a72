"""What the task folders share, without any harness: rows, scores, and YAML that names what is there."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from separation.testing import CANARY
from separation.testing.harnesses import FOLDERS, harness_rows, judged

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
LM_EVAL = FOLDERS["lm-evaluation-harness"]
FEW = {"hops": [1, 2], "lengths": [8], "count": 2, "unknown": "a harness hands over all that it knows"}


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    """As the harness loads it: by its path."""
    place = importlib.util.spec_from_file_location("generator", LM_EVAL / "generator.py")
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def test_rows_carry_the_canary_and_a_right_reply_is_right() -> None:
    rows = harness_rows("funccomp", FEW)
    assert {row["hops"] for row in rows} == {1, 2}
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert CANARY in row["text"]
        assert judged(row, f" {row['target']}") == (True, True)
        assert judged(row, f"Answer: {row['answer'] + 1}") == (False, True)
        assert judged(row, f"It is {row['target']}.") == (False, False)
        assert judged(row, f"The answer is **{row['target']}**.") == (True, True)
        assert judged({**row, "strict": True}, f"The answer is **{row['target']}**.") == (False, False)
    for row in harness_rows("two_sum", {"lengths": [4], "count": 2}):
        assert judged(row, row["target"]) == (True, True)
        assert judged(row, row["target"][:-2]) == (False, False)
        assert judged({**row, "answer": [1 - each for each in row["answer"]]}, row["target"]) == (False, True)


def test_scores_are_told_apart_by_hops(generator: ModuleType) -> None:
    rows = harness_rows("funccomp", FEW)
    scores = [generator.process_results(row, [row["target"] if row["hops"] == 1 else "?"]) for row in rows]
    assert {score["hops_1"] for score in scores} == {1.0, generator.UNKNOWN}
    assert generator.mean_of_known([score["hops_1"] for score in scores]) == 1.0
    assert generator.mean_of_known([score["hops_2"] for score in scores]) == 0.0
    assert generator.mean_of_known([score["hops_3"] for score in scores]) == generator.UNKNOWN
    assert sum(score["accuracy"] for score in scores) == sum(score["readable"] for score in scores) < len(scores)


def test_the_yaml_files_name_what_is_there(generator: ModuleType) -> None:
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    files = sorted(LM_EVAL.glob("*.yaml"))
    tasks = [f"separation_{task}{how}" for task in ("funccomp", "mqar", "program", "two_sum") for how in ("", "_chat")]
    assert [path.stem for path in files] == ["_separation", *tasks]
    base = yaml.load(files[0].read_text(), Loader)
    for path in files:
        read = yaml.load(path.read_text(), Loader)
        assert read.get("task", "_separation") == path.stem
        for name in re.findall(r"!function (\S+)", path.read_text()):
            assert callable(getattr(generator, name.removeprefix("generator.")))
    row = harness_rows("funccomp", FEW)[0]
    assert {each["metric"] for each in base["metric_list"]} == set(generator.process_results(row, ["?"]))
    assert {base["doc_to_text"], base["doc_to_target"]} == {"{{text}}", "{{target}}"}
    assert {"text", "target"} <= row.keys()


def test_the_folders_are_printed() -> None:
    told = subprocess.run([sys.executable, "-m", "separation.testing.harnesses"], capture_output=True, text=True)
    assert told.returncode == 0
    for folder in FOLDERS.values():
        assert str(folder) in told.stdout
        assert Path(folder).is_dir()
