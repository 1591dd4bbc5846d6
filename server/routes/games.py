"""What can be played: games, their parameters, maps and house bots."""

from __future__ import annotations

import dataclasses
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import PlainTextResponse, Response

from games.contest import format as formats
from games.core import maps
from games.core.contract import AnyGame, BadSetup, Json
from games.core.parameters import configure, schema
from server.errors import Refusal
from server.lobbies.service import LobbyService
from server.routes.may import BROWSE
from server.routes.models.answer import answers, text
from server.routes.models.games import GameDetails, GameMap, GameSummary, HouseBot
from server.routes.parameters import GameName, OnlyGame
from server.routes.route import API, routes_below


def router(service: LobbyService) -> APIRouter:
    lobbies, bots = service.lobbies, service.bots
    routes = routes_below(API, tag="games", dependencies=BROWSE)

    @routes.get("/games", responses=answers(list[GameSummary]))
    async def list_games() -> list[Json]:
        """The games that this server plays."""
        return [_brief(game) for game in lobbies.games.values()]

    @routes.get("/games/{game}", responses=answers(GameDetails))
    async def get_game(game: GameName) -> Json:
        """One game: its parameters as JSON Schema, presets, clock, maps and house bots."""
        found = lobbies.game(game)
        return _brief(found) | {
            "rules_version": found.rules_version,
            "parameters": schema(found),
            "tournament": formats.schema(found),
            "presets": found.bundles,
            "clock": dataclasses.asdict(found.pacing(configure(found, {}))),
            "maps": maps.names(found.name),
            "bots": [{"bot": bot, "about": about} for bot, about in bots.names(found.name).items()],
        }

    @routes.get("/games/{game}/rules", response_class=Response, responses=text("text/markdown"))
    async def get_rules(game: GameName) -> PlainTextResponse:
        """The rules of a game, its RULES.md."""
        name = lobbies.game(game).name
        try:
            rules = files(f"games.{name}").joinpath("RULES.md").read_text(encoding="utf-8")
        except (ModuleNotFoundError, FileNotFoundError):
            why = "the rules of this game are not written down here"
            raise Refusal(404, "no_rules", why, field="game") from None
        return PlainTextResponse(rules, media_type="text/markdown")

    @routes.get("/maps", responses=answers(list[GameMap], 404))
    async def list_maps(game: OnlyGame = None) -> list[Json]:
        """The maps of the catalogue."""
        names = list(lobbies.games) if game is None else [lobbies.game(game).name]
        return [{"game": name, "map": board} for name in names for board in maps.names(name)]

    @routes.get(
        "/maps/{game}/{name}", response_class=PlainTextResponse, responses=text("text/plain")
    )
    async def get_map(
        game: GameName, name: Annotated[str, Path(description="The name of a map of the game.")]
    ) -> str:
        """The text of a map, which may also be given as `map_text`."""
        try:
            return maps.text(lobbies.game(game).name, name)
        except BadSetup as fault:
            raise Refusal(404, fault.code, fault.why, field="name", allowed=fault.allowed) from None

    @routes.get("/bots", responses=answers(list[HouseBot], 404))
    async def list_bots(game: OnlyGame = None) -> list[Json]:
        """The house bots, with a sentence about each."""
        names = list(lobbies.games) if game is None else [lobbies.game(game).name]
        return [
            {"game": name, "bot": bot, "about": about}
            for name in names
            for bot, about in bots.names(name).items()
        ]

    return routes


def _brief(game: AnyGame) -> dict[str, Json]:
    rules = configure(game, {})
    pacing = game.pacing(rules)
    return {
        "game": game.name,
        "title": game.title,
        "seats": game.seats(rules),
        "roles": list(game.roles),
        "realtime": pacing.tick_ms is not None,
    }
