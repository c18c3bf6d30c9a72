"""The tutorial and the notebook are one text; the notebook runs from top to bottom in a real kernel."""

from __future__ import annotations

import json
import warnings
from itertools import pairwise
from pathlib import Path

import pytest

from tools.docs import PageError
from tools.docs.tutorial import NOTEBOOK, PAGE, ROOT, Part, call, executed, notebook, outputs, parts

TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
SMALL = """# Title

```
separation decide FF --L 2 --quiet
```

<!-- generated: quiet -->
old
<!-- /generated -->

The end.
"""


def sources(text: str) -> list[object]:
    return [cell["source"] for cell in json.loads(text)["cells"]]


def test_the_notebook_is_made_from_the_tutorial() -> None:
    kept = (ROOT / NOTEBOOK).read_text(encoding="utf-8")
    assert sources(kept) == sources(notebook(TEXT)), "stale: python -m tools.docs.tutorial"
    assert sources(notebook(TEXT.replace("by hand", "by heart"))) != sources(kept)
    assert "except ImportError" in "".join(json.loads(kept)["cells"][1]["source"]), "it installs what is missing"


def test_every_output_of_the_tutorial_is_generated_and_every_step_is_there() -> None:
    found = list(parts(TEXT))
    commands = [line for part in found if part.kind == "commands" for line in part.text.splitlines()]
    assert {line.split()[1] for line in commands} >= {"solve", "prove", "check", "decide", "bound", "fool"}
    for part, following in pairwise(found):
        if part.kind == "commands" and "--quiet" not in part.text:
            assert following.kind == "output", part.text
    cells = json.loads(notebook(TEXT))["cells"]
    said = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert all(call(line).splitlines()[0] in said for line in commands)
    assert "run(" not in said, "functions of Python, not the command line"


def test_a_page_is_taken_apart() -> None:
    assert [part.kind for part in parts(SMALL)] == ["text", "commands", "output", "text"]
    assert list(parts(SMALL))[2] == Part("output", "quiet")
    assert outputs(SMALL) == {"quiet": ""}


def test_a_command_that_exits_otherwise_than_the_page_says_is_named() -> None:
    with pytest.raises(PageError, match="decide FF --L 0 --quiet: exits with 2"):
        outputs(SMALL.replace("--L 2", "--L 0"))
    with pytest.raises(PageError, match="exits with 0"):
        outputs(SMALL.replace("--quiet", "--quiet # exits with 1"))


@pytest.fixture
def kernel() -> None:
    for name in ("nbclient", "nbformat", "ipykernel"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pytest.importorskip(name)


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore")  # what the kernel's own packages warn of is not ours
def test_the_notebook_says_what_a_kernel_answers_now(tmp_path: Path) -> None:
    kept = (ROOT / NOTEBOOK).read_text(encoding="utf-8")
    found = executed(notebook(TEXT), tmp_path)
    for old, new in zip(json.loads(kept)["cells"], json.loads(found)["cells"], strict=True):
        shown = [[out.get("data", {}).get("text/html") for out in cell.get("outputs", ())] for cell in (old, new)]
        assert shown[0] == shown[1], "".join(old["source"])
        reports = "".join(old["source"]).count("separation.") - "".join(old["source"]).count(");")
        if old["cell_type"] == "code" and "import" not in "".join(old["source"]) and reports > 0:
            assert sum(text is not None for text in shown[1]) == 1, "a report is shown once"
    assert {"mine.json", "attention.svg", "c1.json", "broken.json", "bound.json", "pair.json"} <= {
        path.name for path in tmp_path.iterdir()
    }


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_with_a_wrong_step_is_found(tmp_path: Path) -> None:
    from nbclient.exceptions import CellExecutionError

    with pytest.raises(CellExecutionError, match="L is 0"):
        executed(notebook(SMALL.replace("--L 2 --quiet", "--L 0")), tmp_path)
