"""Tournaments with their facts and games, ladders, nodes and what they host."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("map", sa.String(200)),
        sa.Column("map_text", sa.Text),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("clock", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("account", sa.String(40)),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_tournaments_account"),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_state", "tournaments", ["state"])
    op.create_table(
        "facts",
        sa.Column("tournament", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("account", sa.String(40)),
        sa.Column("fact", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_facts_tournament", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_facts_account"),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_facts"),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament", sa.String(40), nullable=False),
        sa.Column("entry", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("bot", sa.String(80)),
        sa.Column("account", sa.String(40)),
        sa.Column("concurrency", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_entrants_tournament", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_entrants_account"),
        sa.PrimaryKeyConstraint("tournament", "entry", name="pk_entrants"),
    )
    op.create_index("ix_entrants_account", "entrants", ["account"])
    op.create_table(
        "pairings",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("tournament", sa.String(40), nullable=False),
        sa.Column("fixture", sa.String(40), nullable=False),
        sa.Column("seats", sa.String(400), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("match", sa.String(40)),
        sa.Column("taken_by", sa.String(40)),
        sa.Column("taken_ms", sa.BigInteger),
        sa.Column("ended_ms", sa.BigInteger),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_pairings_tournament", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("match", name="uq_pairings_match"),
        sa.UniqueConstraint(
            "tournament",
            "fixture",
            "seats",
            "attempt",
            name="uq_pairings_tournament_fixture_seats_attempt",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_pairings"),
    )
    op.create_index("ix_pairings_state_taken_ms", "pairings", ["state", "taken_ms"])
    op.create_index("ix_pairings_tournament", "pairings", ["tournament"])
    op.create_table(
        "rungs",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("concurrency", sa.Integer, nullable=False),
        sa.Column("joined_ms", sa.BigInteger, nullable=False),
        sa.Column("left_ms", sa.BigInteger),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_rungs_bot"),
        sa.PrimaryKeyConstraint("game", "bot", name="pk_rungs"),
    )
    op.create_table(
        "nodes",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("data", sa.String(40), nullable=False),
        sa.Column("url", sa.String(300), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("beat_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_nodes"),
    )
    op.create_table(
        "lobbies",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("node", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80)),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("locked", sa.Boolean, nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("free", sa.Integer, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lobbies"),
    )
    op.create_index("ix_lobbies_node", "lobbies", ["node"])
    op.create_index("ix_lobbies_seed", "lobbies", ["seed"])
    op.create_index("ix_lobbies_state_game_created_ms", "lobbies", ["state", "game", "created_ms"])
    op.create_table(
        "records",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_records_match", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match", "kind", name="pk_records"),
    )
