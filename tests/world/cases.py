"""Single proposals, made without a whole world around them."""

import re
from collections import Counter
from collections.abc import Iterator

from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.levels import LEVELS
from releaseops_mcp.world.lineages import Plan, make
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.policy import Verdict, judge
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.scenario import ScenarioName
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


def sampled() -> list[tuple[Org, Service, Kind, Variant]]:
    """Return some plantings: every variant of every kind somewhere, and every kind wherever it can be.

    Six organisations make over 1,500 plantings, too many to try each in each law. So an organisation gets, of each kind
    that it can have, the form that has been taken least often so far, in the service of its that has; the forms that
    are then still missing follow, each in its first place. Nothing is drawn: the same plantings in each run.
    """
    options: dict[tuple[str, str], list[tuple[Org, Service, Kind, Variant]]] = {}
    for each in plantings():
        options.setdefault((each[0].id, each[2].name), []).append(each)
    taken: Counter[tuple[str, str]] = Counter()
    found: list[tuple[Org, Service, Kind, Variant]] = []

    def take(each: tuple[Org, Service, Kind, Variant]) -> None:
        org, service, kind, variant = each
        taken.update([(kind.name, variant.name), (org.id, service.name)])
        found.append(each)

    for each in options.values():
        take(min(each, key=lambda one: (taken[one[2].name, one[3].name], taken[one[0].id, one[1].name])))
    for one in (one for each in options.values() for one in each):
        if not taken[one[2].name, one[3].name]:
            take(one)
    return found


def scenarios(*seeds: int, homes: int | None = None) -> list[ScenarioName]:
    """Return faulty scenarios of every kind, at all its organisations or at so many `homes` of them.

    Levels and organisations take turns, so that each organisation meets each level and each kind several of them:
    every kind at every organisation at every level would be too much. Nothing is drawn.
    """
    found: list[ScenarioName] = []
    for seed in seeds:
        for place, kind in enumerate(kinds().values(), seed):
            able = [org for org in org_names() if kind in plantable(load_org(org))]
            found += [
                ScenarioName(able[turn % len(able)], kind.name, False, 1 + turn % len(LEVELS), seed)
                for turn in range(place, place + min(len(able), homes or len(able)))
            ]
    return found


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


__all__ = ["kinds", "pages", "plantings", "proposal", "sampled", "scenarios", "verdict", "without_hashes"]
