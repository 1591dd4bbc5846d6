"""The view and the commands as plain JSON (RULES §6, §7): the published schemas are made of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Team: TypeAlias = Literal["RED", "BLUE"]
FoodName: TypeAlias = Literal["EGG", "ONIONS", "MEAT", "NOODLES", "SAUCE"]


class EndTurn(TypedDict):
    """Ends the team's part of the turn."""

    type: Literal["end_turn"]


class TeamFailed(TypedDict):
    """The team gives up this turn."""

    type: Literal["team_failed"]
    reason: Literal["bot_error", "init_failed"]


class SwitchMaps(TypedDict):
    """The team goes to the other kitchen, or asks whether it may."""

    type: Literal["switch_maps", "can_switch_maps"]


class Step(TypedDict):
    """A bot moves by -1, 0 or 1 each way, or asks whether it can."""

    type: Literal["move", "can_move"]
    bot_id: int
    dx: int
    dy: int


class Buy(TypedDict):
    """A bot buys something at a tile, or asks whether it can."""

    type: Literal["buy", "can_buy"]
    bot_id: int
    item: str
    x: NotRequired[int | None]
    y: NotRequired[int | None]


class Action(TypedDict):
    """A bot does something at a tile, or asks whether it can."""

    type: Literal[
        "pickup",
        "place",
        "trash",
        "chop",
        "start_cook",
        "take_from_pan",
        "take_clean_plate",
        "put_dirty_plate_in_sink",
        "wash_sink",
        "add_food_to_plate",
        "submit",
        "can_start_cook",
        "can_submit",
    ]
    bot_id: int
    x: NotRequired[int | None]
    y: NotRequired[int | None]


Command: TypeAlias = EndTurn | TeamFailed | SwitchMaps | Step | Buy | Action


class Food(TypedDict):
    """`cooked_stage`: 0 raw, 1 cooked, 2 burnt."""

    type: Literal["Food"]
    food_name: FoodName
    food_id: int
    chopped: bool
    cooked_stage: Literal[0, 1, 2]


class Plate(TypedDict):
    """Food in the order in which it was added."""

    type: Literal["Plate"]
    dirty: bool
    food: list[Food]


class Pan(TypedDict):
    """A pan and what is in it."""

    type: Literal["Pan"]
    food: Food | None


Item: TypeAlias = Food | Plate | Pan | None


class Bot(TypedDict):
    """`map_team`: in whose kitchen it stands."""

    bot_id: int
    team: Team
    map_team: Team
    x: int
    y: int
    holding: Item
    moved: bool
    acted: bool


class Tile(TypedDict):
    """A station, or another tile on which something lies. Its kind says which counters it has."""

    x: int
    y: int
    tile_name: str
    item: Item
    cook_progress: NotRequired[int]
    num_dirty_plates: NotRequired[int]
    curr_dirty_plate_progress: NotRequired[int]
    using: NotRequired[bool]
    num_clean_plates: NotRequired[int]
    count: NotRequired[int]


class Order(TypedDict):
    """A dish that a kitchen may deliver. `claimed_by`: the bot that did."""

    order_id: int
    required: list[FoodName]
    created_turn: int
    expires_turn: int
    reward: int
    penalty: int
    claimed_by: int | None
    completed_turn: int | None
    is_active: bool


class Money(TypedDict):
    """By team."""

    RED: int
    BLUE: int


class Flags(TypedDict):
    """By team."""

    RED: bool
    BLUE: bool


class Failures(TypedDict):
    """By team: why it is out."""

    RED: str | None
    BLUE: str | None


class Tiles(TypedDict):
    """By kitchen."""

    RED: list[Tile]
    BLUE: list[Tile]


class Orders(TypedDict):
    """By kitchen."""

    RED: list[Order]
    BLUE: list[Order]


class Map(TypedDict):
    """A row of symbols for each row of tiles."""

    width: int
    height: int
    rows: list[str]


class FoodKind(TypedDict):
    """What can be done with a food, and its price."""

    name: FoodName
    id: int
    can_chop: bool
    can_cook: bool
    cost: int


class Switch(TypedDict):
    """The switch of kitchens from the seat's side."""

    turn: int
    switch_turn: int
    switch_duration: int
    window_active: bool
    window_end_turn: int
    my_team_switched: bool
    enemy_team_switched: bool
    has_switched: bool
    enemy_has_switched: bool


class View(TypedDict):
    """What a seat or a viewer sees. `map` to `switch_duration` may come in the start message only;
    what follows is for seats."""

    turn: int
    acting: Team | None
    commands: int
    team_money: Money
    bots: list[Bot]
    tiles: Tiles
    orders: Orders
    switched: Flags
    switch_used: Flags
    failed: Failures
    map: NotRequired[Map]
    foods: NotRequired[list[FoodKind]]
    shop: NotRequired[dict[str, int]]
    switch_turn: NotRequired[int]
    switch_duration: NotRequired[int]
    team: NotRequired[Team]
    enemy_team: NotRequired[Team]
    bot_ids: NotRequired[list[int]]
    enemy_bot_ids: NotRequired[list[int]]
    switch: NotRequired[Switch]
