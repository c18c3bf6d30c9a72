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
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

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
        if subject.task.plain_sizes != task.plain_sizes:
            raise InputError(f"the weights are for {subject.task.title}, not for {task.title}")
        return _counted(partial(_by_weights, subject, task), task, EXACT, progress)
    return _counted(partial(_by_logits, _logits_of(model), task), task, FLOAT64, progress)


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


class _Judged(NamedTuple):
    """Prompts that were run: which answers are right, (prompts, asked), and what the model says to one of them."""

    good: NDArray[np.bool_]
    said: Callable[[int], tuple[int, ...]]
    ties: int = 0
    margin: float = np.inf


def _by_weights(subject: Construction, task: AnyTask, prompts: Array) -> _Judged:
    """What the run refuses is wrong, and says nothing."""
    kept = ~compare(subject, prompts).refused
    good = np.zeros((len(prompts), task.asked_tokens), dtype=bool)
    if kept.any():
        right = np.equal(final_answers(subject, prompts[kept]), right_answers(subject, prompts[kept]))
        good[kept] = right.reshape(int(kept.sum()), -1)
    return _Judged(good, lambda row: _numbers(final_answers(subject, prompts[[row]])) if kept[row] else ())


def _by_logits(logits: Logits, task: AnyTask, prompts: Array) -> _Judged:
    once, again = logits(prompts), logits(prompts)
    if not np.array_equal(once, again, equal_nan=True):
        raise InputError("two runs of the same prompts gave different logits: nothing is claimed of this model")
    last, asked = once[:, -task.asked_tokens :], task.asked_tokens
    if len(last) != len(prompts) or last.shape[1] != asked:
        raise InputError(f"logits of shape {once.shape}; ({len(prompts)}, tokens, answers) is needed")
    due = task.right_answers(prompts).reshape(len(prompts), asked)
    there = due < last.shape[2]
    own = np.take_along_axis(last, np.where(there, due, 0)[..., None], 2)[..., 0]
    others = last.copy()
    np.put_along_axis(others, np.where(there, due, 0)[..., None], -np.inf, 2)
    gap = np.where(there & ~np.isnan(last).any(axis=2), own - others.max(axis=2), -1.0)
    margin = float(gap[gap > 0].min(initial=np.inf))
    return _Judged(gap > 0, lambda row: _numbers(last[row].argmax(axis=1)), int((gap == 0).sum()), margin)


def _counted(judge: Callable[[Array], _Judged], task: AnyTask, arithmetic: str, progress: Progress) -> ExactAccuracy:
    inputs = right = answers = answers_right = ties = 0
    margin, failure = np.inf, dict[str, Any]()
    for number, prompts in enumerate(task.all_prompts(BATCH)):
        progress(min(0.99, number / 100), f"{inputs:,} inputs")
        found = judge(prompts)
        good = found.good.all(axis=1)
        inputs, answers = inputs + len(prompts), answers + found.good.size
        right, answers_right = right + int(good.sum()), answers_right + int(found.good.sum())
        ties, margin = ties + found.ties, min(margin, found.margin)
        if not failure and not good.all():
            row = int(good.argmin())
            expected = _numbers(task.right_answers(prompts[[row]]))
            failure = {"wrong": task.instance(prompts[row]), "expected": expected, "answered": found.said(row)}
    least = None if margin == np.inf else margin
    return ExactAccuracy(task, arithmetic, inputs, right, answers, answers_right, ties, least, **failure)


def _numbers(found: Array) -> tuple[int, ...]:
    return tuple(map(int, found.reshape(-1)))
