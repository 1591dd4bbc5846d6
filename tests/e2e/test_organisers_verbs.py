"""`botarena account` beside a running server, `botarena admin` over REST, and a key that takes a
seat."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from client_sdk import cli
from client_sdk.errors import ServerRefused
from tests.accounts.people import person
from tests.e2e.arena import Arena, eventually, everything, hello
from tests.forked_process import ForkedProcess


def ran(*words: str, cwd: Path | None = None, **variables: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    process = ForkedProcess(words, cwd, os.environ | variables, errors=True)
    out, err = process.communicate(timeout=60)
    return process.wait(), out, err


def account(data: Path, *words: str) -> tuple[int, str, str]:
    return ran("account", *words, "--data-dir", str(data))


@pytest.fixture(scope="module")
def organiser(arena: Arena) -> str:
    return person(arena.data, "organiser", "Programming club").key


@pytest.fixture
def admin(
    arena: Arena,
    organiser: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Any:
    """Runs the verb with these words in this process; what it says."""
    monkeypatch.setenv("BOTARENA_URL", arena.url)
    monkeypatch.setenv("BOTARENA_KEY", organiser)

    def says(*words: str, status: int = 0) -> str:
        assert cli.run(["admin", *words]) == status
        output = capsys.readouterr()
        assert organiser[2:] not in output.out + output.err
        return output.out + output.err

    return says


def test_an_account_created_beside_a_running_server_works_until_its_key_is_revoked(
    arena: Arena,
) -> None:
    _, made, about = account(arena.data, "create", "my bot")
    key, key_id = made.strip(), re.split(r"key (\w+),", about)[1]
    assert "my bot" in about
    assert key not in about

    def opens() -> int:
        return arena.rest._client.get(
            "/api/v1/accounts/me", headers={"Authorization": f"Bearer {key}"}
        ).status_code

    assert opens() == 200
    assert account(arena.data, "key", "revoke", key_id)[0] == 0
    assert opens() == 401


def test_a_bot_joins_with_the_key_in_its_environment_and_does_not_print_it(
    arena: Arena, tmp_path: Path
) -> None:
    made = arena.rest.sign_up("mine")
    tiny = {"preset": "tiny", "max_turns": 3}
    lobby = arena.rest.create("pyrat", config=tiny, bots=["greedy"], rated=True, password="xyzzy")
    lobby_words = ("--lobby", lobby["lobby"], "--password", "xyzzy")
    words = ("join", arena.url, "greedy", "--game", "pyrat", *lobby_words)
    status, out, err = ran(*words, cwd=tmp_path, BOTARENA_KEY=made["key"])
    assert status == 0, err

    seats = arena.over(lobby["lobby"])["seats"]
    assert [(seat["bot"], seat["account"]) for seat in seats] == [
        ("greedy", None),
        (None, made["account"]),
    ]
    assert arena.rest.match(lobby["lobby"])["rated"] is True
    assert made["key"][2:] not in out + err + "".join(arena.log)


def test_an_organiser_lists_and_aborts(arena: Arena, admin: Any) -> None:
    lobby = arena.rest.create("botstack", private=True)
    taken = arena.rest.join(lobby["lobby"], "botstack", "Ada", invite=lobby["invite"])
    with arena.socket("play") as socket:
        hello(socket, token=taken["token"])
        (line,) = [line for line in admin("list").splitlines() if lobby["lobby"] in line]
        assert "private" in line
        assert "Ada connected" in line
        assert "free" in line

        assert "is cancelled: the hall is closed" in admin(
            "abort", lobby["lobby"], "--reason", "the hall is closed"
        )
        assert [m["text"] for m in everything(socket) if m["type"] == "error"] == [
            "the lobby was cancelled: the hall is closed"
        ]
    eventually(
        lambda: any("event=organiser" in line and "verb=abort" in line for line in arena.log)
    )
    assert f"abort {lobby['lobby']} reason=the hall is closed" in admin("log").splitlines()[0]
    assert "no lobby or match" in admin("abort", lobby["lobby"], "--reason", "again", status=3)


def test_an_organiser_drains_and_undrains(arena: Arena, admin: Any) -> None:
    assert "no new matches" in admin("drain")
    try:
        assert "no new matches" in admin("list").splitlines()[-1]
        with pytest.raises(ServerRefused, match="draining"):
            arena.rest.create("pyrat")
    finally:
        assert "welcome again" in admin("undrain")

    assert arena.rest.create("pyrat")["state"] == "open"


def test_without_an_organisers_key_verbs_fail_with_a_message(
    arena: Arena, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTARENA_KEY", arena.rest.sign_up("a bot")["key"])
    assert "yours is a bot" in admin("drain", status=3)
    monkeypatch.delenv("BOTARENA_KEY")

    assert "BOTARENA_KEY" in admin("drain", status=2)


def test_a_fault_in_an_account_is_reported_in_one_line(tmp_path: Path) -> None:
    assert account(tmp_path, "disable", "unknown") == (
        2,
        "",
        "botarena: there is no such account\n",
    )
