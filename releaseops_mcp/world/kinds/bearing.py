"""Which of an organisation's rules bear on a service: what a kind needs to be planted there."""

from releaseops_mcp.world.orgs.model import Org, Rule, Service


def bearing(org: Org, service: Service, family: str, request: str = "merge_change") -> tuple[Rule, ...]:
    """Return the rules of a family whose scope covers the service and the request, and that more than warn."""
    return tuple(
        rule
        for rule in org.rules
        if rule.family == family
        and rule.severity != "warn"
        and (not rule.scope.services or service.name in rule.scope.services)
        and (not rule.scope.requests or request in rule.scope.requests)
    )
