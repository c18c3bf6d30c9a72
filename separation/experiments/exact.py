"""The exact accuracy of trained weights: every input there is, answered by a twin of the network in float64.

An answer is right if its logit is larger than every other: a tie is a wrong answer, whatever argmax would say; an input
is right if all of its answers are. The weights are kept beside the outcome: what is said of all inputs is said of these
numbers, and can be asked again. Where there are more inputs, a model without a mistake on its test is asked hard ones.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save
from torch import nn

from separation.experiments.composition import Composition
from separation.experiments.distributions import family_prompts
from separation.experiments.training import TEST_SEED, Problem
from separation.files import write_whole
from separation.tasks.funccomp import FuncComp, aimed_prompts

MOST_INPUTS_LOG2 = 20
AIMED, ROWS = 32, 4096
"""Blocks of prompts that ask for every address and value, on several backgrounds; rows of a block at most."""


@dataclass(frozen=True)
class AllInputs:
    """``wrong`` of all ``inputs`` were answered wrongly; ``prompts``, ``right`` and ``said``: the first of them."""

    inputs: int
    wrong: int
    prompts: NDArray[np.int64]
    right: NDArray[np.int64]
    said: NDArray[np.int64]

    @property
    def first(self) -> str:
        """The first input that is answered wrongly, what is right and what was said; empty if there is none."""
        rows = (" ".join(map(str, part[:1].flatten())) for part in (self.prompts, self.right, self.said))
        return "{}: right {}, said {}".format(*rows) if self.wrong else ""


def all_inputs_asked(problem: Problem, kept: int = 64) -> AllInputs | None:
    """None if there are more than 2^20."""
    if problem.inputs_log2 > MOST_INPUTS_LOG2:
        return None
    twin = deepcopy(problem.network).double().cpu()
    inputs, wrong = 0, 0
    shown: list[list[NDArray[np.int64]]] = [[], [], []]
    for prompts, right, logits in problem.every_input(twin):  # answers of (inputs, tokens that are asked)
        place = right[..., None]
        lead = logits.gather(2, place) - logits.scatter(2, place, -torch.inf).amax(2, keepdim=True)
        mistakes = (~(lead > 0)).flatten(1).any(1).numpy()
        inputs, wrong = inputs + len(prompts), wrong + int(mistakes.sum())
        for part, values in zip(shown, (prompts, right.numpy(), logits.argmax(2).numpy()), strict=True):
            part.append(values[mistakes][: max(0, kept)])
        kept -= int(mistakes.sum())
    return AllInputs(inputs, wrong, *(np.concatenate(part) for part in shown))


def hard_inputs_asked(problem: Composition, device: str = "cpu") -> str:
    """Of the adversarial families, and of prompts for every address and value, the first that is answered wrongly.

    Empty if there is none, which proves nothing.
    """
    sizes = problem.sizes
    aimed = aimed_prompts(sizes, np.random.default_rng(TEST_SEED), range(1, sizes.L + 1), ROWS)
    for prompts in (*family_prompts(sizes).values(), *islice(aimed, AIMED)):
        right, said = FuncComp(sizes).right_answers(prompts), problem.answers(prompts, device)[:, -1]
        for row in np.flatnonzero(said != right)[:1]:
            return AllInputs(1, 1, prompts[[row]], right[[row]], said[[row]]).first
    return ""


def write_weights(path: Path, network: nn.Module) -> None:
    write_whole(path, save({name: value.detach().cpu().contiguous() for name, value in network.named_parameters()}))
