"""Where a rule about the strength of tests bears, and what it looks at there."""

from releaseops_mcp.world.changes.statements import can_be_stated
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.strength.demand import Check, Strength

FAMILY = "test_strength"


def looks_at(org: Org, service: Service, check: Check) -> bool:
    """Return whether one of the organisation's rules looks at this."""
    return any(check in _settings(rule.params).checks for rule in bearing(org, service, FAMILY))


def lets_state(org: Org, service: Service) -> bool:
    """Return whether every rule lets a ticket state a new value, and there is somebody to write it."""
    rules = bearing(org, service, FAMILY)
    return all(_settings(rule.params).stated_by != "nobody" for rule in rules) and can_be_stated(org, service)


def asks_at(org: Org, service: Service) -> int:
    """Return how many values of a test a rule lets product code know before it asks what they are for."""
    rules = bearing(org, service, FAMILY)
    return max((_settings(rule.params).literals for rule in rules), default=0)


def _settings(params: dict[str, object]) -> Strength:
    return Strength.model_validate(params)
