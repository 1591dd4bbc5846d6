"""Bots that are handed in, their versions and files, and teams."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "files",
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_files"),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("built", sa.String(64)),
        sa.Column("file", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("language", sa.String(40)),
        sa.Column("entry", sa.String(400), nullable=False),
        sa.Column("account", sa.String(40), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("build_log", sa.Text),
        sa.Column("check_match", sa.Text),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_submissions_bot"),
        sa.ForeignKeyConstraint(["sha256"], ["files.sha256"], name="fk_submissions_sha256"),
        sa.ForeignKeyConstraint(["built"], ["files.sha256"], name="fk_submissions_built"),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_submissions_account"),
        sa.UniqueConstraint("bot", "version", name="uq_submissions_bot_version"),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
    )
    op.create_index("ix_submissions_state_created_ms", "submissions", ["state", "created_ms"])
    op.create_index("ix_submissions_account_created_ms", "submissions", ["account", "created_ms"])
    op.create_table(
        "teams",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("name", name="uq_teams_name"),
        sa.PrimaryKeyConstraint("id", name="pk_teams"),
    )
    op.create_table(
        "team_members",
        sa.Column("account", sa.String(40), nullable=False),
        sa.Column("team", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_team_members_account"),
        sa.ForeignKeyConstraint(
            ["team"], ["teams.id"], name="fk_team_members_team", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account", name="pk_team_members"),
    )
    op.create_index("ix_team_members_team", "team_members", ["team"])
    op.add_column("seats", sa.Column("version", sa.Integer))
    op.add_column("tournaments", sa.Column("freeze_ms", sa.BigInteger))
    with op.batch_alter_table("entrants") as entrants:
        entrants.add_column(sa.Column("submitted", sa.String(40)))
        entrants.create_foreign_key("fk_entrants_submitted", "bots", ["submitted"], ["id"])
