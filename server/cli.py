"""`botarena serve`: a server in the foreground."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
import uvicorn
from pydantic import SecretStr, ValidationError
from typer import Option

from client_sdk.supervised import end_with_supervisor, say_listening
from server import log
from server.app.arena import Arena, create_app
from server.cluster.supervisor import SupervisedProcess, Supervisor
from server.folder import hold, hold_name, share
from server.gateways import GatewaySockets, gateway_secret, supervised
from server.net.descriptors import raise_limit
from server.net.listening import configured, listening
from server.settings import Settings
from server.store.store import Store, StoreProblem, sqlite_url

NAME = "{node}"
COLLECT_AFTER = (20_000, 10, 10)
"""Thresholds of the garbage collector. The turns of a hundred matches allocate, between two views,
several thousand objects that no cycle holds: with the default of 700 they are all looked at several
times, and all matches that run with them."""
TICKS_PER_SECOND = 10
"""uvicorn's own pulse."""


def serve(
    host: Annotated[str | None, Option(help="Where it listens.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, Option(help="Port; 0: a free one.", show_default="8000")] = None,
    data_dir: Annotated[
        Path | None, Option(help="Where journals, results and replays go.", show_default="data")
    ] = None,
    log_level: Annotated[log.Level, Option(help="The least urgent lines to log.")] = "info",
    workers: Annotated[
        int, Option(min=1, max=64, help="Number of processes; they use the next ports too.")
    ] = 1,
    cadre_port: Annotated[
        int | None, Option(help="Serve clients of Catastrophe's contest at this TCP port too.")
    ] = None,
    signalr_port: Annotated[
        int | None, Option(help="Serve bots of Zooscape's contest at this port too.")
    ] = None,
    inherited: Annotated[str | None, Option(hidden=True)] = None,
) -> None:
    """Run a server until Ctrl-C or SIGTERM. The environment has further settings: BOTARENA_…"""
    gc.freeze()  # what is imported stays: no collection has to look at it while the rest is made
    given: dict[str, Any] = {
        "host": host,
        "port": port,
        "data_dir": data_dir,
        "cadre_port": cadre_port,
        "signalr_port": signalr_port,
    }
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as fault:
        for error in fault.errors(include_url=False):
            problem = error["msg"].removeprefix("Value error, ")
            got = "" if problem != error["msg"] else f", got {error['input']!r}"
            _say(f"BOTARENA_{str(error['loc'][0]).upper()}: {problem}{got}")
        raise typer.Exit(2) from None
    if settings.gateway_secret is None:
        settings = settings.model_copy(
            update={"gateway_secret": SecretStr(secrets.token_urlsafe(32))}
        )
    log.configure(log_level, settings.log_format)
    raise_limit()
    if workers > 1:
        raise typer.Exit(_supervise(settings, workers, log_level))
    try:
        if inherited is None:
            sockets = [listening(settings.host, settings.port, settings.send_buffer)]
        else:
            sockets = [socket.socket(fileno=int(file)) for file in inherited.split(",")]
    except OSError as fault:
        _say(f"{settings.host}:{settings.port}: {fault.strerror or fault}")
        raise typer.Exit(1) from None
    settings = settings.model_copy(update={"port": sockets[0].getsockname()[1]})
    with contextlib.ExitStack() as until_the_end:
        for one in sockets:
            until_the_end.enter_context(one)
        try:
            until_the_end.enter_context(hold(settings.data_dir, shared=settings.node is not None))
            if settings.node is not None:
                until_the_end.enter_context(hold_name(settings.data_dir, settings.node))
            arena = create_app(settings)
            if inherited is None:
                arena.storage.store.migrate()
                gateways = until_the_end.enter_context(GatewaySockets(settings))
        except (OSError, StoreProblem) as fault:
            _say(_why(fault, f"data directory {settings.data_dir}"))
            raise typer.Exit(1) from None
        server = ArenaServer(arena)
        gc.freeze()  # nor at what is there now while turns are played
        gc.set_threshold(*COLLECT_AFTER)
        if inherited is not None:
            end_with_supervisor()
        elif processes := gateways.processes(settings):
            until_the_end.enter_context(supervised(processes))
        server.run(sockets=sockets)
    if not server.started:
        raise typer.Exit(1)


def _supervise(settings: Settings, workers: int, log_level: str) -> int:
    """Several processes that are one server; the status."""
    if os.name != "posix":
        _say("--workers: this system cannot share a port among processes")
        return 2
    if settings.public_url is not None and NAME not in settings.public_url:
        _say(f"--workers: BOTARENA_PUBLIC_URL needs {NAME}: each process has its own address")
        return 2
    prefix = "" if settings.node is None else f"{settings.node}."
    names = [f"{prefix}{number}" for number in range(1, workers + 1)]
    if settings.peers is not None and (missing := sorted(set(names) - settings.peer_urls.keys())):
        _say(f"--workers: BOTARENA_PEERS names no {missing[0]}")
        return 2
    with contextlib.ExitStack() as until_the_end:
        try:
            sockets = [until_the_end.enter_context(_listener(settings, settings.port))]
            port = sockets[0].getsockname()[1]
            ports = range(port + 1, port + 1 + workers) if settings.port else [0] * workers
            sockets += [until_the_end.enter_context(_listener(settings, own)) for own in ports]
            gateways = until_the_end.enter_context(GatewaySockets(settings))
            folder = until_the_end.enter_context(hold(settings.data_dir))
            Store(settings.database_url or sqlite_url(settings.data_dir)).migrate()
            share(folder)
        except (OSError, StoreProblem) as fault:
            _say(_why(fault, f"{settings.host}:{settings.port}"))
            return 1
        children = _children(settings, names, log_level, sockets)
        children += gateways.processes(settings.model_copy(update={"port": port}))
        return Supervisor([*sockets, *gateways.all], children).run(_url(settings.host, port))


def _listener(settings: Settings, port: int) -> socket.socket:
    """A socket to inherit, on which connections wait from now on. Raises OSError."""
    found = listening(settings.host, port, settings.send_buffer)
    found.listen(2048)
    found.set_inheritable(True)
    return found


def _children(
    settings: Settings, names: Sequence[str], log_level: str, sockets: Sequence[socket.socket]
) -> list[SupervisedProcess]:
    shared, *own = sockets
    ports = [listener.getsockname()[1] for listener in own]
    together = {"BOTARENA_FRONT_PORT": str(shared.getsockname()[1])} | gateway_secret(settings)
    if settings.peers is None:
        urls = [settings.model_copy(update={"port": port}).local_url for port in ports]
        together["BOTARENA_PEERS"] = ",".join(
            f"{name}={url}" for name, url in zip(names, urls, strict=True)
        )
        together["BOTARENA_PEER_SECRET"] = secrets.token_urlsafe(32)
    command = [sys.executable, "-P", "-m", "client_sdk.cli", "serve", "--log-level", log_level]
    command += ["--host", settings.host, "--data-dir", str(settings.data_dir)]
    children = []
    for name, port, listener in zip(names, ports, own, strict=True):
        files = [listener.fileno(), shared.fileno()]
        words = [*command, "--port", str(port), "--inherited", ",".join(map(str, files))]
        environment = os.environ | together | {"BOTARENA_NODE": name}
        children.append(SupervisedProcess(name, words, environment, files))
    return children


def _why(fault: OSError | StoreProblem, what: str) -> str:
    """`what`: at what we were, where the fault names no file."""
    if isinstance(fault, StoreProblem):
        return str(fault)
    return f"{fault.filename or what}: {fault.strerror or fault}"


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _say(line: str) -> None:
    typer.echo(f"botarena: {line}", err=True)


class ArenaServer(uvicorn.Server):
    """uvicorn that reports when it accepts, and ends matches before it closes connections."""

    def __init__(self, arena: Arena) -> None:
        http, settings = arena.http, arena.process.settings
        super().__init__(configured(arena, http.connections, http.sockets.open, settings))
        self._arena = arena
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            settings = self._arena.process.settings
            say_listening(_url(settings.host, settings.port))

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_PER_SECOND == 0:
            self._arena.http.connections.sweep(time.monotonic())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal stops; after a second one no match or client is waited for."""
        if self.should_exit and self._loop is not None:
            self.force_exit = True
            self._loop.call_soon_threadsafe(self._arena.matches.service.hurry.set)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await self._arena.stop()
        await asyncio.sleep(0)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal. uvicorn would raise it again at the end, which ends the process."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self.handle_exit)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
