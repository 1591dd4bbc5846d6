"""A board to search on: commands are played and taken back, several times faster than in the match.

Nothing is drawn in this game. A board that was made from a view knows the orders that the view
shows, and plays on as if there were no others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from games.cookoff.actions import answer
from games.cookoff.commands import Malformed, parse
from games.cookoff.deed import OUTSIDE, Command
from games.cookoff.legal import legal
from games.cookoff.mirror import from_view, plan_of
from games.cookoff.moves import go_over
from games.cookoff.outcome import outcome
from games.cookoff.rules import BURNT, COOKED, RAW, SEATS, SINKTABLE, Rules
from games.cookoff.scratch_actions import (
    ACTED,
    ACTING,
    ACTIONS,
    BOTS,
    COUNTED,
    FAILED,
    FATES,
    KITCHENS,
    MONEY,
    MOVED,
    PARTS,
    SKIPS,
    SWITCH_USED,
    SWITCHED,
    TURN,
    Late,
    Position,
    Table,
)
from games.cookoff.state import (
    NO_TEAM,
    Bot,
    Fate,
    Pan,
    State,
    Tile,
    changed,
    other,
)
from games.core.contract import Json, Outcome, Rejected, Seat

Move: TypeAlias = Command | Malformed
"""A command, as `commands.parse` reads it from JSON."""


class Scratch:
    """The kitchens' plan and orders, and the position in play. `make` returns what `unmake` takes;
    undo in reverse order."""

    __slots__ = ("now", "refused", "table")

    def __init__(self, table: Table, now: Position) -> None:
        self.table = table
        """What never changes: the plan and the orders."""
        self.now = now
        """The position. `make` replaces it and never writes into the old one."""
        self.refused: str | None = None
        """Why the last command did nothing, or only spent a budget; None: it worked."""

    @classmethod
    def of(cls, state: State) -> Scratch:
        """A board in the position of a state. Where no team is awaited the next turn begins."""
        now: Position = [
            state.money,
            tuple(map(tuple, state.bots)),
            (list(state.kitchens[0]), list(state.kitchens[1])),
            *state[5:],
        ]
        scratch = cls(Table(state.plan, state.orders, state.fates, state.turn), now)
        if state.acting == NO_TEAM and not scratch.over:
            scratch._begin(now)
        return scratch

    @classmethod
    def from_view(cls, rules: Rules, view: Json) -> Scratch:
        """A board in the position that a whole view shows."""
        return cls.of(from_view(plan_of(view, rules), view))

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The team that gives the next command; empty: the match is over."""
        return () if self.now[ACTING] == NO_TEAM else (self.now[ACTING],)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        now = self.now
        if now[ACTING] != NO_TEAM:
            return False
        last: bool = now[TURN] >= self.table.plan.rules.total_turns
        return last or now[FAILED] != (None, None)

    def legal(self, seat: Seat) -> Sequence[Move]:
        """The commands of this team that work now, as `games.cookoff.legal` lists them; empty if it
        is not its part of the turn. This takes as long as in a match."""
        return [parse(command) for command in legal(self.freeze(), seat)]

    def make(self, command: Move) -> Position:
        """Carry out a command of the team whose part of the turn it is; after the end of the second
        part the next turn begins. Returns the undo token, and sets `refused`.

        Raises Rejected if the match is over."""
        undo = self.now
        if undo[ACTING] == NO_TEAM:
            raise Rejected("game_over", "the match is over")
        now = self.now = undo.copy()
        self.refused = None
        if isinstance(command, Command):
            if command.kind == "end_turn":
                if now[SKIPS][now[ACTING]]:
                    now[SKIPS] = changed(now[SKIPS], now[ACTING], 0)
                self._close(now)
                return undo
            if command.kind == "team_failed":
                self._fail(now, command.reason)
                return undo
        if now[COUNTED] >= self.table.most:
            self.refused = "too_many_commands"
            return undo
        now[COUNTED] += 1
        if isinstance(command, Malformed):
            self.refused = "bad_command"
        else:
            self.refused = self._judged(now, command)
        return undo

    def unmake(self, undo: Position) -> None:
        """Take the last command back, and all that followed from it."""
        self.now = undo

    @property
    def key(self) -> Hashable:
        """What decides how the match goes on. Equal positions have equal keys."""
        money, bots, (red, blue), *rest = self.now
        return money, bots, tuple(red), tuple(blue), *rest

    def copy(self) -> Scratch:
        """A second board in this position."""
        return Scratch(self.table, self.now)

    def freeze(self) -> State:
        """A state in this position."""
        money, bots, (red, blue), *rest = self.now
        return State(
            self.table.plan,
            self.table.orders,
            money,
            tuple([Bot(*bot) for bot in bots]),
            (tuple(red), tuple(blue)),
            *rest,
        )

    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        return outcome(self.freeze())

    # --- a part of a turn -------------------------------------------------------------------------

    def _judged(self, now: Position, command: Command) -> str | None:
        """What the command does, and the code if it is refused."""
        kind, team = command.kind, now[ACTING]
        if kind != "move" and kind not in ACTIONS:
            if kind == "switch_maps":
                return self._switch(now, team)
            return None if answer(self.freeze(), team, command) else "no"
        bot_id = command.bot_id
        if not 0 <= bot_id < len(now[BOTS]):
            return "unknown_bot"
        bot = now[BOTS][bot_id]
        if bot[0] != team:
            return "not_your_bot"
        if kind == "move":
            if bot[MOVED]:
                return "move_used"
            if bot[ACTED] and self.table.plan.rules.move_order == "move_first":
                return "move_after_action"
            return self._move(now, bot_id, command.dx, command.dy)
        if bot[ACTED]:
            return "action_used"
        code, hand = ACTIONS[kind](self.table, now, bot_id, bot, command)
        owner, kitchen, cell, _, moved, _ = bot
        _put(now, bot_id, (owner, kitchen, cell, hand, moved, True))
        return code

    def _move(self, now: Position, bot_id: int, dx: int, dy: int) -> str | None:
        """A step. One that is refused spends the bot's move all the same."""
        owner, kitchen, cell, holding, _, acted = now[BOTS][bot_id]
        ahead, code = self.table.steps.get((dx, dy)), None
        if ahead is None:
            code = "bad_step"
        elif ahead[cell] == OUTSIDE or (kitchen, ahead[cell]) in [bot[1:3] for bot in now[BOTS]]:
            code = "blocked"
        else:
            cell = ahead[cell]
        _put(now, bot_id, (owner, kitchen, cell, holding, True, acted))
        return code

    def _switch(self, now: Position, team: Seat) -> str | None:
        plan = self.table.plan
        if now[SWITCH_USED][team] or not plan.switch_turn <= now[TURN] <= plan.switch_end:
            return "switch_not_allowed"
        self._go_over(now, team, other(team))
        now[SWITCHED] = changed(now[SWITCHED], team, True)
        now[SWITCH_USED] = changed(now[SWITCH_USED], team, True)
        return None

    def _go_over(self, now: Position, team: Seat, kitchen: Seat) -> None:
        """So rare that the match's own function does it."""
        now[BOTS] = tuple(map(tuple, go_over(self.freeze(), team, kitchen).bots))

    def _fail(self, now: Position, reason: str) -> None:
        team, rules = now[ACTING], self.table.plan.rules
        skips = now[SKIPS][team] + 1
        if rules.failure_policy == "forfeit" or reason == "init_failed" or skips >= rules.max_skips:
            now[FAILED] = changed(now[FAILED], team, reason)
        now[SKIPS] = changed(now[SKIPS], team, skips)
        self._close(now)

    def _close(self, now: Position) -> None:
        first = self.table.first
        now[PARTS] += 1
        now[COUNTED] = 0
        if now[ACTING] == first:
            now[ACTING] = other(first)
            return
        now[ACTING] = NO_TEAM
        if not self.over:
            self._begin(now)

    # --- what happens before a turn, in the order of the rules ------------------------------------

    def _begin(self, now: Position) -> None:
        plan, rules = self.table.plan, self.table.plan.rules
        now[TURN] += 1
        now[BOTS] = tuple(
            [
                (bot[0], bot[1], bot[2], bot[3], False, False) if bot[MOVED] or bot[ACTED] else bot
                for bot in now[BOTS]
            ]
        )
        red, blue = now[MONEY]
        now[MONEY] = (red + rules.money_per_turn, blue + rules.money_per_turn)
        now[KITCHENS] = tuple([self._ticked(kitchen) for kitchen in now[KITCHENS]])
        for late in self.table.late.get(now[TURN], ()):
            _expire(now, late)
        if now[TURN] > plan.switch_end:
            for team in SEATS:
                if now[SWITCHED][team]:
                    self._go_over(now, team, team)
                    now[SWITCHED] = changed(now[SWITCHED], team, False)
        now[ACTING] = self.table.first

    def _ticked(self, kitchen: list[Tile]) -> list[Tile]:
        """A kitchen, a tick later; the very same list if nothing happens there."""
        plan, before = self.table.plan, kitchen
        for cell in plan.cookers:
            pan = kitchen[cell].item
            if isinstance(pan, Pan) and pan.food is not None:
                if kitchen is before:
                    kitchen = kitchen.copy()
                food, ticks = pan.food, kitchen[cell].amount + 1
                if ticks == plan.rules.cook_progress and food.stage == RAW:
                    pan = Pan(food._replace(stage=COOKED))
                elif ticks >= plan.rules.burn_progress:
                    pan = Pan(food._replace(stage=BURNT))
                kitchen[cell] = Tile(pan, ticks)
        for cell in plan.sinks:
            item, dirty, progress, using = kitchen[cell]
            if using:
                if kitchen is before:
                    kitchen = kitchen.copy()
                if dirty > 0:
                    progress += 1
                    if progress >= plan.rules.plate_wash_progress:
                        progress, dirty = 0, dirty - 1
                        self._clean_plate(kitchen, cell)
                kitchen[cell] = Tile(item, dirty, progress)
        return kitchen

    def _clean_plate(self, kitchen: list[Tile], sink: int) -> None:
        table = self.table.plan.beside(sink, SINKTABLE)
        if table is not None:
            kitchen[table] = kitchen[table]._replace(amount=kitchen[table].amount + 1)


def _expire(now: Position, late: Late) -> None:
    """An order that was not filled in time costs its penalty."""
    team, place, penalty = late
    fates = now[FATES][team]
    if fates[place].completed_turn is None:
        fate = Fate(None, fates[place].claimed_by, True)
        fates = (*fates[:place], fate, *fates[place + 1 :])
        now[FATES] = changed(now[FATES], team, fates)
        now[MONEY] = changed(now[MONEY], team, now[MONEY][team] - penalty)


def _put(now: Position, bot_id: int, bot: tuple[object, ...]) -> None:
    bots = now[BOTS]
    now[BOTS] = (*bots[:bot_id], bot, *bots[bot_id + 1 :])
