"""Enough approvals are of the head; those of an older commit count only while nothing but harmless paths changed."""

from pydantic import Field

from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.reviews import ReviewRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown
from releaseops_mcp.world.rules.pushes import only_harmless_since


class Freshness(Params):
    """Settings of the family."""

    approvals: int = Field(default=1, ge=1)
    """How many approvals must be fresh."""
    harmless: tuple[str, ...] = ()
    """Paths that may change after an approval without voiding it."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where pushes have voided approvals and too few are left; who may approve is another family's matter."""
    wanted: Freshness = settings(rule, Freshness)
    reviews, patch, commits = (
        case.topic("reviews", "pr_"),
        case.topic("patch", "pr_"),
        case.topic("commits", "pr_"),
    )
    if not view.known(reviews):
        return unknown(reviews)
    given = {each.user: each for each in view.records(reviews, ReviewRecord) if each.state == "APPROVED"}
    heads = view.records(patch, PatchHead)
    if given and not heads:
        return unknown(patch)
    stale = [each for each in given.values() if each.commit != heads[0].head]
    if _is_enough(given, stale, wanted):
        return SATISFIED
    branch: tuple[CommitRecord, ...] = ()
    if wanted.harmless:
        if not view.known(commits):
            return unknown(commits)
        branch = view.records(commits, CommitRecord)
        stale = [each for each in stale if not only_harmless_since(branch, each.commit, wanted.harmless)]
        if _is_enough(given, stale, wanted):
            return SATISFIED
    grounds = (*view.sources(reviews, stale), *view.sources(patch, heads), *view.sources(commits, branch))
    return Answer("violated", grounds)


def _is_enough(given: dict[str, ReviewRecord], stale: list[ReviewRecord], wanted: Freshness) -> bool:
    return not stale or len(given) - len(stale) >= wanted.approvals


FAMILY = RuleFamily(
    name="review_freshness",
    summary="Approvals are of the head; a push after them voids them.",
    judge=judge,
    params=Freshness,
)
