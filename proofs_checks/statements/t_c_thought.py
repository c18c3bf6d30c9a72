"""T.C.thought: recurrent layers alone, with a chain of thought: how many states are needed, over all automata.

What an automaton knows is a partition of the inputs; a token that it generates is a function of its state, and reading
it adds nothing. At the smallest size (one table of two entries) all automata were tried, with up to two tokens of
thought: N^N states are enough, one fewer is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import theorem_c
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, hops, token_ids

Knowledge = tuple[int, ...]
"""For each input the number of the state, numbered by first use: which inputs a model still tells apart."""
SIZES = Sizes(2, ())
THOUGHTS = 2


def all_tables(sizes: Sizes) -> int:
    """N^N, N = N_{L-1}."""
    return int(sizes.N[-1] ** sizes.N[-1])


def check(least: Callable[[Sizes], int]) -> Checked:
    """The least number of states with which some model is right, over all step functions, readers and thoughts.

    A recurrent model of any depth is one automaton: all that crosses a boundary is its combined state. What it can know
    after a token is a partition of the inputs into at most S classes, coarser than what it knew before joined with the
    token; every coarsening belongs to some step function, and a model that tells more inputs apart can do everything
    that one with fewer can, so only the finest are followed. A token of a chain of thought is any function of the
    state, read like any other token. All partitions that can be reached are listed, token by token, then up to two
    thoughts; the model can be right iff one of them refines the answers.
    """
    found = least_states(SIZES)
    require(found == least(SIZES), f"{SIZES}: {found} states are enough, claimed {least(SIZES)}")
    for bits in range(4):
        certified = theorem_c(SIZES, bits).certified
        require(certified == (2**bits < found), f"{SIZES}, {bits} bits: the calculator says {certified}")
    scope = f"L = 1, m = 2, up to {THOUGHTS} tokens of thought"
    return Checked(Status.EXHAUSTIVE, "all automata, as partitions of the inputs", scope)


@cache
def least_states(sizes: Sizes) -> int:
    inputs = list(enumerate_inputs(sizes))
    return next(states for states in range(1, all_tables(sizes) + 2) if _some_model_is_right(inputs, states))


def _some_model_is_right(inputs: list[Instance], states: int) -> bool:
    prompts = [token_ids(instance).tolist() for instance in inputs]
    answers = [hops(instance)[-1] for instance in inputs]
    known: set[Knowledge] = {(0,) * len(inputs)}
    for position in range(len(prompts[0])):
        tokens = [prompt[position] for prompt in prompts]
        known = {after for before in known for after in _steps(before, tokens, states)}
    for _ in range(THOUGHTS):
        if any(_refines(knowledge, answers) for knowledge in known):
            return True
        known |= {after for before in known for spoken in _spoken(before) for after in _steps(before, spoken, states)}
    return any(_refines(knowledge, answers) for knowledge in known)


def _steps(before: Knowledge, tokens: Iterable[int], states: int) -> Iterator[Knowledge]:
    """Everything that a state of ``states`` values can keep of (state, token)."""
    cells = _numbered(zip(before, tokens, strict=True))
    for merged in _mergers(max(cells) + 1, states):
        yield _numbered(merged[cell] for cell in cells)


def _spoken(before: Knowledge) -> Iterator[list[int]]:
    """All tokens that a reader of the state can say, out of two."""
    for said in product(range(2), repeat=max(before) + 1):
        yield [said[state] for state in before]


@cache
def _mergers(cells: int, states: int) -> list[Knowledge]:
    """All maps of the cells onto ``states`` classes (onto themselves if there are fewer), numbered by first use."""
    found: list[Knowledge] = [()]
    for _ in range(cells):
        found = [(*start, own) for start in found for own in range(min(max(start, default=-1) + 2, states))]
    return [merged for merged in found if len(set(merged)) == min(cells, states)]


def _numbered(values: Iterable[object]) -> Knowledge:
    numbers: dict[object, int] = {}
    return tuple(numbers.setdefault(value, len(numbers)) for value in values)


def _refines(knowledge: Knowledge, answers: list[int]) -> bool:
    pairs = set(zip(knowledge, answers, strict=True))
    return len(pairs) == len(set(knowledge))


STATEMENT = Statement(
    id="T.C.thought",
    title="a chain of thought does not help R alone, at L = 1 and m = 2",
    latex=r"\text{least number of states}=N^N,\ N=N_{L-1},\ \text{with any chain of thought}",
    english="No automaton with fewer than N^N states answers every input, whatever thoughts it writes; for one table "
    "of two entries, some automaton with N^N states does.",
    subject=all_tables,
    check=check,
    twins={
        "one state less": lambda sizes: all_tables(sizes) - 1,
        "one state more": lambda sizes: all_tables(sizes) + 1,
        "a state for each entry": lambda sizes: sizes.N[-1],
    },
    speaks_of=("D1",),
    hypotheses=(
        Hypothesis("fewer than N^N states", lambda held: held[1] < all_tables(held[0]), outside=(Sizes(2, ()), 4)),
    ),
    witness=(Sizes(2, ()), 3),
)
"""The witness: sizes and a number of states."""
