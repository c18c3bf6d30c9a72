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

from separation.experiments.runs import CHECKPOINT, Run, kept_at
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


def optimizers(network: nn.Module, recipe: Recipe) -> list[tuple[torch.optim.Optimizer, float]]:
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
    path = None if folder is None else kept_at(folder, run, CHECKPOINT)
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


def _save(
    path: Path, network: nn.Module, both: list[tuple[torch.optim.Optimizer, float]], step: int, seconds: float
) -> None:
    """Weights and the optimizers' memory of them, as tensors: nothing in a checkpoint can run."""
    tensors = {}
    for name, value in network.named_parameters():
        tensors[f"weight.{name}"] = value.detach()
        for optimizer, _ in both:
            for part, memory in optimizer.state.get(value, {}).items():
                tensors[f"{part}.{name}"] = memory.detach().clone()
    tensors = {name: value.contiguous().cpu() for name, value in tensors.items()}
    write_whole(path, save(tensors, {"step": str(step), "seconds": repr(seconds)}))


def _resume(path: Path, network: nn.Module, both: list[tuple[torch.optim.Optimizer, float]]) -> tuple[int, float]:
    """Step and CPU seconds of a checkpoint, its tensors put in place; the start where there is none that fits."""
    if not path.is_file():
        return 0, 0.0
    try:
        with safe_open(path, "pt") as file:
            found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            step, seconds = int(file.metadata()["step"]), float(file.metadata()["seconds"])
    except (SafetensorError, OSError, KeyError, ValueError, TypeError):
        return 0, 0.0
    parts = (("exp_avg", "exp_avg_sq", "step"), ("momentum_buffer",))
    owners = {id(value): index for index, (each, _) in enumerate(both) for value in each.param_groups[0]["params"]}
    wanted = {
        f"{part}.{name}": (value, both[owners[id(value)]][0], part)
        for name, value in network.named_parameters()
        for part in ("weight", *parts[owners[id(value)]])
    }
    fits = {name: value.shape for name, (value, _, part) in wanted.items() if part != "step"}
    if set(found) != set(wanted) or any(found[name].shape != shape for name, shape in fits.items()):
        return 0, 0.0
    with torch.no_grad():
        for name, (value, optimizer, part) in wanted.items():
            if part == "weight":
                value.copy_(found[name])
            else:
                optimizer.state[value][part] = found[name].to("cpu" if part == "step" else value.device)
    return step, seconds
