"""A workflow runs what a stranger wrote: a title in a shell line, or a pull request's code next to the secrets.

Twins: the same text in a variable; the base's code; the pull request's code on an event that has no secrets.
"""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.workflow_edits import alone, base_of, with_steps
from releaseops_mcp.world.changes.workflow_rules import FAMILY, owners_of, wanted_of
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

CHECKOUT_OWNER = "actions"
WRITTEN = ("github.event.pull_request.title", "github.event.pull_request.body", "github.head_ref")
GIVEN = ("github.event.pull_request.number", "github.base_ref", "github.run_id", "github.event.pull_request.base.sha")
VARIABLES = ("LABEL", "ABOUT", "NOTE", "SEEN")
STEPS = ("Post what it is about", "Tell the team", "Mark the run", "Say what comes")
EVENTS = {
    "pull_request_target": ("github.event.pull_request.head.sha", "github.event.pull_request.base.sha"),
    "workflow_run": ("github.event.workflow_run.head_sha", "github.sha"),
}
"""By event with secrets: what names the pull request's code, and what names the repository's own."""
FILES = ("label", "greet", "triage", "welcome")
NEW = """name: {name}
on: [{event}]
permissions:
  contents: read
jobs:
  {name}:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
        with:
          ref: ${{{{ {ref} }}}}
      - name: {step}
        env:
          {variable}: ${{{{ {text} }}}}
        run: python -m {package}.announce "${variable}"
"""
TWO_JOBS = """name: {name}
on: [pull_request, pull_request_target]
permissions:
  contents: read
jobs:
  check:
    if: github.event_name == '{first}'
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
        with:
          ref: ${{{{ github.event.pull_request.head.sha }}}}
      - run: python -m {package}.announce
  {name}:
    if: github.event_name == '{second}'
    runs-on: ubuntu-24.04
    steps:
      - name: {step}
        run: gh pr edit ${{{{ github.event.pull_request.number }}}} --add-label {name}
"""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Add a step that prints something, or a workflow that looks at pull requests."""
    package, name = draft.template.package, draws.choice(FILES)
    words = {"package": package, "name": name, "step": draws.choice(STEPS), "variable": draws.choice(VARIABLES)}
    written, given = draws.choice(WRITTEN), draws.choice(GIVEN)
    event = draws.choice(sorted(EVENTS))
    path = f".github/workflows/{name}.yml"
    if variant == "line":
        run, kept = (written, given) if fault else (given, written)
        files = {WORKFLOW: with_steps(base_of(draft), _step(words, run, kept))}
    elif variant == "checkout":
        theirs, ours = EVENTS[event]
        ref, text = (theirs, ours) if fault else (ours, theirs)
        files = {path: NEW.format(event=event, ref=ref, text=text, **words)}
    else:
        first, second = ("pull_request_target", "pull_request") if fault else ("pull_request", "pull_request_target")
        files = {path: TWO_JOBS.format(first=first, second=second, **words)}
    alone(draft, files, draws.child("change"))


def _step(words: dict[str, str], run: str, kept: str) -> str:
    """Return a step that runs one expression and keeps another in a variable."""
    head = f"- name: {words['step']}\n  env:\n    {words['variable']}: ${{{{ {kept} }}}}\n"
    command = f"python -m {words['package']}.announce"
    last = f'"${{{{ {run} }}}}" "${words["variable"]}"'
    return f"{head}  run: |\n    {command} --dry-run\n    {command} {last}"


def _minds(org: Org, service: Service, template: Template) -> bool:
    return bool(wanted_of(org, service, "untrusted"))


def _lets_check_out(org: Org, service: Service, template: Template) -> bool:
    """Return whether a new workflow may use the ordinary checkout, and the privileged events count."""
    by_tag = not wanted_of(org, service, "pinned") or CHECKOUT_OWNER in owners_of(org, service)
    counting = any(set(EVENTS) <= set(each.triggers) for each in wanted_of(org, service, "untrusted"))
    return by_tag and counting


KIND = Kind(
    name="k25-untrusted-input",
    group="D",
    title="A workflow runs what a stranger wrote",
    family=FAMILY,
    variants=(
        Variant("line", depth=1, differs=("patch",), pages=1, fits=_minds),
        Variant("checkout", depth=2, differs=("patch",), pages=1, fits=_lets_check_out),
        Variant("event", depth=3, differs=("patch",), pages=1, fits=_lets_check_out),
    ),
    plant=plant,
)
