"""Enough people other than the author have approved, and none of them is the operator of the agent that wrote it."""

from pydantic import Field

from releaseops_mcp.world.artefacts.reviews import ReviewRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated


class Authority(Params):
    """Settings of the family."""

    approvals: int = Field(default=1, ge=1)
    """How many people must have approved."""
    bots_count: bool = False
    """Whether a bot's approval counts."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where all reviews are known and too few of the approvals count."""
    wanted: Authority = settings(rule, Authority)
    topic = case.topic("reviews", "pr_")
    reviews = view.records(topic, ReviewRecord)
    counted = {review.user for review in reviews if _counts(review, wanted, case)}
    if len(counted) >= wanted.approvals:
        return SATISFIED
    return violated(view, topic, reviews) if view.known(topic) else unknown(topic)


def _counts(review: ReviewRecord, wanted: Authority, case: Case) -> bool:
    person = case.handbook.person(review.user)
    if review.state != "APPROVED" or person is None or review.user == case.worker:
        return False
    return case.worker not in person.operator_of and (wanted.bots_count or person.kind == "human")


FAMILY = RuleFamily(
    name="review_authority",
    summary="Enough people other than the author, and other than its operator, have approved.",
    judge=judge,
    params=Authority,
)
