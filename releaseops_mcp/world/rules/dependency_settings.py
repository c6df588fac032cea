"""The settings of the rules about dependencies: which check a rule makes, and each check's numbers."""

from typing import Literal

from pydantic import Field

from releaseops_mcp.world.rules.base import Params


class Dependencies(Params):
    """Settings of the family; a rule makes one check, and the settings of the others do nothing."""

    check: Literal["registry", "vuln", "age", "lock"] = "registry"
    """`registry`: what a new package is. `vuln`: advisories. `age`: how old an update is. `lock`: manifest and lock."""
    least_days: int = Field(default=0, ge=0)
    """registry: how old a new package's first release must be. age: how old the version must be."""
    trusted: tuple[str, ...] = ()
    """registry, age: organisations of the registry whose packages may be new, or named like another."""
    least: Literal["LOW", "MODERATE", "HIGH", "CRITICAL"] = "HIGH"
    """vuln: the least severity that counts."""
    transitive: bool = True
    """vuln: whether packages count that only others ask for."""
    tools: tuple[str, ...] = ()
    """vuln: packages that only tests and builds use; they, and what they alone ask for, do not ship."""
    fixes_exempt: bool = True
    """age: whether an update may be young that leaves behind a version with a known advisory."""
