"""What a kind is."""

from collections.abc import Callable
from dataclasses import dataclass

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.templates import Template

Plant = Callable[[Draft, str, bool, Draws], None]
"""(draft, variant, fault, draws): writes the fact, or the benign twin where `fault` is false."""


def _anywhere(org: Org, service: Service, template: Template) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Variant:
    """One form of a kind."""

    name: str
    depth: int
    """1 first page of a named artefact; 2 a later page; 3 a join of two; 4 a join plus scope, exception or time."""
    differs: tuple[str, ...]
    """Formats of the artefacts that may differ between the fault and its twin, derived hashes aside."""
    pages: int
    """How many pages a careful reader needs to tell them apart."""
    fits: Callable[[Org, Service, Template], bool] = _anywhere
    """Whether the organisation and the service have what it takes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way in which a change goes wrong."""

    name: str
    """Identifier, unmistakable in any text: no agent ever sees it."""
    group: str
    """A to F: the family of its scenarios."""
    title: str
    """What goes wrong, for the operator."""
    family: str
    """The rule family that it violates."""
    variants: tuple[Variant, ...]
    plant: Plant
    request: str = "merge_change"
    """The request that it hides in."""

    def variants_for(self, org: Org, service: Service, template: Template, depth: int) -> tuple[Variant, ...]:
        """Return the variants that fit, of at most this depth; the shallowest that fit where all are deeper."""
        if not bearing(org, service, self.family, self.request) and not self.is_universal:
            return ()
        fitting = [variant for variant in self.variants if variant.fits(org, service, template)]
        within = tuple(variant for variant in fitting if variant.depth <= depth)
        least = min((variant.depth for variant in fitting), default=0)
        return within or tuple(variant for variant in fitting if variant.depth == least)

    @property
    def is_universal(self) -> bool:
        """Whether its rule holds in every organisation."""
        return families()[self.family].universal
