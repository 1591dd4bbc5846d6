"""The OpenAPI document says what the server answers. `tests.conformance` holds every answer of the
tests against it."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema_rs import Draft202012Validator

from server.accounts.scopes import SCOPES, allowed
from tests.accounts.test_scopes import ROUTES
from tests.conformance import DOCUMENT, check
from tests.server.live_server import hosted

OPERATIONS = [
    (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]
ERROR = {"$ref": "#/components/schemas/ErrorBody"}


def statuses(operation: dict[str, Any]) -> set[int]:
    return {int(status) for status in operation["responses"]}


def test_operations_and_schemas_have_short_unique_names():
    ids = Counter(operation["operationId"] for _, _, operation in OPERATIONS)
    schemas = DOCUMENT["components"]["schemas"]

    assert [name for name, times in ids.items() if times > 1] == []
    assert [name for name in (*ids, *schemas) if len(name) > 30 or "__" in name] == []
    assert not {"HTTPValidationError", "ValidationError", "Create"} & set(schemas)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 429, 500])
def test_every_error_has_the_body_that_is_sent(status):
    described = [op["responses"][str(status)] for _, _, op in OPERATIONS if status in statuses(op)]

    assert described
    assert {str(one["content"]) for one in described} == {
        str({"application/json": {"schema": ERROR}})
    }


def test_faults_of_bodies_keys_and_names_are_described():
    for method, path, operation in OPERATIONS:
        expected = {400, 413, 422} if "requestBody" in operation else set()
        expected |= {401, 403} if operation["security"] else set()
        expected |= {404} if "{" in path else set()
        assert expected <= statuses(operation), (method, path)


def test_the_security_of_a_request_matches_the_table_of_roles():
    for method, path, operation in OPERATIONS:
        shown = [name for one in operation["security"] for name in one]
        action = ROUTES[method, path]
        if path == "/metrics":
            assert shown == ["metricsToken"]
            continue
        roles = allowed(action, closed=False) | allowed(action, closed=True)
        needs_nothing = operation["security"] == [] or {} in operation["security"]
        assert needs_nothing == ("anybody" in roles), (method, path)
        assert ("accountKey" in shown) == bool(roles & {"bot", "organiser", "spectator"}), (
            method,
            path,
        )
        assert ("lobbyToken" in shown) == bool(roles & {"owner", "invite", "seat"}), (method, path)
    assert set(DOCUMENT["components"]["securitySchemes"]) == {
        "accountKey",
        "lobbyToken",
        "metricsToken",
    }
    assert set(SCOPES) >= {ROUTES[method, path] for method, path, _ in OPERATIONS}


def test_no_parameter_is_a_header_that_a_generator_would_require():
    headers = {
        p["name"]
        for _, _, op in OPERATIONS
        for p in op.get("parameters", ())
        if p["in"] == "header"
    }

    assert headers == {"idempotency-key"}


@pytest.mark.parametrize("body", ["CreateLobby", "CreateTournament"])
def test_a_seed_is_described_as_it_is_checked(body):
    seed = Draft202012Validator(DOCUMENT["components"]["schemas"][body]["properties"]["seed"])

    assert [value for value in (None, 0, 2**63 - 1, -1, "0", 0.5) if seed.is_valid(value)] == [
        None,
        0,
        2**63 - 1,
    ]


def answered(status: int, body: Any, path: str = "/api/v1/maps") -> httpx.Response:
    return httpx.Response(
        status, json=body, request=httpx.Request("GET", f"http://127.0.0.1{path}")
    )


@pytest.mark.parametrize(
    "response",
    [
        answered(200, [{"game": "pyrat"}]),
        answered(200, [{"game": "pyrat", "map": 1}]),
        answered(200, [{"game": "pyrat", "map": "tiny", "size": 1}]),
        answered(404, {"detail": "not found"}),
        answered(418, {"code": "teapot", "text": "I am one", "field": None, "allowed": None}),
        httpx.Response(
            200, text="[]", request=httpx.Request("GET", "http://127.0.0.1/api/v1/maps")
        ),
        answered(200, {"status": "ready", "reasons": {}, "more": 1}, "/readyz"),
    ],
)
def test_an_undocumented_answer_is_found(response):
    with pytest.raises(AssertionError):
        check(response)


def test_a_documented_answer_passes():
    check(answered(200, [{"game": "pyrat", "map": "tiny"}]))
    check(
        answered(404, {"code": "unknown_game", "text": "no", "field": "game", "allowed": ["pyrat"]})
    )
    check(answered(503, {"status": "not ready", "reasons": {"disk": "full"}}, "/readyz"))


def test_the_first_requests_for_the_document_all_get_the_whole_of_it(tmp_path: Path):
    with hosted(tmp_path) as live_server, ThreadPoolExecutor(4) as asking:
        answers = [*asking.map(lambda _: live_server.get("/openapi.json").json(), range(4))]

    assert answers == [DOCUMENT] * 4
