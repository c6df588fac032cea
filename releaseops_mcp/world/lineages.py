"""How one proposal is made: a draft, ordinary facts, what is planted, and the versions that follow."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.changes.approvers import settle
from releaseops_mcp.world.changes.assemble import assemble
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.registry import habits
from releaseops_mcp.world.clock import HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.kinds.base import Kind
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Edit, Template
from releaseops_mcp.world.world import Lineage, Version, Worker

MOST_VERSIONS = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """What has been drawn of a proposal before it is made."""

    id: str
    request: str
    org: Org
    service: Service
    template: Template
    edit: Edit
    worker: Worker
    number: int
    minute: int
    appears: int
    phase_minutes: int
    kind: Kind | None = None
    variant: str = ""
    decoy: bool = False
    fault: bool = False
    torn: bool = False
    """Whether its evidence first contradicts itself: a trap of a proposal without a fault."""


def make(plan: Plan, draws: Draws) -> Lineage:
    """Return the lineage of a plan. What does not depend on `fault` is drawn the same for both twins."""
    manner = draws.child("manner")
    archetype = plan.worker.archetype
    words = manner.choice(archetype.claim(plan.request))
    confidence = manner.weighted(archetype.confidence)
    fixes = [manner.weighted(archetype.fixes) for _ in range(MOST_VERSIONS - 1)]
    drafts = [_draft(plan, plan.fault, draws)]
    while plan.fault and len(drafts) < MOST_VERSIONS and (len(drafts) == 1 or fixes[len(drafts) - 2] != "real"):
        drafts.append(_revised(plan, drafts[-1], fixes[len(drafts) - 1], len(drafts), draws))
    if plan.torn and not plan.fault:
        fixes[0] = "real"
        drafts.append(_revised(plan, drafts[0], "real", 1, draws))
        drafts[0].unlisted = 1
    versions = tuple(
        _version(plan, draft, number, words, fixes[number - 1] if number < len(drafts) else "")
        for number, draft in enumerate(drafts, 1)
    )
    return Lineage(
        id=plan.id,
        request=plan.request,
        service=plan.service,
        worker=plan.worker,
        confidence=confidence,
        appears=plan.appears,
        versions=versions,
        planted=f"{plan.kind.name}/{plan.variant}" if plan.kind else "",
        decoy=plan.decoy,
        fault=plan.fault,
        torn=plan.torn and not plan.fault,
    )


def _draft(plan: Plan, fault: bool, draws: Draws) -> Draft:
    draft = Draft(
        plan.org,
        plan.service,
        plan.template,
        plan.edit,
        plan.request,
        plan.worker.id,
        plan.number,
        plan.minute,
        appears=plan.appears,
    )
    for habit in habits(plan.request):
        habit.add(draft, draws.child("ordinary", habit.name))
    if plan.worker.archetype.asides:
        draft.body += "\n\n" + draws.child("aside").choice(plan.worker.archetype.asides)
    if plan.kind:
        plan.kind.plant(draft, plan.variant, fault, draws.child("planted"))
    if draft.commits:
        settle(draft, draws.child("approvers"))
    return draft


def _revised(plan: Plan, before: Draft, fix: str, count: int, draws: Draws) -> Draft:
    """Return the draft that a held or blocked proposal comes back as.

    A real fix is the twin's state, pushed on top of what was there; anything else is a push that repairs nothing.
    """
    draft = _draft(plan, fault=fix != "real", draws=draws)
    if not draft.commits:
        return draft
    minute = plan.minute + count * plan.phase_minutes - HOUR
    fresh, gone = draft.commits, len(before.commits)
    top = replace(fresh[-1], message=f"Address review ({count})", minute=minute)
    shift = gone + 1 - len(fresh)
    draft.commits = [*before.commits, top]
    draft.reviews = [
        replace(each, commit=each.commit + shift, minute=minute + 10 * order)
        for order, each in enumerate(draft.reviews, 1)
    ]
    old = draft.runs
    draft.runs = [
        replace(
            each,
            id=f"ci_{plan.number + 5 * count + order}",
            commit=each.commit if each.stays else each.commit + shift,
            minute=minute + 2 + order,
        )
        for order, each in enumerate(old)
    ]
    # A claim that cites a run cites the one in its place now.
    renamed = {before.id: after.id for before, after in zip(old, draft.runs, strict=True)}
    draft.claim = re.sub(r"\bci_\d+", lambda match: renamed.get(match[0], match[0]), draft.claim)
    return draft


def _version(plan: Plan, draft: Draft, number: int, words: str, fix: str) -> Version:
    made = assemble(draft)
    hidden = plan.worker.archetype.hides_tickets and plan.request == "merge_change"
    refs = tuple(ref for ref in made.refs if not (hidden and ref.startswith("ticket_")))
    run = next((ref for ref in made.refs if ref.startswith("ci_")), "")
    artefacts = {(artefact.tool, artefact.id): artefact for artefact in made.artefacts}
    facts: Mapping[str, str] = {"title": draft.title, "service": plan.service.name, "pr": draft.pr, "run": run}
    return Version(
        number=number,
        claim=draft.claim or words.format_map(facts),
        refs=refs,
        touches=made.touches,
        artefacts=artefacts,
        tell=_tell(plan, artefacts) or next(iter(refs), ""),
        base=made.pull_request.base.tree if made.pull_request else None,
        head=made.pull_request.head.tree if made.pull_request else None,
        fix=fix,
    )


def _tell(plan: Plan, artefacts: Mapping[tuple[str, str], Artefact]) -> str:
    """Return the artefact that holds the first of the formats in which twins may differ: the same for both."""
    variant = next((each for each in plan.kind.variants if each.name == plan.variant), None) if plan.kind else None
    tool = formats()[variant.differs[0]].tool if variant else ""
    return next((artefact for reader, artefact in artefacts if reader == tool), "")
