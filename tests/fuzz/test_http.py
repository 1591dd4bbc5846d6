"""Every operation of the OpenAPI document, called with valid and invalid values: each answer is
documented, never a 5xx or a traceback, and running matches are not affected."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games import GAMES
from tests.e2e.arena import Arena
from tests.fuzz.neighbours import undisturbed

DESCRIBED = [status_code_conformance, content_type_conformance, response_schema_conformance]
MEANT = {"too_many_house_bots"}
"""The codes of a 503 that is no fault: this server runs few house bots."""
EACH = 4
"""Calls of each operation in a round."""

CALLED = settings(
    max_examples=EACH,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[*HealthCheck],
)


class Known:
    """Words that mean something to this server, so that not every call ends at the door."""

    def __init__(self, arena: Arena, dice: random.Random) -> None:
        self.dice = dice
        self.lobbies = ["*", "new"]
        self.tokens = []
        for game in GAMES:
            made = arena.rest.create(game, start_timeout_ms=3_600_000)
            joined = arena.rest.join(made["lobby"], game, "someone")
            self.lobbies.append(made["lobby"])
            self.tokens += [made["owner_token"], joined["token"]]

    def steer(self, case: Any) -> None:
        """Half of what could be known is."""
        for name in case.path_parameters or {}:
            words = {"game": list(GAMES), "lobby": self.lobbies, "match": self.lobbies}.get(name)
            if words and self.dice.random() < 0.5:
                case.path_parameters[name] = self.dice.choice(words)
        if self.dice.random() < 0.5:
            case.headers["Authorization"] = f"Bearer {self.dice.choice(self.tokens)}"
        if isinstance(case.body, dict) and "game" in case.body and self.dice.random() < 0.7:
            case.body["game"] = self.dice.choice(list(GAMES))


def check(case: Any, response: Any) -> None:
    case.validate_response(response, checks=DESCRIBED)
    answer = (
        f"{response.request.method} {response.request.url} {response.request.body!r}: "
        f"{response.status_code} {response.text}"
    )
    if response.status_code >= 400:
        refusal = response.json()
        assert refusal.keys() == {"code", "text", "field", "allowed"}, answer
        assert response.status_code < 500 or refusal["code"] in MEANT, answer


@pytest.mark.parametrize("seconds", [2, pytest.param(300, marks=pytest.mark.soak)])
def test_no_request_makes_the_server_fail_or_disturbs_a_match(
    target: Arena, seconds: float, capsys: pytest.CaptureFixture[str]
):
    schema = schemathesis.openapi.from_url(f"{target.url}/api/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    known = Known(target, random.Random(1))
    calls, rounds = 0, 0

    def one_round(operation: Any) -> None:
        @seed(rounds)
        @CALLED
        @given(case=operation.as_strategy())
        def calling(case: Any) -> None:
            nonlocal calls
            known.steer(case)
            calls += 1
            check(case, case.call())

        calling()

    with undisturbed(target) as matches:
        ends = time.monotonic() + seconds
        while rounds == 0 or time.monotonic() < ends:
            for operation in operations:
                one_round(operation)
            rounds += 1

    with capsys.disabled():
        print(f"\n{calls} calls of {len(operations)} operations beside {len(matches)} matches")
