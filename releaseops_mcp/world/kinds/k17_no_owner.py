"""No owner of a touched path has approved, though the file that names owners may seem to say so.

The base's last matching line decides: not a broader one above it, not what the change makes of the file, not a file in
a place that counts more once it is merged, and a file that is moved away was touched where it lay. Twins: the same
people, and an owner is among those who approved.
"""

from functools import lru_cache

from releaseops_mcp.world.changes.demands import demands
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.reach import changed, migration, moved
from releaseops_mcp.world.changes.seats import Seats, everywhere, review, seats
from releaseops_mcp.world.codeowners import LOCATIONS, covers, files_of, owners_of, read
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.rules.owner_review import owning
from releaseops_mcp.world.templates import load_template

FAMILY = "owner_review"
ARCHIVE = "docs/archive"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Touch what somebody owns, and let an owner approve it or only remark on it."""
    found = _seats(draft, variant, draws)
    assert found is not None
    review(draft, found, draws, fault=fault)


def _seats(draft: Draft, variant: str, draws: Draws) -> Seats | None:
    if variant == "moved":
        old = max((path for path in draft.template.base if path.startswith("migrations/")), default="")
        if not old:
            return None
        moved(draft, old, old.replace("migrations", ARCHIVE, 1))
    elif variant == "last-match":
        draft.amend(migration(draft, draws.child("column")))
    else:
        return _renamed_owners(draft, variant, draws)
    return _found(draft, draws)


def _renamed_owners(draft: Draft, variant: str, draws: Draws) -> Seats | None:
    """Write the odd one's team in place of the owners of everything: in their file, or in one that counts more."""
    place = next(iter(files_of(draft.template.base)), "")
    if not place or (variant == "higher-place" and place == LOCATIONS[0]):
        return None
    text = draft.template.base[place]
    target = LOCATIONS[0] if variant == "higher-place" else place
    draft.amend({target: text + "\n"})
    found = _found(draft, draws)
    person = draft.org.person(found.odd) if found else None
    if found is None or person is None or not person.teams:
        return None
    draft.amend({target: _given_to(draft, text, found, person.teams[0])})
    return found


def _given_to(draft: Draft, text: str, found: Seats, team: str) -> str:
    """Return the owners' file with the team as the owner of what the odd one may not approve."""
    users = {*found.group, found.odd} - {found.needed}
    lines = read(text)
    owners = {path: owning(owners_of(path, lines), draft.org) for path in changed(draft)}
    asked = {group for demand in demands(draft) for group in demand.owners if group.isdisjoint(users)}
    path = next(path for path, people in owners.items() if frozenset(people) in asked)
    pattern = [line.pattern for line in lines if covers(line.pattern, path)][-1]
    rows = text.splitlines(keepends=True)
    return "".join(f"{row[: row.index('@')]}@{team}\n" if row.split()[:1] == [pattern] else row for row in rows)


def _found(draft: Draft, draws: Draws) -> Seats | None:
    return seats(draft, FAMILY, draft.reviewers(), draws.child("seats"))


@lru_cache(maxsize=512)
def _works(org: Org, name: str, variant: str) -> bool:
    service = org.service(name)
    template = load_template(service.template)
    if not any(rule.family == FAMILY for rule in org.rules):
        return False
    return everywhere(org, service, template, lambda draft: _seats(draft, variant, Draws("fits")) is not None)


def _variant(name: str, depth: int) -> Variant:
    return Variant(name, depth, ("reviews",), 3, fits=lambda org, service, _: _works(org, service.name, name))


KIND = Kind(
    name="k17-no-owner",
    group="C",
    title="No owner of a touched path has approved",
    family=FAMILY,
    variants=(
        _variant("last-match", 3),
        _variant("edited-line", 4),
        _variant("higher-place", 4),
        _variant("moved", 4),
    ),
    plant=plant,
)
