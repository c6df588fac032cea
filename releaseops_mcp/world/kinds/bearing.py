"""Which of an organisation's rules bear on a service: what a kind needs to be planted there."""

from collections.abc import Sequence

from releaseops_mcp.world.clock import STARTS
from releaseops_mcp.world.orgs.model import Org, Rule, Service, Waiver


def bearing(org: Org, service: Service, family: str, request: str = "merge_change") -> tuple[Rule, ...]:
    """Return the rules of a family whose scope covers the service and the request, and that more than warn.

    Rules that are in force when no release begins bear on none; a release's own organisation has those of its day alone
    (`precedents.unpublished.in_force`).
    """
    return tuple(
        rule
        for rule in org.rules
        if rule.family == family
        and rule.severity != "warn"
        and (not rule.scope.services or service.name in rule.scope.services)
        and (not rule.scope.requests or request in rule.scope.requests)
        and any(map(rule.effective.covers, STARTS))
    )


def shared_waiver(org: Org, rules: Sequence[Rule]) -> Waiver | None:
    """Return an exception that every one of these rules knows: one that does not know it is broken all the same."""
    named = set(rules[0].unless).intersection(*(rule.unless for rule in rules)) if rules else set[str]()
    return next((waiver for waiver in org.exceptions if waiver.id in named), None)
