"""A torch module of one's own, stressed: a look-up that is right, and one that attends to the mean.

`check_solver` asks all inputs of small sizes, then hard families, changed and random ones, and makes a failure small.
"""

import torch

from separation import Sizes
from separation.testing import check_solver

SIZES = Sizes(6, ())  # a table of 6 entries, z_0, and w (a token that says nothing): the answer is table[z_0]


class LookUp(torch.nn.Module):
    """Attention from z_0 to the entries, by the distance of addresses; the sharper, the closer to a look-up."""

    def __init__(self, sharpness: float) -> None:
        super().__init__()
        self.sharpness = torch.nn.Parameter(torch.tensor(sharpness))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        entries, start = ids[:, : SIZES.m].double(), ids[:, SIZES.m, None]
        scores = -self.sharpness * (torch.arange(SIZES.m) - start).abs()
        return (scores.double().softmax(dim=-1) * entries).sum(dim=-1).round().long()


def solver(module: LookUp):  # type: ignore[no-untyped-def]
    """From lists of token ids to answers."""
    return lambda prompts: module(torch.tensor(prompts)).tolist()


for name, sharpness in (("sharp", 12.0), ("attends to the mean", 0.0)):
    report = check_solver(solver(LookUp(sharpness)), "funccomp", sizes=SIZES, seconds=6.0, tokens=True)
    print(f"{name}: ok {report.ok}, accuracy {report.accuracy:.2f}")
    if report.failure is not None:
        print(f"  answered {report.answered}, expected {report.expected} on {report.failure}")
