"""Enough people have approved who may: not the author, not whom it works for, of the teams that must look.

An approval is taken back by a later review of the same person that asks for changes, or when it is dismissed; a remark
leaves it standing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.reviews import ReviewRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Handbook, Person, Rule, Service
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown

Principal = Literal["author", "operator", "last_pusher"]


class Authority(Params):
    """Settings of the family."""

    approvals: int = Field(default=1, ge=1)
    """How many people must have approved."""
    bots_count: bool = False
    """Whether a bot's approval counts."""
    bots_for: tuple[str, ...] = ()
    """Paths (globs): a bot's approval counts too where the change touches nothing else."""
    distinct_from: tuple[Principal, ...] = ("author", "operator")
    """Whose approval never counts: the author's, that of who prompts the author, that of who pushed last."""
    teams: Mapping[str, int] = {}
    """How many of those who approved must be of which team."""
    outsiders: int = Field(default=0, ge=0)
    """How many of them must be of no team that owns the service, as quality is signed apart from development."""
    employers: int = Field(default=1, ge=1)
    """How many different employers they must have."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the approvals are of."""

    handbook: Handbook
    service: Service
    author: str
    pusher: str = ""
    """Who wrote the last commit; "" while that is not known."""
    files: tuple[str, ...] = ()
    """The paths that are touched; empty while they are not known."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where all reviews are known and too few of the approvals count."""
    wanted: Authority = settings(rule, Authority)
    topic, patch = case.topic("reviews", "pr_"), case.topic("patch", "pr_")
    if not view.known(topic):
        return unknown(topic)
    reviews, heads = view.records(topic, ReviewRecord), view.records(patch, PatchHead)
    users = approved_by(reviews)
    change = Change(case.handbook, case.service, case.worker)
    grounds = view.sources(topic, reviews) or (f"inspect_review:{topic.subject}#1",)
    if not enough(users, wanted, change):
        return Answer("violated", grounds)
    if not heads and _needs_head(wanted):
        return unknown(patch)
    for head in heads[:1]:
        change = Change(case.handbook, case.service, case.worker, head.author, head.files)
    return SATISFIED if enough(users, wanted, change) else Answer("violated", (*grounds, *view.sources(patch, heads)))


def approved_by(reviews: Iterable[ReviewRecord]) -> tuple[str, ...]:
    """Return the users whose approval stands."""
    last: dict[str, str] = {}
    for review in sorted(reviews, key=lambda review: review.minute):
        if review.state != "COMMENTED":
            last[review.user] = review.state
    return tuple(user for user, state in last.items() if state == "APPROVED")


def enough(users: Iterable[str], wanted: Authority, change: Change) -> bool:
    """Return whether the approvals of these users suffice; what is not known of the change speaks for them."""
    people = [person for person in map(change.handbook.person, users) if person and _counts(person, wanted, change)]
    teams = Counter(team for person in people for team in person.teams)
    outside = [person for person in people if set(change.service.owners).isdisjoint(person.teams)]
    return (
        len(people) >= wanted.approvals
        and all(teams[team] >= count for team, count in wanted.teams.items())
        and len(outside) >= wanted.outsiders
        and len({person.employer for person in people}) >= wanted.employers
    )


def _counts(person: Person, wanted: Authority, change: Change) -> bool:
    principals = {
        "author": person.id == change.author,
        "operator": change.author in person.operator_of,
        "last_pusher": person.id == change.pusher,
    }
    if person.kind == "agent" or any(principals[name] for name in wanted.distinct_from):
        return False
    harmless = bool(wanted.bots_for) and all(covered(wanted.bots_for, path) for path in change.files)
    return person.kind == "human" or wanted.bots_count or harmless


def _needs_head(wanted: Authority) -> bool:
    return "last_pusher" in wanted.distinct_from or bool(wanted.bots_for)


FAMILY = RuleFamily(
    name="review_authority",
    summary="Enough people who may approve have approved, and of the teams that must.",
    judge=judge,
    params=Authority,
)
