"""The notes of GET /tasks: how to play, what an action must hold, and what is graded."""

from collections.abc import Mapping
from types import MappingProxyType

from releaseops_mcp.episodes.classic_canary.contract import MIN_REASONING_CHARS, STATE_LABELS
from releaseops_mcp.episodes.classic_canary.dynamics import MAX_STEPS

NOTES: Mapping[str, str] = MappingProxyType(
    {
        "recommended_plain_http_interface": "/episodes",
        "recommended_plain_http_flow": (
            "POST /episodes begins one, POST /episodes/{episode_id}/step takes each decision until done is true, "
            "GET /episodes/{episode_id}/transcript tells it all."
        ),
        "websocket_interface": "/ws speaks OpenEnv's frames: reset, step, state, mcp and close.",
        "stateless_reset_and_step": (
            "POST /reset shows a first observation and POST /step answers the uninitialised one: each request has an "
            "environment of its own, and nothing is kept."
        ),
        "state_assessment_contract": (
            f"state_assessment is one of {', '.join(STATE_LABELS)}: what the telemetry shows before the decision. "
            "The right label earns 0.07."
        ),
        "reasoning_contract": (
            f"reasoning has at least {MIN_REASONING_CHARS} characters, is kept for readers and is never scored."
        ),
        "breach_flag_contract": (
            "slo_breach_detected is true exactly where the state is called a breach; agreeing with label and truth "
            "earns 0.03."
        ),
        "grading_moment": "A decision is graded on the state before it: its traffic, its telemetry, its holds so far.",
        "episode_end": f"An episode ends at full traffic, with a rollback, or after {MAX_STEPS} decisions.",
        "seed_contract": "The same task and seed show the same telemetry; a null or missing seed is 0.",
        "unknown_task_contract": "An unknown task is easy on POST /reset and /ws, and refused on POST /episodes.",
    }
)
