"""What the big screen of a tournament has shown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("screen_ms", sa.BigInteger))
    op.add_column("tournaments", sa.Column("screened", sa.Text))
