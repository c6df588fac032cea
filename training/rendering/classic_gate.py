"""The classic gate: proposals in a line each, with the workers' record beside them."""

from typing import Any

from releaseops_mcp.episodes.base import Json, Suite
from training.rendering.base import Rendering

BRIEF = """\
You supervise a release. Workers submit proposals; approve sound ones, block those that break a rule, and let a sound
candidate ship before the deadline. Rules: S1 no open P1 bug; S2 payment tests on and passing; S3 deploy checks passed.
A phase takes 12 hours and ends when you hold or have decided all. Inspecting refs, asking, approving and blocking
cost; two inspections a phase. Approving a ship request ships at once: never while a rule is violated."""


class ClassicGateRendering(Rendering):
    """Leaves out what every episode has alike, and the copy of the observation in the result of a hold."""

    suite = "classic-gate"

    def brief(self, suite: Suite) -> str:
        """Return the suite's task in a few lines."""
        return BRIEF

    def shape(self, observation: Json) -> Json:
        """Return the observation; each proposal a line."""
        return {
            "phase": observation["phase"],
            "hours": observation["hours_to_deadline"],
            "budget": observation["review_budget_remaining"],
            "inspections": observation["evidence_actions_remaining"],
            "checks": observation["release_checks"],
            "proposals": [_proposal(proposal) for proposal in observation["proposals"]],
            "workers": _workers(observation["worker_stats"]),
        }

    def found(self, result: Json) -> Json:
        """Show what a call found; what it changed stands in the observation."""
        return {key: value for key, value in result.items() if key in _FINDINGS}


_FINDINGS = ("diff", "output", "details", "answer")


def _proposal(proposal: Json) -> Json:
    return {
        "id": proposal["id"],
        "worker": proposal["worker"],
        "request": proposal["request"],
        "refs": proposal["refs"],
        "claim": proposal["claim"],
        "risk": proposal["risk"],
        "confidence": proposal["confidence"],
        "breaks": proposal["possible_rule_violations"],
        "status": proposal["status"],
    }


def _workers(stats: list[Json]) -> Json:
    """Return each worker's hint and its right and wrong proposals of late; one may have several records."""
    shown: dict[str, Any] = {}
    for entry in stats:
        recent = entry["recent"]
        line = f"{entry['hint']}_{recent['correct']}/{recent['correct'] + recent['incorrect']}"
        shown[entry["worker"]] = f"{shown[entry['worker']]}_{line}" if entry["worker"] in shown else line
    return shown


RENDERING = ClassicGateRendering()
