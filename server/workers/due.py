"""What a batch has to play: the games of attempts, whether of tournaments or of ladders, as they
are when the batch begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from games import GAMES
from games.contest.format import for_seats
from games.contest.tournament import Fixture
from games.core import maps
from games.core.contract import Json, Seat
from server.store import ladders, submissions
from server.store import tournaments as stored
from server.store.ladders import LadderGame
from server.store.submissions import Submission
from server.store.tournaments import EntryPlayer, GameAttempt, StoredTournament
from server.tournaments.cache import TournamentCache
from server.tournaments.results import awaited


@dataclass(frozen=True, slots=True)
class DuePlayer:
    """Who has a seat: a house bot, or a bot that was handed in and its `version`, if there is
    one."""

    name: str
    bot: str | None
    account: str | None
    submitted: bool = False
    version: Submission | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DueGame:
    """`id`: of the attempt. `attempt`: of a tournament; None: a ladder's. `map`: the name of the
    board that `map_text` is, if it has one. `name`: what the match is called. `tested`: the seat
    of the version that is tested by it."""

    id: str
    match: str
    game: str
    name: str
    config: Mapping[str, Json]
    map: str | None
    map_text: str | None
    seed: int
    turn_ms: int | None
    private: bool
    rated: bool
    players: Sequence[DuePlayer]
    attempt: GameAttempt | None = None
    tested: Seat | None = None


async def of_tournaments(
    db: AsyncConnection, ids: Sequence[str], tournaments: TournamentCache
) -> tuple[list[DueGame], list[str]]:
    """The games of these attempts, and the attempts that are not awaited any more."""
    games = await stored.given(db, ids)
    due, vain = [], []
    for id_ in {game.tournament: None for game in games}:
        row = await stored.get(db, id_)
        assert row is not None, "its games refer to it"
        ours = [game for game in games if game.tournament == id_]
        entries = await stored.players(db, id_, {entry for game in ours for entry in game.seats})
        now = await tournaments.current(db, row)
        players = {
            entry: await _entered(db, now.names[entry], player, row)
            for entry, player in entries.items()
        }
        for game in ours:
            if (fixture := awaited(now, game)) is None:
                vain.append(game.id)
                continue
            private = not now.format.public(fixture.stage)
            seated = [players[entry] for entry in game.seats]
            due.append(_of_tournament(row, game, fixture, seated, private=private))
    return due, vain


async def of_ladders(db: AsyncConnection, ids: Sequence[str]) -> list[DueGame]:
    """Those of these games of ladders that are still to be played."""
    return [await _of_ladder(db, game) for game in await ladders.given(db, ids)]


async def _entered(
    db: AsyncConnection, name: str, player: EntryPlayer, row: StoredTournament
) -> DuePlayer:
    version = None
    if player.submitted is not None:
        version = await submissions.active(db, player.submitted, row.freeze_ms)
    return DuePlayer(name, player.bot, player.account, player.submitted is not None, version)


def _of_tournament(
    row: StoredTournament,
    attempt: GameAttempt,
    fixture: Fixture,
    players: Sequence[DuePlayer],
    *,
    private: bool,
) -> DueGame:
    assert attempt.match is not None
    return DueGame(
        id=attempt.id,
        match=attempt.match,
        game=row.game,
        name=f"{row.name[:50]}: {fixture.id}",
        config=for_seats(GAMES[row.game], row.config, len(players)),
        map=row.map,
        map_text=row.map_text if row.map is None else maps.text(row.game, row.map),
        seed=fixture.seed,
        turn_ms=row.clock.get("turn_ms"),
        private=private,
        rated=False,
        players=players,
        attempt=attempt,
    )


async def _of_ladder(db: AsyncConnection, game: LadderGame) -> DueGame:
    players = []
    for one in game.players:
        id_ = one.get("submission")
        version = None if id_ is None else await submissions.get(db, id_)
        players.append(DuePlayer(one["name"], one["bot"], one["account"], id_ is not None, version))
    assert game.seed is not None, "it is played away from the server"
    tested = [seat for seat, one in enumerate(game.players) if one.get("submission") == game.trial]
    kind = "ladder" if game.trial is None else "trial"
    return DueGame(
        id=game.match,
        match=game.match,
        game=game.game,
        name=f"{kind}: {' – '.join(player.name for player in players)}"[:80],
        config=for_seats(GAMES[game.game], {}, len(players)),
        map=game.map,
        map_text=None if game.map is None else maps.text(game.game, game.map),
        seed=game.seed,
        turn_ms=None,
        private=False,
        rated=game.rated,
        players=players,
        tested=None if game.trial is None else tested[0],
    )
