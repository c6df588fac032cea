"""The tools of the suite, as declared once for every door."""

from releaseops_mcp.canary.metrics import METRICS
from releaseops_mcp.canary.on_call import QUESTIONS
from releaseops_mcp.catalogue import Parameter, ToolSpec

ACTION_TYPES = ("increase_5", "increase_10", "increase_25", "hold", "rollback")
DIAGNOSES = ("healthy", "regression", "shared_incident", "warm_up", "alert_noise", "bad_telemetry")
ALERTS, SETUP = "alerts", "setup"
VIEWS = (*METRICS, ALERTS, SETUP)
"""What inspect_metric shows: the series, the firing alerts, and the facts of the first observation once more."""
DEFAULT_WINDOW = 10
LONGEST_WINDOW = 60
ASK_MINUTES = 10
LOOK_MINUTES = 1

DECIDE = ToolSpec(
    name="decide_rollout",
    title="Decide the next rollout step",
    description=(
        "Move the canary's traffic, keep it where it is, or roll it back, and say what you believe the telemetry means."
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
            name="diagnosis",
            type="string",
            description=(
                "Suite canary: the cause of what you see. healthy; regression (the change is bad); shared_incident "
                "(all arms suffer alike); warm_up (fresh instances settle); alert_noise (alerts of others); "
                "bad_telemetry (the series cannot be trusted)."
            ),
            enum=DIAGNOSES,
        ),
        Parameter(
            name="p_bad",
            type="number",
            description="Suite canary: how probable you hold it that the change is bad, from 0 to 1; not scored.",
            required=False,
            minimum=0,
            maximum=1,
        ),
        Parameter(
            name="suspect",
            type="string",
            description="Suite canary: the metric that shows the regression best; not scored.",
            enum=tuple(METRICS),
            required=False,
        ),
        Parameter(name="reasoning", type="string", description="Why, in your own words.", required=False),
    ),
)
INSPECT = ToolSpec(
    name="inspect_metric",
    title="Look at one metric",
    description=(
        "Show a metric of the canary, the fresh baseline and the stable arm over the last minutes, in at most ten "
        f"rows, or the firing alerts, or the rollout's setup. Takes {LOOK_MINUTES} minute; setup takes none."
    ),
    parameters=(
        Parameter(name="metric", type="string", description="What to look at.", enum=VIEWS),
        Parameter(
            name="window",
            type="integer",
            description="Minutes to look back; the newest one to three have not arrived yet.",
            required=False,
            default=DEFAULT_WINDOW,
            minimum=1,
            maximum=LONGEST_WINDOW,
        ),
    ),
    read_only=False,
    destructive=False,
)
EXTEND = ToolSpec(
    name="extend_baseline",
    title="Double the baseline for one interval",
    description=(
        "Send twice as much traffic to the fresh baseline until the next decision has run its interval, so that the "
        f"comparison scatters less. Takes {LOOK_MINUTES} minute."
    ),
    destructive=False,
)
ASK = ToolSpec(
    name="ask_on_call",
    title="Ask the person on call",
    description=(
        f"Ask one question about the circumstances. The answer is right nine times in ten and takes {ASK_MINUTES} "
        "minutes, while the rollout goes on."
    ),
    parameters=(
        Parameter(
            name="question",
            type="string",
            description="; ".join(f"{question.name}: {question.asks}" for question in QUESTIONS.values()) + ".",
            enum=tuple(QUESTIONS),
        ),
    ),
    destructive=False,
)

TOOLS = (DECIDE, INSPECT, EXTEND, ASK)
