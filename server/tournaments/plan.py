"""What a tournament shall be: checked as a whole before it exists, with every fault named by its field."""

from __future__ import annotations

import json
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.contest import format as formats
from games.contest import verbs
from games.contest.facts import Fact
from games.contest.format import Format
from games.contest.tournament import Tournament
from games.core import maps
from games.core.contract import AnyGame, BadSetup
from games.core.journal import commitment
from games.core.match import Match
from games.core.parameters import MAX_SEED, configure
from server.errors import Refusal, bad_setup
from server.matches.limits import paced
from server.store.tournaments import Event
from server.tokens import new_id

Json = Any

MOST_ENTRANTS = 256
MOST_GAMES = 20_000
"""In stage 1 of one tournament: with more of them every look at it would take seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants a tournament to be; the fields as in a tournament's TOML file (docs/organisers.md)."""

    name: str
    game: AnyGame
    config: Mapping[str, Json] = field(default_factory=dict)
    map: str | None = None
    map_text: str | None = None
    format: Mapping[str, Json] = field(default_factory=dict)
    clock: Mapping[str, Json] = field(default_factory=dict)
    seed: int | None = None


def planned(wish: Wish, account: str | None, at_ms: int) -> tuple[Event, Format]:
    """The tournament as it will be kept. Runs in the child process. Raises Refusal."""
    game, map_text = wish.game, _map_text(wish)
    try:
        configure(game, wish.config)
    except BadSetup as fault:
        raise bad_setup(fault) from None
    try:
        format_ = formats.read(wish.format, game, wish.config)
        formats.check_playable(game, wish.config, format_)
    except BadSetup as fault:
        raise bad_setup(fault, "format") from None
    try:
        if wish.map_text is not None:
            game.upload(game.board(wish.map_text))
        for seats in {*format_.seats.values()}:  # told now, not in the middle of the night
            config = formats.for_seats(game, wish.config, seats)
            paced(Match.begin(game, config, 0, map_text).pacing, None, wish.clock)
    except BadSetup as fault:
        raise bad_setup(fault) from None
    seed = secrets.randbelow(MAX_SEED + 1) if wish.seed is None else wish.seed
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise Refusal(422, "bad_seed", f"seed: expected a whole number, 0 to {MAX_SEED}", field="seed")
    salt = secrets.token_hex(16)
    event = Event(
        id=new_id(),
        name=wish.name,
        game=game.name,
        config=wish.config,
        map=wish.map,
        map_text=wish.map_text,
        format=formats.to_json(format_),
        clock=wish.clock,
        seed=seed,
        salt=salt,
        commitment=commitment(seed, salt),
        state="entries_open",
        created_ms=at_ms,
        account=account,
    )
    return event, format_


def _map_text(wish: Wish) -> str | None:
    if wish.map is None:
        return wish.map_text
    if wish.map_text is not None:
        raise Refusal(422, "two_maps", "map and map_text: give one of the two", field="map")
    try:
        return maps.text(wish.game.name, wish.map)
    except BadSetup as fault:
        raise Refusal(404, fault.code, fault.why, field="map", allowed=fault.allowed) from None


def from_toml(text: str) -> dict[str, Json]:
    """What a tournament's file says, as a request says it. Its limits are for files and commands, which no server plays: they
    mean nothing here. Raises Refusal."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise Refusal(422, "bad_toml", f"toml: {fault}", field="toml") from None
    except RecursionError:
        raise Refusal(422, "bad_toml", "toml: nested too deep", field="toml") from None
    given.pop("limits", None)
    try:
        json.dumps(given, allow_nan=False)
    except (TypeError, ValueError):
        raise Refusal(
            422, "bad_toml", "toml: expected texts, finite numbers, truth values, lists and tables", field="toml"
        ) from None
    return given


def start(tournament: Tournament, by: str, why: str) -> Fact:
    """Close the entries. Raises Refusal if games of this field would be too many here, and Refused."""
    format_, field = tournament.format, len(tournament.entrants)
    games = field * (field - 1) // 2 * format_.matches_per_pairing if format_.staged else field
    if games > MOST_GAMES:
        text = f"about {games} games would be played, and {MOST_GAMES} may be: fewer entrants, or fewer matches_per_pairing"
        raise Refusal(422, "too_many_games", text, field="format.matches_per_pairing")
    return verbs.close(tournament, by, why)
