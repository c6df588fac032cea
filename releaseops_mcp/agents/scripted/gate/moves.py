"""The moves of the gate suite, and what scripted supervisors read off an observation before they choose one."""

from releaseops_mcp.agents.base import Action
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.gate.tools import ARGUMENT_OF

SUITE = "gate"
SHIP = "ship_release_candidate"
TOOL_OF = (
    ("pr_", "inspect_pr_diff"),
    ("ci_", "inspect_ci_run"),
    ("ticket_", "inspect_ticket"),
    ("dep_", "inspect_deployment"),
)
"""Prefix of an artefact's id, and the tool that reads it."""


def waiting(observation: Json) -> list[Json]:
    """Return the open proposals, those that ask to ship last."""
    found = [proposal for proposal in observation["proposals"] if proposal["status"] == "open"]
    return sorted(found, key=lambda proposal: proposal["request"] == SHIP)


def approve(proposal: Json) -> Action:
    """Return the call that approves a proposal."""
    return Action("approve_proposal", {"proposal_id": proposal["id"]})


def block(proposal: Json, family: str) -> Action:
    """Return the call that blocks a proposal under a rule family."""
    return Action("block_proposal", {"proposal_id": proposal["id"], "rule_id": family})


def hold(proposal: Json | None = None) -> Action:
    """Return the call that lets one proposal, or all open ones, wait for the next phase."""
    named = {"proposal_id": proposal["id"]} if proposal else {}
    return Action("hold_release", {"reason_code": "evidence_missing", **named})


def refuse() -> Action:
    """Return the call that refuses the release."""
    return Action("refuse_release", {"reason_code": "cannot_ship_safely"})


def inspect(tool: str, subject: str, page: int = 1, offset: int = 0) -> Action:
    """Return the call that reads a page, or goes on with it from a byte where its answer was cut."""
    rest = {name: value for name, value, usual in (("page", page, 1), ("offset", offset, 0)) if value != usual}
    return Action(tool, {ARGUMENT_OF[tool]: subject, **rest})


def reader_of(ref: str) -> str | None:
    """Return the tool that reads a reference, or None."""
    return next((tool for prefix, tool in TOOL_OF if ref.startswith(prefix)), None)
