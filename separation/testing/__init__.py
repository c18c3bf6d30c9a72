"""The stress kit: does a solver answer right, and which is the smallest input where it does not?

| file | what it holds |
|---|---|
| `check`, `plan` | `check_solver`: stages of prompts put to a solver, and the report |
| `relations` | how an input may be changed, and what that must do to the answer |
| `calling`, `replies` | calls with a time limit that is kept; what a solver said |
| `examining` | the counts, and a failure made smaller |
| `strategies` | hypothesis strategies (extra `hypothesis`) |
| `pytest_plugin` | the fixture `assert_solves` |
| `subjects` | tasks by name: sizes for a wanted length, small sizes, families |
| `text` | instances as text for models that read text, and answers read strictly |
| `dataset` | prompts as JSON Lines, for third-party harnesses |
| `exact` | exact accuracy: every input of a small size |
| `adapters/` | what people have as a solver: a function, a torch module, a Hugging Face folder, a server |
| `page` | results as JSON Lines that a run goes on from; the report as one page of HTML |
| `changes` | one part of a construction in place of another |
| `wrong` | plausible constructions that are wrong, and caught |
"""

from separation.lazily import names_of

TYPE_CHECKING = False  # a pytest plugin is loaded wherever it is installed: nothing is imported before it is used
if TYPE_CHECKING:
    from separation.testing.check import SolverReport as SolverReport
    from separation.testing.check import assert_solves as assert_solves
    from separation.testing.check import check_solver as check_solver
    from separation.testing.dataset import Dataset as Dataset
    from separation.testing.dataset import dataset_rows as dataset_rows
    from separation.testing.dataset import row_of as row_of
    from separation.testing.dataset import sizes_asked as sizes_asked
    from separation.testing.dataset import write_dataset as write_dataset
    from separation.testing.relations import relations_of as relations_of
    from separation.testing.subjects import families_of as families_of
    from separation.testing.subjects import plain_task as plain_task
    from separation.testing.subjects import sizes_of_length as sizes_of_length
    from separation.testing.subjects import small_sizes as small_sizes
    from separation.testing.subjects import stressed_tasks as stressed_tasks
    from separation.testing.subjects import task_name as task_name
    from separation.testing.text import CANARY as CANARY
    from separation.testing.text import parse_answer as parse_answer
    from separation.testing.text import read_prompt as read_prompt
    from separation.testing.text import write_answer as write_answer
    from separation.testing.text import write_prompt as write_prompt
    from separation.testing.text import write_prompts as write_prompts

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
