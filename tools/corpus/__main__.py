"""python -m tools.corpus: rewrites corpus/; with --check it writes nothing and says what differs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from separation.files import write_whole
from tools.corpus import (
    bounds,
    changed_pairs,
    constructions,
    decisions,
    limits,
    look_ups,
    pairs,
    selection,
    sharper,
    single_rules,
    texts,
    variants,
    wrong_constructions,
)
from tools.corpus.entries import EXPECTATIONS, KINDS, Entry

FOLDER = Path(__file__).parent.parent.parent / "corpus"
PARTS = (
    constructions,
    variants,
    wrong_constructions,
    selection,
    look_ups,
    bounds,
    decisions,
    sharper,
    pairs,
    changed_pairs,
    single_rules,
    texts,
    limits,
)


def entries() -> Iterator[Entry]:
    """All entries, kind by kind; the name of a file is there once."""
    found = [entry for part in PARTS for entry in part.entries()]
    assert len({entry.file for entry in found}) == len(found)
    assert all(entry.kind in KINDS and entry.expect in EXPECTATIONS for entry in found)
    yield from sorted(found, key=lambda entry: KINDS.index(entry.kind))


def manifest() -> bytes:
    """A list with one line for each entry."""
    lines = [json.dumps(entry.line(), ensure_ascii=False) for entry in entries()]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


def differences(folder: Path) -> list[str]:
    """What stands in the folder otherwise than it would be written, or should not be there."""
    wanted = {entry.file for entry in entries()}
    there = {path.relative_to(folder).as_posix() for path in folder.glob("*/*") if path.suffix != ".pyc"}
    wrong = [f"{name}: should not be there" for name in sorted(there - wanted)]
    if not (folder / "manifest.json").exists() or (folder / "manifest.json").read_bytes() != manifest():
        wrong.append("manifest.json: differs")
    for entry in entries():
        path = folder / entry.file
        if not path.exists() or path.read_bytes() != entry.text():
            wrong.append(f"{entry.file}: differs")
    return wrong


def write(folder: Path) -> int:
    """Writes all files and the manifest; returns how many certificates."""
    count = 0
    for count, entry in enumerate(entries(), 1):
        (folder / entry.kind).mkdir(parents=True, exist_ok=True)
        write_whole(folder / entry.file, entry.text())
        if count % 50 == 0:
            print(f"{count} files", file=sys.stderr)
    write_whole(folder / "manifest.json", manifest())
    return count


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.corpus", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write (corpus/)")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 if something differs")
    options = parser.parse_args()
    if not options.check:
        print(f"{write(options.folder)} certificates in {options.folder}")
        return 0
    wrong = differences(options.folder)
    print("\n".join(wrong) if wrong else "all files are as they would be written")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
