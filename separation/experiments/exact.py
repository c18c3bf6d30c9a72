"""The exact accuracy of trained weights: every input there is, answered by a twin of the network in float64.

An answer is right if its logit is larger than every other: a tie is a wrong answer, whatever argmax would say. The
weights are kept beside the outcome: what is said of all inputs is said of these numbers, and can be asked again.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save
from torch import nn

from separation.files import write_whole
from separation.tasks.funccomp import FuncComp, Sizes

if TYPE_CHECKING:
    from separation.experiments.composition import Composition

MOST_INPUTS_LOG2 = 20
TABLES_AT_ONCE = 64


@dataclass(frozen=True)
class AllInputs:
    """``wrong`` of all ``inputs`` were answered wrongly; ``prompts``, ``right`` and ``said``: the first of them."""

    inputs: int
    wrong: int
    prompts: NDArray[np.int64]
    right: NDArray[np.int64]
    said: NDArray[np.int64]


def asks_all_inputs(sizes: Sizes) -> bool:
    """At most 2^20 inputs.

    >>> [asks_all_inputs(Sizes(m, n)) for m, n in ((6, ()), (7, ()), (2, (2,)), (3, (2,)))]
    [True, False, True, False]
    """
    return sizes.inputs_log2_floor() < MOST_INPUTS_LOG2


def all_inputs_asked(problem: Composition, kept: int = 64) -> AllInputs:
    """Every table set once, with all of its queries."""
    sizes, twin = problem.sizes, deepcopy(problem.network).double().cpu()
    tables, queries = sizes.length - 2, sizes.m * sizes.queries
    inputs, wrong = 0, 0
    shown: list[list[NDArray[np.int64]]] = [[], [], []]
    for prompts in FuncComp(sizes).all_prompts(TABLES_AT_ONCE * queries):  # queries of one table set are neighbours
        asked = prompts[:, tables:].reshape(-1, 2 * queries)
        with torch.no_grad():
            stream = twin(torch.as_tensor(np.concatenate([prompts[::queries, :tables], asked], 1)))[-1]
            logits = twin.logits(stream[:, :, -1]).flatten(0, 1)
        right = torch.as_tensor(FuncComp(sizes).right_answers(prompts))[:, None]
        lead = logits.gather(1, right) - logits.scatter(1, right, -torch.inf).amax(1, keepdim=True)
        mistakes = (~(lead > 0)).flatten().numpy()
        inputs, wrong = inputs + len(prompts), wrong + int(mistakes.sum())
        for part, values in zip(shown, (prompts, right[:, 0].numpy(), logits.argmax(1).numpy()), strict=True):
            part.append(values[mistakes][: max(0, kept)])
        kept -= int(mistakes.sum())
    return AllInputs(inputs, wrong, *(np.concatenate(part) for part in shown))


def write_weights(path: Path, network: nn.Module) -> None:
    write_whole(path, save({name: value.detach().cpu().contiguous() for name, value in network.named_parameters()}))
