"""The answer: the logit of the right row leads all others by a margin, at every kind of token that answers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from separation.proving.closed_form import closed_form_margin
from separation.proving.embedding import table_forms
from separation.proving.failures import ProofFailed
from separation.proving.forms import Forms
from separation.proving.general import compare_all
from separation.proving.invariants import Stage
from separation.proving.proof import Setting
from separation.proving.search import search_margin
from separation.tasks.shape import Fact, Kind, Variable


def searched_margin(setting: Setting, stage: Stage) -> Fraction:
    """2-Sum: the logit of 1 minus that of 0 is negative or positive, as it should be, by so much."""
    kind = setting.shape.kinds[0]
    rows = table_forms(setting.model.unembedding, 0, setting.shape.outputs[0].address, "unembedding").matrix
    # The answer's one bit is ±1: logit 1 minus logit 0 is twice its coefficient.
    difference = stage[kind.name].as_forms().image(rows.columns([1]).scaled(2).T)
    return _positive(search_margin(setting.model, difference, setting.proof.searches))


Rows = list[tuple[Forms, Kind]]


def output_rows(setting: Setting) -> Rows:
    """The rows of the unembedding as forms, group by group."""
    table = setting.model.unembedding
    return [
        (table_forms(table, group.start, group.address, "unembedding").compact(), group)
        for group in setting.shape.outputs
    ]


def emitted_margin(setting: Setting, stage: Stage, emission: Fact, keys: Rows) -> Fraction:
    """A look-up of the right row among the rows of the unembedding."""
    query = stage[str(emission.reader)].as_forms()
    margins = []
    if setting.proof.path in ("closed", "both"):
        margins.append(closed_form_margin(query, keys, emission))
    if setting.proof.path in ("general", "both"):
        margins.append(_enumerated_margin(query, keys, emission, setting.shape.global_variables))
    if None in margins:
        raise ProofFailed("answer", "answer", f"the logits do not single out {', '.join(emission.address)}")
    return _positive(min(margin for margin in margins if margin is not None))


def _enumerated_margin(query: Forms, keys: Rows, fact: Fact, known: Sequence[Variable]) -> Fraction | None:
    # Coordinates that the unembedding ignores would only multiply the queries.
    read = np.flatnonzero(np.any([(key.matrix.numerators != 0).any(axis=1) for key, _ in keys], axis=0))
    keys = [(Forms(key.symbols, key.matrix.rows(read)), group) for key, group in keys]
    exact = Forms(query.symbols, query.matrix.rows(read)).compact()
    if any(symbol.role == "noise" for symbol in exact.symbols):
        raise ProofFailed("answer", "answer", "the general path needs an answer without noise")
    names = {symbol.variable for symbol in exact.symbols if symbol.is_bit}
    variables = [variable for variable in known if variable.name in names]
    outcome = compare_all(exact, keys, variables, fact, weigh=False)
    return None if outcome is None else outcome.gap


def _positive(margin: Fraction) -> Fraction:
    if margin <= 0:
        raise ProofFailed("answer", "answer", f"the margin of the answer's logit is {margin}")
    return margin
