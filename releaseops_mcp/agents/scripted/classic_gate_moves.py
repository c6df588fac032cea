"""The moves of the classic gate, and what scripted supervisors read off an observation before they choose one."""

from releaseops_mcp.agents.base import Action
from releaseops_mcp.episodes.base import Json

SUITE = "classic-gate"
SHIP = "ship_release_candidate"
INSPECTORS = (
    ("pr_", "inspect_pr_diff", "pr_id"),
    ("ci_run_", "inspect_ci_run", "run_id"),
    ("ticket_", "inspect_ticket", "ticket_id"),
)
"""Prefix of an artefact id, the tool that reads it, and the tool's argument."""


def unresolved(observation: Json) -> list[Json]:
    """Return the proposals that still wait for a decision, in display order."""
    return [proposal for proposal in observation["proposals"] if proposal["status"] == "unresolved"]


def approve(proposal: Json) -> Action:
    """Return the call that approves a proposal."""
    return Action("approve_proposal", {"proposal_id": proposal["id"]})


def block(proposal: Json, rule: str) -> Action:
    """Return the call that blocks a proposal under a rule."""
    return Action("block_proposal", {"proposal_id": proposal["id"], "rule_id": rule})


def hold(reason: str = "awaiting_fix") -> Action:
    """Return the call that holds the release."""
    return Action("hold_release", {"reason_code": reason})


def inspect(ref: str) -> Action:
    """Return the call that reads an artefact, by the tool made for its kind."""
    tool, argument = next((tool, argument) for prefix, tool, argument in INSPECTORS if ref.startswith(prefix))
    return Action(tool, {argument: ref})
