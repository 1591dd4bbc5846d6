"""Every table, once. The migrations lead here; a test compares the two.

Moments are whole ms since 1970. Ids are short random text (`server.tokens.new_id`). Documents are
JSON as ASCII text, so that every string a bot can send fits into every database."""

from __future__ import annotations

import json

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from games.core.contract import Json
from games.core.journal import encode


class Document(TypeDecorator[Json]):
    """Plain JSON in a text column; None stays NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Json, dialect: Dialect) -> str | None:
        if isinstance(value, msgspec.Raw):
            return bytes(value).decode("ascii")
        return None if value is None else encode(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Json:
        return None if value is None else json.loads(value)


ID = String(40)
NAME = String(80)
WORD = String(40)
MOMENT = BigInteger

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False),
    Column("kind", WORD, nullable=False),  # bot, organiser, spectator
    Column("created_ms", MOMENT, nullable=False),
    Column("disabled_ms", MOMENT),
)

keys = Table(
    "keys",
    metadata,
    Column("id", ID, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("created_ms", MOMENT, nullable=False),
    Column("revoked_ms", MOMENT),
    Column("last_used_ms", MOMENT),
)

actions = Table(  # what organisers did
    "actions",
    metadata,
    Column("id", ID, primary_key=True),
    Column("at_ms", MOMENT, nullable=False, index=True),
    Column("account", ForeignKey("accounts.id")),  # NULL: at the machine itself
    Column("verb", WORD, nullable=False),
    Column("target", String(80)),
    Column("details", Document),
)

bots = Table(
    "bots",
    metadata,
    Column("id", ID, primary_key=True),
    Column("game", WORD, nullable=False),
    Column("name", NAME, nullable=False),
    Column("account", ForeignKey("accounts.id")),  # NULL: a house bot
    Column("about", Text),
    Column("created_ms", MOMENT, nullable=False),
    Column("retired_ms", MOMENT),
    UniqueConstraint("account", "game", "name"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", ID, primary_key=True),
    Column("node", ID, nullable=False),  # the data directory that has its files
    Column("game", WORD, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("name", NAME),  # the lobby's
    Column("private", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("config", Document, nullable=False),
    Column("map", String(200)),
    Column("faults", WORD),
    Column("seed", BigInteger, nullable=False, index=True),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("doors", Document, nullable=False),  # salted digests of the tokens that may look in
    Column("state", WORD, nullable=False),  # running, over
    Column("created_ms", MOMENT, nullable=False),
    Column("started_ms", MOMENT, nullable=False),
    Column("ended_ms", MOMENT),
    Column("journal", String(300), nullable=False),  # relative to the data directory
    Column("head", String(64)),  # the journal's; NULL: it has no end
    Column("outcome", Document),
    Index("ix_matches_state_ended_ms_id", "state", "ended_ms", "id"),
    Index("ix_matches_game_ended_ms_id", "game", "ended_ms", "id"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("role", WORD, nullable=False),
    Column("name", NAME),
    Column("kind", WORD, nullable=False),  # bot, human
    Column("bot", NAME),  # the house bot's name
    Column("account", ID, index=True),  # no reference: a journal may come from another server
    Column("score", Float),
    Column("placement", Integer),
    Column("outcome", WORD),
)

attempts = Table(  # to play a match; a crash ends one, and taking it up again begins the next
    "attempts",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("pairing", ID, index=True),  # the tournament's game that it is for
    Column("state", WORD, nullable=False),  # running, over, interrupted
    Column("blame", WORD),  # bot, peer, infrastructure, organiser
    Column("blamed", Document),  # the seats, where a bot is to blame
    Column("reason", Text),
    Column("started_ms", MOMENT, nullable=False),
    Column("ended_ms", MOMENT),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False),
    Column("game", WORD, nullable=False),
    Column("config", Document, nullable=False),
    Column("map", String(200)),
    Column("map_text", Text),
    Column("format", Document, nullable=False),
    Column("clock", Document, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("state", WORD, nullable=False, index=True),  # follows from the facts; kept for lists
    Column("created_ms", MOMENT, nullable=False),
    Column("ended_ms", MOMENT),
    Column("account", ForeignKey("accounts.id")),  # who created it
)

facts = Table(  # the log of a tournament; nothing is ever changed or taken out
    "facts",
    metadata,
    Column("tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at_ms", MOMENT, nullable=False),
    Column("account", ForeignKey("accounts.id")),
    Column("fact", Document, nullable=False),
)

entrants = Table(  # who plays behind an entry; what a table calls it is in the facts
    "entrants",
    metadata,
    Column("tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("bot", NAME),  # a house bot's name
    Column("account", ForeignKey("accounts.id"), index=True),
    Column("concurrency", Integer, nullable=False),  # games that it plays at a time
)

pairings = Table(  # attempts to play a game: each is taken once and reaches one end
    "pairings",
    metadata,
    Column("id", ID, primary_key=True),
    Column(
        "tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("fixture", WORD, nullable=False),
    Column("seats", String(400), nullable=False),  # entries by seat, "3,1"
    Column("attempt", Integer, nullable=False),
    Column("state", WORD, nullable=False),  # running, over, dropped
    Column("match", ID, unique=True),
    Column("taken_by", ID),  # the node or worker that plays it
    Column("taken_ms", MOMENT),
    Column("ended_ms", MOMENT),
    UniqueConstraint("tournament", "fixture", "seats", "attempt"),
    Index("ix_pairings_state_taken_ms", "state", "taken_ms"),
)

rungs = Table(  # bots on a game's ladder
    "rungs",
    metadata,
    Column("game", WORD, primary_key=True),
    Column("bot", ForeignKey("bots.id"), primary_key=True),
    Column("concurrency", Integer, nullable=False),
    Column("joined_ms", MOMENT, nullable=False),
    Column("left_ms", MOMENT),
)

seeds = Table(  # of open lobbies and of games to come, where several processes are one server
    "seeds",
    metadata,
    Column("id", ID, primary_key=True),  # the lobby's, or the game's that is to come
    Column("node", ID, nullable=False),  # the process that has it
    Column("seed", BigInteger, nullable=False, index=True),
)

records = Table(  # records of matches that were played away from a server's data directory, gzipped
    "records",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", WORD, primary_key=True),  # journal, replay
    Column("content", LargeBinary, nullable=False),
)
