"""Sizes are judged before work: a huge number in any option is answered at once, or refused in one line."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from separation.verbs.command_line import run
from tools.fuzz.__main__ import wrong
from tools.fuzz.commands import Commands, numeric_options

E18 = 10**18
CHEAP_LINES = {
    "decide": "decide RF --L 3 --beta 8 --lambda 8",
    "bound": "bound --L 2 --beta 8 --lambda 8",
    "ceiling": "ceiling RF --L 2 --m 16 --n 16 --beta 8 --lambda 8",
    "sweep": "sweep decide --word RF --L 2 --beta 8 --lambda 8 --workers 1",
    "compare": "compare RF FR --L 2 --m 16 --n 16 --beta 8 --lambda 8",
    "design": "design --layers 4 --full 2 --L 2",
    "audit": "audit gpt2",
    "show": "show C1 --L 1 --m 2",
    "solve": "solve C6 --length 4",
    "simulate": "simulate C1 --L 1 --m 2",
    "fool": "fool --word R --L 1 --m 4 --state-bits 6 --workers 1 --samples 50 --seconds 1",
}
"""Verbs whose every answer takes a fraction of a second."""
REFUSED = {
    "beta": (f"decide RFFR --L 4 --beta {10**30}", "beta is"),
    "beta of heads": (f"decide RF --L 2 --heads {E18} --dim {E18} --bits 4", "beta is"),
    "lambda": (f"bound --L 2 --beta 8 --lambda {2**63}", "lambda is 9223372036854775808 bits; at most 10^18"),
    "lambda of a block": (f"bound --L 2 --beta 8 --lambda 0,{2**200}", "lambda is"),
    "states of all layers": (
        f"bound --L 2 --heads 2 --dim 4 --bits 4 --linear-layers {E18} --state-bits 10",
        "lambda is 10000000000000000000 bits",
    ),
    "beta of a ceiling": (f"ceiling RF --L 2 --m 16 --n 16 --beta {2**200} --lambda 8", "beta is"),
    "beta of a comparison": (f"compare RF FR --beta {2**200}", "beta is"),
    "beta of a sweep": (f"sweep decide --word RF --L 2 --beta {2**63} --lambda 8 --workers 1", "beta is"),
    "score bits of an audit": (f"audit gpt2 --score-bits {2**200}", "score-bits is"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_huge_number_is_refused_in_one_line(
    name: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line, part = REFUSED[name]
    begin = time.process_time()
    assert run(line.split()) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    said = [each for each in captured.err.splitlines() if not each.startswith("separation:  ")]  # but progress
    assert len(said) == 1
    assert said[0].startswith("separation: error: ")
    assert part in said[0]
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("verb", CHEAP_LINES)
def test_a_huge_number_in_every_option_of_a_cheap_verb(
    verb: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for option in numeric_options(verb):
        words = Commands.with_value(CHEAP_LINES[verb].split(), option, str(2**200))
        begin = time.process_time()
        status = run(words)
        captured = capfd.readouterr()
        assert not wrong(words, status, captured.out, captured.err), words
        assert status in (0, 1, 2), words
        assert time.process_time() - begin < 5, words


def test_the_largest_budget_is_answered(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(f"bound --L 2 --beta 8 --lambda {E18}".split()) == 0, capfd.readouterr().err
    assert "shorter than golden" in capfd.readouterr().out
