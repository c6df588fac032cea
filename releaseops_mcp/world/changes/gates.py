"""A workflow in which checks are gates: the change splits the test job into work and gate, and tries another Python."""

from dataclasses import dataclass

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.steps import gated, place_of_tests
from releaseops_mcp.world.ci.interpreter import WORKFLOW, parsed
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

FAMILY = "ci_required_complete"
EXTRA = "Keep report"
INNER = ("unit", "suite", "cases")
"""Keys of the job behind the required gate."""
NEXT = ("312", "313", "314")
"""What the keys beside them end in: a trial of another Python, which nobody requires."""


@dataclass(frozen=True, slots=True)
class Split:
    """The new workflow and its parts, by key."""

    text: str
    gate: str
    """A required check behind which no test would be missed."""
    behind: str
    other: str
    """A check that nobody requires, in the same place as `gate`."""
    other_behind: str


def split(draft: Draft, draws: Draws) -> Split:
    """Return the head's workflow with the test job split, and the like of it beside it."""
    text = draft.head.tree[WORKFLOW]
    place = place_of_tests(text)
    assert place is not None
    job = place.job
    inner, version = draws.choice(INNER), draws.choice(NEXT)
    trial, other = f"{inner}{version}", f"{job}{version}"
    return Split(gated(text, job, inner, EXTRA, trial, other, draft.template.package), job, inner, other, trial)


def is_splittable(org: Org, service: Service, template: Template) -> bool:
    """Return whether the test job is required, and not one of which a skip is expected."""
    text = template.base[WORKFLOW]
    place = place_of_tests(text)
    if place is None or place.job not in service.required_jobs or "name" in parsed(text)["jobs"][place.job]:
        return False
    return all(place.job not in rule.params.get("may_skip", ()) for rule in bearing(org, service, FAMILY))


def is_splittable_by_steps(org: Org, service: Service, template: Template) -> bool:
    """Return whether, besides, the organisation looks at the steps of a check."""
    wanted = any(rule.params.get("steps", True) for rule in bearing(org, service, FAMILY))
    return wanted and is_splittable(org, service, template)
