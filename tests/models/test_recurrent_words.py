"""Any word over F and R with heads of any families, and the least p at which a model still runs."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

import pytest
from dense_models import dense_model
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_model import TooLarge
from random_models import batch, fractions_of, naive_logits

from separation.arithmetic import PrecisionOverflow
from separation.models import Model, run
from separation.recurrences import FAMILIES

words = st.text("FR", min_size=1, max_size=4)
families = st.lists(st.sampled_from(list(FAMILIES)), min_size=1, max_size=6)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(word=words, chosen=families, seed=st.integers(0, 10**6), tokens=st.integers(1, 5), fraction=st.integers(0, 6))
def test_any_word_and_any_families(word: str, chosen: list[str], seed: int, tokens: int, fraction: int) -> None:
    model, prompts = dense_model(word, chosen, seed, tokens=tokens, fraction=fraction)
    assert model.word == word
    found = fractions_of(run(model, batch(prompts)))
    assert found == fractions_of(run(model, batch(prompts), all_rows=True)) == naive_logits(model, prompts)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_least_p(family: str) -> None:
    """One bit less and both evaluators stop: a state, an input or the stream does not fit."""
    for seed in range(3):
        model, prompts = dense_model("R", [family], seed, tokens=4, fraction=3)
        # No number depends on p: what fits, fits with more bits.
        bits = bisect_left(range(4001), True, lo=3, key=lambda p: fits(model, prompts, p))
        enough, fewer = (replace(model, precision=replace(model.precision, bits=p)) for p in (bits, bits - 1))
        assert fractions_of(run(enough, batch(prompts), all_rows=True)) == naive_logits(enough, prompts)
        if bits > 3:
            with pytest.raises(PrecisionOverflow, match=rf"needs more than p = {bits - 1} bits$"):
                run(fewer, batch(prompts), all_rows=True)


def fits(model: Model, prompts: list[list[int]], bits: int) -> bool:
    changed = replace(model, precision=replace(model.precision, bits=bits))
    try:
        naive_logits(changed, prompts)
    except TooLarge:
        return False
    return True
