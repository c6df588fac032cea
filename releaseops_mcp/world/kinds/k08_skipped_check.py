"""A required check passes because it never ran: a condition kept it, or a job before it failed.

Twins: the same workflow, and it is the check that nobody requires that was skipped.
"""

from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.gates import EXTRA, FAMILY, Split, is_splittable, is_splittable_by_steps, split
from releaseops_mcp.world.changes.steps import with_key
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant

NEVER = ("push", "schedule", "release")
"""Events that no pull request is."""
CONDITION = "if: github.event_name == '{event}'\n"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Split the test job into work and gate, and let the gate, or the one beside it, be skipped."""
    made = split(draft, draws)
    never = draws.choice(NEVER)
    skipped, run = (made.gate, made.other) if fault else (made.other, made.gate)
    text = made.text
    if variant == "event":
        for job, event in ((skipped, never), (run, "pull_request")):
            text = with_key(text, job, CONDITION.format(event=event))
    elif variant == "step":
        for job, event in ((skipped, never), (run, "pull_request")):
            text = _with_condition(text, job, CONDITION.format(event=event))
    else:
        failed = _behind(made, skipped)
        draft.runs = [replace(each, broken_steps=frozenset({f"{failed}/{EXTRA}"})) for each in draft.runs]
    draft.amend({WORKFLOW: text})


def _behind(made: Split, gate: str) -> str:
    return made.behind if gate == made.gate else made.other_behind


def _with_condition(text: str, job: str, condition: str) -> str:
    """Return the file with a condition on the gate's one step."""
    before, head, after = text.partition(f"  {job}:\n")
    return before + head + after.replace("      - name: Confirm\n", f"      - name: Confirm\n        {condition}", 1)


KIND = Kind(
    name="k08-skipped-check",
    group="B",
    title="A required check passed by being skipped",
    family=FAMILY,
    variants=(
        Variant("event", depth=1, differs=("run", "patch", "log"), pages=1, fits=is_splittable),
        Variant("upstream", depth=2, differs=("run", "log"), pages=1, fits=is_splittable),
        Variant("step", depth=3, differs=("run", "patch", "log"), pages=1, fits=is_splittable_by_steps),
    ),
    plant=plant,
)
