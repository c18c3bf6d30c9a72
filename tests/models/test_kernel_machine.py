"""The kernel's own evaluator against the exact run, on random models of every kind of head."""

from __future__ import annotations

from typing import Any

import pytest
from random_models import batch, document_of, random_model, states_of

from separation.arithmetic import PrecisionOverflow
from separation.models import Model, run
from separation.proving import kernel, kernel_runs

KINDS = ("full", "linear", "delta", "sparse")


def kernel_run(model: Model, prompt: list[int]) -> kernel_runs.Run:
    """The kernel's run of a document; the task is one that asks for no more rows than there are."""
    document: dict[str, Any] = document_of(model)
    document |= {"schema": "separation.model/1", "task": {"task": "funccomp", "m": 1, "n": []}}
    document["attention"] = "causal"
    before = kernel_runs.Run(kernel.Model(document, proved=False), prompt[:-1])  # in two parts, as all else is
    return kernel_runs.Run(before.model, prompt[-1:], before)


def causal_models(kinds: tuple[str, ...], count: int, bits: int | None = None) -> list[tuple[Model, list[list[int]]]]:
    found = []
    for seed in range(10 * count):
        model, prompts = random_model(seed, bits=bits, kinds=kinds)
        if model.causal and model.positions.height >= 3 and model.tokens.height >= 2:
            found.append((model, prompts))
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_kernel_runs_every_head_as_the_project_does(kind: str) -> None:
    compared = 0
    for model, prompts in causal_models((kind,), 8):
        answers = run(model, batch(prompts)).answers
        for prompt, answer in zip(prompts, answers.tolist(), strict=True):
            try:
                found = kernel_run(model, prompt)
            except kernel.Rejected:  # what the bounds of exp cannot decide, or what the exact run left out
                continue
            assert kernel_runs.says_at(found.model, found.stream[-1], 0)[0] == answer
            compared += 1
    assert compared > 0


@pytest.mark.parametrize("kind", ["linear", "delta"])
def test_the_kernel_has_the_same_states(kind: str) -> None:
    for model, prompts in causal_models((kind,), 6):
        for prompt in prompts:
            run = kernel_run(model, prompt)
            behind = kernel_runs.Run(run.model, [], run)
            for layer, head, heard in behind.heard(0):
                assert list(heard or ()) == states_of(model, [prompt], layer, head)[0][-1]


def test_the_kernel_refuses_what_overflows() -> None:
    """The same prompts overflow in the exact run, if all of its rows are computed."""
    ends = []
    for model, prompts in causal_models(("linear",), 25, bits=6):
        try:
            kernel_run(model, prompts[0])
        except kernel.Rejected:
            ends.append("refused")
            with pytest.raises(PrecisionOverflow):
                run(model, batch(prompts[:1]), every_row=True)
        else:
            ends.append("run")
            run(model, batch(prompts[:1]), every_row=True)
    assert {"refused", "run"} == set(ends)
