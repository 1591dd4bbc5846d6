"""Matches are found by the names of their players."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_index("ix_seats_name_match", "seats", ["name", "match"])
