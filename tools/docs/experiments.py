"""The page of the experiments, from the CSV files beside it; and theory, built, trained: one table by word and L."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from separation.experiments import NAMES, load_plan, read_csv
from separation.experiments.distributions import TWO_SUM_DISTRIBUTIONS
from separation.experiments.figures import LEARNED, WORDS, grouped, settings_of, shifted_means, sizes_of, solvable
from separation.experiments.proved import SparseShape
from separation.experiments.runs import layers_of
from tools.docs import PageError, block, number, table

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "experiments"
LEVELS = (1, 2, 3)
Row = dict[str, str]


@block("docs/experiments.md", "depth")
def depth() -> str:
    return _summary(rows_of("depth"))


@block("docs/experiments.md", "in one sentence")
@block("README.md", "in one sentence")
def in_one_sentence() -> str:
    """What the figure of depth shows, as numbers."""
    return sentence(rows_of("depth"))


def sentence(rows: Sequence[Row]) -> str:
    able, roomy = [row for row in rows if solvable(row)], [row for row in rows if has_room(row)]
    shallow = [row for row in rows if row not in able and row not in roomy]
    learned = sum(float(row["accuracy"]) >= LEARNED for row in able)
    seeds = sorted({int(row["seed"]) for row in rows})
    best = max(shallow, key=lambda row: float(row["accuracy"]))
    said = (
        f"{learned} of {len(able)} runs of words with depth(word) ≥ L reach accuracy {LEARNED}; of {len(shallow)} runs"
        f" of words of smaller depth the best, {best['word']} at L = {best['L']}, reaches {float(best['accuracy']):.3f}"
        f" (seeds {seeds[0]} to {seeds[-1]})."
    )
    failed = [row for row in able if float(row["accuracy"]) < LEARNED]
    missed = [f"{row['word']} at L = {row['L']}, seed {row['seed']} (hops {row['hops']})" for row in failed]
    said += f" Not learned: {'; '.join(missed)}." if missed else ""
    for (word, level, bits), runs in grouped(roomy, lambda row: (row["word"], row["L"], row["lambda"])).items():
        said += f" Not counted: {word} at L = {level} with {bits} bits of state, room for table 1: {span_of(runs)}."
    return said


def has_room(row: Row) -> bool:
    """Too shallow, but the states of its R layers have as many bits as table 1."""
    return not solvable(row) and int(row["lambda"] or 0) >= int(row["m"]) * math.log2(int(row["m"]))


@block("docs/experiments.md", "done")
def done() -> str:
    """Runs of each plan, and how many of them are in the table; a row of no plan stops the page."""
    quick = {(run.word, run.n, run.seed) for run in load_plan("depth", quick=True).runs}
    rows = [row for row in rows_of("depth") if row["label"] == row["word"]]
    spent = [row for row in rows if (row["word"], tuple(map(int, row["n"].split())), int(row["seed"])) in quick]
    seconds = round(sum(float(row["cpu_seconds"]) for row in spent))
    said = f"`depth --quick` trains {len(quick)} of them; the {len(spent)} in the table took {seconds} CPU seconds."
    done = table(("experiment", "runs in the plan", "in the table"), [(name, *counted(name)) for name in NAMES])
    return f"{done}\n\n{said}"


def counted(name: str) -> tuple[int, int]:
    runs = load_plan(name).runs
    planned = [(run.task, run.word, run.label or run.word, run.m, run.n, run.seed, run.steps) for run in runs]
    found = []
    for row in rows_of(name):
        sizes = int(row["m"]), tuple(map(int, row["n"].split()))
        found.append((row["task"], row["word"], row["label"], *sizes, int(row["seed"]), int(row["budget"])))
    if stray := [run for run in found if run not in planned]:
        raise PageError(f"{name}.csv has a run that is in no plan: {stray[0]}")
    return len(planned), len(found)


@block("docs/experiments.md", "exact")
def exact() -> str:
    """Every model whose inputs were all asked: the exact accuracy, next to that of the test."""
    rows = []
    asked = [row for name in ("exact", "tracking") for row in rows_of(name) if row["inputs"]]
    keys = ("task", "word", "label", "m", "n")
    for (task, word, label, *_), runs in grouped(asked, lambda row: tuple(row[key] for key in keys)).items():
        wrong = ", ".join(f"{int(run['wrong']):,}" for run in runs)
        certified = ", ".join(f"{int(run['certified']):,}" for run in runs if run["certified"]) or "–"
        unseen = sum(run["correct"] == run["tested"] and run["wrong"] != "0" for run in runs)
        layers = word if task == "funccomp" else WORDS[word]
        name = ", ".join([layers, *[label] * (label != word), *[task] * (task != "funccomp")])
        numbers = f"{int(runs[0]['inputs']):,}", span_of(runs), wrong, unseen, certified
        rows.append((name, sizes_of(runs[0]), len(runs), *numbers))
        if any(run["certified"] and int(run["certified"]) != int(run["inputs"]) - int(run["wrong"]) for run in runs):
            raise PageError(f"{name}: the kernel and float64 disagree")
    head = ("model", "sizes", "runs", "inputs", "accuracy on the test", "wrong among all inputs", "unseen by the test")
    return table((*head, "right, by certificate"), rows)


@block("docs/experiments.md", "unseen")
def unseen() -> str:
    """Models without a mistake on the random inputs of their test, and an input that they answer wrongly."""
    rows = []
    for row in (row for name in NAMES for row in rows_of(name) if row["correct"] == row["tested"] and row["mistake"]):
        model = row["word"] if row["label"] == row["word"] else f"{row['word']}, {row['label']}"
        rows.append(
            (row["experiment"], model, sizes_of(row), row["seed"], row["wrong"] or "at least 1", row["mistake"])
        )
    return (
        table(("experiment", "model", "sizes", "seed", "wrong", "an input, token by token"), rows) if rows else "None."
    )


@block("docs/experiments.md", "tracking")
def tracking() -> str:
    """Tasks and words: what is built and proved, and the range over seeds at each length."""
    from separation.experiments.tracking import PROGRAMS, built_as

    rows = []
    for (task, word), runs in grouped(rows_of("tracking"), lambda row: (row["task"], row["word"])).items():
        lengths: dict[str, list[float]] = {}
        for run in runs:
            for pair in run["shifted"].split():
                lengths.setdefault(pair.split("=")[0], []).append(float(pair.split("=")[1]))
        spans = [span(shares) for shares in lengths.values()]
        proved = "–"
        if built_as(word, task):
            program = PROGRAMS[task](int(runs[0]["m"])).compile()
            if program.prove().certificate is None:
                raise PageError(f"{task} is not proved")
            proved = f"{program.model.word}, proved"
        rows.append((task.replace("_", " "), WORDS[word], proved, len(runs), *spans))
    return table(("task", "layers", "built", "seeds", *(f"at {time} the length" for time in lengths)), rows)


@block("docs/experiments.md", "ablation")
def ablation() -> str:
    """Each part taken away, below the recipe itself at the same sizes."""
    rows = rows_of("ablation")
    same = {(row["word"], row["m"], row["n"], row["seed"]) for row in rows}
    whole = [
        row | {"label": "the recipe"}
        for row in rows_of("depth")
        if (row["word"], row["m"], row["n"], row["seed"]) in same
    ]
    return _summary(sorted([*whole, *rows], key=lambda row: int(row["L"])))


@block("docs/experiments.md", "capacity")
def capacity() -> str:
    return _summary(rows_of("capacity"))


@block("docs/experiments.md", "stock")
def stock() -> str:
    return _summary(rows_of("stock"))


@block("docs/experiments.md", "columns")
def columns() -> str:
    """What stands in a CSV; a column without an explanation stops the page."""
    names = list(read_csv(FOLDER / "depth.csv")[0])
    unknown = [name for name in names if name not in EXPLAINED]
    if unknown:
        raise PageError(f"the column {unknown[0]} is not explained")
    return table(("column", "what it holds"), [(f"`{name}`", EXPLAINED[name]) for name in names])


EXPLAINED = {
    "experiment": "which plan the run belongs to",
    "task": "`funccomp`, `two_sum` or a program",
    "word": "the layers, first layer first",
    "label": "the variant, or the word again",
    "L": "tables to follow",
    "m": "size of the first table; for 2-Sum the modulus; for a program the trained length",
    "n": "n_1, …, n_{L-1}",
    "seed": "first weights and all batches follow from it",
    "budget": "updates of the weights at most, equal for all words at the same sizes",
    "steps": "updates until nothing was wrong any more, or all",
    "parameters": "numbers that are trained",
    "correct": "right answers to random inputs after training",
    "tested": "how many random inputs there were, the same for every run",
    "accuracy": "correct / tested",
    "low": "lower end of Wilson's 95 % interval of the accuracy",
    "high": "upper end of it",
    "hops": "the best accuracy over the layers of i_0, i_1, …, i_L, each read at the last token;"
    " for 2-Sum the share of matches that are found, and of prompts without one that are told so",
    "beta": "β, what all earlier players tell one token through one full layer, in bits",
    "lambda": "Λ, the bits of all states that pass one cut; for 2-Sum r, the bits of a summary",
    "ceiling": "the accuracy that no model of this word, β and Λ exceeds; empty if no theorem gives one below 1",
    "theorem": "the theorem that gives it",
    "shifted": "accuracy on other distributions and on the adversarial families, or at other lengths, where asked",
    "inputs": "how many inputs there are, where every one was asked (float64, a tie is wrong)",
    "wrong": "to how many of them the answer was wrong",
    "mistake": "an input that is answered wrongly, where all inputs or hard ones were asked: token ids, right, said",
    "certified": "how many of all inputs are answered rightly as the kernel runs them, where there is a certificate",
    "cpu_seconds": "CPU seconds of the training, those before an interruption with them",
    "settings": "what the plan changed for this run",
}


def _summary(found: Sequence[Row]) -> str:
    """A row for each model: the range of its accuracy over seeds, and its ceiling, which no interval may lie above."""
    rows = []
    keys = ("L", "m", "n", "word", "label")
    for (L, _, _, word, label), runs in grouped(found, lambda row: tuple(row[key] for key in keys)).items():
        model = word if label == word else f"{word}, {label}"
        bits = (runs[0]["beta"] or "–", runs[0]["lambda"] or "–")
        learned = f"{sum(float(run['accuracy']) >= LEARNED for run in runs)} of {len(runs)}"
        steps = f"{min(int(run['steps']) for run in runs)} to {max(int(run['steps']) for run in runs)}"
        sizes = f"L = {L}, {sizes_of(runs[0])}"
        rows.append((model, sizes, *bits, learned, span_of(runs), ceiling_of(runs, model), steps))
    return table(("model", "sizes", "β", "Λ", f"at {LEARNED}", "accuracy", "ceiling", "steps"), rows)


@block("docs/experiments.md", "sparse")
def sparse() -> str:
    """A row for each way to compress, k and r; the ceiling where Theorem D' gives one."""

    def opened(row: Row) -> int:
        return SparseShape.chosen(settings_of(row)).opened

    rows = []
    found = sorted(rows_of("sparse"), key=lambda row: (opened(row), row["label"].split(", r")[0], int(row["lambda"])))
    for label, runs in grouped(found, lambda row: row["label"]).items():
        rows.append((label, len(runs), opened(runs[0]), runs[0]["lambda"], span_of(runs), ceiling_of(runs, label)))
    return table(("summary", "seeds", "k", "r", "accuracy", "ceiling"), rows)


@block("docs/experiments.md", "recurrence")
def recurrence() -> str:
    """Words down, bits of one carrier layer across."""
    rows = rows_of("recurrence")
    words = list(grouped(rows, lambda row: row["word"]))
    sizes = grouped(rows, lambda row: row["label"])
    order = sorted(sizes, key=lambda label: int(label.split()[0]))
    return table(
        ("word", *order),
        [(word, *(span_of([r for r in sizes[label] if r["word"] == word]) for label in order)) for word in words],
    )


@block("docs/experiments.md", "shift")
def shift() -> str:
    """A row for each task and what it was trained on: the mean over seeds on that, on uniform, and the worst."""
    rows = []
    for (task, own), runs in grouped(rows_of("shift"), lambda row: (row["task"], row["label"])).items():
        shares = shifted_means(runs)
        kinds = [name for name in shares if name in TWO_SUM_DISTRIBUTIONS]
        families = [name for name in shares if name not in kinds]
        worst = [min(names, key=shares.__getitem__) for names in (kinds, families)]
        task_name = {"two_sum": "2-Sum"}.get(task, "FuncComp")
        shown = [f"{shares[name]:.3f}" for name in (own, "uniform")]
        shown += [f"{shares[name]:.3f}" + f" ({name.replace('_', ' ')})" * (shares[name] < 1) for name in worst]
        rows.append((task_name, own, len(runs), *shown))
    return table(
        ("task", "trained on", "seeds", "on the same", "on uniform", "worst distribution", "worst family"), rows
    )


def rows_of(name: str) -> list[Row]:
    return read_csv(FOLDER / f"{name}.csv")


def span_of(runs: Sequence[Row]) -> str:
    """The lowest and the highest accuracy over the seeds."""
    return span([float(run["accuracy"]) for run in runs])


def span(shares: Sequence[float]) -> str:
    """Three digits; 1 is all of them and nothing else.

    >>> span([1, 1]), span([0.99976, 1]), span([0.5]), span([])
    ('1', '0.9998 to 1', '0.500', '–')
    """
    said = ["1" if share == 1 else f"{min(share, 0.9999):.{4 if share >= 0.9995 else 3}f}" for share in sorted(shares)]
    return "–" if not said else said[0] if said[0] == said[-1] else f"{said[0]} to {said[-1]}"


def ceiling_of(runs: Sequence[Row], label: str) -> str:
    """The proved ceiling; no interval may lie above it."""
    ceiling = runs[0]["ceiling"]
    if ceiling and max(float(run["low"]) for run in runs) > float(ceiling):
        raise PageError(f"{label} lies above its ceiling")
    if not ceiling:
        return "–"
    digits = 3 if float(ceiling) < 0.9995 else 4  # no ceiling is shown as 1
    return f"{float(ceiling):.{digits}f} ({runs[0]['theorem']})"


@block("docs/experiments.md", "theory, built, trained", slow=True)
def theory_built_trained() -> str:
    rows = read_csv(FOLDER / "depth.csv")
    words = dict.fromkeys([*(run.word for run in load_plan("depth").runs), *(row["word"] for row in rows)])
    return hierarchy(words, rows)


def hierarchy(words: Iterable[str], rows: Sequence[Row]) -> str:
    """A line for each word and L. A run above a proved ceiling, or a proof that fails, stops the page."""
    lines = []
    for word in words:
        for level in LEVELS:
            runs = [row for row in rows if row["word"] == word and row["L"] == str(level)]
            of_level = runs or [row for row in rows if row["L"] == str(level)]
            lines.append((word, level, theory(word, level, runs), built(word, level, of_level), trained(runs)))
    return table(("word", "L", "theory", "built", f"trained (accuracy ≥ {LEARNED})"), lines)


def theory(word: str, level: int, runs: Sequence[Row]) -> str:
    """Solvable at all sizes; or from which prompt on not, at β = Λ = 8, and the ceilings of the models trained here."""
    from separation.bounds import Word, decide

    found = decide(Word.parse(word), level)
    if found.solvable:
        return "solvable at all sizes"
    sizes = found.document()["hard_sizes"]
    said = f"impossible at {number(sizes['tokens'])} tokens ({found.theorem})"
    bounds = {}
    for row in runs:
        if row["ceiling"]:
            if float(row["low"]) > float(row["ceiling"]):
                raise PageError(f"{word}, L = {level}, seed {row['seed']} lies above its ceiling")
            bounds[sizes_of(row)] = float(row["ceiling"])
    return "; ".join([said, *(f"at {where} at most {most:.3f}" for where, most in bounds.items())])


def built(word: str, level: int, runs: Sequence[Row]) -> str:
    """The construction, proved here and now at the sizes that were trained (or small ones)."""
    from separation import prove
    from separation.bounds import Word, decide
    from separation.verbs.prove import ProveReport

    m, n = (int(runs[0]["m"]), [int(each) for each in runs[0]["n"].split()]) if runs else (4, [2] * (level - 1))
    letters = Word.parse(word)
    name = decide(letters, level).construction if letters.depth >= level else None
    if name is None and letters.full == 0 and letters.recurrent > level:
        name = "C3"
    if name is None:
        return "–"
    found = prove("C3" if name == "C3" else layers_of(word), L=level, m=m, n=n)
    if not isinstance(found, ProveReport) or not found.certified:
        raise PageError(f"{name} for {word}, L = {level}, m = {m}, n = {n} is not proved")
    state = f", {number(found.proof.state_bits)} bits of state" if name == "C3" else ""
    return f"{name}, proved at {_where(m, n)}{state}"


def trained(runs: Sequence[Row]) -> str:
    """How many seeds learned the task, and the range of the accuracy, for each way to train that there is."""
    if not runs:
        return "not run"
    said = []
    for (label, where), group in grouped(runs, lambda row: (row["label"], sizes_of(row))).items():
        shares = [float(row["accuracy"]) for row in group]
        learned = sum(share >= LEARNED for share in shares)
        how = "" if label == group[0]["word"] else f"{label}: "
        said.append(f"{how}{learned} of {len(group)} at {where}, {span(shares)}")
    return "; ".join(said)


def _where(m: Any, n: Sequence[Any]) -> str:
    return f"m = {m}" + (f", n = {' '.join(map(str, n))}" if n else "")
