"""The lock does not hold what the manifest asks for.

Twins: a lock at another version that the manifest allows; a disagreement that was there before the change.
"""

from releaseops_mcp.world.changes.bumps import alone, moved
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.stock import FAMILY, direct_in, settings_of, stock_of
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template
from releaseops_mcp.world.versions import VERSION

FEWEST = 2
"""Packages that a manifest must name: one of them has a weakness in use (see `changes.stock`)."""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Move packages in both files, to versions that agree or do not."""
    alone(draft, draws.child("change"))
    stock = stock_of(draft)
    name = draws.choice(stock.plain)
    of = stock.direct[name]
    asked, other = draws.sample((of.early, of.late), 2)
    manifest, lock = {name: f"=={asked}"}, {name: other if fault else asked}
    if variant == "range":
        spec, allowed = _range(of.early, of.late, draws)
        refused = of.late if allowed == of.early else of.early
        manifest, lock = {name: spec}, {name: refused if fault else allowed}
    elif variant == "before":
        _disagree(draft, draws.choice([each for each in stock.direct if each not in (name, stock.exposed)]))
    draft.amend(moved(draft.head.tree, manifest, lock))


def _range(early: str, late: str, draws: Draws) -> tuple[str, str]:
    """Return a specifier that allows one of two versions, and which."""
    match = VERSION.match(early)
    assert match is not None
    above = int(match["release"].split(".")[0]) + 1
    options = (
        (f">={late},<{above}", late),
        (f"!={early},<{above}", late),
        (f">={early},!={late}", early),
        (f"<={early},!={late}", early),
    )
    return draws.choice(options)


def _disagree(draft: Draft, name: str) -> None:
    """Let the base hold one package in two versions already, in both twins: that is no fault of this change."""
    base = moved(draft.template.base, {}, {name: stock_of(draft).direct[name].early})
    draft.base = {**draft.template.base, **base}
    draft.amend(base)


def _locks(org: Org, service: Service, template: Template) -> bool:
    return bool(settings_of(org, service, "lock")) and len(direct_in(template)) >= FEWEST


def _has_another(org: Org, service: Service, template: Template) -> bool:
    return _locks(org, service, template) and len(direct_in(template)) > FEWEST


KIND = Kind(
    name="k21-unlocked",
    group="D",
    title="The lock does not hold what the manifest asks for",
    family=FAMILY,
    variants=(
        Variant("version", depth=1, differs=("patch",), pages=3, fits=_locks),
        Variant("range", depth=2, differs=("patch",), pages=3, fits=_locks),
        Variant("before", depth=3, differs=("patch",), pages=3, fits=_has_another),
    ),
    plant=plant,
)
