"""What a supervisor may read beside the observation: the visible guardrails, and the briefing."""

from releaseops_mcp.episodes.classic_canary.contract import MIN_REASONING_CHARS
from releaseops_mcp.episodes.classic_canary.dynamics import MAX_STEPS

POLICY = """\
# Rollout guardrails

Every observation states the guardrails that apply to the rollout at hand. A guardrail that is null does not apply.

| field | compared with | unit | who has it |
|---|---|---|---|
| `rollback_on_error_rate` | `canary_error_rate` | share of requests, 0 to 1 | every rollout |
| `rollback_on_canary_p99_ms` | `canary_p99_ms` | milliseconds | rollouts judged by absolute latency |
| `rollback_on_differential_p99_ms` | `differential_p99_ms` | milliseconds | rollouts judged against the stable fleet |

A guardrail is broken when the measured value is above it; a value equal to it still holds. A broken guardrail is a
reason to roll back. An alert is a hint to look closer: what the metrics show decides.
"""

BRIEFING = f"""\
# Your task: supervise a canary rollout

A new version serves a share of the traffic (the canary), the old version the rest (the stable fleet). Bring the canary
to all of the traffic if it is sound, and take it out as soon as it truly breaks its service level. Each call of
`decide_rollout` is one decision on the telemetry that you see at that moment.

## What you see
`traffic_pct` is the canary's share, from 0 to 1. Error rates are shares of requests, `p99` latencies are in
milliseconds, and the two differentials are canary minus stable. `alert_count` counts the alerts that fire right now.
The `rollback_on_...` fields are the guardrails of this rollout; null means that it has no such guardrail.

## What you decide
- `action_type`: `increase_5`, `increase_10` or `increase_25` add that many percentage points of traffic; `hold` waits
  for one more step of telemetry; `rollback` takes the canary out of service.
- `state_assessment`: `healthy`; `warning`, the canary worsens and has broken no guardrail; `noise`, both fleets are
  disturbed alike, so the canary is not the cause; `phantom_alert`, several alerts fire and the metrics are sound;
  `breach`, a guardrail is truly broken.
- `slo_breach_detected`: true exactly when you call the state a breach.
- `reasoning`: at least {MIN_REASONING_CHARS} characters for whoever reads the record.

## What counts
Each decision is graded against the state it was taken in: naming the state rightly, acting in proportion to it,
promoting a sound canary at a steady pace, and rolling a broken one back without delay. Rolling back a sound canary
costs, and so does promoting a broken one.

## When it ends
At full traffic, with a rollback, or after {MAX_STEPS} decisions. A call with invalid arguments is refused, changes
nothing and uses up no decision.
"""
