"""C1 to C7 proved for all inputs at given sizes, and run on all inputs of tiny sizes: a row for each statement.

| row | holds | its check |
|---|---|---|
| `Proved` | cases (sizes and options), and what else must hold of weights and proof | the prover and the kernel |
| `Exhausted` | cases (sizes, and the options of each model that is run there) | the exact run and the oracle |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_checks.kit.hypotheses import Builder, Prompted, of_prompts, prompt_sizes, proved
from proofs_checks.kit.statement import Checked, Later, Statement, Status, require
from separation.models import Model, run
from separation.proving import Construction, Proof
from separation.tasks.funccomp import Sizes, enumerate_token_ids
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

AnySizes = Sizes | TwoSumSizes
Demand = tuple[bool, str]
"""Whether it holds, and the message if it does not."""
Wrong = Callable[[Construction, NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]
"""(weights, token ids, answers) ↦ for each input whether the weights are wrong on it."""


def sizes_and_tokens(sizes: Sequence[AnySizes]) -> str:
    return f"{len(sizes)} sizes, up to {max(each.length for each in sizes)} tokens"


@dataclass(frozen=True)
class Proved:
    """``demands(subject, proof, *case)`` lists what must hold besides the proof."""

    cases: Sequence[tuple[Any, ...]]
    scope: str
    demands: Callable[..., Iterator[Demand]]
    method: str = ""

    def check(self, builder: Builder) -> Checked:
        for case in self.cases:
            subject, where = builder(*case), ", ".join(map(str, case))
            proof: Proof = proved(subject, case[0], where)
            for holds, text in self.demands(subject, proof, *case):
                require(holds, f"{where}: {text}")
        return Checked(Status.ALL_INPUTS, f"layer by layer on the exact weights, closed form{self.method}", self.scope)


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
    variants: str = ""
    wrong: Wrong = wrong_answers
    method: str = "exact integer run against the oracle"

    def check(self, builder: Callable[..., Any]) -> Checked:
        count = sum(self._inputs_right(builder, sizes, options) for sizes, options in self.cases)
        return Checked(Status.EXHAUSTIVE, self.method, f"all {count} inputs of {len(self.cases)} sizes{self.variants}")

    def _inputs_right(self, builder: Callable[..., Any], sizes: AnySizes, options: Sequence[tuple[Any, ...]]) -> int:
        subjects = {", ".join(map(str, (sizes, *each))): builder(sizes, *each) for each in options}
        count = 0
        for ids, answers in all_inputs(sizes):
            for where, subject in subjects.items():
                wrong = self.wrong(subject, ids, answers)
                require(not wrong.any(), f"{where}: wrong on token ids {ids[wrong][:1].tolist()}")
            count += len(ids)
        return count


def all_inputs(sizes: AnySizes) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Batches of token ids and their answers; of 2-Sum the answers at every token."""
    return enumerate_tokens(sizes, 1024) if isinstance(sizes, TwoSumSizes) else enumerate_token_ids(sizes, 4096)


def run_statement(
    id: str,
    latex: str,
    row: Exhausted,
    build: Builder,
    twins: Mapping[str, Builder],
    witness: tuple[tuple[Any, ...], tuple[int, ...]],
    elsewhere: tuple[tuple[Any, ...], tuple[int, ...]],
    is_run: Callable[[Construction], bool] | None = None,
    **texts: str,
) -> Statement:
    """A construction run on all inputs of its row; ``witness`` and ``elsewhere`` are (arguments of build, token ids).

    ``is_run`` recognises the weights that are run, if their sizes are not enough; ``texts`` replace the standard
    title and English.
    """
    name, searching = id.split(".")[0], isinstance(row.cases[0][0], TwoSumSizes)
    known = {sizes for sizes, _ in row.cases}
    inside, outside = (_prompted(build, *chosen) for chosen in (witness, elsewhere))
    read = "and all its tokens were read" if searching else f"with the proved {'P and p' if name != 'C3' else 'p'}"
    among = (
        of_prompts(inside, lambda subject: prompt_sizes(subject) in known, outside)
        if is_run is None
        else of_prompts(inside, is_run, outside, "n, M, B and k")
    )
    fields: dict[str, Any] = {
        "title": f"{name} run exactly on all inputs of small sizes",
        "english": f"At tiny sizes every input was run through {name}'s weights in exact arithmetic, {read}.",
        "hypotheses": among,
        "speaks_of": ("D2", "D3") if searching else ("D1", "D2"),
    }
    return Statement(
        id=id, latex=latex, subject=build, check=row.check, twins=twins, witness=inside, **{**fields, **texts}
    )


def _prompted(build: Builder, arguments: tuple[Any, ...], ids: tuple[int, ...]) -> Later:
    return Later(lambda: Prompted(build(*arguments), ids))
