"""A trained model handed to `fool`: two inputs with different right answers to which it says the same.

Six ways, the first two those of `separation fool` for any model (`separation.fooling.find_pair`):

| way | what is tried |
|---|---|
| states | tables after which the rounded states of all R layers are equal: birthday, linear algebra |
| answers | random tables, one asked entry changed, compared by the answers alone |
| families | the adversarial families and prompts that ask for every address and every value |
| uniform | more random inputs than the test had |
| smallest margin | inputs changed one entry at a time, kept where the right answer's lead over the next one shrinks |
| all inputs | every input there is, where there are few enough (`separation.experiments.exact`) |

Where an answer is wrong, the asked entry of the last table is changed to what was said: if the model says that again,
these two are a pair. Every pair was run again, both inputs side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from separation.experiments.exact import AllInputs
from separation.experiments.runs import Run
from separation.files import json_text, read_json, write_whole
from separation.fooling import Budget, Pair, Search, find_pair, run_pair
from separation.tasks import instance_to_document
from separation.tasks.funccomp import (
    FAMILIES,
    FuncComp,
    Instance,
    Sizes,
    aimed_prompts,
    asked_addresses,
    from_token_ids,
    random_prompts,
    token_ids,
)

if TYPE_CHECKING:
    from separation.experiments.composition import Composition

Prompts = NDArray[np.int64]

SECONDS = 3600.0
"""More than any search takes: what is found depends on the samples alone."""
STATES = 1 << 14
ANSWERS = 256
FAMILY_SEEDS = 16
AIMED = 1024
UNIFORM = 1 << 14
CLIMBERS, ROUNDS = 256, 48
BLOCK = 4096
TURNED = 64
"""Wrong answers of which a pair is made, if they can be."""
KEPT = 4
"""Pairs and wrong answers that are written out; all are counted."""
ALL, AIMED_NAME, MARGIN = "all_inputs", "every_address_and_value", "smallest_margin"


@dataclass(frozen=True)
class AnsweringSubject:
    """A trained network by what it says."""

    problem: Composition
    device: str = "cpu"

    def forward(self, prompts: Prompts) -> Prompts:
        return self.problem.answers(np.atleast_2d(prompts), self.device)[:, -1]


@dataclass(frozen=True)
class TellingSubject(AnsweringSubject):
    """A trained network with R layers, and what passes from the tables to later tokens through them."""

    def state(self, prefixes: Prompts) -> NDArray[np.int64]:
        """(batch, numbers): the rounded states behind the last table, as numbers of their grid."""
        found = np.atleast_2d(prefixes)
        sizes = self.problem.sizes
        last = np.broadcast_to([0, sizes.N[-1]], (len(found), 2))
        return _states(self.problem, np.concatenate([found, last], 1), self.device)


@dataclass(frozen=True)
class WrongAnswer:
    """An input, what is right and what was said; ``family`` asked for it."""

    family: str
    instance: Instance
    expected: int
    output: int

    def as_said(self) -> Instance:
        """The input with the asked entry of its last table changed, so that what was said is right."""
        tables = [list(table) for table in self.instance.tables]
        tables[-1][asked_addresses(self.instance)[-1]] = self.output
        return Instance(self.instance.sizes, self.instance.z0, tables, self.instance.w)

    def document(self) -> dict[str, Any]:
        facts = {"family": self.family, "instance": instance_to_document(self.instance)}
        return facts | {"expected": self.expected, "output": self.output}


@dataclass(frozen=True)
class Attack:
    """What was tried on one trained model. ``asked`` and ``wrong``: prompts by family, and wrong answers among them.

    ``searches``: those of `fool`. ``pairs``: whether the states are equal too, where they are told, is in the pair.
    ``every``: all inputs at these sizes were asked.
    """

    asked: dict[str, int]
    wrong: dict[str, int]
    searches: tuple[Search, ...]
    pairs: tuple[Pair, ...]
    mistakes: tuple[WrongAnswer, ...]
    every: bool

    @property
    def found(self) -> int:
        return len(self.pairs)

    def document(self) -> dict[str, Any]:
        searches = [{**search.document(), "found": search.found} for search in self.searches]
        for search in searches:
            del search["seconds"], search["closest"]  # the same file however fast the machine
        pairs = [pair.document() for pair in self.pairs[:KEPT]]
        return {
            "every_input": self.every,
            "asked": sum(self.asked.values()),
            "wrong": sum(self.wrong.values()),
            "families": {name: {"asked": count, "wrong": self.wrong[name]} for name, count in self.asked.items()},
            "searches": searches,
            "pairs": self.found,
            "pairs_of_one_state": sum(pair.transcripts_equal is True for pair in self.pairs),
            "some_pairs": [{name: value for name, value in pair.items() if name != "transcript"} for pair in pairs],
            "some_wrong": [each.document() for each in self.mistakes[:KEPT]],
        }


def attack(problem: Composition, exact: AllInputs | None, seed: int = 0, device: str = "cpu") -> Attack:
    """Everything above, on a trained network; ``exact``: what all inputs showed, if there are few enough."""
    plain, sizes = AnsweringSubject(problem, device), problem.sizes
    telling = TellingSubject(problem, device) if _mixers_with_state(problem) else plain
    searches = []
    if telling is not plain:
        # Beside full layers equal states seldom fool, and short windows have many: each would be run for nothing.
        alone = len(_mixers_with_state(problem)) == len(_mixers(problem))
        searches.append(find_pair(telling, sizes, seed=seed, budget=_budget(STATES if alone else ANSWERS)))
    searches.append(find_pair(plain, sizes, seed=seed, budget=_budget(ANSWERS)))
    pairs = [search.pair for search in searches if search.pair is not None]
    asked: dict[str, int] = {}
    wrong: dict[str, int] = {}
    mistakes: dict[tuple[int, ...], WrongAnswer] = {}

    def note(name: str, prompts: Prompts, right: Prompts, said: Prompts) -> None:
        for prompt, expected, output in zip(prompts[:TURNED].tolist(), right.tolist(), said.tolist(), strict=False):
            found = WrongAnswer(name, from_token_ids(sizes, np.array(prompt)), expected, output)
            mistakes.setdefault(tuple(prompt), found)

    if exact is not None:
        asked[ALL], wrong[ALL] = exact.inputs, exact.wrong
        note(ALL, exact.prompts, exact.right, exact.said)
    for name, prompts in (*_families(sizes, seed), (MARGIN, smallest_margins(problem, seed, device))):
        right, said = FuncComp(sizes).right_answers(prompts), plain.forward(prompts)
        rows = np.flatnonzero(said != right)
        asked[name], wrong[name] = len(prompts), len(rows)
        note(name, prompts[rows], right[rows], said[rows])
    some = tuple(mistakes.values())[:TURNED]
    known = {(pair.a, pair.b) for pair in pairs}
    turned = [(each.instance, each.as_said()) for each in some]
    pairs += [run_pair(telling, a, b) for a, b in turned if (a, b) not in known and run_pair(plain, a, b).holds]
    return Attack(asked, wrong, tuple(searches), tuple(pairs), some, exact is not None)


def _budget(samples: int) -> Budget:
    return Budget(SECONDS, samples)


def _families(sizes: Sizes, seed: int) -> Iterator[tuple[str, Prompts]]:
    """Names and prompts."""
    for name, family in FAMILIES.items():
        cases = (case for number in range(FAMILY_SEEDS) for case in family(sizes, seed + number))
        yield name, np.stack([token_ids(case) for case in cases])
    aimed = aimed_prompts(sizes, np.random.default_rng(seed), range(1, sizes.L + 1), BLOCK)
    yield AIMED_NAME, np.stack(list(islice((prompt for block in aimed for prompt in block), AIMED)))
    yield "uniform", random_prompts(sizes, np.random.default_rng([seed, UNIFORM]), UNIFORM)


def smallest_margins(problem: Composition, seed: int, device: str = "cpu") -> Prompts:
    """Prompts that the network is least sure of: random ones, changed at one token again and again.

    margin = logit of the right answer − the largest other one; a change is kept where it does not raise the margin.
    """
    sizes, random = problem.sizes, np.random.default_rng([seed, CLIMBERS])
    best = random_prompts(sizes, random, CLIMBERS)
    margins = _margins(problem, best, device)
    rows = np.arange(CLIMBERS)
    for _ in range(ROUNDS):
        other = random_prompts(sizes, random, CLIMBERS)
        changed, place = best.copy(), random.integers(sizes.length, size=CLIMBERS)
        changed[rows, place] = other[rows, place]
        found = _margins(problem, changed, device)
        better = found <= margins
        best[better], margins[better] = changed[better], found[better]
    return best


def _margins(problem: Composition, prompts: Prompts, device: str) -> NDArray[np.float32]:
    import torch

    right = torch.as_tensor(FuncComp(problem.sizes).right_answers(prompts), device=device)[:, None]
    with torch.no_grad():
        logits = problem.network.logits(problem.network(torch.as_tensor(prompts, device=device))[-1][:, 0, -1])
        lead = logits.gather(1, right) - logits.scatter(1, right, -torch.inf).amax(1, keepdim=True)
    found: NDArray[np.float32] = lead.squeeze(1).cpu().numpy()
    return found


def _mixers_with_state(problem: Composition) -> list[Any]:
    """The layers of a network whose states are rounded; a network that rounds nothing tells none."""
    return [mixer for mixer in _mixers(problem) if mixer.state_bits]


def _mixers(problem: Composition) -> list[Any]:
    return list(getattr(problem.network, "mixers", ()))


def _states(problem: Composition, prompts: Prompts, device: str) -> NDArray[np.int64]:
    """(prompts, numbers): all states that pass the last cut, k for −1 + 2k/(2^p − 1)."""
    mixers, found = _mixers_with_state(problem), []
    for mixer in mixers:
        mixer.crossed = []
    try:
        problem.answers(prompts, device)
        for mixer in mixers:
            grid = [((state + 1) / 2 * (2**mixer.bits - 1)).round().long().flatten(1) for state in mixer.crossed]
            found.append(np.concatenate([numbers.cpu().numpy() for numbers in grid]))
    finally:
        for mixer in mixers:
            mixer.crossed = None
    return np.concatenate(found, 1)


def attack_path(folder: Path, run: Run) -> Path:
    return folder / f"{run.key}.fooled.json"


def write_attack(folder: Path, run: Run, found: Attack) -> None:
    facts = {"experiment": run.experiment, "word": run.word, "label": run.label or run.word, "L": len(run.n) + 1}
    facts |= {"m": run.m, "n": list(run.n), "seed": run.seed}
    write_whole(attack_path(folder, run), json_text(facts | found.document()))


def attacks(folder: Path, runs: Sequence[Run]) -> list[dict[str, Any]]:
    """What was written of these runs, in their order; runs that were not handed over are left out."""
    return [read_json(path) for path in (attack_path(folder, run) for run in runs) if path.is_file()]
