"""Programs: a task that is written down as definitions (map, find, count, scan) over kinds of tokens.

| file | what it holds |
|---|---|
| `definitions` | kinds, definitions, what is well-formed; the document |
| `document` | the document, read |
| `oracle` | what a program means, executed; random and all inputs |
| `task` | all that is asked of any task |
"""

from separation.tasks.program.definitions import TASK as TASK
from separation.tasks.program.definitions import Count as Count
from separation.tasks.program.definitions import Definition as Definition
from separation.tasks.program.definitions import Definitions as Definitions
from separation.tasks.program.definitions import Find as Find
from separation.tasks.program.definitions import Kind as Kind
from separation.tasks.program.definitions import Map as Map
from separation.tasks.program.definitions import Scan as Scan
from separation.tasks.program.definitions import Step as Step
from separation.tasks.program.oracle import BrokenPromise as BrokenPromise
from separation.tasks.program.oracle import answers as answers
from separation.tasks.program.oracle import execute as execute
from separation.tasks.program.oracle import ids_of as ids_of
from separation.tasks.program.oracle import spelled as spelled
from separation.tasks.program.task import TASKS as TASKS
from separation.tasks.program.task import ProgramInstance as ProgramInstance
from separation.tasks.program.task import ProgramTask as ProgramTask
from separation.tasks.program.task import from_document as from_document
from separation.tasks.program.task import sizes_from_document as sizes_from_document
