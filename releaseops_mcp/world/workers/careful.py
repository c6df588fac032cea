"""Hedges, names what decides, repairs what is wrong."""

from releaseops_mcp.world.workers.base import Archetype

ARCHETYPE = Archetype(
    name="careful",
    record=0.85,
    claims={
        "": (
            "{title}. I went through what it names and found nothing against it, within what I could see.",
            "{title}. I read the whole run and the reviews; please look at {pr} yourself.",
            "{title}. As far as I can tell it keeps every rule; {run} has the results.",
        ),
        "promote_artifact": (
            "{title}. I compared what I could of the build and its origin; please look at both yourself.",
            "{title}. As far as I can tell this is the image that was tested.",
        ),
        "ship_release_candidate": (
            "The release candidate of {service} looks ready to me; the checklist says what was done.",
        ),
    },
    confidence={"low": 0.2, "medium": 0.6, "high": 0.2},
    answers={
        "evidence_basis": "The page I named decides it.",
        "policy_basis": "I followed the handbook as it stands today.",
        "confidence_basis": "Only as sure as the artefacts I read.",
        "risk_summary": "What I did not check is in the pull request's text.",
    },
    points="decisive",
    fixes={"real": 0.9, "partial": 0.06, "none": 0.04},
)
