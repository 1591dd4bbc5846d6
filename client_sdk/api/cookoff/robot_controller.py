"""The controller: a turn as calls that act at once on a copy of the engine, and the list of their
commands (RULES §10).

Only one team acts during its part of the turn, so the server does with the list what the copy did.
No call raises for a broken rule or a wrong argument: it returns False, None or an empty list, and
what is not a command of the game is never sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, Final, TypeAlias

from client_sdk.api.cookoff.game_constants import FoodType, ShopCosts, Team, TeamName
from client_sdk.api.cookoff.item import Item
from client_sdk.api.cookoff.map import Layout, Map
from client_sdk.api.cookoff.tiles import Tile
from games.cookoff.actions import Command, answer
from games.cookoff.commands import Malformed, apply, parse
from games.cookoff.rules import RED, TEAMS
from games.cookoff.state import State, other
from games.cookoff.view import bot_ids, item_json, orders_json, private_fields
from games.core.contract import Json, Seat
from games.core.dice import Seeded

Goods: TypeAlias = FoodType | ShopCosts | str

FAR: Final = 1_000_000
"""No number of a bot's is this large."""

_NO_DICE: Final = Seeded(0).at(0)
"""The game rolls none."""


_NAMES: Final = tuple(map(TeamName, TEAMS))
_TEAMS: Final = tuple(Team[name] for name in TEAMS)


class RobotController:
    """What a team sees of a turn, and does in it. Actions return whether they worked (RULES §6).

    The target of an action is (`target_x`, `target_y`), by default the cell of the bot. There is a
    method for each call of the contest, hence their number.
    """

    def __init__(self, layout: Layout, seat: Seat, state: State) -> None:
        """Nothing can be done before `begin`."""
        self._layout = layout
        self._seat = seat
        self._state = state
        self._commands: list[Json] = []
        self._codes: list[str] = []
        self._open = False

    def begin(self, state: State) -> None:
        """Begin a turn in this state."""
        self._state = state
        self._commands, self._codes = [], []
        self._open = True

    def end(self) -> tuple[list[Json], list[str]]:
        """End the turn and return its commands with the code of each. Later calls do nothing."""
        self._open = False
        return self._commands, self._codes

    @property
    def state(self) -> State:
        """The engine's state, with what the calls of this turn have done."""
        return self._state

    # --- what there is ----------------------------------------------------------------------------

    def get_turn(self) -> int:
        """The number of the turn."""
        return self._state.turn

    def get_team(self) -> Team:
        """The bot's team."""
        return _TEAMS[self._seat]

    def get_enemy_team(self) -> Team:
        """The other team."""
        return _TEAMS[other(self._seat)]

    def get_map(self, team: Team | str | None = None) -> Map:
        """A copy of the kitchen of a team, by default the bot's own. For what is no team it is
        BLUE's, as in the contest."""
        named = self._team(team)
        seat = other(RED) if named is None else named
        return Map(self._layout, self._state.kitchens[seat], _TEAMS[seat])

    def get_tile(self, team: Team | str | None, x: int, y: int) -> Tile | None:
        """A copy of a tile; None: it is off the map."""
        seat, state = self._team(team), self._state
        try:
            if seat is None or not state.plan.inside(x, y):
                return None
            return self._layout.tile(state.kitchens[seat], x, y)
        except TypeError:
            return None

    def get_orders(self, team: Team | str | None = None) -> list[dict[str, Json]]:
        """The orders of a kitchen, as far as the rules reveal them."""
        seat = self._team(team)
        return [] if seat is None else orders_json(self._state, seat)

    def get_team_bot_ids(self, team: Team | str | None = None) -> list[int]:
        """The ids of the bots of a team, by default the bot's own."""
        seat = self._team(team)
        return [] if seat is None else bot_ids(self._state, seat)

    def get_team_money(self, team: Team | str | None = None) -> int | None:
        """The money of a team, by default the bot's own."""
        seat = self._team(team)
        return None if seat is None else self._state.money[seat]

    def get_bot_state(self, bot_id: int) -> dict[str, Json] | None:
        """A bot of any team; None: there is none of this id."""
        number, state = _whole(bot_id), self._state
        if number is None or not 0 <= number < len(state.bots):
            return None
        bot = state.bots[number]
        x, y = state.plan.xy(bot.cell)
        return {
            "bot_id": number,
            "team": _NAMES[bot.team],
            "x": x,
            "y": y,
            "team_money": state.money[bot.team],
            "holding": item_json(bot.holding),
            "map_team": TEAMS[bot.kitchen],
        }

    def get_switch_info(self) -> dict[str, Json]:
        """When maps can be switched, and who has switched."""
        info: dict[str, Json] = private_fields(self._state, self._seat)["switch"]
        return info

    def item_to_public_dict(self, item: Item | None) -> dict[str, Json] | None:
        """An item as JSON, as in `holding` of a bot; None for None."""
        return item.to_dict() if isinstance(item, Item) else None

    # --- what may be done -------------------------------------------------------------------------

    def can_move(self, bot_id: int, dx: int, dy: int) -> bool:
        """Whether the bot could move now."""
        return self._asked("can_move", bot_id=bot_id, dx=dx, dy=dy)

    def can_buy(
        self, bot_id: int, item: Goods, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Whether the bot could buy this now."""
        return self._asked("can_buy", bot_id=bot_id, item=_goods(item), x=target_x, y=target_y)

    def can_start_cook(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Whether the bot could start to cook now."""
        return self._asked("can_start_cook", bot_id=bot_id, x=target_x, y=target_y)

    def can_submit(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Whether the bot could submit now; the orders are not considered."""
        return self._asked("can_submit", bot_id=bot_id, x=target_x, y=target_y)

    def can_switch_maps(self) -> bool:
        """Whether the team could switch maps now."""
        return self._asked("can_switch_maps")

    # --- what is done -----------------------------------------------------------------------------

    def move(self, bot_id: int, dx: int, dy: int) -> bool:
        """Move one cell in any of eight directions."""
        return self._done("move", bot_id=bot_id, dx=dx, dy=dy)

    def pickup(self, bot_id: int, target_x: int | None = None, target_y: int | None = None) -> bool:
        """Pick up the item on the target."""
        return self._done("pickup", bot_id=bot_id, x=target_x, y=target_y)

    def place(self, bot_id: int, target_x: int | None = None, target_y: int | None = None) -> bool:
        """Put the held item on the target."""
        return self._done("place", bot_id=bot_id, x=target_x, y=target_y)

    def trash(self, bot_id: int, target_x: int | None = None, target_y: int | None = None) -> bool:
        """Throw the held food away at a trash can; a plate or a pan is emptied and kept."""
        return self._done("trash", bot_id=bot_id, x=target_x, y=target_y)

    def buy(
        self, bot_id: int, item: Goods, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Buy an item at a shop."""
        return self._done("buy", bot_id=bot_id, item=_goods(item), x=target_x, y=target_y)

    def chop(self, bot_id: int, target_x: int | None = None, target_y: int | None = None) -> bool:
        """Chop the food on a counter."""
        return self._done("chop", bot_id=bot_id, x=target_x, y=target_y)

    def start_cook(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Put the held food into the pan on a cooker."""
        return self._done("start_cook", bot_id=bot_id, x=target_x, y=target_y)

    def take_from_pan(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Take the food out of the pan on a cooker."""
        return self._done("take_from_pan", bot_id=bot_id, x=target_x, y=target_y)

    def take_clean_plate(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Take a clean plate from a sink table."""
        return self._done("take_clean_plate", bot_id=bot_id, x=target_x, y=target_y)

    def put_dirty_plate_in_sink(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Put the held dirty plate into a sink."""
        return self._done("put_dirty_plate_in_sink", bot_id=bot_id, x=target_x, y=target_y)

    def wash_sink(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Wash plates in a sink."""
        return self._done("wash_sink", bot_id=bot_id, x=target_x, y=target_y)

    def add_food_to_plate(
        self, bot_id: int, target_x: int | None = None, target_y: int | None = None
    ) -> bool:
        """Add food to a plate: one in hand, the other on the target."""
        return self._done("add_food_to_plate", bot_id=bot_id, x=target_x, y=target_y)

    def submit(self, bot_id: int, target_x: int | None = None, target_y: int | None = None) -> bool:
        """Submit the held plate at a window."""
        return self._done("submit", bot_id=bot_id, x=target_x, y=target_y)

    def switch_maps(self) -> bool:
        """Switch all bots of the team to the other kitchen."""
        return self._done("switch_maps")

    # --- how --------------------------------------------------------------------------------------

    def _team(self, team: object) -> Seat | None:
        """The team whose kitchen is meant: the own one where none is named; None: no such team."""
        if team is None:
            return self._seat
        name = getattr(team, "name", team)
        if name == TEAMS[RED] or (name == RED and isinstance(name, int)):
            return RED
        return other(RED) if name in (TEAMS[other(RED)], other(RED)) else None

    def _asked(self, kind: str, **arguments: object) -> bool:
        read = _read(kind, arguments)
        return read is not None and answer(self._state, self._seat, read[1])

    def _done(self, kind: str, **arguments: object) -> bool:
        read = _read(kind, arguments) if self._open else None
        if read is None:
            return False
        raw, command = read
        state, reply = apply(self._state, self._seat, command, _NO_DICE)
        if reply.code == "too_many_commands":
            return False
        self._state = state
        self._commands.append(raw)
        self._codes.append(reply.code)
        return reply.ok


def _read(kind: str, arguments: dict[str, object]) -> tuple[Json, Command] | None:
    """The command as it is sent, and read; None: it is none."""
    raw: dict[str, Json] = {"type": kind}
    for name, value in arguments.items():
        if value is None:
            continue
        said = value if name == "item" else _whole(value)
        if said is None:
            return None
        raw[name] = said
    command = parse(raw)
    return None if isinstance(command, Malformed) else (raw, command)


def _whole(value: Any) -> int | None:
    """A whole number of any kind, numpy's too; None: it is none, or absurdly large."""
    try:
        number = (
            int(value) if isinstance(value, float) and value.is_integer() else int(index(value))
        )
    except TypeError:
        return None
    return number if abs(number) < FAR else None


def _goods(item: object) -> str:
    """What is meant by something that is to be bought; no name of any goods if it means none."""
    name = (
        item
        if isinstance(item, str)
        else getattr(item, "food_name", getattr(item, "item_name", ""))
    )
    return name if isinstance(name, str) else ""


def differing(codes: Sequence[str], replies: Sequence[str]) -> int | None:
    """The number, from 1, of the first command that went another way than it had gone here; None:
    all went the same way."""
    return next(
        (
            number
            for number, pair in enumerate(zip(codes, replies, strict=False), start=1)
            if pair[0] != pair[1]
        ),
        None,
    )
