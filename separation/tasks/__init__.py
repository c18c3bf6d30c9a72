"""The problems that models are asked to solve: each folder is a task, and all of them answer `Task`.

| file | what it holds |
|---|---|
| `task` | what is asked of a task: prompts, oracle, samples, families, documents |
| `catalogue` | the task of given sizes, or of a document |
| `shape` | what a proof may know of a task |
| `checks` | integers, seeds and documents from outside; log2 of numbers too large to write down |
"""

from separation.lazily import names_of

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.tasks.catalogue import hard_inputs as hard_inputs
    from separation.tasks.catalogue import instance_to_document as instance_to_document
    from separation.tasks.catalogue import load_any_instance as load_any_instance
    from separation.tasks.catalogue import prompt_tokens as prompt_tokens
    from separation.tasks.catalogue import task_folder as task_folder
    from separation.tasks.catalogue import task_from_document as task_from_document
    from separation.tasks.catalogue import task_names as task_names
    from separation.tasks.catalogue import task_of as task_of
    from separation.tasks.catalogue import task_to_document as task_to_document
    from separation.tasks.checks import require_integer as require_integer
    from separation.tasks.task import AnyTask as AnyTask
    from separation.tasks.task import Instance as Instance
    from separation.tasks.task import Task as Task
    from separation.tasks.task import TaskSizes as TaskSizes

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
