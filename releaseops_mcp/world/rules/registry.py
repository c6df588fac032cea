"""The rule families that the files of this folder declare, and the rules that hold everywhere."""

from functools import cache

from releaseops_mcp.world import rules
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.registry import declared
from releaseops_mcp.world.rules.base import RuleFamily


@cache
def families() -> dict[str, RuleFamily]:
    """Return the families by name."""
    return declared(rules, "FAMILY", RuleFamily)


@cache
def universal_rules() -> tuple[Rule, ...]:
    """Return one rule for each universal family."""
    return tuple(
        Rule(id=f"U-{name}", family=name, severity=family.severity)
        for name, family in families().items()
        if family.universal
    )
