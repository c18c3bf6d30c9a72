"""The hook of mkdocs.yml: pages that are not files of docs/, written while the site is built.

README.md is the first page, CONTRIBUTING.md, CHANGELOG.md and corpus/README.md are pages, `api.md` is made of the
public names, and the lesson is built and embedded. Links between files of the repository become links between pages;
a link to a file that is no page is shown as its path.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import separation
from separation.lazily import homes_of
from separation.lesson import lesson_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "corpus/README.md": "corpus.md",
}
"""A file of the repository outside docs/, and its page."""
TIGHT = re.compile(r"^((?![-*#|>]|\d+\.| |<!--).+\n)(?=(?:[-*]|1\.) )", flags=re.MULTILINE)
"""A line of text with a list right behind it, which Python's Markdown would not take for one."""
CODE = re.compile(r"(```.*?```|`[^`\n]*`)|([^`]+)", flags=re.DOTALL)
"""Code, or text: there `x[a][1]` is no link."""
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
LESSON = """
<iframe class="lesson" src="lesson_page.html" title="The lesson"></iframe>

[The lesson on a page of its own](lesson_page.html)
"""
API = """# Python API

Every public name, from its docstring and its types. A verb of the command line is a function that returns a report:
`ok`, `document()` for programs, `str(report)` for people.
"""
ROOMS = {
    "separation.programs": "Write a task as a program",
    "separation.verbs": "Verbs",
    "separation.tasks": "Tasks",
    "separation.models": "Models",
    "separation.arithmetic": "Numbers",
    "separation.proving": "Proofs",
    "constructions": "Constructions",
    "separation.testing": "Test a solver",
    "separation.files": "Errors",
}


def public_names() -> dict[str, list[str]]:
    """Of each room the full names that are public: of the package itself, of programs and of testing."""
    from separation import programs, testing

    homes = homes_of(separation.__file__)
    full = [
        *(f"{home}.{name}" for name, (home, _) in homes.items() if name != "__version__"),
        *(f"{module.__name__}.{name}" for module in (programs, testing) for name in module.__all__),
    ]
    return {room: sorted({name for name in full if name.startswith(f"{room}.")}) for room in ROOMS}


def api_page() -> str:
    parts = [API]
    for room, names in public_names().items():
        parts += [f"\n## {ROOMS[room]}\n", *(f"\n::: {name}\n" for name in names)]
    return "".join(parts)


def relinked(text: str, source: str, page: str) -> str:
    """The text of a file of the repository as a page of the site: its links lead to pages."""

    def link(found: re.Match[str]) -> str:
        picture, name, target = found.groups()
        file, mark, anchor = target.partition("#")
        if "://" in target or not file:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
        known = PAGES.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        if known is None:
            return name if name.startswith("`") or path in name else f"{name} (`{path}`)"
        return f"{picture}[{name}]({posixpath.relpath(known, posixpath.dirname(page) or '.')}{mark}{anchor})"

    return LINK.sub(link, text)


def math_block(source: str, *_: Any, **__: Any) -> str:
    """A block of LaTeX as MathML, which browsers draw themselves."""
    from latex2mathml.converter import convert

    known = (
        source.replace(r"\langle", "⟨").replace(r"\rangle", "⟩").replace(r"\quad", r"\quad ")
    )  # it knows no such names
    return f'<div class="math">{convert(known, display="block")}</div>'


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for source, page in PAGES.items():
        files.append(
            File.generated(config, page, content=relinked((ROOT / source).read_text(encoding="utf-8"), source, page))
        )
    files.append(File.generated(config, "api.md", content=api_page()))
    files.append(File.generated(config, "lesson_page.html", content=lesson_page()))
    return files


def _as_text(part: re.Match[str]) -> str:
    return TIGHT.sub(r"\1\n", part[0].replace("][", "]\\[")) if part[2] else part[0]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    source = page.file.src_uri
    if source in (*PAGES.values(), "api.md"):
        return markdown if source == "api.md" else CODE.sub(_as_text, markdown)
    text = CODE.sub(_as_text, relinked(markdown, f"docs/{source}", source))
    title, between, rest = text.partition("\n## ")
    return title + LESSON + between + rest if source == "lesson.md" else text
