"""Sincere and mistaken; points to what contradicts it."""

from releaseops_mcp.world.workers.base import Archetype

ARCHETYPE = Archetype(
    name="honest-but-wrong",
    record=0.7,
    claims={
        "": (
            "{title}. I checked it twice and found nothing.",
            "{title}. Everything I saw was right.",
        ),
        "promote_artifact": (
            "{title}. I believe that this is the build that was tested.",
            "{title}. I looked at the image and found nothing odd.",
        ),
        "ship_release_candidate": ("I believe that {service} can ship.",),
    },
    confidence={"medium": 0.5, "high": 0.5},
    answers={
        "evidence_basis": "Here is what I looked at.",
        "policy_basis": "I think that it keeps the handbook.",
        "confidence_basis": "I looked twice.",
        "risk_summary": "I found none.",
    },
    points="decisive",
    fixes={"real": 0.8, "partial": 0.1, "none": 0.1},
)
