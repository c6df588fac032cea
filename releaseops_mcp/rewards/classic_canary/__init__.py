"""The reward of `classic-canary`: the original canary grader, as a versioned scorer.

assessor   what the telemetry means (the hidden label)
grades     the table: state and action to label and weights
grader     one decision's grade
tally      the fold over a logged episode
record     the full account of an episode
texts      the sentences beside the figures
scorer     `SCORER`
"""

from releaseops_mcp.rewards.classic_canary.scorer import SCORER

__all__ = ["SCORER"]
