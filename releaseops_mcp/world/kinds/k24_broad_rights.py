"""The workflow's token may do more than it needs to, and nobody who guards that has agreed.

Twins: the right of which a job may have more; the same right for one job alone; an approval of somebody who may
grant it.
"""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.onlookers import look, may_look
from releaseops_mcp.world.changes.workflow_edits import (
    BLOCK,
    alone,
    base_of,
    with_rights,
    with_rights_for_all,
)
from releaseops_mcp.world.changes.workflow_rules import FAMILY, allowed_in, grantors_of, wanted_of
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

SCOPES = ("contents", "packages", "id-token", "actions", "deployments", "statuses", "checks", "pull-requests", "issues")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Give the token rights, and let people look at it."""
    base = base_of(draft)
    allowed = allowed_in(draft.org, draft.service)
    # The block that all jobs share already speaks of what it lets them read.
    narrow = draws.choice([scope for scope in allowed if f" {scope}:" not in BLOCK] or SCOPES)
    broad = draws.choice([scope for scope in SCOPES if scope not in allowed])
    if variant == "scope":
        text = with_rights(base, {broad: "write", narrow: "read"} if fault else {broad: "read", narrow: "write"})
    elif variant == "level":
        high, low = ("write", "read") if fault else ("read", "write")
        text = with_rights_for_all(with_rights(base, {narrow: low}), {narrow: high})
    else:
        text = with_rights(base, {broad: "write"})
    alone(draft, {WORKFLOW: text}, draws.child("change"))
    if grantors_of(draft.org, draft.service):
        look(
            draft,
            grantors_of(draft.org, draft.service),
            draws.child("reviews"),
            agrees=variant == "granted" and not fault,
        )


def _minds(org: Org, service: Service, template: Template) -> bool:
    asked = bool(wanted_of(org, service, "permissions")) and BLOCK in template.base[WORKFLOW]
    return asked and may_look(org, service, template, grantors_of(org, service), (WORKFLOW,))


def _allows_some(org: Org, service: Service, template: Template) -> bool:
    return any(f" {scope}:" not in BLOCK for scope in allowed_in(org, service)) and _minds(org, service, template)


def _may_be_granted(org: Org, service: Service, template: Template) -> bool:
    return bool(grantors_of(org, service)) and _minds(org, service, template)


KIND = Kind(
    name="k24-broad-rights",
    group="D",
    title="A workflow may do more than it needs to",
    family=FAMILY,
    variants=(
        Variant("scope", depth=2, differs=("patch",), pages=3, fits=_allows_some),
        Variant("level", depth=2, differs=("patch",), pages=3, fits=_allows_some),
        Variant("granted", depth=3, differs=("reviews",), pages=3, fits=_may_be_granted),
    ),
    plant=plant,
)
