"""Programs as problems to train on: state tracking and recall, asked at lengths that were never trained.

The tokens are those of the program (`separation.programs`), the right answers those of its definitions. A token is
embedded by its kind and by the shared code of each variable that it spells; only kinds of fixed length have positions.
Every token of the answer's kind is asked. After the first layer of two, the variables are asked on which the answer
depends. Nothing is rounded, so no ceiling is claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from constructions.programs import gallery
from separation.experiments.layers import FullAttention, GatedDelta, stacked
from separation.experiments.runs import Run
from separation.experiments.training import TEST_SEED, TESTED, Problem
from separation.programs import Program
from separation.tasks.program import Definitions
from separation.tasks.program.oracle import all_inputs, answers, execute, random_input, raw_inputs, spelled

TIMES = (1, 2, 4)
"""Lengths of the tests, in lengths of the training."""
WIDTH, MATCH, HEAD, KEYS, VALUES, UPDATES = 64, 64, 16, 8, 16, 2
"""Of the stream, of F's queries and values, of R's state; two updates a token, as two reflections make a rotation."""
BLOCK, KEPT = 4096, 8.0
"""Inputs at once; σ(8) = 0.9997: what is forgotten in four times the trained length is little."""


PROGRAMS: dict[str, Callable[[int], Program]] = {
    "parity": lambda _: gallery("parity"),
    "s3_words": lambda _: gallery("s3_words"),
    "mqar": lambda n: gallery("mqar", pairs=n, keys=64, values=16, queries=4),
    "state_based_recall": lambda n: gallery("state_based_recall", n=n, V=4),
}


def program_of(task: str, length: int) -> Definitions:
    return PROGRAMS[task](length).definitions.at_length(length)


@lru_cache
def built_as(word: str, task: str) -> bool:
    """Whether the compiler's word for the task, with N for R, is part of this one: further layers may add nothing."""
    letters = iter(word)
    return all(letter in letters for letter in PROGRAMS[task](1).compile().model.word.replace("R", "N"))


class ProgramNetwork(nn.Module):
    """word: one head a layer, F, R or N (R with eigenvalues in (−1, 1)), each with its MLP, between shared codes."""

    def __init__(self, word: str, program: Definitions, grows: str) -> None:
        super().__init__()
        largest = max(size for place, size in program.sizes.items() if size and place != (grows, "position"))
        self.codes = nn.Embedding(largest, WIDTH)
        self.kind = nn.ParameterDict({kind.name: nn.Parameter(torch.randn(WIDTH)) for kind in program.kinds})
        named = [(kind.name, name) for kind in program.kinds for name, _ in kind.spells]
        named += [(kind.name, "position") for kind in program.kinds if kind.name != grows and kind.count != 1]
        self.maps = nn.ModuleDict({f"{k}_{name}": nn.Linear(WIDTH, WIDTH, bias=False) for k, name in named})
        for each in self.maps.values():
            nn.init.orthogonal_(each.get_parameter("weight"))
        mixers = [
            FullAttention(WIDTH, MATCH, HEAD, (0,))
            if letter == "F"
            else GatedDelta(WIDTH, KEYS, VALUES, (0,), None, UPDATES, letter == "N", KEPT)
            for letter in word
        ]
        self.mixers, self.mlps, self.norms = stacked(mixers, WIDTH, WIDTH)
        self.norm = nn.RMSNorm(WIDTH)
        self.read = nn.ModuleList([nn.Linear(WIDTH, WIDTH, bias=False) for _ in word])

    def forward(self, program: Definitions, prompts: Tensor) -> list[Tensor]:
        """The stream behind each layer."""
        stream, streams = self._embedded(program, prompts), []
        mixer: Any
        for number, (mixer, mlp) in enumerate(zip(self.mixers, self.mlps, strict=True)):
            mixer.cuts = (prompts.shape[1],)
            stream = stream + mixer(self.norms[2 * number](stream))
            stream = stream + mlp(self.norms[2 * number + 1](stream))
            streams.append(stream)
        return streams

    def logits(self, stream: Tensor, layer: int = -1) -> Tensor:
        """Of values, read behind a layer."""
        found: Tensor = self.read[layer](self.norm(stream)) @ self.codes.weight.T
        return found

    def _embedded(self, program: Definitions, prompts: Tensor) -> Tensor:
        parts, start = [], 0
        for kind in program.kinds:
            count = program.tokens_of(kind)
            rest = prompts[:, start : start + count] - program.first_id(kind.name)
            found, start = self.kind[kind.name].expand(*rest.shape, -1), start + count
            for name, size in reversed(kind.spells):
                found = found + self.maps[f"{kind.name}_{name}"](self.codes(rest % size))
                rest = rest // size
            if f"{kind.name}_position" in self.maps:
                places = self.codes(torch.arange(count, device=prompts.device))
                found = found + self.maps[f"{kind.name}_position"](places)
            parts.append(found)
        return torch.cat(parts, 1)


class Tracking(Problem):
    """The program that the run's task names, trained with ``run.m`` tokens of the kind that may grow."""

    network: ProgramNetwork
    bits = None, None

    def __init__(self, run: Run) -> None:
        self.task, self.length = run.task, run.m
        program = program_of(run.task, run.m)
        longer = dict(zip((kind.name for kind in program.kinds), program_of(run.task, run.m + 1).kinds, strict=True))
        (grows,) = (kind.name for kind in program.kinds if kind.count is None or kind != longer[kind.name])
        torch.manual_seed(run.seed)
        self.network = ProgramNetwork(run.word, program, grows)
        self.inputs_log2 = math.log2(raw_inputs(program))
        reader = program.answer[0]
        needed = [program.definitions[number] for number in program.needed()]
        self.asked = [d.name for d in needed if program.named(reader, d.name) is d]

    def drawn(self, random: np.random.Generator, count: int, times: int = 1) -> tuple[Definitions, Tensor, Tensor]:
        """Random inputs, and of each token that is asked all variables that are: the answer is the last."""
        program = program_of(self.task, times * self.length)
        (first, last), rows, values = program.asked, [], []
        for _ in range(count):
            rows.append(random_input(program, random))
            tokens = execute(program, spelled(program, rows[-1]))[first:last]
            values.append([[token[name] for name in self.asked] for _, token in tokens])
        return program, torch.tensor(rows), torch.tensor(values)

    def batch(self, random: np.random.Generator, tables: int, queries: int) -> tuple[Tensor, Tensor]:
        _, inputs, wanted = self.drawn(random, tables * queries)
        return inputs, wanted

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> tuple[Tensor, float]:
        program = program_of(self.task, self.length)
        streams = [stream[:, slice(*program.asked)] for stream in self.network(program, inputs)]
        answers = self.network.logits(streams[-1])
        loss = nn.functional.cross_entropy(answers.flatten(0, 1), wanted[..., -1].flatten())
        for number in range(len(self.asked) - 1 if len(streams) > 1 and hop_weight else 0):
            logits = self.network.logits(streams[0], 0).flatten(0, 1)
            loss = loss + hop_weight * nn.functional.cross_entropy(logits, wanted[..., number].flatten())
        return loss, float((answers.argmax(-1) == wanted[..., -1]).float().mean())

    def every_input(self, twin: Any) -> Iterator[tuple[NDArray[np.int64], Tensor, Tensor]]:
        program = program_of(self.task, self.length)
        inputs = all_inputs(program)
        for rows in iter(lambda: list(islice(inputs, BLOCK)), []):
            right = torch.tensor([answers(program, row) for row in rows])
            with torch.no_grad():
                stream = twin(program, torch.tensor(rows))[-1]
                yield np.array(rows), right, twin.logits(stream[:, slice(*program.asked)])

    def tested(
        self, name: str, device: str = "cpu", count: int = TESTED, seed: int = TEST_SEED
    ) -> tuple[int, int, tuple[float, ...]]:
        """Right answers at the last token, of how many inputs; ``name``: of 2x the trained length, or of that."""
        times = int(name[:-1]) if name.endswith("x") else 1
        program, inputs, wanted = self.drawn(np.random.default_rng(seed), count, times)
        with torch.no_grad():
            said = self.network.logits(self.network(program, inputs.to(device))[-1][:, program.asked[1] - 1]).argmax(-1)
        right = (said.cpu() == wanted[:, -1, -1]).float()
        return int(right.sum()), count, (float(right.mean()),)

    def shifted(self, device: str = "cpu") -> dict[str, float]:
        """Accuracy at each length."""
        return {f"{times}x": self.tested(f"{times}x", device, TESTED // 4)[2][0] for times in TIMES}
