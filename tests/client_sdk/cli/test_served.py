"""Games of programs: what becomes of one that has ended."""

from __future__ import annotations

import pytest

from client_sdk.errors import ServerRefused
from client_sdk.local import served


class Ended:
    """A program that runs no more."""

    returncode = 0
    tail = ""
    cause = "has ended with status 0"


class Server:
    def __init__(self, code: str | None) -> None:
        self.code = code
        self.left: list[str] = []

    def leave(self, match: str, token: str) -> None:
        self.left.append(token)
        if self.code is not None:
            raise ServerRefused(self.code, "it says")


class Player:
    label = "mine"


def game(server: Server) -> served._Game:
    found = object.__new__(served._Game)
    found.match, found._rest, found._gone = "m", server, set()
    found._seated, found._seats = [Player()], [{"token": "s_1"}]
    return found


def test_a_program_that_ends_during_the_match_resigns_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = Server(None)
    playing = game(server)
    for _ in range(2):
        playing._look_after([Ended()], True)

    assert server.left == ["s_1"]
    assert (
        "mine has ended with status 0 during the match; its seat resigns" in capsys.readouterr().err
    )


def test_a_program_that_ends_with_the_match_is_no_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """This process was paused, and has not read the end yet."""
    game(Server("match_over"))._look_after([Ended()], True)

    assert "resigns" not in capsys.readouterr().err


def test_another_refusal_is_reported() -> None:
    with pytest.raises(ServerRefused, match="it says"):
        game(Server("no_such_lobby"))._look_after([Ended()], True)
