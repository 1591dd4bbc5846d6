"""The form of a token, by which it is kept out of logs and answers."""

from __future__ import annotations

import json

import pytest

from server.errors import Refusal
from server.tokens import holds_token, is_key, masked, new_token

KINDS = ("seat", "owner", "invite", "key")


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_kind_of_a_token_is_shown(kind):
    token = new_token(kind)

    assert masked(f"no lobby is called '{token}'") == f"no lobby is called '{kind[0]}_…'"
    assert masked(f"x{token}{token}") == f"x{kind[0]}_…{kind[0]}_…"
    assert is_key(token) == (kind == "key")


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_with_a_token_is_recognised(kind):
    for _ in range(100):
        assert holds_token(json.dumps({"type": "info", "data": [new_token(kind)]}).encode())


def test_text_that_only_resembles_a_token_is_not_one():
    for word in (
        "bots_" + "a" * 32,
        "s_" + "a" * 31,
        "s_" + "a" * 33,
        "x_" + "a" * 32,
        "s_" + "a" * 20 + "." + "a" * 11,
    ):
        assert not holds_token(json.dumps(word).encode()), word


def test_a_refusal_repeats_no_token():
    token = new_token("seat")
    refusal = Refusal(
        404, "no_such_lobby", f"no lobby is called {token}", field=f"config.{token}"
    ).json()

    assert token[2:] not in json.dumps(refusal)
    assert refusal["field"] == "config.s_…"
