"""The suite `classic-canary`: six rollouts, one decision tool, the original canary manager's numbers exactly.

    tasks        the six tasks: names, difficulty, visible guardrails
    selection    how a seed chooses a constant
    tables       every constant of the telemetry, as data
    telemetry    the formulas: what a canary shows at some traffic and step
    dynamics     how a decision moves the rollout, and how it can end
    contract     the action and the observation
    arguments    judges a call's arguments, and words the refusal
    episode, suite, tools, texts   the suite itself

`telemetry` and `dynamics` are pure: the reward module recomputes what it grades with them, from the logged decisions.
"""

from releaseops_mcp.episodes.classic_canary.suite import SUITE

__all__ = ["SUITE"]
