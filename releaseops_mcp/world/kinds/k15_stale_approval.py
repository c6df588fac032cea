"""The approvals are of an older commit: somebody pushed after them.

Twins: approvals that were given again; remarks first and approvals of the head then, where the fault has it the other
way round; a last push that the organisation lets pass unreviewed.
"""

from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft, ReviewDraft
from releaseops_mcp.world.changes.pushes import after_reviews, push_remark, push_two
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

FAMILY = "review_freshness"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Push once or twice after the first approvals, and let them be given again or not."""
    early = list(draft.reviews)
    minute = after_reviews(draft, draws)
    if variant == "harmless-since":
        push_two(draft, draws, minute, _surface(draft), code_last=fault)
    else:
        push_remark(draft, draws, minute, _surface(draft))
    draft.move_evidence_to_head(minute + 40)
    again = draft.reviews
    if variant == "harmless-since":
        draft.reviews = [replace(each, commit=1, minute=minute + 10 + order) for order, each in enumerate(again)]
    elif variant == "commented-since":
        first, then = ("APPROVED", "COMMENTED") if fault else ("COMMENTED", "APPROVED")
        draft.reviews = [*(_said(each, first) for each in early), *(_said(each, then) for each in again)]
    elif variant == "one-of-two":
        kept = _too_many(draft, early) if fault else {}
        draft.reviews = [kept.get(each.user, each) for each in again]
        draft.reviews.sort(key=lambda each: each.minute)
    else:
        draft.reviews = early if fault else again


def _too_many(draft: Draft, early: list[ReviewDraft]) -> dict[str, ReviewDraft]:
    """Return by user the last approvals, so many that those who approve again are one too few."""
    given = [each for each in early if each.state == "APPROVED"]
    wanted = max(rule.params.get("approvals", 1) for rule in bearing(draft.org, draft.service, FAMILY))
    return {each.user: each for each in given[max(wanted - 1, 0) :]}


def _said(each: ReviewDraft, state: str) -> ReviewDraft:
    """Return what somebody who approves at some time says at this one; whoever only remarks remarks at both."""
    return replace(each, state=state if each.state == "APPROVED" else each.state, body="")


def _surface(draft: Draft) -> str:
    """Return what the last push must touch for the rule to bear on it."""
    touches = bearing(draft.org, draft.service, FAMILY)[0].scope.touches
    return "source" if not touches or "source" in touches else "workflow"


def _applies(org: Org, service: Service, template: Template) -> bool:
    return any(
        not rule.scope.touches or {"source", "workflow"} & set(rule.scope.touches)
        for rule in bearing(org, service, FAMILY)
    )


def _wants_two(org: Org, service: Service, template: Template) -> bool:
    wanted = any(rule.params.get("approvals", 1) > 1 for rule in bearing(org, service, FAMILY))
    return wanted and _applies(org, service, template)


def _may_go_unreviewed(org: Org, service: Service, template: Template) -> bool:
    harmless = any(rule.params.get("harmless") for rule in bearing(org, service, FAMILY))
    return harmless and _applies(org, service, template)


KIND = Kind(
    name="k15-stale-approval",
    group="C",
    title="A push came after the approvals",
    family=FAMILY,
    variants=(
        Variant("last-push", depth=3, differs=("reviews",), pages=3, fits=_applies),
        Variant("commented-since", depth=3, differs=("reviews",), pages=3, fits=_applies),
        Variant("one-of-two", depth=3, differs=("reviews",), pages=3, fits=_wants_two),
        Variant(
            "harmless-since",
            depth=4,
            differs=("reviews", "commits", "patch", "log"),
            pages=3,
            fits=_may_go_unreviewed,
        ),
    ),
    plant=plant,
)
