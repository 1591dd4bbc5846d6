"""Accounts, bots, matches with their seats and attempts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("disabled_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("node", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("name", sa.String(80)),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("map", sa.String(200)),
        sa.Column("faults", sa.String(40)),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("doors", sa.Text, nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("journal", sa.String(300), nullable=False),
        sa.Column("head", sa.String(64)),
        sa.Column("outcome", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_game_ended_ms_id", "matches", ["game", "ended_ms", "id"])
    op.create_index("ix_matches_seed", "matches", ["seed"])
    op.create_index("ix_matches_state_ended_ms_id", "matches", ["state", "ended_ms", "id"])
    op.create_table(
        "actions",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("account", sa.String(40)),
        sa.Column("verb", sa.String(40), nullable=False),
        sa.Column("target", sa.String(80)),
        sa.Column("details", sa.Text),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_actions_account"),
        sa.PrimaryKeyConstraint("id", name="pk_actions"),
    )
    op.create_index("ix_actions_at_ms", "actions", ["at_ms"])
    op.create_table(
        "attempts",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("pairing", sa.String(40)),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("blame", sa.String(40)),
        sa.Column("blamed", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_attempts_match", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match", "number", name="pk_attempts"),
    )
    op.create_index("ix_attempts_pairing", "attempts", ["pairing"])
    op.create_table(
        "bots",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("account", sa.String(40)),
        sa.Column("about", sa.Text),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("retired_ms", sa.BigInteger),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_bots_account"),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
        sa.UniqueConstraint("account", "game", "name", name="uq_bots_account_game_name"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("account", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("revoked_ms", sa.BigInteger),
        sa.Column("last_used_ms", sa.BigInteger),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_keys_account", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
        sa.UniqueConstraint("digest", name="uq_keys_digest"),
    )
    op.create_index("ix_keys_account", "keys", ["account"])
    op.create_table(
        "seats",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80)),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("bot", sa.String(80)),
        sa.Column("account", sa.String(40)),
        sa.Column("score", sa.Float),
        sa.Column("placement", sa.Integer),
        sa.Column("outcome", sa.String(40)),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_seats_match", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_seats"),
    )
    op.create_index("ix_seats_account", "seats", ["account"])
