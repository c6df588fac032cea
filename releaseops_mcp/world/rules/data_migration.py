"""A migration may take away only what no release that was lately live still reads, and may ask nothing new of it."""

import re
from collections.abc import Iterator

from pydantic import Field

from releaseops_mcp.world.artefacts.deployments import DeploymentRecord
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import matches
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated

MIGRATIONS = "migrations/**"
REMOVES = re.compile(r"ALTER TABLE (\w+) (?:DROP|RENAME) COLUMN (\w+)", re.IGNORECASE)
DROPS = re.compile(r"DROP TABLE (?:IF EXISTS )?(\w+)", re.IGNORECASE)
DEMANDS = re.compile(r"ADD COLUMN \w+ .*\bNOT NULL(?!.*\bDEFAULT\b)|ALTER COLUMN \w+ SET NOT NULL", re.IGNORECASE)
"""What an older release's inserts would fail on: a value that it does not give and that has no default."""


class Migrations(Params):
    """Settings of the family."""

    releases: int = Field(default=2, ge=1)
    """How many live releases, the running one first, must keep working: those that one may roll back to."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a statement demands a new value at once, or removes what a protected release reads."""
    wanted: Migrations = settings(rule, Migrations)
    patch, topic = case.topic("patch", "pr_"), case.topic("deployments", "dep_")
    changes = [change for change in view.records(patch, FileChange) if matches(MIGRATIONS, change.path)]
    demanding = [change for change in changes if any(map(DEMANDS.search, _statements(change)))]
    if demanding:
        return violated(view, patch, demanding)
    removed = {name for change in changes for statement in _statements(change) for name in _removed(statement)}
    if removed and not view.known(topic):
        return unknown(topic)
    live = [each for each in view.records(topic, DeploymentRecord) if each.succeeded]
    protected = sorted(live, key=lambda each: each.minute, reverse=True)[: wanted.releases]
    broken = [each for each in protected if any(_covers(removed, read) for read in each.reads)]
    if removed and broken:
        return Answer("violated", (*view.sources(patch, changes), *view.sources(topic, broken)))
    return SATISFIED if view.known(patch) else unknown(patch)


def _statements(change: FileChange) -> Iterator[str]:
    lines = (line.partition("--")[0].strip() for line in change.added)
    yield from (statement.strip() for statement in " ".join(lines).split(";"))


def _removed(statement: str) -> Iterator[str]:
    """Yield what a statement removes, as `table.column`, or `table.` for all of a table."""
    if match := REMOVES.search(statement):
        yield f"{match[1]}.{match[2]}"
    elif match := DROPS.search(statement):
        yield f"{match[1]}."


def _covers(removed: set[str], read: str) -> bool:
    return read in removed or f"{read.partition('.')[0]}." in removed


FAMILY = RuleFamily(
    name="data_migration",
    summary="A migration breaks neither the running release nor those that one may roll back to.",
    judge=judge,
    params=Migrations,
)
