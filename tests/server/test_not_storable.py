"""What no database could hold is sought: the answer does not blame the database."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.e2e.arena import connected, receive, send
from tests.server.live_server import hosted
from tests.stores import KINDS, database

ADDRESSES = (
    "/matches/%00",
    "/matches/%00/journal",
    "/matches?bot=%00",
    "/matches?before=%00",
    "/replays/%00",
    "/tournaments/%00",
    "/tournaments/%00/page",
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_for_what_is_never_stored_is_answered_as_for_what_is_not_there(
    kind: str, tmp_path: Path
) -> None:
    with (
        database(kind, tmp_path) as url,
        hosted(tmp_path, database_url=url) as server,
        capture_logs() as logs,
    ):
        for address in ADDRESSES:
            assert server.get(address).status_code in (200, 404, 422), address
        with connected(f"{server.url.replace('http', 'ws')}/ws/watch") as socket:
            send(socket, type="hello", protocol=1, match="\0")
            assert receive(socket, "error")["code"] == "no_such_match"
        assert not [line for line in logs if line["log_level"] in ("warning", "error")]
