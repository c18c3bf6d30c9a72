from __future__ import annotations

import numpy as np
import pytest
from funccomp_cases import SIZES, oracle_hops

from separation.files import InputError
from separation.tasks.funccomp import Sizes, batch_hops, samples, token_ids


@pytest.mark.parametrize("sizes", SIZES)
def test_equal_to_the_oracle(sizes: Sizes) -> None:
    given = list(samples(sizes, seed=1, count=50))
    ids = np.array([token_ids(instance) for instance in given])
    assert batch_hops(sizes, ids).tolist() == [oracle_hops(instance) for instance in given]


def test_no_prompts() -> None:
    assert batch_hops(Sizes(2, (2,)), np.empty((0, 8), dtype=np.int64)).shape == (0, 3)


@pytest.mark.parametrize("shape", [(8,), (3, 7)])
def test_shape_is_checked(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"ids has shape .*; \(prompts, 8\) is needed"):
        batch_hops(Sizes(2, (2,)), np.zeros(shape, dtype=np.int64))
