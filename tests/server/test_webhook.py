"""The line per event that a server sends to the operator's URL."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest

from server import webhook
from server.settings import Settings
from server.webhook import MOST, Webhook

URL = "https://chat.example/hook/secret"


async def sent(
    answers: Sequence[int | Exception], say: Callable[[Webhook], None], requests: int
) -> list[dict[str, Any]]:
    """The bodies of this number of requests, which are answered so one after the other."""
    got: list[dict[str, Any]] = []
    enough = asyncio.Event()

    def answer(request: httpx.Request) -> httpx.Response:
        got.append(json.loads(request.content))
        found = answers[len(got) - 1]
        if len(got) == requests:
            enough.set()
        if isinstance(found, Exception):
            raise found
        return httpx.Response(found, headers={"Location": "https://elsewhere.example/"})

    hook = Webhook(URL, httpx.MockTransport(answer))
    say(hook)
    keeping = asyncio.create_task(hook.keep())
    async with asyncio.timeout(30):
        await enough.wait()
    for _ in range(20):  # nothing more comes
        await asyncio.sleep(0)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    return got


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "RETRIES_S", (0.0, 0.0, 0.0))


def two(hook: Webhook) -> None:
    hook.post("one", "a line\nand  more", game="pyrat")
    hook.post("two", "another")


async def test_events_come_in_order_as_one_line_each():
    got = await sent([204, 200], two, 2)

    assert [(one["event"], one["text"]) for one in got] == [
        ("one", "a line and more"),
        ("two", "another"),
    ]
    assert got[0]["game"] == "pyrat"
    assert got[0]["at_ms"] > 0


@pytest.mark.parametrize("fault", [500, 429, httpx.ConnectError("no"), httpx.ReadTimeout("no")])
async def test_an_event_is_sent_again_three_times_and_then_dropped(fault):
    got = await sent([fault] * 4 + [200], two, 5)

    assert [one["event"] for one in got] == ["one"] * 4 + ["two"]


@pytest.mark.parametrize("status", [301, 302, 307, 400, 404])
async def test_a_redirect_or_a_refusal_is_final(status):
    got = await sent([status, 200], two, 2)

    assert [one["event"] for one in got] == ["one", "two"]


async def test_more_events_than_may_wait_are_dropped():
    hook = Webhook(URL)
    for number in range(MOST + 5):
        hook.post("many", str(number))

    assert hook._events.qsize() == MOST


async def test_without_a_url_nothing_waits_to_be_sent():
    hook = Webhook(None)
    hook.post("one", "a line")
    await hook.keep()

    assert hook._events.empty()


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        (URL, True),
        ("http://127.0.0.1:9/hook", True),
        ("http://localhost/hook", True),
        ("http://[::1]:9/", True),
        ("http://chat.example/hook", False),
        ("http://127.0.0.1.example/", False),
        ("https://", False),
        ("file:///etc/passwd", False),
        ("chat.example", False),
    ],
)
def test_the_url_is_https_or_of_this_machine(url: str, taken: bool):
    if taken:
        assert URL not in repr(Settings(webhook_url=url))
    else:
        with pytest.raises(ValueError, match="expected https"):
            Settings(webhook_url=url)
