"""Databases to test on: a SQLite file, or a schema of a PostgreSQL database that is made for one
test and dropped after it."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from client_sdk import private
from server.store.store import FILE, Store, sqlite_url

KINDS = ("sqlite", "postgresql")
SERVER = os.environ.get("BOTARENA_TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/test")
REQUIRED = os.environ.get("BOTARENA_TEST_POSTGRES") == "require"


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of an empty database, for as long as the context lasts. Skips where no PostgreSQL
    answers."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'test.sqlite3'}"
        return
    if (why := _unreachable()) is not None:
        if REQUIRED:
            pytest.fail(
                f"PostgreSQL is required (BOTARENA_TEST_POSTGRES), and does not answer: {why}"
            )
        pytest.skip(f"no PostgreSQL answers at {SERVER}: {why}")
    name = f"botarena_{secrets.token_hex(6)}"
    _run(f"create schema {name}")
    try:
        yield f"{SERVER}?options=-csearch_path%3D{name}"
    finally:
        _run(f"drop schema {name} cascade")


def tables_in(data: Path) -> None:
    """Put the tables into the data directory of a server that was never started: creating them
    takes a quarter of a start."""
    if not any(data.glob("*")):
        with private.opened(private.folder(data) / FILE, "wb") as database:
            database.write(_created())


@functools.cache
def _created() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        Store(sqlite_url(Path(folder))).migrate()
        return (Path(folder) / FILE).read_bytes()


def written(data: Path, statement: str, *values: Any) -> list[Any]:
    """What a statement gives on the SQLite file of a server's data directory, besides the server's
    own work."""
    database = sqlite3.connect(data / FILE, timeout=20)
    with database:
        found = database.execute(statement, values).fetchall()
    database.close()
    return found


@functools.cache
def _unreachable() -> str | None:
    try:
        _run("select 1")
    except psycopg.OperationalError as fault:
        return str(fault).splitlines()[0]
    return None


def _run(statement: str) -> None:
    with psycopg.connect(SERVER, autocommit=True, connect_timeout=5) as connection:
        connection.execute(statement)
