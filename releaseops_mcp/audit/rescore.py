"""Scores an episode from its log and its truth alone: neither generator nor dynamics are asked."""

from collections.abc import Iterable, Iterator
from typing import Any

from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.events import EpisodeStart, ToolCall, ToolResult
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.store import ScoreDraft
from releaseops_mcp.rewards.base import Score, Step, Tally
from releaseops_mcp.rewards.registry import code_hash, scorers


def fold(events: Iterable[LoggedEvent], truth: dict[str, Any]) -> Tally:
    """Return the tally of a whole episode; raises VersionMismatch where no scorer for its suite is installed."""
    iterator = iter(events)
    start = next(iterator)
    assert start.kind == EpisodeStart.kind
    scorer = scorers().get(start.data["suite"])
    if scorer is None:
        raise VersionMismatch(f"no reward for suite {start.data['suite']} is installed: the episode stays unscored")
    tally = scorer.tally(truth, start.data["observation"])
    for step in steps_of(iterator, start.data["observation"]):
        tally.add(step)
    return tally


def steps_of(events: Iterable[LoggedEvent], seen: dict[str, Any]) -> Iterator[Step]:
    """Yield the judged calls; one that was refused stands with the observation `seen` before it."""
    call: dict[str, Any] = {}
    for event in events:
        if event.kind == ToolCall.kind:
            call = event.data
        elif event.kind == ToolResult.kind:
            data = event.data
            seen = data["observation"] if data["observation"] is not None else seen
            if data["judged"]:
                yield Step(
                    call["tool"],
                    call["arguments"],
                    data["error"],
                    data["result"],
                    seen,
                    data["done"],
                    data["terminal_reason"],
                )


def score_draft(score: Score, reason: str | None, ended: bool) -> ScoreDraft:
    """Return a score as it is stored: with the hash of the code that made it and how whole the episode is.

    Validity is `complete` where the world came to its end, `closed` where the agent closed the record, `expired` where
    nobody did, and `running` before that.
    """
    validity = (
        ("closed" if reason is None else "expired" if reason == "expired" else "complete") if ended else "running"
    )
    scorer = next(scorer for scorer in scorers().values() if scorer.reward_id == score.reward_id)
    flags: list[str] = []
    body = {"components": score.components, "metrics": score.metrics, "flags": flags, "validity": validity}
    return ScoreDraft(score.reward_id, score.version, code_hash(type(scorer)), score.total, body)
