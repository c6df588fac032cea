"""A migration breaks a release that is still live, or that one may have to roll back to.

Twins: the contract step of what was long expanded: a column whose last reader has left; a new column with a default.
"""

import re

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.deployments import artefact, history
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant

NAMES = ("tidy", "follow_up", "columns", "shape")
NEW = ("settled_at", "retries", "priority", "weight", "rank")
ADD = (
    "ALTER TABLE {table} ADD COLUMN {new} INTEGER NOT NULL;\n",
    "ALTER TABLE {table} ADD COLUMN {other} INTEGER DEFAULT 0;\n",
)
ADD_SAFE = (
    "ALTER TABLE {table} ADD COLUMN {new} INTEGER NOT NULL DEFAULT 0;\n",
    "ALTER TABLE {table} ADD COLUMN {other} INTEGER;\n",
)
DROP = "ALTER TABLE {table} DROP COLUMN {old};\n"
RENAME = "ALTER TABLE {table} RENAME COLUMN {old} TO {old}_v2;\n"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Add a migration, and the history of deployments against which it must be read."""
    past = history(draft, draws, failed=variant == "failed-release" or draws.chance(0.5))
    draft.extras = [artefact(each.id, past) if each.id.startswith("dep_") else each for each in draft.extras]
    new, other = draws.sample(NEW, 2)
    word, verb = draws.choice(NAMES), draws.choice((DROP, RENAME))
    if variant == "not-null":
        statement, old = "".join(draws.sample(ADD if fault else ADD_SAFE, 2)), ""
    else:
        statement = {"drop": DROP, "rename": RENAME}.get(variant, verb)
        old = past.free if not fault else past.doubtful if variant == "failed-release" else past.needed
    path = f"migrations/{_next_number(draft):04d}_{past.table}_{word}.sql"
    draft.amend({path: statement.format(table=past.table, old=old, new=new, other=other)})


def _next_number(draft: Draft) -> int:
    numbers = [int(match[1]) for path in draft.head.tree if (match := re.match(r"migrations/(\d+)_", path))]
    return max(numbers, default=0) + 1


KIND = Kind(
    name="k26-early-contract",
    group="E",
    title="A migration breaks a release that is still in use",
    family="data_migration",
    variants=(
        Variant("not-null", depth=1, differs=("patch",), pages=1),
        Variant("drop", depth=3, differs=("patch",), pages=2),
        Variant("rename", depth=3, differs=("patch",), pages=2),
        Variant("failed-release", depth=4, differs=("patch",), pages=2),
    ),
    plant=plant,
)
