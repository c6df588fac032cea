"""A change adds a package that is not what it seems: withdrawn, days old, or one letter off another.

Twins: a package with years of releases; a withdrawn version that is not the pinned one; a trusted publisher.
"""

import re
from dataclasses import replace

from releaseops_mcp.world.artefacts.package import Package, ReleaseRecord
from releaseops_mcp.world.changes.bumps import added, alone
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.packages import artefact
from releaseops_mcp.world.changes.stock import FAMILY, settings_of, trusted_by
from releaseops_mcp.world.changes.stocking import OWNERS, SUMMARIES, published
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.pins import MANIFEST
from releaseops_mcp.world.templates import Template

PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+)$", re.MULTILINE)
FIRST = ("ledger", "mint", "parcel", "token", "tally", "crate", "quota", "batch", "invoice", "pallet", "till", "route")
SECOND = ("schema", "guard", "rates", "codec", "audit", "windows", "sheets")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Add one of two packages to the manifest and the lock; the registry knows both, and one is not to be trusted."""
    alone(draft, draws.child("change"))
    text = draft.head.tree[MANIFEST]
    names = draws.sample(_names(text, variant, draft.number // 100, draws), 2)
    pins = [
        _offer(draft, variant, bad, name, draws.child(name)) for bad, name in zip((True, False), names, strict=True)
    ]
    # In either order, so that the order of what can be read says nothing.
    draft.extras += [artefact(record, ()) for record, _ in draws.sample(pins, 2)]
    record, version = pins[0] if fault else pins[1]
    # Next to the first pin: a lookalike stands beside what it looks like.
    first = PINNED.search(text)
    draft.amend(added(draft.head.tree, record.name, version, first.end() + 1 if first else len(text)))


def _names(text: str, variant: str, slot: int, draws: Draws) -> list[str]:
    """Return two names. A release holds several proposals: a proposal's place in the count keeps their names apart."""
    if variant != "lookalike":
        return [f"{FIRST[slot % len(FIRST)]}-{second}" for second in draws.sample(SECOND, 2)]
    name = PINNED.findall(text)[0][0]
    # Not at a hyphen: to the registry, two of them are as good as one.
    places = [place for place in range(1, len(name) - 1) if name[place] != "-"]
    place = places[slot % len(places)]
    return [name[:place] + name[place + 1 :], name[:place] + name[place] + name[place:]]


def _offer(draft: Draft, variant: str, bad: bool, name: str, draws: Draws) -> tuple[Package, str]:
    """Return a package and the version to pin."""
    wanted = settings_of(draft.org, draft.service, "registry")
    least, most = (pick(each.least_days for each in wanted) for pick in (min, max))
    version = f"{draws.integer(0, 3)}.{draws.integer(1, 6)}.{draws.integer(0, 4)}"
    young = draws.integer(1, max(1, least - 4))
    old = draws.integer(most + 60, 1500)
    days = young if variant == "internal" or (variant == "brand-new" and bad) else old
    record = aged(name, version, days, "", draws, minute=draft.minute)
    pinned = draws.integer(0, len(record.releases) - 1)
    if variant == "withdrawn":
        record = _withdrawn(record, pinned if bad else pinned - 1)
    elif variant != "brand-new":
        record = published(record, draws.choice(trusted_by(wanted)), draws, ours=not bad)
    return record, record.releases[pinned].version


def aged(name: str, version: str, days: int, organization: str, draws: Draws, *, minute: int = 0) -> Package:
    """Return a package whose first release came `days` before a minute; `version` is its newest of two or three."""
    major, minor, _ = (*map(int, version.split(".")), 0)[:3]
    versions = [*(f"{major}.{earlier}.0" for earlier in range(max(0, minor - 2), minor)), version]
    step = days * DAY // len(versions)
    first = minute - days * DAY
    releases = tuple(ReleaseRecord(each, first + step * order) for order, each in enumerate(versions))
    owner = draws.choice(OWNERS)
    return Package(name, draws.choice(SUMMARIES), owner, owner, organization, releases)


def _withdrawn(record: Package, index: int) -> Package:
    """Return a package of which one release was withdrawn."""
    releases = list(record.releases)
    releases[index] = replace(releases[index], yanked=True)
    return replace(record, releases=tuple(releases))


def _asks_for_age(org: Org, service: Service, template: Template) -> bool:
    wanted = settings_of(org, service, "registry")
    return all(each.least_days > 0 for each in wanted) and _trusts(org, service, template)


def _trusts(org: Org, service: Service, template: Template) -> bool:
    return bool(trusted_by(settings_of(org, service, "registry"))) and bool(
        PINNED.search(template.base.get(MANIFEST, ""))
    )


KIND = Kind(
    name="k20-strange-package",
    group="D",
    title="A new package is withdrawn, days old or a lookalike",
    family=FAMILY,
    variants=(
        Variant("withdrawn", depth=2, differs=("patch",), pages=3, fits=_trusts),
        Variant("brand-new", depth=3, differs=("patch",), pages=3, fits=_asks_for_age),
        Variant("lookalike", depth=3, differs=("patch",), pages=3, fits=_trusts),
        Variant("internal", depth=4, differs=("patch",), pages=3, fits=_asks_for_age),
    ),
    plant=plant,
)
