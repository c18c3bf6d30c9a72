"""Of other tokens only the coordinates that some head reads are made, where only the last token is computed."""

from __future__ import annotations

import importlib
from dataclasses import replace

import numpy as np
import pytest
from relay_cases import DIRECT, HUB, RELAY, STREAM, place, slot

from separation.arithmetic import PrecisionOverflow
from separation.models import Stored, StreamReader, columns_read, run

RUN = importlib.import_module("separation.models.forward")


def test_only_what_heads_read_is_made_of_other_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [STREAM["value"][0], place(HUB)]
    assert sorted(asked) == columns_read(DIRECT).tolist()
    widths = []

    def noting(reader: StreamReader) -> StreamReader:
        widths.append(reader.width)
        return reader

    monkeypatch.setattr(RUN, "reader_with_memory", noting)
    assert slot(DIRECT, [3, 1, 2, 0, 1], "heard") == 2
    assert slot(DIRECT, [3, 1, 2, 0, 1], "heard", all_rows=True) == 2
    assert slot(RELAY, [3, 1, 2, 0, 1], "heard") == 2
    assert widths == [2, STREAM.width, STREAM.width]


@pytest.mark.parametrize("name", ["positions", "tokens"])
def test_coordinates_that_nobody_reads_are_checked_all_the_same(name: str) -> None:
    limit = DIRECT.precision.limit
    table = getattr(DIRECT, name)
    for excess, row in ((0, 0), (1, 0)):
        large = table.matrix.with_entry(row, STREAM["unused"][0], limit + excess)
        model = replace(DIRECT, **{name: Stored(large)})
        prompt = [0, 1, 2, 3, 1]
        if not excess:
            assert slot(model, prompt, "heard") == 2
            continue
        assert len(columns_read(model)) == STREAM.width
        with pytest.raises(PrecisionOverflow, match=r"^layer 0: an activation \(embedding\) needs more than"):
            run(model, np.array(prompt))
