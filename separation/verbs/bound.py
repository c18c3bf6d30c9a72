"""`bound`: the shortest prompt found at which an impossibility is certified, next to what the papers ask for.

`bound --exponents` and `--bracket` are in `bound_exponents`, `bound --sparse` is in `sparse`.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from separation import bounds
from separation.bounds import Bound, Budget, Evaluation, cpw_prompt, length_to_document, paper_prompt
from separation.bounds import bound as find_bound
from separation.bounds.compared import by_theorem, with_r_in_every_block, word_of_question
from separation.bounds.known import how_known, with_knowledge
from separation.bounds.shortest import Found
from separation.bounds.word import Word
from separation.files import InputError, require_writable
from separation.progress import Progress, silent
from separation.tasks.checks import require_one_of
from separation.verbs.budgets import (
    chosen_budget,
    require_few_levels,
    require_modest_budget,
    require_no_thoughts,
    require_ranges,
    spelled,
    word_of,
    write_accepted,
)
from separation.verbs.hard_sizes import LONGEST_WORD, log2_text, long_number, percent, prompt_text, size_rows
from separation.verbs.options import (
    EFFORTS,
    BudgetOptions,
    Certificate,
    Choice,
    Effort,
    File,
    Option,
    ProvedOnly,
    Theorem,
    asked_of,
    flags_given,
    share,
)
from separation.verbs.report import (
    Parts,
    Report,
    Unbroken,
    Verbatim,
    count,
    facts_table,
    shortened,
    table_of,
    timed,
    written,
)

if TYPE_CHECKING:
    from separation.architectures import ConfigBound
    from separation.bounds.symbolic import SymbolicTheorem

EXAMPLES = (
    "bound --L 3 --heads 8 --dim 64 --bits 16 --linear-layers 24 --state-bits 1048576",
    "bound --L 2 --heads 1 --dim 1 --accumulate float32 --lambda 0",
    "bound --L 2 --word RF --beta 8 --lambda 8 --accuracy 0.5",
    "bound --exponents --figure exponents.png",
    "bound --sparse --modulus 11 --block 3 --open 1 --blocks 4",
)


class Question(BudgetOptions, total=False):
    """Of which models and tables the shortest prompt is asked for, and of which theorems."""

    L: Annotated[int | None, "Number of tables, L >= 1."]
    linear_layers: Annotated[int | None, "Number of R layers, all charged to every Lambda_t."]
    full_layers: Annotated[int | None, "Full layers: L-1 (default), L (Theorem B), 0."]
    thoughts: Annotated[int | None, "Tokens of a chain of thought before the answer."]
    config: Annotated[File, "A Hugging Face config.json, or the name of a shipped one, instead of numbers."]
    word: Annotated[str | None, "The layers in their order, e.g. RFF (instead of their numbers)."]
    accumulate: Annotated[
        str | None, "With --heads and --dim: attention from left to right in this format, e.g. float32."
    ]
    theorem: Theorem
    accuracy: Annotated[
        Fraction | float | None, "The shortest prompt at which no model is right more often, e.g. 0.5.", share
    ]
    symbolic: Annotated[bool, "Print the inequalities in symbols too."]
    proved_only: ProvedOnly


@timed
def bound(
    *,
    effort: Effort = "quick",
    out: Certificate = None,
    as_latex: Annotated[bool, Option("Print them in LaTeX, and nothing else.", ("--latex",))] = False,
    progress: Progress = silent,
    **asked: Unpack[Question],
) -> BoundReport:
    """For β and Λ, for heads, dim and bits, or for a config.json: the shortest certified prompt.

    ``full_layers`` is L−1 if None; with L of them no R layer comes before the second; 0 is R alone. ``word`` gives the
    order of the layers instead. ``effort`` thorough searches the theorems that lose over real numbers too.
    """
    require_one_of("effort", effort, EFFORTS)
    require_writable(out)
    given = asked_of(Question, asked)
    given["symbolic"] = given["symbolic"] or as_latex
    most = None if given["accuracy"] is None else checked_accuracy(given["accuracy"])
    anywhere = None
    if given["config"] is not None:
        found: Bound | ConfigBound = _of_config(given, most, effort, progress)
    else:
        found, anywhere = _of_numbers(given, most, effort)
    message = found.budget.message if isinstance(found, Bound) else found.model.message
    symbols = _symbols(found) if given["symbolic"] else None
    written = write_accepted(out, lambda: bounds.bound_certificate(found.shortest, message))
    return BoundReport(found, most, anywhere, symbols, written, as_latex)


command = Choice(
    bound,
    bracket=("Instead: the least beta for two tables, impossible below, built above.", "bound_exponents.bracket_table"),
    exponents=("Instead: exponents for 2..L tables, and the sizes of CPW.", "bound_exponents.exponents_table"),
    figure=(None, "bound_exponents.exponents_table"),
    sparse=("Instead: Theorem D, 2-Sum with one sparse layer.", "sparse.bound_sparse"),
)


def _of_config(asked: dict[str, Any], most: Fraction | None, effort: str, progress: Progress) -> ConfigBound:
    """Of the model of a config.json; ``most``: the accuracy, if one was asked for."""
    from separation.architectures import bound_config, read_config

    free = ("config", "score_bits", "thoughts", "accuracy", "symbolic", "proved_only")
    if given := flags_given({name: value for name, value in asked.items() if name not in free}):
        raise InputError(f"a config brings its own numbers: leave out {given}")
    progress(0.0, "the model's layers are read")  # torch and transformers, if needed, take seconds
    require_ranges({"score_bits": asked["score_bits"]})
    model = read_config(asked["config"], score_bits=asked["score_bits"])
    require_no_thoughts(model.word, asked["thoughts"])
    proved, every = bool(asked["proved_only"]), effort == "thorough"
    return bound_config(model, accuracy=most or Fraction(1), proved_only=proved, every=every)


def _of_numbers(asked: dict[str, Any], most: Fraction | None, effort: str) -> tuple[Bound, Found | None]:
    """What was found for the numbers given, and the same with R layers anywhere."""
    L, theorem = asked["L"], asked["theorem"]
    if L is None:
        raise InputError("give --L, or --config FILE")
    require_few_levels(L)
    if asked["symbolic"]:
        _require_symbols(L)
    sent: Any = {name: asked[name] for name in (*BudgetOptions.__annotations__, "accumulate")}
    budget = chosen_budget(sent)
    proved_only = bool(asked["proved_only"]) or budget.accumulate is not None  # elsewhere sums are associative
    full_layers, linear_layers = asked["full_layers"], asked["linear_layers"]
    parsed = _checked_word(asked["word"], budget, full_layers, linear_layers)
    question: dict[str, Any] = {"full_layers": full_layers, "linear_layers": linear_layers or 0, "word": parsed}
    shape, charged = word_of_question(L, budget, **question)
    require_modest_budget(charged)
    require_no_thoughts(shape, asked["thoughts"])
    wanted: dict[str, Any] = {"theorem": theorem, "proved_only": proved_only, "accuracy": most or Fraction(1)}
    found = find_bound(L, budget, **question, **wanted, every=effort == "thorough" or bool(asked["symbolic"]))
    alone = parsed is None and theorem is None and most is None
    return found, with_r_in_every_block(found, proved_only) if alone else None


def checked_accuracy(accuracy: Fraction | float) -> Fraction | None:
    """A share above 0 and at most 1; 1 is no more than the question without an accuracy, so it is None."""
    share = Fraction(accuracy) if isinstance(accuracy, Fraction | int) else Fraction(str(accuracy))
    if not 0 < share <= 1:
        raise InputError(f"the accuracy is {accuracy}; a number above 0 and at most 1 is needed")
    return None if share == 1 else share


def _checked_word(word: str | None, budget: Budget, full_layers: int | None, linear_layers: int | None) -> Word | None:
    """The order of the layers, if it was given; what contradicts it or is missing without it is named."""
    if word is not None:
        if given := flags_given({"full_layers": full_layers, "linear_layers": linear_layers}):
            raise InputError(f"--word says which layers there are: leave out {given}")
        return word_of(word)
    if linear_layers is not None and (budget.total is not None or budget.by_block is not None) and not budget.assumed:
        raise InputError("lambda and linear layers are both given; lambda counts all of them")
    if (linear_layers or 0) > 0 and budget.state_bits is None:
        raise InputError("state bits are missing: linear layers carry the state bits of one R layer each")
    if linear_layers is None and budget.state_bits is not None:
        raise InputError("linear layers are missing: how many R layers have these state bits")
    return None


def _require_symbols(L: int) -> None:
    """Refuse, before any work is done, a number of tables for which no symbols are written."""
    from separation.bounds.schedules import MAX_LEVELS

    if not 2 <= L <= MAX_LEVELS:
        raise InputError(f"symbols are there for theorems A and B with L >= 2, at most {MAX_LEVELS}; L is {L}")


def _symbols(found: Bound | ConfigBound) -> SymbolicTheorem:
    from separation.bounds.symbolic import symbolic_theorem

    recursive = next((each for each in found.prompts if isinstance(each, Evaluation)), None)
    if recursive is None or not recursive.parameters.n:
        raise InputError("symbols are there for theorems A and B with L >= 2")
    return symbolic_theorem(recursive.rule, recursive.parameters.L)


class BoundReport(Report):
    """What was found, for numbers given one by one or for a model's config.

    ``accuracy``: the share that no model exceeds at the prompt found, if one was asked for. ``anywhere``: the same
    question of models whose R layers stand anywhere, each block with all the bits, where no word was given.
    """

    found: Bound | ConfigBound
    accuracy: Fraction | None = None
    anywhere: Found | None = None
    symbolic: SymbolicTheorem | None = None
    out: Path | None = None
    as_latex: bool = False

    @property
    def ok(self) -> bool:
        return self.found.shortest.certified

    @property
    def L(self) -> int:
        return self.found.L if isinstance(self.found, Bound) else self.found.model.first_hard

    def facts(self) -> dict[str, Any]:
        document = self.found.document()
        if not isinstance(self.found, Bound):
            product = self.found.model.message.product
            named = {"theorem": document["theorem"], "known": how_known(document["theorem"])}
            ours = {**named, "certified": self.ok, **document.pop("hard_sizes")}
            document |= {"ours": ours, "paper": length_to_document(paper_prompt(self.L, product))}
            document["cpw"] = length_to_document(cpw_prompt(self.L, product))
            document["by_theorem"] = by_theorem(self.found.prompts)
        anywhere = symbolic = None
        if self.anywhere is not None:
            known = how_known(self.anywhere.theorem)
            anywhere = {"theorem": self.anywhere.theorem, "known": known, **self.anywhere.hard_sizes()}
        if self.symbolic is not None:
            theorem = self.symbolic
            parts = {"quantities": theorem.quantities, "inequalities": theorem.inequalities}
            parts["golden"] = theorem.golden.quantities
            named = {part: {name: str(value) for name, value in values.items()} for part, values in parts.items()}
            symbolic = {**named, "latex": theorem.latex()}
        return {
            **document,
            "accuracy": None if self.accuracy is None else str(self.accuracy),
            "accumulate": self.found.budget.accumulate if isinstance(self.found, Bound) else None,
            "anywhere": anywhere,
            "symbolic": symbolic,
            "certificate": self.out,
        }

    def parts(self) -> Parts:
        """A sentence; ours with its sizes and what the proof chose; then every theorem's prompt, and the papers'."""
        if self.as_latex and self.symbolic is not None:
            yield Verbatim(self.symbolic.latex())
            return
        facts = self.document()
        ours, golden = facts["ours"], facts.get("golden")
        yield self.sentence(facts)
        if facts["accumulate"] is not None:
            yield in_order(self.found.budget)  # type: ignore[union-attr]
        rows: list[tuple[str, Any]] = []
        if not isinstance(self.found, Bound):
            word = shortened(facts["word"], LONGEST_WORD)
            rows.append(("model", f"{facts['model_type']}: {word}, depth {facts['depth']}"))
            heads, bits = count(int(facts["heads"]), "head"), count(int(facts["bits"]), "bit")
            rows.append(("precision", f"{heads} of {facts['dim']}, p = {bits}"))
            rows += [("read from", facts["sources"]["word"]), ("p from", facts["sources"]["bits"])]
        rows += [("L", self.L), ("theorem", f"{ours['theorem']}, {ours['known']}"), *size_rows(ours)]
        yield facts_table(rows)
        gain = [f"2^{golden['gain_log2']:,.2f}"] if golden and golden["gain_log2"] is not None else []
        lengths = [(f"ours, certified: {with_knowledge(ours['theorem'])}", log2_text(ours["tokens_log2"]), *gain)]
        if facts["anywhere"]:
            known = with_knowledge(facts["anywhere"]["theorem"])
            lengths.append((f"R layers anywhere, each block: {known}", log2_text(facts["anywhere"]["tokens_log2"])))
        for name, found in facts["by_theorem"].items():
            if name != ours["theorem"]:
                lengths.append((f"certified: {with_knowledge(name)}", log2_text(found["tokens_log2"])))
        if golden:
            schedule = f"golden schedule, y = {long_number(golden['y'])} = {golden['c']:.4g}·β"
            lengths.append((schedule, log2_text(golden["tokens_log2"])))
        lengths.append(("the paper's regime, H·d·p ≤ n^(2^(-4L-2))", _regime(facts["paper"])))
        lengths.append(("CPW's regime, H·d·p ≤ n^(2^(-4L))", _regime(facts["cpw"])))
        columns = ["prompt length that is certified or asked for", "log2 n"]
        yield table_of(*columns, *(["shorter than golden by"] if golden else []), rows=lengths)
        if not isinstance(self.found, Bound) and self.found.far_beyond:
            yield "This is far beyond any real prompt: at real lengths nothing is certified for this model."
        if facts["symbolic"]:
            yield from _symbol_lines(facts["symbolic"])
        yield written("certificate", self.out)

    def sentence(self, facts: dict[str, Any]) -> str:
        """The answer in plain words."""
        found = self.found
        tables = count(self.L, "table")
        if not isinstance(found, Bound):
            who = f"No {facts['model_type']} with this config"
        elif facts["ours"].get("assumed"):
            who = f"An example, as no β was given: no model with {_layers(found.word)} and β = Λ = 8"
        else:
            who = f"No model with {_layers(found.word)} and these β and Λ"
        prompt = prompt_text(facts["ours"])
        if self.accuracy is not None:
            share = percent(float(self.accuracy))
            return f"{who} follows {tables} in one pass on more than {share} of random inputs, at {prompt}."
        return f"{who} follows {tables} in one pass on every input, at {prompt}."


def in_order(budget: Budget) -> str:
    """Of which order of summation a bound in floating point is, and of which it is not."""
    return (
        f"β = {budget.beta} bits are the accumulators of attention in {budget.accumulate}, computed from the first "
        "token to the last with a running maximum, at prompts of any length, by theorems that Coq proves of "
        "accumulators that are updated in order. Kernels that sum tiles of keys apart and merge them are not covered: "
        "what reaches a token there is more than one accumulator."
    )


def _layers(word: Word) -> str:
    """one full layer (the word RF)."""
    full = {0: "no full layer", 1: "one full layer"}.get(word.full) or count(word.full, "full layer")
    return f"{full} (the word {spelled(word)})"


def _regime(length: dict[str, Any]) -> str:
    """log2 n, or 2^log2(log2 n) where that is no float any more."""
    beyond = length.get("tokens_log2_log2")
    return log2_text(length["tokens_log2"]) if beyond is None else f"2^{log2_text(beyond)}"


def _symbol_lines(symbolic: dict[str, Any]) -> Parts:
    """What the theorem computes, what it asks for, and the golden schedule."""
    yield ""
    for name, value in symbolic["quantities"].items():
        yield Unbroken(f"{name} = {value}")
    for name, relation in symbolic["inequalities"].items():
        yield Unbroken(f"({name})  {relation}")
    yield "golden schedule with y = c·β, and y when the last table has n entries:"
    for name, value in symbolic["golden"].items():
        yield Unbroken(f"{name} = {value}")
