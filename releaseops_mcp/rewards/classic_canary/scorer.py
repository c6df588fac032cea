"""The scorer that the registry finds."""

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary import contract, dynamics, telemetry
from releaseops_mcp.rewards.base import Scorer, Tally
from releaseops_mcp.rewards.classic_canary.tally import CanaryTally


class CanaryScorer(Scorer):
    """The original canary grader: each decision graded on the state before it, the episode by their mean."""

    suite = "classic-canary"
    reward_id = CanaryTally.reward_id
    version = CanaryTally.version
    sources = (contract, dynamics, telemetry)

    def tally(self, truth: Json, first_observation: Json) -> Tally:
        """Return an empty tally for one episode."""
        return CanaryTally(truth, first_observation)


SCORER = CanaryScorer()
