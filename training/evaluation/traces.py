"""Episodes to read: what an expert did, and what a policy did before and after its training, on the same cases."""

import json
from collections.abc import Iterator, Sequence

from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.rescore import Unscored
from releaseops_mcp.errors import EnvironmentFault
from releaseops_mcp.log.logged import read_episode
from training.datasets.rollout import Rollout, rollout_of
from training.evaluation.results import Column

CASES = 2


def trace(arena: Arena, episode: str, title: str) -> str:
    """Return a logged episode as Markdown; raises EnvironmentFault where it cannot be read back."""
    row = arena.store.episode(episode)
    rollout = rollout_of(read_episode(arena.store, row)) if row is not None else Unscored("it is not in the log")
    if isinstance(rollout, Unscored):
        raise EnvironmentFault(f"episode {episode} cannot be shown: {rollout.reason}")
    return "\n".join(_lines(rollout, title))


def cases(before: Column, after: Column) -> list[str]:
    """Return the scenarios where training changed most: for the better, then for the worse.

    Where nothing got worse the second case is the one that gained least. Scenarios without a figure are left out.
    """
    first = {each.scenario: each.reward for each in before.outcomes if each.reward is not None}
    gains = [
        (each.reward - first[each.scenario], each.scenario)
        for each in after.outcomes
        if each.reward is not None and each.scenario in first
    ]
    if not gains:
        return []
    return list(dict.fromkeys([max(gains)[1], min(gains)[1]]))[:CASES]


def episode_on(column: Column, scenario: str) -> str:
    """Return the id of a column's first episode on a scenario."""
    return next(each.episode for each in column.outcomes if each.scenario == scenario)


def _lines(rollout: Rollout, title: str) -> Iterator[str]:
    yield from (f"# {title}", "", f"Scenario `{rollout.scenario}`, return {rollout.reward:.4f}.", "")
    messages: Sequence[dict[str, object]] = rollout.messages()
    for message in messages[1:]:
        if message["role"] == "assistant":
            yield from _said(message)
        elif message["content"]:
            yield from ("```", str(message["content"]), "```", "")


def _said(message: dict[str, object]) -> Iterator[str]:
    if message["content"]:
        yield from (str(message["content"]), "")
    calls: list[dict[str, dict[str, object]]] = message.get("tool_calls", [])  # pyright: ignore[reportAssignmentType]
    for call in calls:
        made = call["function"]
        yield from (f"**{made['name']}** `{json.dumps(made['arguments'])}`", "")
