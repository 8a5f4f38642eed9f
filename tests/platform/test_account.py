"""Who is logged in: as the system says, whatever the environment does."""

from __future__ import annotations

import sys

import pytest

from noteeval_desktop.platform.account import account


@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells the account by the environment")
def test_the_account_is_the_systems_and_not_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    before = account()
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody-else")
    assert account() == before != ""
