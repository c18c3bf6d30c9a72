"""Training one run: AdamW with a cosine, losses at every hop, checkpoints; the same steps for every word.

    loss = CE(answer) + h·Σ_k CE(hop k at w after layer k) + h·CE(i_1 at z_0 after the first full layer)

where the batch of step t depends on (seed, t) alone: a run that goes on from a checkpoint sees what it would have seen.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from separation.experiments.layers import Mixer
from separation.experiments.runs import Run, checkpoint_path
from separation.files import write_whole
from separation.progress import Progress, silent

TESTED = 4096
TEST_SEED = 2**31 - 1
WARM_UP = 20


@dataclass(frozen=True)
class Recipe:
    """How every word of an experiment is trained; fixed before the first run."""

    batch: int = 128
    rate: float = 4e-3
    decay: float = 0.01
    hop_weight: float = 0.3
    clip: float = 1.0
    flat: float = 0.0
    """The share of the steps before the rate starts to fall."""
    simple: float = 0.0
    """A curriculum: at first this share of every batch is made of simple inputs; what they are, the problem says."""
    simple_until: float = 0.8
    """The share of the steps by which no input is simple any more; from half of that on they become fewer."""
    rounded_from: float = 0.0
    """The share of the steps from which on the numbers that pass a cut are rounded."""
    interval: int = 100
    """Steps between two checkpoints: what a killed run loses at most."""

    def rate_at(self, done: float) -> float:
        """A cosine from ``flat`` on, without the warm-up; ``done``: the share of the steps."""
        falling = max(0.0, (done - self.flat) / (1 - self.flat))
        return self.rate * (1 + math.cos(math.pi * falling)) / 2

    def simple_at(self, done: float) -> float:
        """The share of simple inputs in a batch."""
        return self.simple * min(1.0, max(0.0, 2 * (1 - done / self.simple_until)))


class Problem:
    """What is trained: a network, a batch for every step, its loss, and how it is tested."""

    network: nn.Module
    simple = 0.0
    """The share of simple inputs in a batch, if there are such."""

    def batch(self, random: np.random.Generator, count: int) -> tuple[Tensor, Tensor]:
        """Inputs and what is asked of them."""
        raise NotImplementedError

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> Tensor:
        raise NotImplementedError


def parameters_of(network: nn.Module) -> int:
    return sum(parameter.numel() for parameter in network.parameters())


def train(
    problem: Problem, run: Run, recipe: Recipe, folder: Path | None, device: str = "cpu", progress: Progress = silent
) -> float:
    """Train in place; CPU seconds, those before an interruption included."""
    network = problem.network.to(device)
    optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay, fused=True)
    path = None if folder is None else checkpoint_path(folder, run)
    step, before = (0, 0.0) if path is None else _resume(path, network, optimizer)
    start = time.process_time()
    while step < run.steps:
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate_at(step / run.steps) * min(1.0, (step + 1) / WARM_UP)
        problem.simple = recipe.simple_at(step / run.steps)
        _round(network, step >= recipe.rounded_from * run.steps)
        random = np.random.default_rng((run.seed, step))
        inputs, wanted = problem.batch(random, recipe.batch)
        loss = problem.loss(inputs.to(device), wanted.to(device), recipe.hop_weight)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
        optimizer.step()
        step += 1
        if path is not None and step % recipe.interval == 0 and step < run.steps:
            _save(path, network, optimizer, step, before + time.process_time() - start)
        if step % 10 == 0:
            progress(step / run.steps, f"{run.label or run.word}, seed {run.seed}")
    _round(network, True)
    return before + time.process_time() - start


def _round(network: nn.Module, rounding: bool) -> None:
    for module in network.modules():
        if isinstance(module, Mixer):
            module.rounding = rounding


def _save(path: Path, network: nn.Module, optimizer: torch.optim.Optimizer, step: int, seconds: float) -> None:
    """Weights and both moments of AdamW, as tensors: nothing in a checkpoint can run."""
    tensors = {f"weight.{name}": value.detach() for name, value in network.named_parameters()}
    for name, value in network.named_parameters():
        for moment in ("exp_avg", "exp_avg_sq", "step"):
            tensors[f"{moment}.{name}"] = optimizer.state[value][moment].detach().clone()
    tensors = {name: value.contiguous().cpu() for name, value in tensors.items()}
    write_whole(path, save(tensors, {"step": str(step), "seconds": repr(seconds)}))


def _resume(path: Path, network: nn.Module, optimizer: torch.optim.Optimizer) -> tuple[int, float]:
    """Step and CPU seconds of a checkpoint, its tensors put in place; the start where there is none that fits."""
    if not path.is_file():
        return 0, 0.0
    try:
        with safe_open(path, "pt") as file:
            found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            step, seconds = int(file.metadata()["step"]), float(file.metadata()["seconds"])
    except (SafetensorError, OSError, KeyError, ValueError, TypeError):
        return 0, 0.0
    own = dict(network.named_parameters())
    wanted = {f"{part}.{name}" for name in own for part in ("weight", "exp_avg", "exp_avg_sq", "step")}
    if set(found) != wanted or any(found[f"weight.{name}"].shape != value.shape for name, value in own.items()):
        return 0, 0.0
    with torch.no_grad():
        for name, value in own.items():
            value.copy_(found[f"weight.{name}"])
            optimizer.state[value] = {
                moment: found[f"{moment}.{name}"].to("cpu" if moment == "step" else value.device)
                for moment in ("exp_avg", "exp_avg_sq", "step")
            }
    return step, seconds
