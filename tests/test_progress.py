"""Progress: repeated while one long piece is running, with the time that is left, and nothing when quiet."""

from __future__ import annotations

from threading import Event

import pytest

from separation.verbs import progress
from separation.verbs.progress import repeated


def test_a_long_piece_is_reported_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that is due after two seconds appears even if the first piece takes a minute."""
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_REPORTS", 0.001)
    told: list[tuple[float, str]] = []
    often = Event()

    def note(done: float, what: str) -> None:
        told.append((done, what))
        if len(told) > 3:
            often.set()

    with repeated(note) as report:
        report(0.0, "one piece")
        assert often.wait(60)
    assert set(told) == {(0.0, "one piece")}


def test_nothing_is_repeated_before_anything_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_REPORTS", 0.001)
    told: list[str] = []
    with repeated(lambda _done, what: told.append(what)):
        Event().wait(0.02)
    assert told == []


def test_the_time_left_follows_from_the_share_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_REPORTS", 3600.0)
    clock = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    told: list[str] = []
    with repeated(lambda _done, what: told.append(what)) as report:
        for seconds, done in ((0, 0.0), (10, 0.25), (30, 0.75), (40, 1.0)):
            clock[0] = 100.0 + seconds
            report(done, "work")
    assert told == ["work", "work, 30 s left", "work, 10 s left", "work"]


def test_lines_of_a_pipe_have_a_share_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1.0)
    with progress.progress_bar() as report:
        report(0.0, "none")
        report(0.5, "half")
    assert capsys.readouterr().err.startswith("separation:   0% none\n")
