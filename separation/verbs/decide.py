"""`decide`: can a word of layers solve L-FuncComp, by which construction, or by which theorem not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Unpack

from separation import bounds
from separation.bounds import Decision, log2_float
from separation.bounds import decide as decide_word
from separation.files import InputError, require_writable
from separation.tasks.checks import require_one_of
from separation.tasks.funccomp import Sizes
from separation.verbs.budgets import chosen_budget, require_few_levels, spelled, word_of, write_accepted
from separation.verbs.options import (
    EFFORTS,
    Argument,
    BudgetOptions,
    Certificate,
    Choice,
    Effort,
    Option,
    ProvedOnly,
    Theorem,
    numbers,
    several,
)
from separation.verbs.report import Parts, Report, count, escape, facts_table, shortened, timed, written

HELP = """
Example: separation decide RFFR --L 3
         separation decide --sparse-layers 2 --length 64 --block 4 --open 2
"""
VERDICTS = {True: "[green]solvable[/green]", False: "[red]not solvable[/red]", None: "[yellow]not decided[/yellow]"}
CHAIN_OF_THOUGHT = {
    "C5": "with one, a single full layer is enough: C5 solves it at all sizes",
    None: "does not help: Theorem C holds with one of any length",
}
SHOWN_DIGITS = 20
LONGEST_WORD, MANY_NUMBERS = 60, 12


@timed
def decide(
    word: Annotated[str, Argument(metavar="WORD", help="Layers, e.g. RFFR, F3, (RRF)4, W(128)F, K(8192)F, [FR]F.")],
    *,
    L: Annotated[int, Option(help="Number of tables, L >= 1.")],
    m: Annotated[int | None, Option(help="Ask about exactly these sizes: m ...")] = None,
    n: Annotated[int | Sequence[int] | None, Option(help="... and n_1,...,n_{L-1}."), numbers] = None,
    pad: Annotated[int, Option(help="Neutral tokens between z_0 and w, over which a window must reach to count.")] = 0,
    example: Annotated[
        bool, Option(help="Without beta and lambda: show the sizes for an example, beta = lambda = 8.")
    ] = False,
    theorem: Theorem = None,
    effort: Effort = "quick",
    proved_only: ProvedOnly = False,
    out: Certificate = None,
    **budget: Unpack[BudgetOptions],
) -> DecideReport:
    """Solvable at all sizes, or not (with the smallest sizes found at which that is certified), or at exactly m and n.

    β and Λ (``state_bits``) directly, or from heads, dim, bits and ``layer_state_bits``; an example if neither.
    What is not decided has nothing to certify: then nothing is written to ``out``.
    """
    require_one_of("effort", effort, EFFORTS)
    require_writable(out)
    if pad and (m is not None or theorem is not None or proved_only or out is not None):
        raise InputError(
            "--pad is about all sizes and has no certificate: leave out --m, --theorem, --proved-only, --out"
        )
    require_few_levels(L)
    if m is None and n is not None:
        raise InputError("--n needs --m: sizes are m and n_1, …, n_{L-1}")
    sizes = None if m is None else Sizes.from_lists(L, m, list(several(n) or ()))
    options: dict[str, Any] = {"theorem": theorem, "proved_only": proved_only, "pads": pad}
    parsed = word_of(word)
    decision = decide_word(parsed, L, chosen_budget(budget, parsed), sizes, **options)
    wanted = None if decision.solvable is None else out
    written = write_accepted(wanted, lambda: bounds.decision_certificate(decision))
    return DecideReport(decision, written, example)


command = Choice(decide, sparse_layers=(None, "sparse.decide_sparse_layers"))


class DecideReport(Report):
    """A decision; answered, unless nothing was found at the sizes asked. ``example``: show also what was assumed."""

    decision: Decision
    out: Path | None = None
    example: bool = False

    @property
    def ok(self) -> bool:
        return self.decision.solvable is not None

    def facts(self) -> dict[str, Any]:
        return {**self.decision.document(), "word": spelled(self.decision.word), "certificate": self.out}

    def parts(self) -> Parts:
        """The verdict in a sentence; why, and the sizes at which it is certified (an example's only if asked for)."""
        facts = self.document()
        hard, below = facts["hard_sizes"], (facts["ceiling_float"] or 1) < 1
        most = f"at most {100 * facts['ceiling_float']:.4g} %" if below else "no ceiling below 100 %"
        behind = f" behind {count(int(facts['pads']), 'pad')}" if "pads" in facts else ""
        thoughts = None if facts["solvable"] else CHAIN_OF_THOUGHT[facts["chain_of_thought"]["construction"]]
        assumed = hard is not None and hard["assumed"] and not self.example
        yield escape(sentence(facts))
        yield facts_table(
            [
                ("word", escape(shortened(facts["word"], LONGEST_WORD))),
                ("depth", f"{facts['depth']}{behind}"),
                ("L", facts["L"]),
                ("verdict", VERDICTS[facts["solvable"]]),
                ("why", escape(facts["reason"])),
                ("construction", facts["construction"]),
                ("theorem", facts["theorem"] and f"{facts['theorem']}, {facts['known']}"),
                ("accuracy", None if facts["ceiling"] is None else f"{most}, on random inputs of these sizes"),
                ("chain of thought", thoughts),
                *([] if hard is None or assumed else size_rows(hard)),
            ]
        )
        if assumed:
            yield "How long such a prompt is depends on β and Λ: give --beta and --lambda, or --example."
        yield written("certificate", self.out)
        if facts["solvable"] is None:
            yield "no certificate: nothing was decided"


def sentence(facts: dict[str, Any]) -> str:
    """The answer in plain words."""
    word, L = shortened(facts["word"], LONGEST_WORD), facts["L"]
    tables = count(L, "table")
    tables += f" with {count(int(facts['pads']), 'pad')} between z_0 and w" if "pads" in facts else ""
    if facts["solvable"]:
        where = " at these sizes" if facts["construction"] == "C3" else ", at every size"
        where += " at which z_0 and w stand in one chunk" if "in one chunk" in facts["reason"] else ""
        return f"Some weights of {word} follow {tables} in one pass{where}."
    if facts["solvable"] is None:
        return f"Not decided: whether weights of {word} follow {tables} in one pass at these sizes is not known."
    hard = facts["hard_sizes"]
    if facts["ceiling"] is not None:
        return f"No weights of {word} follow {tables} in one pass at these sizes, with these β and Λ."
    if hard["assumed"]:
        start = "Whatever its heads and states, there are sizes at which no weights of"
        return f"{start} {word} follow {tables} in one pass."
    return f"No weights of {word} with these β and Λ follow {tables} in one pass: certified at {prompt_text(hard)}."


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
    most = sizes.get("ceiling") and f"at most {100 * sizes['ceiling_float']:.4g} % on random inputs"
    yield "accuracy", most or None
    tokens = sizes["tokens"]
    exact = f"{int(tokens):,} = " if tokens is not None and len(str(tokens)) <= SHOWN_DIGITS else ""
    yield "prompt", f"{exact}2^{log2_text(sizes['tokens_log2'])} tokens"


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
