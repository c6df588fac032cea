"""A step of a required job stops counting: its failure no longer fails the job.

Twins: the same softening of a step that gates nothing; a softening that was taken back before the head; a pipe with
`pipefail`.
"""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

JOB = "test"
TESTS = "        run: pytest -q --junitxml=report.xml\n"
MESSAGES = ("Make the build steadier", "Keep the report when a runner is slow", "Tidy the workflow")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Soften a step in the workflow file, in one of four forms."""
    message = draws.choice(MESSAGES)
    minute = draft.head.minute + draws.integer(5, 40)
    text = draft.head.tree[WORKFLOW]
    post = f"        run: python -m {draft.template.package}.announce\n"
    if variant == "or-true":
        line = TESTS if fault else post
        draft.amend({WORKFLOW: text.replace(line, f"{line.rstrip()} || true\n")})
    elif variant == "continue-on-error":
        line = TESTS if fault else post
        draft.amend({WORKFLOW: text.replace(line, f"{line}        continue-on-error: true\n")})
    elif variant == "pipe":
        hard = "" if fault else "          set -o pipefail\n"
        command = TESTS.removeprefix("        run: ")
        block = f"        run: |\n{hard}          {command.rstrip()} | tee report.txt\n"
        draft.amend({WORKFLOW: text.replace(TESTS, block)})
    else:
        _taken_back(draft, text, fault, message, minute)


def _taken_back(draft: Draft, text: str, fault: bool, message: str, minute: int) -> None:
    """Soften the tests, comment on it, and (for the twin) take it back; the run and the reviews are of the head."""
    soft = text.replace(TESTS, f"{TESTS.rstrip()} || true\n")
    last = soft if fault else text
    draft.push({WORKFLOW: soft}, message, minute)
    draft.push(
        {WORKFLOW: last.replace("name: ci\n", "# Runs on every pull request.\nname: ci\n")},
        "Say when it runs",
        minute + 9,
    )
    draft.move_evidence_to_head(minute + 12)


def _gates_tests(org: Org, service: Service, template: Template) -> bool:
    return JOB in service.required_jobs


KIND = Kind(
    name="k07-soft-step",
    group="B",
    title="A required job cannot fail any more",
    family="ci_gate_integrity",
    variants=(
        Variant("or-true", depth=1, differs=("patch", "commits", "log"), pages=2, fits=_gates_tests),
        Variant("continue-on-error", depth=2, differs=("patch", "commits", "log"), pages=2, fits=_gates_tests),
        Variant("pipe", depth=3, differs=("patch", "log"), pages=2, fits=_gates_tests),
        Variant("taken-back", depth=3, differs=("patch", "commits", "log"), pages=2, fits=_gates_tests),
    ),
    plant=plant,
)
