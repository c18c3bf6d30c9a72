"""`stress`: what people have, a function, a torch module, a Hugging Face folder or a server, put to the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

from constructions import FOR_TWO_SUM, NAMES, build
from constructions.programs import is_program
from separation.escaping import quoted
from separation.files import InputError, require_writable, write_whole
from separation.programs import CompiledProgram
from separation.progress import Progress, silent
from separation.proving import Construction, exhaustive_certificate, write_certificate
from separation.tasks import TaskSizes, instance_to_document, require_integer
from separation.testing.adapters.choosing import Adapted, Asked, adapted
from separation.testing.adapters.torch_modules import folder_sizes, is_folder, is_spelled, torch_solver
from separation.testing.calling import INSTANCES, TEXT, Form, caller_of
from separation.testing.check import SolverReport, examined
from separation.testing.dataset import COUNT, Drawn, sizes_asked
from separation.testing.dataset import write_dataset as dataset_written
from separation.testing.exact import ExactAccuracy, exact_accuracy
from separation.testing.examining import Examiner
from separation.testing.page import Model, Results, html_page
from separation.testing.plan import Plan
from separation.testing.replies import NO_CONNECTION, UNPARSED
from separation.testing.subjects import Named, Subject, plain_task, subject_of, task_name
from separation.testing.text import write_block, write_prompts
from separation.verbs.options import Argument, Choice, File, Option, Seed, ranges, several
from separation.verbs.report import MARKS, Parts, Report, facts_table, lines, named, shortened, table_of, timed, written
from separation.verbs.report import count as counted

EXAMPLES = (
    "stress mymodel:solve --L 1..3 --seconds 10",
    "stress mymodel:solve --task induction --sizes n=8,V=4",
    "stress induction --task induction --all-inputs",
    "stress llama --url http://localhost:8000/v1 --report page.html --results run.jsonl",
)
HOPS, LENGTHS = (1, 2, 3, 4), (16, 64)
SECONDS = 60.0
FEW_SHRINKING_CALLS, MANY_SHRINKING_CALLS = 48, 1 << 14
"""Prompts that may be spent on making failures smaller: of text, each of which may cost something, few."""
MOST_LEVELS = 64
LONGEST_INSTANCE = 400


def _counts(text: str, option: str, most: int | None = None) -> list[int]:
    """'1..4' → [1, 2, 3, 4]; '16,64' → [16, 64]."""
    found = ranges(text, option)
    if min(found) < 1 or (most is not None and max(found) > most):
        allowed = "1 and above" if most is None else f"1..{most}"
        raise InputError(f"{option} is {text[:40]!r}; allowed are {allowed}")
    return found


def _levels(text: str, option: str) -> list[int]:
    return _counts(text, option, MOST_LEVELS)


Levels = Annotated[int | Sequence[int] | None, "Numbers of hops: 1..4 (default), 2, or 1,3.", _levels]
Lengths = Annotated[int | Sequence[int] | None, "Tokens of a prompt, at most: 16,64 (default).", _counts]
Count = Annotated[int | None, "Random prompts at each of the sizes (default 256; of text 16)."]
Shots = Annotated[int, "Text: worked examples in front of the question."]
ModelName = Annotated[
    str | Callable[..., Any],
    Argument(
        metavar="MODEL",
        help="module:function; a Hugging Face folder; C1 to C7; module:factory with --weights or --torch;"
        " with --url the model's name there.",
    ),
]
TaskName = Annotated[Named, "funccomp, two_sum, mqar, a program of the gallery, or FILE.py:program."]
OwnSizes = Annotated[Mapping[str, int] | str | None, "Of a program: n=8,V=4 (else it is grown to --lengths)."]
Weights = Annotated[File, "A .safetensors file for the module that MODEL makes."]
Torch = Annotated[bool, "MODEL makes a torch module that has its weights."]


def stress(
    model: ModelName,
    *,
    task: TaskName = "funccomp",
    sizes: OwnSizes = None,
    L: Levels = None,
    lengths: Lengths = None,
    count: Count = None,
    shots: Shots = 0,
    seed: Seed = 0,
    seconds: Annotated[float, "Stop asking after about that long."] = SECONDS,
    reads: Annotated[str | None, "What the model is given: instances, tokens or text."] = None,
    weights: Weights = None,
    torch: Torch = False,
    url: Annotated[str | None, "An OpenAI-compatible server, e.g. http://localhost:8000/v1."] = None,
    api: Annotated[str, "With --url: chat or completions."] = "chat",
    limit: Annotated[float | None, "Seconds of one call (default 30; of one request 60)."] = None,
    retries: Annotated[int, Option("With --url: how often a broken request is repeated.", min=0)] = 3,
    workers: Annotated[int, Option("With --url: requests at a time.", min=1)] = 4,
    max_tokens: Annotated[int | None, "Text: tokens of a reply (default 1024; of a folder 64)."] = None,
    temperature: Annotated[float | None, "With --url: temperature (default 0)."] = None,
    system: Annotated[str | None, "With --url: a system message before the prompt."] = None,
    extra_body: Annotated[
        str | Mapping[str, Any] | None, Option(metavar="JSON", help="With --url: more fields of every request.")
    ] = None,
    pause: float = 0.5,
    strict: Annotated[bool, "Text: read replies by the grammar of docs/stress.md alone."] = False,
    config: Annotated[File, "A config.json that tells the model's layers."] = None,
    results: Annotated[File, "Write results here as JSON Lines, one a prompt."] = None,
    resume: Annotated[bool, "Go on from the file of --results."] = False,
    report: Annotated[File, "Write a page of HTML here."] = None,
    progress: Progress = silent,
) -> StressReport:
    """Puts a model to the test: accuracy by family, hop and length, and its smallest failures.

    where ``model`` may also be a callable, and ``task`` any program. A later run goes on from the file of ``results``
    with ``resume``.
    """
    tested = subject_of(task, sizes or "")
    if not seconds > 0:
        raise InputError(f"--seconds is {seconds}; a number above 0 is needed")
    for name, value in (("seed", seed), ("shots", shots), ("retries", retries)):
        require_integer(name, value, 0)
    require_integer("workers", workers, 1, 64)
    kept, page = require_writable(results, report)
    if resume and results is None:
        raise InputError("--resume goes on from the file of --results: give one")
    L, lengths = several(L), several(lengths)
    file_of_weights = None if weights is None else Path(weights)
    talk: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature, "system": system}
    asked = Asked(
        reads, file_of_weights, torch, url, api, limit, retries, workers, pause, **talk, extra_body=extra_body
    )
    subject = adapted(model, asked, tested)
    if strict and subject.reads != TEXT:
        raise InputError("--strict says how replies in text are read; this model gives numbers")
    wanted = tuple(lengths or LENGTHS)
    plan = _plan(subject, tested, L, lengths, count, seed)
    settings = _settings(subject, tested.name, plan, shots)
    if subject.reads == TEXT:
        settings |= {**talk, "extra_body": dict(asked.extra), "strict": strict}
    with ExitStack() as stack:
        file = None if results is None else stack.enter_context(Results(results, settings, resume))
        caller = caller_of(subject.make, Form(subject.reads, shots, strict), subject.limit)
        stack.callback(caller.close)
        examiner = Examiner(caller, seed, file.known if file else None, file.note if file else None)
        calls = FEW_SHRINKING_CALLS if subject.reads == TEXT else MANY_SHRINKING_CALLS
        found = examined(examiner, plan, tested.name, seconds, shrink_calls=calls, each_hop=True, progress=progress)
    if subject.sizes is not None:
        wanted = (plain_task(subject.sizes).prompt_length,)
    described = _described(subject, config)
    if report is not None:
        write_whole(report, html_page(described, found, wanted, settings, _model_tokens(subject, found, shots)))
    return StressReport(described, found, subject.reads, examiner.resumed, kept, page)


class StressReport(Report):
    """What was asked and answered, and of what: ``depth`` where a config tells the model's layers."""

    model: Model
    solver: SolverReport
    reads: str
    resumed: int
    results: Path | None
    page: Path | None

    @property
    def ok(self) -> bool:
        """Every prompt of the plan was asked, and answered rightly."""
        return self.solver.ok and self.solver.complete

    def facts(self) -> dict[str, Any]:
        """The solver's own document, and what is known of the model."""
        return {
            **self.solver.document(),
            **named(self, "ok", "reads", "resumed", "results"),
            "model": self.model.name,
            **named(self.model, "kind", "word", "depth"),
            "unparsed": self.solver.count(UNPARSED),
            "no_connection": self.solver.count(NO_CONNECTION),
            "failures": [
                {
                    "instance": instance_to_document(failed.task.instance(failed.prompt)),
                    "hops": failed.task.depth,
                    "answered": failed.reply.answer,
                    **named(failed, "expected", "stage", "family"),
                    **named(failed.reply, "status", "detail"),
                }
                for failed in self.solver.failures
            ],
            "report": self.page,
        }

    def parts(self) -> Parts:
        """The verdict in a sentence, accuracy by hop and length, the worst families, the smallest failure."""
        solver, failed, name = self.solver, self.solver.failed, quoted(self.model.name)
        rows: list[tuple[str, str]] = []
        if solver.asked:
            yield f"{MARKS[self.ok]} {name}: {solver.verdict}"
            yield from self._lengths()
            yield from self._families()
        else:
            yield f"{MARKS[False]} no answer from {name}: {solver.stopped or 'nothing was asked'}"
        lost = {"not read": solver.count(UNPARSED), "no connection": solver.count(NO_CONNECTION)}
        lost["from an earlier run"] = self.resumed
        rows += [(name, counted(number, "prompt")) for name, number in lost.items() if number]
        if self.model.depth is not None:
            rows.append(("depth", f"{self.model.depth}, of the word {shortened(str(self.model.word), 60)}"))
        if solver.stopped is None and solver.unfinished:
            rows.append(("time was over in", ", ".join(solver.unfinished)))
        if solver.stopped is not None and solver.asked:
            rows.append(("stopped", solver.stopped))
        if failed is not None:
            said = solver.reason if solver.answered is None else solver.answered
            rows.append(("caught by", f"{solver.stage}, {solver.family}"))
            rows.append(
                ("smallest failure", lines(shortened(write_block(failed.instance), LONGEST_INSTANCE).split("\n")))
            )
            rows.append(("expected", shortened(str(solver.expected), LONGEST_INSTANCE)))
            rows.append(("answered", shortened(str(said), LONGEST_INSTANCE)))
        yield facts_table([*rows, ("time", f"{solver.seconds:.1f} s")])
        yield written("Results", self.results)
        yield written("Report", self.page)

    def _lengths(self) -> Parts:
        cells: dict[tuple[int | None, int], tuple[int, int]] = {}
        for row in self.solver.rows:
            asked, right = cells.get((row.hops, row.length), (0, 0))
            cells[row.hops, row.length] = asked + row.asked, right + row.right
        rows = [
            (hops, length, asked, right, f"{100 * right / asked:.1f} %" if asked else None)
            for (hops, length), (asked, right) in sorted(cells.items(), key=lambda item: (item[0][0] or 0, item[0][1]))
        ]
        yield table_of("L", "tokens", "asked", "right", "accuracy", right_from=1, rows=rows)

    def _families(self) -> Parts:
        worst = sorted((row for row in self.solver.rows if row.asked > row.right), key=lambda row: row.accuracy)[:5]
        rows = [(r.family.replace("_", " "), r.hops, r.length, f"{r.right:,} of {r.asked:,}") for r in worst]
        yield table_of("worst families", "L", "tokens", "right", right_from=1, rows=rows) if rows else None


class DatasetReport(Report):
    """Where the dataset was written, and how many rows."""

    path: Path
    rows: int
    tasks: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return self.rows > 0

    def parts(self) -> Parts:
        yield f"{counted(self.rows, 'prompt')} of {', '.join(self.tasks)}"
        yield written("Dataset", self.path)


@timed
def stress_dataset(
    write_dataset: Annotated[str | Path, "Instead: write the prompts as a dataset into this folder."],
    task: Named | Sequence[Named] = "funccomp",
    *,
    sizes: OwnSizes = None,
    L: Levels = None,
    lengths: Lengths = None,
    count: Count = None,
    seed: Seed = 0,
    shots: Shots = 0,
) -> DatasetReport:
    """The prompts of a task, or of several, as JSON Lines for third-party harnesses (`separation.testing.dataset`)."""
    several_tasks = task if isinstance(task, Sequence) and not isinstance(task, str) else (task,)
    tested = [subject_of(each, sizes or "") for each in several_tasks]
    hops, most = tuple(several(L) or HOPS), tuple(several(lengths) or LENGTHS)
    drawn: Drawn = {"hops": hops, "lengths": most, "count": COUNT if count is None else count}
    dataset = dataset_written(write_dataset, tested, **drawn | {"seed": seed, "shots": shots})
    return DatasetReport(Path(dataset.path), dataset.rows, tuple(each.name for each in tested))


@timed
def stress_all_inputs(
    model: ModelName,
    *,
    task: TaskName = "funccomp",
    sizes: OwnSizes = None,
    weights: Weights = None,
    torch: Torch = False,
    out: Annotated[File, "With --all-inputs, of exact weights: write the certificate here."] = None,
    progress: Progress = silent,
) -> ExactReport:
    """A torch module, a folder, C1 to C7 or a program's own weights, at the largest of the small sizes.

    ``out``: of exact weights, the certificate of the same count, which the kernel has made by its own run.
    """
    (written,) = require_writable(out)
    tested = subject_of(task, sizes or "")
    if not tested.small:
        raise InputError(f"{tested.name} has too many inputs at these sizes: give smaller --sizes")
    own = folder_sizes(model) if isinstance(model, str) and is_folder(model) else None
    own_model = _exact_model(model, weights, torch, tested, own or tested.small[-1])
    found = exact_accuracy(own_model, own or tested.small[-1], progress=progress)
    if out is not None:
        subject = getattr(own_model, "as_written", own_model)
        if not isinstance(subject, Construction):
            raise InputError("--out: only of exact weights is there a certificate; this model was run in floats")
        write_certificate(out, exhaustive_certificate(subject, progress=progress))
    name = model if isinstance(model, str) else type(model).__name__
    return ExactReport(name, found, written)


def _exact_model(model: Any, weights: File, torch: bool, tested: Subject, sizes: TaskSizes) -> Any:
    if not isinstance(model, str) or is_folder(model):
        return model
    if torch or weights is not None:
        if not is_spelled(model):
            raise InputError(f"a torch module is made by module:factory, not {quoted(model)}")
        return torch_solver(model, None if weights is None else Path(weights)).module
    if model.upper() in NAMES:
        needed = "two_sum" if model.upper() in FOR_TWO_SUM else "funccomp"
        if tested.folder != needed:
            raise InputError(f"{model.upper()} is for the task {needed}, not {tested.name}")
        return build(model.upper(), sizes)
    if is_program(model) and tested.folder == "program":
        return CompiledProgram.of(sizes)  # type: ignore[arg-type]
    raise InputError("--all-inputs takes a torch module (--torch), a folder, C1 to C7, or a program's own weights")


class ExactReport(Report):
    """How many of all inputs are answered rightly, in which arithmetic, and the first that is not."""

    model: str
    found: ExactAccuracy
    out: Path | None = None

    def facts(self) -> dict[str, Any]:
        return {"model": self.model, **self.found.document(), "sentence": self.found.sentence, "certificate": self.out}

    def parts(self) -> Parts:
        found = self.found
        yield f"{MARKS[self.ok]} {quoted(self.model)}, {found.task.title}: {found.sentence}"
        if found.wrong is not None:
            for line in write_block(found.wrong).split("\n")[1:]:
                yield f"  {line}"
            answered = " ".join(map(str, found.answered)) or "nothing: the exact run refuses it"
            yield f"  expected {' '.join(map(str, found.expected))}, answered {answered}"
        yield written("certificate", self.out)


command = Choice(
    stress,
    write_dataset=(None, stress_dataset),
    all_inputs=(
        "Instead: every input of a small size, in float64 twice or exactly: an exact number.",
        stress_all_inputs,
    ),
)


def _plan(
    subject: Adapted,
    tested: Subject,
    L: Sequence[int] | None,
    lengths: Sequence[int] | None,
    count: int | None,
    seed: int,
) -> Plan:
    """All stages for what is quick to ask; of text, a few prompts of each."""
    if count is not None:
        require_integer("count", count, 1, 1 << 20)
    sizes: tuple[TaskSizes, ...]
    if subject.sizes is not None:
        if L is not None or lengths is not None:
            raise InputError("the folder says which sizes it is for: leave out --L and --lengths")
        if (own := task_name(subject.sizes)) != tested.folder:
            known = "FILE.py:program, or its name" if own == "program" else own
            raise InputError(f"the folder is for the task {own}, not {tested.name}; give --task {known}")
        sizes = (subject.sizes,)
    else:
        if not tested.has_hops and L is not None:
            raise InputError(f"{tested.name} has no hops: leave out --L")
        if tested.of_length is None and lengths is not None:
            raise InputError(f"{tested.name} has the sizes that it is given: leave out --lengths, or give --sizes")
        sizes = sizes_asked(tested, tuple(L or HOPS), tuple(lengths or LENGTHS))
    if subject.reads == TEXT:
        random = 16 if count is None else count
        return Plan(sizes, _few_hops(tested, L), seed, exhaustive=32, family_seeds=1, aimed=0, pairs=2, random=random)
    small = _few_hops(tested, L) if subject.reads == INSTANCES else ()
    return Plan(sizes, small, seed, random=256 if count is None else count)


def _few_hops(tested: Subject, L: Sequence[int] | None) -> tuple[TaskSizes, ...]:
    """Small sizes with a number of hops that is asked about."""
    return tuple(sizes for sizes in tested.small if L is None or plain_task(sizes).depth in (None, *L))


def _settings(subject: Adapted, task: str, plan: Plan, shots: int) -> dict[str, Any]:
    """What must be the same for a run to be gone on with."""
    numbers = {name: getattr(plan, name) for name in ("seed", "exhaustive", "family_seeds", "aimed", "pairs", "random")}
    sizes = [plain_task(each).document() for each in plan.sizes]
    return {"model": subject.name, "reads": subject.reads, "task": task, "sizes": sizes, "shots": shots, **numbers}


def _model_tokens(subject: Adapted, found: SolverReport, shots: int) -> dict[str, int]:
    """The model's own tokens of a prompt at each of the sizes, by their titles; empty where no tokenizer is known."""
    if subject.tokenizer is None:
        return {}
    count = subject.tokenizer()
    tasks = {row.task.title: row.task for row in found.rows if row.task is not None}
    return {
        title: count(write_prompts(task, task.plainest_prompt()[None], shots=shots)[0]) for title, task in tasks.items()
    }


def _described(subject: Adapted, config: str | Path | None) -> Model:
    """The word of its layers and its depth, where a config tells them."""
    from separation.architectures import read_config

    path = subject.config if config is None else config
    try:
        word = None if path is None else read_config(path).word
    except InputError:
        if config is not None:
            raise
        word = None
    return Model(subject.name, subject.kind, *(() if word is None else (str(word), word.depth)))
