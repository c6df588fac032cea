"""The tables of the log, for SQLite and Postgres alike.

`events` is append-only and keyed by the episode's number, so that new rows land side by side; `episodes` is a
projection of it, with the chain's count and head, and moves in the same transaction. Numbers have no gaps: a missing
one is a lost episode.
"""

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
)

STORE_VERSION = 1
"""Version of these tables."""

metadata = MetaData()

counters = Table(
    "counters",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

truths = Table(
    "truths",
    metadata,
    Column("world_hash", String(64), primary_key=True),
    Column("suite", String(80), nullable=False),
    Column("truth", Text, nullable=False),
)

episodes = Table(
    "episodes",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("id", String(80), nullable=False, unique=True),
    Column("scenario", Text, nullable=False),
    Column("suite", String(80), nullable=False),
    Column("family", String(200), nullable=False),
    Column("agent", String(200), nullable=False),
    Column("world_hash", String(64), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("ended", Boolean, nullable=False),
    Column("terminal_reason", String(80)),
    Column("count", Integer, nullable=False),
    Column("head", String(64), nullable=False),
)
# Of a column that no step changes, so that the index moves only when an episode starts or ends.
Index("episodes_open", episodes.c.number, sqlite_where=~episodes.c.ended, postgresql_where=~episodes.c.ended)

events = Table(
    "events",
    metadata,
    Column("episode", BigInteger, ForeignKey("episodes.number"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", String(64), nullable=False),
)

scores = Table(
    "scores",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("episode", BigInteger, ForeignKey("episodes.number"), nullable=False, index=True),
    Column("at_count", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("reward_id", String(80), nullable=False),
    Column("version", String(40), nullable=False),
    Column("code_hash", String(64), nullable=False),
    Column("total", Float, nullable=False),
    Column("body", Text, nullable=False),
    Column("supersedes", BigInteger),
)

tickets = Table(
    "tickets",
    metadata,
    Column("ticket", String(40), primary_key=True),
    Column("scenario", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

blobs = Table(
    "blobs",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Sampled tokens and their log-probabilities: made on first use, so that a log from before it stays as it is."""
