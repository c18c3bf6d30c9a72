"""Certified sizes in words: β, Λ, m, n and the prompt, whose numbers may have thousands of digits; and accuracies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from separation.bounds.known import how_known
from separation.bounds.powers import log2_float
from separation.verbs.report import count

if TYPE_CHECKING:
    from separation.bounds import Decision

SHOWN_DIGITS = 20
LONGEST_WORD, MANY_NUMBERS = 60, 12


def prompt_text(sizes: dict[str, Any]) -> str:
    """The length of a prompt in words: a number up to 20 digits, else a power of two."""
    tokens = sizes["tokens"]
    exact = tokens is not None and len(str(tokens)) <= SHOWN_DIGITS
    return f"a prompt of {f'{int(tokens):,}' if exact else '2^' + log2_text(sizes['tokens_log2'])} tokens"


def size_rows(sizes: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    """β, Λ, m, n and the prompt length at which an impossibility is certified."""
    assumed = " (an example: none were given)" if sizes.get("assumed") else ""
    yield "β", None if sizes["beta"] is None else count(int(sizes["beta"]), "bit", long_number(sizes["beta"])) + assumed
    logarithms = sizes.get("sizes_log2", {})
    if "reaches" in sizes:
        reach, behind = sizes["reaches"]
        yield "windows", "reach {} back before the full layer, {:,} behind it".format(count(reach, "token"), behind)
    else:
        yield "Λ", bits_text(sizes["lambda"])
    yield "certified at m", listed_numbers([sizes["m"]], [logarithms.get("m")])
    for name in ("n", "x"):
        yield name, listed_numbers(sizes[name], logarithms.get(name)) if sizes.get(name) else None
    chosen = sizes.get("parameters") or {}
    yield "by", ", ".join(f"{name} = {long_number(value)}" for name, value in chosen.items()) or None
    identity = sizes.get("identity_tables")
    yield "identity", f"the last {identity} of the tables, in front of the prompt" if identity else None
    most = sizes.get("ceiling") and f"at most {percent(sizes['ceiling_float'])} on random inputs"
    yield "accuracy", most or None
    tokens = sizes["tokens"]
    exact = f"{int(tokens):,} = " if tokens is not None and len(str(tokens)) <= SHOWN_DIGITS else ""
    yield "prompt", f"{exact}2^{log2_text(sizes['tokens_log2'])} tokens"


def accuracy(decision: Decision) -> dict[str, Any]:
    """The largest share of random inputs that any weights of the word can be right on, and by which theorem."""
    most = decision.ceiling.value if decision.ceiling is not None else Fraction(1)
    theorem = decision.ceiling.theorem if decision.ceiling is not None and most < 1 else decision.theorem
    known = None if theorem is None else how_known(theorem)
    return {"ceiling": str(most), "ceiling_float": float(most), "theorem": theorem, "known": known}


def percent(share: float) -> str:
    """Digits enough to be different from 0 and from 100."""
    return f"{100 * share:.4g} %"


def bits_text(values: list[Any]) -> str:
    return f"{listed_numbers(values)} bit{'' if [str(value) for value in values] == ['1'] else 's'}"


def long_number(value: Any) -> str:
    """A number of up to 20 digits, else the power of two it is next to."""
    if value is None:
        return "–"
    text = str(value)
    if len(text) <= SHOWN_DIGITS:
        return f"{int(value):,}" if text.isdigit() else text
    return f"2^{log2_text(log2_float(int(value)))}" if text.isdigit() else f"{text[:12]}…"


def log2_text(value: float | None) -> str:
    return "–" if value is None else f"{value:,.2f}" if value < 1e6 else f"{value:.4g}"


def listed_numbers(values: list[Any], logarithms: list[float | None] | None = None) -> str:
    """Numbers, those too long to write as powers of 2; equal ones are counted, of many the first and last are shown."""
    known = logarithms or [None] * len(values)
    texts = [long_number(v) if v is not None else f"2^{log2_text(known[k])}" for k, v in enumerate(values)]
    if len(texts) > 2 and len(set(texts)) == 1:
        return f"{texts[0]} ({len(texts)} times)"
    if len(texts) > MANY_NUMBERS:
        texts = [*texts[:2], f"… {len(texts) - 4} more …", *texts[-2:]]
    return ", ".join(texts)
