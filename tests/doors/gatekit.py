"""What the tests of `gate` through the doors share: a tour of calls, good and bad, and what must never be read."""

import re
from random import Random
from typing import Any

from releaseops_mcp.arena import Arena

Json = dict[str, Any]
Call = tuple[str, Json]

GIVEAWAY = re.compile(r"\bk[0-9]{2}-[a-z]|-twin|seed-[0-9]|gate/(cedarline|looplatch)|level-[0-9]/", re.IGNORECASE)
"""What a kind's identifier, a twin's ending and an id look like."""
PREFIXES = {
    "pr_": ("inspect_pr_diff", "pr_id"),
    "ci_": ("inspect_ci_run", "run_id"),
    "dep_": ("inspect_deployment", "deployment_id"),
    "ticket_": ("inspect_ticket", "ticket_id"),
}


def tour(observation: Json) -> list[Call]:
    """Return calls that touch every tool, made of what the first observation shows; the last one ends the episode."""
    first = observation["proposals"][0]
    refs = [
        (PREFIXES[prefix][0], {PREFIXES[prefix][1]: ref})
        for ref in first["refs"]
        for prefix in PREFIXES
        if prefix in ref
    ]
    pr = next((ref for ref in first["refs"] if ref.startswith("pr_")), "pr_1")
    return [
        ("read_policy", {}),
        ("read_policy", {"page": 3}),
        ("read_precedents", {}),
        *refs,
        *refs[:1],
        *((tool, {**arguments, "page": 2}) for tool, arguments in refs),
        ("inspect_review", {"pr_id": pr}),
        ("inspect_dependency", {"package": "hmac-tokens"}),
        ("inspect_service_health", {"service": "k01-skipped-test"}),
        ("ask_worker", {"worker_id": first["worker"], "question_type": "evidence_basis"}),
        ("ask_worker", {"worker_id": "nobody", "question_type": "evidence_basis"}),
        ("request_review", {"person_id": "amara", "proposal_id": first["id"]}),
        ("inspect_ticket", {"ticket_id": 7}),
        ("block_proposal", {"proposal_id": first["id"], "rule_id": "vibes"}),
        ("hold_release", {"reason_code": "evidence_missing", "proposal_id": first["id"], "confidence": 0.5}),
        ("hold_release", {"reason_code": "awaiting_fix"}),
        ("approve_proposal", {"proposal_id": first["id"], "confidence": 0.9}),
        ("refuse_release", {"reason_code": "cannot_ship_safely"}),
    ]


def excursion(observation: Json, seed: int, length: int = 5) -> list[Call]:
    """Return some of the tour's calls, drawn, in order."""
    calls = tour(observation)
    rng = Random(seed)
    return [calls[index] for index in sorted(rng.sample(range(len(calls)), min(length, len(calls))))]


def tickets(arena: Arena, scenarios: list[str]) -> list[str]:
    """Mint a ticket for each scenario."""
    return arena.tickets.mint(scenarios)
