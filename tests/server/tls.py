"""A proxy that ends TLS before a server, as one in front of a real one does."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import trustme

HEAD = b" HTTP/1.1\r\n"


@contextlib.contextmanager
def terminating(ca: trustme.CA, url: str) -> Iterator[str]:
    """The address, with https, of a proxy for the server at `url`; it forwards the client's address
    and scheme."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("localhost").configure_cert(context)
    ready: list[int] = []
    started, over = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        lines: set[asyncio.Task[None]] = set()

        async def line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            lines.add(task)
            await _between(reader, writer, url, ready[0])

        server = await asyncio.start_server(line, "127.0.0.1", 0, ssl=context)
        ready.append(server.sockets[0].getsockname()[1])
        started.set()
        await over.wait()
        server.close()
        for task in lines:
            task.cancel()
        await asyncio.gather(*lines, return_exceptions=True)

    def run() -> None:
        with contextlib.closing(loop):
            loop.run_until_complete(serve())

    thread = threading.Thread(target=run)
    thread.start()
    started.wait()
    try:
        yield f"https://localhost:{ready[0]}"
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


async def _between(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, url: str, port: int
) -> None:
    place = urlsplit(url)
    header = (
        "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: "
        f"localhost:{port}\r\n"
    ).encode()
    inner_reader, inner_writer = await asyncio.open_connection(place.hostname, place.port)

    async def pour(
        source: asyncio.StreamReader, target: asyncio.StreamWriter, extra: bytes = b""
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                target.write(data.replace(HEAD, HEAD + extra, 1) if extra else data)
                await target.drain()
        target.close()

    try:
        await asyncio.gather(pour(reader, inner_writer, header), pour(inner_reader, writer))
    finally:
        for one in (writer, inner_writer):
            one.transport.abort()
