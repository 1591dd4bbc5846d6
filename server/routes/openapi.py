"""The OpenAPI document: what FastAPI makes of the routes, with the errors that this server sends
and who may call what."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Final

import msgspec
from fastapi import FastAPI
from fastapi.responses import Response

from games.core.contract import Json
from server.accounts.scopes import KINDS, SCOPES, TOKENS
from server.routes.models.answer import ERRORS, ErrorBody
from server.routes.route import Route

DOCUMENT: Final = "/api/v1/openapi.json"
ERROR: Final = {"$ref": "#/components/schemas/ErrorBody"}
ACCOUNT_KEY, LOBBY_TOKEN, METRICS = "accountKey", "lobbyToken", "metricsToken"
SCHEMES: Final = {
    ACCOUNT_KEY: "An account's key, `k_…`.",
    LOBBY_TOKEN: "A token of the lobby: its owner's, its invite or a seat's.",
    METRICS: "The token that the operator has set for the metrics.",
}
TAGS: Final = {
    "games": "What can be played: games, their parameters and rules, maps and house bots.",
    "schemas": "The messages of the websockets as JSON Schema and AsyncAPI.",
    "lobbies": "Create and join lobbies, and start their matches.",
    "matches": "Running and finished matches, their journals and replays.",
    "tournaments": "Enter, follow and organise tournaments.",
    "submissions": "Bots that are handed in for the server to play them.",
    "ladders": "Invitations to games, ladders and ratings.",
    "accounts": "Accounts and their keys.",
    "admin": "Organisers: running matches, draining the server, the log of their actions.",
    "server": "Liveness, readiness and metrics of the server.",
}
REPLACED: Final = ("HTTPValidationError", "ValidationError")
"""FastAPI's own errors, which are never sent."""


class DocumentedApp(FastAPI):
    """FastAPI with a document that is true."""

    def openapi(self) -> dict[str, Json]:
        if self.openapi_schema is None:
            for route in self.routes:
                if isinstance(route, Route):
                    route.read_responses()
            self.openapi_schema = _completed(super().openapi())
        return self.openapi_schema

    def setup(self) -> None:
        """Serve the document. It is made at the first request, in a thread, because it takes longer
        than the clocks of matches may wait."""
        making = asyncio.Lock()
        encoded = b""

        async def document() -> Response:
            nonlocal encoded
            async with making:
                encoded = encoded or await asyncio.to_thread(
                    lambda: msgspec.json.encode(self.openapi())
                )
            return Response(encoded, media_type="application/json")

        self.router.route_class = Route
        self.add_api_route(DOCUMENT, document, include_in_schema=False)


def _completed(document: dict[str, Json]) -> dict[str, Json]:
    document["tags"] = [{"name": name, "description": about} for name, about in TAGS.items()]
    components = document["components"]
    components["schemas"] = {
        name: schema for name, schema in components["schemas"].items() if name not in REPLACED
    }
    components["schemas"]["ErrorBody"] = ErrorBody.model_json_schema(mode="serialization")
    components["securitySchemes"] = {
        name: {"type": "http", "scheme": "bearer", "description": about}
        for name, about in SCHEMES.items()
    }
    for path, operations in document["paths"].items():
        for operation in operations.values():
            _complete(path, operation)
    return document


def _complete(path: str, operation: dict[str, Json]) -> None:
    operation["security"] = _security(operation.get("security", []))
    responses = operation["responses"]
    for status, response in responses.items():
        if int(status) not in ERRORS:
            response["description"] = HTTPStatus(int(status)).phrase
        for content in response.get("content", {}).values():
            content["schema"].pop("title", None)  # the name of what FastAPI would validate
    responses.pop("422", None)  # FastAPI's
    declared = {int(status) for status in responses if int(status) in ERRORS}
    for status in declared | _errors(path, operation):
        if "content" not in responses.get(str(status), {}):
            responses[str(status)] = {
                "description": ERRORS[status],
                "content": {"application/json": {"schema": ERROR}},
            }
    operation["responses"] = dict(sorted(responses.items()))


def _errors(path: str, operation: dict[str, Json]) -> set[int]:
    """Those that every operation of this shape may answer with."""
    possible = {429, 500, 503}
    if "parameters" in operation or "requestBody" in operation:
        possible |= {422}
    if "requestBody" in operation:
        possible |= {400, 408, 413, 415}
    if "{" in path:
        possible |= {404}
    if operation["security"]:
        possible |= {401, 403}
    return possible


def _security(required: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    """What a request may carry, one of them; `{}`: nothing. On a closed server a key is needed also
    where this says that it may be left out."""
    schemes: list[dict[str, list[str]]] = []
    for one in required:
        scope = next((SCOPES[name] for name in SCOPES if name in one), None)
        if scope is not None:
            roles = scope.open | scope.closed
            schemes += [{ACCOUNT_KEY: []}] if roles & {*KINDS} else []
            schemes += [{LOBBY_TOKEN: []}] if roles & {*TOKENS} else []
            schemes += [{}] if schemes and "anybody" in roles else []
        else:
            schemes.append(one)
    return schemes
