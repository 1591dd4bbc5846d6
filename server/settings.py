"""What an operator may choose: each field is `BOTARENA_<NAME>` in the environment. No other module
reads the environment.

Times in ms, sizes in bytes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import AwareDatetime, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from client_sdk.wire.codes import MAX_FRAME
from games import GAMES
from server.proxies import Proxies
from server.tokens import NODE

A_CENTURY = 36_525
"""Days."""


def limit(default: int, *, ge: int, le: int | None = None) -> Any:
    """A limit on what a client may have or do. docs/hosting.md has a line for each, with the metric
    that shows a breach."""
    return Field(default, ge=ge, le=le, json_schema_extra={"limit": True})


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="BOTARENA_", frozen=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65535)
    data_dir: Path = Path("data")
    node: str | None = Field(None, pattern=f"^{NODE}$")
    """This process's name among several (docs/hosting.md, Growing); None: there is only one."""
    peers: str | None = None
    """All processes of this server, itself among them, and where they reach each other
    (`1=http://10.0.0.5:8000,2=…`); None: a process with a name has no others."""
    peer_secret: SecretStr | None = None
    """What proves that a request comes from one of them."""
    peer_secret_file: Path | None = Field(None, validate_default=True)
    """The file that holds it, where the environment does not."""
    front_port: int | None = Field(None, ge=1, le=65535)
    """The port that all processes of one machine share; their pages come from there."""
    database_url: str | None = Field(None, repr=False)
    """`postgresql://user@host/name`; without one: a SQLite file in the data directory."""
    keep_days: int = Field(0, ge=0, le=A_CENTURY)
    """Matches, journals and replays are deleted this many days after their end; 0: never."""
    keep_versions_days: int = Field(0, ge=0, le=A_CENTURY)
    """Files of versions that will not play again are deleted this many days after they were handed
    in; 0: never."""
    backup_ms: int = Field(3_600_000, ge=0)
    """A SQLite database is backed up this often, if it has changed; 0: never."""
    backup_keep: int = Field(24, ge=1)
    """Backups that are kept."""
    public_url: str | None = None
    """How clients reach this server, when that is not what their requests say
    (`https://arena.example`). `{node}` in it is the process's name."""
    proxies: str | None = None
    """Proxies whose X-Forwarded headers are believed: addresses and networks with commas between
    them (`10.0.0.0/8,127.0.0.1`)."""
    cadre_port: int | None = Field(None, ge=0, le=65535)
    """TCP port for clients of Catastrophe's contest; 0: a free one; None: they are not served."""
    cadre_websocket_port: int | None = Field(None, ge=0, le=65535)
    """Port for those of them that use websockets; None: 88 above the other."""
    signalr_port: int | None = Field(None, ge=0, le=65535)
    """Port for bots of Zooscape's contest; 0: a free one; None: they are not served."""
    gateway_secret: SecretStr | None = None
    """What proves that a request comes from a gateway of this server; None: drawn at the start."""
    origins: str | None = None
    """Pages of other servers that may open sockets here (`https://club.example`), with commas
    between them."""
    metrics_token: SecretStr | None = None
    """A client that sends it may read /metrics; None: only this machine itself may."""
    log_format: Literal["logfmt", "json"] = "logfmt"
    house_bots: bool = True
    """Whether lobbies may fill seats with house bots, which run on this machine."""

    frame_bytes: int = limit(MAX_FRAME, ge=1024)
    """The largest frame a client may send."""
    frames_per_second: int = limit(200, ge=1)
    """A client's steady rate; twice as many may come in a burst."""
    connections_per_address: int = limit(1_000, ge=0)
    """Websockets from one address (IPv6: from one /64 network) at the same time; 0: any number."""
    http_connections_per_address: int = limit(1_000, ge=0)
    """The same of connections over HTTP. Of either kind one address may have a quarter of the files
    that the process may open, whatever these two say."""
    requests_per_second: int = limit(500, ge=0)
    """Requests and websocket handshakes of one address on average; twice as many may come in a
    burst; 0: any number. A body counts as one more for each 16 KiB."""
    requests_at_once: int = limit(500, ge=0)
    """Unanswered requests of one address; 0: any number."""
    large_bodies_at_once: int = limit(2, ge=0)
    """Requests of one address whose bodies are larger than `small_body_bytes`; 0: any number. All
    addresses together may have eight times as many."""
    bad_frames: int = limit(50, ge=1)
    """A connection is closed after this many frames that are no message."""
    refusals_per_turn: int = limit(1000, ge=1)
    """Useless commands of a seat that are answered one by one within a turn, at most; then its turn
    counts as silent."""
    infos_per_turn: int = limit(20, ge=0)
    """Info messages of a seat that are kept within a turn, at most; further ones are dropped."""
    hello_ms: int = limit(10_000, ge=1)
    """For a websocket's hello, and for the head of a request over HTTP."""
    body_ms: int = limit(30_000, ge=1)
    """For the body of a request over HTTP."""
    answer_ms: int = limit(30_000, ge=1)
    """A client may leave an answer over HTTP unread for this long."""
    ping_ms: int = Field(5_000, ge=10)
    """A heartbeat to every client this often."""
    quiet_ms: int = limit(60_000, ge=10)
    """A client that has sent nothing for this long is gone, unless its seat's clock runs."""
    recovery_ms: int = Field(15_000, ge=0)
    """After a pause of this process, during which clients may have left because they heard nothing,
    they may take this long to come back: no deadline but a seat's own clock counts it."""
    lag_turn_ms: int = Field(300, ge=0)
    """What the network may take of a seat's turn without being charged: the way as measured, at
    most this. There is no farther way on this planet, and who feigns one gains no more."""
    lag_match_ms: int = Field(60_000, ge=0)
    """The same for a seat's whole match."""
    idle_ms: int = limit(3_600_000, ge=10)
    """A match without a time limit in which nothing happens for this long is aborted."""
    lobbies: int = limit(1_000, ge=1)
    """Lobbies and matches that are not over yet."""
    lobbies_per_address: int = limit(200, ge=0)
    """Lobbies and matches that are not over yet and were made from one address; 0: any number."""
    empty_lobbies: int = limit(20, ge=0)
    """Open lobbies in which no seat is taken, of one account or address; 0: any number."""
    empty_lobby_ms: int = limit(300_000, ge=1)
    """An open lobby in which no seat is taken is cancelled after this time, however long it would
    wait for its seats."""
    spectators: int = limit(500, ge=0)
    """Viewers of one match."""
    spectators_in_all: int = limit(5_000, ge=0)
    """Viewers of all matches together."""
    house_bot_processes: int = limit(64, ge=0)
    """House bots that run at the same time."""
    body_bytes: int = limit(1 << 20, ge=1024)
    """The largest request that makes a lobby or a tournament. A large board with all its walls
    takes a fraction of it."""
    small_body_bytes: int = limit(64 << 10, ge=1024)
    """The largest other request."""
    outbox_frames: int = limit(1_000, ge=10)
    """Frames that wait for one client that reads too slowly; more close the connection."""
    outbox_bytes: int = limit(1 << 20, ge=1024)
    send_buffer: int = limit(256 * 1024, ge=4096, le=2**31 - 1)
    """SO_SNDBUF: bounds what the kernel holds for a client that does not read."""
    closed: bool = False
    """Whether making lobbies, taking seats and watching takes an account's key."""
    sign_up: bool | None = None
    """Whether anybody may make a bot account; None: unless the server is closed."""
    sign_ups_per_minute: int = limit(10, ge=1)
    """Accounts that one address may make."""
    password_tries: int = limit(10, ge=1)
    """Wrong lobby passwords of one address in a minute; ten times as many for one lobby."""
    submissions: bool = False
    """Whether bots can be handed in: the server builds, checks and plays them, in a sandbox."""
    submission_bytes: int = limit(8 << 20, ge=1024)
    """The largest file that is taken."""
    submissions_per_day: int = limit(50, ge=1)
    """Versions that one account, or the accounts of one team together, may hand in within 24 h."""
    freeze: AwareDatetime | None = None
    """From this moment on no version is taken (`2026-12-01T18:00:00+01:00`); those that were handed
    in before are still checked."""
    games_at_once: int = limit(8, ge=0)
    """Games of tournaments and ladders that this process plays at the same time; 0: none."""
    house_games: Literal["live", "here", "workers"] = "live"
    """How tournament games of house bots alone are played: live as all others, without sockets in
    processes of this server, or by `botarena worker` on any machine, which takes PostgreSQL."""
    ladder: str = "off"
    """Which games have ladders here: off, on for all, or their names with commas between them."""
    ladder_pace_ms: int = Field(10_000, ge=1)
    """A pair of each ladder begins this often, if there are players for it."""
    ladder_house_wait_ms: int = Field(30_000, ge=0)
    """A bot on a ladder whose rating is known meets a house bot only after it was free for this
    long."""
    ladder_games_per_hour: int = Field(30, ge=0)
    """A bot on a ladder that was handed in plays at most this many games within an hour, in pairs;
    0: any number."""
    ladder_failures: int = Field(5, ge=1)
    """A version of a bot that was handed in is set aside after this many games of a ladder in a row
    to which it did not come, or in which it crashed."""
    trial_games_per_hour: int = Field(120, ge=0)
    """A version that is tested against the one that plays has at most this many games within an
    hour, in pairs; 0: any number."""
    trial_pairs: int = Field(200, ge=1)
    """It is refused after this many pairs that have not shown it to be stronger."""
    webhook_url: SecretStr | None = None
    """Where a line of JSON goes for each event of a ladder: `https://…`, or `http://` to this very
    machine. Only the operator can set it."""
    min_free_bytes: int = limit(64 << 20, ge=0)
    """With less free space for the data the server is not ready, and makes no new matches."""
    drain_ms: int = Field(1_000, ge=0)
    """When the server stops, running matches get this long to end by themselves."""

    @field_validator("ladder")
    @classmethod
    def _games(cls, said: str) -> str:
        if unknown := [name for name in _ladders(said) if name not in GAMES]:
            known = ", ".join(GAMES)
            raise ValueError(f"expected on, off or names of games ({known}), got {unknown[0]!r}")
        return said

    @property
    def ladders(self) -> list[str]:
        """The games whose ladders are played here."""
        return _ladders(self.ladder)

    @field_validator("peers")
    @classmethod
    def _named(cls, given: str | None, fields: ValidationInfo) -> str | None:
        names, node = _urls(given), fields.data.get("node")
        if names and not any(node in (name, name.rpartition(".")[0]) for name in names):
            raise ValueError("BOTARENA_NODE is not the name of one of them")
        return given

    @field_validator("peer_secret_file")
    @classmethod
    def _secret(cls, given: Path | None, fields: ValidationInfo) -> Path | None:
        several = len(_urls(fields.data.get("peers"))) > 1
        if several and given is None and fields.data.get("peer_secret") is None:
            text = "processes that are one server (BOTARENA_PEERS) need it, or BOTARENA_PEER_SECRET"
            raise ValueError(text)
        return given

    @field_validator("webhook_url")
    @classmethod
    def _webhook(cls, given: SecretStr | None) -> SecretStr | None:
        url = "" if given is None else given.get_secret_value()
        parts = urlsplit(url)
        local = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
        if given is not None and not (parts.hostname and (parts.scheme == "https" or local)):
            raise ValueError("expected https://…, or http:// to this machine")
        return given

    @field_validator("proxies")
    @classmethod
    def _networks(cls, named: str | None) -> str | None:
        Proxies(named)
        return named

    @property
    def local_url(self) -> str:
        """Where a process on this machine reaches this one."""
        loopback = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
        host = loopback.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def peer_urls(self) -> dict[str, str]:
        """Where the processes of this server reach each other, by name."""
        return _urls(self.peers) or {self.node or "": self.local_url}

    @property
    def own_url(self) -> str | None:
        """The public URL of this very process."""
        return self.url_of(self.node or "1")

    def url_of(self, node: str) -> str | None:
        """The public URL of the process of this name."""
        return None if self.public_url is None else self.public_url.replace("{node}", node)

    @property
    def allowed_origins(self) -> list[str]:
        return _listed(self.origins)


def _urls(peers: str | None) -> dict[str, str]:
    """Raises ValueError."""
    found: dict[str, str] = {}
    for part in _listed(peers):
        name, _, url = part.partition("=")
        known = re.fullmatch(NODE, name) is not None and url.startswith(("http://", "https://"))
        if not known or name in found:
            text = "expected name=http://host:port with commas between, each name once"
            raise ValueError(f"{text}, got {part!r}")
        found[name] = url.rstrip("/")
    return found


def _ladders(said: str) -> list[str]:
    if said in ("on", "off"):
        return list(GAMES) if said == "on" else []
    return _listed(said)


def _listed(given: str | None) -> list[str]:
    """The parts between the commas."""
    return [] if given is None else [part.strip() for part in given.split(",")]
