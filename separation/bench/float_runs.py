"""Prints how float runs stand: the last row against a stock GPT-2, against reading its keys once, and in a batch.

Times are wall-clock seconds on one thread, the least of several turns.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from constructions import build
from separation.bench.measuring import Report, Row, best_seconds, print_rows, rows_in_one_thread
from separation.numeric import arithmetic_of
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, answer, samples, token_ids

STOCK, QUICK_STOCK = Sizes(15, (16, 16)), Sizes(4, (4, 4))
LONG, QUICK_LONG = Sizes(64, (128, 128)), Sizes(8, (8, 8))
SHORT = Sizes(4, (4, 4))
BATCH, QUICK_BATCH = 1024, 64


def run(quick: bool) -> Report:
    """The three comparisons, each with its baseline first; nothing without torch."""
    ratio = "time / time of the row above that says 1"
    if find_spec("torch") is None or find_spec("transformers") is None:
        return Report("float_runs", ratio, (), ("torch or transformers is missing: pip install -e '.[stock]'",))
    notes = (
        "stock: transformers' GPT2LMHeadModel of the same layers, heads and width, with random weights: every row",
        "reading once: the sums of the keys and of the values of one look-up, in float32; share of bandwidth: 1/times",
        "in a batch: prompts at once, against one at a time",
    )
    return Report("float_runs", ratio, tuple(rows_in_one_thread(__name__, int(quick))), notes)


def compared(quick: int) -> list[Row]:
    return [
        *last_row_and_stock(QUICK_STOCK if quick else STOCK),
        *look_up_and_bandwidth(QUICK_LONG if quick else LONG),
        *batch_and_single(QUICK_BATCH if quick else BATCH),
    ]


def last_row_and_stock(sizes: Sizes) -> list[Row]:
    """The whole run of a prompt by the rows that the answer needs, and a stock forward of the same shape."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    subject = build("C1", sizes)
    ids = _prompts(sizes, 1)
    _require_right(subject, sizes, ids)
    torch.manual_seed(0)
    # GPT-2 wants a width that its heads divide: one head here, so any width will do.
    config = GPT2Config(
        vocab_size=subject.model.tokens.height,
        n_positions=sizes.length,
        n_embd=subject.model.width,
        n_layer=len(subject.model.layers),
        n_head=1,
    )
    build_stock: Any = GPT2LMHeadModel
    stock = build_stock(config).eval()
    prompt = torch.from_numpy(ids)

    def stock_forward() -> Any:
        with torch.inference_mode():
            return stock(prompt, logits_to_keep=1).logits

    ours, theirs = best_seconds(partial(_answers, subject, ids), stock_forward, repeats=5)
    return [
        _row("last row, C1 in float32", sizes.length, ours, 1.0),
        _row("stock GPT-2 forward", sizes.length, theirs, theirs / ours),
    ]


def look_up_and_bandwidth(sizes: Sizes) -> list[Row]:
    """One look-up of the last row over prepared keys and values, and reading these once."""
    import torch

    from separation.numeric.session import Session

    subject = build("C1", sizes)
    ids = _prompts(sizes, 1)
    session = Session(subject.model, 1, arithmetic_of("float32"), capacity=ids.shape[1])
    session.read(ids)
    reader: Any = session.layers[-1].readers[0]
    last, position = session.last, ids.shape[1] - 1

    def read_once() -> None:
        reader.keys.key.sum()
        reader.keys.value.sum()

    with torch.inference_mode():
        floor, look_up = best_seconds(read_once, partial(reader.read, last, position), repeats=15)
    return [
        _row("reading keys and values once", sizes.length, floor, 1.0),
        _row("one look-up of the last row", sizes.length, look_up, look_up / floor)
        | {"share_of_bandwidth": floor / look_up},
    ]


def batch_and_single(batch: int) -> list[Row]:
    """Prompts a second, in a batch and one by one."""
    subject = build("C1", SHORT)
    ids = _prompts(SHORT, batch)
    _require_right(subject, SHORT, ids)
    few = ids[:32]
    together, apart = best_seconds(
        partial(_answers, subject, ids), lambda: [_answers(subject, one[None]) for one in few], repeats=5
    )
    each, alone = together / batch, apart / len(few)
    return [
        _row("in a batch", SHORT.length, together, 1.0) | {"prompts_per_second": 1 / each},
        _row("one at a time", SHORT.length, apart, alone / each) | {"prompts_per_second": 1 / alone},
    ]


def _answers(subject: Construction, ids: np.ndarray[Any, Any]) -> Any:
    from separation.numeric.session import Session

    session = Session(subject.model, len(ids), arithmetic_of("float32"), capacity=ids.shape[1])
    session.read(ids)
    return session.answers()


def _require_right(subject: Construction, sizes: Sizes, ids: np.ndarray[Any, Any]) -> None:
    expected = [answer(instance) for instance in samples(sizes, 0, len(ids))]
    if (_answers(subject, ids) != expected).any():
        raise RuntimeError("the run is wrong")


def _prompts(sizes: Sizes, count: int) -> np.ndarray[Any, Any]:
    return np.stack([token_ids(instance) for instance in samples(sizes, 0, count)])


def _row(what: str, tokens: int, seconds: float, times: float) -> Row:
    return {"what": what, "tokens": tokens, "seconds": seconds, "times_baseline": times}


if __name__ == "__main__":
    print_rows(compared(int(sys.argv[1])))
