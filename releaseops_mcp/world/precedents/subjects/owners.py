"""Who owns the touched path, and who approved."""

from releaseops_mcp.world.artefacts.codeowners import OwnersFile
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.reviews import ReviewRecord
from releaseops_mcp.world.codeowners import LOCATIONS, OwnerLine
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.orgs.model import Handbook
from releaseops_mcp.world.precedents.precedent import Facts, Past
from releaseops_mcp.world.precedents.subjects.base import HEAD, PR, RUN, Hint, Records, Setting, Subject
from releaseops_mcp.world.templates import load_template

MOST = 2


def draw(setting: Setting, draws: Draws) -> Facts:
    """Touch one path of the surface, owned by a team of the organisation; one or two people approve."""
    template = load_template(setting.service.template)
    paths = [path for path in template.base if template.surface(path) in setting.touches] or ["README.md"]
    humans = [person for person in setting.org.people if person.kind == "human"]
    teams = sorted({team for person in humans for team in person.teams})
    able = [person.id for person in humans if setting.worker not in person.operator_of]
    return {
        "path": draws.choice(paths),
        "owners": [draws.choice(teams)] if teams else [],
        "approved": draws.sample(able, draws.integer(1, MOST)),
    }


def records(past: Past, handbook: Handbook) -> Records:
    """Return the header, the line of the owners' file that counts, and the approvals of the head."""
    path = past.facts["path"]
    given = (ReviewRecord(user, "User", "APPROVED", HEAD, 1) for user in past.facts["approved"])
    lines = (OwnerLine(f"/{path}", tuple(past.facts["owners"])),)
    return {
        Topic("patch", PR): (PatchHead(HEAD, "", past.worker, "", "", (path,)),),
        Topic("codeowners", PR): (OwnersFile("", LOCATIONS[0], lines),),
        Topic("reviews", PR): tuple(given),
    }


SUBJECT = Subject(
    name="owner",
    families=("owner_review",),
    request="merge_change",
    refs=(PR, RUN),
    draw=draw,
    records=records,
    hints={
        "owner_review": Hint(
            incident="A change of {service} ({surface}) was approved by people who do not own it, and broke it.",
            heard="In {service} somebody of the owning team has to approve.",
            misheard="Two approvals are enough in {service}, whoever gives them.",
        )
    },
)
