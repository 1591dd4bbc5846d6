"""A thousand clients that join for two seats at the same time."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import Counter

import httpx

from tests.e2e.arena import Arena, hello, receive

JOINS = 1_000
AT_ONCE = 50
"""Clients: each has its next request ready when the last one is answered."""


def test_of_a_thousand_joins_two_succeed_and_the_others_get_one_code(arena: Arena) -> None:
    before = {lobby["lobby"] for lobby in arena.rest.lobbies()}
    made = arena.rest.create("pyrat", config={"preset": "tiny"}, clock={"startup_ms": 600_000})
    plain = (
        ssl.create_default_context()
    )  # one for all: it is not used, and creating one takes a while

    async def one(number: int) -> list[httpx.Response]:
        async with httpx.AsyncClient(
            base_url=arena.url, trust_env=False, verify=plain, timeout=60
        ) as http:
            path = f"/api/v1/lobbies/{made['lobby']}/join"
            return [
                await http.post(path, json={"name": f"n{number}.{n}"})
                for n in range(JOINS // AT_ONCE)
            ]

    async def joins() -> list[httpx.Response]:
        return [
            answer
            for answers in await asyncio.gather(*map(one, range(AT_ONCE)))
            for answer in answers
        ]

    begun = time.monotonic()
    answers = asyncio.run(joins())
    print(f"{JOINS} joins on two seats, {AT_ONCE} at once: {time.monotonic() - begun:.2f} s")

    assert Counter((answer.status_code, answer.json().get("code")) for answer in answers) == {
        (201, None): 2,
        (409, "lobby_full"): JOINS - 2,
    }
    won = sorted(
        (answer.json() for answer in answers if answer.status_code == 201),
        key=lambda seat: seat["seat"],
    )
    lobby = arena.rest.lobby(made["lobby"])
    assert [seat["seat"] for seat in won] == [0, 1]
    assert [seat["taken"] for seat in lobby["seats"]] == [True, True]
    assert {one["lobby"] for one in arena.rest.lobbies()} - before == {made["lobby"]}
    with arena.socket("play") as first, arena.socket("play") as second:
        for socket, seat in ((first, won[0]), (second, won[1])):
            assert hello(socket, token=seat["token"])["seat"] == seat["seat"]
        assert [seat["name"] for seat in receive(first, "start")["seats"]] == [
            seat["name"] for seat in lobby["seats"]
        ]
        arena.rest.leave(made["lobby"], won[0]["token"])
