"""The page as a file: the bundler, what is embedded, the verb, and the record against the project as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from proofs_checks import all_statements
from separation.bench.processes import lesson_page as benchmark
from separation.lesson import MAX_BYTES, lesson_page
from separation.lesson.page import RECORD, SOURCE, BundleError, bundle, embedded, stored_record
from separation.verbs.command_line import run as command
from separation.verbs.lesson import write_lesson
from tools.lesson import examples, text_of
from tools.lesson_players import levels


def outline() -> list[dict[str, Any]]:
    """What can be said of the book without checking it: a stored record must agree with it."""
    shown = ("id", "title", "english", "rests_on", "twins")
    return [{name: as_stored(getattr(own, name)) for name in shown} for own in all_statements()]


def as_stored(value: Any) -> Any:
    return value if isinstance(value, str) else list(value)


def outline_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same of a stored record."""
    plain = ("id", "title", "english", "rests_on")
    return [{**{name: row[name] for name in plain}, "twins": [twin["name"] for twin in row["twins"]]} for row in rows]


def modules(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.mjs").write_text(text, encoding="utf-8")
    return folder / "main.mjs"


def test_modules_become_one_script_in_the_order_of_need(tmp_path: Path) -> None:
    entry = modules(
        tmp_path,
        main='import { two as pair, one } from "./b.mjs";\nimport { three } from "./a.mjs";\npair(one, three);',
        b='import { three } from "./a.mjs";\nexport const one = 1;\nexport function two() {}\n',
        a="const hidden = 3;\nexport { hidden as_is };\n".replace("hidden as_is", "three").replace("hidden", "three"),
    )
    script = bundle(entry)
    assert [*re.findall(r"^const (\$\w+) = await", script, re.MULTILINE)] == ["$a", "$b", "$main"]
    assert "const { two: pair, one } = $b;" in script
    assert "return { one, two };" in script
    assert "import " not in script
    assert "export" not in script


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('import x from "./a.mjs";', "not read"),
        ('import * as x from "./a.mjs";', "not read"),
        ("export default 1;", "not read"),
        ("export let x = 1;", "not read"),
        ("export { a as b };", "not read"),
        ('const x = "</script>";', "</script"),
        ('import { x } from "./main.mjs";', "imports itself"),
    ],
)
def test_other_forms_are_refused_and_never_guessed(text: str, said: str, tmp_path: Path) -> None:
    entry = modules(tmp_path, main=text, a="export const x = 1;")
    with pytest.raises(BundleError, match=re.escape(said)):
        bundle(entry)


def test_what_is_embedded_cannot_end_its_element() -> None:
    hostile = {"name": "</script><script>alert(1)</script>", "line": "a\u2028b", "comment": "<!--"}
    text = embedded(hostile)
    assert "<" not in text
    assert "\u2028" not in text
    assert json.loads(text) == hostile
    page = lesson_page({**stored_record(), **hostile})
    assert "alert(1)</script>" not in page


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    page = lesson_page()
    assert len(page.encode()) < MAX_BYTES
    assert page.count("<script") == 2
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)


def test_no_module_reads_markup() -> None:
    for file in SOURCE.glob("*.mjs"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", file.read_text()), file


def test_the_verb_writes_the_page_and_opens_it(tmp_path: Path) -> None:
    asked: list[str] = []
    out = tmp_path / "lesson.html"
    report = write_lesson(out, show=True, browser=lambda address: bool(asked.append(address) is None))
    assert report.ok
    assert asked == [out.resolve().as_uri()]
    assert out.read_text(encoding="utf-8") == lesson_page()
    assert not write_lesson(out, show=True, browser=lambda _address: False).ok


def test_the_command_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "lesson.html"
    assert command(["lesson", "--out", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"ok": True, "path": str(out), "bytes": out.stat().st_size, "opened": None}
    assert command(["lesson", "--out", str(out)]) == 0
    assert "one file" in capsys.readouterr().out.replace("\n", " ")


def test_the_record_speaks_of_the_book_as_it_is() -> None:
    """python -m tools.lesson writes it again."""
    assert outline_of(stored_record()["book"]) == outline()


def test_no_refusal_is_the_name_of_an_object() -> None:
    said = [twin["rejected"] for row in stored_record()["book"] for twin in row["twins"]]
    assert len(said) > 200
    assert not any(" object at 0x" in text or not text.strip() for text in said)


def test_the_record_has_what_the_quick_parts_would_find() -> None:
    stored = stored_record()
    assert stored["levels"] == json.loads(json.dumps(levels()))
    assert stored["examples"] == examples()
    assert text_of(stored) == RECORD.read_text(encoding="utf-8")
    twin = {**stored, "book": stored["book"][1:]}
    assert outline_of(twin["book"]) != outline()


@pytest.mark.slow
def test_the_whole_record_is_what_python_finds_today() -> None:
    from tools.lesson import main

    assert main(["--check"]) == 0


def test_without_a_browser_the_benchmark_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separation.bench.processes.shutil.which", lambda _name: None)
    report = benchmark(True)
    assert report.rows == ()
    assert "needs Chromium" in report.notes[0]
