"""The messages as documents for other tools: one JSON Schema, and AsyncAPI.

`python -m client_sdk.wire` writes both beside this module.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, get_args

import msgspec

from client_sdk.wire import messages
from client_sdk.wire.codes import CLOSES, PROTOCOL
from client_sdk.wire.messages import (
    ClientHello,
    Delta,
    End,
    Error,
    Event,
    Incoming,
    Json,
    MatchStart,
    Outgoing,
    Ping,
    Resync,
    Seen,
    ServerHello,
    View,
)

SENT: Final[tuple[type, ...]] = get_args(Incoming)
"""By clients."""
RECEIVED: Final[tuple[type, ...]] = get_args(Outgoing)
WATCHING: Final[tuple[type, ...]] = (ClientHello, Resync, Seen)
"""What a viewer sends."""
WATCHED: Final[tuple[type, ...]] = (ServerHello, MatchStart, View, Delta, Event, End, Error, Ping)

SCHEMA: Final = "messages.schema.json"
ASYNCAPI: Final = "asyncapi.json"


def json_schema() -> dict[str, Json]:
    """Any message: a `ClientMessage` is sent by a client, a `ServerMessage` received."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Botarena messages, protocol {PROTOCOL}",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {
            "ClientMessage": {"anyOf": [{"$ref": f"#/$defs/{one.__name__}"} for one in SENT]},
            "ServerMessage": {"anyOf": [{"$ref": f"#/$defs/{one.__name__}"} for one in RECEIVED]},
            **_schemas("#/$defs/{name}"),
        },
    }


def asyncapi() -> dict[str, Json]:
    """The two websocket channels, as the server has them: it receives what clients send."""
    channels = {"play": (SENT, RECEIVED), "watch": (WATCHING, WATCHED)}
    about = {"play": "One seat of one match.", "watch": "A viewer without a seat."}
    closes = "; ".join(f"{close.status} {close.code}: {close.text}" for close in CLOSES.values())
    operations: dict[str, Json] = {}
    for name, (sent, received) in channels.items():
        operations[f"receive{name.title()}"] = _operation("receive", name, sent)
        operations[f"send{name.title()}"] = _operation("send", name, received)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Botarena matches",
            "version": str(PROTOCOL),
            "description": "JSON text frames, one message a frame. How a connection is closed: "
            f"{closes}.",
        },
        "defaultContentType": "application/json",
        "channels": {
            name: {
                "address": f"/ws/{name}",
                "description": about[name],
                "messages": {
                    one.__name__: {"$ref": f"#/components/messages/{one.__name__}"}
                    for one in (*sent, *received)
                },
            }
            for name, (sent, received) in channels.items()
        },
        "operations": operations,
        "components": {
            "messages": {one.__name__: _message(one) for one in (*SENT, *RECEIVED)},
            "schemas": _schemas("#/components/schemas/{name}"),
        },
    }


def write(folder: Path) -> None:
    """Raises OSError."""
    for name, document in ((SCHEMA, json_schema()), (ASYNCAPI, asyncapi())):
        folder.joinpath(name).write_bytes(as_file(document))


def as_file(document: Json) -> bytes:
    """Indented JSON."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def _schemas(template: str) -> dict[str, Json]:
    schemas = msgspec.json.schema_components((*SENT, *RECEIVED), ref_template=template)[1]
    texts = _field_texts()
    for name, schema in schemas.items():
        if "description" in schema:
            schema["description"] = _one_line(schema["description"])
        for field, text in texts[name].items():
            schema["properties"][field]["description"] = text
    return schemas


def _field_texts() -> dict[str, dict[str, str]]:
    """The docstrings of the fields, by message and field: msgspec does not read them."""
    module = ast.parse(inspect.getsource(messages))
    return {
        node.name: {
            field.target.id: _one_line(str(text.value.value))
            for field, text in pairwise(node.body)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        }
        for node in module.body
        if isinstance(node, ast.ClassDef)
    }


def _one_line(text: str) -> str:
    """How a docstring is indented depends on the version of Python."""
    return " ".join(text.split())


def _operation(action: str, channel: str, messages: Sequence[type]) -> Json:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{one.__name__}"} for one in messages],
    }


def _message(type_: type) -> Json:
    return {
        "name": type_.__struct_config__.tag,  # type: ignore[attr-defined]
        "title": type_.__name__,
        "summary": _one_line(type_.__doc__ or ""),
        "payload": {"$ref": f"#/components/schemas/{type_.__name__}"},
    }
