"""The ids of generated organisations: `gen-<sector>-<seed>`."""

import re
from typing import NamedTuple

from releaseops_mcp.world.orgs.generator.priors import sectors

_ID = re.compile(r"gen-(?P<sector>[a-z]+(?:-[a-z]+)*)-(?P<seed>0|[1-9]\d{0,8})")


class GeneratedName(NamedTuple):
    """What the id of a generated organisation says."""

    sector: str
    seed: int

    @property
    def id(self) -> str:
        """The id."""
        return f"gen-{self.sector}-{self.seed}"


def generated_name(org_id: str) -> GeneratedName | None:
    """Return what an id says, or None where no organisation is generated under it."""
    match = _ID.fullmatch(org_id)
    if match is None or match["sector"] not in sectors():
        return None
    return GeneratedName(match["sector"], int(match["seed"]))
