"""Servers in the test's own process that form one server by their settings."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from tests.e2e.arena import free_port
from tests.server.live_server import LiveServer, hosted


def together(*names: str) -> dict[str, dict[str, Any]]:
    """The settings of each of these processes: its name and port, and the others'."""
    ports = {name: free_port() for name in names}
    peers = ",".join(f"{name}=http://127.0.0.1:{port}" for name, port in ports.items())
    return {
        name: {"node": name, "port": port, "peers": peers, "peer_secret": "secret"}
        for name, port in ports.items()
    }


class Nodes:
    """Processes of one server on one database. `shared`: they have one data directory too."""

    def __init__(
        self, folder: Path, url: str | None, *names: str, shared: bool = False, **settings: Any
    ) -> None:
        self._folder = folder
        self._shared = shared
        self.settings = {
            name: own | {"database_url": url} | settings for name, own in together(*names).items()
        }
        self._lives: dict[str, ExitStack] = {}
        self.houses: dict[str, LiveServer] = {}
        self.organiser = ""

    def start(self, name: str, **settings: Any) -> LiveServer:
        life = self._lives[name] = ExitStack()
        data = self._folder if self._shared else self._folder / name
        self.houses[name] = life.enter_context(hosted(data, **self.settings[name] | settings))
        return self.houses[name]

    def stop(self, name: str) -> None:
        self._lives.pop(name).close()

    def close(self) -> None:
        for name in list(self._lives):
            self.stop(name)


def nodes(folder: Path, url: str | None, *names: str, **settings: Any) -> closing[Nodes]:
    return closing(Nodes(folder, url, *names, **settings))
