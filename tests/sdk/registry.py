"""Run the cases of sdk/conformance against the driver of an SDK. The README there describes the
format.

`python -m tests.sdk COMMAND …` runs them against any driver."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

REGISTRY: Final = Path(__file__).parents[2] / "sdk" / "conformance"
PATIENCE_S: Final = 60.0
"""Much longer than anything takes: only a fault waits for it."""
SETTLE_S: Final = 20.0
AT_ONCE: Final = 48
"""Cases that run at the same time: most of them wait for a reconnect."""

MOST_COMMANDS: Final = 1000
"""Of one frame (PROTOCOL.md)."""

Case = dict[str, Any]


class Fault(Exception):
    """What an SDK did that the case does not expect."""


def cases() -> list[Case]:
    """All cases of the registry."""
    return [
        json.loads(line)
        for path in sorted(REGISTRY.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


async def run(
    command: Sequence[str],
    chosen: Iterable[Case],
    lacks: Iterable[str] = (),
    *,
    settle_s: float = SETTLE_S,
) -> dict[str, str]:
    """What went wrong, by the names of the cases. `command` starts the driver; a case that needs a
    feature that the SDK `lacks` is left out. `settle_s`: how long the server reads what a client
    sent that has ended."""
    missing = set(lacks)
    scripts = [
        Script(number, case)
        for number, case in enumerate(chosen)
        if not missing & set(case.get("needs", ()))
    ]
    async with _served(scripts) as server:
        port = server.sockets[0].getsockname()[1]
        driver = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=2**24,
        )
        try:
            return await _verdicts(driver, scripts, port, settle_s)
        finally:
            with contextlib.suppress(ProcessLookupError):
                driver.kill()
            await driver.wait()


async def _verdicts(
    driver: asyncio.subprocess.Process, scripts: list[Script], port: int, settle_s: float
) -> dict[str, str]:
    assert driver.stdin is not None
    assert driver.stdout is not None
    assert driver.stderr is not None
    logged = asyncio.create_task(driver.stderr.read())
    reports: dict[str, asyncio.Future[Case]] = {}
    slots = asyncio.Semaphore(AT_ONCE)

    async def listen() -> str:
        assert driver.stdout is not None
        async for line in driver.stdout:
            report = json.loads(line)
            reports[report["name"]].set_result(report)
        return f"the driver ended with {await driver.wait()}: {(await logged).decode()[-3000:]}"

    async def one(script: Script) -> str | None:
        assert driver.stdin is not None
        async with slots:
            name = script.case["name"]
            reports[name] = asyncio.get_running_loop().create_future()
            for_driver = {key: value for key, value in script.case.items() if key != "server"}
            script.url = f"ws://127.0.0.1:{port}/{script.number}"
            driver.stdin.write(json.dumps({"url": script.url, "case": for_driver}).encode() + b"\n")
            played = asyncio.create_task(script.play())
            try:
                await asyncio.wait(
                    {reports[name], listening},
                    timeout=PATIENCE_S,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if not reports[name].done():
                    raise Fault(listening.result() if listening.done() else "")
                report = reports[name].result()
                await asyncio.wait_for(played, settle_s)
                _compare(script.case, report)
            except (Fault, TimeoutError) as fault:
                played.cancel()
                await asyncio.gather(played, return_exceptions=True)
                said = str(fault) or "the driver does not report"
                return "; ".join(filter(None, (script.fault, said)))
            return script.fault

    listening = asyncio.create_task(listen())
    found = await asyncio.gather(*map(one, scripts))
    listening.cancel()
    logged.cancel()
    names = [script.case["name"] for script in scripts]
    return {name: why for name, why in zip(names, found, strict=True) if why is not None}


@contextlib.asynccontextmanager
async def _served(scripts: list[Script]) -> Any:
    by_path = {str(script.number): script for script in scripts}

    def script_of(connection: ServerConnection) -> Script:
        assert connection.request is not None
        return by_path[connection.request.path.split("/")[1]]

    async def process_request(connection: ServerConnection, request: Request) -> Response | None:
        script = by_path[request.path.split("/")[1]]
        status = await script.admit(request.path)
        return None if status is None else connection.respond(HTTPStatus(status), "refused\n")

    async def handle(connection: ServerConnection) -> None:
        await script_of(connection).serve(connection)

    server: Server
    async with serve(
        handle,
        "127.0.0.1",
        0,
        compression=None,
        ping_interval=None,
        close_timeout=5,
        open_timeout=PATIENCE_S,
        process_request=process_request,
    ) as server:
        yield server


@dataclass
class Script:
    """The server's side of one case."""

    number: int
    case: Case
    url: str = ""
    fault: str | None = None
    _attempts: asyncio.Queue[tuple[str, asyncio.Future[int | None]]] = field(
        default_factory=asyncio.Queue
    )
    _sockets: asyncio.Queue[ServerConnection] = field(default_factory=asyncio.Queue)
    _socket: ServerConnection | None = None
    _done: asyncio.Event = field(default_factory=asyncio.Event)
    _names: dict[str, Any] = field(default_factory=dict)
    """The values of variables such as `$a`."""

    async def admit(self, path: str) -> int | None:
        """The HTTP status for an attempt to connect; None: it is accepted."""
        if self._done.is_set():
            self.fault = self.fault or "connected again after the end"
            return 410
        decision: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._attempts.put_nowait((path, decision))
        return await decision

    async def serve(self, connection: ServerConnection) -> None:
        self._sockets.put_nowait(connection)
        await connection.wait_closed()

    async def play(self) -> None:
        """Play all steps; what goes wrong is kept in `fault`."""
        number, step = 0, None
        try:
            for step in self.case["server"]:
                number += 1
                await asyncio.wait_for(self._step(step), PATIENCE_S)
            await asyncio.wait_for(self._expect_close(), PATIENCE_S)
        except asyncio.CancelledError:
            self.fault = self.fault or f"waits in step {number}, {_short(step)}"
            raise
        except TimeoutError:
            self.fault = f"nothing came for step {number}, {_short(step)}"
        except (Fault, ConnectionClosed) as fault:
            self.fault = f"step {number}, {_short(step)}: {fault}"
        finally:
            self._done.set()
            if self._socket is not None:
                self._socket.transport.abort()
            while not self._attempts.empty():
                self._attempts.get_nowait()[1].set_result(410)
                self.fault = self.fault or "connected once more"

    async def _step(self, step: Case) -> None:
        match step:
            case {"connect": hello}:
                await self._connect(hello, step.get("at", ""))
            case {"refuse": status}:
                (await self._attempts.get())[1].set_result(status)
            case {"send": frames}:
                for frame in frames:
                    await self._send(frame)
            case {"expect": expected}:
                self._match(expected, await self._receive())
            case {"collect": expected}:
                await self._collect(expected)
            case {"mark": number}:
                await self._send({"type": "event", "event": "mark", "turn": 0, "data": number})
                self._match({"type": "info", "data": {"mark": number}}, await self._receive())
            case {"ping": _}:
                await (await self._open.ping())
            case {"close": status}:
                await self._open.close(status, step.get("reason", ""))
                await self._expect_close()
            case {"drop": _}:
                self._open.transport.abort()
                self._socket = None
            case {"silence": _}:
                await self._expect_close()
            case _:
                raise Fault("no step of this format")

    @property
    def _open(self) -> ServerConnection:
        assert self._socket is not None
        return self._socket

    async def _connect(self, hello: Case, place: str) -> None:
        self._socket = None
        path, decision = await self._attempts.get()
        decision.set_result(None)
        self._socket = await self._sockets.get()
        end = "watch" if self.case.get("client", {}).get("match") else "play"
        expected = "/".join(filter(None, [f"/{self.number}", place, "ws", end]))
        if path != expected:
            raise Fault(f"expected a connection to {expected}, got {path}")
        self._match({"type": "hello", "protocol": 1} | hello, await self._receive())

    async def _send(self, frame: Any) -> None:
        if isinstance(frame, dict):
            frame = {key: self._value(value) for key, value in frame.items()}
            frame = json.dumps(frame, ensure_ascii=False)
        await self._open.send(frame)

    def _value(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return f"{self.url}{value[4:]}" if value.startswith("$url") else self._names[value]
        return value

    async def _receive(self) -> Case:
        frame = json.loads(await self._open.recv())
        assert isinstance(frame, dict)
        return frame

    def _match(self, expected: Case, frame: Case) -> None:
        for name, value in expected.items():
            got = frame.get(name)
            if isinstance(value, str) and value.startswith("$"):
                known = self._names.setdefault(value, got)
                right = got is not None and same(known, got)
            elif isinstance(value, dict) and "$max_length" in value:
                right = isinstance(got, str) and len(got) <= value["$max_length"]
            else:
                right = same(value, got) or (got is None and value is False)
            if not right:
                raise Fault(f"expected {_short(expected)}, got {_short(frame)}")

    async def _collect(self, expected: Case) -> None:
        """Commands that may be spread over several frames."""
        got: list[Any] = []
        while len(got) < len(expected["commands"]):
            frame = await self._receive()
            self._match({"type": "commands", "turn": expected["turn"]}, frame)
            if not 0 < len(frame["commands"]) <= MOST_COMMANDS:
                raise Fault(f"a frame of {len(frame['commands'])} commands")
            got += frame["commands"]
        self._match(expected, expected | {"commands": got})

    async def _expect_close(self) -> None:
        """The client closes the connection, or it is closed; no further frame comes."""
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                raise Fault(f"expected no further frame, got {_short(await self._receive())}")
            self._socket = None


def _compare(case: Case, report: Case) -> None:
    if not same(case["exit"], report["exit"]):
        raise Fault(f"expected exit code {case['exit']}, got {report['exit']}")
    expected, calls = case["calls"], report["calls"]
    for number, (right, call) in enumerate(zip(expected, calls, strict=False), start=1):
        if right[0] != call[0] or not _call_fits(right, call):
            raise Fault(f"call {number}: expected {_short(right)}, got {_short(call)}")
    if len(expected) != len(calls):
        rest = _short((expected + calls)[min(len(expected), len(calls)) :])
        raise Fault(f"expected {len(expected)} calls, got {len(calls)}: {rest}")


def _call_fits(expected: list[Any], call: list[Any]) -> bool:
    if expected[0] != "start":
        return same(expected[1], call[1])
    return all(same(value, call[1].get(name)) for name, value in expected[1].items())


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON; `1` and `1.0` are, `1` and `true` are not."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else f"{text[:400]}…"


def lines(faults: dict[str, str]) -> Iterator[str]:
    """For people."""
    for name, why in faults.items():
        yield f"{name}: {why}"
