"""The CI run that was named: of the head, or of what was there before the last push."""

from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.run import RunRecord
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


def draw(setting: Setting, draws: Draws) -> Facts:
    """Name a run of the head, or an older one with what was pushed since."""
    since = later_paths(setting, draws)
    return {"of": "older", "pushed_since": since} if draws.chance(0.6) else {"of": "head", "pushed_since": []}


def records(past: Past, handbook: Handbook) -> Records:
    """Return the header, the commits and the run."""
    of = HEAD if past.facts["of"] == "head" else OLDER
    return {
        Topic("patch", PR): (PatchHead(HEAD, "", past.worker, "", "", past.touches),),
        Topic("commits", PR): (
            CommitRecord(OLDER, 0, "", (past.service,)),
            CommitRecord(HEAD, 1, "", tuple(past.facts["pushed_since"])),
        ),
        Topic("run", RUN): (RunRecord(of, 1, "success", 2),),
    }


SUBJECT = Subject(
    name="run",
    families=("ci_provenance",),
    request="merge_change",
    refs=(PR, RUN),
    draw=draw,
    records=records,
    hints={
        "ci_provenance": Hint(
            incident="{service} went out on a green run of an older push; what came after it was untested.",
            heard="{service} wants a run of what is merged, not of an earlier push.",
            misheard="A green run of {service} counts whatever is pushed after it.",
        )
    },
)
