"""Messages of the Cadre protocol: framing, what a client may write, and what it asks for."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_sdk.gateway.cadre.front import QUICKACK, TcpWire
from client_sdk.gateway.cadre.messages import (
    END,
    LONGEST,
    BadMessage,
    ClientMessage,
    MessageStream,
    is_game,
    lobbied,
    read,
    written,
)
from client_sdk.gateway.cadre.requests import (
    IGNORED,
    LONGEST_NAME,
    SETTINGS,
    PlayRequest,
    play_request,
    settings,
)
from games.catastrophe.rules import Rules

PLAY = {"gameName": "Catastrophe", "playerName": "Miaow"}


def play(**data: Any) -> PlayRequest:
    return play_request(PLAY | data)


@given(
    st.lists(st.text(st.characters(exclude_characters="\x04"), max_size=20), max_size=5),
    st.lists(st.integers(1, 7), min_size=1),
)
def test_messages_are_found_in_whatever_pieces_they_come(texts: list[str], sizes: list[int]):
    stream, found = MessageStream(), []
    left = b"".join(text.encode() + b"\x04" for text in texts)
    for size in sizes * (len(left) + 1):
        found += stream.feed(left[:size])
        left = left[size:]
    assert [one.decode() for one in found] == texts


def test_a_message_that_never_ends_is_refused():
    stream = MessageStream()
    stream.feed(b" " * LONGEST)
    with pytest.raises(BadMessage, match="at most"):
        stream.feed(b" ")


def test_only_event_and_data_of_a_message_count():
    java = b'\n{"event":"run","caller":{"id":"1"},"data":{"a":1},"sentTime":7,"bytes":[],"blank":0}'
    assert read(java) == ClientMessage("run", {"a": 1})
    assert read('{"event":"alias"}') == ClientMessage("alias", None)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b"7", b'{"event":7}', b'{"data":1}', b"\xff", b"[" * 100_000, "1" * 10_000],
)
def test_what_is_no_message_is_refused(text: str | bytes):
    with pytest.raises(BadMessage):
        read(text)


def test_messages_to_clients_are_ascii():
    text = written("invalid", {"message": "M\xe4use \U0001f63a"})
    assert text.isascii()
    assert json.loads(text) == {"event": "invalid", "data": {"message": "M\xe4use \U0001f63a"}}


def test_lobbied_has_the_constants_and_the_version_that_clients_of_2022_expect():
    data = lobbied("cup")
    assert data["gameVersion"] == "ede84ab86376b00287c09558f05e8f2a61b92109d93aad9ebd3379ff4215fb53"
    assert data["constants"] == {"DELTA_REMOVED": "&RM", "DELTA_LIST_LENGTH": "&LEN"}
    assert (data["gameName"], data["gameSession"]) == ("Catastrophe", "cup")


def test_the_game_is_known_by_its_names_in_any_case():
    assert is_game("CataStrophe")
    assert is_game("MegaMinerAI-20-Catastrophe")
    assert not is_game("chess")
    assert not is_game(None)


class RecordingSocket:
    """A socket whose client sends some chunks; records what is done with it."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = [*chunks]
        self.calls: list[Any] = []

    def setsockopt(self, level: int, option: int, value: int) -> None:
        self.calls.append((option, value))

    def settimeout(self, seconds: float) -> None:
        pass

    def recv(self, size: int) -> bytes:
        self.calls.append("recv")
        return self.chunks.pop(0) if self.chunks else b""


@pytest.mark.skipif(QUICKACK is None, reason="TCP_QUICKACK is an option of Linux")
def test_every_read_is_acknowledged_at_once():
    connection: Any = RecordingSocket(b"{}", b"\x04{}\x04")
    assert [*TcpWire(connection).messages()] == [b"{}", b"{}"]
    quick = (QUICKACK, 1)
    assert connection.calls == [
        (socket.TCP_NODELAY, 1),
        quick,
        "recv",
        quick,
        "recv",
        quick,
        "recv",
    ]


# --- play


@pytest.mark.parametrize(
    ("index", "seat"),
    [(None, None), (-1, None), ("-1", None), ("", None), (0, 0), ("1", 1), (1.0, 1)],
)
def test_a_player_index_is_a_number_or_a_text_of_one(index: Any, seat: int | None):
    assert play(playerIndex=index).seat == seat
    assert play().seat is None


@pytest.mark.parametrize("index", [2, -2, "2", "first", True, {}, 1e400, float("nan")])
def test_a_player_index_out_of_range_is_refused(index: Any):
    with pytest.raises(BadMessage, match="playerIndex"):
        play(playerIndex=index)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Miaow ", "Miaow"),
        ("x" * 80, "x" * LONGEST_NAME),
        ("a\x00\n\u200bb", "ab"),
        ("", "a Cadre client"),
        (None, "a Cadre client"),
        ("\ud800", "?"),
    ],
)
def test_a_name_is_one_that_every_client_can_show(name: Any, shown: str):
    assert play(playerName=name).name == shown
    assert len(shown) < 80


def test_what_a_client_leaves_out_is_what_it_sends_as_null():
    nothing = dict.fromkeys(("requestedSession", "playerIndex", "password", "gameSettings"))
    assert play(**nothing) == play()
    assert (play().session, play().token, play().seed, play().config) == ("*", None, None, {})


@pytest.mark.parametrize("data", [None, [], {}, {"gameName": "Chess"}, PLAY | {"spectating": True}])
def test_a_wish_that_cannot_be_met_is_refused(data: Any):
    with pytest.raises(BadMessage):
        play_request(data)


def test_game_settings_are_parameters_of_the_match():
    query = (
        "randomSeed=17&maxTurns=100&mapWidth=12&catEnergyMult=1.5&harvestCooldown=7&maxTurns=9"
        "&playerNames[]=a&playerNames[]=b&playerStartingTime=5000000000&turnTimeAdded=0.5"
    )
    assert settings(query) == (
        17,
        {
            "max_turns": 100,
            "map_width": 12,
            "cat_energy_mult": 1.5,
            "turns_between_harvests": 7,
            "time_bank_s": 5.0,
            "time_added_per_turn_s": 0.5,
        },
    )


def test_every_setting_is_a_parameter_of_the_rules():
    query = "&".join(f"{name}=2" for name in SETTINGS)
    _, config = settings(query)
    assert set(config) <= set(Rules.__dataclass_fields__)


def test_a_seed_may_be_any_text():
    assert settings("randomSeed=abc")[0] == settings("randomSeed=abc")[0]
    assert settings("randomSeed=abc")[0] != settings("randomSeed=abd")[0]


def test_an_unknown_setting_is_refused_with_the_list_of_those_that_are_known():
    with pytest.raises(BadMessage) as refused:
        settings("speed=9")
    assert all(name in str(refused.value) for name in [*SETTINGS, *IGNORED, "randomSeed"])


@pytest.mark.parametrize(
    "query", ["maxTurns=many", "catEnergyMult=nan", "maxTurns=", "startTime=inf"]
)
def test_a_setting_that_is_no_number_is_refused(query: str):
    with pytest.raises(BadMessage, match="expected a number"):
        settings(query)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=4,
)
FIELDS = [
    "playerName",
    "clientType",
    "requestedSession",
    "playerIndex",
    "password",
    "gameSettings",
]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_a_client_may_say_anything_when_it_joins(data: dict[str, Any]):
    try:
        wish = play_request(PLAY | data)
    except BadMessage:
        return
    assert 1 <= len(wish.name) < 80
    json.dumps([wish.name, wish.session, wish.config]).encode()


@given(st.binary(max_size=40) | JSON.map(lambda value: json.dumps({"event": value})))
def test_a_client_may_send_anything(text: str | bytes):
    with contextlib.suppress(BadMessage):
        assert isinstance(read(text).event, str)


def test_the_cost_of_a_long_message_does_not_depend_on_how_it_is_split():
    stream = MessageStream()
    began = time.thread_time()
    for _ in range(LONGEST):
        assert stream.feed(b"x") == []
    assert stream.feed(END) == [b"x" * LONGEST]
    assert time.thread_time() - began < 2
