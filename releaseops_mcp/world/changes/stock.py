"""What the registry and OSV know of the packages that a service already uses: the same for all proposals of a release.

Every package has versions of several sorts beyond the one in use. A proposal's harm lies in which of them it takes, so
that the records themselves tell nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from releaseops_mcp.world.artefacts.advisory import SEVERITIES
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.stocking import Stocked, Wishes, stocked
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.hashing import Tree
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.dependency_settings import Dependencies
from releaseops_mcp.world.rules.pins import LOCK, MANIFEST, Pin, pins_in
from releaseops_mcp.world.templates import Template, load_template

FAMILY = "dependency"
TOOLS = ("pytest",)
"""Packages that exist outside this world: nothing is made up about them."""


@dataclass(frozen=True, slots=True)
class Stock:
    """The packages of a service by name."""

    direct: dict[str, Stocked]
    """Named by the manifest."""
    shipped: dict[str, Stocked]
    """Asked for by one of those."""
    tools: dict[str, Stocked]
    """Asked for by tools alone."""
    exposed: str
    """The direct package whose version in use has a grave advisory that only the young version leaves behind, or ""."""
    ours: str
    """The direct package that a trusted publisher publishes, or ""."""

    @property
    def plain(self) -> tuple[str, ...]:
        """The direct packages without an advisory about the version in use, and of no trusted publisher."""
        return tuple(name for name in self.direct if name not in (self.exposed, self.ours))

    @property
    def every(self) -> dict[str, Stocked]:
        """All of them."""
        return {**self.direct, **self.shipped, **self.tools}


def stock_of(draft: Draft) -> Stock:
    """Return the packages of a draft's service, as they are in the draft's release."""
    return _stock(draft.org, draft.service.name, draft.template.name, draft.number % 100, draft.minute)


def in_use(tree: Tree) -> dict[str, Pin]:
    """Return the packages that a tree pins exactly, tools left out: those of the lock, then those of the manifest."""
    pins = {**pins_in(tree.get(MANIFEST, "")), **pins_in(tree.get(LOCK, ""))}
    return {name: pin for name, pin in pins.items() if pin.version and name not in TOOLS}


def direct_in(template: Template) -> tuple[str, ...]:
    """Return the packages that a template's manifest names and its lock holds; none where it has no lock."""
    pins = in_use(template.base) if LOCK in template.base else {}
    return tuple(name for name, pin in pins.items() if not pin.via)


def settings_of(org: Org, service: Service, check: str) -> tuple[Dependencies, ...]:
    """Return the settings of the rules that make a check of a service's changes and do more than warn."""
    found = (Dependencies.model_validate(rule.params) for rule in bearing(org, service, FAMILY))
    return tuple(each for each in found if each.check == check)


def trusted_by(wanted: Sequence[Dependencies]) -> tuple[str, ...]:
    """Return the publishers that all of these rules trust."""
    return tuple(name for name in (wanted[0].trusted if wanted else ()) if all(name in each.trusted for each in wanted))


@lru_cache(maxsize=64)
def _stock(org: Org, name: str, template: str, release: int, minute: int) -> Stock:
    service = org.service(name)
    draws = Draws("stock", org.id, name, release, minute)
    pins = in_use(load_template(template).base)
    order = draws.sample(sorted(each for each, pin in pins.items() if not pin.via), len(pins))
    trusted = trusted_by(settings_of(org, service, "age"))
    exposed = order[0] if len(order) > 1 else ""
    ours = order[1] if len(order) > 2 and trusted else ""
    wishes = wishes_of(org, service)
    publisher = draws.choice(trusted or ("",))
    made = {
        each: stocked(
            each,
            pin.version,
            wishes,
            minute,
            draws.child(each),
            publisher=publisher,
            ours=each == ours,
            exposed=each == exposed,
        )
        for each, pin in pins.items()
    }
    asked = {each: pin.via for each, pin in pins.items() if pin.via}
    return Stock(
        direct={each: made[each] for each in pins if each not in asked},
        shipped={each: made[each] for each, via in asked.items() if not set(via) <= set(TOOLS)},
        tools={each: made[each] for each, via in asked.items() if set(via) <= set(TOOLS)},
        exposed=exposed,
        ours=ours,
    )


def wishes_of(org: Org, service: Service) -> Wishes:
    """Return what the rules ask of versions, taken together."""
    ages = [each.least_days for each in settings_of(org, service, "age")]
    least = [SEVERITIES.index(each.least) for each in settings_of(org, service, "vuln")] or [SEVERITIES.index("HIGH")]
    return Wishes(min(ages, default=0), max(ages, default=0), min(least), max(least))
