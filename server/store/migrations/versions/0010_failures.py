"""Versions that do not come to their games, or crash in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("submissions", sa.Column("failures", sa.Integer))
