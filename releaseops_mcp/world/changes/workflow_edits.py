"""Changes of the workflow alone, as text: one more step at the end, other permissions, one more file."""

import re
from collections.abc import Mapping

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.reach import instead
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws

TITLES = (
    "Tell more about a build",
    "Let the build report itself",
    "Keep what a build made",
    "Small change to the build",
)
WHYS = (
    "Asked for by whoever reads the channel.",
    "So that nobody has to open the run to see it.",
    "Saves a step that somebody does by hand today.",
)
JOB = re.compile(r"^  [\w-]+:\n", re.MULTILINE)
BLOCK = "permissions:\n  contents: read\n"


def alone(draft: Draft, files: Mapping[str, str], draws: Draws) -> None:
    """Make the proposal a change of these workflow files alone."""
    instead(draft, files, draws.choice(TITLES), draws.choice(WHYS))


def with_steps(text: str, *steps: str) -> str:
    """Return a workflow with steps at the end of its last job; a step's lines are without indent."""
    return text + "".join(_indented(step, "      ") for step in steps)


def with_rights(text: str, rights: Mapping[str, str]) -> str:
    """Return a workflow whose last job has permissions of its own; no rights leave it as it is."""
    if not rights:
        return text
    last = list(JOB.finditer(text))[-1].end()
    lines = "".join(f"      {scope}: {right}\n" for scope, right in rights.items())
    return f"{text[:last]}    permissions:\n{lines}{text[last:]}"


def with_rights_for_all(text: str, rights: Mapping[str, str]) -> str:
    """Return a workflow with more permissions in the block that all jobs share."""
    return text.replace(BLOCK, BLOCK + "".join(f"  {scope}: {right}\n" for scope, right in rights.items()))


def base_of(draft: Draft) -> str:
    """Return the workflow before the change."""
    return draft.template.base[WORKFLOW]


def _indented(lines: str, space: str) -> str:
    return "".join(f"{space}{line}\n" for line in lines.splitlines())
