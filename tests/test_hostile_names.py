"""Names from files are text: hostile slot names, kinds and file names through the verbs that print and draw them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from separation.tasks.funccomp import Sizes
from separation.testing import check_solver
from separation.testing.page import Model, html_page
from separation.verbs.command_line import run
from separation.verbs.commands import print_report
from separation.verbs.stress import StressReport

NAMES = (
    "[red]x[/red]",
    "a<script>&\"'",
    r"\input{/etc/passwd}",
    "$x$_^~%#&",
    "[link=x]y[/link]\\",
    ":smile: é中",
    "$\\frac{1",
)
CORPUS = Path(__file__).parents[1] / "corpus"
FILES = ("$x$ [red] <b>&'.json", "\u202egpj\x1b[31m.json", "a\nb.json", "\\input{x}.json")


def with_names(tmp_path: Path, file: str = "model.json") -> Path:
    """C1 with its slots renamed, one hostile name after the other."""
    path = tmp_path / "plain.json"
    assert run(["prove", "C1", "--L", "2", "--m", "2", "--n", "2", "--write-model", str(path)]) == 0
    document = json.loads(path.read_text())
    text = json.dumps(document)
    slots = [slot["name"] for slot in document["slots"]]
    for slot, name in zip(slots, NAMES, strict=False):
        text = text.replace(json.dumps(slot), json.dumps(name))
    target = tmp_path / file
    target.write_text(text)
    path.unlink()
    return target


def program_called(name: str, folder: Path) -> Path:
    """A model file of a program with this name."""
    path = folder / "model.json"
    document = json.loads((CORPUS / "construction" / "program-induction.json").read_text())["model"]
    document["task"]["name"] = name
    path.write_text(json.dumps(document))
    return path


def visible(text: str) -> bool:
    return all(letter.isprintable() or letter == "\n" for letter in text)


@pytest.mark.parametrize("verb", ["show", "prove"])
def test_hostile_slot_names_are_shown_as_they_are(
    verb: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    path = with_names(tmp_path)
    capfd.readouterr()
    code = run([verb, "--model", str(path)])
    captured = capfd.readouterr()
    assert code in (0, 1), captured.err
    assert visible(captured.out)
    if verb == "show":
        for name in NAMES[:3]:
            assert name in captured.out, name
        assert ":smile:" in captured.out


@pytest.mark.parametrize("file", FILES)
def test_hostile_file_names(file: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = with_names(tmp_path, file)
    figure = tmp_path / "who.svg"
    capfd.readouterr()
    assert run(["simulate", "--model", str(path), "--figure", str(figure)]) in (0, 1)
    captured = capfd.readouterr()
    assert visible(captured.out)
    assert visible(captured.err)
    ElementTree.parse(figure)
    assert not re.search(r"<script|\x1b|\u202e", figure.read_text())
    path.write_text("{")
    assert run(["prove", "--model", str(path)]) == 2
    captured = capfd.readouterr()
    assert visible(captured.err)
    assert captured.err.count("\n") == 1


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_latex_with_hostile_names_compiles(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = with_names(tmp_path)
    capfd.readouterr()
    assert run(["show", "--model", str(path), "--latex"]) == 0
    (tmp_path / "x.tex").write_text(capfd.readouterr().out, encoding="utf-8")
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "x.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    assert (tmp_path / "x.pdf").exists()
    assert "passwd" not in (tmp_path / "x.log").read_text(errors="replace")


@pytest.mark.parametrize("name", ["MQAR", "L-FuncComp, L = 3"])
def test_the_name_of_a_task_is_marked_as_one(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program may be called like another task; what is said of it is what its file defines."""
    monkeypatch.setenv("COLUMNS", "200")
    path = program_called(name, tmp_path)
    capfd.readouterr()
    certificate = tmp_path / "certificate.json"
    assert run(["prove", "--model", str(path), "--out", str(certificate), "--quiet"]) == 0
    model = ["--model", str(path)]
    for words in (*([verb, *model] for verb in ("prove", "solve", "infer", "show")), ["check", str(certificate)]):
        assert run(words) == 0
        said = capfd.readouterr().out
        assert name not in said.replace(f'"{name}"', ""), (words[0], said)


def test_the_name_of_a_stressed_model_is_marked_as_one(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that says what the project did not: in quotes, on the page as on the terminal, nothing in it hidden."""
    name = "C1, proved \u202e<b>"
    model = Model(name, "a function")
    solver = check_solver(lambda instances: [0] * len(instances), seconds=1.0, sizes=[Sizes(2, ())])
    page = html_page(model, solver, (16,))
    shown = "&quot;C1, proved \\\\u202e&lt;b&gt;&quot;"
    assert f"<title>Stress test of {shown}</title>" in page
    assert name not in page
    assert "\u202e" not in page
    monkeypatch.setenv("COLUMNS", "200")
    print_report(StressReport(model, solver, "instances", 0, None, None), as_json=False)
    said = capfd.readouterr().out
    assert "C1, proved" not in said.replace('"C1, proved', "")
