"""What a change may do to the dependencies. A rule makes one check: of new packages, advisories, age, or the lock.

An organisation has a rule of this family for each check that it wants, with a severity and a scope of its own.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules import dependency_age, dependency_lock, dependency_registry, dependency_vuln
from releaseops_mcp.world.rules.base import Answer, Case, RuleFamily, settings
from releaseops_mcp.world.rules.dependency_settings import Dependencies

CHECKS: Mapping[str, Callable[[Dependencies, Case, View], Answer]] = MappingProxyType(
    {
        "registry": dependency_registry.judge,
        "vuln": dependency_vuln.judge,
        "age": dependency_age.judge,
        "lock": dependency_lock.judge,
    }
)


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Return what the rule's own check says."""
    wanted: Dependencies = settings(rule, Dependencies)
    return CHECKS[wanted.check](wanted, case, view)


FAMILY = RuleFamily(
    name="dependency",
    summary="What a change adds or moves is a known package, without a grave advisory, old enough, and locked.",
    judge=judge,
    params=Dependencies,
)
