"""Goes by a rule that has been replaced."""

from releaseops_mcp.world.workers.base import Archetype

ARCHETYPE = Archetype(
    name="stale-policy",
    record=0.7,
    claims={
        "": (
            "{title}. One approval is enough for this, as last quarter.",
            "{title}. Within the old change policy.",
        ),
        "promote_artifact": (
            "{title}. A green build is enough to promote, as last quarter.",
            "{title}. Within the old release policy.",
        ),
        "ship_release_candidate": ("{service} meets the release rules of last quarter.",),
    },
    confidence={"medium": 0.6, "high": 0.4},
    answers={
        "evidence_basis": "The old checklist covers it.",
        "policy_basis": "The change policy of last quarter.",
        "confidence_basis": "The policy is clear to me.",
        "risk_summary": "None under that policy.",
    },
    points="first",
    fixes={"real": 0.4, "partial": 0.4, "none": 0.2},
)
