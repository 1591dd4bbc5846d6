"""Who may take a seat, and how seats are taken and given back.

Everything that takes or gives a seat happens between two awaits of the one loop, so that no seat is
ever taken twice."""

from __future__ import annotations

from games.core.contract import Seat
from games.core.parameters import configure
from server.accounts.authentication import Requester, role_of
from server.errors import Refusal
from server.lobbies.admission import Admission
from server.lobbies.bots import HouseBots
from server.lobbies.lobbies import Lobbies
from server.lobbies.requests import SeatRequest, TakenSeat
from server.lobbies.tokens import Tokens
from server.matches.lobby import Lobby
from server.matches.messages import Resign
from server.matches.setup import LobbySeat, PlayerKind, check_seat
from server.tokens import new_token


class Seating:
    def __init__(
        self, lobbies: Lobbies, tokens: Tokens, admission: Admission, bots: HouseBots
    ) -> None:
        self._lobbies = lobbies
        self._tokens = tokens
        self._admission = admission
        self._bots = bots

    def check_seat(self, game: str | None, seat: Seat | None) -> str:
        """The game's name, if its usual match has the seat. Raises Refusal."""
        if game is None:
            allowed = sorted(self._lobbies.games)
            raise Refusal(422, "missing", "game: say which game", field="game", allowed=allowed)
        found = self._lobbies.game(game)
        check_seat(seat, found.seats(configure(found, {})))
        return found.name

    def let_in(self, lobby: Lobby, who: SeatRequest, requester: Requester) -> None:
        """One of the lobby's own tokens is enough, as `invite` or in the Authorization header. An
        requester without one must be allowed to join, and know the password if there is one.

        Raises Refusal."""
        role = role_of(lobby.opens(who.invite)) or role_of(lobby.opens(requester.token))
        if role is not None:
            requester.check("join_private" if lobby.setup.private else "join", role)
            return
        requester.check("join")
        if lobby.access.locked:
            self._admission.unlock(lobby, who.password, who.address)
        elif lobby.setup.private:
            requester.check("join_private")

    def join(self, lobby: Lobby, who: SeatRequest, requester: Requester) -> TakenSeat:
        """A client that is let in takes a seat. Raises Refusal."""
        account = None if requester.account is None else requester.account.id
        return self.take(lobby, who.name, who.kind, who.seat, account=account)

    def add_bot(self, lobby: Lobby, bot: str, seat: Seat | None = None) -> LobbySeat:
        """A house bot takes a seat. Raises Refusal."""
        self._bots.check(lobby.game.name, [bot])
        return self.seat_bot(lobby, bot, seat)

    def start(self, lobby: Lobby) -> None:
        """Start now: the game's usual house bot fills the free seats.

        Raises Refusal."""
        if lobby.state != "open":
            raise Refusal(409, "not_open", f"this lobby is {lobby.state}")
        if lobby.free:
            usual = self._bots.default(lobby.game.name)
            if usual is None:
                text = "seats are free, and there is no house bot of this game to fill them"
                raise Refusal(409, "no_bots", text)
            self._bots.check(lobby.game.name, [usual] * len(lobby.free))
            for seat in lobby.free:
                self.seat_bot(lobby, usual, seat.number)
        lobby.begin()

    def leave(self, lobby: Lobby, seat: Seat) -> None:
        """Give the seat back; in a running match: resign. Raises Refusal."""
        left = lobby.seats[seat]
        if lobby.live is not None:
            lobby.live.post(Resign(seat))
        elif lobby.state != "open":
            raise Refusal(409, "match_over", lobby.over_text)
        elif lobby.hosted:
            text = "an invitation reserves this seat for you: resign when the match runs"
            raise Refusal(409, "called", text)
        else:
            lobby.leave(seat)
            self._tokens.drop_seat(left)
            self._lobbies.changed(lobby)

    def seat_bot(self, lobby: Lobby, bot: str, seat: Seat | None = None) -> LobbySeat:
        """The same as `add_bot` for a bot that was checked before."""
        taken = self.take(lobby, bot, "bot", seat, bot)
        self._bots.start(lobby, bot, taken.token)
        return lobby.seats[taken.seat]

    def take(
        self,
        lobby: Lobby,
        name: str,
        kind: PlayerKind,
        seat: Seat | None,
        bot: str | None = None,
        account: str | None = None,
    ) -> TakenSeat:
        """Raises Refusal."""
        self._admission.check_draining()
        token = new_token("seat", lobby.id)
        taken = lobby.take(token, name, kind, None if seat == -1 else seat, bot, account)
        self._tokens.add_seat(lobby, taken)
        self._lobbies.changed(lobby)
        return TakenSeat(lobby, taken.number, token)
