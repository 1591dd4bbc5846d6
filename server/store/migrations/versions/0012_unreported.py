"""Games of ladders whose results are still to be sent to the webhook."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("ladder_games", sa.Column("unreported", sa.Boolean))
    op.create_index("ix_ladder_games_unreported", "ladder_games", ["unreported"])
