"""The page of the messages on a websocket, from the AsyncAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client_sdk.wire.documents import asyncapi
from docs.reference.schemas import fields


def messages() -> str:
    """A section for each channel, for each message and for each object in one."""
    document = asyncapi()
    components = document["components"]
    parts = [
        "# Websocket messages\n\n"
        "Generated from the AsyncAPI document that a server serves at `/api/v1/asyncapi.json`. "
        "Each text frame holds one message, a JSON object whose field `type` names its kind. "
        "[The protocol](../../client_sdk/PROTOCOL.md) says when each is sent, and "
        "[Errors](../errors.md#websocket) how a connection is closed.\n\n"
    ]
    for name, channel in document["channels"].items():
        parts.append(f"## `{channel['address']}`\n\n{channel['description']}\n\n")
        parts += [_sent(operation) for operation in _of(name, document["operations"])]
    parts.append("## Messages\n\n")
    schemas = dict(components["schemas"])
    for name, message in components["messages"].items():
        schema = schemas.pop(name)
        parts.append(f"### {name}: `{message['name']}` {{ #{name} }}\n\n{message['summary']}\n\n")
        parts.append(fields(schema, _link))
    parts.append("## Objects\n\n")
    for name, schema in schemas.items():
        parts.append(f"### {name} {{ #{name} }}\n\n{schema['description']}\n\n")
        parts.append(fields(schema, _link))
    return "".join(parts)


def _of(channel: str, operations: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in operations.values() if one["channel"]["$ref"] == f"#/channels/{channel}"]


def _sent(operation: Mapping[str, Any]) -> str:
    """The document is the server's: it receives what clients send."""
    names = [one["$ref"].rpartition("/")[2] for one in operation["messages"]]
    sender = "A client" if operation["action"] == "receive" else "The server"
    return f"{sender} sends {', '.join(map(_link, names))}.\n\n"


def _link(name: str) -> str:
    return f"[{name}](#{name})"
