"""Vague, names little, repairs half."""

from releaseops_mcp.world.workers.base import Archetype

ARCHETYPE = Archetype(
    name="sloppy",
    record=0.6,
    claims={
        "": (
            "{title}. Should be fine.",
            "{title}, small change.",
        ),
        "promote_artifact": (
            "{title}. Should be the right one.",
            "{title}, the usual build.",
        ),
        "ship_release_candidate": ("{service} is ready I think.",),
    },
    confidence={"low": 0.2, "medium": 0.5, "high": 0.3},
    answers={
        "evidence_basis": "It is somewhere in there.",
        "policy_basis": "The usual rules.",
        "confidence_basis": "Fairly sure.",
        "risk_summary": "Nothing special.",
    },
    points="first",
    fixes={"real": 0.45, "partial": 0.4, "none": 0.15},
    hides_tickets=True,
)
