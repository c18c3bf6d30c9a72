"""The stress kit's page: a prompt as it is written, and the wrong constructions with what catches them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.docs.block import PageError, block, table

if TYPE_CHECKING:
    from separation.tasks import Instance


@block("docs/stress.md", "prompt")
def prompt() -> str:
    from separation.tasks.funccomp import Instance, Sizes
    from separation.testing import read_prompt, write_prompt

    case = Instance(Sizes(2, (2,)), 1, [[1, 0], [3, 0, 1, 2]], [1])
    text = write_prompt(case, shots=1)
    if read_prompt(text, case.sizes) != case:
        raise PageError("the prompt does not read back")
    return f"```\n{text}\n```"


@block("docs/stress.md", "wrong")
def wrong() -> str:
    """Each wrong construction with the stage that catches it first and the smallest failure; the right ones pass."""
    from separation.testing import check_solver, task_name
    from separation.testing.adapters.constructions import construction_solver
    from separation.testing.wrong import WRONG

    rows = []
    for each in WRONG.values():
        task, solver = task_name(each.sizes), construction_solver(each.construction())
        report = check_solver(solver, task, sizes=each.sizes, tokens=True, seconds=600, limit=None, instances=64)
        if report.failure is None:
            raise PageError(f"{each.name} is not caught")
        shown = _not_plain(report.failure)
        answers = _written(report.expected), _written(report.answered)
        rows.append((f"`{each.name}`", each.mistake, report.stage, f"`{shown}`", *answers))
    return table(("name", "mistake", "caught by", "smallest failure", "expected", "answered"), rows)


def _not_plain(instance: Instance) -> str:
    """What an instance has that the plainest one has not; the last lines of FuncComp, z0 and w, in any case."""
    from separation.testing import plain_task
    from separation.testing.text import write_block

    task = plain_task(instance.sizes)
    plainest = task.instance(task.plainest_prompt())
    pairs = zip(write_block(instance).split("\n")[1:], write_block(plainest).split("\n")[1:], strict=True)
    shown = []
    for line, plain in pairs:
        name, _, rest = line.partition(": ")
        entries = rest.split(" ")
        kept = [own for own, other in zip(entries, plain.partition(": ")[2].split(" "), strict=True) if own != other]
        if kept or len(entries) == 1:
            shown.append(f"{name}: {' '.join(kept or entries)}")
    return "; ".join(shown)


def _written(answer: object) -> str:
    return " ".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)
