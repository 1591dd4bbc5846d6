"""Every message on a websocket, once. A message is a JSON text frame `{"type": …}`. Times are in
ms, and their names end in `_ms`.

A server ignores unknown fields of a message, so that a newer client can talk to an older server."""

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
    """The first frame of a connection. A seat sends its token; a viewer sends the match's id, and a
    token if the lobby is private or a key if the server is closed."""

    protocol: int
    """The version of the protocol that the client speaks."""
    token: Annotated[str, Meta(max_length=200)] | None = None
    """The seat's token. Viewers: a token of the private lobby, or an account's key."""
    match: Name | None = None
    """Viewers: the id of the match."""
    client: Name = ""
    """The name of the client's program, for the server's log."""
    changes: bool = True
    """False: results come without the changes that the commands made."""
    deltas: bool = False
    """Viewers: a view may come as a delta, the change since an earlier view."""
    steps: bool = False
    """Games whose turns are many commands: an event `steps` lists every command of a closed turn
    with the change that it made."""
    once: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    """Top-level fields of the view that come in the start message only, such as PyRat's `maze`."""


class Ready(Struct, frozen=True, tag="ready"):
    """The seat has finished its preprocessing. The first turn opens when all seats have."""


class Commands(Struct, frozen=True, tag="commands"):
    """The answer of a seat to a view: its commands, which are applied in order."""

    commands: Annotated[tuple[Json, ...], Meta(max_length=1000)]
    """The commands, as RULES.md of the game defines them."""
    turn: TurnNumber | None = None
    """The turn of the view that this answers. Not required in realtime games."""
    end_turn: bool = False
    """Games whose turns are many commands: close the turn after these commands."""
    id: FrameId | None = None
    """Comes back in `results`. A frame that is sent again with its id is not carried out twice."""
    seen: TurnNumber | None = None
    """Realtime: the turn of the newest view that the client has handled, as in `seen`."""


class Provisional(Struct, frozen=True, tag="provisional"):
    """The answer that counts if no commands come in time. A later one replaces it."""

    turn: TurnNumber
    """The turn of the view that this answers."""
    commands: Annotated[tuple[Json, ...], Meta(max_length=1000)]
    """The commands, as in `commands`."""


class Info(Struct, frozen=True, tag="info"):
    """Thoughts of a bot, which never affect the match. Viewers get them when the turn closes."""

    data: Json
    """Free-form; the page shows `text` and draws the list in `draw`."""
    turn: TurnNumber | None = None
    """The turn that they are about; null: the open turn."""


class Resync(Struct, frozen=True, tag="resync"):
    """A request for start and view again."""


class Seen(Struct, frozen=True, tag="seen"):
    """The client has handled a view. In realtime games the server then sends further ones."""

    turn: TurnNumber
    """The turn of the view."""


Incoming: TypeAlias = ClientHello | Ready | Commands | Provisional | Info | Resync | Seen

# --- out: what the server sends -------------------------------------------------------------------


class SeatInfo(Struct, frozen=True):
    """A seat and its player."""

    seat: int
    """The number of the seat, from 0."""
    role: str
    """What the game calls the seat."""
    name: str
    """The player's name. It is a label: an account may play under any name."""
    kind: str
    """`bot` or `human`."""


class Clock(Struct, frozen=True):
    """The limits of a match, in ms. 0 means no limit, except for preprocessing, bank, increment,
    grace and absence, where it means no time."""

    tick_ms: int | None
    """Realtime games: the time between two ticks. null: a turn closes when its seats have
    answered."""
    preprocessing_ms: int
    """The time between the start and the first turn."""
    turn_ms: int
    """The time of a bot for a turn."""
    human_turn_ms: int
    """The time of a person for a turn."""
    bank_ms: int
    """The further time of a seat for the whole match, used after the time of a turn."""
    increment_ms: int
    """The bank grows by this when a turn of the seat begins."""
    grace_ms: int
    """After `stop` an answer is still accepted for this time."""
    strikes: int
    """The n-th timed-out turn of a seat forfeits the match; 0: never."""
    lockstep: bool = False
    """A realtime game without a tick clock: the next tick comes when every seat has answered, after
    `turn_ms` at the latest. Commands name no turn."""
    startup_ms: int = 30_000
    """How long a match waits for its seats: at first, and after a fault of the server."""
    absence: str = "plays"
    """What happens to a seat that is away: `plays`, `misses`, `waits`, `limited` or `forfeits`."""
    absence_ms: int = 60_000
    """With `waits` and `limited`, how long one seat may be away in the whole match. Otherwise, how
    long all seats may be away at the same time."""


class ServerHello(Struct, frozen=True, tag="hello"):
    """The answer to a client's hello. The match starts when every seat has got one."""

    server: str
    """The name and the version of the server."""
    match: str
    """The id of the match."""
    game: str
    """The name of the game."""
    seat: int | None = None
    """The client's seat; null: a viewer."""
    protocol: int = PROTOCOL
    """The version of the protocol that the server speaks."""


class MatchStart(Struct, frozen=True, tag="start"):
    """The match and its present view. Every client gets it once on each connection, and after
    `resync`."""

    match: str
    """The id of the match."""
    game: str
    """The name of the game."""
    seat: int | None
    """The client's seat; null: a viewer."""
    seats: tuple[SeatInfo, ...]
    """All seats, in order."""
    config: dict[str, Json]
    """The game's parameters with the values that they have."""
    clock: Clock
    """The limits of the match."""
    commitment: str
    """SHA-256 of the seed and a salt, which the journal reveals."""
    turn: int
    """The turn that is open."""
    seq: int
    """The number of the view."""
    view: Json
    """What the client may see now, as RULES.md of the game defines it."""
    within_ms: int | None = None
    """The first turn opens after this time; null: there is no preprocessing, or it is over."""
    banks_ms: tuple[int | None, ...] | UnsetType = UNSET
    """As in the view."""


class View(Struct, frozen=True, tag="view"):
    """What the client may see after a turn has closed."""

    turn: int
    """The turn that is open, which an answer names."""
    seq: int
    """The number of the view; it rises by one for each view of the match."""
    view: Json
    """What the client may see now, as RULES.md of the game defines it."""
    act: bool = False
    """The seat is to answer with commands."""
    within_ms: int | None = None
    """The time for the answer, from now, before the bank is used; null: no limit, or no answer is
    due."""
    bank_ms: int | None = None
    """What is left of the seat's bank; null: the clock has no bank."""
    skipped: int = 0
    """The number of views left out since the last one, because newer ones had come."""
    banks_ms: tuple[int | None, ...] | UnsetType = UNSET
    """What is left of the bank of each seat, in order; null: a seat without one. Only for seats, in
    matches with banks. Of other seats that have the same turn as the client, it is what they had
    when the turn opened."""


class Delta(Struct, frozen=True, tag="delta"):
    """A view as the change since the view `base`. A client that does not hold that view sends
    `resync`."""

    turn: int
    """The turn that is open."""
    seq: int
    """The number of the view that results."""
    base: int
    """The number of the view to apply the delta to."""
    delta: Json
    """The change; `client_sdk/wire/delta.py` defines its form."""


class CommandResult(Struct, frozen=True):
    """The result of one command."""

    code: str
    """`ok`, or why the command was not carried out."""
    why: str | UnsetType = UNSET
    """The reason as a sentence."""
    changes: Json | UnsetType = UNSET
    """Games whose turns are many commands: the complete change that the command made."""


class Results(Struct, frozen=True, tag="results"):
    """The results of one frame of commands."""

    turn: int
    """The turn that the commands were applied to."""
    results: tuple[CommandResult, ...]
    """One for each command, in order."""
    id: FrameId | None = None
    """The `id` of the frame of commands."""


class Event(Struct, frozen=True, tag="event"):
    """Something that happened beside the rules: `timeout`, `silent`, `away`, `back`, `info`,
    `steps`, `stall`, `resumed` and others."""

    event: str
    """The kind of the event."""
    turn: int
    """The turn in which it happened."""
    seat: int | None = None
    """The seat that it is about; null: all."""
    data: Json = None
    """Depends on the kind."""


class Stop(Struct, frozen=True, tag="stop"):
    """The time for this turn is up. An answer is still accepted for the grace."""

    turn: int
    """The turn."""
    within_ms: int
    """The grace."""


class End(Struct, frozen=True, tag="end"):
    """The match is over. The last view came before."""

    outcome: dict[str, Json]
    """The result: `outcome`, `winner`, `reason`, and a line for each of the `seats`."""


class Error(Struct, frozen=True, tag="error"):
    """A frame was not a message, or the server is about to close the connection."""

    code: str
    """What went wrong. A code never changes its meaning."""
    text: str
    """The same as a sentence."""
    retry: bool = False
    """Connecting again with the same token can help."""
    url: str | UnsetType = UNSET
    """The address to connect to, if it is another one."""


class Ping(Struct, frozen=True, tag="ping"):
    """A heartbeat, every 5 s. No answer is due. If three are missing, the connection is dead."""

    n: int
    """The number of the heartbeat, from 1."""


Outgoing: TypeAlias = (
    ServerHello | MatchStart | View | Delta | Results | Event | Stop | End | Error | Ping
)

_incoming = msgspec.json.Decoder(Incoming)
_outgoing = msgspec.json.Decoder(Outgoing)
_encoder = msgspec.json.Encoder()


def read_incoming(frame: str | bytes) -> Incoming:
    """Raises msgspec.DecodeError (msgspec.ValidationError among them) or RecursionError for what is
    no message of a client."""
    message: Incoming = _incoming.decode(frame)
    return message


def read_outgoing(frame: str | bytes) -> Outgoing:
    """Raises msgspec.DecodeError for what is no message of a server."""
    message: Outgoing = _outgoing.decode(frame)
    return message


def written(message: Incoming | Outgoing) -> str:
    """The frame's text."""
    return _encoder.encode(message).decode()
