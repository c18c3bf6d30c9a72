"""FuncComp as a problem to train on: which inputs, which losses, how a trained network is tested.

After layer k of K, w should hold i_{L-K+k}, the order in which C1 and C2 read; as long as that is negative nothing is
asked. After the first full layer (the first one, if none is full) z_0's own token should hold i_1.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from separation.experiments.distributions import DISTRIBUTIONS, simplify
from separation.experiments.network import Network, Shape
from separation.experiments.runs import Run, layers_of
from separation.experiments.training import TEST_SEED, TESTED, Problem
from separation.experiments.warm import BuiltNetwork, built_network
from separation.tasks.funccomp import Sizes, token_ids
from separation.tasks.funccomp.families import FAMILIES
from separation.tasks.funccomp.instance import batch_hops

Prompts = NDArray[np.int64]
CHUNK = 512
PAIRS = 256


class Composition(Problem):
    """The network of a run, trained on inputs of its distribution (``train_on``, uniform if nothing else is said)."""

    def __init__(self, run: Run) -> None:
        self.sizes = Sizes(run.m, run.n)
        chosen = {name: value for name, value in run.settings if name in Shape.__dataclass_fields__}
        word, noise = layers_of(run.word), run.setting("noise", None)
        torch.manual_seed(run.seed)
        self.network: Network | BuiltNetwork = (
            Network(word, self.sizes, Shape(**chosen))
            if noise is None
            else built_network(word, self.sizes, noise, run.seed)
        )
        self.inputs = DISTRIBUTIONS[run.setting("train_on", "uniform")]
        self.first_full, layers = max(0, word.find("F")), len(word)
        self.hops = [self.sizes.L - layers + layer for layer in range(1, layers)]

    @property
    def bits(self) -> tuple[int | None, list[int] | None]:
        """β and the state bits of each layer; None where numbers are not rounded."""
        network = self.network
        if isinstance(network, BuiltNetwork) or network.shape.bits is None:
            return None, None
        return network.message_bits, network.state_bits

    def batch(self, random: np.random.Generator, count: int) -> tuple[Tensor, Tensor]:
        prompts = self.inputs(self.sizes, random, count)
        if self.simple:
            simplify(self.sizes, prompts, self.simple, random)
        return torch.as_tensor(prompts), torch.as_tensor(batch_hops(self.sizes, prompts))

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> Tensor:
        streams = self.network(inputs)
        entropy = nn.functional.cross_entropy
        loss = entropy(self.network.logits(streams[-1][:, -1]), wanted[:, -1])
        asked = [(layer, -1, hop) for layer, hop in enumerate(self.hops) if hop >= 0]
        if self.first_full < len(streams) - 1:
            asked.append((self.first_full, -2, 1))
        for layer, token, hop in asked:
            loss = loss + hop_weight * entropy(self._read(streams[layer][:, token], layer), wanted[:, hop])
        return loss

    def _read(self, stream: Tensor, layer: int) -> Tensor:
        network = self.network
        return network.logits(stream, layer) if isinstance(network, Network) else network.logits(stream)

    def answers(self, prompts: Prompts, device: str = "cpu") -> NDArray[np.int64]:
        """What the network says, for each prompt and after every layer: (prompts, layers)."""
        found = []
        with torch.no_grad():
            for start in range(0, len(prompts), CHUNK):
                streams = self.network(torch.as_tensor(prompts[start : start + CHUNK]).to(device))
                said = [self._read(stream[:, -1], layer).argmax(-1) for layer, stream in enumerate(streams)]
                found.append(torch.stack(said, 1).cpu().numpy())
        return np.concatenate(found)

    def tested(self, name: str, device: str = "cpu") -> tuple[int, int, tuple[float, ...]]:
        """Right answers, of how many, and for each hop the best accuracy over the layers; inputs of a distribution."""
        prompts = DISTRIBUTIONS[name](self.sizes, np.random.default_rng(TEST_SEED), TESTED)
        hops, said = batch_hops(self.sizes, prompts), self.answers(prompts, device)
        shares = tuple(float((said == hops[:, [hop]]).mean(0).max()) for hop in range(self.sizes.L + 1))
        return int((said[:, -1] == hops[:, -1]).sum()), TESTED, shares

    def shifted(self, device: str = "cpu") -> dict[str, float]:
        """Accuracy on every other distribution and on every adversarial family."""
        found = {}
        for name in DISTRIBUTIONS:
            correct, tested, _ = self.tested(name, device)
            found[name] = correct / tested
        for name, family in FAMILIES.items():
            instances = [instance for seed in range(16) for instance in family(self.sizes, seed)]
            prompts = np.stack([token_ids(instance) for instance in instances])
            right = self.answers(prompts, device)[:, -1] == batch_hops(self.sizes, prompts)[:, -1]
            found[name] = float(right.mean())
        return found

    def confused_pairs(self, device: str = "cpu") -> list[tuple[list[int], list[int]]]:
        """Pairs of prompts that differ in one asked entry, with different answers, and get the same one."""
        family = FAMILIES["one_entry_apart"]
        instances = [instance for seed in range(PAIRS // (2 * self.sizes.L)) for instance in family(self.sizes, seed)]
        prompts = np.stack([token_ids(instance) for instance in instances])
        said = self.answers(prompts, device)[:, -1]
        return [
            (prompts[first].tolist(), prompts[first + 1].tolist())
            for first in range(0, len(prompts), 2)
            if said[first] == said[first + 1]
        ]
