"""A step runs an action that may be anybody's: named by tag, or by a commit that is not what it is called.

Twins: an action of an owner who may be named by tag; a commit that the action's repository has under the named version.
"""

from releaseops_mcp.world.artefacts.action import Action
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.actions import artefact, commit, known, version_of
from releaseops_mcp.world.changes.workflow_edits import alone, base_of, with_steps
from releaseops_mcp.world.changes.workflow_rules import FAMILY, owners_of, wanted_of
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

OWNERS = (
    *("corvid", "saltmarsh", "tern-tools", "hearthline", "quarry", "lantern", "osprey", "fenland", "drumlin", "dale"),
    *("gale", "moorland", "skerry", "burnside", "thicket", "wicker", "cairn", "rushes", "lapwing", "heron"),
)
NAMES = ("upload-report", "post-summary", "notify-channel", "annotate-run", "keep-logs")
USUAL = 1
"""Place among an action's tags of the version that its users pin: the newest but one."""
STEPS = ("Keep the report", "Tell the team", "Mark the run", "Store the result")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Add one step or two that run actions."""
    one, other = _owners(draft, draws.child("owners"))
    name = draws.choice(NAMES)
    tag = version_of(f"{one}/{name}")
    ours = known(f"{one}/{name}", tag)
    titles = draws.sample(STEPS, 2)
    if variant == "tag":
        actions, used = _by_tag(draft, ours, fault, draws)
    elif variant == "fork":
        copy = known(f"{other}/{name}", tag, parent=ours.name)
        actions, used = [ours, copy], [_by_commit(copy if fault else ours)]
    elif variant == "commit":
        actions, used = [ours], [f"{ours.name}@{ours.forks[0].sha if fault else commit(ours.name, tag)} # {tag}"]
    else:
        older = draws.choice([each.tag for each in ours.tags if each.tag != tag])
        actions, used = [ours], [f"{ours.name}@{commit(ours.name, older if fault else tag)} # {tag}"]
    # In either order, so that the order of what can be read says nothing.
    draft.extras += [artefact(each) for each in draws.sample(actions, len(actions))]
    steps = [f"- name: {title}\n  uses: {use}" for title, use in zip(titles, used, strict=False)]
    alone(draft, {WORKFLOW: with_steps(base_of(draft), *steps)}, draws.child("change"))


def _owners(draft: Draft, draws: Draws) -> list[str]:
    """Return two owners whom nobody may name by tag; a release's proposals each have their own."""
    trusted = owners_of(draft.org, draft.service)
    free = [owner for owner in OWNERS if owner not in trusted]
    place = 2 * (draft.number // 100)
    return draws.sample([free[(place + each) % len(free)] for each in (0, 1)], 2)


def _by_tag(draft: Draft, ours: Action, fault: bool, draws: Draws) -> tuple[list[Action], list[str]]:
    """Return two actions of which one is named by tag: that of a third party, or that of an owner who is trusted."""
    trusted = owners_of(draft.org, draft.service)
    # Rather an owner who is a stranger elsewhere: a name by itself tells nothing.
    owner = draws.choice([each for each in trusted if each in OWNERS] or trusted)
    name = f"{owner}/{draws.choice(NAMES)}"
    first = known(name, version_of(name))
    loose, fast = (ours, first) if fault else (first, ours)
    used = {loose.name: f"{loose.name}@{loose.tags[USUAL].tag}", fast.name: _by_commit(fast)}
    return [ours, first], [used[each.name] for each in draws.sample([ours, first], 2)]


def _by_commit(of: Action) -> str:
    usual = of.tags[USUAL]
    return f"{of.name}@{usual.sha} # {usual.tag}"


def _minds(org: Org, service: Service, template: Template) -> bool:
    return bool(wanted_of(org, service, "pinned"))


def _trusts(org: Org, service: Service, template: Template) -> bool:
    return bool(owners_of(org, service))


def _reads_remarks(org: Org, service: Service, template: Template) -> bool:
    return any(each.remarks for each in wanted_of(org, service, "pinned"))


KIND = Kind(
    name="k23-strange-action",
    group="D",
    title="A step runs an action that may be anybody's",
    family=FAMILY,
    variants=(
        Variant("tag", depth=1, differs=("patch", "log"), pages=2, fits=_trusts),
        Variant("commit", depth=3, differs=("patch", "log"), pages=2, fits=_minds),
        Variant("remark", depth=3, differs=("patch", "log"), pages=2, fits=_reads_remarks),
        Variant("fork", depth=3, differs=("patch", "log"), pages=2, fits=_minds),
    ),
    plant=plant,
)
