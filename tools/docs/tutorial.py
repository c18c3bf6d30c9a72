"""docs/tutorial.md is run from top to bottom: what its commands print are its generated blocks, and it is a notebook.

A fenced block of json is saved as mine.json, one of python is run, and one without a language is commands; a generated
block after commands is what they print. `python -m tools.docs.tutorial` writes docs/lesson.ipynb from the page.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from tools.docs import BLOCKS, Block, PageError, fenced

ROOT = Path(__file__).resolve().parents[2]
PAGE, NOTEBOOK = "docs/tutorial.md", "docs/lesson.ipynb"
PARTS = re.compile(r"^```(\w*)\n(.*?)^```\n|^<!-- generated: (\w+) -->\n.*?^<!-- /generated -->\n", flags=re.M | re.S)
SECONDS = re.compile(r",? ?\(?\b\d+\.\d+ s\)?$")
FAILS = "# exits with 1"
START = '''\
import shlex
from pathlib import Path

from IPython.display import SVG, display

from separation.verbs.command_line import run


def separation(command):
    """Run a command as on a command line; show the picture that it draws."""
    words = shlex.split(command, comments=True)
    status = run(words)
    assert status == ("exits with 1" in command), status
    if "--figure" in words:
        display(SVG(words[words.index("--figure") + 1]))
'''


@dataclass(frozen=True)
class Part:
    """``kind``: text, json, python, commands, or output (``text`` is then the name of the block)."""

    kind: str
    text: str


def parts(page: str) -> Iterator[Part]:
    """The page in order."""
    end = 0
    for found in PARTS.finditer(page):
        if page[end : found.start()].strip():
            yield Part("text", page[end : found.start()].strip())
        language, body, name = found.groups()
        yield Part("output", name) if name else Part(language or "commands", body)
        end = found.end()
    if page[end:].strip():
        yield Part("text", page[end:].strip())


def outputs(page: str) -> dict[str, str]:
    """What the commands before each generated block print; run in a folder of their own."""
    found: dict[str, str] = {}
    said = ""
    names: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, _inside(folder):
        for part in parts(page):
            if part.kind == "json":
                Path("mine.json").write_text(part.text, encoding="utf-8")
            elif part.kind == "python":
                exec(part.text, names)
            elif part.kind == "commands":
                said = "".join(map(_said, part.text.splitlines()))
            elif part.kind == "output":
                found[part.text] = said
    return found


def notebook(page: str) -> str:
    """The page as a notebook: text, then the same commands to run; what they print is left out."""
    cells = [_cell("code", START)]
    for part in parts(page):
        if part.kind == "text":
            cells.append(_cell("markdown", _without_pictures(part.text)))
        elif part.kind == "json":
            cells.append(_cell("code", f"Path('mine.json').write_text('''{part.text.strip()}''');"))
        elif part.kind == "python":
            cells.append(_cell("code", part.text))
        elif part.kind == "commands":
            lines = [line.removeprefix("separation ") for line in part.text.splitlines()]
            cells.append(_cell("code", "\n".join(f"separation({json.dumps(line)})" for line in lines)))
    cells.insert(1, cells.pop(0))  # the title first
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    document = {"cells": numbered, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _cell(kind: str, text: str) -> dict[str, object]:
    source = text.strip("\n").splitlines(keepends=True)
    code: dict[str, object] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, **code, "source": source}


def _without_pictures(text: str) -> str:
    """In a notebook the command itself shows its picture."""
    return re.sub(r"^!\[.*\)\n*", "", text, flags=re.M).strip()


def _said(line: str) -> str:
    """What one command prints, without the seconds it took."""
    from separation.verbs.command_line import run

    program, *words = shlex.split(line, comments=True)
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        status = run(words)
    if program != "separation" or status != (FAILS in line):
        raise PageError(f"{line}: exits with {status}")
    lines = [text.rstrip() for text in stream.getvalue().splitlines() if not text.startswith("time ")]
    return "".join(f"{SECONDS.sub('', text)}\n" for text in lines)


@contextlib.contextmanager
def _inside(folder: str) -> Iterator[None]:
    """In this folder, at 80 columns."""
    before, columns = Path.cwd(), os.environ.get("COLUMNS")
    os.chdir(folder)
    os.environ["COLUMNS"] = "80"
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns


@cache
def _outputs_now() -> dict[str, str]:
    return outputs((ROOT / PAGE).read_text(encoding="utf-8"))


def _output(name: str) -> str:
    return fenced(_outputs_now()[name])


for _part in parts((ROOT / PAGE).read_text(encoding="utf-8")):
    if _part.kind == "output":
        BLOCKS.append(Block(PAGE, _part.text, partial(_output, _part.text)))


if __name__ == "__main__":
    (ROOT / NOTEBOOK).write_text(notebook((ROOT / PAGE).read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(0)
