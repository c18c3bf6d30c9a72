"""From options to a word of layers and to what it may send, β and Λ; refused where no search could be done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from separation.bounds.budget import Budget
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer, shown
from separation.verbs.options import BudgetOptions, File, flags, only_given

SPELLED_LAYERS = 12
MAX_L = 128
MAX_BITS = 4096
MAX_BLOCK = 256
MAX_BUDGET = 10**18  # bits; the search for sizes computes with floats and 64-bit integers


def word_of(text: str) -> Word:
    """A word of layers, in capital letters or not."""
    return Word.parse(text.upper() if isinstance(text, str) else text)


def spelled(word: Word) -> str:
    """A short word letter by letter, as it was typed; a long one with its runs counted.

    >>> spelled(word_of("rffr")), spelled(word_of("R30F"))
    ('RFFR', 'R30F')
    """
    if len(word.layers) > SPELLED_LAYERS or any(word.carriers):
        return str(word)
    return "".join(str(type(word)((layer,))) for layer in word.layers)


def require_no_thoughts(word: Word, thoughts: int | None) -> None:
    """With a chain of thought only R alone has a theorem (C'), which holds for any number of tokens."""
    if thoughts is not None and require_integer("thoughts", thoughts, 0) > 0 and word.full:
        raise InputError(
            f"{word} has a full layer: with a chain of thought it solves every L (C5), and no theorem applies to it"
        )


def require_few_levels(L: int) -> None:
    """At most MAX_L tables."""
    if L > MAX_L:
        raise InputError(f"L is {L}; at most {MAX_L} is accepted")


def chosen_budget(options: BudgetOptions, word: Word | None = None) -> Budget:
    """β and Λ, or heads, dim and bits, as they were given; a ``word`` without F sends nothing, so its β is 1."""
    given = only_given(options)
    if word is not None and word.full == 0 and given.keys() <= {"state_bits"} and given:
        given["beta"] = 1
    budget = given.pop("budget", None)
    if budget is not None and given:
        raise InputError(f"a budget has all of its numbers: leave out {flags(given)}")
    budget = Budget.of(**given) if budget is None else budget
    require_modest_budget(budget)
    return budget


def require_modest_budget(budget: Budget) -> None:
    """No message and no state of more than MAX_BUDGET bits."""
    states = (budget.total, budget.state_bits, *(budget.by_block or ()))
    for name, bits in (("beta", budget.beta_at(1)), *(("lambda", bits) for bits in states)):
        if bits is not None and bits > MAX_BUDGET:
            raise InputError(f"{name} is {shown(bits)} bits; at most 10^18 are accepted")


def require_ranges(given: dict[str, Any]) -> None:
    ranges = {"bits": (1, MAX_BITS), "score_bits": (0, MAX_BITS), "block": (1, MAX_BLOCK), "opened": (0, None)}
    for name, (least, most) in ranges.items():
        value = given.get(name)
        if value is not None and (value < least or (most is not None and value > most)):
            allowed = f"{least} and above" if most is None else f"{least}..{most}"
            raise InputError(f"{name.replace('_', '-')} is {value}; allowed are {allowed}")


def write_accepted(out: File, certificate: Callable[[], dict[str, Any]]) -> Path | None:
    """A certificate of a bound or a decision, if one is asked for: written once the kernel has accepted it."""
    if out is None:
        return None
    from separation.proving import accepted, write_certificate

    write_certificate(out, accepted(certificate()))
    return Path(out)
