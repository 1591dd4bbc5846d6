"""Processes that are one server know each other by their settings: only seeds are shared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.drop_table("lobbies")
    op.drop_table("nodes")
    op.create_table(
        "seeds",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("node", sa.String(40), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_seeds"),
    )
    op.create_index("ix_seeds_seed", "seeds", ["seed"])
