"""What an organisation's rules about workflows come to for a service."""

from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.workflow_settings import Workflows

FAMILY = "workflow_security"


def wanted_of(org: Org, service: Service, check: str) -> tuple[Workflows, ...]:
    """Return the settings of the rules that make a check of a service's changes and do more than warn."""
    found = (Workflows.model_validate(rule.params) for rule in bearing(org, service, FAMILY))
    return tuple(each for each in found if each.check == check)


def owners_of(org: Org, service: Service) -> tuple[str, ...]:
    """Return the owners whose actions every rule lets name by tag; none where there is no such rule."""
    return _common([each.owners for each in wanted_of(org, service, "pinned")])


def allowed_in(org: Org, service: Service) -> tuple[str, ...]:
    """Return the scopes that every rule lets a single job write to; none where there is no such rule."""
    return _common([each.allowed for each in wanted_of(org, service, "permissions")])


def grantors_of(org: Org, service: Service) -> tuple[str, ...]:
    """Return the teams of which a member's approval allows more, for every rule."""
    return _common([each.grantors for each in wanted_of(org, service, "permissions")])


def _common(lists: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(name for name in (lists[0] if lists else ()) if all(name in each for each in lists))
