"""What is known of the actions that the workflow already uses: all of them their owners' own, under their tags."""

import re

from releaseops_mcp.world.artefacts import action
from releaseops_mcp.world.artefacts.action import Action, ForkCommit, TagRecord
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.hashing import blob_id

USED = re.compile(r"uses: ([\w.-]+/[\w.-]+)@([0-9a-f]{40}) # (v[\d.]+)")
FORKERS = ("hollis", "marit", "tove", "okafor", "lindqvist", "noor")


def add(draft: Draft, draws: Draws) -> None:
    """Add the record of every action that the base's workflow pins. What it says hangs on name and version alone."""
    for name, sha, tag in USED.findall(draft.template.base.get(WORKFLOW, "")):
        draft.extras.append(artefact(known(name, tag, sha)))


def known(name: str, tag: str, sha: str = "", parent: str = "") -> Action:
    """Return an action of which a version is the newest but one; `sha` is that version's commit where it is given."""
    draws = Draws("action", name, tag)
    major, minor, patch = map(int, tag.removeprefix("v").split("."))
    later = f"v{major}.{minor}.{patch + draws.integer(1, 2)}" if draws.chance(0.5) else f"v{major}.{minor + 1}.0"
    tags = [f"v{major}.{max(0, minor - 1)}.{draws.integer(3, 6)}", tag, later]
    own = tuple(TagRecord(each, sha if sha and each == tag else commit(name, each)) for each in tags)
    forks = tuple(ForkCommit(commit(fork, tag), fork) for fork in forks_of(name, draws))
    return Action(name, parent, own, forks)


def version_of(name: str) -> str:
    """Return the version of an action that its users pin: by its name alone, so that all proposals see the same."""
    draws = Draws("action", name)
    return f"v{draws.integer(1, 5)}.{draws.integer(1, 6)}.{draws.integer(0, 4)}"


def forks_of(name: str, draws: Draws) -> list[str]:
    """Return two forks of an action's repository."""
    return [f"{owner}/{name.partition('/')[2]}" for owner in draws.sample(FORKERS, 2)]


def commit(repository: str, tag: str) -> str:
    """Return the id of the commit that a repository has under a tag."""
    return blob_id(f"{repository} {tag}\n")


def artefact(of: Action) -> Artefact:
    """Return an action's record as something that can be read."""
    return Artefact(of.name, action.FORMAT.tool, lambda: action.sheets(of))


ORDINARY = Ordinary(name="actions", order=30, requests=("merge_change",), add=add)
