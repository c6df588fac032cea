"""An owner of every touched path has approved, by the CODEOWNERS file of the branch that is merged into.

What the change itself does to that file counts only once it is merged. A line that names only teams in which nobody is
leaves its paths unowned, as on GitHub.
"""

from collections.abc import Iterable

from releaseops_mcp.world.artefacts.codeowners import OwnersFile
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.reviews import ReviewRecord
from releaseops_mcp.world.codeowners import LOCATIONS, OwnerLine, owners_of
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Handbook, Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown
from releaseops_mcp.world.rules.review_authority import approved_by


class Owners(Params):
    """Settings of the family."""

    paths: tuple[str, ...] = ()
    """Paths (globs) for which an owner must approve; empty for all."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a touched path has owners and none of them is among those whose approval stands."""
    wanted: Owners = settings(rule, Owners)
    reviews, owners, patch = (
        case.topic("reviews", "pr_"),
        case.topic("codeowners", "pr_"),
        case.topic("patch", "pr_"),
    )
    heads = view.records(patch, PatchHead)
    missing = [topic for topic in (reviews, owners) if not view.known(topic)]
    if missing or not heads:
        return unknown(*missing, *([] if heads else [patch]))
    given, files = view.records(reviews, ReviewRecord), view.records(owners, OwnersFile)
    users = set(approved_by(given)) - {case.worker}
    if not unapproved(heads[0].files, effective(files), users, wanted, case.handbook):
        return SATISFIED
    grounds = (*view.sources(reviews, given), *view.sources(owners, files), *view.sources(patch, heads))
    return Answer("violated", grounds)


def effective(files: Iterable[OwnersFile]) -> tuple[OwnerLine, ...]:
    """Return the lines of the file that counts: of the first location where there is one."""
    found = tuple(files)
    place = next((place for place in LOCATIONS if any(file.path == place for file in found)), "")
    return tuple(line for file in found if file.path == place for line in file.lines)


def unapproved(
    touched: Iterable[str], lines: tuple[OwnerLine, ...], users: Iterable[str], wanted: Owners, handbook: Handbook
) -> tuple[str, ...]:
    """Return the touched paths of which no owner is among the users."""
    approving = set(users)
    paths = (path for path in touched if not wanted.paths or covered(wanted.paths, path))
    owned = ((path, owning(owners_of(path, lines), handbook)) for path in paths)
    return tuple(path for path, people in owned if people and people.isdisjoint(approving))


def owning(names: Iterable[str], handbook: Handbook) -> set[str]:
    """Return the humans whom these names of people and teams stand for."""
    wanted = set(names)
    humans = (person for person in handbook.people if person.kind == "human")
    return {person.id for person in humans if not wanted.isdisjoint({person.id, *person.teams})}


FAMILY = RuleFamily(
    name="owner_review",
    summary="An owner of every touched path has approved, by the CODEOWNERS file of the base.",
    judge=judge,
    params=Owners,
)
