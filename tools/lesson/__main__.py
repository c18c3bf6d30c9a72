"""python -m tools.lesson: writes separation/lesson/record.json; --check writes nothing and says what differs.

The book takes a minute; ``--cheap`` keeps it as it is stored.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from separation.files import write_whole
from tools.lesson.book import book
from tools.lesson.examples import examples
from tools.lesson.hierarchy import ceilings, models, thresholds
from tools.lesson.knowledge import knowledge
from tools.lesson.levels import levels

FILE = Path(__file__).parent.parent.parent / "separation" / "lesson" / "record.json"
PARTS: dict[str, Callable[[], Any]] = {
    "levels": levels,
    "models": models,
    "thresholds": thresholds,
    "ceilings": ceilings,
    "knowledge": knowledge,
    "examples": examples,
    "book": book,
}


def text_of(record: dict[str, Any]) -> str:
    """One line for each part, or for each of its entries: differences can be read."""
    parts = []
    for name, value in record.items():
        if isinstance(value, list):
            rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in value)
            parts.append(f"{json.dumps(name)}: [\n{rows}\n]")
        else:
            parts.append(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.lesson", description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--cheap", action="store_true")
    options = parser.parse_args(words)
    stored = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    record = {
        name: stored[name] if options.cheap and name == "book" and name in stored else part()
        for name, part in PARTS.items()
    }
    record = json.loads(json.dumps(record))
    if not options.check:
        write_whole(FILE, text_of(record))
        return 0
    different = [name for name in record if record[name] != stored.get(name)]
    for name in different:
        print(f"{FILE.name}: {name} is not what it would be; python -m tools.lesson writes it", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
