"""Exact accuracy: a model on every input of a small size, so a number and no estimate.

A torch module or a folder is run in float64 on the CPU, twice: both runs must give the same logits, bit for bit, or
nothing is claimed. The right logit must be strictly above all others; a tie, and a logit that is no number, is wrong.
What was run is what is claimed: the count is a fact about this arithmetic, with the smallest distance between the right
logit and the next beside it. Weights that are exact rationals are run in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.packages import require_packages
from separation.progress import Progress, silent
from separation.proving import Construction
from separation.proving.construction import compare, final_answers, right_answers
from separation.tasks import AnyTask, Instance
from separation.tasks.checks import shown
from separation.tasks.task import Array
from separation.testing.adapters.torch_modules import is_folder, load_model, logits_in
from separation.testing.subjects import plain_task

MOST_INPUTS = 1 << 20
"""More prompts are not run."""
BATCH = 1 << 10
FLOAT64 = "float64 on the CPU, run twice with the same logits"
EXACT = "exact arithmetic"

Logits = Callable[[Array], NDArray[np.float64]]
"""Prompts to logits, (prompts, tokens or asked tokens, answers)."""


@dataclass(frozen=True)
class ExactAccuracy:
    """``right`` of ``inputs``: all answers of the prompt are right. ``answers_right`` of ``answers``: one by one.

    ``margin``: over all right answers the smallest distance of the right logit to the next (float64 only). ``ties``:
    answers where another logit is as large. ``wrong``: the first input that is answered wrongly, with ``expected`` and
    ``answered``.
    """

    task: AnyTask
    arithmetic: str
    inputs: int
    right: int
    answers: int
    answers_right: int
    ties: int = 0
    margin: float | None = None
    wrong: Instance | None = None
    expected: tuple[int, ...] = ()
    answered: tuple[int, ...] = ()

    @property
    def ok(self) -> bool:
        return self.right == self.inputs > 0

    @property
    def share(self) -> Fraction:
        """The accuracy, as a fraction."""
        return Fraction(self.right, self.inputs)

    @property
    def sentence(self) -> str:
        every = "all" if self.ok else f"{self.right:,} of"
        one = "" if self.answers == self.inputs else f" ({self.answers_right:,} of {self.answers:,} answers)"
        ties = f", {self.ties:,} ties counted as wrong" if self.ties else ""
        margin = "" if self.margin is None else f", smallest margin {self.margin:.3g}"
        return f"right on {every} {self.inputs:,} inputs{one}, in {self.arithmetic}{ties}{margin}"

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "task": self.task.document(),
            **{name: getattr(self, name) for name in ("arithmetic", "inputs", "right")},
            "accuracy": str(self.share),
            **{name: getattr(self, name) for name in ("answers", "answers_right", "ties", "margin")},
            "wrong": None if self.wrong is None else self.task.instance_document(self.wrong),
            "expected": list(self.expected),
            "answered": list(self.answered),
        }


def exact_accuracy(model: Any, sizes: Any, *, most: int = MOST_INPUTS, progress: Progress = silent) -> ExactAccuracy:
    """A torch module, a Hugging Face folder that reads token ids, or exact weights, on every input of a task.

    ``sizes`` are those of the task, or a program.

    >>> from separation.programs import Program
    >>> p = Program("parity of three")
    >>> start, bits = p.start(), p.tokens("bits", 3, x=2)
    >>> p.answer(p.scan(lambda odd, x: odd ^ x, bits.x))
    >>> exact_accuracy(p.compile(), p.definitions).sentence
    'right on all 8 inputs (24 of 24 answers), in exact arithmetic'
    """
    task = plain_task(sizes.definitions if hasattr(sizes, "compile") else sizes)
    if not task.has_at_most(most):
        raise InputError(f"{task.title} has more than {most:,} prompts; all of them are not run: take smaller sizes")
    subject = model if isinstance(model, Construction) else getattr(model, "as_written", None)
    if isinstance(subject, Construction):
        return _of_weights(subject, task, progress)
    return _of_logits(_logits_of(model), task, progress)


def _logits_of(model: Any) -> Logits:
    require_packages("a torch module needs", "torch", "torch")
    import torch

    if isinstance(model, str | Path):
        if not is_folder(model):
            raise InputError(f"{shown(str(model))} is no folder with config.json")
        model = load_model(model)
    if not isinstance(model, torch.nn.Module):
        raise InputError(f"{shown(model)} is no torch module, folder or construction")
    module = model.cpu().double().eval()

    def logits(prompts: Array) -> NDArray[np.float64]:
        with torch.inference_mode():
            found = logits_in(module(torch.from_numpy(prompts)))
        numbers: NDArray[np.float64] = found.double().numpy()
        return numbers if numbers.ndim == 3 else numbers[:, None]

    return logits


def _of_weights(subject: Construction, task: AnyTask, progress: Progress) -> ExactAccuracy:
    if subject.task.plain_sizes != task.plain_sizes:
        raise InputError(f"the weights are for {subject.task.title}, not for {task.title}")
    counts, first = np.zeros(4, dtype=np.int64), None
    for number, prompts in enumerate(task.all_prompts(BATCH)):
        progress(min(0.99, number / 100), f"{int(counts[0]):,} inputs")
        found = compare(subject, prompts)
        bad = found.wrong | found.refused
        kept = prompts[~found.refused]
        right = int((final_answers(subject, kept) == right_answers(subject, kept)).sum()) if len(kept) else 0
        counts += (len(prompts), int((~bad).sum()), len(prompts) * task.asked_tokens, right)
        first = prompts[int(bad.argmax())] if first is None and bad.any() else first
    failure: dict[str, Any] = {}
    if first is not None:
        refused = compare(subject, first[None]).refused[0]
        answered = () if refused else tuple(map(int, final_answers(subject, first[None]).reshape(-1)))
        failure = {"wrong": task.instance(first), "answered": answered, "expected": _expected(task, first)}
    inputs, good, answers, answers_good = map(int, counts)
    return ExactAccuracy(task, EXACT, inputs, good, answers, answers_good, **failure)


def _of_logits(logits: Logits, task: AnyTask, progress: Progress) -> ExactAccuracy:
    asked, margin, failure = task.asked_tokens, np.inf, dict[str, Any]()
    inputs = right = answers = answers_right = ties = 0
    for number, prompts in enumerate(task.all_prompts(BATCH)):
        progress(min(0.99, number / 100), f"{inputs:,} inputs")
        once, again = logits(prompts), logits(prompts)
        if not np.array_equal(once, again, equal_nan=True):
            raise InputError("two runs of the same prompts gave different logits: nothing is claimed of this model")
        last = once[:, -asked:]
        if len(last) != len(prompts) or last.shape[1] != asked:
            raise InputError(f"logits of shape {once.shape}; ({len(prompts)}, tokens, answers) is needed")
        due = task.right_answers(prompts).reshape(len(prompts), asked)
        there = due < last.shape[2]
        own = np.take_along_axis(last, np.where(there, due, 0)[..., None], 2)[..., 0]
        others = last.copy()
        np.put_along_axis(others, np.where(there, due, 0)[..., None], -np.inf, 2)
        gap = np.where(there & ~np.isnan(last).any(axis=2), own - others.max(axis=2), -1.0)
        good = gap > 0
        inputs, answers = inputs + len(prompts), answers + good.size
        right, answers_right = right + int(good.all(axis=1).sum()), answers_right + int(good.sum())
        ties += int((gap == 0).sum())
        margin = min(margin, float(gap[good].min(initial=np.inf)))
        if not failure and not good.all():
            row = int((~good.all(axis=1)).argmax())
            failure = {"wrong": task.instance(prompts[row]), "expected": _expected(task, prompts[row])}
            failure["answered"] = tuple(map(int, last[row].argmax(axis=1)))
    least = None if margin == np.inf else margin
    return ExactAccuracy(task, FLOAT64, inputs, right, answers, answers_right, ties, least, **failure)


def _expected(task: AnyTask, prompt: Array) -> tuple[int, ...]:
    return tuple(map(int, task.right_answers(prompt[None]).reshape(-1)))
