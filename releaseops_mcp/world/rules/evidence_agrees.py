"""Evidence that contradicts itself decides nothing: what a patch counts is what it lists, else it is held."""

from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, RuleFamily, unknown, violated


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the header of the patch counts other files than it lists."""
    if case.ref("pr_") is None:
        return SATISFIED
    patch = case.topic("patch", "pr_")
    heads = view.records(patch, PatchHead)
    if not heads:
        return unknown(patch)
    torn = [head for head in heads if head.counted != len(head.files)]
    return violated(view, patch, torn) if torn else SATISFIED


FAMILY = RuleFamily(
    name="evidence_agrees",
    summary="The evidence does not contradict itself: a patch lists as many files as it counts.",
    judge=judge,
    universal=True,
    severity="hold",
)
