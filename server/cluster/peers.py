"""The processes of a server, as the operator lists them, and which of them is the home of a match.

The id of a lobby and each of its tokens end with the name of the process that made them. So every
process knows from an id alone which one plays the match, or takes it up after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import cycle

from server.settings import Settings
from server.tokens import home_name, is_seat_token, new_id


@dataclass(frozen=True, slots=True)
class Peer:
    """One process. `url`: where the others reach it."""

    name: str
    url: str


class Peers:
    """All processes of this server. `name`: this one's; empty: the server is one process, and ids
    bear no name."""

    def __init__(
        self, name: str = "", urls: Mapping[str, str] | None = None, secret: str = ""
    ) -> None:
        """`secret`: proves that a request comes from one of them."""
        self.name = name
        self.secret = secret
        self.all = tuple(Peer(*item) for item in (urls or {}).items())
        self.others = tuple(peer for peer in self.all if peer.name != name)
        ours = next((at for at, peer in enumerate(self.all) if peer.name == name), 0)
        from_ours = (*self.all[ours:], *self.all[:ours])
        turns = [None if peer.name == name else peer for peer in from_ours]
        self._turns = cycle(turns or [None])

    @classmethod
    def of(cls, settings: Settings) -> Peers:
        """Raises OSError if the file with the secret cannot be read."""
        if settings.node is None:
            return cls()
        secret = ""
        if settings.peer_secret is not None:
            secret = settings.peer_secret.get_secret_value()
        elif settings.peer_secret_file is not None:
            secret = settings.peer_secret_file.read_text().strip()
        return cls(settings.node, settings.peer_urls, secret)

    @property
    def alone(self) -> bool:
        return not self.name

    def new_id(self) -> str:
        """For a lobby of this process."""
        return new_id(self.name)

    def home(self, of: str) -> Peer | None:
        """The process that has what this id or token belongs to; None: this one.

        The first process of the list takes what bears no name. Where a name is not in the list
        (there are fewer workers than before), one of those whose names share the part before the
        last dot takes all that bears it."""
        if self.alone:
            return None
        name = home_name(of)
        if not name:
            found = self.all[0]
        else:
            machine = name.rpartition(".")[0]
            near = [peer for peer in self.all if peer.name.rpartition(".")[0] == machine]
            found = max(near or self.all, key=lambda peer: (peer.name == name, _rank(peer, name)))
        return None if found.name == self.name else found

    def is_home(self, of: str) -> bool:
        """Whether this process has what this id belongs to."""
        return self.home(of) is None

    def home_of_seat(self, token: str) -> Peer | None:
        """The other process that has the seat of this token; None: this one, or no seat's token."""
        return self.home(token) if is_seat_token(token) else None

    def named(self, name: str) -> Peer | None:
        """Another process by its name."""
        return next((peer for peer in self.others if peer.name == name), None)

    def order(self, what: str) -> list[Peer | None]:
        """All of them, None for this one: the first one that answers decides about this. The order
        is the same everywhere."""
        ordered = sorted(self.all, key=lambda peer: _rank(peer, what))
        return [self.named(peer.name) for peer in ordered]

    def in_turn(self) -> Peer | None:
        """Each in its turn, first this one (None)."""
        return next(self._turns)


def _rank(peer: Peer, what: str) -> bytes:
    return sha256(f"{what}\0{peer.name}".encode()).digest()
