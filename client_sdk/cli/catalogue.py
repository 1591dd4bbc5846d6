"""What there is to play: games with their parameters, maps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from client_sdk.console import UserError, good, out, say, show
from client_sdk.local.lookup import game_called, map_text, read_text
from games.core.contract import Json

if TYPE_CHECKING:
    from games.core.contract import AnyGame


ENDLESS: Final = 2**53 - 1
"""A maximum from here on is the number format's, not the game's."""


def games(
    game: Annotated[
        str | None, typer.Argument(help="One game: its parameters, presets and house bots.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
) -> None:
    """List the games, or one game's parameters.

    \b
    botarena games
    botarena games pyrat
    """
    if as_json:
        from games import GAMES

        found = GAMES.values() if game is None else [game_called(game)]
        described = [_described(one) for one in found]
        say(json.dumps(described if game is None else described[0]))
    elif game is None:
        _list_games()
    else:
        _show_game(game_called(game))


def _described(game: AnyGame) -> dict[str, Json]:
    from client_sdk.bots import HOUSE
    from games.core import maps as shelf
    from games.core.parameters import schema

    return {
        "game": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "roles": list(game.roles),
        "house_bots": {name: entry.about for name, entry in HOUSE.get(game.name, {}).items()},
        "maps": list(shelf.names(game.name)),
        "parameters": schema(game)["properties"],
    }


def _list_games() -> None:
    from client_sdk.bots import HOUSE
    from games import GAMES
    from games.core import maps as shelf

    table = _table("game", "title", "seats", "house bots", "maps")
    for name, game in GAMES.items():
        table.add_row(
            name,
            game.title,
            str(game.seats(game.rules())),
            ", ".join(HOUSE.get(name, {})),
            str(len(shelf.names(name)) or "–"),
        )
    out().print(table)


def _show_game(game: AnyGame) -> None:
    from client_sdk.bots import HOUSE
    from games.core.parameters import schema

    say(
        f"{game.title} ({game.name}), rules version {game.rules_version}; seats: "
        f"{', '.join(game.roles)}"
    )
    table = _table("parameter", "default", "values", "meaning")
    for name, shape in schema(game)["properties"].items():
        table.add_row(name, _json(shape.get("default")), _values(shape), shape["description"])
    out().print(table)
    for parameter, named in game.bundles.items():
        say(f"--set {parameter}=…: {', '.join(named)}")
    _show_rule_sets(game)
    for name, entry in HOUSE.get(game.name, {}).items():
        say(f"house bot {name}: {entry.about}")


def _show_rule_sets(game: AnyGame) -> None:
    """What the rule sets of a game give to the parameters in which they differ."""
    from games.core.parameters import parameters

    sets = game.bundles.get("rules", {})
    known = parameters(game.rules)
    differing = [key for key in known if any(key in values for values in sets.values())]
    if differing:
        table = _table("rule sets", *sets)
        for key in differing:
            default = known[key].schema["default"]
            table.add_row(key, *(_json(values.get(key, default)) for values in sets.values()))
        out().print(table)


def _json(value: Json) -> str:
    from games.core.journal import encode

    return "–" if value is None else value if isinstance(value, str) else encode(value)


def _values(shape: dict[str, Json]) -> str:
    shape = shape.get("anyOf", [shape])[0]
    if "enum" in shape:
        return ", ".join(shape["enum"])
    if "minimum" in shape:
        low, high = shape["minimum"], shape.get("maximum", ENDLESS)
        return f"{low} or more" if high >= ENDLESS else f"{low} to {high}"
    return {"boolean": "true, false"}.get(str(shape.get("type")), str(shape.get("type", "")))


def maps(
    game: Annotated[str | None, typer.Argument(help="Only this game's maps.")] = None,
    show: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Print one map, or draw it where the game can."),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Say whether a match can be made of this map file."),
    ] = None,
) -> None:
    """List maps, show one, or check a map file of your own.

    \b
    botarena maps
    botarena maps pyrat --show swamp
    botarena maps pyrat --check mymap.json
    """
    from games import GAMES
    from games.core import maps as shelf

    if game is None and (show is not None or check is not None):
        raise UserError(
            "say of which game: botarena maps GAME "
            f"{'--show NAME' if check is None else '--check FILE'}"
        )
    if check is not None:
        _check(game_called(str(game)), check)
    elif show is not None:
        _show(game_called(str(game)), show)
    else:
        if game is not None:
            game_called(game)
        table = _table("game", "map")
        for name in GAMES if game is None else [game]:
            for file in shelf.names(name):
                table.add_row(name, file)
        out().print(table)


def _show(game: AnyGame, name: str) -> None:
    from client_sdk.api import terminal
    from games.core.contract import SPECTATOR
    from games.core.match import Match

    text = map_text(game.name, name)
    match = Match.begin(game, {}, 0, text)
    show(terminal.draw(game.name, match.view(SPECTATOR), game.roles))


def _check(game: AnyGame, file: Path) -> None:
    from games.core.contract import BadSetup
    from games.core.match import Match

    text = read_text(file)
    try:
        board = game.parse_board(text)
        Match.begin(game, {}, 0, text)
    except BadSetup as fault:
        say(f"{good(False)} {file}: {fault.why} ({fault.code})")
        raise typer.Exit(1) from None
    say(f"{good(True)} {file}: a map of {game.name}{_size(board)}")


def _size(board: Any) -> str:
    """How large a board is, where the game's boards tell."""
    width, height = getattr(board, "width", None), getattr(board, "height", None)
    return "" if width is None or height is None else f", {width} x {height}"


def _table(*columns: str) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
