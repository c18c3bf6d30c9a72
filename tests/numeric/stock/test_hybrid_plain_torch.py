"""Linear layers run in plain torch where kernels for GPUs are installed and there is no GPU."""

from __future__ import annotations

import functools
import sys

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from hybrid_runs import TARGETS, asked, stock

from separation.numeric.stock_models import WRAPPED, plain_torch
from separation.tasks.funccomp import Sizes, samples


@pytest.mark.parametrize("family", list(TARGETS))
def test_a_kernel_that_fails_is_not_called(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without a package of that name: the stock function stands for the kernel, and wraps its plain form."""
    sizes = Sizes(4, ())
    model = stock(family, sizes)
    module = sys.modules[type(model).__module__]
    prompts, right = asked(list(samples(sizes, 0, 4)))

    @functools.wraps(module.torch_chunk_gated_delta_rule.__wrapped__)
    def failing(*_inputs: object, **_options: object) -> None:
        raise RuntimeError("0 active drivers")

    monkeypatch.setattr(module, "torch_chunk_gated_delta_rule", failing)
    with pytest.raises(RuntimeError, match="0 active drivers"):
        model(torch.tensor(prompts))
    with plain_torch(model):
        assert (model(torch.tensor(prompts)).logits[:, -1].argmax(dim=1).numpy() == right).all()


@pytest.mark.parametrize("family", list(TARGETS))
def test_stock_functions_come_back(family: str) -> None:
    model = stock(family, Sizes(2, ()))
    module = sys.modules[type(model).__module__]
    before = {name: getattr(module, name) for name in WRAPPED}
    with plain_torch(model):
        assert all(getattr(module, name) is before[name].__wrapped__ for name in WRAPPED)
    assert all(getattr(module, name) is before[name] for name in WRAPPED)
