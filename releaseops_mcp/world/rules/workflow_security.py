"""What a change may do to the workflows that build and publish. A rule makes one check: of pins, rights, or inputs.

An organisation has a rule of this family for each check that it wants, with a severity and a scope of its own.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules import workflow_inputs, workflow_permissions, workflow_pins
from releaseops_mcp.world.rules.base import Answer, Case, RuleFamily, settings
from releaseops_mcp.world.rules.workflow_settings import Workflows

CHECKS: Mapping[str, Callable[[Workflows, Case, View], Answer]] = MappingProxyType(
    {"pinned": workflow_pins.judge, "permissions": workflow_permissions.judge, "untrusted": workflow_inputs.judge}
)


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Return what the rule's own check says."""
    wanted: Workflows = settings(rule, Workflows)
    return CHECKS[wanted.check](wanted, case, view)


FAMILY = RuleFamily(
    name="workflow_security",
    summary="Workflows run pinned actions, with no more rights than they need, and nothing that a stranger wrote.",
    judge=judge,
    params=Workflows,
)
