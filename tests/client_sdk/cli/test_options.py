"""The command without a verb."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

from client_sdk.version import installed


def test_version_is_printed(cli):
    ran = cli("--version")

    assert (ran.status, ran.out) == (0, f"botarena {version('botarena')}\n")


def test_without_arguments_help_is_printed(cli):
    assert "--version" in cli("--help").out
    assert "new-bot" in cli().out + cli().err


def test_without_an_installed_package_there_is_no_version(monkeypatch: pytest.MonkeyPatch):
    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", unknown)

    assert installed() is None
