"""The one tool of the suite."""

from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.classic_canary.contract import ACTION_TYPES, MIN_REASONING_CHARS, STATE_LABELS

DECIDE = ToolSpec(
    name="decide_rollout",
    title="Decide the next rollout step",
    description=(
        "Move the canary's traffic, keep it where it is, or roll it back, and say what you believe the telemetry "
        "means. Every valid call is one decision of the rollout; a rollback is final."
    ),
    parameters=(
        Parameter(
            name="action_type",
            type="string",
            description=(
                "increase_5, increase_10 and increase_25 add 5, 10 or 25 percentage points of traffic; hold waits one "
                "step; rollback takes the canary out of service and ends the rollout."
            ),
            enum=ACTION_TYPES,
        ),
        Parameter(
            name="reasoning",
            type="string",
            description=f"Why, in your own words: at least {MIN_REASONING_CHARS} characters.",
            min_length=MIN_REASONING_CHARS,
        ),
        Parameter(
            name="slo_breach_detected",
            type="boolean",
            description="Whether you hold the canary to be in breach of its service level right now.",
        ),
        Parameter(
            name="state_assessment",
            type="string",
            description=(
                "What the telemetry shows: healthy; warning (worsening, no guardrail broken); noise (both fleets "
                "disturbed alike); phantom_alert (alerts without a cause in the metrics); breach."
            ),
            enum=STATE_LABELS,
        ),
    ),
    read_only=False,
    destructive=True,
)

TOOLS = (DECIDE,)
