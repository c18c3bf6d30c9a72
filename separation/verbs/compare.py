"""`compare`: words of layers side by side: depth, what they keep of a prompt, and how accurate they can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, Unpack

from separation.architectures import cached_numbers, read_config, word_or_config
from separation.bounds import Budget, Word, decide
from separation.bounds.theorems.ceiling import chance
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes
from separation.verbs.budgets import chosen_budget, require_few_levels, spelled
from separation.verbs.hard_sizes import accuracy
from separation.verbs.options import Argument, BudgetOptions, ProvedOnly, numbers, several
from separation.verbs.report import Parts, Report, named, shortened, styled, table_of, timed

EXAMPLES = (
    "compare RRRF FRRR --L 2 --m 64 --n 8 --beta 8 --lambda 8",
    "compare gpt2 jamba_v0_1 --L 2",
    "compare '(RRRF)2' R6F2 --heads 8 --dim 64 --bits 16 --state-bits 65536",
)
MOST_WORDS = 64
MOST_TABLES = 16
"""Beyond, a ceiling takes many seconds, and none below 1 was ever found at the example's sizes."""
EXAMPLE_M, EXAMPLE_N = 64, 8
LONGEST_WORD = 24


@timed
def compare(
    words: Annotated[
        str | Sequence[str],
        Argument(metavar="WORD...", help="Layers, e.g. RRRF FRRR (RF)2; or config.json files, or shipped ones."),
    ],
    *,
    L: Annotated[int | None, "Number of tables (default: one more than the least depth)."] = None,
    m: Annotated[int | None, "Sizes to compare at: m (default 64) ..."] = None,
    n: Annotated[int | Sequence[int] | None, "... and n_1,...,n_{L-1} (default 8 each).", numbers] = None,
    kv_heads: Annotated[int | None, "Heads with keys and values (default H)."] = None,
    proved_only: ProvedOnly = False,
    **given: Unpack[BudgetOptions],
) -> CompareReport:
    """At sizes L, m, n: by default one table more than the least deep word solves, m = 64 and n_ℓ = 8.

    A full layer keeps 2·(KV heads)·dim numbers of ``bits`` bits of every token; KV heads are as many as heads if they
    are not given. A config.json, or the name of a shipped one, brings heads and states of its own.
    """
    words, n = (words,) if isinstance(words, str) else words, several(n)
    if not words:
        raise InputError("no word is given; separation compare RRRF FRRR")
    if len(words) > MOST_WORDS:
        raise InputError(f"{len(words)} words are given; at most {MOST_WORDS} are compared")
    budget = chosen_budget(given)
    if kv_heads is not None:
        if budget.message is None:
            raise InputError("--kv-heads needs --heads, --dim and --bits")
        if require_integer("--kv-heads", kv_heads, 1) > budget.message.heads:
            raise InputError(f"--kv-heads is {kv_heads}, more than the {budget.message.heads} heads")
    subjects = [_of_word(word, budget, kv_heads) for word in words]
    if L is None:
        L = len(n) + 1 if n is not None else min(word.depth for word, _, _ in subjects) + 1
    require_few_levels(require_integer("L", L, 1))
    sizes = Sizes.from_lists(L, EXAMPLE_M if m is None else m, [EXAMPLE_N] * (L - 1) if n is None else list(n))
    rows = tuple({**row, **_accuracy(word, own, sizes, proved_only)} for word, own, row in subjects)
    return CompareReport(rows, sizes, budget, m is None or (n is None and L > 1))


def _of_word(text: str, budget: Budget, kv_heads: int | None) -> tuple[Word, Budget, dict[str, Any]]:
    """A word of layers, or else what a config.json or the name of a shipped one says: (word, its β and Λ, its row).

    Bytes are None where heads or state bits are not known.
    """
    cached: int | None = None
    state: int | None = None
    asked = word_or_config(text)
    if isinstance(asked, Word):
        word = asked
        if budget.message is not None:
            cached = word.full * 2 * (kv_heads or budget.message.heads) * budget.message.dim
        if budget.state_bits is not None or not word.recurrent:
            state = word.recurrent * (budget.state_bits or 0)
    else:
        model = read_config(asked)
        word, budget = model.word, Budget(message=model.message, by_block=model.state_bits)
        cached, state = cached_numbers(asked, model), sum(model.states)
    row = {
        "name": spelled(word) if word is asked else text,
        "config": word is not asked,
        "word": str(word),
        "layers": len(word.layers),
        "full": word.full,
        "recurrent": word.recurrent,
        "depth": word.depth,
        "kv_bytes_per_token": None if cached is None or not budget.message else -(-cached * budget.message.bits // 8),
        "state_bytes": None if state is None else -(-state // 8),
        "chain_of_thought": "C5" if word.full else None,
    }
    return word, budget, row


def _accuracy(word: Word, budget: Budget, sizes: Sizes, proved_only: bool) -> dict[str, Any]:
    """The largest share of random inputs that any weights of the word can be right on, and by which theorem."""
    if word.depth < sizes.L and sizes.L > MOST_TABLES:
        raise InputError(
            f"L is {sizes.L}; the accuracy of words that do not solve it is bounded for at most {MOST_TABLES} tables"
        )
    decision = decide(word, sizes.L, replace(budget, assumed=False), sizes, proved_only=proved_only)
    return {**named(decision, "solvable", "construction"), **accuracy(decision)}


class CompareReport(Report):
    """The words in the order in which they were given, all at the same sizes and with the same heads and states."""

    rows: tuple[dict[str, Any], ...]
    sizes: Sizes
    budget: Budget
    example_sizes: bool

    @property
    def chance(self) -> Fraction:
        return chance(self.sizes.m, self.sizes.n)

    def facts(self) -> dict[str, Any]:
        return {
            **named(self.sizes, "L", "m", "n"),
            "tokens": self.sizes.length,
            "beta": self.budget.beta_at(self.sizes.length),
            "assumed": {"sizes": self.example_sizes, "budget": self.budget.assumed},
            "chance": str(self.chance),
            "rows": self.rows,
        }

    def parts(self) -> Parts:
        """The words, then at which sizes and for which numbers the accuracies hold."""
        table = []
        for row in self.rows:
            below = "not bounded" if row["solvable"] is None else "below 100 %"
            share = below if row["ceiling_float"] >= 1 else f"{100 * row['ceiling_float']:.3g} %"
            solved, name = row["construction"], shortened(row["name"], LONGEST_WORD)
            kept = (row["depth"], row["kv_bytes_per_token"], row["state_bytes"])
            table.append((name, *kept, "100 %" if solved else share, solved or row["theorem"]))
        columns = ("word", "depth", "KV bytes/token", "state bytes", "accuracy at most", "by")
        yield table_of(*columns, right_from=1, rows=table)
        sizes, assumed = self.sizes, self.budget.assumed
        where = f"L = {sizes.L}, m = {sizes.m}, n = ({', '.join(map(str, sizes.n))}): {sizes.length:,} tokens"
        budget = "β = Λ = 8" if assumed else f"β = {self.budget.beta_at(sizes.length):,}"
        examples = [text for text, some in ((where, self.example_sizes), (budget, assumed)) if some]
        budget += " (of words; configs have their own)" if any(row["config"] for row in self.rows) else ""
        yield f"\nAt {where}, {budget}; a guess is right {float(self.chance):.3g} of the time."
        if examples:
            yield f"An example, as nothing else was given: {'; '.join(examples)}."
        for name, known in {row["theorem"]: row["known"] for row in self.rows if row["theorem"]}.items():
            yield styled("dim", f"Theorem {name}: {known}")
