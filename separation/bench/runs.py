"""What the program computes: runs in floats and as players, and the stress kit.

Seconds of one processor for all but floats; wall-clock seconds on one thread for these, the least of several turns.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from constructions import NAMES, build
from separation.bench.measuring import (
    Actions,
    Report,
    Row,
    best_seconds,
    compared,
    ratio_rows,
)
from separation.bounds import Word
from separation.models import Model
from separation.models import run as run_exactly
from separation.numeric import arithmetic_of
from separation.packages import is_installed
from separation.protocol import Cut, Protocol, RandomShape, random_model, seats, simulate
from separation.tasks import task_of
from separation.tasks.funccomp import Sizes, batch_hops, sample, samples, token_ids

Ids: TypeAlias = NDArray[np.int64]
SINGLE_FLOAT_PROMPTS = 32
PIECE = 64
CASES = (("C1", None), ("C2", None), ("C2", "delta"), ("RFR", "gla"))
"""As players: constructions, and a random model of a word with states that are rounded."""


def prompts(sizes: Sizes, count: int) -> Ids:
    return np.stack([token_ids(instance) for instance in samples(sizes, 0, count)])


def require_right(answers: Any, sizes: Sizes, ids: Ids) -> None:
    if (answers != batch_hops(sizes, ids)[:, -1]).any():
        raise RuntimeError("the run is wrong")


def float_runs(quick: bool) -> Report:
    """The last row against a stock GPT-2, against reading its keys once, and in a batch; nothing without torch."""
    ratio = "time / time of the row above that says 1"
    if not is_installed("torch", "transformers"):
        return Report("float_runs", ratio, (), ("torch or transformers is missing: pip install 'separation[stock]'",))
    notes = (
        "stock: transformers' GPT2LMHeadModel of the same layers, heads and width, with random weights: every row",
        "reading once: the sums of the keys and of the values of one look-up, in float32; share of bandwidth: 1/times",
        "in a batch: prompts at once, against one at a time",
    )
    short = Sizes(4, (4, 4))
    model, ids = build("C1", short).model, prompts(short, 64 if quick else 1024)
    require_right(float_answers(model, ids), short, ids)
    few = ids[:SINGLE_FLOAT_PROMPTS]
    batch: Actions = {
        "in a batch": (partial(float_answers, model, ids), len(ids)),
        "one at a time": (lambda: [float_answers(model, one[None]) for one in few], len(few)),
    }
    rows = (
        *last_row_and_stock(short if quick else Sizes(15, (16, 16))),
        *look_up_and_bandwidth(Sizes(8, (8, 8)) if quick else Sizes(64, (128, 128))),
        *ratio_rows(short.length, batch, repeats=5, clock=time.perf_counter),
    )
    return Report("float_runs", ratio, rows, notes)


def last_row_and_stock(sizes: Sizes) -> list[Row]:
    """The whole run of a prompt by the rows that the answer needs, and a stock forward of the same shape."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    model, ids = build("C1", sizes).model, prompts(sizes, 1)
    require_right(float_answers(model, ids), sizes, ids)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=model.tokens.height,
        n_positions=sizes.length,
        n_embd=model.width,
        n_layer=len(model.layers),
        n_head=1,  # GPT-2 wants a width that its heads divide
    )
    build_stock: Any = GPT2LMHeadModel
    stock = build_stock(config).eval()
    prompt = torch.from_numpy(ids)

    def stock_forward() -> Any:
        with torch.inference_mode():
            return stock(prompt, logits_to_keep=1).logits

    compared: Actions = {
        "last row, C1 in float32": (partial(float_answers, model, ids), 1),
        "stock GPT-2 forward": (stock_forward, 1),
    }
    return ratio_rows(sizes.length, compared, repeats=5, clock=time.perf_counter)


def look_up_and_bandwidth(sizes: Sizes) -> list[Row]:
    """One look-up of the last row over prepared keys and values, and reading these once."""
    import torch

    from separation.numeric.session import Session

    ids = prompts(sizes, 1)
    session = Session(build("C1", sizes).model, 1, arithmetic_of("float32"), capacity=ids.shape[1])
    session.read(ids)
    reader: Any = session.layers[-1].readers[0]

    def read_once() -> None:
        reader.keys.key.sum()
        reader.keys.value.sum()

    look_up = partial(reader.read, session.last, ids.shape[1] - 1)
    compared: Actions = {"reading keys and values once": (read_once, 1), "one look-up of the last row": (look_up, 1)}
    with torch.inference_mode():
        rows = ratio_rows(sizes.length, compared, repeats=15, clock=time.perf_counter)
    return [row | {"share_of_bandwidth": 1 / float(row["times_baseline"] or 1)} for row in rows]


def float_answers(model: Model, ids: Ids) -> Any:
    from separation.numeric.session import Session

    session = Session(model, len(ids), arithmetic_of("float32"), capacity=ids.shape[1])
    session.read(ids)
    return session.answers()


def protocol(quick: bool) -> Report:
    """The exact forward pass of all rows, FuncComp's L + 2 players, and players of 64 tokens each."""
    rows: list[Row] = []
    sizes = Sizes(8, (8, 8)) if quick else Sizes(16, (15, 16))
    full, rest = divmod(sizes.length, PIECE)
    pieces = Cut.of([PIECE] * full + [rest] * (rest > 0))
    cuts = {"z_L, …, z_0, w": Cut.of_task(sizes), f"{PIECE} tokens each": pieces}
    for name, family in CASES:
        model, ids = _subject(name, family, sizes)
        if not all(simulate(model, ids, cut).ok for cut in cuts.values()):
            raise RuntimeError("a run as players is not the forward pass")
        actions: list[Callable[[], object]] = [partial(run_exactly, model, ids, all_rows=True)]
        actions += [partial(_as_players, model, ids, cut) for cut in cuts.values()]
        players = {"forward pass": 1} | {what: len(cut.lengths) for what, cut in cuts.items()}
        times = dict(zip(players, best_seconds(*actions, clock=time.process_time), strict=True))
        own: Row = {"model": name if family is None else f"{name} {family}", "tokens": sizes.length}
        for row in compared(times, "forward pass", "forward"):
            rows.append(own | row | {"players": players[str(row["what"])]})
    return Report("protocol", "time as players / time of the forward pass of all rows", tuple(rows))


def _as_players(model: Model, ids: Ids, cut: Cut) -> None:
    Protocol(seats(model, ids, cut), cut).finish()


def _subject(name: str, family: str | None, sizes: Sizes) -> tuple[Model, Ids]:
    ids = np.asarray(token_ids(sample(sizes, 0)))
    if name in NAMES:
        return build(name, sizes, family=family).model, ids
    shape = RandomShape(Word.parse(name), sizes.length, sizes.vocabulary, sizes.N[-1], family=family or "linear")
    return random_model(shape, 0), ids


def stress_kit(quick: bool) -> Report:
    """C1 at 8 tokens: its run of random prompts, and check_solver with all of its stages; seconds of one processor."""
    from separation.testing.check import check_solver

    tiny, instances = Sizes(2, (2,)), 1 << 11 if quick else 1 << 15
    model = build("C1", tiny).model
    ids = task_of(tiny).random_prompts(np.random.default_rng(0), instances)

    def checked(limit: float | None) -> int:
        def solver(prompts: list[list[int]]) -> Any:
            return run_exactly(model, np.array(prompts)).answers

        report = check_solver(solver, sizes=tiny, tokens=True, seconds=600.0, limit=limit, instances=instances)
        if not report.ok:
            raise RuntimeError("C1 was found to be wrong")
        return report.asked

    asked = checked(None)
    actions: Actions = {
        "C1's exact run": (partial(run_exactly, model, ids), instances),
        "check_solver of it": (partial(checked, None), asked),
        "with a limit for each call": (partial(checked, 60.0), asked),
    }
    rows = ratio_rows(tiny.length, actions, clock=_with_children)
    return Report("stress_kit", "time a prompt / time a prompt of the quicker way above it", tuple(rows))


def _with_children() -> float:
    """Seconds of processors, of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime
