"""Each game's views and commands are as their schemas say."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE, default_opponent
from games import GAMES
from games.core.contract import SPECTATOR, Viewer
from games.core.json_schema import definitions
from games.core.match import Match
from tests.games.checks import begin, random_play, viewers
from tests.games.entries import ENTRIES

SHORT = {
    "pyrat": {"preset": "tiny"},
    "zooscape": {"max_ticks": 100},
    "catastrophe": {"max_turns": 60},
    "cookoff": {"total_turns": 60},
}
every_game = pytest.mark.parametrize("name", sorted(GAMES))


def closed(name: str) -> dict[str, Any]:
    """No field may come that the schema does not know."""
    found = definitions(GAMES[name])
    return {
        key: schema | {"additionalProperties": False} if "properties" in schema else schema
        for key, schema in found.items()
    }


def validator(defs: dict[str, Any], name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": defs})


@every_game
def test_the_schemas_are_valid_and_name_views_and_commands(name: str) -> None:
    defs = definitions(GAMES[name])
    meta.validate({"$defs": defs})
    assert {f"{name}.View", f"{name}.Command"} <= set(defs)
    assert defs[f"{name}.View"]["required"]


@every_game
def test_every_view_matches_the_schema(name: str) -> None:
    valid = validator(closed(name), f"{name}.View")
    entry = ENTRIES[name]
    for seed in range(2):
        match = Match.begin(entry.game, entry.configs[0], seed)
        for step, shown in enumerate(random_play(entry, match, Random(seed), 60)):
            if step % 12 == 0 or shown.outcome is not None:
                check(valid, shown)
        check(valid, match)


def check(valid: Draft202012Validator, match: Match) -> None:
    for viewer in viewers(match):
        error = next(valid.iter_errors(match.view(viewer)), None)
        assert error is None, f"{error.instance_path}: {error.message[:300]}"


def lower(command: Any) -> Any:
    """Some games take words in any case; the schema has one way to write them."""
    return json.loads(json.dumps(command).lower())


@every_game
def test_every_accepted_command_matches_the_schema(name: str) -> None:
    valid = validator(definitions(GAMES[name]), f"{name}.Command")
    entry, worked = ENTRIES[name], 0
    for seed in range(60):
        if seed >= 4 and worked > 10:
            break
        match, chance = begin(entry, seed)
        for _ in range(60):
            for seat in sorted(match.awaited):
                command = entry.command(chance)
                if match.outcome is None and match.apply(seat, command).ok:
                    worked += 1
                    assert valid.is_valid(command) or valid.is_valid(lower(command)), command
            if match.outcome is None and Random(seed).random() < 0.9:
                match.advance()
    assert worked > 10


@pytest.mark.parametrize("name", sorted(HOUSE))
def test_a_match_of_house_bots_matches_the_schema(name: str) -> None:
    """Whole matches have what random ones rarely come to: deliveries, items in use, the end of a
    round."""
    defs = closed(name)
    views, commands = validator(defs, f"{name}.View"), validator(defs, f"{name}.Command")
    game = GAMES[name]

    def view(state: Any, viewer: Viewer) -> Any:
        seen = game.view(state, viewer)
        if game.turn(state) % 20 == 0 or game.outcome(state) is not None:
            views.validate(json.loads(json.dumps(seen)))
        return seen

    def parse(raw: Any) -> Any:
        commands.validate(raw)
        return game.parse(raw)

    match = Match.begin(replace(game, view=view, parse=parse), SHORT.get(name, {}), 1)
    bots = islice(cycle([default_opponent(HOUSE[name]), *HOUSE[name]]), match.seats)
    play_headless(
        match, [house(name, bot) for bot in bots], shown=lambda shown: shown.view(SPECTATOR)
    )

    assert match.outcome is not None
