"""What is served about the messages is the package's, with the views and commands of the games
that are played here."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator, meta

import client_sdk.wire
from games import GAMES
from tests.server.live_server import LiveServer


@pytest.mark.parametrize("name", ["messages.schema.json", "asyncapi.json"])
def test_the_packages_documents_are_served(live_server: LiveServer, name: str):
    answer = live_server.get(f"/{name}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.content == (Path(client_sdk.wire.__file__).parent / name).read_bytes()


def test_the_schema_of_a_server_types_the_views_and_commands_of_its_games(live_server: LiveServer):
    schema = live_server.get("/schemas").json()
    meta.validate(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert {f"{game}.{part}" for game in GAMES for part in ("View", "Command")} <= set(
        schema["$defs"]
    )
    for game in GAMES:
        assert {"$ref": f"#/$defs/{game}.View"} in schema["$defs"]["View"]["properties"]["view"][
            "anyOf"
        ]
        assert {"$ref": f"#/$defs/{game}.Command"} in schema["$defs"]["Commands"]["properties"][
            "commands"
        ]["items"]["anyOf"]


def test_all_messages_to_a_seat_match_the_schema(live_server: LiveServer):
    schema = live_server.get("/schemas").json()
    fits = Draft202012Validator(
        {"$ref": "#/$defs/ServerMessage", "$defs": schema["$defs"]}
    ).is_valid
    views = Draft202012Validator({"$ref": "#/$defs/pyrat.View", "$defs": schema["$defs"]}).is_valid
    _, taken = live_server.seated("pyrat", config={"preset": "tiny"})
    client, other = (live_server.seat(one, once=["maze"]) for one in taken)

    start = client.expect("start")
    client.say("ready")
    other.say("ready")
    view = client.until("view")

    assert fits(start)
    assert fits(view)
    assert views(start["view"])
    assert views(view["view"])
    assert not views(view["view"] | {"turn": "one"})
