"""The example of docs/protocol.md is what the command prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from separation.cli.main import run
from separation.protocol import stock_model

TEXT = (Path(__file__).parent.parent.parent / "docs" / "protocol.md").read_text()


def test_the_example_is_the_real_output(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    command, shown = re.findall(r"<!-- example: separation (.*?) -->\n```\n(.*?)```\n", TEXT, re.DOTALL)[0]
    assert run(command.split()) == 0
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert printed.strip() == shown.strip()


def test_limits() -> None:
    assert f"up to {stock_model.MAX_LAYERS} layers of width {stock_model.MAX_WIDTH}" in TEXT
    assert f"{stock_model.MAX_PARAMETERS // 10**6} million parameters" in TEXT
