"""Theory, built, trained: one table by word and L, from the theorems, the proofs and the CSV files beside the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.docs.block import PageError, block, number, table

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "experiments"
LEVELS = (1, 2, 3)
LEARNED = 0.99
"""The accuracy from which a run counts as one that learned the task."""
Row = dict[str, str]


@block("docs/experiments.md", "theory, built, trained", slow=True)
def theory_built_trained() -> str:
    from separation.experiments import load_plan, read_csv

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
            bounds[_sizes(row)] = float(row["ceiling"])
    return "; ".join([said, *(f"at {where} at most {most:.3f}" for where, most in bounds.items())])


def built(word: str, level: int, runs: Sequence[Row]) -> str:
    """The construction, proved here and now at the sizes that were trained (or small ones)."""
    from separation import prove
    from separation.bounds import Word, decide

    m, n = (int(runs[0]["m"]), [int(each) for each in runs[0]["n"].split()]) if runs else (4, [2] * (level - 1))
    letters = Word.parse(word)
    name = decide(letters, level).construction if letters.depth >= level else None
    if name is None and letters.full == 0 and letters.recurrent > level:
        name = "C3"
    if name is None:
        return "–"
    found = prove("C3" if name == "C3" else _letters(word), L=level, m=m, n=n)
    if not found.certified:
        raise PageError(f"{name} for {word}, L = {level}, m = {m}, n = {n} is not proved")
    state = f", {number(found.proof.state_bits)} bits of state" if name == "C3" else ""
    return f"{name}, proved at {_where(m, n)}{state}"


def trained(runs: Sequence[Row]) -> str:
    """How many seeds learned the task, and the range of the accuracy, for each way to train that there is."""
    from separation.experiments.figures import grouped

    if not runs:
        return "not run"
    said = []
    for (label, where), group in grouped(runs, lambda row: (row["label"], _sizes(row))).items():
        shares = [float(row["accuracy"]) for row in group]
        learned = sum(share >= LEARNED for share in shares)
        how = "" if label == group[0]["word"] else f"{label}: "
        said.append(f"{how}{learned} of {len(group)} at {where}, {min(shares):.3f} to {max(shares):.3f}")
    return "; ".join(said)


def _letters(word: str) -> str:
    from separation.experiments.plan import layers_of

    return layers_of(word)


def _sizes(row: Row) -> str:
    return _where(row["m"], row["n"].split())


def _where(m: Any, n: Sequence[Any]) -> str:
    return f"m = {m}" + (f", n = {' '.join(map(str, n))}" if n else "")


@block("docs/experiments.md", "fooled")
def fooled() -> str:
    """Every trained model that was handed to `fool`, from the JSON files beside the page."""
    from separation.files import read_json

    found = [each for path in sorted(FOLDER.glob("*.fooled.json")) for each in read_json(path)]
    return handed_over(found)


def handed_over(found: Sequence[dict[str, Any]]) -> str:
    """A line for each word, label and size: how many prompts were asked, wrong answers, pairs, and the first pair."""
    models: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for each in found:
        models.setdefault((each["word"], each["label"], each["m"], tuple(each["n"])), []).append(each)
    lines = []
    for (word, label, m, n), group in models.items():
        model = word if label == word else f"{word}, {label}"
        pairs = [pair for each in group for pair in each["some_pairs"]]
        searched = sum(search["samples"] for each in group for search in each["searches"])
        every = "all inputs" if all(each["every_input"] for each in group) else number(_total(group, "asked"))
        lines.append(
            (
                *(model, _where(m, n), len(group), every, number(_total(group, "wrong")), number(searched)),
                *(number(_total(group, "pairs")), _pair(pairs[0]) if pairs else "none"),
            )
        )
    head = ("model", "sizes", "runs", "asked", "wrong", "searched by `fool`", "pairs", "one of them")
    return table(head, lines)


def _total(group: Sequence[dict[str, Any]], name: str) -> int:
    return sum(int(each[name]) for each in group)


def _pair(pair: dict[str, Any]) -> str:
    """z_0, both last tables, what is right and what was said."""
    a, b = pair["a"], pair["b"]
    tables = [" ".join(map(str, each["tables"][-1])) for each in (a, b)]
    right = f"right {pair['expected_a']} and {pair['expected_b']}"
    return f"z_0 = {a['z0']}, tables {tables[0]} and {tables[1]}: {right}, said {pair['output_a']} both times"
