"""The settings of the rules about workflow files: which check a rule makes, and what it allows."""

from typing import Literal

from releaseops_mcp.world.rules.base import Params


class Workflows(Params):
    """Settings of the family; a rule makes one check, and the settings of the others do nothing."""

    check: Literal["pinned", "permissions", "untrusted"] = "pinned"
    """`pinned`: which code an action is. `permissions`: what the token may do. `untrusted`: whose input is run."""
    owners: tuple[str, ...] = ()
    """pinned: owners of actions that may be named by tag."""
    remarks: bool = True
    """pinned: whether the version in the remark behind a commit id must be that commit's."""
    allowed: tuple[str, ...] = ()
    """permissions: scopes that a single job may be given write access to."""
    grantors: tuple[str, ...] = ()
    """permissions: teams of which one member's approval of the head allows more."""
    triggers: tuple[str, ...] = ("pull_request_target", "workflow_run")
    """untrusted: events that run with the repository's secrets, and so may not run what a pull request brings."""
