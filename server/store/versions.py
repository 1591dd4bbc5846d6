"""Which version the tables of a database are, and how they become the newest: an empty database
gets them as the code knows them, older ones go through the migrations. Alembic is long to import:
it comes only where there is something to migrate."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    select,
)

from server.store.tables import metadata

MIGRATIONS: Final = Path(__file__).with_name("migrations")
VERSIONS: Final = Table(  # Alembic's own, with the one row that says the version
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
_MIGRATING = threading.Lock()
"""Alembic knows one migration at a time within a process."""


class UnknownVersion(Exception):
    """Tables that this code does not know, those of a newer version; the text says which."""


def known() -> list[str]:
    """All versions, the oldest first: what the files of the migrations begin with."""
    files = (MIGRATIONS / "versions").glob("[0-9]*.py")
    return sorted(file.name.partition("_")[0] for file in files)


def current(connection: Connection) -> str | None:
    """The version of the tables; None: there are none yet."""
    if not inspect(connection).has_table(VERSIONS.name):
        return None
    return connection.execute(select(VERSIONS.c.version_num)).scalar()


def bring(connection: Connection, to: str | None = None) -> None:
    """Bring the tables up to `to`, or to the newest version. Raises UnknownVersion."""
    versions = known()
    newest = versions[-1]
    wanted = newest if to is None else to
    at = current(connection)
    for version in (at, wanted):
        if version is not None and version not in versions:
            why = f"tables of a newer version: {version}; this version knows them up to {newest}"
            raise UnknownVersion(why)
    if at == wanted:
        return
    if at is None and wanted == newest:
        metadata.create_all(connection, checkfirst=False)
        VERSIONS.create(connection)
        connection.execute(insert(VERSIONS), {"version_num": newest})
    else:
        _migrate(connection, wanted)


def _migrate(connection: Connection, to: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    with _MIGRATING:
        command.upgrade(config, to)
