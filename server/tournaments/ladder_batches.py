"""The part of the ladders that is played away from the server: bots that were handed in meet one
another and house bots. A bot that connects is not there, for its games take sockets; all have one
scale, for all meet house bots.

A pair of games is two rows, and nothing else has to be given to anyone: what no executor has is
given to it (`delegated.py`). A version is chosen with the pair, and plays both games."""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from games.core.contract import AnyGame, Json
from games.core.parameters import MAX_SEED
from server.lobbies.bots import HouseBots
from server.store import challenges, submissions
from server.store import ladders as stored
from server.store.ladders import PAIR, LadderGame, Rung
from server.store.ratings import PlayerKey
from server.store.store import Store
from server.tokens import new_id
from server.tournaments.challenges import oldest
from server.tournaments.changes import Changes
from server.tournaments.delegated import Executor
from server.tournaments.map_pools import drawn
from server.tournaments.opponents import Opponents, Paired, most_seats
from server.tournaments.ratings import RatingTables
from server.wall_clock import wall_ms
from server.webhook import Webhook

HOUR_MS: Final = 3_600_000
GIVEN_UP_MS: Final = HOUR_MS
"""A game that no one has played after this time is forgotten: its players are free again."""


class LadderBatches:
    """`per_hour`: games that a bot plays within an hour, at most; 0: any number. A version that has
    failed in `failures` games in a row is set aside."""

    def __init__(
        self,
        store: Store,
        bots: HouseBots,
        ratings: RatingTables,
        executor: Executor,
        changes: Changes,
        per_hour: int,
        failures: int,
        webhook: Webhook,
    ) -> None:
        self._store = store
        self._bots = bots
        self._ratings = ratings
        self._executor = executor
        self._changes = changes
        self._per_hour = per_hour
        self._failures = failures
        self._webhook = webhook
        self._opponents: defaultdict[str, Opponents] = defaultdict(Opponents)

    async def pair(self, game: AnyGame) -> None:
        """Have games played by all that are free."""
        now_ms = wall_ms()
        async with self._store.read() as db:
            climbing = await stored.climbers(db, game.name)
            lately = await stored.away_since(db, game.name, now_ms - HOUR_MS)
            left = await stored.left_behind(db, [self._executor.by])
        running = [one for one in left if one.game == game.name and one.trial is None]
        if any(one.begun_ms < now_ms - GIVEN_UP_MS for one in running):
            async with self._store.write() as db:
                await stored.give_up(db, game.name, now_ms - GIVEN_UP_MS)
        failing = [rung for rung in climbing if rung.failures >= self._failures]
        for rung in failing:
            await self._set_aside(game.name, rung)
        able = self._able([rung for rung in climbing if rung not in failing], lately)
        busy = {("account", player["account"]) for one in running for player in one.players}
        free = {player: rung for player, rung in able.items() if player not in busy}
        if not free or not await self._executor.plays_submitted():
            return
        standing = await self._ratings.standing(game)
        house = [("bot", name) for name in self._bots.names(game.name)]
        while free:
            here: list[PlayerKey] = [*free, *house]
            challenge = await oldest(self._store, game.name, [*able, *house])
            if challenge is not None and not busy.isdisjoint(challenge.players):
                for player in challenge.players:  # the one that is free waits for the other one
                    free.pop(player, None)
                    able.pop(player, None)
                continue
            if challenge is not None:
                met: Paired | None = Paired(challenge.players, "challenge")
            else:
                seats = most_seats(game, len(here))
                met = self._opponents[game.name].choose(here, standing, seats)
            if met is None or not any(player in free for player in met.players):
                break
            version, board = await drawn(self._store, game.name)
            async with self._store.write() as db:
                if challenge is not None and not await challenges.end(db, challenge.id, "begun"):
                    continue  # it was withdrawn at this moment
                one = LadderGame(
                    match=new_id(),
                    game=game.name,
                    begun_ms=wall_ms(),
                    why=met.why,
                    rated=challenge is None or challenge.rated,
                    pool=version,
                    map=board,
                    players=[_player(player, free) for player in met.players],
                    seed=secrets.randbelow(MAX_SEED + 1),
                    taken_by=self._executor.by,
                )
                await stored.add_pair(db, one)
            self._changes.notify()
            self._opponents[game.name].meet(met.players)
            for player in met.players:
                free.pop(player, None)
                able.pop(player, None)

    def _able(
        self, climbing: Sequence[Rung], lately: Sequence[LadderGame]
    ) -> dict[PlayerKey, Rung]:
        """Those that have a version, and may play two more games within this hour."""
        played = Counter(player["account"] for one in lately for player in one.players)
        return {
            ("account", rung.account): rung
            for rung in climbing
            if rung.submission is not None
            and (not self._per_hour or played[rung.account] + PAIR <= self._per_hour)
        }

    async def _set_aside(self, game: str, rung: Rung) -> None:
        """Its version has failed too often: the one before plays on, if there is one."""
        count = f"{rung.failures} games in a row"
        reason = f"set aside: it did not come to {count} of the ladder, or crashed in them"
        async with self._store.write() as db:
            one = None if rung.submission is None else await submissions.get(db, rung.submission)
            if one is None or one.state != "active":
                return
            instead = await submissions.set_aside(db, one, reason)
        then = "none plays" if instead is None else f"version {instead} plays on"
        name = f"{rung.name}'s {rung.submitted}, version {one.version}"
        text = f"{game} ladder: {name}, is set aside: it failed in {count}; {then}"
        about = {"name": rung.submitted, "account": rung.account, "version": one.version}
        self._webhook.post("version_set_aside", text, game=game, instead=instead, **about)


def _player(player: PlayerKey, climbing: Mapping[PlayerKey, Rung]) -> Json:
    """As a ladder's game has it."""
    rung = climbing.get(player)
    if rung is None:
        return {"name": player[1], "bot": player[1], "account": None, "waited_ms": None}
    return stored.submitted_player(rung.name, rung.account, rung.submission, rung.version)
