"""Rules asked about one proposal's evidence, read in part or in whole."""

from typing import Any

from releaseops_mcp.world.evidence.sheet import sheet_key
from releaseops_mcp.world.evidence.view import PartialView
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.rules.base import Answer, Case
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.world import Lineage
from tests.world.cases import START


def answer_of(
    org: Org, lineage: Lineage, family: str, *formats: str, version: int = 0, minute: int = START, **params: Any
) -> Answer:
    """Return what the organisation's rule of a family says after reading some formats, all of them by default."""
    found = lineage.versions[version]
    view = PartialView()
    for (tool, subject), artefact in found.artefacts.items():
        for page, sheet in enumerate(artefact.sheets, 1):
            if not formats or sheet.topic.format in formats:
                view.add(sheet.topic, sheet.text, sheet.part, sheet.parts, sheet_key(tool, subject, page))
    rule = next(rule for rule in org.rules if rule.family == family)
    rule = rule.model_copy(update={"params": rule.params | params})
    touches = frozenset(found.touches)
    case = Case(org, lineage.request, lineage.service, lineage.worker.id, found.claim, found.refs, touches, minute)
    return families()[family].judge(rule, case, view)
