"""A step of a required job stops counting: its failure no longer fails the job.

Twins: the change treats two steps, softens one and leaves the other as hard as it was. It matters which of them stands
in a required job: a step that gates nothing may fail.
"""

from collections.abc import Mapping

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.steps import INDENT, Place, gating, with_blocks
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

MESSAGES = ("Make the build steadier", "Keep the report when a runner is slow", "Tidy the workflow")
MINUTES = (5, 10, 20)
FORMS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "exit": (
        ("run: |\n  mkdir -p kept\n  {command} || {end}\ntimeout-minutes: {minutes}\n", "true", "exit 1"),
        ("run: |\n  mkdir -p kept\n  {command} ; exit {end}\ntimeout-minutes: {minutes}\n", "0", "$?"),
    ),
    "continue-on-error": (("run: {command}\ncontinue-on-error: {end}\ntimeout-minutes: {minutes}\n", "true", "false"),),
    "shell": (
        ("run: |\n  mkdir -p kept\n  set {end}\n  {command}\n  echo finished\n", "+e", "-e"),
        (
            "run: |\n  mkdir -p kept\n  set -o {end}\n  date\n  {command} | tee kept/output.txt\n",
            "errexit",
            "pipefail",
        ),
    ),
}
"""Ways to write a step by variant, with what makes each soft and what leaves it hard.

The words around the two are the same, so that only the job that a step stands in tells.
"""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Write two steps anew, one of them softened: the required job's, or the other's."""
    message, again = draws.sample(MESSAGES, 2)
    minute = draft.head.minute + draws.integer(5, 40)
    text = draft.head.tree[WORKFLOW]
    gate, free = (draws.choice(gating(text, draft.service.required_jobs, counts=counts)) for counts in (True, False))
    form, soft, hard = draws.choice(FORMS["exit" if variant == "taken-back" else variant])
    form = form.replace("{minutes}", str(draws.choice(MINUTES)))
    softened, kept = (gate, free) if fault else (free, gate)
    final = with_blocks(text, {softened: _written(form, softened, soft), kept: _written(form, kept, hard)})
    if variant != "taken-back":
        draft.amend({WORKFLOW: final})
        return
    # The first push softens both; the second takes one of them back. The run and the reviews are of the head.
    both = with_blocks(text, {each: _written(form, each, soft) for each in (gate, free)})
    draft.push({WORKFLOW: both}, message, minute)
    draft.push({WORKFLOW: final}, again, minute + 9)
    draft.move_evidence_to_head(minute + 12)


def _written(form: str, place: Place, end: str) -> str:
    lines = form.format(command=place.command, end=end).splitlines(True)
    return "".join(f"{INDENT}{line}" for line in lines)


def _has_both(org: Org, service: Service, template: Template) -> bool:
    text = template.base[WORKFLOW]
    return all(gating(text, service.required_jobs, counts=counts) for counts in (True, False))


KIND = Kind(
    name="k07-soft-step",
    group="B",
    title="A required job cannot fail any more",
    family="ci_gate_integrity",
    variants=(
        Variant("exit", depth=1, differs=("patch",), pages=2, fits=_has_both),
        Variant("continue-on-error", depth=2, differs=("patch",), pages=2, fits=_has_both),
        Variant("shell", depth=3, differs=("patch",), pages=2, fits=_has_both),
        Variant("taken-back", depth=3, differs=("patch",), pages=2, fits=_has_both),
    ),
    plant=plant,
)
