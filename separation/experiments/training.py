"""Training one run: Muon for matrices, AdamW for the rest, losses at every hop, checkpoints; one recipe for every word.

    loss = CE(answer) + h·Σ_k CE(hop k at w after layer k) + h·CE(i_1 at z_0 after the first full layer)

where the batch of step t depends on (seed, t) alone: a run that goes on from a checkpoint sees what it would have seen.

References: Muon: K. Jordan and others, 2024, https://kellerjordan.github.io/posts/muon/; the scale 0.2·√max(dimensions)
of its updates: J. Liu and others, "Muon is scalable for LLM training", 2025, arXiv 2502.16982.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from separation.experiments.runs import Run, kept_at
from separation.files import write_whole

TESTED = 4096
TEST_SEED = 2**31 - 1
STOP_TESTED = 1024
STOP_SEED = TEST_SEED - 1
SMALLEST_MATRIX = 4
"""What has fewer rows or columns is no matrix to Muon: an orthogonal one would be a few directions of equal size."""


@dataclass(frozen=True)
class Recipe:
    """How every word of an experiment is trained; plans/recipe.toml has the numbers."""

    tables: int
    """Table sets a step."""
    queries: int
    """Queries that each table set is asked at once."""
    optimizer: str
    """"muon" or "adamw"."""
    matrix_rate: float
    """Of Muon."""
    rate: float
    """Of AdamW: embeddings, norms, gates; with ``optimizer`` "adamw" everything."""
    decay: float
    hop_weight: float
    clip: float
    warm_up: int
    flat: float
    """The share of the steps before the rate starts to fall, as a cosine."""
    interval: int
    """Steps between two checkpoints: what a killed run loses at most, and when it is asked whether it can stop."""
    stop: float
    """The accuracy, on a batch and then on a test of its own, at which training ends early."""

    def rate_at(self, step: int, steps: int) -> float:
        """The share of the full rate."""
        falling = max(0.0, (step / steps - self.flat) / (1 - self.flat))
        return min(1.0, (step + 1) / self.warm_up) * (1 + math.cos(math.pi * falling)) / 2


class Problem:
    """What is trained: a network, a batch for every step, its loss, and how it is tested."""

    network: nn.Module

    def batch(self, random: np.random.Generator, tables: int, queries: int) -> tuple[Tensor, Tensor]:
        """Inputs and what is asked of them."""
        raise NotImplementedError

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> tuple[Tensor, float]:
        """And the accuracy on these inputs."""
        raise NotImplementedError

    def tested(
        self, name: str, device: str = "cpu", count: int = TESTED, seed: int = TEST_SEED
    ) -> tuple[int, int, tuple[float, ...]]:
        """Right answers, of how many inputs of a distribution, and shares of parts of the task."""
        raise NotImplementedError

    inputs_log2: float = math.inf
    """Of how many inputs there are, where `every_input` can ask them all."""

    def every_input(self, twin: Any) -> Iterator[tuple[NDArray[np.int64], Tensor, Tensor]]:
        """Blocks of all prompts, their right answers and the logits of a copy of the network."""
        raise NotImplementedError


def optimizers(network: nn.Module, recipe: Recipe) -> Optimizers:
    """Each with its full rate."""
    tables = {id(module.weight) for module in network.modules() if isinstance(module, nn.Embedding)}
    matrices: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for value in network.parameters():
        is_matrix = value.dim() == 2 and min(value.shape) >= SMALLEST_MATRIX and id(value) not in tables
        (matrices if is_matrix and recipe.optimizer == "muon" else others).append(value)
    rest = torch.optim.AdamW(others, lr=recipe.rate, betas=(0.9, 0.98), weight_decay=recipe.decay, fused=True)
    if not matrices:
        return [(rest, recipe.rate)]
    muon = torch.optim.Muon(
        matrices, lr=recipe.matrix_rate, weight_decay=recipe.decay, momentum=0.95, adjust_lr_fn="match_rms_adamw"
    )
    return [(rest, recipe.rate), (muon, recipe.matrix_rate)]


def train(problem: Problem, run: Run, recipe: Recipe, folder: Path | None, device: str = "cpu") -> tuple[int, float]:
    """Train in place, for at most ``run.steps``; steps done and CPU seconds, those before an interruption included."""
    network = problem.network.to(device)
    both = optimizers(network, recipe)
    path = None if folder is None else kept_at(folder, run, "safetensors")
    step, before = (0, 0.0) if path is None else _resume(path, network, both)
    start = time.process_time()
    while step < run.steps:
        for optimizer, rate in both:
            for group in optimizer.param_groups:
                group["lr"] = rate * recipe.rate_at(step, run.steps)
        random = np.random.default_rng((run.seed, step))
        inputs, wanted = problem.batch(random, recipe.tables, recipe.queries)
        loss, accuracy = problem.loss(inputs.to(device), wanted.to(device), recipe.hop_weight)
        network.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
        for optimizer, _ in both:
            optimizer.step()
        step += 1
        if step % recipe.interval == 0 and step < run.steps:
            if accuracy >= recipe.stop:
                correct, tested, _ = problem.tested(run.setting("train_on", "uniform"), device, STOP_TESTED, STOP_SEED)
                if correct >= recipe.stop * tested:
                    break
            if path is not None:
                _save(path, network, both, step, before + time.process_time() - start)
    return step, before + time.process_time() - start


Optimizers = list[tuple[torch.optim.Optimizer, float]]


def _save(path: Path, network: nn.Module, both: Optimizers, step: int, seconds: float) -> None:
    """Weights and the optimizers' memory of them, as tensors: nothing in a checkpoint can run."""
    tensors: dict[str, Tensor] = {f"weight.{name}": value for name, value in network.named_parameters()}
    for number, (optimizer, _) in enumerate(both):
        for place, memory in optimizer.state_dict()["state"].items():
            tensors |= {f"{number}.{place}.{part}": value for part, value in memory.items()}
    tensors = {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}
    write_whole(path, save(tensors, {"step": str(step), "seconds": repr(seconds)}))


def _resume(path: Path, network: nn.Module, both: Optimizers) -> tuple[int, float]:
    """Step and CPU seconds of a checkpoint, its tensors put in place; the start where there is none that fits."""
    weights = {f"weight.{name}": value for name, value in network.named_parameters()}
    documents = [optimizer.state_dict() for optimizer, _ in both]
    try:
        with safe_open(path, "pt") as file:
            found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            step, seconds = int(file.metadata()["step"]), float(file.metadata()["seconds"])
        for name in found.keys() - weights.keys():
            number, place, part = name.split(".", 2)
            documents[int(number)]["state"].setdefault(int(place), {})[part] = found[name]
    except (SafetensorError, OSError, LookupError, ValueError, TypeError):
        return 0, 0.0
    whole = all(len(each["state"]) == len(each["param_groups"][0]["params"]) for each in documents)
    if not whole or any(name not in found or found[name].shape != value.shape for name, value in weights.items()):
        return 0, 0.0
    with torch.no_grad():
        for name, value in weights.items():
            value.copy_(found[name])
    for (optimizer, _), document in zip(both, documents, strict=True):
        optimizer.load_state_dict(document)
    return step, seconds
