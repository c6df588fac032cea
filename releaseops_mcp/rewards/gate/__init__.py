"""The reward of the suite `gate`: decisions, evidence, the end, and what it cost.

weights       every figure, as data
account       the fold over the steps: versions shown, decisions, pages read
figures       from an account to the components
scorer        the tally and its metrics
clairvoyant   the best play with full knowledge, and gold
"""

from releaseops_mcp.rewards.gate.scorer import SCORER

__all__ = ["SCORER"]
