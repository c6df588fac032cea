"""What was deployed before: the service's last releases, the columns that each reads, now and then a failed one."""

import re
from dataclasses import dataclass

from releaseops_mcp.world.artefacts import deployments
from releaseops_mcp.world.artefacts.deployments import Deployment
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.hashing import blob_id
from releaseops_mcp.world.orgs.model import Org

FAMILY = "data_migration"
COLUMNS = ("memo", "origin", "batch_code", "channel", "hint", "shelf", "source_ref", "carrier", "note", "tag")
ALTERED = re.compile(r"ALTER TABLE (\w+)")


@dataclass(frozen=True, slots=True)
class History:
    """Past deployments, newest first, and columns by when their last reader went; names without their table."""

    table: str
    deployments: tuple[Deployment, ...]
    needed: str
    """Read by the oldest release that still counts, and by none that is newer."""
    free: str
    """Read by no release that still counts."""
    doubtful: str
    """Read by every release that was ever live; only the newest, which failed, no longer reads it."""


def add(draft: Draft, draws: Draws) -> None:
    """Add the history under an id of its own, and name it."""
    failed = draws.chance(0.5)
    dep = draft.new_id("dep")
    draft.refs.append(dep)
    draft.extras.append(artefact(dep, history(draft, draws, failed=failed)))


def history(draft: Draft, draws: Draws, *, failed: bool, newest: int = 0) -> History:
    """Return a history in which every sort of column occurs; `failed` puts a failed release on top.

    `newest` is the number of the release that is live; without it one is drawn.
    """
    live = counting(draft.org)
    needed, free, doubtful = draws.sample(COLUMNS, 3)
    table = table_of(draft)
    drawn = draws.integer(8, 44)
    newest = newest or drawn
    minute = draft.minute - draws.integer(1, 3) * DAY
    rows: list[Deployment] = []
    for age in range(-1 if failed else 0, live + 1):
        reads = ["id", *([needed] if age >= live - 1 else []), *([free] if age >= live else [])]
        reads += [doubtful] if age >= 0 else []
        release = f"2026.{newest - age}"
        rows.append(
            Deployment(
                number=7_000 + 10 * (newest - age),
                release=release,
                sha=blob_id(f"{draft.service.name} {release}\n"),
                minute=minute - (age + 1) * 7 * DAY,
                states=("failure",) if age < 0 else ("success",) if age == 0 else ("success", "inactive"),
                reads=tuple(f"{table}.{column}" for column in sorted(reads)),
            )
        )
    return History(table, tuple(rows), needed, free, doubtful)


def artefact(dep: str, of: History) -> Artefact:
    """Return a history as something that can be read."""
    return Artefact(dep, deployments.FORMAT.tool, lambda: deployments.sheets(dep, of.deployments))


def counting(org: Org) -> int:
    """Return how many live releases the organisation's rule protects; 2 where it has none."""
    rule = next((rule for rule in org.rules if rule.family == FAMILY), None)
    return int(rule.params.get("releases", 2)) if rule else 2


def table_of(draft: Draft) -> str:
    """Return the table that the service's last migration altered."""
    migrations = (text for path, text in draft.template.base.items() if path.startswith("migrations/"))
    found = [match[1] for text in migrations for match in ALTERED.finditer(text)]
    return found[-1] if found else draft.template.name


ORDINARY = Ordinary(name="deployments", order=30, requests=("merge_change",), add=add)
