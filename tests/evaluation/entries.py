"""Entries for the tests of the evaluation: one complete one, and variations of it."""

from dataclasses import replace
from typing import Any

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.facts import Facts

PLAYED = Played(
    episode_id="ep_1",
    scenario="toy/f99-leak/seed-1",
    suite="toy",
    family="f99-leak",
    agent="a",
    steps=2,
    invalid=0,
    reward=1.0,
    components={},
    metrics={},
    terminal_reason="decided",
    truncated=False,
    fault=None,
)


def entry(repeat: int = 0, *, facts: Facts | None = None, **changes: Any) -> Entry:
    """Return an entry whose episode differs in these fields from PLAYED."""
    return Entry(repeat=repeat, played=replace(PLAYED, **changes), facts=facts or Facts(passed=True))
