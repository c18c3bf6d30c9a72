"""python -m tools.lesson: what the teaching page shows and does not compute itself, as separation/lesson/record.json.

``--check`` writes nothing and says what differs. The book takes a minute; ``--cheap`` keeps it as it is stored.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from constructions.programs import function
from separation.architectures import shipped_configs
from separation.bounds import Budget, Word, bound
from separation.bounds.ceilings import ceiling
from separation.bounds.theorems.ceiling import chance
from separation.files import write_whole
from separation.programs import Program
from separation.tasks.funccomp import Sizes
from separation.verbs.audit import read_shipped
from separation.verbs.proofs import BookRow, proofs
from separation.verbs.report import shortened
from tools.lesson_players import knowledge, levels

ROOT = Path(__file__).parent.parent
FILE = ROOT / "separation" / "lesson" / "record.json"
CORPUS = ROOT / "corpus"
CHOSEN = {
    "a construction: C2, a recurrent layer and two full ones": "construction/c2-rff-delta.json",
    "a bound: Theorem A with two tables": "bound/a.json",
    "a bound with β one too large": "bound/a-beta-over.json",
    "a decision: no model of this word": "decision/not-a2.json",
    "a pair: two inputs that a hybrid answers alike": "pair/rf.json",
    "a pair whose transcript was forged": "pair/rf-transcript.json",
    "a construction whose invariant is too tight": "construction/c1-m2-radius-under.json",
    "a ceiling: no model of this word is more accurate": "ceiling/a2-average.json",
}
LONGEST = 400
"""Letters of a refusal, which may quote long numbers: its beginning is enough."""
BETA, LAMBDA = 8, 8
THRESHOLD_TABLES = (2, 3, 4)
CURVES = ("R", "RF", "FF", "F")
CURVE_N, CURVE_BETA, CURVE_LAMBDA = 4, 8, 8
CURVE_SIZES = tuple(round(2 ** (k / 2)) for k in range(2, 35))


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


def examples() -> list[dict[str, str]]:
    return [{"title": title, "text": (CORPUS / name).read_text(encoding="utf-8")} for title, name in CHOSEN.items()]


def programs() -> list[dict[str, Any]]:
    """Two programs of the gallery: as they are written, a prompt to begin with, what their rows mean, certificates."""
    chosen: tuple[tuple[str, dict[str, int], str, list[int], list[str | None], int | None], ...] = (
        ("parity", {}, "parity: is the number of ones so far odd?", [1, 0, 1, 1, 0, 1, 0, 1], ["odd so far"], None),
        (
            "induction",
            {"n": 8, "V": 3},
            "induction: what followed the latest earlier token like this one?",
            [0, 1, 2, 0, 1, 0, 2, 0],
            [None, "the token before", "what followed"],
            3,
        ),
    )
    return [
        {
            "title": title,
            "source": inspect.getsource(function(name)),
            "prompt": prompt,
            "words": words,
            "none": none,
            "text": certificate_text(function(name)(**sizes)),
        }
        for name, sizes, title, prompt, words, none in chosen
    ]


def certificate_text(program: Program) -> str:
    """By one head, as the page has a row for each definition as it is written."""
    return json.dumps(program.compile(bit_by_bit=False).prove().certificate, ensure_ascii=False)


def book() -> list[dict[str, Any]]:
    """Every statement as its check left it."""
    return [statement(row) for row in proofs().rows]


def statement(row: BookRow) -> dict[str, Any]:
    """One statement: what the page shows of it."""
    found = row.document()
    return {
        **{name: found[name] for name in ("id", "title", "english", "status", "scope", "rests_on", "in_coq", "ok")},
        "machine": [{"name": step["name"], "by": step["by"]} for step in found["steps"]],
        "method": "" if found["steps"] else found["method"],
        "hand": [step["name"] for step in found["by_hand"]],
        "twins": [{"name": twin["name"], "rejected": shortened(twin["rejected"], LONGEST)} for twin in found["twins"]],
    }


def models() -> list[dict[str, Any]]:
    """The shipped configurations: name, word, depth, the tokens that they are made for."""
    found = []
    for config in shipped_configs():
        word = read_shipped(config).word
        layers = {"word": str(word), "depth": word.depth}
        found.append({"name": config.name, "kind": config.kind, **layers, "context": config.context})
        found[-1]["source"] = config.source
    return found


def thresholds() -> dict[str, Any]:
    """log2 of the least prompt for L − 1 full layers: the papers', the golden schedule's, the shortest found."""
    rows = []
    for L in THRESHOLD_TABLES:
        found = bound(L, Budget(beta=BETA, total=LAMBDA)).document()
        rows.append(
            {
                "L": L,
                "paper": found["paper"]["tokens_log2"],
                "cpw": found["cpw"]["tokens_log2"],
                "golden": found["golden"]["tokens_log2"],
                "sharpest": found["ours"]["tokens_log2"],
                "tokens": found["ours"]["tokens"],
                "theorem": found["ours"]["theorem"],
            }
        )
    return {"beta": BETA, "lambda": LAMBDA, "rows": rows}


def ceilings() -> dict[str, Any]:
    """For L = 2: the largest accuracy that any model of a word can have, as the tables grow."""
    curves = []
    for text in CURVES:
        word = Word.parse(text)
        bits = word.separate_state_bits(CURVE_LAMBDA)
        points = []
        for m in sorted(set(CURVE_SIZES)):
            sizes = Sizes(m, (CURVE_N,))
            value = ceiling(word, m, (CURVE_N,), CURVE_BETA, bits).value
            points.append([sizes.length, round(float(value), 6), round(float(chance(m, (CURVE_N,))), 6)])
        curves.append({"word": text, "depth": word.depth, "points": points})
    return {"L": 2, "n": CURVE_N, "beta": CURVE_BETA, "lambda": CURVE_LAMBDA, "curves": curves}


PARTS: dict[str, Callable[[], Any]] = {
    "levels": levels,
    "models": models,
    "thresholds": thresholds,
    "ceilings": ceilings,
    "knowledge": knowledge,
    "examples": examples,
    "programs": programs,
    "book": book,
}


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
