"""The command without a verb."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

from client_sdk.version import installed


def test_it_says_which_version_it_is(cli):
    ran = cli("--version")

    assert (ran.status, ran.out) == (0, f"botarena {version('botarena')}\n")


def test_without_anything_it_helps(cli):
    assert "--version" in cli("--help").out
    assert "new-bot" in cli().out + cli().err


def test_where_it_is_not_installed_no_version_is_made_up(monkeypatch: pytest.MonkeyPatch):
    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", unknown)

    assert installed() is None
