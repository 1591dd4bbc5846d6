"""Every message of the websocket talk, once. JSON text frames `{"type": …}`; times in ms, named so
(`within_ms`).

The closed list: out `hello start view delta results event stop end error ping`; in `hello ready
commands provisional info resync seen`. Unknown fields of an incoming message are ignored, so that a
newer client can talk to an older server."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from client_sdk.wire.codes import PROTOCOL

Json: TypeAlias = Any
TurnNumber: TypeAlias = Annotated[int, Meta(ge=0)]
Name: TypeAlias = Annotated[str, Meta(max_length=80)]
FrameId: TypeAlias = int | Annotated[str, Meta(max_length=80)]

# --- in: what a client sends ----------------------------------------------------------------------


class ClientHello(Struct, frozen=True, tag="hello"):
    """The first frame. A seat names its token, a viewer its match (and a token where the lobby is
    private, a key where the server is closed)."""

    protocol: int
    token: Annotated[str, Meta(max_length=200)] | None = None
    match: Name | None = None
    client: Name = ""
    """What speaks: a label for logs, never an identity."""
    changes: bool = True
    """False: results come without the changes that the commands made."""
    deltas: bool = False
    """Viewers: send what changed since the last view instead of the whole view."""
    steps: bool = False
    """Games whose turns are many commands: tell every command of a closed turn, with the change it
    made, in a `steps` event."""
    once: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    """Top-level fields of the view that are wanted in the start message only, such as PyRat's
    maze."""


class Ready(Struct, frozen=True, tag="ready"):
    """Preprocessing is done; the first turn may open before its time is up."""


class Commands(Struct, frozen=True, tag="commands"):
    """What a seat wants done, in order. `turn` is the turn it answers; realtime games name none."""

    commands: Annotated[tuple[Json, ...], Meta(max_length=1000)]
    turn: TurnNumber | None = None
    end_turn: bool = False
    """Many-command turns: nothing more comes for this turn."""
    id: FrameId | None = None
    """Echoed by `results`."""
    seen: TurnNumber | None = None


class Provisional(Struct, frozen=True, tag="provisional"):
    """The best answer so far: played if no commands come in time. A later one replaces it."""

    turn: TurnNumber
    commands: Annotated[tuple[Json, ...], Meta(max_length=1000)]


class Info(Struct, frozen=True, tag="info"):
    """What a bot wants to show (text, score, drawings). Viewers see it when the turn is closed; the
    opponent after the match."""

    data: Json
    turn: TurnNumber | None = None


class Resync(Struct, frozen=True, tag="resync"):
    """Send me the whole view: I lost track."""


class Seen(Struct, frozen=True, tag="seen"):
    """I have looked at the view of this turn."""

    turn: TurnNumber


Incoming: TypeAlias = ClientHello | Ready | Commands | Provisional | Info | Resync | Seen

# --- out: what the server sends -------------------------------------------------------------------


class SeatInfo(Struct, frozen=True):
    """Who sits where. Names are labels."""

    seat: int
    role: str
    name: str
    kind: str
    """bot or human."""


class Clock(Struct, frozen=True):
    """The limits of this match, ms; 0 is no limit. `tick_ms` null: the turn lock."""

    tick_ms: int | None
    preprocessing_ms: int
    turn_ms: int
    human_turn_ms: int
    bank_ms: int
    increment_ms: int
    grace_ms: int
    strikes: int
    """The n-th timed-out turn of a seat forfeits the match; 0: never."""
    lockstep: bool = False
    """No clock ticks: the next tick comes when every seat has answered, at `turn_ms` at the latest.
    Commands name no turn."""
    startup_ms: int = 30_000
    """How long the match waits for its seats after a fault of the server's."""
    absence: str = "plays"
    """What becomes of a seat that is away: `plays`, `misses`, `waits`, `limited` or `forfeits`."""
    absence_ms: int = 60_000
    """`waits`, `limited`: how long one seat may be away in the whole match. Else: how long all of
    them may be."""


class ServerHello(Struct, frozen=True, tag="hello"):
    """Answers the client's hello. The match starts when every seat has got this far."""

    server: str
    match: str
    game: str
    seat: int | None = None
    """Null for a viewer."""
    protocol: int = PROTOCOL


class MatchStart(Struct, frozen=True, tag="start"):
    """Once to each client: the match as it stands. Late viewers and seats that come back get it
    with the present view."""

    match: str
    game: str
    seat: int | None
    seats: tuple[SeatInfo, ...]
    config: dict[str, Json]
    clock: Clock
    commitment: str
    """SHA-256 of seed and salt, which come out with the journal."""
    turn: int
    seq: int
    view: Json
    within_ms: int | None = None
    """Preprocessing: this long until the first turn opens; null: none (any more)."""


class View(Struct, frozen=True, tag="view"):
    """What you may see now, after a turn has closed. `seq` counts the views of the match."""

    turn: int
    """The turn that is open; an answer names it."""
    seq: int
    view: Json
    act: bool = False
    """Your answer is awaited."""
    within_ms: int | None = None
    """Time for it, from now, before the bank is used; null: no limit, or nothing awaited."""
    bank_ms: int | None = None
    skipped: int = 0
    """Views left out since the last one because newer ones had come."""


class Delta(Struct, frozen=True, tag="delta"):
    """A view as a change of the view `base`. A client that does not hold that one sends
    `resync`."""

    turn: int
    seq: int
    base: int
    delta: Json


class CommandResult(Struct, frozen=True):
    """The fate of one command: `ok`, or the game's code and a sentence."""

    code: str
    why: str | UnsetType = UNSET
    changes: Json | UnsetType = UNSET


class Results(Struct, frozen=True, tag="results"):
    """Answers one frame of commands, one result per command, in order."""

    turn: int
    results: tuple[CommandResult, ...]
    id: FrameId | None = None


class Event(Struct, frozen=True, tag="event"):
    """Something around the match: timeout, default, away, back, info, grace …"""

    event: str
    turn: int
    seat: int | None = None
    data: Json = None


class Stop(Struct, frozen=True, tag="stop"):
    """Your time for this turn is up; answers are taken for another `within_ms`."""

    turn: int
    within_ms: int


class End(Struct, frozen=True, tag="end"):
    """The match is over. `outcome` is the result record. The last view came before."""

    outcome: dict[str, Json]


class Error(Struct, frozen=True, tag="error"):
    """A frame was no use, or this socket is about to be closed. `retry`: coming back with the same
    token can help; where there is a `url`, to that one."""

    code: str
    text: str
    retry: bool = False
    url: str | UnsetType = UNSET


class Ping(Struct, frozen=True, tag="ping"):
    """A heartbeat every few seconds, counted from 1: three missed ones mean a dead connection. No
    answer is due."""

    n: int


Outgoing: TypeAlias = (
    ServerHello | MatchStart | View | Delta | Results | Event | Stop | End | Error | Ping
)

_incoming = msgspec.json.Decoder(Incoming)
_outgoing = msgspec.json.Decoder(Outgoing)
_encoder = msgspec.json.Encoder()


def read_incoming(frame: str | bytes) -> Incoming:
    """Raises msgspec.DecodeError (msgspec.ValidationError among them) or RecursionError for what is
    no message of a client."""
    return _incoming.decode(frame)  # type: ignore[no-any-return]


def read_outgoing(frame: str | bytes) -> Outgoing:
    """Raises msgspec.DecodeError for what is no message of a server."""
    return _outgoing.decode(frame)  # type: ignore[no-any-return]


def written(message: Incoming | Outgoing) -> str:
    """The frame's text."""
    return _encoder.encode(message).decode()
