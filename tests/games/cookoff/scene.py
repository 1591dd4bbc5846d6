"""Short words for moments of a match and what is done in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.cookoff import GAME
from games.cookoff.advance import advance
from games.cookoff.board import Board
from games.cookoff.commands import apply, parse
from games.cookoff.rules import BLUE, RED, Rules
from games.cookoff.state import NO_TEAM, OPEN, Bot, Fate, Item, Order, Plan, State, Tile
from games.core.contract import Json, Seat
from games.core.dice import Dice, Seeded
from games.core.match import Match
from games.core.parameters import configure

ROOM = """
#######
#$.C.U#
#.....#
#K.B.S#
#R...T#
#######
"""
"""Every kind of tile; (1, 1) is the TRASH."""
SHOP, COUNTER, SUBMIT, COOKER, BOX, SINK, TRASH, TABLE = (
    (1, 4),
    (3, 4),
    (5, 4),
    (1, 2),
    (3, 2),
    (5, 2),
    (1, 1),
    (5, 1),
)

DICE: Dice = Seeded(0).at(0)

Place = tuple[int, int]


def rules(**config: Json) -> Rules:
    return configure(GAME, config)


def rows(text: str) -> tuple[str, ...]:
    return tuple(text.strip("\n").splitlines())


def bot(
    x: int, y: int, holding: Item | None = None, *, team: Seat = RED, kitchen: Seat | None = None
) -> tuple[Place, Bot]:
    """Its cell is put in by the scene."""
    return (x, y), Bot(team, team if kitchen is None else kitchen, 0, holding)


def order(
    *required: str,
    start: int = 0,
    end: int = 100,
    reward: int = 50,
    penalty: int = 3,
    number: int = 1,
) -> Order:
    return Order(number, required, start, end, reward, penalty)


def scene(
    *bots: tuple[Place, Bot],
    room: str = ROOM,
    red: Mapping[Place, Tile] | None = None,
    blue: Mapping[Place, Tile] | None = None,
    orders: Sequence[Order] = (),
    window: tuple[int, int] = (250, 100),
    turn: int = 1,
    acting: Seat = RED,
    money: tuple[int, int] = (150, 150),
    **config: Json,
) -> State:
    """A moment in a team's part of a turn."""
    plan = Plan(rules(**config), rows(room), *window)
    kitchens = []
    for tiles in (red, blue):
        kitchen = list(plan.pristine)
        for place, tile in (tiles or {}).items():
            kitchen[plan.cell(*place)] = tile
        kitchens.append(tuple(kitchen))
    fates: tuple[Fate, ...] = (OPEN,) * len(orders)
    return State(
        plan=plan,
        orders=(tuple(orders), tuple(orders)),
        money=money,
        bots=tuple(one._replace(cell=plan.cell(*place)) for place, one in bots),
        kitchens=(kitchens[RED], kitchens[BLUE]),
        fates=(fates, fates),
        turn=turn,
        acting=acting,
    )


def command(
    kind: str, bot_id: int | None = 0, target: Place | None = None, **arguments: Json
) -> Json:
    raw = {"type": kind, **arguments}
    if bot_id is not None:
        raw["bot_id"] = bot_id
    if target is not None:
        raw["x"], raw["y"] = target
    return raw


def tried(
    state: State, kind: str, bot_id: int | None = 0, target: Place | None = None, **arguments: Json
) -> tuple[State, str]:
    """The state that follows, and the code."""
    after, reply = apply(
        state, state.acting, parse(command(kind, bot_id, target, **arguments)), DICE
    )
    return after, reply.code


def done(
    state: State, kind: str, bot_id: int | None = 0, target: Place | None = None, **arguments: Json
) -> State:
    """The state after a command that is carried out."""
    after, code = tried(state, kind, bot_id, target, **arguments)
    assert code == "ok", f"{kind}: {code}"
    return after


def refusal(
    state: State, kind: str, bot_id: int | None = 0, target: Place | None = None, **arguments: Json
) -> str:
    """The code of a command that is refused; it changes nothing but what is spent."""
    after, code = tried(state, kind, bot_id, target, **arguments)
    spent = tuple(one._replace(moved=False, acted=False) for one in after.bots)
    assert after._replace(bots=spent, counted=0) == state._replace(
        bots=tuple(one._replace(moved=False, acted=False) for one in state.bots), counted=0
    )
    assert code != "ok"
    return code


def next_turn(state: State, turns: int = 1) -> State:
    """This number of turns later, at the opening of the first team's part; awaited seats do
    nothing."""
    for _ in range(turns):
        while state.acting != NO_TEAM:
            state = tried(state, "end_turn", None)[0]
        state = advance(state, DICE)
    return state


def part_of(state: State, team: Seat) -> State:
    """The same moment in the other team's part, with fresh budgets."""
    bots = tuple(one._replace(moved=False, acted=False) for one in state.bots)
    return state._replace(acting=team, bots=bots, counted=0)


def tile(state: State, place: Place, kitchen: Seat = RED) -> Tile:
    return state.kitchens[kitchen][state.plan.cell(*place)]


def cell(state: State, bot_id: int) -> Place:
    return state.plan.xy(state.bots[bot_id].cell)


def hand(state: State, bot_id: int = 0) -> Item | None:
    return state.bots[bot_id].holding


def match(board: Board | str | None = None, seed: int = 1, **config: Json) -> Match:
    """A match from turn 0."""
    if isinstance(board, str):
        return Match.begin(GAME, config, seed, board)
    given = rules(**config)
    return Match(GAME, given, GAME.setup(given, board, DICE), Seeded(seed))


def ended(match: Match, seat: Seat) -> None:
    """The seat ends its part."""
    reply = match.apply(seat, GAME.end_turn)
    assert reply.ok, reply


def played(match: Match, *failing: tuple[Seat, str]) -> None:
    """One turn: who fails says why, the others just end their parts."""
    why = dict(failing)
    match.advance()
    while match.awaited:
        (seat,) = match.awaited
        if seat in why:
            assert match.apply(seat, {"type": "team_failed", "reason": why[seat]}).ok
        else:
            ended(match, seat)
