"""Certificates of every kind that a reader can check with one press, taken from the corpus."""

from __future__ import annotations

from pathlib import Path

CORPUS = Path(__file__).parent.parent.parent / "corpus"
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


def examples() -> list[dict[str, str]]:
    return [{"title": title, "text": (CORPUS / name).read_text(encoding="utf-8")} for title, name in CHOSEN.items()]
