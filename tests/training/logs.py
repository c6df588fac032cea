"""Logs to build datasets from: what some supervisors of the classics played on training scenarios."""

from pathlib import Path

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.settings import Settings, open_arena
from training.dataset import Order, Source, build

CANARY = "classic-canary"
AGENTS = ("baseline", "threshold-only", "always-rollback")
SCENARIOS = tuple(f"{CANARY}/{task}/seed-{seed}" for task in ("easy", "hard") for seed in (0, 1, 3))
HELD_OUT = f"{CANARY}/easy/seed-2"


def played(folder, *, agents=AGENTS, scenarios=SCENARIOS, suite=CANARY):
    """Play every agent on every scenario and return the log as a source."""
    url = f"sqlite:///{folder / 'log.sqlite3'}"
    arena = open_arena(Settings(database_url=url))
    for scenario in scenarios:
        for agent in agents:
            play_episode(arena, find_supervisor(agent, suite), scenario)
    arena.close()
    return Source(url=url)


def made(source: Source, kind: str, folder: Path, **options):
    """Build a dataset with these options; return its card and its rows as they stand in the file."""
    import json

    card = build([source], Order(kind=kind, options=options), folder)
    return card, [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
