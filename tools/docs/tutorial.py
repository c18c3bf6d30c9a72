"""docs/tutorial.md is run from top to bottom: what its commands print are its generated blocks, and it is a notebook.

A fenced block of json is saved as mine.json, one of python is run, and one without a language is commands; a generated
block after commands is what they print. `python -m tools.docs.tutorial` writes docs/lesson.ipynb from the page, with
the functions of Python in place of the commands, and with what a kernel answers.
"""

from __future__ import annotations

import contextlib
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
from unittest.mock import patch

from tools.docs import BLOCKS, Block, PageError, fenced, printed

ROOT = Path(__file__).resolve().parents[2]
PAGE, NOTEBOOK = "docs/tutorial.md", "docs/lesson.ipynb"
PARTS = re.compile(r"^```(\w*)\n(.*?)^```\n|^<!-- generated: (\w+) -->\n.*?^<!-- /generated -->\n", flags=re.M | re.S)
SECONDS = re.compile(r",? ?\(?\b\d+\.\d+ s\)?$")
TIMES = re.compile(r"^(?:<[^>]*>)*time +.*\n|, (?:<[^>]*>)*\d+\.\d+(?:<[^>]*>)* s\b", flags=re.M)
FAILS = "# exits with 1"
INSTALL = """\
try:
    import separation
except ImportError:  # this notebook lies in docs/ of a clone of the repository
    %pip install -q -e ..
    import separation

import json
from pathlib import Path

from IPython.display import SVG, display
"""
FLAGS = ("--quiet", "--replay")


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
    columns = patch.dict(os.environ, COLUMNS="80")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), columns:
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
    """The page as a notebook that was not run: text, and the commands as calls of Python."""
    cells = [_cell("code", INSTALL)]
    for part in parts(page):
        if part.kind == "text":
            cells.append(_cell("markdown", _without_pictures(part.text)))
        elif part.kind == "json":
            cells.append(_cell("code", f"Path('mine.json').write_text('''{part.text.strip()}''');"))
        elif part.kind == "python":
            cells.append(_cell("code", part.text.replace("import json\n\n", "")))
        elif part.kind == "commands":
            cells += [_cell("code", call(line)) for line in part.text.splitlines()]
    cells.insert(1, cells.pop(0))  # the title first
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return _written({"cells": numbered, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


def call(line: str) -> str:
    """
    >>> call("separation bound --L 2 --beta 8 --lambda 0 --out bound.json  # a comment")
    'separation.bound(L=2, beta=8, state_bits=0, out="bound.json")'
    >>> call("separation prove C1 --L 2 --write-model m.json --quiet")
    'separation.prove("C1", L=2, write_model="m.json");'
    """
    _, verb, *words = shlex.split(line, comments=True)
    given, after = [], ""
    while words:
        word = words.pop(0)
        if word in FLAGS:
            given += ["replay=True"] if word == "--replay" else []
            after = ";" if word == "--quiet" else after
            continue
        other = {"--lambda": "state_bits=", "--state-bits": "layer_state_bits="}
        name = other.get(word, f"{word[2:].replace('-', '_')}=") if word.startswith("--") else ""
        value = words.pop(0) if name else word
        given.append(name + (value if value.isdigit() else json.dumps(value)))
        if word == "--figure":
            after = f"\ndisplay(SVG({json.dumps(value)}))"
    made = f"separation.{verb}({', '.join(given)})"
    return f"display({made}){after}" if after.startswith("\n") else made + after


def executed(text: str, folder: str | Path) -> str:
    """The notebook with what a kernel of its own answers in this folder, without the seconds that it took."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    os.environ["JUPYTER_PLATFORM_DIRS"] = "1"  # what its packages will do in any case, without a warning
    NotebookClient(book, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    for cell in book.cells:
        cell["metadata"] = {}
        for output in cell.get("outputs", ()):
            for kind, found in output.get("data", {}).items():
                output["data"][kind] = TIMES.sub("", found)
    document = json.loads(nbformat.writes(book))  # type: ignore[no-untyped-call]
    return _written({**document, "metadata": json.loads(text)["metadata"]})


def _written(document: dict[str, object]) -> str:
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
    program, *words = shlex.split(line, comments=True)
    if program != "separation":
        raise PageError(f"{line}: is no command of separation")
    lines = [text for text in printed(words, int(FAILS in line)).splitlines() if not text.startswith("time ")]
    return "".join(f"{SECONDS.sub('', text)}\n" for text in lines)


@cache
def _outputs_now() -> dict[str, str]:
    return outputs((ROOT / PAGE).read_text(encoding="utf-8"))


def _output(name: str) -> str:
    return fenced(_outputs_now()[name])


for _part in parts((ROOT / PAGE).read_text(encoding="utf-8")):
    if _part.kind == "output":
        BLOCKS.append(Block(PAGE, _part.text, partial(_output, _part.text)))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = executed(notebook((ROOT / PAGE).read_text(encoding="utf-8")), place)
    (ROOT / NOTEBOOK).write_text(made, encoding="utf-8")
    sys.exit(0)
