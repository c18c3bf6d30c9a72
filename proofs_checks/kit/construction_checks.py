"""C1 to C7 proved for all inputs at given sizes, and run on all inputs of tiny sizes.

| row | holds | its check |
|---|---|---|
| `Proved` | cases (sizes and options), what else must hold of weights and proof, what is run | prover and kernel |
| `Exhausted` | cases (sizes, and the options of each model that is run there) | the exact run and the oracle |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_checks.kit.hypotheses import Builder, proved
from proofs_checks.kit.statement import Checked, Status, require
from separation.models import Model, run
from separation.proving import Construction, Proof
from separation.tasks.funccomp import Sizes, enumerate_token_ids
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

AnySizes = Sizes | TwoSumSizes
Demand = tuple[bool, str]
"""Whether it holds, and the message if it does not."""
Wrong = Callable[[Construction, NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]
"""(weights, token ids, answers) ↦ for each input whether the weights are wrong on it."""


TINY = (
    *(Sizes(m, ()) for m in (2, 3, 4, 5)),
    *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1))),
    Sizes(2, (1, 1)),
)
"""Sizes of FuncComp of which all inputs are run."""


def sizes_and_tokens(sizes: Sequence[AnySizes]) -> str:
    return f"{len(sizes)} sizes, up to {max(each.length for each in sizes)} tokens"


def wrong_answers(
    subject: Construction | Model, ids: NDArray[np.int64], answers: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """By the exact run; 2-Sum is answered at every token."""
    model = subject if isinstance(subject, Model) else subject.model
    wrong = run(model, ids, every_row=answers.ndim == 2).answers != answers
    return np.asarray(wrong.any(axis=1) if answers.ndim == 2 else wrong)


@dataclass(frozen=True)
class Exhausted:
    """``cases``: sizes, and for each model that is run there the options that it is built with."""

    cases: Sequence[tuple[AnySizes, Sequence[tuple[Any, ...]]]]
    wrong: Wrong = wrong_answers
    method: str = "exact integer run against the oracle"

    def check(self, builder: Callable[..., Any]) -> Checked:
        count = sum(self._inputs_right(builder, sizes, options) for sizes, options in self.cases)
        return Checked(Status.EXHAUSTIVE, self.method, f"all {count} inputs of {len(self.cases)} tiny sizes")

    def _inputs_right(self, builder: Callable[..., Any], sizes: AnySizes, options: Sequence[tuple[Any, ...]]) -> int:
        subjects = {", ".join(map(str, (sizes, *each))): builder(sizes, *each) for each in options}
        count = 0
        for ids, answers in all_inputs(sizes):
            for where, subject in subjects.items():
                wrong = self.wrong(subject, ids, answers)
                require(not wrong.any(), f"{where}: wrong on token ids {ids[wrong][:1].tolist()}")
            count += len(ids)
        return count


@dataclass(frozen=True)
class Proved:
    """``demands(subject, proof, *case)`` lists what must hold besides the proof; ``run``: tiny sizes, all inputs."""

    cases: Sequence[tuple[Any, ...]]
    scope: str
    demands: Callable[..., Iterator[Demand]]
    run: Exhausted
    method: str = ""

    def check(self, builder: Builder) -> Checked:
        for case in self.cases:
            subject, where = builder(*case), ", ".join(map(str, case))
            proof: Proof = proved(subject, case[0], where)
            for holds, text in self.demands(subject, proof, *case):
                require(holds, f"{where}: {text}")
        run = self.run.check(builder)
        method = f"layer by layer on the exact weights, closed form{self.method}; {run.method}"
        return Checked(Status.ALL_INPUTS, method, f"{self.scope}; {run.scope}")


def all_inputs(sizes: AnySizes) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Batches of token ids and their answers; of 2-Sum the answers at every token."""
    return enumerate_tokens(sizes, 1024) if isinstance(sizes, TwoSumSizes) else enumerate_token_ids(sizes, 4096)
