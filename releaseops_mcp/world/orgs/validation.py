"""What is wrong with an organisation beyond its shape: names that lead nowhere, rules that nobody could satisfy."""

from collections.abc import Callable, Iterator

from releaseops_mcp.world.orgs.approval_checks import check_authority, check_owners
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.orgs.people_checks import check_approvers, check_ids, check_workers
from releaseops_mcp.world.orgs.rule_checks import check_contradictions, check_exceptions, check_rules
from releaseops_mcp.world.orgs.service_checks import check_calendar, check_services


def problems(org: Org) -> list[str]:
    """Return every problem as a sentence that says what to change; an empty list for a sound organisation."""
    return [problem for check in CHECKS for problem in check(org)]


CHECKS: tuple[Callable[[Org], Iterator[str]], ...] = (
    check_ids,
    check_services,
    check_rules,
    check_contradictions,
    check_exceptions,
    check_approvers,
    check_authority,
    check_owners,
    check_workers,
    check_calendar,
)
