"""docs/statements.md: every statement by its own texts, in the order of the book."""

from __future__ import annotations

from textwrap import fill

from proofs_checks import Statement, all_statements
from proofs_checks.kit.book import explanation
from tools.docs.block import block

WIDTH = 100


@block("docs/statements.md", "texts")
def texts() -> str:
    return "\n".join(section(own, explanation(own.id)) for own in all_statements())


def section(own: Statement, explained: str) -> str:
    """The title, the sentence, the formula, the explanation of its file, and what it leans on."""
    parts = [f"## {own.id} — {own.title}", _wrapped(f"*{own.english}*"), f"```math\n{own.latex}\n```"]
    parts += [each if each.startswith("    ") else _wrapped(each) for each in explained.split("\n\n")]
    leans = [(name, ids) for name, ids in (("Rests on", own.rests_on), ("Speaks of", own.speaks_of)) if ids]
    parts += [_wrapped("; ".join(f"{name} {', '.join(ids)}" for name, ids in leans) + ".")] if leans else []
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)
