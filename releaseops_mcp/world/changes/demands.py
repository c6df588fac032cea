"""What an organisation's rules ask of the approvals of one change: who must be among those who approve."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.reach import changed
from releaseops_mcp.world.codeowners import files_of, owners_of, read
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.policy import covers
from releaseops_mcp.world.rules.base import Case, settings
from releaseops_mcp.world.rules.owner_review import Owners, owning
from releaseops_mcp.world.rules.review_authority import Authority, Change, enough

AUTHORITY, OWNERS = "review_authority", "owner_review"


@dataclass(frozen=True, slots=True)
class Demand:
    """One rule's demand: enough approvals that count, and one of each group of owners."""

    family: str
    change: Change
    wanted: Authority | None = None
    owners: frozenset[frozenset[str]] = frozenset()

    def met_by(self, users: Collection[str]) -> bool:
        """Return whether the approvals of these users suffice."""
        if self.wanted is not None and not enough(users, self.wanted, self.change):
            return False
        return not any(group.isdisjoint(users) for group in self.owners)


def demands(draft: Draft) -> tuple[Demand, ...]:
    """Return the demands of the rules that bear on the change as it is."""
    touched = changed(draft)
    touches = frozenset(map(draft.template.surface, touched))
    case = Case(draft.org, draft.request, draft.service, draft.worker, "", (), touches, draft.minute)
    change = Change(draft.org, draft.service, draft.worker, draft.head.author or draft.worker, touched)
    rules = (rule for rule in draft.org.rules if rule.family in (AUTHORITY, OWNERS) and covers(rule, case))
    return tuple(_demand(draft, rule, change) for rule in rules)


def met(asked: Iterable[Demand], users: Collection[str]) -> bool:
    """Return whether the approvals of these users meet every demand."""
    return all(demand.met_by(users) for demand in asked)


def _demand(draft: Draft, rule: Rule, change: Change) -> Demand:
    if rule.family == AUTHORITY:
        return Demand(rule.family, change, settings(rule, Authority))
    wanted: Owners = settings(rule, Owners)
    lines = next(map(read, files_of(draft.template.base).values()), ())
    paths = (path for path in change.files if not wanted.paths or covered(wanted.paths, path))
    groups = (frozenset(owning(owners_of(path, lines), draft.org)) for path in paths)
    return Demand(rule.family, change, owners=frozenset(group for group in groups if group))
