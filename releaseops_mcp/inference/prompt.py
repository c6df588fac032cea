"""What the model is told."""

import json

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.contract import (
    ACTION_TYPES,
    MIN_REASONING_CHARS,
    STATE_LABELS,
    CanaryObservation,
)
from releaseops_mcp.episodes.classic_canary.dynamics import MAX_STEPS

SYSTEM = f"""\
You supervise the canary rollout of a new software version. Each message shows the telemetry of one moment as JSON; \
answer with your decision as one JSON object and nothing else:
{{"action_type": ..., "reasoning": ..., "slo_breach_detected": ..., "state_assessment": ...}}

action_type, one of {", ".join(ACTION_TYPES)}: an increase adds that many percentage points of traffic, hold waits for \
one more moment of telemetry, rollback takes the canary out of service and ends the rollout.
state_assessment, one of {", ".join(STATE_LABELS)}: breach means that a guardrail (a rollback_on_ field that is not \
null) is exceeded; warning, that the canary worsens within its guardrails; noise, that canary and stable fleet are \
disturbed alike; phantom_alert, that several alerts fire over sound metrics.
slo_breach_detected: true exactly when the state is a breach.
reasoning: one sentence of at least {MIN_REASONING_CHARS} characters.

Promote a sound canary at a steady pace, slow down on a warning, wait out noise and phantom alerts, and roll back as \
soon as a guardrail is exceeded. There are at most {MAX_STEPS} decisions.
"""

_FIELDS = tuple(CanaryObservation.model_fields)


def user_message(observation: Json) -> str:
    """Return the 13 fields of an observation as compact JSON."""
    return json.dumps({field: observation[field] for field in _FIELDS}, separators=(",", ":"))
