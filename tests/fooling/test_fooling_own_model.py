"""Anything that offers forward and state: a torch hybrid, a plain object, and one that tells nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from separation.files import InputError
from separation.fooling import Budget, find_pair, random_recurrent_model, run_pair
from separation.tasks.funccomp import Sizes, answer, batch_hops, token_ids

torch = pytest.importorskip("torch")

SIZES = Sizes(6, ())
DOCS = Path(__file__).parents[2] / "docs" / "fooling.md"


class Knows:
    """Right on every input; it tells no state."""

    def forward(self, prompts: NDArray[np.int64]) -> NDArray[np.int64]:
        return batch_hops(SIZES, prompts)[:, -1]


class KnowsWithState(Knows):
    """Right on every input, since its state is the table."""

    def state(self, prefixes: NDArray[np.int64]) -> NDArray[np.int64]:
        return prefixes


def example() -> tuple[dict[str, Any], list[str], list[str]]:
    """The example of the docs, run: its names, what it printed, and what is written there."""
    code, shown = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", DOCS.read_text(), flags=re.DOTALL)[0]
    printed: list[str] = []
    names: dict[str, Any] = {"print": lambda *parts: printed.append(" ".join(map(str, parts)))}
    exec(compile(code, str(DOCS), "exec"), names)
    return names, printed, shown.strip().splitlines()


def test_a_torch_hybrid_is_fooled_and_replayed_by_running_it() -> None:
    """The same inputs again; the twins: not all modules with other weights are fooled by them."""
    names, printed, written = example()
    assert printed == written
    assert len(written) == 3

    def hybrid(seed: int) -> Any:
        torch.manual_seed(seed)
        return names["SmallHybrid"](SIZES.vocabulary, SIZES.N[-1])

    model = hybrid(1)
    pair = find_pair(model, SIZES).pair
    assert pair is not None
    assert pair.holds
    assert pair.transcripts_equal is True
    prompts = np.stack([token_ids(pair.a), token_ids(pair.b)])
    with torch.no_grad():
        states = model.state(torch.from_numpy(prompts[:, :6]))
        said = model(torch.from_numpy(prompts)).argmax(dim=-1)
    assert torch.equal(states[0], states[1])
    assert said[0] == said[1]
    assert answer(pair.a) != answer(pair.b)
    assert run_pair(model, pair.a, pair.b) == pair
    assert not all(run_pair(hybrid(seed), pair.a, pair.b).holds for seed in range(2, 8))


def test_what_brings_its_sizes_needs_no_others() -> None:
    made = random_recurrent_model(1, Sizes(4, ()), 6, 5)
    found = find_pair(made)
    assert found.pair is not None
    assert run_pair(made, found.pair.a, found.pair.b) == found.pair
    with pytest.raises(InputError, match="the sizes of FuncComp are needed"):
        find_pair(made.model)


def test_a_model_that_is_right_is_not_fooled() -> None:
    """The twins: one tells its state, the other nothing; neither has a pair."""
    with_state = find_pair(KnowsWithState(), Sizes(3, ()))
    assert not with_state.found
    assert with_state.exhaustive
    alone = find_pair(Knows(), SIZES, budget=Budget(samples=300))
    assert not alone.found
    assert alone.method == "answers alone"
    assert alone.note == "nothing was found; that proves nothing"


def test_equal_states_with_different_answers_are_no_proof() -> None:
    """The state says nothing, and full attention reads the tables: not "no two tables have the same state"."""

    class KnowsWithoutState(Knows):
        def state(self, prefixes: NDArray[np.int64]) -> NDArray[np.int64]:
            return np.zeros((len(prefixes), 1), dtype=np.int64)

        def forward(self, prompts: NDArray[np.int64]) -> NDArray[np.int64]:
            return batch_hops(Sizes(3, ()), prompts)[:, -1]

    found = find_pair(KnowsWithoutState(), Sizes(3, ()))
    assert not found.found
    assert not found.exhaustive
    assert found.note.startswith("equal states were found, but the answers differ")


def test_states_in_bfloat16_are_compared() -> None:
    class Short(torch.nn.Module):
        def state(self, ids: torch.Tensor) -> torch.Tensor:
            return ids.sum(dim=1).to(torch.bfloat16)

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            return ids[:, -2] % 2

    found = find_pair(Short(), SIZES)
    assert found.pair is not None
    assert found.pair.transcripts_equal


def test_without_a_state_answers_are_compared() -> None:
    class Constant:
        def forward(self, prompts: NDArray[np.int64]) -> NDArray[np.int64]:
            return np.zeros(len(prompts), dtype=np.int64)

    found = find_pair(Constant(), SIZES)
    assert found.pair is not None
    assert found.pair.transcripts_equal is None
    assert found.pair.holds
