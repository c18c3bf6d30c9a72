"""Single changes of a document with what is said about them: chosen so that every text comes up, kept as JSON."""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "certificates"))
from document_mutations import mutations, nodes, put

Document = dict[str, Any]
Change = tuple[tuple[Any, ...], Any]
Judge = Callable[[Any], list[str]]  # a verdict in a word, then the text


def changes(document: Document) -> Iterator[Change]:
    """Single changes; `mutations` is for what a construction holds, without null and without numbers of 300 digits."""
    for path, value in nodes(document):
        if value is None:
            others: Iterable[Any] = (0, 1, [1], {}, "x")
        elif isinstance(value, str) and value.isdigit() and len(value) > 300:
            others = (str(int(value) + step) for step in (1, -1))
        else:
            others = mutations(value)
        yield from ((path, other) for other in others if path and other != value)


def chosen(
    document: Document, judge: Judge, groups: Iterable[Iterable[Change]], *, tried: int, kept: int, seconds: float
) -> list[list[Any]]:
    """[path, value, verdict, text] of some of `tried` changes of each group, at most `kept` that say the same.

    Texts are the same if they differ in numbers alone. All that are kept take about `seconds` to judge: what takes
    more than a tenth of what is left is not kept.
    """
    rng, seen, result = random.Random(0), Counter[tuple[str, str]](), []
    for group in map(list, groups):
        for path, value in rng.sample(group, min(len(group), tried)):
            start = time.process_time()
            verdict, text = judge(put(document, path, value))
            taken = time.process_time() - start
            key = verdict, re.sub(r"\d+", "0", text)
            if seen[key] < kept and taken < seconds / 10:
                seen[key] += 1
                seconds -= taken
                result.append([list(path), value, verdict, text])
    return result


def write(path: Path, record: Document) -> None:
    """One line for each case, so that a difference can be read."""
    lines = [f"{json.dumps(name)}: {json.dumps(case, separators=(',', ':'))}" for name, case in record.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
