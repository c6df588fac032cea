"""Executed truth: what test reports and logs say is what real pytest finds in the trees that they are about.

Worlds are written to disk, and the commands with which their own workflow files run the tests are run there. Trees that
are equal in all that Python reads are run once.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from releaseops_mcp.world.artefacts.junit import CaseRecord
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.artefacts.run import RunRecord
from releaseops_mcp.world.evidence.sheet import Record, Sheet
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.materialize import materialize
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.scenario import ScenarioName
from releaseops_mcp.world.templates import template_names
from releaseops_mcp.world.world import Lineage, Version, World
from tests.gates.executing import Machine, Outcomes
from tests.gates.gate import Gate, at_least, at_most

WORLDS = 100
GROUPS = "AB"
"""Test integrity and CI evidence: the kinds whose truth lies in tests, or in what a run says of them."""
FRESH = 470_000
TRIES = 40
"""Seeds of one kind that are looked at for a template or a variant that is still missing."""
SUMMARY = re.compile(r"(\d+) (passed|failed|skipped)")
LAST = re.compile(r"\d+ (?:passed|failed|skipped|rerun).* in [\d.]+s$")


def gates() -> Iterator[Gate]:
    machine = Machine()
    wrong: dict[str, list[str]] = {"bases": [], "reports": [], "logs": []}
    seen: list[ScenarioName] = []
    places: set[str] = set()
    for name in sample():
        world = generate(name)
        seen.append(name)
        places.add(world.service.template)
        for fault, where in contradictions(world, machine):
            wrong[fault].append(where)
    run, covered = len(machine.known), {name.kind for name in seen}
    note = f"twins included; {run} different trees of {len(covered)} kinds; commands of the workflow files"
    yield at_least("gate: worlds whose tests were really run", len(seen), WORLDS, "", note)
    yield at_least("gate: templates among them", len(places), len(template_names()), "", ", ".join(sorted(places)))
    missing = sorted(set(checked_kinds()) - covered)
    yield at_most("gate: kinds of tests and CI without one", len(missing), 0, "", ", ".join(missing))
    for fault, found in wrong.items():
        note = f"of {len(seen)} worlds; {', '.join(found[:3]) or 'none'}"
        yield at_most(f"gate: {fault} that real pytest contradicts", len(found), 0, "", note)


def checked_kinds() -> list[str]:
    """Return the kinds that have a change with tests in it."""
    return [kind.name for kind in kinds().values() if kind.group in GROUPS and kind.request == "merge_change"]


def sample() -> Iterator[ScenarioName]:
    """Yield pairs of twins of every kind, until a kind has met every template and variant that it can."""
    for kind in checked_kinds():
        orgs = [org for org in org_names() if kind in {each.name for each in plantable(load_org(org))}]
        met: set[str] = set()
        for number in range(TRIES if orgs else 0):
            name = ScenarioName(orgs[number % len(orgs)], kind, False, 2 + number % 4, FRESH + number)
            world = generate(name)
            features = {world.service.template, named(world).planted}
            if not features <= met:
                met |= features
                yield from (name, name.other)


def named(world: World) -> Lineage:
    """Return the proposal in which the world's own kind is planted."""
    kind, twin = world.name.kind, world.name.twin
    return next(each for each in world.lineages if each.planted.partition("/")[0] == kind and each.fault != twin)


def contradictions(world: World, machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield what a world says of the named proposal, in any of its versions, that real pytest does not find."""
    lineage = named(world)
    with TemporaryDirectory() as folder:
        materialize(world, Path(folder) / "world")
        for version in lineage.versions:
            assert version.base is not None
            assert version.head is not None
            place = Path(folder) / "world" / lineage.id / f"v{version.number}"
            where = f"{world.name.id} {lineage.planted} v{version.number}"
            if set(machine.run(place / "base", version.base).outcomes.values()) != {"passed"}:
                yield "bases", where
            found = machine.run(place / "head", version.head)
            told = reported(version)
            # A run of another commit is what some kinds are about: its tree is not the head.
            if is_of_head(version) and told != found.outcomes:
                yield "reports", where
            expected = [counted(each) for each in found.commands] if is_of_head(version) else [counted(told)]
            lines = logged(version)
            if not lines or any(line not in expected for line in lines):
                yield "logs", where


def reported(version: Version) -> Outcomes:
    """Return the outcomes in the report of the named run; a test that passed only in a later try has passed."""
    return {each.id: each.outcome for each in _records(version, "junit") if isinstance(each, CaseRecord)}


def is_of_head(version: Version) -> bool:
    """Return whether the named run is of the commit that is to be merged."""
    run = next(each for each in _records(version, "run") if isinstance(each, RunRecord))
    return run.head == next(each.head for each in _records(version, "patch") if isinstance(each, PatchHead))


def logged(version: Version) -> list[Counter[str]]:
    """Return the counts of every last line of pytest in the named run's log."""
    text = "\n".join(sheet.text for sheet in _sheets(version, "log"))
    lines = (line for line in text.splitlines() if LAST.search(line))
    return [Counter({word: int(number) for number, word in SUMMARY.findall(line)}) for line in lines]


def counted(found: Outcomes) -> Counter[str]:
    """Return how many tests came to what."""
    return Counter(found.values())


def _records(version: Version, format: str) -> list[Record]:
    parse = formats()[format].parse
    return [record for sheet in _sheets(version, format) for record in parse(sheet.topic.subject, sheet.text)]


def _sheets(version: Version, format: str) -> list[Sheet]:
    """Return the pages of a format about the change and the run that a version names."""
    subjects = {next(ref for ref in version.refs if ref.startswith(prefix)) for prefix in ("pr_", "ci_")}
    artefacts = version.artefacts.values()
    sheets = (sheet for artefact in artefacts if artefact.id in subjects for sheet in artefact.sheets)
    return [sheet for sheet in sheets if sheet.topic.format == format]
