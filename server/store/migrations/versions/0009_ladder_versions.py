"""Bots that were handed in on ladders."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("rungs", sa.Column("submitted", sa.Boolean))
    op.add_column("ladder_games", sa.Column("seed", sa.BigInteger))
    op.add_column("ladder_games", sa.Column("taken_by", sa.String(40)))
    op.create_index("ix_ladder_games_taken_by", "ladder_games", ["taken_by"])
