"""Versions that are tested against the one that plays before they play."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("submissions", sa.Column("trial", sa.Boolean))
    op.add_column("submissions", sa.Column("promoted_ms", sa.BigInteger))
    op.add_column("ladder_games", sa.Column("trial", sa.String(40)))
    op.add_column("ladder_games", sa.Column("score", sa.Float))
    op.create_index("ix_ladder_games_trial", "ladder_games", ["trial"])
