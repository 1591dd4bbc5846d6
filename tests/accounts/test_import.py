"""Accounts are made from a CSV of names and teams; their keys are in a sheet alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client_sdk.cli import run
from client_sdk.console import UserError
from server.key_sheet import members
from server.store.teams import Member
from tests.server.live_server import hosted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name,team\nAda,red\n", [Member("Ada", "red")]),
        ("\ufeffTeam;Name\r\nred;Ada\r\n", [Member("Ada", "red")]),
        ("Ada,red\nÉric\n\n", [Member("Ada", "red"), Member("Éric", None)]),
        ("name\n=cmd()\n", [Member("=cmd()", None)]),
        ('name\nAda "A" L\n', [Member('Ada "A" L', None)]),
    ],
)
def test_a_csv_has_names_and_perhaps_teams(text: str, expected: list[Member]):
    assert members(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name,team\n",
        "name,team\n,red\n",
        "team\nred\n",
        "name\na\x00b\n",
        "name\na\x0bb\n",
        "name\na\u2028b\n",
        'name\n"a\nb"\n',
        'name\n"a\nb\n',
        "name\n" + "x" * 200,
    ],
)
def test_a_csv_without_names_or_with_broken_ones_is_refused(text: str):
    with pytest.raises(UserError):
        members(text)


def test_no_database_is_made_in_a_folder_that_was_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOTARENA_DATA_DIR", raising=False)
    monkeypatch.delenv("BOTARENA_DATABASE_URL", raising=False)

    assert run(["account", "create", "Ada"]) == 2
    assert "there is no database of a server in this folder; --data-dir" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_an_import_makes_accounts_once_and_their_keys_open_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    names, sheet, data = tmp_path / "names.csv", tmp_path / "keys.html", tmp_path / "data"
    names.write_text("name,team\nAda,red\nBob <b>,red\n")
    given = ["account", "import", str(names), "--data-dir", str(data), "--sheet"]

    assert run([*given, str(sheet)]) == 0
    assert f"new database sqlite:///{data / 'botarena.sqlite3'}" in capsys.readouterr().err
    page = sheet.read_text()
    assert sheet.stat().st_mode & 0o077 == 0
    assert "Bob &lt;b&gt;" in page
    keys = dict.fromkeys(re.findall(r"k_[\w-]{32}", page))
    assert len(keys) == 2

    assert run([*given, str(tmp_path / "none.html")]) == 0
    assert not (tmp_path / "none.html").exists()
    names.write_text(names.read_text() + "Cy,blue\n")
    assert run([*given, str(sheet)]) == 2, "the sheet has keys already"
    assert sheet.read_text() == page
    assert run([*given, str(tmp_path / "more.html")]) == 0
    capsys.readouterr()

    with hosted(data) as server:
        mine = [server.get("/accounts/me", key).json() for key in keys]
    assert [(one["name"], one["kind"]) for one in mine] == [("Ada", "bot"), ("Bob <b>", "bot")]
    assert run(["account", "list", "--data-dir", str(data), "--json"]) == 0
    listed = capsys.readouterr().out
    assert re.findall(r'"name": "(\w+).*?"team": "(\w+)"', listed) == [
        ("Ada", "red"),
        ("Bob", "red"),
        ("Cy", "blue"),
    ]
