"""Challenges on ladders: a bot asks to play a certain one, whose owner decides by a rule whom it
plays and how often. Limits keep challengers from flooding one bot, or all of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest.format import DUEL, plays_with
from games.core.contract import AnyGame, Json
from server.errors import Refusal
from server.lobbies.bots import HouseBots
from server.store import challenges as stored
from server.store import ladders
from server.store.accounts import Account, hold, now_ms
from server.store.challenges import Challenge, ChallengeRule, ChallengeState, NamedChallenge
from server.store.ratings import PlayerKey
from server.store.store import Store
from server.store.tables import challenges
from server.tokens import new_id
from server.tournaments.rating_fits import RatingFit
from server.tournaments.ratings import RatingTables
from server.webhook import Webhook

DAY_MS: Final = 24 * 3_600_000
LASTS_MS: Final = DAY_MS
"""A challenge that does not come to a game expires after this time."""
OPEN: Final = 3
"""Challenges of one bot that are open at a time."""
PER_DAY: Final = 20
"""Challenges that one bot sends within 24 h."""
SAME_PER_DAY: Final = 3
"""How many of them to the same bot."""
REFUSED_MS: Final = 7 * DAY_MS
"""For this long a bot cannot challenge one that has refused a challenge of it."""
SHOWN: Final = 100

_c = challenges.c


class Challenges:
    """`games`: those that have a ladder here. Every method raises Refusal."""

    def __init__(
        self,
        store: Store,
        bots: HouseBots,
        ratings: RatingTables,
        games: tuple[str, ...],
        webhook: Webhook,
    ) -> None:
        self._store = store
        self._bots = bots
        self._ratings = ratings
        self._games = games
        self._webhook = webhook

    async def send(
        self, game: AnyGame, account: Account, name: str | None, other: str | None
    ) -> dict[str, Json]:
        """Challenge the bot of this name, or the one of the account `other`. As plain JSON."""
        if game.name not in self._games:
            raise Refusal(409, "ladder_off", "no games are played on this ladder", field="game")
        if not plays_with(game, {}, DUEL):
            raise Refusal(409, "no_duel", "this game is not played by two", field="game")
        standing = await self._ratings.standing(game)
        async with self._store.write() as db:
            if await stored.rule_of(db, game.name, account.id) is None:
                text = "your bot is not on this ladder: play-for --ladder puts it there"
                raise Refusal(404, "not_on_it", text, field="game")
            kind, id_ = challenged = await self._found(db, game.name, name, other)
            if id_ == account.id:
                raise Refusal(422, "own_bot", "this is your own bot", field="name")
            if kind == "account":
                await _check_meeting(db, game.name, account.id, id_)
            await hold(db, [account.id, id_])
            await self._check_own(db, account.id)
            await self._check_same(db, account.id, challenged)
            rated = False
            if kind == "account":
                rule = await stored.rule_of(db, game.name, id_)
                if rule is None:  # it left before it was held
                    raise Refusal(404, "no_such_opponent", "it is not there", field="name")
                await self._check_rule(db, standing, account.id, id_, rule)
                rated = rule.rated
            made = Challenge(
                id=new_id(),
                game=game.name,
                challenger=account.id,
                challenged=id_ if kind == "account" else None,
                bot=id_ if kind == "bot" else None,
                rated=rated,
                state="open",
                created_ms=now_ms(),
            )
            await stored.add(db, made)
            (shown,) = await stored.of(db, game.name, account.id, 1)
        text = f"{game.name} ladder: {shown.challenger} challenges {shown.challenged}"
        names = {"challenger": shown.challenger, "challenged": shown.challenged}
        self._webhook.post("challenge", text, game=game.name, **names)
        return public(shown)

    async def mine(self, game: str, account: Account) -> list[Json]:
        """As plain JSON: those that the account has sent and received, newest first."""
        async with self._store.read() as db:
            return [public(one) for one in await stored.of(db, game, account.id, SHOWN)]

    async def end(self, account: Account, id_: str) -> None:
        """The challenger withdraws it, or the challenged one refuses it."""
        async with self._store.write() as db:
            one = await stored.get(db, id_)
            if one is None or account.id not in (one.challenger, one.challenged):
                text = "no challenge of yours has this id"
                raise Refusal(404, "no_such_challenge", text, field="challenge")
            state: ChallengeState = "withdrawn" if one.challenger == account.id else "refused"
            if not await stored.end(db, id_, state):
                text = f"this challenge is {one.state} already"
                raise Refusal(409, "challenge_over", text, field="challenge")

    async def set_rule(self, game: str, account: Account, rule: ChallengeRule) -> dict[str, Json]:
        """As plain JSON. Open challenges to the bot stay open, unless it accepts none any more."""
        async with self._store.write() as db:
            await hold(db, [account.id])
            if not await stored.set_rule(db, game, account.id, rule):
                raise Refusal(404, "not_on_it", "your bot is not on this ladder", field="game")
            if rule.accepts == "never":
                for one in await stored.waiting(db, game):
                    if one.challenged == account.id:
                        await stored.end(db, one.id, "refused")
        return asdict(rule)

    async def _found(
        self, db: AsyncConnection, game: str, name: str | None, other: str | None
    ) -> PlayerKey:
        """The player of this name, in any case, or of this account."""
        rungs = await ladders.climbers(db, game)
        if other is not None:
            found: list[PlayerKey] = [
                ("account", one.account) for one in rungs if one.account == other
            ]
        else:
            wanted = (name or "").casefold()
            found = [("account", one.account) for one in rungs if one.name.casefold() == wanted]
            house = [bot for bot in self._bots.names(game) if bot.casefold() == wanted]
            found = [("bot", house[0])] if house else found
        field = "name" if other is None else "account"
        if not found:
            text = (
                f"no bot on this ladder is called {name!r}" if other is None else "it is not there"
            )
            known = [*self._bots.names(game), *(one.name for one in rungs)]
            raise Refusal(404, "no_such_opponent", text, field=field, allowed=known)
        if len(found) > 1:
            text = f"several bots are called {name!r}: give the account"
            raise Refusal(409, "ambiguous", text, field=field, allowed=[id_ for _, id_ in found])
        return found[0]

    async def _check_own(self, db: AsyncConnection, account: str) -> None:
        own = _c.challenger == account
        if await stored.count(db, own, _c.state == "open") >= OPEN:
            text = f"{OPEN} challenges of yours are open: wait, or withdraw one"
            raise Refusal(429, "too_many_challenges", text)
        if await stored.count(db, own, _c.created_ms > now_ms() - DAY_MS) >= PER_DAY:
            text = f"you have sent {PER_DAY} challenges within 24 h"
            raise Refusal(429, "too_many_challenges", text)

    async def _check_same(self, db: AsyncConnection, account: str, challenged: PlayerKey) -> None:
        kind, id_ = challenged
        both = (_c.challenger == account) & ((_c.bot if kind == "bot" else _c.challenged) == id_)
        if await stored.count(db, both, _c.state == "open"):
            text = "a challenge of yours to this bot is open"
            raise Refusal(409, "already_challenged", text, field="name")
        late = _c.ended_ms > now_ms() - REFUSED_MS
        if await stored.count(db, both, _c.state == "refused", late):
            text = "this bot has refused a challenge of yours within the last 7 days"
            raise Refusal(409, "challenge_refused", text, field="name")
        if await stored.count(db, both, _c.created_ms > now_ms() - DAY_MS) >= SAME_PER_DAY:
            text = f"you have challenged this bot {SAME_PER_DAY} times within 24 h"
            raise Refusal(429, "too_many_challenges", text, field="name")

    async def _check_rule(
        self, db: AsyncConnection, standing: RatingFit, one: str, other: str, rule: ChallengeRule
    ) -> None:
        if rule.accepts == "never":
            text = "this bot accepts no challenges"
            raise Refusal(409, "challenge_refused", text, field="name")
        own, its = (standing.rating(("account", account)) for account in (one, other))
        if rule.accepts == "window" and abs(own - its) > rule.window:
            text = f"this bot accepts challenges of ratings within {rule.window} points of its own"
            window = [round(its - rule.window), round(its + rule.window)]
            raise Refusal(409, "rating_too_far", text, field="name", allowed=window)
        today = _c.created_ms > now_ms() - DAY_MS
        taken = _c.state.in_(["open", "begun"])
        if await stored.count(db, _c.challenged == other, today, taken) >= rule.per_day:
            text = f"this bot accepts {rule.per_day} challenges within 24 h, and has them"
            raise Refusal(429, "challenged_enough", text, field="name")


async def _check_meeting(db: AsyncConnection, game: str, one: str, other: str) -> None:
    """Raises Refusal."""
    handed_in = {rung.account: rung.submitted for rung in await ladders.climbers(db, game)}
    if (handed_in.get(one) is None) != (handed_in.get(other) is None):
        text = "a bot that was handed in and one that connects do not meet"
        raise Refusal(409, "cannot_meet", text, field="name")


async def oldest(store: Store, game: str, free: Collection[PlayerKey]) -> Challenge | None:
    """The oldest challenge whose bots are both free. Those that are too old expire."""
    since_ms = now_ms() - LASTS_MS
    async with store.read() as db:
        waiting = await stored.waiting(db, game)
    if waiting and waiting[0].created_ms < since_ms:
        async with store.write() as db:
            await stored.expire(db, game, since_ms)
    young = [one for one in waiting if one.created_ms >= since_ms]
    return next((one for one in young if all(who in free for who in one.players)), None)


def public(named: NamedChallenge) -> dict[str, Json]:
    """What both sides see of a challenge."""
    one = named.challenge
    return {
        "challenge": one.id,
        "game": one.game,
        "challenger": {"name": named.challenger, "account": one.challenger, "bot": None},
        "challenged": {"name": named.challenged, "account": one.challenged, "bot": one.bot},
        "rated": one.rated,
        "state": one.state,
        "created_ms": one.created_ms,
        "ended_ms": one.ended_ms,
    }
