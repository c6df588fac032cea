"""An update is taken before it has been out for long enough.

Twins: an older version; a young one that leaves a known weakness behind; a young one of the organisation's own.
"""

from releaseops_mcp.world.changes.bumps import alone, moved
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.stock import FAMILY, direct_in, settings_of, stock_of, trusted_by
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

LEAST_DAYS = 4
"""Days that a young version needs to stay young for a whole release."""
FEWEST, FEWEST_WITH_OURS = 2, 3
"""Packages that a manifest must name: one has a weakness in use, one is of the organisation (see `changes.stock`)."""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Move packages of the manifest to versions of different ages."""
    alone(draft, draws.child("change"))
    stock = stock_of(draft)
    name = draws.choice(stock.plain)
    plain = stock.direct[name]
    sound = draws.choice((plain.early, plain.late))
    if variant == "young":
        taken = {name: plain.young if fault else sound}
    elif variant == "fix":
        taken = {name: plain.young} if fault else {stock.exposed: stock.direct[stock.exposed].young}
    elif variant == "own":
        taken = {name: plain.young} if fault else {stock.ours: stock.direct[stock.ours].young}
    else:
        ours = stock.direct[stock.ours]
        old = draws.choice((ours.early, ours.late))
        taken = {name: plain.young if fault else sound, stock.ours: old if fault else ours.young}
    draft.amend(moved(draft.head.tree, {each: f"=={version}" for each, version in taken.items()}, taken))


def _minds(org: Org, service: Service, template: Template) -> bool:
    wanted = settings_of(org, service, "age")
    return any(each.least_days >= LEAST_DAYS for each in wanted) and len(direct_in(template)) >= FEWEST


def _exempts_fixes(org: Org, service: Service, template: Template) -> bool:
    return all(each.fixes_exempt for each in settings_of(org, service, "age")) and _minds(org, service, template)


def _trusts(org: Org, service: Service, template: Template) -> bool:
    trusted = trusted_by(settings_of(org, service, "age"))
    return bool(trusted) and len(direct_in(template)) >= FEWEST_WITH_OURS and _minds(org, service, template)


KIND = Kind(
    name="k22-too-young",
    group="D",
    title="An update is taken days after it came out",
    family=FAMILY,
    variants=(
        Variant("young", depth=2, differs=("patch",), pages=3, fits=_minds),
        Variant("own", depth=3, differs=("patch",), pages=3, fits=_trusts),
        Variant("pair", depth=3, differs=("patch",), pages=4, fits=_trusts),
        Variant("fix", depth=4, differs=("patch",), pages=3, fits=_exempts_fixes),
    ),
    plant=plant,
)
