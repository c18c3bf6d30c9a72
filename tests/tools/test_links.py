"""Links of the pages lead somewhere, and the map of the house names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAPS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"]
PAGES = [*MAPS[:2], ROOT / "corpus" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TOP = ("separation/", "constructions/", "proofs_checks/", "tests/", "tools/", "corpus/")
PLACEHOLDERS = re.compile(r"NAME|\bID\b|cN")


def anchors(text: str) -> set[str]:
    """As GitHub makes them of headings."""
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page: Path, text: str) -> list[str]:
    found = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        file, _, anchor = target.partition("#")
        other = (page.parent / file).resolve() if file else page
        known = not anchor or (other.is_file() and anchor in anchors(other.read_text(encoding="utf-8")))
        if not other.exists() or not known:
            found.append(target)
    return found


def missing_files(text: str) -> list[str]:
    """Paths of the house that a page names and that are not there."""
    named = [word for span in re.findall(r"`([^`\n]+)`", text) for word in span.split() if word.startswith(TOP)]
    return [path for path in named if not ((ROOT / path).exists() or PLACEHOLDERS.search(path))]


def test_links_lead_somewhere_and_maps_name_files_that_are_there() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert broken_links(page, text) == [], page
        assert broken_links(page, text + "[there](docs/nowhere.md) [here](#no-such-heading)") != []
    for page in MAPS:
        text = page.read_text(encoding="utf-8")
        assert missing_files(text) == [], page
        assert missing_files(text + "`separation/proving/prover_of_old.py`") != []


def test_the_paper_cites_what_its_bibliography_has() -> None:
    cited = set(re.findall(r"@(\w+)", (ROOT / "paper.md").read_text(encoding="utf-8")))
    assert cited == set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper.bib").read_text(encoding="utf-8"), flags=re.M))
