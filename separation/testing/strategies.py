"""Hypothesis strategies for everything that the project is about; needs the extra `hypothesis`.

    from hypothesis import given
    from separation.testing import strategies

    @given(strategies.instances("funccomp"))
    def test_my_solver(instance): ...

Examples shrink as hypothesis shrinks: towards short prompts, tables of zeros, few layers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from constructions import build
from separation.bounds.word import Word
from separation.proving import Construction
from separation.recurrences import FAMILIES, Recurrence
from separation.tasks import Instance, TaskSizes
from separation.tasks.funccomp import Instance as FuncCompInstance
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes
from separation.testing.changes import matrix_at, places, with_matrix
from separation.testing.dataset import sizes_asked
from separation.testing.subjects import Named, families_of, plain_task, subject_of

MAX_LENGTH, MAX_HOPS, MAX_LAYERS = 64, 4, 8
STEPS = (Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-1, 2), Fraction(2), Fraction(-2))
"""By how much a near-miss weight is off."""


@st.composite
def _funccomp_sizes(draw: DrawFn, max_length: int, max_hops: int) -> Sizes:
    L = draw(st.integers(1, max_hops))
    while max_length < 2 * L + 2:
        L -= 1
    m = draw(st.integers(2, max(2, (max_length - 2) // L)))
    n, size, left = [], m, max_length - 2 - m
    for level in range(1, L):
        later = L - 1 - level  # tables behind this one, each at least as large
        most = max(1, left // (size * (later + 1)))
        n.append(draw(st.integers(1, most)))
        size *= n[-1]
        left -= size
    return Sizes(m, tuple(n))


@st.composite
def _two_sum_sizes(draw: DrawFn, max_length: int) -> TwoSumSizes:
    length = draw(st.integers(1, max_length))
    return TwoSumSizes(length, 2 * draw(st.integers(1, max(1, length**2 // 2))) + 1)


def sizes(task: Named = "funccomp", *, max_length: int = MAX_LENGTH, max_hops: int = MAX_HOPS) -> SearchStrategy[Any]:
    """Sizes of a task whose prompt has at most ``max_length`` tokens."""
    subject = subject_of(task)
    if task == "funccomp":
        return _funccomp_sizes(max_length, max_hops)
    if task == "two_sum":
        return _two_sum_sizes(max_length)
    grown = sizes_asked(subject, lengths=(max_length, max_length // 2)) if max_length >= 8 else ()
    return st.sampled_from(list(dict.fromkeys((*subject.small, *grown))))


def instances(task: Named = "funccomp", of: TaskSizes | None = None, **options: int) -> SearchStrategy[Any]:
    """Instances of a task, at the sizes ``of`` or at any; the options are those of `sizes`."""
    drawn = sizes(task, **options) if of is None else st.just(of)
    return drawn.flatmap(_instances_at)


def _instances_at(given: TaskSizes) -> SearchStrategy[Instance]:
    if isinstance(given, Sizes):
        tables = [st.lists(st.integers(0, size - 1), min_size=size, max_size=size) for size in given.N]
        w = [st.integers(0, size - 1) for size in given.n]
        parts = (st.integers(0, given.m - 1), st.tuples(*tables), st.tuples(*w))
        return st.builds(lambda z0, filled, query: FuncCompInstance(given, z0, filled, query), *parts)
    if isinstance(given, TwoSumSizes):
        values = st.lists(st.integers(1, given.values), min_size=given.length, max_size=given.length)
        return values.map(lambda x: TwoSumInstance(given, x))
    # Any other task is drawn by its own source: what shrinks is the seed.
    return st.integers(0, 1 << 16).map(lambda seed: plain_task(given).sample(seed))


def hard_instances(task: Named = "funccomp", of: TaskSizes | None = None, **options: int) -> SearchStrategy[Any]:
    """Instances of the adversarial families."""
    drawn = sizes(task, **options) if of is None else st.just(of)
    return st.builds(_hard, drawn, st.integers(0, 1 << 10), st.integers(0, 1 << 10), st.integers(0, 1 << 10))


def _hard(given: TaskSizes, family: int, number: int, seed: int) -> Instance:
    named = list(families_of(given).values())
    cases = list(named[family % len(named)](seed))
    return cases[number % len(cases)]


def words(max_layers: int = MAX_LAYERS, letters: tuple[str, ...] = ("F", "R", "[FR]")) -> SearchStrategy[Word]:
    """Words of layers, `Word`: F, R, and both side by side."""
    return st.lists(st.sampled_from(letters), min_size=1, max_size=max_layers).map(lambda w: Word.parse("".join(w)))


def recurrent_families() -> SearchStrategy[Recurrence]:
    """Linear attentions as recurrences."""
    return st.sampled_from(list(FAMILIES.values()))


_MADE: dict[str, Callable[[DrawFn], tuple[str, dict[str, Any]]]] = {
    "C1": lambda _: ("funccomp", {}),
    "C2": lambda draw: ("funccomp", {"family": draw(st.sampled_from(("linear", "delta")))}),
    "C3": lambda _: ("funccomp", {}),
    "C4": lambda _: ("funccomp", {}),
    "C5": lambda draw: ("funccomp", {"word": draw(st.sampled_from(("RF", "FR", "F")))}),
    "C6": lambda _: ("two_sum", {}),
    "C7": lambda draw: ("two_sum", {"block": draw(st.integers(1, 4))}),
}


@st.composite
def models_with_invariants(
    draw: DrawFn, names: tuple[str, ...] = tuple(_MADE), max_length: int = 16, max_hops: int = 3
) -> Construction:
    """Constructions: a model, its task, and an invariant for every kind of token after every layer."""
    name = draw(st.sampled_from(names))
    task, options = _MADE[name](draw)
    return build(name, draw(sizes(task, max_length=max_length, max_hops=max_hops)), **options)


@dataclass(frozen=True)
class NearMiss:
    """A construction with one weight off by a little: which one, by how much, and what it was before."""

    construction: Construction
    right: Construction
    place: str
    row: int
    column: int
    step: Fraction


@st.composite
def near_miss_weights(draw: DrawFn, construction: SearchStrategy[Construction] | None = None) -> NearMiss:
    """One entry of one matrix of a construction is off by 1/2, 1 or 2; many of these are wrong, and some are not."""
    right = draw(models_with_invariants() if construction is None else construction)
    place = draw(st.sampled_from(places(right)))
    matrix = matrix_at(right, place)
    rows, columns = matrix.shape
    row, column = draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))
    step = draw(st.sampled_from(STEPS))
    changed = matrix.with_entry(row, column, matrix.entry(row, column) + step)
    return NearMiss(with_matrix(right, place, changed), right, " ".join(map(str, place)), row, column, step)
