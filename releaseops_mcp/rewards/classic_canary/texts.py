"""The sentences beside the figures, made on demand from a step's detail or an episode's record, never in the fold."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from releaseops_mcp.episodes.base import Json

EXPLANATIONS: Mapping[str, str] = MappingProxyType(
    {
        "healthy_standard_promotion": "The canary was sound and moved on at the steady pace.",
        "healthy_cautious_promotion": "The canary was sound; a larger step would have been safe.",
        "healthy_aggressive_promotion": "The canary was sound, but the step was too large to notice trouble in time.",
        "healthy_hold": "Nothing in the telemetry called for waiting.",
        "premature_rollback": "A sound canary was taken out of service.",
        "correct_warning_probe": "The trend was worsening, and a small step tested it.",
        "watchful_warning_hold": "The trend was worsening, and waiting was safe if slow.",
        "risky_warning_promotion": "Traffic grew although the telemetry had begun to worsen.",
        "reckless_warning_promotion": "A quarter more traffic was sent into a worsening trend.",
        "premature_warning_rollback": "The signs were early: no guardrail had been broken yet.",
        "correct_warning_hold": "The canary had begun to diverge, and waiting showed where it was going.",
        "cautious_warning_probe": "A small step into a divergence tells less than waiting does.",
        "correct_recovery_hold": "The disturbance deserved a moment to pass, and got it.",
        "cautious_recovery_probe": "A small step was taken while the canary was still settling.",
        "risky_recovery_promotion": "Traffic grew before the canary had settled.",
        "premature_recovery_rollback": "A disturbance that passes by itself ended the rollout.",
        "correct_silent_hold": "The latency gap was opening without an alert, and the rollout waited.",
        "cautious_silent_probe": "A small step was taken while the latency gap was opening.",
        "risky_silent_promotion": "Traffic grew while the latency gap was opening unannounced.",
        "premature_silent_rollback": "The latency gap was real but still within the guardrail.",
        "correct_noise_hold": "Both fleets were disturbed alike, and the rollout waited it out.",
        "risky_noise_probe": "A small step was taken while noise hid the canary's own state.",
        "risky_noise_increase": "Traffic grew while noise hid the canary's own state.",
        "false_positive_noise_rollback": "Noise that both fleets shared was held against the canary.",
        "correct_phantom_ignore": "The alerts had no cause in the metrics and were rightly not obeyed.",
        "false_positive_phantom_rollback": "Alerts without a cause in the metrics ended a sound rollout.",
        "correct_rollback": "The canary broke its service level and was taken out.",
        "late_hold_during_breach": "The canary was in breach, and waiting left it in service.",
        "dangerous_breach_promotion": "More traffic was sent to a canary in breach.",
    }
)
"""One sentence for each policy_assessment."""

_REASONING_FEEDBACK: Mapping[float, str] = MappingProxyType(
    {
        0.1: "State label and breach flag were both right.",
        0.07: "The state label was right; the breach flag did not go with it.",
        0.03: "The state label was wrong; the breach flag was right.",
        0.0: "Neither state label nor breach flag earned anything.",
    }
)

_TIMING_AGAINST_BREACH: Mapping[str, str] = MappingProxyType(
    {
        "before_first_breach": "The rollback came before any breach had been seen.",
        "on_first_breach": "The rollback answered the first breach that was seen.",
        "after_first_breach": "The rollback came after the first breach had been left standing.",
    }
)


def evaluation(detail: Json) -> Json:
    """Return the original's `last_evaluation`: a step's figures with the sentences that go with them."""
    explanation = EXPLANATIONS[detail["policy_assessment"]]
    notes = feedback(detail["policy_assessment"], detail["actual_breach"], detail["reward_breakdown"])
    return {
        "step_reward": detail["step_reward"],
        "episode_score": detail["episode_score"],
        "actual_breach": detail["actual_breach"],
        "policy_assessment": detail["policy_assessment"],
        "reward_breakdown": dict(detail["reward_breakdown"]),
        "explanation": explanation,
        "feedback": notes,
        "summary": f"{detail['policy_assessment']}: this decision scored {detail['step_reward']:.4f}.",
        "feedback_text": " ".join(notes),
    }


def feedback(policy_assessment: str, actual_breach: bool, breakdown: Mapping[str, float]) -> list[str]:
    """Return the notes on one decision: its explanation, the state's gravity, label and flag."""
    notes = [EXPLANATIONS[policy_assessment]]
    if actual_breach:
        notes.append("The canary was in breach at this decision.")
    reasoning = breakdown["reasoning_score"]
    notes.append(_REASONING_FEEDBACK.get(reasoning, f"State label and breach flag earned {reasoning:.4f}."))
    return notes


def episode_summary(record: Json, labels: Sequence[str]) -> str:
    """Return a short account of an episode, from its record without transcript and its decisions' labels."""
    outcome, score = record["outcome"], record["episode_score"]
    opening = f"Outcome {outcome} after {record['steps']} decisions, score {score:.4f}."
    if outcome == "in_progress":
        return f"{opening} The rollout is still under way."
    if outcome == "success":
        return f"{opening} The canary serves all traffic; no breach was confirmed on the way."
    return " ".join(
        [opening, *_timing(record["rollback_assessment"], record["first_breach_point"]), *_mentions(labels)]
    )


def _timing(rollback: Json, first_breach: Json | None) -> list[str]:
    sentences: list[str] = []
    if first_breach is not None:
        sentences.append(f"A breach was first seen at traffic {first_breach['traffic_pct']:.4f}.")
    if not rollback["rollback_action_taken"]:
        return [*sentences, "The canary was never rolled back."]
    sentences.append(_TIMING_AGAINST_BREACH[rollback["relative_to_first_breach"]])
    if rollback["benchmark_rollback_at"] is not None:
        sentences.append(
            f"Against the benchmark of {rollback['benchmark_rollback_at']:.2f} traffic it was "
            f"{rollback['relative_to_benchmark_point']}."
        )
    return sentences


def _mentions(labels: Sequence[str]) -> list[str]:
    mentions = (
        ("noise", "Fleet-wide noise had to be told from the canary's own state."),
        ("warning", "Early signs of worsening called for a decision before any breach."),
    )
    return [sentence for word, sentence in mentions if any(word in label for label in labels)]
