"""`classic-canary`: a pass is full traffic without a breach, or a rollback at the first breach."""

from releaseops_mcp.evaluation.measures.base import Ending, Measures


def _passes(ending: Ending) -> bool:
    if ending.metrics["outcome"] == "success":
        return ending.metrics["first_breach_point"] is None
    return ending.metrics["rollback_assessment"]["relative_to_first_breach"] == "on_first_breach"


MEASURES = Measures(
    suite="classic-canary",
    reference="cautious",
    success_rule="full traffic was reached and no decision taken in a breach, or the rollback came at the first breach",
    passes=_passes,
    approves=lambda call: call.arguments["action_type"].startswith("increase"),
    accuses=lambda call: call.arguments["slo_breach_detected"] is True,
    falsely=lambda call: call.detail.get("actual_breach") is False,
    verdict=lambda call: call.arguments["action_type"].partition("_")[0],
    right=lambda call: (
        None
        if "actual_breach" not in call.detail
        else call.detail["actual_breach"] == call.arguments["slo_breach_detected"]
    ),
)
