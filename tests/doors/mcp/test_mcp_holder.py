"""A log that cannot be opened, or goes away: every call says so, and the first one after it is back works."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest
from mcp import Client
from sqlalchemy import create_engine

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.limits import Sources
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.errors import ReleaseOpsError, StoreUnavailable
from releaseops_mcp.log.engine import Database, open_database
from releaseops_mcp.log.store import Store
from releaseops_mcp.settings import Settings, open_arena, read_settings
from tests.doors.mcp.doorkit import CANARY, body_of, error_of, hold, start

pytestmark = pytest.mark.anyio

SOURCES = Sources(now=time.time, timer=time.perf_counter, token=lambda size: os.urandom(size).hex())


@pytest.fixture
def holder(settings: Settings) -> Iterator[ArenaHolder]:
    holder = ArenaHolder(lambda: open_arena(settings))
    yield holder
    holder.close()


@pytest.fixture
def file(database_url: str) -> Path:
    return Path(database_url.removeprefix("sqlite:///"))


async def test_a_file_that_is_no_log_is_told_and_replaced(
    holder: ArenaHolder, file: Path, client_of: Callable[..., Client]
) -> None:
    file.write_bytes(b"this is no database, whatever its name says" * 100)
    async with client_of(build_server(holder)) as client:
        refusals = [error_of(await client.call_tool("start_episode", {"scenario": CANARY})) for _ in range(2)]
        file.unlink()
        episode_id = await start(client)

    assert episode_id
    for refusal in refusals:
        assert refusal.startswith("store_unavailable: ")


async def test_a_log_of_a_newer_version_is_told(
    holder: ArenaHolder, settings: Settings, file: Path, client_of: Callable[..., Client]
) -> None:
    open_arena(settings).close()
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE counters SET value = 99 WHERE name = 'store_version'")
        database.commit()
    async with client_of(build_server(holder)) as client:
        refusal = error_of(await client.call_tool("list_scenarios", {}))

    assert refusal.startswith("schema_too_new: ")


async def test_a_log_that_may_not_be_written_recovers(
    settings: Settings, file: Path, client_of: Callable[..., Client]
) -> None:
    open_arena(settings).close()
    read_only = Database(create_engine(f"sqlite:///file:{file}?mode=ro&uri=true"))
    arenas = iter([Arena(Store(read_only), SOURCES), open_arena(settings)])
    holder = ArenaHolder(lambda: next(arenas))
    async with client_of(build_server(holder)) as client:
        refusal = error_of(await client.call_tool("start_episode", {"scenario": CANARY}))
        episode_id = await start(client)
    holder.close()

    assert refusal.startswith("store_unavailable: ")
    assert episode_id


async def test_a_log_that_is_locked_recovers(settings: Settings, file: Path, client_of: Callable[..., Client]) -> None:
    def open_impatiently() -> Arena:
        return Arena(Store(open_database(settings.database_url, busy_seconds=0.1)), SOURCES)

    holder = ArenaHolder(open_impatiently)
    async with client_of(build_server(holder)) as client:
        episode_id = await start(client)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refusal = error_of(await hold(client, episode_id))
            other.execute("ROLLBACK")
        answer = body_of(await hold(client, episode_id))
    holder.close()

    assert refusal.startswith("store_unavailable: ")
    assert answer["step"] == 1


async def test_a_setting_that_does_not_fit_is_told(
    client_of: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RELEASEOPS_IDLE_HOURS", "soon")
    async with client_of(build_server(ArenaHolder())) as client:
        refusal = error_of(await client.call_tool("list_scenarios", {}))

    assert refusal.startswith("invalid_argument: RELEASEOPS_IDLE_HOURS: ")


def test_waiting_threads_share_one_failed_attempt() -> None:
    attempts: list[int] = []
    begun = Barrier(5)

    def fail() -> Arena:
        attempts.append(1)
        time.sleep(0.3)
        raise StoreUnavailable("not now")

    holder = ArenaHolder(fail)

    def get() -> str:
        begun.wait()
        try:
            holder.get()
        except ReleaseOpsError as error:
            return error.code
        return ""

    with ThreadPoolExecutor(5) as pool:
        codes = [future.result() for future in [pool.submit(get) for _ in range(5)]]

    assert codes == ["store_unavailable"] * 5
    assert len(attempts) == 1


def test_a_lost_arena_is_opened_anew(settings: Settings) -> None:
    holder = ArenaHolder(lambda: open_arena(settings))
    first = holder.get()
    holder.lost(first)
    second = holder.get()
    holder.lost(first)

    assert second is not first
    assert holder.get() is second
    holder.close()
    holder.close()


def test_allowed_hosts_are_split_at_commas() -> None:
    settings = read_settings({"RELEASEOPS_ALLOWED_HOSTS": "arena.example.org, 10.0.0.7 ,"})

    assert settings.allowed_hosts == ("arena.example.org", "10.0.0.7")
    assert read_settings({}).allowed_hosts == ()
