"""The named CI run is green, and of another commit than the one to be merged.

Twins: the same branch, and the run is of its head; a branch whose last push touched only what may go untested.
"""

from dataclasses import replace

from releaseops_mcp.world.changes.attempts import tried_again
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.pushes import after_reviews, push_remark, push_two
from releaseops_mcp.world.changes.steps import gating
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

FAMILY = "ci_provenance"
FAILURE = "AssertionError"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Push once or twice more, and let the run be of the head or of what was there before."""
    minute = after_reviews(draft, draws)
    if variant == "docs-since":
        push_two(draft, draws, minute, code_last=fault)
        tested = 1
    else:
        push_remark(draft, draws, minute, message=draft.title)
        tested = 0 if fault else 1
    if variant == "cherry-picked" and fault:
        _break_head(draft)
    draft.move_evidence_to_head(minute + 40)
    draft.runs = [replace(each, commit=tested) for each in draft.runs]
    if variant == "rerun":
        tried_again(draft, broken_steps=_beside(draft))


def _beside(draft: Draft) -> frozenset[str]:
    """Return a step of a job that nobody requires, as what failed in the first attempt."""
    return frozenset(
        f"{place.job}/{place.step}"
        for place in gating(draft.head.tree[WORKFLOW], draft.service.required_jobs, counts=False)[-1:]
    )


def _break_head(draft: Draft) -> None:
    """Let the last push break what the run before it still found green."""
    defect = draft.template.defect_of(draft.edit)
    broken = draft.template.broken(draft.head.tree, defect)
    draft.amend({defect.path: broken[defect.path]}, {test: FAILURE for test in defect.breaks})


def _may_go_untested(org: Org, service: Service, template: Template) -> bool:
    return any(rule.params.get("harmless") for rule in bearing(org, service, FAMILY))


KIND = Kind(
    name="k13-other-commit",
    group="B",
    title="The named run is of another commit",
    family=FAMILY,
    variants=(
        Variant("older-push", depth=3, differs=("run", "log", "lcov"), pages=3),
        Variant("rerun", depth=3, differs=("run", "log", "lcov"), pages=3),
        Variant("cherry-picked", depth=3, differs=("run", "log", "patch", "lcov", "properties"), pages=3),
        Variant(
            "docs-since", depth=4, differs=("run", "commits", "patch", "log", "lcov"), pages=3, fits=_may_go_untested
        ),
    ),
    plant=plant,
)
