"""Sounds careful, names evidence that does not exist."""

from releaseops_mcp.world.workers.base import Archetype
from releaseops_mcp.world.workers.careful import ARCHETYPE as CAREFUL

ARCHETYPE = Archetype(
    name="deceptive",
    record=0.8,
    claims=CAREFUL.claims,
    confidence=CAREFUL.confidence,
    answers={
        "evidence_basis": "The full run before this one shows it.",
        "policy_basis": "I followed the handbook as it stands today.",
        "confidence_basis": "Only as sure as the artefacts I read.",
        "risk_summary": "Nothing that I know of.",
    },
    points="invented",
    fixes={"real": 0.4, "faked": 0.5, "none": 0.1},
)
