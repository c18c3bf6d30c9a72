"""The tutorial and the notebook are one text; the notebook runs from top to bottom in a real kernel."""

from __future__ import annotations

import json
import warnings
from itertools import pairwise
from pathlib import Path

import pytest

from tools.docs import PageError
from tools.docs.tutorial import NOTEBOOK, PAGE, ROOT, Part, notebook, outputs, parts

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


def test_the_notebook_is_made_from_the_tutorial() -> None:
    assert (ROOT / NOTEBOOK).read_text(encoding="utf-8") == notebook(TEXT), "stale: python -m tools.docs.tutorial"
    assert notebook(TEXT.replace("by hand", "by heart")) != notebook(TEXT)


def test_every_output_of_the_tutorial_is_generated_and_every_step_is_there() -> None:
    found = list(parts(TEXT))
    commands = [line for part in found if part.kind == "commands" for line in part.text.splitlines()]
    assert {line.split()[1] for line in commands} >= {"solve", "prove", "check", "decide", "bound", "fool"}
    for part, following in pairwise(found):
        if part.kind == "commands" and "--quiet" not in part.text:
            assert following.kind == "output", part.text
    cells = json.loads(notebook(TEXT))["cells"]
    said = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert all(f"separation({json.dumps(line.removeprefix('separation '))})" in said for line in commands)


def test_a_page_is_taken_apart() -> None:
    assert [part.kind for part in parts(SMALL)] == ["text", "commands", "output", "text"]
    assert list(parts(SMALL))[2] == Part("output", "quiet")
    assert outputs(SMALL) == {"quiet": ""}


def test_a_command_that_exits_otherwise_than_the_page_says_is_named() -> None:
    with pytest.raises(PageError, match="decide FF --L 0 --quiet: exits with 2"):
        outputs(SMALL.replace("--L 2", "--L 0"))
    with pytest.raises(PageError, match="exits with 0"):
        outputs(SMALL.replace("--quiet", "--quiet # exits with 1"))


def run_notebook(text: str, folder: Path) -> list[str]:
    """The errors of a notebook run in a kernel of its own."""
    with warnings.catch_warnings():  # what the kernel's own packages warn of is not ours
        warnings.simplefilter("ignore")
        nbclient = pytest.importorskip("nbclient")
        pytest.importorskip("ipykernel")
        nbformat = pytest.importorskip("nbformat")
        book = nbformat.reads(text, as_version=4)
        client = nbclient.NotebookClient(book, timeout=600, allow_errors=True, resources={"metadata": {"path": folder}})
        client.execute()
    return [out["ename"] for cell in book.cells for out in cell.get("outputs", ()) if out["output_type"] == "error"]


def test_the_notebook_runs(tmp_path: Path) -> None:
    assert run_notebook((ROOT / NOTEBOOK).read_text(encoding="utf-8"), tmp_path) == []
    assert {"mine.json", "attention.svg", "c1.json", "broken.json", "bound.json", "pair.json"} <= {
        path.name for path in tmp_path.iterdir()
    }


def test_a_notebook_with_a_wrong_step_is_found(tmp_path: Path) -> None:
    assert run_notebook(notebook(SMALL.replace("--L 2", "--L 0")), tmp_path) == ["AssertionError"]
