"""Lobbies, results and files over REST (PROTOCOL.md §5). Answers are plain JSON."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias, cast
from urllib.parse import quote

import httpx

from client_sdk.address import http_url, is_loopback
from client_sdk.errors import ConnectionLost, ServerRefused
from games.core.contract import Json

Object: TypeAlias = dict[str, Any]

TIMEOUT_S = 30.0


class RestClient:
    """One server's REST side; a context manager. Every call raises ServerRefused or ConnectionLost.

    A method per route, hence their number.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        transport: httpx.BaseTransport | None = None,
        timeout_s: float = TIMEOUT_S,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`url` in any form that `client_sdk.address` knows. Raises ValueError for another.

        `key`: of an account; it goes along wherever no token of a lobby does. `headers`: of every
        request.
        """
        self._key = key
        trust_env = not is_loopback(url)
        self._client = httpx.Client(
            base_url=http_url(url),
            transport=transport,
            timeout=timeout_s,
            headers=headers,
            trust_env=trust_env,
            verify=True if transport is not None else _authorities(trust_env),
            follow_redirects=True,
        )

    def __enter__(self) -> RestClient:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def health(self) -> Object:
        return self._object("GET", "/healthz")

    def games(self) -> Json:
        return self._json("GET", "/api/v1/games")

    def game(self, game: str) -> Object:
        return self._object("GET", f"/api/v1/games/{_part(game)}")

    def maps(self, game: str | None = None) -> Json:
        return self._json("GET", "/api/v1/maps", query={"game": game})

    def map_text(self, game: str, name: str) -> str:
        """One map as its file has it."""
        return self._text("GET", f"/api/v1/maps/{_part(game)}/{_part(name)}")

    def bots(self, game: str | None = None) -> Json:
        return self._json("GET", "/api/v1/bots", query={"game": game})

    def schemas(self) -> Object:
        return self._object("GET", "/api/v1/schemas")

    def lobbies(self, game: str | None = None, state: str | None = None) -> Json:
        return self._json("GET", "/api/v1/lobbies", query={"game": game, "state": state})

    def lobby(self, lobby: str, token: str | None = None) -> Object:
        """One lobby; a private one with a token that opens it: its owner's, a seat's or the invite.
        So everywhere below."""
        return self._object("GET", f"/api/v1/lobbies/{_part(lobby)}", token=token)

    def create(self, game: str, *, key: str | None = None, **fields: Json) -> Object:
        """Make a lobby; `fields` as PROTOCOL.md §5 lists them. With the same `key` a repeated call
        makes one lobby."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return self._object(
            "POST", "/api/v1/lobbies", body={"game": game, **fields}, headers=headers
        )

    def join(
        self,
        lobby: str,
        game: str,
        name: str,
        *,
        kind: str = "bot",
        seat: int | None = None,
        invite: str | None = None,
        password: str | None = None,
    ) -> Object:
        """Take a seat: `{"lobby", "seat", "token", "url"}`. `lobby`: an id, a name, `*` for any
        open one, `new`."""
        body = {"game": game, "name": name, "kind": kind, "seat": seat, "invite": invite}
        if password is not None:
            body["password"] = password
        return self._object("POST", f"/api/v1/lobbies/{_part(lobby)}/join", body=body)

    def add_bot(self, lobby: str, bot: str, token: str, seat: int | None = None) -> Object:
        """Put a house bot into a free seat; the token of the owner or of a seat."""
        return self._object(
            "POST",
            f"/api/v1/lobbies/{_part(lobby)}/bots",
            body={"bot": bot, "seat": seat},
            token=token,
        )

    def start(self, lobby: str, token: str) -> Object:
        """Start now (the owner's token); house bots fill the free seats."""
        return self._object("POST", f"/api/v1/lobbies/{_part(lobby)}/start", token=token)

    def leave(self, lobby: str, token: str) -> Object:
        """Give the seat back (the seat's token); in a running match: resign."""
        return self._object("POST", f"/api/v1/lobbies/{_part(lobby)}/leave", token=token)

    def matches(
        self,
        game: str | None = None,
        bot: str | None = None,
        result: str | None = None,
        before: str | None = None,
    ) -> Json:
        """Those that run, then the newest that are over. `bot`: with a player of exactly this name;
        `result`: its, or any player's (`win`, `draw`, `loss`, `both_lost`); `before`: older than
        this match."""
        query = {"game": game, "bot": bot, "result": result, "before": before}
        return self._json("GET", "/api/v1/matches", query=query)

    def match(self, match: str, token: str | None = None) -> Object:
        return self._object("GET", f"/api/v1/matches/{_part(match)}", token=token)

    def journal(self, match: str, token: str | None = None) -> str:
        """The private record of a released match, as text."""
        return self._text("GET", f"/api/v1/matches/{_part(match)}/journal", token=token)

    def replays(self) -> Json:
        return self._json("GET", "/api/v1/replays")

    def replay(self, replay: str, token: str | None = None) -> str:
        """The public record of a released match, as text."""
        return self._text("GET", f"/api/v1/replays/{_part(replay)}", token=token)

    # --- accounts

    def sign_up(self, name: str, kind: str = "bot") -> Object:
        """Create an account; only this returns its `key`. Other kinds need an organiser's key."""
        return self._object("POST", "/api/v1/accounts", body={"name": name, "kind": kind})

    def account(self) -> Object:
        """Whose the key is."""
        return self._object("GET", "/api/v1/accounts/me")

    # --- bots that are handed in

    def hand_in(self, content: bytes, **about: str | None) -> Object:
        """Hand in a file (`game`, `name`, `file`, `language`, `entry`, `trial`): its version."""
        return self._object("POST", "/api/v1/submissions", query=about, content=content)

    def submissions(self) -> Object:
        """The versions of this key's account and its team, and whether one can be handed in."""
        return self._object("GET", "/api/v1/submissions")

    def submission(self, submission: str) -> Object:
        """One of them, with what its build has said and the grades of its check."""
        return self._object("GET", f"/api/v1/submissions/{_part(submission)}")

    def activate(self, submission: str) -> Object:
        """One that was set aside plays again."""
        return self._object("POST", f"/api/v1/submissions/{_part(submission)}/activate", body={})

    def seat_log(self, match: str, seat: int) -> Json:
        """What one's own bot has written in a match, turn by turn."""
        return self._json("GET", f"/api/v1/matches/{_part(match)}/seats/{seat}/log")

    # --- tournaments

    def tournaments(self) -> Json:
        """Newest first."""
        return self._json("GET", "/api/v1/tournaments")

    def tournament(self, tournament: str) -> Object:
        """All of it: state, standings, bracket, games with their matches, the log."""
        return self._object("GET", f"/api/v1/tournaments/{_part(tournament)}")

    def create_tournament(self, name: str, game: str, **fields: Json) -> Object:
        """A new one (an organiser's key); `fields` as in a tournament's file."""
        return self._object(
            "POST", "/api/v1/tournaments", body={"name": name, "game": game, **fields}
        )

    def enter(self, tournament: str, **fields: Json) -> Object:
        """Enter the bot of this key's account: `name`, `concurrency`, `submitted` (one that
        was handed in); an organiser also `bot` (a
        house bot) or `account`."""
        return self._object(
            "POST", f"/api/v1/tournaments/{_part(tournament)}/entrants", body=fields
        )

    def lead(self, tournament: str, verb: str, **fields: Json) -> Object:
        """What an organiser does: start, begin, pause, resume, cancel, withdraw, disqualify
        (`entrant`), undo (`fact`); `why`."""
        return self._object(
            "POST", f"/api/v1/tournaments/{_part(tournament)}/{_part(verb)}", body=fields
        )

    def override(self, tournament: str, game: str, **fields: Json) -> Object:
        """An organiser's result: `placement`, `score`, `forfeit` by seat, or `both_lost`; `why`."""
        return self._object(
            "POST",
            f"/api/v1/tournaments/{_part(tournament)}/games/{_part(game)}/override",
            body=fields,
        )

    def play_again(self, tournament: str, game: str, **fields: Json) -> Object:
        """A game of a tournament is played again (an organiser's key); `why`."""
        return self._object(
            "POST",
            f"/api/v1/tournaments/{_part(tournament)}/games/{_part(game)}/replay",
            body=fields,
        )

    def invitations(self, after: int = 0, wait_s: float = 0.0) -> Json:
        """Seats kept for the bot of this key's account, with numbers above `after`; waits up to
        `wait_s` for one."""
        return self._json(
            "GET", "/api/v1/bots/me/invitations", query={"after": str(after), "wait_s": str(wait_s)}
        )

    def ratings(self, game: str) -> Object:
        return self._object("GET", "/api/v1/ratings", query={"game": game})

    def ladder(self, game: str) -> Object:
        """Who is on it, and how long each can expect to wait for a game."""
        return self._object("GET", f"/api/v1/ladders/{_part(game)}")

    def ladder_games(self, game: str) -> Json:
        """Its last games, newest first, and why their players were paired."""
        return self._json("GET", f"/api/v1/ladders/{_part(game)}/games")

    def climb(self, game: str, concurrency: int = 1, submitted: str | None = None) -> Object:
        """The bot of this key's account is on the ladder from now on, or the one of the name
        `submitted` that the account or its team has handed in."""
        body: Json = {"concurrency": concurrency} if submitted is None else {"submitted": submitted}
        return self._object("POST", f"/api/v1/ladders/{_part(game)}", body=body)

    def map_pools(self, game: str) -> Json:
        """The versions of the ladder's map pool, newest first."""
        return self._json("GET", f"/api/v1/ladders/{_part(game)}/pools")

    def set_map_pool(self, game: str, maps: Json) -> Object:
        """The next version (an organiser's key): a list of `map` and `weight`."""
        return self._object("POST", f"/api/v1/ladders/{_part(game)}/pools", body={"maps": maps})

    def challenge(self, game: str, name: str) -> Object:
        """Challenge the bot of this name on the ladder to a pair of games."""
        return self._object(
            "POST", f"/api/v1/ladders/{_part(game)}/challenges", body={"name": name}
        )

    def challenges(self, game: str) -> Json:
        """Those that the bot of this key's account has sent and received, newest first."""
        return self._json("GET", f"/api/v1/ladders/{_part(game)}/challenges")

    def end_challenge(self, game: str, challenge: str) -> None:
        """Withdraw an own one, or refuse one of another bot."""
        self._called("DELETE", f"/api/v1/ladders/{_part(game)}/challenges/{_part(challenge)}")

    def accept_challenges(self, game: str, **rule: Json) -> Object:
        """Which challenges the bot accepts: `accepts` (always, window, never), `window`,
        `per_day`, `rated`."""
        return self._object("PUT", f"/api/v1/ladders/{_part(game)}/accepts", body=rule)

    def leave_ladder(self, game: str, submitted: str | None = None) -> None:
        """As `climb`."""
        query = {"submitted": submitted}
        self._called("DELETE", f"/api/v1/ladders/{_part(game)}", query=query)

    # --- an organiser's

    def all_matches(self) -> Json:
        """Every lobby and match that is not over, private ones too, with seats and connections."""
        return self._json("GET", "/api/v1/admin/matches")

    def abort(self, match: str, reason: str) -> Object:
        """End a match without a result; the reason is sent to all players."""
        return self._object(
            "POST", f"/api/v1/admin/matches/{_part(match)}/abort", body={"reason": reason}
        )

    def drain(self, on: bool = True) -> Object:
        """Take no new matches, or take them again: `{"draining", "left"}`."""
        return self._object("POST" if on else "DELETE", "/api/v1/admin/drain")

    def draining(self) -> Object:
        return self._object("GET", "/api/v1/admin/drain")

    def actions(self) -> Json:
        """What organisers did, newest first."""
        return self._json("GET", "/api/v1/admin/actions")

    def _object(self, method: str, path: str, **about: Any) -> Object:
        return cast(Object, self._json(method, path, **about))

    def _json(self, method: str, path: str, **about: Any) -> Json:
        response = self._called(method, path, **about)
        if not response.content:
            return {}
        try:
            return response.json()
        except ValueError:
            why = f"{response.url} answers without JSON: is this a Botarena server?"
            raise ServerRefused("no_json", why) from None

    def _text(self, method: str, path: str, **about: Any) -> str:
        return self._called(method, path, **about).text

    def _called(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | None] | None = None,
        body: Json = None,
        content: bytes | None = None,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        shown = self._key if token is None else token
        sent = dict(headers or {}) | ({} if shown is None else {"Authorization": f"Bearer {shown}"})
        params = {name: value for name, value in (query or {}).items() if value is not None}
        try:
            response = self._client.request(
                method, path, params=params, json=body, content=content, headers=sent
            )
        except httpx.HTTPError as fault:
            raise ConnectionLost(f"{self._client.base_url} cannot be reached: {fault}") from None
        except (httpx.InvalidURL, ValueError) as fault:
            why = f"{method} {path[:80]}: this holds what no request can: {fault}"
            raise ServerRefused("no_request", why) from None
        if response.is_success:
            return response
        raise _refusal(response)


@cache
def _authorities(trust_env: bool) -> ssl.SSLContext:
    """Whose certificates are good, read once per process: that takes longer than a request."""
    return httpx.create_ssl_context(trust_env=trust_env)


def _refusal(response: httpx.Response) -> ServerRefused:
    retry = response.status_code >= 500 or response.status_code == 429
    try:
        error = response.json()
    except ValueError:
        error = None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        text = (
            f"{response.url} answers with HTTP status {response.status_code}: is this a Botarena "
            "server?"
        )
        return ServerRefused(f"http_{response.status_code}", text, retry)
    text = str(error.get("text", response.reason_phrase))
    if error["code"] == "not_found":
        text = f"{text} ({response.url}); expected a server's own, such as http://127.0.0.1:8000"
    return ServerRefused(
        error["code"], text, retry, field=error.get("field"), allowed=error.get("allowed")
    )


def _part(text: str) -> str:
    """A name as one part of a path; `*` stays readable. What no encoding can hold becomes `?`."""
    return quote(text, safe="*", errors="replace")
