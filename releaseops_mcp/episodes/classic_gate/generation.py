"""Generates a world from family, difficulty and seed: the original's draws in the original's order.

Clock and budget are drawn first, so a seed has the same ones in every family. Difficulty matters only by whether it
is exactly `low`.
"""

from random import Random

from releaseops_mcp.episodes.classic_gate import texts
from releaseops_mcp.episodes.classic_gate.families import PLANTERS, proposal_id, record
from releaseops_mcp.episodes.classic_gate.rules import HEALTHY
from releaseops_mcp.episodes.classic_gate.world import TRIAGE, Proposal, Submission, WorkerRecord, World

START_HOURS = (12, 24, 36)


def generate(family: str, difficulty: str, seed: int) -> World:
    """Return the world of one of the four families; `low` difficulty has one distractor, any other two to four."""
    rng = Random(seed)  # noqa: S311 - a world must be the same for everybody
    hours, budget = rng.choice(START_HOURS), rng.randint(4, 7)
    distractors = [_distractor(rng) for _ in range(1 if difficulty == "low" else rng.randint(2, 4))]
    planting = PLANTERS[family](rng)
    submissions = [submission for submission, _ in distractors] + list(planting.submissions)
    rng.shuffle(submissions)
    tickets = {ref: texts.UI_TICKET for submission, _ in distractors for ref in submission.proposal.refs}
    return World(
        hours=hours,
        budget=budget,
        facts={**HEALTHY, **planting.facts},
        submissions=tuple(submissions),
        artifacts={**tickets, **planting.artifacts},
        records=(*(entry for _, entry in distractors), *planting.records),
        reassurance=Random(seed).choice(texts.REASSURANCES),  # noqa: S311
    )


def _distractor(rng: Random) -> tuple[Submission, WorkerRecord]:
    worker = f"dev_{rng.randint(1, 99)}"
    ticket = f"ticket_{rng.randint(100, 999)}"
    name, claim = proposal_id(rng), rng.choice(texts.UI_CLAIMS)
    confidence = rng.choice(("medium", "high"))
    proposal = Proposal(name, worker, claim, TRIAGE, (ticket,), ("ui",), confidence)
    return Submission(proposal), record(rng, worker, "average", (3, 10), (0, 2))
