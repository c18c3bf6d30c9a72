"""`bound`: the shortest prompt found at which an impossibility is certified, next to what the papers ask for.

`bound_exponents` and `bound_sparse` are next door.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separation.architectures import ConfigBound, bound_config, read_config
from separation.bounds import Bound, Budget, Evaluation, cpw_prompt, length_to_document, paper_prompt
from separation.bounds import bound as find_bound
from separation.bounds.bound import anywhere as find_anywhere
from separation.bounds.bound import by_theorem, word_of_question
from separation.bounds.certificate import bound_certificate
from separation.bounds.known import how_known
from separation.bounds.shortest import Found
from separation.bounds.word import Word
from separation.files import InputError, require_writable
from separation.progress import Progress
from separation.verbs.ceiling import require_no_thoughts
from separation.verbs.options import flags_given, require_few_levels, write_accepted

if TYPE_CHECKING:
    from separation.bounds.symbolic import SymbolicTheorem

EFFORTS = ("quick", "thorough")


@dataclass(frozen=True)
class BoundReport:
    """What was found, for numbers given one by one or for a model's config.

    ``accuracy``: the share that no model exceeds at the prompt found, if one was asked for. ``anywhere``: the same
    question of models whose R layers stand anywhere, each block with all the bits, where no word was given.
    """

    found: Bound | ConfigBound
    seconds: float
    accuracy: Fraction | None = None
    anywhere: Found | None = None
    symbolic: SymbolicTheorem | None = None
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.found.shortest.certified

    @property
    def L(self) -> int:
        return self.found.L if isinstance(self.found, Bound) else self.found.model.first_hard

    def document(self) -> dict[str, Any]:
        document = self.found.document()
        if isinstance(self.found, ConfigBound):
            product = self.found.model.message.product
            named = {"theorem": document["theorem"], "known": how_known(document["theorem"])}
            ours = {**named, "certified": self.ok, **document.pop("hard_sizes")}
            document |= {"ours": ours, "paper": length_to_document(paper_prompt(self.L, product))}
            document["cpw"] = length_to_document(cpw_prompt(self.L, product))
            document["by_theorem"] = by_theorem(self.found.prompts)
        symbolic = None
        if self.symbolic is not None:
            theorem = self.symbolic
            parts = {"quantities": theorem.quantities, "inequalities": theorem.inequalities}
            parts["golden"] = theorem.golden.quantities
            named = {part: {name: str(value) for name, value in values.items()} for part, values in parts.items()}
            symbolic = {**named, "latex": theorem.latex()}
        certificate = None if self.out is None else str(self.out)
        rest = {"symbolic": symbolic, "certificate": certificate, "seconds": self.seconds}
        accuracy = None if self.accuracy is None else str(self.accuracy)
        anywhere = None
        if self.anywhere is not None:
            known = how_known(self.anywhere.theorem)
            anywhere = {"theorem": self.anywhere.theorem, "known": known, **self.anywhere.hard_sizes()}
        rest = {"accuracy": accuracy, "anywhere": anywhere, **rest}
        return {"ok": self.ok, **document, **rest}


def bound(
    *,
    L: int | None = None,
    beta: int | None = None,
    linear: int | Sequence[int] | None = None,
    heads: int | None = None,
    dim: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    linear_layers: int | None = None,
    state_bits: int | None = None,
    full_layers: int | None = None,
    word: str | None = None,
    theorem: str | None = None,
    thoughts: int | None = None,
    accuracy: Fraction | float | None = None,
    config: str | Path | None = None,
    symbolic: bool = False,
    effort: str = "quick",
    proved_only: bool = False,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> BoundReport:
    """For β and Λ, for heads, dim and bits, or for a config.json: the shortest certified prompt.

    ``full_layers`` is L−1 if None; with L of them no R layer comes before the second; 0 is R alone. ``word`` gives the
    order of the layers instead. ``accuracy`` asks for the shortest prompt at which no model is right more often.
    ``effort`` thorough searches the theorems that lose over real numbers too. ``proved_only`` leaves out theorems that
    are not proved in Coq.
    """
    start = time.perf_counter()
    require_effort(effort)
    if out is not None:
        require_writable(out)
    numbers: dict[str, Any] = {"L": L, "beta": beta, "linear": linear, "heads": heads, "dim": dim, "bits": bits}
    share = None if accuracy is None else checked_accuracy(accuracy)
    numbers |= {
        "word": word,
        "theorem": theorem,
        "state_bits": state_bits,
        "full_layers": full_layers,
        "linear_layers": linear_layers,
    }
    found: Bound | ConfigBound
    anywhere = None
    if config is not None:
        if given := flags_given(numbers):
            raise InputError(f"a config brings its own numbers: leave out {given}")
        if progress is not None:
            progress(0.0, "the model's layers are read")  # torch and transformers, if needed, take seconds
        model = read_config(config, score_bits=score_bits)
        require_no_thoughts(model.word, thoughts)
        found = bound_config(model, accuracy=share or Fraction(1), proved_only=proved_only, every=effort == "thorough")
    else:
        if L is None:
            raise InputError("give --L, or --config FILE")
        require_few_levels(L)
        if symbolic:
            _require_symbols(L)
        budget = Budget.of(
            beta=beta, linear=linear, heads=heads, dim=dim, bits=bits, score_bits=score_bits, state_bits=state_bits
        )
        parsed = _checked_word(word, budget, full_layers, linear_layers)
        question: dict[str, Any] = {"full_layers": full_layers, "linear_layers": linear_layers or 0, "word": parsed}
        require_no_thoughts(word_of_question(L, budget, **question)[0], thoughts)
        asked: dict[str, Any] = {"theorem": theorem, "proved_only": proved_only, "accuracy": share or Fraction(1)}
        found = find_bound(L, budget, **question, **asked, every=effort == "thorough" or symbolic)
        if parsed is None and theorem is None and share is None:
            anywhere = find_anywhere(found, proved_only)
    message = found.model.message if isinstance(found, ConfigBound) else found.budget.message
    symbols = _symbols(found) if symbolic else None
    written = None if out is None else write_accepted(out, bound_certificate(found.shortest, message))
    return BoundReport(found, time.perf_counter() - start, share, anywhere, symbols, written)


def checked_accuracy(accuracy: Fraction | float) -> Fraction | None:
    """A share above 0 and at most 1; 1 is no more than the question without an accuracy, so it is None."""
    share = Fraction(accuracy) if isinstance(accuracy, Fraction | int) else Fraction(str(accuracy))
    if not 0 < share <= 1:
        raise InputError(f"the accuracy is {accuracy}; a number above 0 and at most 1 is needed")
    return None if share == 1 else share


def require_effort(effort: str) -> None:
    if effort not in EFFORTS:
        raise InputError(f"effort is {effort!r}; allowed are {' and '.join(EFFORTS)}")


def _checked_word(word: str | None, budget: Budget, full_layers: int | None, linear_layers: int | None) -> Word | None:
    """The order of the layers, if it was given; what contradicts it or is missing without it is named."""
    if word is not None:
        if given := flags_given({"full_layers": full_layers, "linear_layers": linear_layers}):
            raise InputError(f"--word says which layers there are: leave out {given}")
        return Word.parse(word)
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
