"""A change adds a package that is not what it seems: withdrawn, days old, or one letter off another.

Twins: a package with years of releases; a withdrawn version that is not the pinned one; a trusted publisher.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from releaseops_mcp.world.artefacts.package import Package
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.packages import MANIFEST, PINNED, aged, artefact
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

FAMILY = "dependency"
FIRST = ("ledger", "mint", "parcel", "token", "tally", "crate", "quota", "batch", "invoice", "pallet", "till", "route")
SECOND = ("schema", "guard", "rates", "codec", "audit", "windows", "sheets")
STRANGERS = ("", "open-{0}", "{0}-community")
"""Publishers that are not trusted: a private person, or an organisation that calls itself nearly so."""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Add one of two packages to the manifest; the registry knows both, and one of them is not to be trusted."""
    text = draft.head.tree[MANIFEST]
    names = draws.sample(_names(text, variant, draft.number // 100, draws), 2)
    pins = [
        _offer(draft, variant, bad, name, draws.child(name)) for bad, name in zip((True, False), names, strict=True)
    ]
    # In either order, so that the order of what can be read says nothing.
    draft.extras += [artefact(record) for record, _ in draws.sample(pins, 2)]
    record, version = pins[0] if fault else pins[1]
    draft.amend({MANIFEST: _pinned(text, f"{record.name}=={version}\n")})


def _pinned(text: str, line: str) -> str:
    """Return the manifest with one more line, next to the first pin: a lookalike stands beside what it looks like."""
    first = PINNED.search(text)
    place = first.end() + 1 if first else len(text)
    return text[:place] + line + text[place:]


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
    wanted = _settings(draft.org, draft.service)
    version = f"{draws.integer(0, 3)}.{draws.integer(1, 6)}.{draws.integer(0, 4)}"
    young = draws.integer(1, max(1, wanted["least_days"] - 4))
    old = draws.integer(wanted["least_days"] + 60, 1500)
    days = young if variant == "internal" or (variant == "brand-new" and bad) else old
    record = aged(name, version, days, "", draws, minute=draft.minute)
    pinned = draws.integer(0, len(record.releases) - 1)
    if variant == "withdrawn":
        record = _withdrawn(record, pinned if bad else pinned - 1)
    elif variant != "brand-new":
        record = _published(record, bad, wanted["trusted"], draws)
    return record, record.releases[pinned].version


def _published(record: Package, bad: bool, trusted: Sequence[str], draws: Draws) -> Package:
    """Return a package of a trusted publisher, or of one that only says so.

    Anybody may write a trusted name into the author's field; the registry alone says who owns a package.
    """
    ours = draws.choice(trusted)
    stranger = draws.choice(STRANGERS).format(ours)
    if bad:
        return replace(record, author=ours, organization=stranger)
    return replace(record, author=stranger or record.owner, organization=ours)


def _withdrawn(record: Package, index: int) -> Package:
    """Return a package of which one release was withdrawn."""
    releases = list(record.releases)
    releases[index] = replace(releases[index], yanked=True)
    return replace(record, releases=tuple(releases))


def _settings(org: Org, service: Service) -> dict[str, Any]:
    return {"least_days": 0, "trusted": [], **bearing(org, service, FAMILY)[0].params}


def _asks_for_age(org: Org, service: Service, template: Template) -> bool:
    return _settings(org, service)["least_days"] > 0 and _trusts(org, service, template)


def _trusts(org: Org, service: Service, template: Template) -> bool:
    return bool(_settings(org, service)["trusted"]) and bool(PINNED.search(template.base.get(MANIFEST, "")))


KIND = Kind(
    name="k20-strange-package",
    group="D",
    title="A new package is withdrawn, days old or a lookalike",
    family=FAMILY,
    variants=(
        Variant("withdrawn", depth=2, differs=("patch",), pages=2, fits=_trusts),
        Variant("brand-new", depth=3, differs=("patch",), pages=2, fits=_asks_for_age),
        Variant("lookalike", depth=3, differs=("patch",), pages=2, fits=_trusts),
        Variant("internal", depth=4, differs=("patch",), pages=2, fits=_asks_for_age),
    ),
    plant=plant,
)
