"""Fixed decisions on the hard task at seed 0: a good course, a bad one, and one that leaves open which it is."""

from collections.abc import Sequence

from releaseops_mcp.agents.scripted.classic_canary_policies import decision
from releaseops_mcp.episodes.base import Json

TASK, SEED = "hard", 0

_PROMOTE = decision("increase_10", "healthy", False, "The metrics are sound: promote at the usual pace.")
_WAIT_OUT = decision("hold", "noise", False, "Both fleets are slow alike, so this step waits.")
_WATCH = decision("hold", "warning", False, "The canary diverges within its guardrails: watch it.")
_PRESS_ON = decision("increase_10", "warning", False, "The canary diverges, but no guardrail is broken yet.")
_ROLL_BACK = decision("rollback", "breach", True, "A guardrail is broken, so the canary goes.")

AMBIGUOUS: Sequence[Json] = (_PROMOTE, _PROMOTE, _PROMOTE, _WAIT_OUT)
GOOD: Sequence[Json] = (*AMBIGUOUS, _WATCH, _ROLL_BACK)
BAD: Sequence[Json] = (*AMBIGUOUS, _PRESS_ON, _ROLL_BACK)
