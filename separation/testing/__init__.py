"""The stress kit: does a solver, whoever wrote it, answer right, and which is the smallest input where it does not?

| file | what it holds |
|---|---|
| `subjects` | tasks by name: sizes for a wanted length, small sizes, families |
| `text` | instances as text for models that read text, and answers read strictly |
| `dataset` | prompts as JSON Lines, for harnesses of others |
"""

from separation.testing.dataset import Dataset, dataset_rows, row_of, sizes_asked, write_dataset
from separation.testing.subjects import families_of, plain_task, sizes_of_length, small_sizes, task_name
from separation.testing.text import CANARY, parse_answer, read_prompt, write_answer, write_prompt, write_prompts

__all__ = [
    "CANARY",
    "Dataset",
    "dataset_rows",
    "families_of",
    "parse_answer",
    "plain_task",
    "read_prompt",
    "row_of",
    "sizes_asked",
    "sizes_of_length",
    "small_sizes",
    "task_name",
    "write_answer",
    "write_dataset",
    "write_prompt",
    "write_prompts",
]
