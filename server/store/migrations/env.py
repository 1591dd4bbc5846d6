"""How Alembic reaches the database: the server hands over its connection; the `alembic` command in
a clone opens its own."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from server.settings import Settings
from server.store.store import known_url, sqlite_url, synchronous_engine
from server.store.tables import metadata


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


given: Connection | None = context.config.attributes.get("connection")
if given is None:
    settings = Settings.model_validate({})
    engine = synchronous_engine(known_url(settings.database_url or sqlite_url(settings.data_dir)))
    with engine.connect() as own, own.begin():
        run(own)
    engine.dispose()
else:
    run(given)
