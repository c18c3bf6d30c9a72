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
from separation.testing.harnesses import SETTINGS, STRICT, harness_rows, judged

LISTS = {"hops", "lengths"}


@task
def separation_funccomp(**settings: Any) -> Task:
    """Follow the hops through the tables."""
    return _task("funccomp", settings)


@task
def separation_two_sum(**settings: Any) -> Task:
    """For each number, has it met its negative?"""
    return _task("two_sum", settings)


@task
def separation_mqar(**settings: Any) -> Task:
    """The value of every key that is asked for."""
    return _task("mqar", settings)


@task
def separation_program(program: str = "induction", **settings: Any) -> Task:
    """Any program: a name of the gallery or FILE.py:program, at its own ``sizes`` ("n=8;V=4") or near the lengths."""
    return _task(program, settings)


def _task(name: str, settings: dict[str, Any]) -> Task:
    """The task; its settings are those of SETTINGS and ``strict``, a number for a list of one."""
    unknown = settings.keys() - {*SETTINGS, STRICT}
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}: no such setting; there are {', '.join(SETTINGS)}, {STRICT}")
    lists = {key: [settings[key]] if isinstance(settings[key], int) else settings[key] for key in LISTS & {*settings}}
    given = {**settings, **lists, "sizes": str(settings.get("sizes", "")).replace(";", ",")}
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
        readable = [bool((each.score.metadata or {}).get("readable")) for each in scores]
        return sum(readable) / len(readable) if readable else 0.0

    return share


@scorer(metrics=[accuracy(), stderr(), readable(), grouped(accuracy(), "hops", all=False)])
def last_answer() -> Scorer:
    """The last answer in a reply, as `separation stress` reads it."""

    async def score(state: TaskState, _target: Target) -> Score:
        reply = state.output.completion
        right, read = judged(state.metadata, reply)
        return Score(value=CORRECT if right else INCORRECT, answer=reply[:200], metadata={"readable": read})

    return score
