"""The websocket's messages with each game's views and commands, as JSON Schema and AsyncAPI."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from fastapi import APIRouter
from fastapi.responses import Response

from client_sdk.wire import documents
from games.core.contract import AnyGame, Json
from games.core.json_schema import definitions
from server.lobbies.lobbies import Lobbies
from server.routes.may import BROWSE
from server.routes.models.answer import answers
from server.routes.route import API, routes_below

JSON = "application/json"


def router(lobbies: Lobbies) -> APIRouter:
    routes = routes_below(API, tag="schemas", dependencies=BROWSE)
    package = files("client_sdk.wire")
    message_schema = package.joinpath(documents.SCHEMA).read_bytes()
    asyncapi = package.joinpath(documents.ASYNCAPI).read_bytes()

    @cache
    def schema() -> bytes:
        games = lobbies.games.values()
        return msgspec.json.encode(with_games(msgspec.json.decode(message_schema), games))

    @routes.get("/schemas", responses=answers(dict[str, Json]))
    def get_schemas() -> Response:
        """JSON Schema of every message, with the views and commands of each game. A client sends
        a `ClientMessage` and receives a `ServerMessage`; `pyrat.View` and `pyrat.Command` are what
        PyRat's messages hold."""
        return Response(schema(), media_type=JSON)  # in a thread: it is made at first

    @routes.get(f"/{documents.SCHEMA}", responses=answers(dict[str, Json]))
    async def get_message_schema() -> Response:
        """JSON Schema of every message, without the games: the file that the package has."""
        return Response(message_schema, media_type=JSON)

    @routes.get(f"/{documents.ASYNCAPI}", responses=answers(dict[str, Json]))
    async def get_asyncapi() -> Response:
        """The websocket channels and their messages as AsyncAPI: the file that the package has."""
        return Response(asyncapi, media_type=JSON)

    return routes


def with_games(schema: dict[str, Any], games: Iterable[AnyGame]) -> dict[str, Json]:
    """The messages' schema, in which views and commands are those of these games."""
    defs = schema["$defs"]
    names = []
    for game in games:
        defs |= definitions(game)
        names.append(game.name)
    views = {"anyOf": [{"$ref": f"#/$defs/{name}.View"} for name in names]}
    commands = {"anyOf": [{"$ref": f"#/$defs/{name}.Command"} for name in names]}
    for message in ("MatchStart", "View"):
        defs[message]["properties"]["view"] = views
    for message in ("Commands", "Provisional"):
        defs[message]["properties"]["commands"]["items"] = commands
    return schema
