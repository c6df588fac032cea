"""The suite `canary`: rollouts on stochastic telemetry, scored by expected cost under the hidden state.

    tools      the four tools, as declared once for every door
    episode    one rollout: decisions move traffic, every look takes time, time moves the telemetry
    views      what an agent is shown: the compact observation, and the longer views that it may ask for
    truth      what the scorer needs: never part of an observation
    splits     which seeds and families are for what
    suite, texts   the suite itself

The simulator lives in `releaseops_mcp.canary`, the reward in `releaseops_mcp.rewards.canary`.
"""

from releaseops_mcp.episodes.canary.suite import SUITE

__all__ = ["SUITE"]
