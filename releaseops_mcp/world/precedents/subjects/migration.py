"""A migration that drops a column, and how many live releases ago it was last read."""

from releaseops_mcp.world.artefacts.deployments import DeploymentRecord
from releaseops_mcp.world.artefacts.patch import FileChange, PatchHead
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.orgs.model import Handbook
from releaseops_mcp.world.precedents.precedent import Facts, Past
from releaseops_mcp.world.precedents.subjects.base import DEPLOYMENT, HEAD, PR, RUN, Hint, Records, Setting, Subject

COLUMNS = ("memo", "channel", "hint", "shelf", "carrier", "note")
TABLES = ("orders", "entries", "bookings")
LIVE = 5
"""Releases of which a precedent tells."""


def draw(setting: Setting, draws: Draws) -> Facts:
    """Drop a column that the last few live releases, none of them, or only earlier ones read."""
    column = f"{draws.choice(TABLES)}.{draws.choice(COLUMNS)}"
    return {"drops": column, "last_read_live_releases_ago": draws.integer(0, LIVE - 1)}


def records(past: Past, handbook: Handbook) -> Records:
    """Return the patch and the live releases; the running one is 0 releases ago."""
    dropped, last = past.facts["drops"], past.facts["last_read_live_releases_ago"]
    table, _, column = dropped.partition(".")
    change = FileChange("migrations/0100.sql", "added", (f"+ALTER TABLE {table} DROP COLUMN {column};",))
    live = tuple(DeploymentRecord(f"r{age}", -age, True, (dropped,) if age >= last else ()) for age in range(LIVE))
    return {
        Topic("patch", PR): (PatchHead(HEAD, "", past.worker, "", "", (change.path,)), change),
        Topic("deployments", DEPLOYMENT): live,
    }


SUBJECT = Subject(
    name="migration",
    families=("data_migration",),
    request="merge_change",
    refs=(PR, RUN, DEPLOYMENT),
    touches=("schema",),
    draw=draw,
    records=records,
    hints={
        "data_migration": Hint(
            incident="Rolling {service} back failed: the release before still read a column that had just gone.",
            heard="{service} keeps a column for as long as one may roll back to a release that reads it.",
            misheard="A column that the running release of {service} no longer reads may go.",
        )
    },
)
