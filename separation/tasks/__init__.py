"""The problems that models are asked to solve: each folder is a task, and all of them answer `Task`.

| file | what it holds |
|---|---|
| `task` | what is asked of a task: prompts, oracle, samples, families, documents |
| `catalogue` | the task of given sizes, or of a document |
| `shape` | what a proof may know of a task |
| `checks` | integers, seeds and documents from outside; log2 of numbers too large to write down |
"""

from separation.lazily import found_in

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.tasks.catalogue import (
        hard_inputs,
        instance_to_document,
        load_any_instance,
        prompt_tokens,
        task_folder,
        task_from_document,
        task_names,
        task_of,
        task_to_document,
    )
    from separation.tasks.checks import generator, require_integer, shown
    from separation.tasks.shape import Fact, Kind, Shape, Variable
    from separation.tasks.task import AnyTask, Instance, Task, TaskSizes

__all__ = [
    "AnyTask",
    "Fact",
    "Instance",
    "Kind",
    "Shape",
    "Task",
    "TaskSizes",
    "Variable",
    "generator",
    "hard_inputs",
    "instance_to_document",
    "load_any_instance",
    "prompt_tokens",
    "require_integer",
    "shown",
    "task_folder",
    "task_from_document",
    "task_names",
    "task_of",
    "task_to_document",
]

__getattr__ = found_in(__name__, __all__, "task", "shape", "checks", "catalogue")
