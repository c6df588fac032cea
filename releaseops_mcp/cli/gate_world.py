"""A world of `gate` for a reader: its proposals, what can be read about each, and, where asked for, what is true."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from releaseops_mcp.agents.terminal.view import readable, show
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.world import clock
from releaseops_mcp.world.orgs import handbook
from releaseops_mcp.world.policy import APPROVE, Verdict
from releaseops_mcp.world.precedents import pages as precedents
from releaseops_mcp.world.rules.base import Answer
from releaseops_mcp.world.truth import first_safe_phase, truth_of
from releaseops_mcp.world.world import Lineage, Version, World


def view(world: World, *, pages: bool, reveal: bool) -> RenderableType:
    """Return the release, proposal by proposal; `pages` adds every page's text, `reveal` the truth."""
    parts: list[RenderableType] = [_facts(world, reveal=reveal)]
    if pages:
        parts += [_heading("handbook"), *(Text(page) for page in handbook.pages_of(world.org))]
        parts += [_heading("past decisions"), *(readable(page) for page in precedents.pages_of(world))]
    for lineage in world.lineages:
        parts.append(_heading(f"{lineage.id}  {lineage.request}  by {lineage.worker.id}"))
        parts += _proposal(world, lineage, pages=pages, reveal=reveal)
    return Group(*parts)


def document(world: World, *, pages: bool, reveal: bool) -> Json:
    """Return the same as data."""
    proposals = [
        {
            "id": lineage.id,
            "appears": lineage.appears,
            "versions": [_version_data(version, pages=pages, tell=reveal) for version in lineage.versions],
        }
        for lineage in world.lineages
    ]
    return {"proposals": proposals} | ({"truth": truth_of(world)} if reveal else {})


def _facts(world: World, *, reveal: bool) -> RenderableType:
    facts: Json = {
        "organisation": world.org.title,
        "service": f"{world.service.name} (tier {world.service.tier}, template {world.service.template})",
        "starts": clock.stamp(world.start),
        "hours to the deadline": world.hours,
        "hours a phase": world.org.phase_hours,
        "review units": f"{world.units}, and {world.later_units} with each later phase",
    }
    if reveal:
        phase = first_safe_phase(world)
        end = f"a safe ship, from phase {phase} on" if phase else "a refusal: it cannot ship safely in time"
        facts |= {"ship request appears": f"in phase {world.ship_phase}", "best end": end}
        facts |= {"rules not in the handbook": [rule.id for rule in precedents.hidden(world)], "traps": _traps(world)}
    return show(facts)


def _traps(world: World) -> list[str]:
    """Return the traps that are set for whoever reads."""
    traps = world.traps
    words = {
        f"page 1 of {traps.cut} is answered in two pieces": traps.cut,
        f"inspection {traps.crash} crashes once": traps.crash,
        f"beside {traps.status} stands the status of another commit": traps.status,
    }
    torn = [f"the patch of {lineage.id} counts more than it lists" for lineage in world.lineages if lineage.torn]
    return [text for text, is_set in words.items() if is_set] + torn


def _proposal(world: World, lineage: Lineage, *, pages: bool, reveal: bool) -> Iterator[RenderableType]:
    shown = lineage.versions if reveal else lineage.versions[:1]
    if reveal:
        yield show(
            {
                "planted": f"{lineage.planted}, {'the fault' if lineage.fault else 'the harmless twin'}"
                if lineage.planted
                else None,
                "worker": f"{lineage.worker.archetype.name}, right {lineage.worker.rate:.0%} of the time",
                "appears": f"in phase {lineage.appears}",
            }
        )
    for version in shown:
        yield show({"version": version.number, "claim": version.claim, "touches": list(version.touches)})
        if reveal:
            yield _truth(world, lineage, version)
        yield from _artefacts(version, pages=pages)


def _truth(world: World, lineage: Lineage, version: Version) -> RenderableType:
    """Return what is true of a version when it appears, rule by rule, and what comes after a hold or a block."""
    phase = lineage.appears + version.number - 1
    verdict = world.verdict(lineage, version, phase)
    body = show(
        {
            f"verdict in phase {phase}": verdict.decision,
            "tell": version.tell,
            "shown by": list(verdict.grounds),
            "once put off": f"a revision, fix: {version.fix}" if version.fix else "comes back as it is",
        }
    )
    return Padding(Group(body, *_answers(verdict)), (0, 0, 0, 2))


def _answers(verdict: Verdict) -> Iterator[RenderableType]:
    for rule, answer in verdict.answers:
        style = "" if answer.state == "satisfied" else "bold red" if verdict.decision != APPROVE else "bold"
        yield Text.assemble((f"{answer.state:<10}", style), f" {rule.id} {rule.family} ({rule.severity})", _by(answer))


def _by(answer: Answer) -> str:
    return f" by {answer.waiver}" if answer.waiver else ""


def _artefacts(version: Version, *, pages: bool) -> Iterator[RenderableType]:
    for (tool, artefact_id), artefact in version.artefacts.items():
        named = "named" if artefact_id in version.refs else "not named"
        contents = ", ".join(sheet.topic.format for sheet in artefact.sheets)
        yield Text.assemble("  ", (artefact_id, "bold"), f"  {tool}  {contents}  ({named})")
        for number, sheet in enumerate(artefact.sheets if pages else (), 1):
            yield Padding(Text(f"page {number}: {sheet.topic.format}", style="dim"), (0, 0, 0, 4))
            yield Padding(readable(sheet.text), (0, 0, 0, 4))


def _version_data(version: Version, *, pages: bool, tell: bool) -> Json:
    artefacts = [
        {"id": artefact_id, "tool": tool, "contents": [sheet.topic.format for sheet in artefact.sheets]}
        | ({"pages": [sheet.text for sheet in artefact.sheets]} if pages else {})
        for (tool, artefact_id), artefact in version.artefacts.items()
    ]
    facts: Json = {"number": version.number, "claim": version.claim, "refs": list(version.refs), "artefacts": artefacts}
    return facts | ({"tell": version.tell} if tell else {})


def _heading(title: str) -> RenderableType:
    return Rule(readable(title), style="dim", align="left")
