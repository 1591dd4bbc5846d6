"""From the words of a Cookoff vector to ours, and back. Holds no rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.cookoff import GAME
from games.cookoff.board import Board, parse_board
from games.cookoff.mirror import from_view, plan_of
from games.cookoff.rules import TEAMS, Rules
from games.cookoff.state import Fate, State
from games.cookoff.view import view
from games.core.contract import BadSetup, Json, Reply, Seat
from games.core.dice import Scripted, Source
from games.core.match import Match
from games.core.parameters import configure
from tests.vectors.runner import ADVANCE, Adapter, Advance, Difference, Vector, differences, exact

PLAYED = ("BLUE", "RED")
"""A vector's turn: BLUE's list, then RED's."""


class Remembering(Match):
    """A match that can say what the last step of the vector changed."""

    __slots__ = ("before",)

    def __init__(self, rules: Any, state: State, source: Source) -> None:
        super().__init__(GAME, rules, state, source)
        self.before = moment(state)


def begin(vector: Vector, script: Scripted) -> Match:
    rules = configure(GAME, vector["config"])
    state = state_of(rules, vector["initial"])
    for contradiction in differences(
        vector["initial"], {**vector["initial"], **moment(state)}, "initial"
    ):
        raise ValueError(str(contradiction))
    return Remembering(rules, state, script)


def state_of(rules: Rules, given: Mapping[str, Any]) -> State:
    plan = plan_of({key: given[key] for key in ("map", "switch_turn", "switch_duration")}, rules)
    nothing_yet = {
        "acting": None,
        "commands": 0,
        "switch_used": dict.fromkeys(TEAMS, False),
        "failed": dict.fromkeys(TEAMS),
    }
    bots = [bot | {"moved": False, "acted": False} for bot in given["bots"]]
    state = from_view(plan, {**given, **nothing_yet, "bots": bots})
    red, blue = (tuple(map(_fate, given["orders"][team])) for team in TEAMS)
    return state._replace(fates=(red, blue))


def _fate(raw: Mapping[str, Any]) -> Fate:
    return Fate(raw["completed_turn"], raw["claimed_by"], raw["penalized"])


def moves(step: Vector) -> Iterator[tuple[Seat, Json] | Advance]:
    yield ADVANCE
    for team in PLAYED:
        yield from ((TEAMS.index(team), command) for command in step["commands"].get(team, ()))
        yield TEAMS.index(team), GAME.end_turn


def draws(step: Vector) -> Iterable[tuple[str, Any]]:
    return ()


def found(match: Match, step: Vector, replies: Sequence[Reply]) -> Json:
    """The results, the money, and exactly the records that the step changed."""
    assert isinstance(match, Remembering)
    before, now = match.before, moment(match.state)
    match.before = now
    if now["turn"] != step["turn"]:
        raise ValueError(f"turn {step['turn']} of the vector is turn {now['turn']} here")
    words: dict[str, Json] = {"results": results(step, replies), "team_money": now["team_money"]}
    if now["switched"] != before["switched"]:
        words["switched"] = now["switched"]
    expect = step["expect"]
    if bots := _changed(before["bots"], now["bots"], _bot_id, {}):
        words["bots"] = _as_listed(bots, expect.get("bots", []), _bot_id)
    for what, key, gone in (("tiles", _cell, {"item": None}), ("orders", _order_id, {})):
        by_team = {team: _changed(before[what][team], now[what][team], key, gone) for team in TEAMS}
        if any(by_team.values()):
            listed = expect.get(what, {})
            words[what] = {
                team: _as_listed(records, listed.get(team, []), key)
                for team, records in by_team.items()
                if records
            }
    if "orders" in words:
        words["orders"] = {
            team: [_order_json(order) for order in orders]
            for team, orders in words["orders"].items()
        }
    return exact(expect, words)


def results(step: Vector, replies: Sequence[Reply]) -> dict[str, list[Json]]:
    """Per team one entry per command; the end of its part is none."""
    by_team, rest = {}, list(replies)
    for team in PLAYED:
        many = len(step["commands"].get(team, ()))
        by_team[team] = [
            True if reply.ok else False if reply.code == "no" else reply.code
            for reply in rest[:many]
        ]
        if not rest[many].ok:
            raise ValueError(f"{team} cannot end its part: {rest[many].code}")
        del rest[: many + 1]
    return by_team


def _changed(
    before: list[Json], now: list[Json], key: Callable[[Json], Any], gone: Json
) -> list[Json]:
    """The changed records; one that is no longer in the view differs by what is `gone`."""
    old, new = ({key(record): record for record in records} for records in (before, now))
    left = {name: record | gone for name, record in old.items() if name not in new}
    return [record for name, record in sorted((new | left).items()) if old.get(name) != record]


def _as_listed(records: list[Json], listed: list[Json], key: Callable[[Json], Any]) -> list[Json]:
    """The records in the order in which the vector lists them, which means nothing; what it does
    not list stands behind."""
    places = {key(record): place for place, record in enumerate(listed)}
    return sorted(records, key=lambda record: places.get(key(record), len(places)))


def _bot_id(record: Json) -> Any:
    return record["bot_id"]


def _order_id(record: Json) -> Any:
    return record["order_id"]


def _cell(record: Json) -> Any:
    return record["x"], record["y"]


def _order_json(order: Json) -> Json:
    return {key: order[key] for key in ("order_id", "completed_turn", "claimed_by", "penalized")}


def moment(state: State) -> dict[str, Json]:
    """A state in a vector's words."""
    seen = without(view(state, None), ("food_id", "moved", "acted"))
    fields = {key: seen[key] for key in ("turn", "team_money", "bots", "tiles", "switched")}
    return fields | {
        "orders": {team: _orders(state, kitchen) for kitchen, team in enumerate(TEAMS)}
    }


def _orders(state: State, kitchen: Seat) -> list[Json]:
    return [
        {
            "order_id": order.id,
            "required": list(order.required),
            "created_turn": order.created_turn,
            "expires_turn": order.expires_turn,
            "reward": order.reward,
            "penalty": order.penalty,
            **fate._asdict(),
        }
        for order, fate in zip(state.orders[kitchen], state.fates[kitchen], strict=True)
    ]


def without(value: Json, keys: Sequence[str]) -> Json:
    """The value without these keys, however deep."""
    if isinstance(value, dict):
        return {key: without(inner, keys) for key, inner in value.items() if key not in keys}
    return [without(inner, keys) for inner in value] if isinstance(value, list) else value


def final(match: Match, vector: Vector) -> Json:
    words = moment(match.state)
    if match.outcome is not None:
        winner = match.outcome.winner
        words["result"] = {
            "winner": None if winner is None else TEAMS[winner],
            "scores": {team: match.outcome.seats[seat].score for seat, team in enumerate(TEAMS)},
            "reason": match.outcome.reason,
        }
    return exact(vector["final"], words)


def parsed(vector: Vector) -> Iterator[Difference]:
    """The kind `parse`: a map's text, read or refused."""
    for case in vector["cases"]:
        try:
            words: Json = {"ok": True} | read(parse_board(case["text"]))
        except BadSetup as fault:
            words = {"ok": False, "why": fault.why}
        expected = {key: value for key, value in case.items() if key not in ("name", "text")}
        yield from differences(expected, words, case["name"])


def read(given: Board) -> dict[str, Json]:
    """A map in a vector's words; what an order leaves out is the default of the rules."""
    defaults = Rules()
    return {
        "width": given.width,
        "height": given.height,
        "rows": list(given.rows),
        "spawns": [list(spawn) for spawn in given.spawns],
        "switch_turn": given.switch_turn,
        "switch_duration": given.switch_duration,
        "orders": [
            {
                "order_id": number,
                "required": list(line.required),
                "created_turn": line.start,
                "expires_turn": line.start + line.duration,
                "reward": defaults.order_default_reward if line.reward is None else line.reward,
                "penalty": defaults.order_default_penalty if line.penalty is None else line.penalty,
            }
            for number, line in enumerate(given.orders, start=1)
        ],
    }


def pool(vector: Vector) -> Iterator[Difference]:
    """The kind `maps`: a pool as data; each map is written as text, read again, and sets a match
    up."""
    for name, data in vector["maps"].items():
        text = written(data)
        given = parse_board(text)
        orders = [line._asdict() | {"required": list(line.required)} for line in given.orders]
        words = {
            "switch_turn": given.switch_turn,
            "switch_duration": given.switch_duration,
            "orders": orders,
        }
        words["rows"] = list(given.rows)
        expected = data | {"rows": [row.replace("b", ".") for row in data["rows"]]}
        yield from differences(expected, words, name)
        if Match.begin(GAME, {}, 0, text).outcome is not None:
            yield Difference(None, name, "a match that can be played", "one that is over")


def written(data: Mapping[str, Any]) -> str:
    """A map of the pool as a map file."""
    switch = f"SWITCH: turn={data['switch_turn']} duration={data['switch_duration']}"
    orders = [
        " ".join(
            f"{key}={','.join(value) if key == 'required' else value}"
            for key, value in order.items()
        )
        for order in data["orders"]
    ]
    return "\n".join([*data["rows"], "", switch, "", "ORDERS:", *orders, ""])


ADAPTER = Adapter(
    begin=begin,
    moves=moves,
    draws=draws,
    found=found,
    final=final,
    kinds={"parse": parsed, "maps": pool},
)
