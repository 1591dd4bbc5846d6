"""The page of the REST operations and the page of their objects, from the OpenAPI document."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docs.reference.schemas import Schema, code, fields, table, type_of
from server.app.arena import create_app
from server.settings import Settings

CREDENTIALS = {
    "accountKey": "an account's key",
    "lobbyToken": "a token of the lobby",
    "metricsToken": "the metrics token",
}
ERRORS = "../errors.md"


def openapi() -> dict[str, Any]:
    """The document as every server serves it: it does not depend on the settings."""
    with tempfile.TemporaryDirectory() as folder:
        return create_app(Settings(data_dir=Path(folder))).document()


def operations(document: Mapping[str, Any]) -> str:
    """A section for each tag, and in it one for each operation."""
    tags: dict[str, list[str]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            (tag,) = operation["tags"]
            tags[tag].append("".join(_operation(f"{method.upper()} {path}", operation)))
    parts = [
        "# REST operations\n\n"
        "Generated from the [OpenAPI document](../../client_sdk/PROTOCOL.md#5-rest) that a server "
        "serves at `/api/v1/openapi.json`. Credentials go into the header "
        "`Authorization: Bearer …`. A closed server also requires an account's key where this "
        "page says that it may be left out.\n\n"
    ]
    for tag in document["tags"]:
        parts += [f"## {tag['name'].capitalize()}\n\n{tag['description']}\n\n", *tags[tag["name"]]]
    return "".join(parts)


def _operation(title: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"### `{title}` {{ #{operation['operationId']} }}\n\n"
    yield f"`{operation['operationId']}`: {operation['description']}\n\n"
    if security := operation["security"]:
        allowed = [CREDENTIALS[name] for one in security for name in one]
        yield f"Credentials: {' or '.join(allowed)}{'' if all(security) else ', or none'}.\n\n"
    if "parameters" in operation:
        yield table(
            ("parameter", "in", "type", "default", "meaning"),
            (
                (
                    code(one["name"], quotes=False),
                    one["in"],
                    type_of(one["schema"], _link),
                    "required" if one["required"] else code(one["schema"].get("default")),
                    one.get("description", ""),
                )
                for one in operation["parameters"]
            ),
        )
    if "requestBody" in operation:
        (body,) = operation["requestBody"]["content"].values()
        yield f"Body: {type_of(body['schema'], _link)}, as JSON.\n\n"
    yield table(("status", "body", "meaning"), _responses(operation["responses"]))


def _responses(responses: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for status, response in responses.items():
        bodies = [
            type_of(content["schema"], _link) if media_type == "application/json" else media_type
            for media_type, content in response.get("content", {}).items()
        ]
        is_error = bodies == [_link("ErrorBody")]
        shown = f"[{status}]({ERRORS}#status-{status})" if is_error else status
        yield shown, " or ".join(bodies), response["description"]


def objects(schemas: Mapping[str, Schema]) -> str:
    """A section for each object of the document."""
    parts = [
        "# REST objects\n\n"
        "The bodies of requests and answers of the [REST operations](rest.md). Ignore the fields "
        "of an answer that you do not know: a later version may add some.\n\n"
    ]
    for name, schema in sorted(schemas.items()):
        parts.append(f"## {name} {{ #{name} }}\n\n{schema.get('description', '')}\n\n")
        parts.append(fields(schema, lambda other: f"[{other}](#{other})"))
    return "".join(parts)


def _link(name: str) -> str:
    return f"[{name}](objects.md#{name})"
