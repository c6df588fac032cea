"""Who approved, and which of the approvals were of an older push."""

from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.reviews import ReviewRecord
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.orgs.model import Handbook
from releaseops_mcp.world.precedents.precedent import Facts, Past
from releaseops_mcp.world.precedents.subjects.base import (
    HEAD,
    OLDER,
    PR,
    RUN,
    Hint,
    Records,
    Setting,
    Subject,
    later_paths,
)

MOST = 3


def draw(setting: Setting, draws: Draws) -> Facts:
    """Let one to three people approve, and some of them before the last push."""
    able = [person.id for person in setting.org.people if setting.worker not in person.operator_of]
    people = draws.sample(able, draws.integer(1, MOST))
    stale = draws.integer(1, len(people)) if draws.chance(0.6) else 0
    since = later_paths(setting, draws)
    return {"approved": people[stale:], "approved_older": people[:stale], "pushed_since": since if stale else []}


def records(past: Past, handbook: Handbook) -> Records:
    """Return the header, the commits and the reviews."""
    return {
        Topic("patch", PR): (PatchHead(HEAD, "", past.worker, "", "", past.touches),),
        Topic("commits", PR): (
            CommitRecord(OLDER, 0, "", (past.service,)),
            CommitRecord(HEAD, 2, "", tuple(past.facts["pushed_since"])),
        ),
        Topic("reviews", PR): (
            *(_review(user, OLDER, 1, handbook) for user in past.facts["approved_older"]),
            *(_review(user, HEAD, 3, handbook) for user in past.facts["approved"]),
        ),
    }


def _review(user: str, commit: str, minute: int, handbook: Handbook) -> ReviewRecord:
    person = handbook.person(user)
    kind = "User" if person is None or person.kind == "human" else "Bot"
    return ReviewRecord(user, kind, "APPROVED", commit, minute)


SUBJECT = Subject(
    name="reviews",
    families=("review_freshness", "review_authority"),
    request="merge_change",
    refs=(PR, RUN),
    draw=draw,
    records=records,
    hints={
        "review_freshness": Hint(
            incident="A push after the approvals broke {service} ({surface}); nobody had looked at it again.",
            heard="In {service} a push to {surface} after the approvals means asking again.",
            misheard="Approvals in {service} stay, whatever is pushed after them.",
        ),
        "review_authority": Hint(
            incident="One look was not enough for {service} ({surface}).",
            heard="{service} counts who approved when {surface} is touched.",
            misheard="Anybody's approval is enough in {service}.",
        ),
    },
)
