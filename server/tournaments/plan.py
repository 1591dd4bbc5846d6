"""The parameters of a tournament, checked before it exists; a fault is named by its field."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from client_sdk.local.lookup import document
from games.contest import format as formats
from games.contest import verbs
from games.contest.facts import Fact
from games.contest.format import Format
from games.contest.pairings import swiss_rounds
from games.contest.tournament import Tournament
from games.core.contract import AnyGame, BadSetup, Json
from games.core.journal import commitment
from games.core.match import Match
from games.core.parameters import MAX_SEED, configure
from server.errors import Refusal, bad_setup
from server.lobbies.begun import map_text
from server.matches.limits import paced
from server.store.tournaments import StoredTournament
from server.tokens import new_id

MOST_ENTRANTS = 5_000
MOST_GAMES = 50_000
"""In stage 1 of one tournament: its public JSON has them all."""
MOST_IN_HEATS = 200
"""Entrants: the schedule of more takes minutes to make."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRequest:
    """The fields are as in a tournament's TOML file (docs/organisers.md)."""

    name: str
    game: AnyGame
    config: Mapping[str, Json] = field(default_factory=dict)
    map: str | None = None
    map_text: str | None = None
    format: Mapping[str, Json] = field(default_factory=dict)
    clock: Mapping[str, Json] = field(default_factory=dict)
    seed: int | None = None
    freeze: str | None = None


def planned(
    request: TournamentRequest, account: str | None, at_ms: int
) -> tuple[StoredTournament, Format]:
    """The tournament as it will be kept. Runs in the child process. Raises Refusal."""
    game = request.game
    text = map_text(game.name, request.map, request.map_text)
    try:
        configure(game, request.config)
    except BadSetup as fault:
        raise bad_setup(fault) from None
    try:
        format_ = formats.read(request.format, game, request.config)
        formats.check_playable(game, request.config, format_)
    except BadSetup as fault:
        raise bad_setup(fault, "format") from None
    try:
        if request.map_text is not None:
            game.check_upload(game.parse_board(request.map_text))
        for seats in set(format_.seats.values()):  # a fault is found now, not when a game is due
            config = formats.for_seats(game, request.config, seats)
            paced(Match.begin(game, config, 0, text).pacing, None, request.clock)
    except BadSetup as fault:
        raise bad_setup(fault) from None
    seed = secrets.randbelow(MAX_SEED + 1) if request.seed is None else request.seed
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        text = f"seed: expected a whole number, 0 to {MAX_SEED}"
        raise Refusal(422, "bad_seed", text, field="seed")
    salt = secrets.token_hex(16)
    row = StoredTournament(
        id=new_id(),
        name=request.name,
        game=game.name,
        config=request.config,
        map=request.map,
        map_text=request.map_text,
        format=formats.to_json(format_),
        clock=request.clock,
        seed=seed,
        salt=salt,
        commitment=commitment(seed, salt),
        state="entries_open",
        created_ms=at_ms,
        account=account,
        freeze_ms=None if request.freeze is None else _moment(request.freeze),
    )
    return row, format_


def _moment(text: str) -> int:
    """ms since 1970. Raises Refusal."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError
    except ValueError:
        why = "freeze: expected a moment with its zone, such as 2026-12-01T18:00:00+01:00"
        raise Refusal(422, "bad_value", why, field="freeze") from None
    return int(moment.timestamp() * 1000)


def from_toml(text: str) -> dict[str, Json]:
    """A tournament's file as the fields of a request. Its limits are left out: they are for files
    and commands, which no server plays. It may take minutes. Raises Refusal."""
    try:
        given: dict[str, Json] = document(text, toml=True)
    except ValueError as fault:
        raise Refusal(422, "bad_toml", f"toml: {fault}", field="toml") from None
    given.pop("limits", None)
    return given


def _games(format_: Format, field: int) -> int:
    """About how many games there are before a bracket, or in it."""
    pairs = field * (field - 1) // 2
    match format_.format:
        case "knock-out":
            return field
        case "swiss":
            pairs = field // 2 * (format_.rounds or swiss_rounds(field))
        case "gauntlet":
            pairs = format_.challengers * max(0, field - format_.challengers)
    seats = format_.seats_per_match
    return pairs * format_.matches_per_pairing // (seats * (seats - 1) // 2)


def start(tournament: Tournament, by: str, why: str) -> Fact:
    """Close the entries. Raises Refused, and Refusal if there would be too many games."""
    format_, field = tournament.format, len(tournament.names)
    games = _games(format_, field)
    if format_.heats and format_.staged and field > MOST_IN_HEATS:
        text = f"{field} bots have entered: at most {MOST_IN_HEATS} can play in heats"
        raise Refusal(422, "too_many_games", text, field="format.seats_per_match")
    if games > MOST_GAMES:
        text = f"about {games} games would be played: at most {MOST_GAMES} may be"
        raise Refusal(422, "too_many_games", text, field="format.matches_per_pairing")
    return verbs.close(tournament, by, why)
