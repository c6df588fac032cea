"""Single proposals, made without a whole world around them."""

import re
from collections.abc import Iterator

from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.lineages import Plan, make
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.policy import Verdict, judge
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.templates import load_template
from releaseops_mcp.world.workers.registry import archetypes
from releaseops_mcp.world.world import Lineage, Version, Worker

START = DAY + 8 * HOUR


def plantings() -> Iterator[tuple[Org, Service, Kind, Variant]]:
    """Yield every variant of every kind in every organisation and service where it fits."""
    for org in map(load_org, org_names()):
        for kind in plantable(org):
            for service in org.services:
                for variant in kind.variants_for(org, service, load_template(service.template), 4):
                    yield org, service, kind, variant


def proposal(
    org: Org,
    service: Service,
    kind: Kind | None = None,
    variant: str = "",
    *,
    fault: bool = False,
    seed: int = 0,
    archetype: str = "careful",
    request: str = "merge_change",
) -> Lineage:
    """Return one proposal."""
    template = load_template(service.template)
    seat = org.workers[seed % len(org.workers)]
    plan = Plan(
        id="p1",
        request=kind.request if kind else request,
        org=org,
        service=service,
        template=template,
        edit=template.edits[seed % len(template.edits)],
        worker=Worker(seat.id, seat.role, archetypes()[archetype], 0.7, 7, 3),
        number=400,
        minute=START,
        appears=1,
        phase_minutes=org.phase_hours * HOUR,
        kind=kind,
        variant=variant,
        fault=fault,
    )
    return make(plan, Draws("test", seed))


def verdict(org: Org, lineage: Lineage, version: Version | None = None) -> Verdict:
    """Return what is true of a version, the first one by default."""
    version = version or lineage.versions[0]
    case = Case(
        org,
        lineage.request,
        lineage.service,
        lineage.worker.id,
        version.claim,
        version.refs,
        frozenset(version.touches),
        START,
    )
    return judge(case, version.view)


def pages(version: Version) -> dict[str, list[str]]:
    """Return every page's text by format."""
    found: dict[str, list[str]] = {}
    for artefact in version.artefacts.values():
        for sheet in artefact.sheets:
            found.setdefault(sheet.topic.format, []).append(sheet.text)
    return found


def without_hashes(text: str) -> str:
    """Return a text with everything that looks like a git id or digest blanked, as derived hashes may differ."""
    return re.sub(r"\b[0-9a-f]{7,64}\b", "#", text)


__all__ = ["kinds", "pages", "plantings", "proposal", "verdict", "without_hashes"]
