"""A run that was started again: the attempt before it stays to be read, and is what the run's record points to."""

from collections.abc import Mapping
from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft

MINUTES_LATER = 25


def tried_again(
    draft: Draft, failing: Mapping[str, str] | None = None, broken_steps: frozenset[str] = frozenset()
) -> None:
    """Make the named run a second attempt; in the first one these tests (message by id) or steps failed."""
    first = draft.runs[-1]
    place = len(draft.runs) - 1
    draft.runs[-1] = replace(first, failing=failing or {}, broken_steps=broken_steps)
    draft.runs.append(
        replace(first, id=draft.new_id("ci"), attempt=2, previous=place, minute=first.minute + MINUTES_LATER)
    )
