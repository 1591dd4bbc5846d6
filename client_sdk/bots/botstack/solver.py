"""Solves the load that is in the gun: all items and shots of both players, and every order of the
bullets, up to the next reload.

A value is the chance to win the round less the chance to lose it, seen by the player whose turn it
is. What comes after a reload is solved without items, for no one knows which will be dealt. All
positions are remembered, so that a match soon needs no more calculation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from client_sdk.api.botstack import (
    ACTION_NO_ITEM,
    BULLET_BLANK,
    BULLET_LIVE,
    BULLET_UNKNOWN,
    ITEM_EJECT_CURRENT,
    ITEM_EMPTY,
    ITEM_HEALTH_KIT,
    ITEM_PEEK_CURRENT,
    ITEM_RESET_GUN,
    ITEM_SKIP_ENEMY,
    SHOOT_OPPONENT,
    SHOOT_SELF,
    Bot,
    Gun,
    Player,
)

LOADS: Final = ((3, 1, 2), (4, 1, 3), (5, 2, 3), (6, 2, 4), (7, 3, 4))
"""Bullets, and how many of them are live, at least and at most (RULES §2)."""
ITEM_WORTH: Final = 0.03
"""Of each item that outlasts the load."""

Items = tuple[int, ...]
"""Sorted, without empty slots."""


class Side(NamedTuple):
    lives: int
    items: Items


class Table(NamedTuple):
    """A position, seen by the player whose turn it is."""

    bullets: int
    live: int
    mine: Side
    theirs: Side
    skip: bool
    """The other's next turn is skipped."""
    reloads: int
    """Reloads that are left."""

    # Most of the time goes into these three, and `_replace` is slow.

    def hurt(self, target: int) -> Table:
        bullets, live, mine, theirs, skip, reloads = self
        if target == SHOOT_SELF:
            return Table(bullets, live, Side(mine.lives - 1, mine.items), theirs, skip, reloads)
        return Table(bullets, live, mine, Side(theirs.lives - 1, theirs.items), skip, reloads)

    def without(self, bullet: int) -> Table:
        """After the next bullet, which was this one, has left the gun."""
        bullets, live, mine, theirs, skip, reloads = self
        live -= bullet == BULLET_LIVE
        return Table(bullets - 1, live, mine, theirs, skip, reloads)

    def turned(self) -> Table:
        """At the end of the turn: the skip is used up, or the other is next."""
        bullets, live, mine, theirs, skip, reloads = self
        if skip:
            return Table(bullets, live, mine, theirs, False, reloads)
        return Table(bullets, live, theirs, mine, False, reloads)


def bullets(table: Table, known: int = BULLET_UNKNOWN) -> Iterator[tuple[int, float]]:
    """What the next bullet can be, and its chance."""
    if known != BULLET_UNKNOWN:
        yield known, 1.0
        return
    if table.live:
        yield BULLET_LIVE, table.live / table.bullets
    if table.live < table.bullets:
        yield BULLET_BLANK, 1 - table.live / table.bullets


@lru_cache(maxsize=200_000)
def value(table: Table) -> float:
    """Before the item of an action."""
    if not table.bullets:
        return loaded(table) if table.reloads else 0.0
    choices = [shot(table), *(used(table, item) for item in set(table.mine.items))]
    return max(choices)


def loaded(table: Table) -> float:
    """With the next load in the gun, without items."""
    bare = table._replace(
        mine=table.mine._replace(items=()),
        theirs=table.theirs._replace(items=()),
        reloads=table.reloads - 1,
    )
    return average(bare, value) + ITEM_WORTH * (len(table.mine.items) - len(table.theirs.items))


@cache
def average(table: Table, before: Callable[[Table], float]) -> float:
    """Over all loads, before an item or before a shot. The gun of `table` is empty."""
    total = 0.0
    for size, least, most in LOADS:
        values = [before(table._replace(bullets=size, live=n)) for n in range(least, most + 1)]
        total += sum(values) / len(values)
    return total / len(LOADS)


def shot(table: Table, known: int = BULLET_UNKNOWN) -> float:
    """With the better target."""
    return max(fired(table, SHOOT_SELF, known), fired(table, SHOOT_OPPONENT, known))


def fired(table: Table, target: int, known: int = BULLET_UNKNOWN) -> float:
    """With this target."""
    total = 0.0
    for bullet, chance in bullets(table, known):
        total += chance * hit(table.without(bullet), target, bullet)
    return total


def hit(table: Table, target: int, bullet: int) -> float:
    if bullet == BULLET_LIVE:
        table = table.hurt(target)
        if not table.mine.lives:
            return -1.0
        if not table.theirs.lives:
            return 1.0
    elif target == SHOOT_SELF:
        return value(table)  # one more action
    return value(table.turned()) if table.skip else -value(table.turned())


def used(table: Table, item: int) -> float:
    """With this item, and the best shot after it."""
    lives, items = table.mine
    place = items.index(item)
    table = table._replace(mine=Side(lives, items[:place] + items[place + 1 :]))
    if item == ITEM_PEEK_CURRENT:
        return sum(chance * shot(table, bullet) for bullet, chance in bullets(table))
    if item == ITEM_EJECT_CURRENT:
        return sum(
            chance * (shot(left) if left.bullets else value(left))
            for bullet, chance in bullets(table)
            for left in (table.without(bullet),)
        )
    if item == ITEM_SKIP_ENEMY:
        return shot(table._replace(skip=True))
    if item == ITEM_HEALTH_KIT:
        return shot(table._replace(mine=Side(lives + 1, table.mine.items)))
    if item == ITEM_RESET_GUN:
        return average(table._replace(bullets=0, live=0), shot)
    return shot(table)


class Solver(Bot):
    name = "solver"

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        """Agree where the round is going the other way; to ask costs the turn."""
        return opponent_request and value(self._table(me, other, gun)) < 0

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        table = self._table(me, other, gun)
        values = {ACTION_NO_ITEM: shot(table)}
        for slot, item in enumerate(me.items, start=1):
            if item != ITEM_EMPTY:
                values[slot] = used(table, item)
        return max(values, key=lambda slot: values[slot])

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        table = self._table(me, other, gun)
        values = {
            target: fired(table, target, next_bullet) for target in (SHOOT_OPPONENT, SHOOT_SELF)
        }
        return max(values, key=lambda target: values[target])

    def _table(self, me: Player, other: Player, gun: Gun) -> Table:
        mine, theirs = (
            Side(player.lives, tuple(sorted(item for item in player.items if item != ITEM_EMPTY)))
            for player in (me, other)
        )
        return Table(
            gun.bullets, gun.live, mine, theirs, me.skip_pending, self.view["reloads_left"]
        )


if __name__ == "__main__":
    Solver().run()
