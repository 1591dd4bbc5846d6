"""The documents of the messages are current, are what they say they are, and describe what is
sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

import client_sdk.wire
from client_sdk.wire.documents import (
    ASYNCAPI,
    RECEIVED,
    SCHEMA,
    SENT,
    as_file,
    asyncapi,
    json_schema,
)
from client_sdk.wire.messages import (
    ClientHello,
    CommandResult,
    Commands,
    Error,
    Ping,
    Results,
    written,
)

FOLDER = Path(client_sdk.wire.__file__).parent
NAMES = [one.__name__ for one in (*SENT, *RECEIVED)]


@pytest.mark.parametrize(("name", "document"), [(SCHEMA, json_schema()), (ASYNCAPI, asyncapi())])
def test_the_file_is_generated_from_the_messages(name: str, document: Any) -> None:
    assert (FOLDER / name).read_bytes() == as_file(document), "run: python -m client_sdk.wire"


def test_every_message_and_field_is_described() -> None:
    schemas: dict[str, Any] = asyncapi()["components"]["schemas"]
    fields = {
        f"{name}.{field}": about
        for name, schema in schemas.items()
        for field, about in schema["properties"].items()
        if field != "type"
    }

    assert [name for name, about in (schemas | fields).items() if "description" not in about] == []


def references(node: Any) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [found for value in node.values() for found in references(value)]
    return (
        [found for value in node for found in references(value)] if isinstance(node, list) else []
    )


@pytest.mark.parametrize("document", [json_schema(), asyncapi()])
def test_every_reference_can_be_resolved(document: Any) -> None:
    found = references(document)
    assert found
    for reference in found:
        node = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]


def test_the_schema_is_valid_and_has_every_message() -> None:
    schema = json_schema()
    meta.validate(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert set(NAMES) <= set(schema["$defs"])


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ("ClientMessage", ClientHello(protocol=1, token="s_x")),
        ("ClientMessage", Commands(("UP",), turn=3)),
        ("ServerMessage", Results(3, (CommandResult("ok"), CommandResult("late", "too late")), 7)),
        ("ServerMessage", Error("malformed", "not JSON")),
        ("ServerMessage", Ping(1)),
    ],
)
def test_a_message_is_valid_for_its_own_side_only(side: str, message: Any) -> None:
    sent = json.loads(written(message))
    fits = {
        name: Draft202012Validator(
            json_schema() | {"anyOf": [{"$ref": f"#/$defs/{name}"}]}
        ).is_valid(sent)
        for name in ("ClientMessage", "ServerMessage")
    }
    assert fits == {name: name == side for name in fits}


def test_asyncapi_names_sender_and_channel_of_every_message() -> None:
    document = asyncapi()
    assert document["asyncapi"] == "3.0.0"
    assert {channel["address"] for channel in document["channels"].values()} == {
        "/ws/play",
        "/ws/watch",
    }
    sent = {
        name: [reference["$ref"].rsplit("/", 1)[1] for reference in operation["messages"]]
        for name, operation in document["operations"].items()
    }
    assert sent["receivePlay"] == [one.__name__ for one in SENT]
    assert sent["sendPlay"] == [one.__name__ for one in RECEIVED]
    assert sent["receiveWatch"] == ["ClientHello", "Resync", "Seen"]
    assert "Results" not in sent["sendWatch"]
    assert document["components"]["messages"]["ClientHello"]["name"] == "hello"
    for schema in document["components"]["schemas"].values():
        meta.validate(schema)
