"""Stock classes answer every input of small sizes, and hard inputs of larger ones; hybrids with the word of C2."""

from __future__ import annotations

import functools
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from stock_runs import HYBRIDS, TARGETS, answers, certified, load, logit_error, stock

import separation
from separation.numeric.stock_models import WRAPPED, last_logits, plain_torch, questions
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes, enumerate_token_ids

every_target = pytest.mark.parametrize("family", list(TARGETS))
every_family = pytest.mark.parametrize("family", HYBRIDS)

ALL_INPUTS = [Sizes(3, ()), Sizes(2, (2,)), Sizes(2, (1, 1))]
# The last token stands first in a chunk of 64 tokens: z_0 reaches it through the state between chunks.
CHUNK_BORDER = Sizes(63, ())
DEEP = Sizes(2, (2,) * 5)


@every_target
@pytest.mark.parametrize(
    "sizes",
    [*ALL_INPUTS, *(pytest.param(sizes, marks=pytest.mark.slow) for sizes in (Sizes(2, (1, 2)), Sizes(2, (3,))))],
    ids=str,
)
def test_every_input_of_small_sizes(family: str, sizes: Sizes) -> None:
    model, seen = stock(family, sizes), 0
    for prompts, right in enumerate_token_ids(sizes, 4096):
        assert (answers(model, prompts) == right).all()
        seen += len(prompts)
    assert seen == sizes.count_inputs()


@every_target
@pytest.mark.parametrize(
    ("attention", "dtype"), [("eager", "float32"), ("sdpa", "float64"), ("sdpa", "float16"), ("eager", "bfloat16")]
)
@pytest.mark.parametrize("sizes", [Sizes(16, (16,)), Sizes(5, (3, 1, 2)), CHUNK_BORDER, DEEP], ids=str)
def test_every_look_up_is_right_and_logits_stay_within_the_bound(
    family: str, sizes: Sizes, attention: str, dtype: str
) -> None:
    """Hard inputs as well. Hybrids need not be right in a type of few bits; long types are certified, not idly."""
    prompts, right, every = questions(sizes, seed=3)
    assert every
    logits = last_logits(load(TARGETS[family].build(sizes), dtype, attention), prompts)
    found, long = certified(family, sizes, dtype), dtype in ("float32", "float64")
    assert found.ok or not (long or (family, dtype) == ("llama", "float16"))
    if found.ok or family not in HYBRIDS:
        assert (logits.argmax(axis=1) == right).all()
    if found.bound is not None:
        error = logit_error(family, sizes, logits, right)
        assert error <= found.bound
        assert not long or family == "gpt2" or found.bound <= 100 * error
        assert found.lead is None or found.lead <= 2 * found.bound


@every_family
def test_the_word_is_that_of_c2(family: str) -> None:
    """One recurrent layer, then L full ones, and nothing else that mixes tokens; one head each."""
    for sizes in (Sizes(2, ()), Sizes(2, (2, 2))):
        model = stock(family, sizes)
        layers = model.model.layers
        assert len(layers) == sizes.L + 1
        assert [hasattr(layer, "linear_attn") for layer in layers] == [True] + [False] * sizes.L
        assert [hasattr(layer, "self_attn") for layer in layers] == [False] + [True] * sizes.L
        assert model.config.num_attention_heads == model.config.linear_num_value_heads == 1


@every_family
def test_the_state_is_one_code(family: str) -> None:
    """The recurrence keeps one feature and both signs of 2c values; the convolution looks at the token itself only."""
    sizes = Sizes(4, (4,))
    recurrent = stock(family, sizes).model.layers[0].linear_attn
    kernel = recurrent.conv1d.weight
    assert (kernel[..., :-1] == 0).all()
    assert (kernel[..., -1] == 1).all()
    assert recurrent.head_k_dim == 1
    assert recurrent.head_v_dim <= 4 * sizes.length.bit_length()


@pytest.mark.parametrize("family", ["gpt2", *HYBRIDS])
def test_the_script_of_the_docs_solves_an_instance(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, folder = ("stock_hybrid.md", "hybrid") if family in HYBRIDS else ("stock.md", "small")
    text = (Path(__file__).parents[3] / "docs" / page).read_text("utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert len(program.splitlines()) <= 10
    assert "separation" not in program
    report = separation.export(TARGETS[family].construction, tmp_path / folder, to=family, L=2, m=2, n=(2,))
    facts = report.document()
    assert report.ok
    assert (facts["layers"], facts["certificate"]["certified"], facts["every_look_up_asked"]) == (3, True, True)
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    assert capsys.readouterr().out == "1\n"


@every_family
def test_a_kernel_that_fails_is_not_called(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without a package of that name: the stock function stands for the kernel, and wraps its plain form."""
    sizes = Sizes(4, ())
    model = stock(family, sizes)
    module = sys.modules[type(model).__module__]
    prompts, right = hard_inputs(sizes, 0, 4)

    @functools.wraps(module.torch_chunk_gated_delta_rule.__wrapped__)
    def failing(*_inputs: object, **_options: object) -> None:
        raise RuntimeError("0 active drivers")

    monkeypatch.setattr(module, "torch_chunk_gated_delta_rule", failing)
    with pytest.raises(RuntimeError, match="0 active drivers"):
        model(torch.tensor(prompts))
    with plain_torch(model):
        assert (model(torch.tensor(prompts)).logits[:, -1].argmax(dim=1).numpy() == right).all()


@every_family
def test_stock_functions_come_back(family: str) -> None:
    model = stock(family, Sizes(2, ()))
    module = sys.modules[type(model).__module__]
    before = {name: getattr(module, name) for name in WRAPPED}
    with plain_torch(model):
        assert all(getattr(module, name) is before[name].__wrapped__ for name in WRAPPED)
    assert all(getattr(module, name) is before[name] for name in WRAPPED)
