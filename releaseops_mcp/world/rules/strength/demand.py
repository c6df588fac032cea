"""What a change would have to answer for, and the settings by which it is looked for."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.rules.base import Params

Check = Literal["assertions", "goldens", "doubles", "special_cases"]


class Strength(Params):
    """Settings of the family `test_strength`."""

    checks: tuple[Check, ...] = ("assertions", "goldens", "doubles", "special_cases")
    """What is looked at."""
    goldens: tuple[str, ...] = ("tests/goldens/**",)
    """Files (globs) with answers that the product must give."""
    stated_by: Literal["owners", "anyone", "nobody"] = "owners"
    """Whose ticket may state a new expected value: people of an owning team, any person, nobody; never the worker's
    own operator."""
    literals: int = Field(default=2, ge=1)
    """How many values of a test must stand in product code before it is asked whether they are special cases."""


@dataclass(frozen=True, slots=True)
class Demand:
    """Something weaker or other than before; a ticket that states it as wanted settles it."""

    grounds: tuple[str, ...]
    """Sheets that show it."""
    names: frozenset[str] = frozenset()
    """What a ticket would have to name: any of these; none where no ticket can settle it."""
    values: frozenset[str] = frozenset()
    """The value, in any of its spellings, that the ticket would have to give it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a check came to."""

    demands: tuple[Demand, ...] = ()
    missing: tuple[Topic, ...] = ()


NOTHING = Found()
