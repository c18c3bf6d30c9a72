"""Progress: shown while one long piece is running, with the time that is left, and nothing before anything is said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest

from separation.progress import Progress
from separation.verbs import progress


def test_a_long_piece_is_shown_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that is due after two seconds appears even if the first piece takes a minute."""
    told: list[tuple[float, str]] = []
    often = Event()

    @contextmanager
    def bar() -> Iterator[Progress]:
        def note(done: float, what: str) -> None:
            told.append((done, what))
            if len(told) > 3:
                often.set()

        yield note

    monkeypatch.setattr(progress, "_bar", bar)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.001)
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_BARS", 0.001)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress.progress_bar():
        Event().wait(0.02)
        assert told == [], "nothing was reported yet"
    with progress.progress_bar() as report:
        report(0.0, "one piece")
        assert often.wait(60)
    assert set(told) == {(0.0, "one piece")}


def test_lines_of_a_pipe_have_a_share(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.001)
    shown = Event()
    monkeypatch.setattr(progress, "time_left", lambda *_times: shown.set() or ", 30 s left")
    with progress.progress_bar() as report:
        report(0.25, "a quarter")
        assert shown.wait(60)
    assert capsys.readouterr().err == "separation:  25% a quarter, 30 s left\n"
