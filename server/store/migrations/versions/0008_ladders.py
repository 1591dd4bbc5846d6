"""Games of ladders, challenges, map pools."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "ladder_games",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("begun_ms", sa.BigInteger, nullable=False),
        sa.Column("why", sa.String(40), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("pool", sa.Integer),
        sa.Column("map", sa.String(80)),
        sa.Column("players", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_ladder_games"),
    )
    op.create_index("ix_ladder_games_game_begun_ms", "ladder_games", ["game", "begun_ms"])
    op.add_column("rungs", sa.Column("challenges", sa.Text))
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("challenger", sa.String(40), nullable=False),
        sa.Column("challenged", sa.String(40)),
        sa.Column("bot", sa.String(80)),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.ForeignKeyConstraint(["challenger"], ["accounts.id"], name="fk_challenges_challenger"),
        sa.ForeignKeyConstraint(["challenged"], ["accounts.id"], name="fk_challenges_challenged"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    for columns in (
        ["game", "state", "created_ms"],
        ["challenger", "created_ms"],
        ["challenged", "created_ms"],
    ):
        op.create_index(f"ix_challenges_{'_'.join(columns)}", "challenges", columns)
    op.create_table(
        "map_pools",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("maps", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("account", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_map_pools_account"),
        sa.PrimaryKeyConstraint("game", "version", name="pk_map_pools"),
    )
