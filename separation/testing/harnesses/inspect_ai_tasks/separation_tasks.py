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

from separation.testing.adapters.choosing import MAX_TOKENS
from separation.testing.harnesses import SETTINGS, harness_rows, judged


@task
def separation_funccomp(
    hops: list[int] | int = list(SETTINGS["hops"]),  # noqa: B006
    lengths: list[int] | int = list(SETTINGS["lengths"]),  # noqa: B006
    count: int = SETTINGS["count"],
    seed: int = SETTINGS["seed"],
    shots: int = SETTINGS["shots"],
    families: bool = SETTINGS["families"],
    strict: bool = False,
) -> Task:
    """Follow the hops through the tables."""
    given = {"hops": _list(hops), "lengths": _list(lengths), "count": count, "strict": strict}
    return _task("funccomp", {**given, "seed": seed, "shots": shots, "families": families})


@task
def separation_two_sum(
    lengths: list[int] | int = list(SETTINGS["lengths"]),  # noqa: B006
    count: int = SETTINGS["count"],
    seed: int = SETTINGS["seed"],
    shots: int = SETTINGS["shots"],
    families: bool = SETTINGS["families"],
    strict: bool = False,
) -> Task:
    """For each number, has it met its negative?"""
    given = {"lengths": _list(lengths), "count": count, "seed": seed, "shots": shots, "families": families}
    return _task("two_sum", {**given, "strict": strict})


@task
def separation_mqar(
    lengths: list[int] | int = list(SETTINGS["lengths"]),  # noqa: B006
    count: int = SETTINGS["count"],
    seed: int = SETTINGS["seed"],
    shots: int = SETTINGS["shots"],
    families: bool = SETTINGS["families"],
    strict: bool = False,
) -> Task:
    """The value of the key that was asked last."""
    given = {"lengths": _list(lengths), "count": count, "seed": seed, "shots": shots, "families": families}
    return _task("mqar", {**given, "strict": strict})


@task
def separation_program(
    program: str = "induction",
    sizes: str = "",
    lengths: list[int] | int = list(SETTINGS["lengths"]),  # noqa: B006
    count: int = SETTINGS["count"],
    seed: int = SETTINGS["seed"],
    shots: int = SETTINGS["shots"],
    families: bool = SETTINGS["families"],
    strict: bool = False,
) -> Task:
    """Any program: a name of the gallery or FILE.py:program, at its own ``sizes`` ("n=8;V=4") or near the lengths."""
    given = {"lengths": _list(lengths), "count": count, "seed": seed, "shots": shots, "families": families}
    return _task(program, {**given, "sizes": sizes.replace(";", ","), "strict": strict})


def _list(numbers: list[int] | int) -> list[int]:
    return [numbers] if isinstance(numbers, int) else [int(number) for number in numbers]


def _task(name: str, given: dict[str, Any]) -> Task:
    samples = [
        Sample(
            id=row["id"],
            input=row["text"],
            target=row["target"],
            metadata={key: row[key] for key in ("answer", "hops", "length", "family", "seed", "canary", "strict")},
        )
        for row in harness_rows(name, given)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"separation_{name}" if name.isidentifier() else "separation_program"),
        solver=generate(max_tokens=MAX_TOKENS),
        scorer=last_answer(),
        version=2,
    )


@metric
def readable() -> Metric:
    """The share of replies that could be read."""

    def share(scores: list[SampleScore]) -> float:
        told = [bool((each.score.metadata or {}).get("readable")) for each in scores]
        return sum(told) / len(told) if told else 0.0

    return share


@scorer(metrics=[accuracy(), stderr(), readable(), grouped(accuracy(), "hops", all=False)])
def last_answer() -> Scorer:
    """The last answer in a reply, as `separation stress` reads it."""

    async def score(state: TaskState, _target: Target) -> Score:
        reply = state.output.completion
        right, read = judged(state.metadata, reply)
        return Score(value=CORRECT if right else INCORRECT, answer=reply[:200], metadata={"readable": read})

    return score
