"""Tasks for inspect-ai: `inspect eval separation_tasks.py@separation_funccomp -T hops=1,2 -T lengths=64 -T count=8`."""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate

from separation.testing.harnesses import SETTINGS, harness_rows, judged


@task
def separation_funccomp(
    hops: list[int] | int = list(SETTINGS["hops"]),  # noqa: B006
    lengths: list[int] | int = list(SETTINGS["lengths"]),  # noqa: B006
    count: int = SETTINGS["count"],
    seed: int = SETTINGS["seed"],
    shots: int = SETTINGS["shots"],
    families: bool = SETTINGS["families"],
) -> Task:
    """Follow the hops through the tables."""
    given = {"hops": _list(hops), "lengths": _list(lengths), "count": count}
    return _task("funccomp", {**given, "seed": seed, "shots": shots, "families": families}, max_tokens=64)


@task
def separation_two_sum(
    lengths: list[int] | int = list(SETTINGS["lengths"]),  # noqa: B006
    count: int = SETTINGS["count"],
    seed: int = SETTINGS["seed"],
    shots: int = SETTINGS["shots"],
    families: bool = SETTINGS["families"],
) -> Task:
    """For each number, has it met its negative?"""
    given = {"lengths": _list(lengths), "count": count, "seed": seed, "shots": shots, "families": families}
    return _task("two_sum", given, max_tokens=1024)


def _list(numbers: list[int] | int) -> list[int]:
    return [numbers] if isinstance(numbers, int) else [int(number) for number in numbers]


def _task(name: str, given: dict[str, Any], max_tokens: int) -> Task:
    samples = [
        Sample(
            id=row["id"],
            input=row["text"],
            target=row["target"],
            metadata={key: row[key] for key in ("answer", "hops", "length", "family", "seed", "canary")},
        )
        for row in harness_rows(name, given)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"separation_{name}"),
        solver=generate(max_tokens=max_tokens),
        scorer=strict(),
        version=1,
    )


@metric
def readable() -> Metric:
    """The share of replies that could be read."""

    def share(scores: list[SampleScore]) -> float:
        told = [bool((each.score.metadata or {}).get("readable")) for each in scores]
        return sum(told) / len(told) if told else 0.0

    return share


@scorer(metrics=[accuracy(), stderr(), readable(), grouped(accuracy(), "hops", all=False)])
def strict() -> Scorer:
    """The reply, or its last line that begins with `Answer:`, is the answer and nothing else."""

    async def score(state: TaskState, _target: Target) -> Score:
        reply = state.output.completion
        right, read = judged(state.metadata, reply)
        return Score(value=CORRECT if right else INCORRECT, answer=reply[:200], metadata={"readable": read})

    return score
