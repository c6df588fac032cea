"""A required check is not there: it has not ended, or reports under another name than the one that is required.

Twins: the same workflow, and it is the check that nobody requires that is missing.
"""

from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.gates import FAMILY, is_splittable, split
from releaseops_mcp.world.changes.steps import with_key
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant

NAMES = ("{key} 3.12", "{key} 1/1", "{key} (2)")
LEGS = ("3.11", "3.12")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Split the test job into work and gate, and let the gate, or the one beside it, not report."""
    made = split(draft, draws)
    name, leg = draws.choice(NAMES), draws.choice(LEGS)
    missing, there = (made.gate, made.other) if fault else (made.other, made.gate)
    text = made.text
    if variant == "renamed":
        # The one that stays gets its own key for a name: that changes nothing.
        text = with_key(with_key(text, missing, f"name: {name.format(key=missing)}\n"), there, f"name: {there}\n")
    elif variant == "matrix":
        text = with_key(text, missing, f'strategy:\n  matrix:\n    python: ["{leg}"]\n')
        text = with_key(text, there, f'env:\n  python: "{leg}"\n')
    else:
        draft.runs = [replace(each, unfinished=frozenset({missing})) for each in draft.runs]
    draft.amend({WORKFLOW: text})


KIND = Kind(
    name="k14-absent-check",
    group="B",
    title="A required check has not reported",
    family=FAMILY,
    variants=(
        Variant("running", depth=1, differs=("run", "log"), pages=1, fits=is_splittable),
        Variant("renamed", depth=2, differs=("run", "patch", "log"), pages=1, fits=is_splittable),
        Variant("matrix", depth=3, differs=("run", "patch", "log"), pages=1, fits=is_splittable),
    ),
    plant=plant,
)
