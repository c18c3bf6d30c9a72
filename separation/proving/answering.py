"""What a model answers to prompts, by the exact run, and what the oracle says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import PrecisionOverflow
from separation.models import decode, layers_others_need, run
from separation.proving.construction import Construction
from separation.tasks.task import Array

EVERY_ROW = 1 << 11
"""Up to this length a task that asks at every token is answered there; beyond, at the last one only."""
ONE_PROMPT = 1 << 23
"""About this many scores are a second's work; what one prompt needs beyond that is not run."""
LAST_ROW = 1 << 5
"""What the other steps of a run cost for each token, in scores, when the last token alone is answered."""


def outputs(subject: Construction, prompts: Array, every_token: bool) -> Array:
    """What the model puts out: its answers at the last token or at ``every_token``, or the tokens that it generates."""
    task = subject.task
    if task.generated_tokens:
        return decode(subject.model, prompts, task.generated_tokens)
    return run(subject.model, prompts, every_row=every_token).answers


def wrong_inputs(subject: Construction, prompts: Array, expected: Array) -> Array:
    """For each prompt: is anything that the model answers, or generates, not what the oracle says?"""
    found = outputs(subject, prompts, subject.task.answers_every_token)
    differs: Array = (found != expected).reshape(len(prompts), -1).any(axis=1)
    return differs


@dataclass(frozen=True)
class Answers:
    """Which of some prompts are answered wrongly, and which the exact run refuses, with what it says then."""

    wrong: NDArray[np.bool_]
    refused: NDArray[np.bool_]
    message: str = ""


def final_answers(subject: Construction, prompts: Array) -> Array:
    """What counts as the answer: the last token's; of 2-Sum every token's; of a chain of thought the last one's.

    A generated token that cannot stand last is −1; those before the last are not compared.
    """
    task, everywhere = subject.task, _answers_compared(subject) > 1
    found = task.answers_in(outputs(subject, prompts, everywhere))
    return found[:, None] if task.answers_every_token and not everywhere else found


def right_answers(subject: Construction, prompts: Array) -> Array:
    """What the oracle says, in the form of `final_answers`."""
    task, answers = subject.task, subject.task.right_answers(prompts)
    return answers[:, -_answers_compared(subject) :] if task.answers_every_token else answers


def _answers_compared(subject: Construction) -> int:
    """How many answers a prompt has that are compared: all of its tokens', or the last one's."""
    task = subject.task
    return task.prompt_length if task.answers_every_token and task.prompt_length <= EVERY_ROW else 1


def compare(subject: Construction, prompts: Array) -> Answers:
    """Run all prompts; if the run refuses a batch, halve it until those that it refuses stand alone.

    An activation beyond p bits, or a score above the shift, is no answer: the exact model is not defined there. Such a
    prompt is refused, and not wrong.
    """
    try:
        found, right = final_answers(subject, prompts), right_answers(subject, prompts)
    except PrecisionOverflow as error:
        if len(prompts) == 1:
            return Answers(np.zeros(1, dtype=bool), np.ones(1, dtype=bool), str(error))
        half = len(prompts) // 2
        parts = [compare(subject, prompts[:half]), compare(subject, prompts[half:])]
        wrong, refused = (np.concatenate([getattr(part, name) for part in parts]) for name in ("wrong", "refused"))
        return Answers(wrong, refused, next((part.message for part in parts if part.message), ""))
    differs: NDArray[np.bool_] = (found != right).reshape(len(prompts), -1).any(axis=1)
    return Answers(differs, np.zeros(len(prompts), dtype=bool))


def can_be_run(subject: Construction) -> bool:
    """Is one prompt at most about a second's work?"""
    task, answers = subject.task, _answers_compared(subject)
    if not task.fits_int64:
        return False
    every_row = answers > 1 or any(layers_others_need(subject.model))
    scores = task.prompt_length * (task.prompt_length if every_row else LAST_ROW)
    return max(scores, answers * subject.model.unembedding.height) <= ONE_PROMPT
