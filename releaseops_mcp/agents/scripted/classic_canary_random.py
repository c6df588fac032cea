"""A supervisor of `classic-canary` that draws its decisions."""

from random import Random

from releaseops_mcp.agents.base import Brief, Play, supervisor
from releaseops_mcp.agents.scripted.classic_canary_policies import SUITE, decision, follow
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.contract import ACTION_TYPES, STATE_LABELS


@supervisor("random-valid", suite=SUITE, degenerate=True)
def random_valid(brief: Brief) -> Play:
    """Draws a valid decision at every step: action, label and flag, each evenly and by itself."""
    rng = Random(brief.seed)  # noqa: S311 - the same seed must play the same

    def rule(_: Json) -> Json:
        action, label, flag = rng.choice(ACTION_TYPES), rng.choice(STATE_LABELS), rng.random() < 0.5
        return decision(action, label, flag, "Drawn at random among valid decisions.")

    return follow(rule, brief)
