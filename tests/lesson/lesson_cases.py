"""What several tests of the lesson need: sizes, Node, and the page's modules run outside a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from separation.lesson.page import SOURCE
from separation.tasks.funccomp import Sizes

NODE = shutil.which("node")
NO_NODE = "node is not installed: the page's modules cannot be run outside a browser"
SIZES = [Sizes(m, (2,) * (L - 1)) for L in range(1, 5) for m in range(2, 5)] + [Sizes(3, (3, 1)), Sizes(5, (1, 4))]


def in_node(script: str, folder: Path) -> Any:
    """What a module prints as JSON; it imports from the folder of the page's modules as `SRC/…`."""
    file = folder / "case.mjs"
    file.write_text(script.replace("SRC/", SOURCE.as_uri() + "/"), encoding="utf-8")
    done = subprocess.run([str(NODE), str(file)], capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
