"""What people read: nothing of it is lost to markup."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from separation.verbs.verify import VerifyReport


def test_a_missing_torch_is_said_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.StringIO()
    monkeypatch.setattr("separation.verbs.verify.torch_is_installed", lambda: False)
    VerifyReport((), (), 0.0).show(Console(file=text, width=120))
    assert "pip install 'separation[torch]'" in text.getvalue()
    monkeypatch.setattr("separation.verbs.verify.torch_is_installed", lambda: True)
    text.truncate(0)
    VerifyReport((), (), 0.0).show(Console(file=text, width=120))
    assert "torch" not in text.getvalue()
