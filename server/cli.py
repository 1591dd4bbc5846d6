"""`botarena serve`: a server in the foreground."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated
from urllib.parse import urlsplit

import typer
import uvicorn
from pydantic import ValidationError

from server import log
from server.app import Arena, create_app
from server.descriptors import raise_limit
from server.folder import hold, share
from server.listening import configured, listening
from server.matches.archive import named
from server.nodes.family import Child, Family, ends_with_its_parent
from server.settings import Settings
from server.store.nodes import nobody_writes
from server.store.store import Store, StoreProblem, sqlite_url

NAME = "{node}"
TICKS_PER_SECOND = 10
"""uvicorn's own pulse."""


def serve(
    host: Annotated[str | None, typer.Option(help="Where it listens.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="Its port; 0: a free one.", show_default="8000")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="Where journals, results and replays go.", show_default="data")] = None,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
    workers: Annotated[int, typer.Option(min=1, max=64, help="So many processes, which use the next ports too.")] = 1,
    shared: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Run a server until it is told to stop (Ctrl-C, SIGTERM). Further settings come from the environment: BOTARENA_…"""
    if log_level not in log.LEVELS:
        raise typer.BadParameter(f"expected one of {', '.join(log.LEVELS)}", param_hint="--log-level")
    gc.freeze()  # what is imported stays: no collection has to look at it while the rest is made
    given = {"host": host, "port": port, "data_dir": data_dir}
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as fault:
        for error in fault.errors(include_url=False):
            problem = error["msg"].removeprefix("Value error, ")
            got = "" if problem != error["msg"] else f", got {error['input']!r}"
            _say(f"BOTARENA_{str(error['loc'][0]).upper()}: {problem}{got}")
        raise typer.Exit(2) from None
    log.configure(log_level, settings.log_format)
    raise_limit()
    if workers > 1:
        raise typer.Exit(_family(settings, workers, log_level))
    try:
        listener = listening(settings.host, settings.port, settings.send_buffer)
    except OSError as fault:
        _say(f"{settings.host}:{settings.port}: {fault.strerror or fault}")
        raise typer.Exit(1) from None
    settings = settings.model_copy(update={"port": listener.getsockname()[1]})
    with contextlib.ExitStack() as until_the_end:
        sockets = [until_the_end.enter_context(listener)]
        try:
            until_the_end.enter_context(hold(settings.data_dir, shared=settings.node is not None))
            arena = create_app(settings)
            if shared is None:
                arena.store.migrate()
        except (OSError, StoreProblem) as fault:
            _say(_why(fault, f"data directory {settings.data_dir}"))
            raise typer.Exit(1) from None
        server = Server(arena)
        gc.freeze()  # nor at what is there now while turns are played
        if shared is not None:
            sockets.append(until_the_end.enter_context(socket.socket(fileno=shared)))
            ends_with_its_parent()
        server.run(sockets=sockets)
    if not server.started:
        raise typer.Exit(1)


def _family(settings: Settings, workers: int, log_level: str) -> int:
    """Several processes that are one server; the status."""
    if os.name != "posix":
        _say("--workers: this system cannot share a port among processes")
        return 2
    if settings.public_url is not None and NAME not in settings.public_url:
        _say(f"--workers: BOTARENA_PUBLIC_URL needs {NAME} in it: each process has an address of its own")
        return 2
    with contextlib.ExitStack() as until_the_end:
        try:
            listener = until_the_end.enter_context(listening(settings.host, settings.port, settings.send_buffer))
            folder = until_the_end.enter_context(hold(settings.data_dir))
            store = Store(settings.database_url or sqlite_url(settings.data_dir))
            store.migrate()
            with store.connected(writes=True) as db:
                nobody_writes(db, named(settings.data_dir))
            share(folder)
        except (OSError, StoreProblem) as fault:
            _say(_why(fault, f"{settings.host}:{settings.port}"))
            return 1
        return _children(settings, workers, log_level, listener)


def _children(settings: Settings, workers: int, log_level: str, listener: socket.socket) -> int:
    """The processes, as long as they are wanted; the status."""
    port = listener.getsockname()[1]
    listener.listen(2048)
    listener.set_inheritable(True)
    command = [sys.executable, "-m", "client_sdk.cli", "serve", "--log-level", log_level, "--shared", str(listener.fileno())]
    command += ["--host", settings.host, "--data-dir", str(settings.data_dir)]
    prefix = "" if settings.node is None else f"{settings.node}."
    children = [
        Child(
            f"{prefix}{number}",
            port + number if settings.port else 0,
            command,
            os.environ | _child_of(settings, f"{prefix}{number}", number) | {"BOTARENA_FRONT_PORT": str(port)},
        )
        for number in range(1, workers + 1)
    ]
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    return Family(listener, children).run(f"http://{shown}:{port}")


def _child_of(settings: Settings, name: str, number: int) -> dict[str, str]:
    """What a process is told besides its own port: its name and, on several machines, where the others reach it."""
    if settings.node_url is None or not settings.port:
        return {"BOTARENA_NODE": name}
    asked = urlsplit(settings.node_url)
    return {"BOTARENA_NODE": name, "BOTARENA_NODE_URL": f"{asked.scheme}://{asked.hostname}:{settings.port + number}"}


def _why(fault: OSError | StoreProblem, what: str) -> str:
    """`what`: at what we were, where the fault names no file."""
    return str(fault) if isinstance(fault, StoreProblem) else f"{fault.filename or what}: {fault.strerror or fault}"


def _say(line: str) -> None:
    typer.echo(f"botarena: {line}", err=True)


class Server(uvicorn.Server):
    """uvicorn that says when it accepts, and lets the arena end its matches before it closes their connections."""

    def __init__(self, arena: Arena) -> None:
        super().__init__(configured(arena, arena.http_connections, arena.sockets.open, arena.settings))
        self._arena = arena
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            settings = self._arena.settings
            shown = f"[{settings.host}]" if ":" in settings.host else settings.host
            sys.stdout.write(f"listening on http://{shown}:{settings.port}\n")
            sys.stdout.flush()

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_PER_SECOND == 0:
            self._arena.http_connections.sweep(time.monotonic())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal stops; after a second one no match is waited for any more, nor any client."""
        if self.should_exit and self._loop is not None:
            self.force_exit = True
            self._loop.call_soon_threadsafe(self._arena.lobby_service.hurry.set)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await self._arena.stop()
        await asyncio.sleep(0)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal. uvicorn would raise it again when all is done, and the process would end by it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
