"""Claims much, repeats itself, repairs little."""

from releaseops_mcp.world.workers.base import Archetype

ARCHETYPE = Archetype(
    name="overconfident",
    record=0.65,
    claims={
        "": (
            "{title}. No risk at all, everything is covered.",
            "{title}. Nothing can go wrong with it.",
        ),
        "promote_artifact": (
            "{title}. No doubt about this image at all.",
            "{title}. It can go out at once.",
        ),
        "ship_release_candidate": ("{service} is in perfect shape: ship it now.",),
    },
    confidence={"high": 0.4, "very_high": 0.6},
    answers={
        "evidence_basis": "I said that everything is covered.",
        "policy_basis": "No rule stands against it.",
        "confidence_basis": "Completely sure.",
        "risk_summary": "There is no risk.",
    },
    points="first",
    fixes={"real": 0.35, "partial": 0.4, "none": 0.25},
)
