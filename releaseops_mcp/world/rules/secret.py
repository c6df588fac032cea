"""No live credential comes in with a change: not in its files, and not in a commit of it that a later one cleans up.

The scan is asked for where the change adds what looks like a credential, or touches files in which they tend to be. It
says where something was found, in which commit, and whether whoever issues such credentials still honours it.
"""

import re
from collections.abc import Iterable

from pydantic import Field

from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.artefacts.patch import FileChange, PatchHead
from releaseops_mcp.world.artefacts.secrets import FindingRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown

LOOKS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|\b(?:sk|rk|pat|tok)_[A-Za-z0-9_]{16,}"
    r"|(?i:key|token|secret|password)[\"']?\s*[:=]\s*[\"']?(?=[A-Za-z0-9+/_=-]*\d)[A-Za-z0-9+/_=-]{16,}"
)
"""A private key, a prefixed token, or sixteen characters with a digit among them behind a telling name."""


class Secrets(Params):
    """Settings of the family."""

    live: tuple[str, ...] = ("active", "unknown")
    """What the scan must have found about a credential's validity for it to count."""
    least_entropy: float = Field(default=3.0, ge=0.0)
    """Bits a character below which a string is no credential."""
    public: tuple[str, ...] = ()
    """Sorts of credential (the scan's rules) that anybody may see, such as publishable keys."""
    allowed: tuple[str, ...] = ()
    """Paths (globs) of test data in which nothing counts."""
    suppressions: tuple[str, ...] = ("external",)
    """SARIF's kinds of suppression that count; a remark in the file is the author's own word."""
    watched: tuple[str, ...] = (".env*", "tests/fixtures/**")
    """Paths (globs) of which the scan is always asked for."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the scan found a live credential in a commit of the branch."""
    wanted: Secrets = settings(rule, Secrets)
    patch, scan, commits = case.topic("patch", "pr_"), case.topic("secrets", "pr_"), case.topic("commits", "pr_")
    heads, changes = view.records(patch, PatchHead), view.records(patch, FileChange)
    if not heads or not _is_suspect(heads[0].files, changes, wanted):
        return SATISFIED if view.known(patch) else unknown(patch)
    if not view.known(scan):
        return unknown(scan)
    live = [finding for finding in view.records(scan, FindingRecord) if is_live(finding, wanted)]
    grounds = (*view.sources(scan, live), *view.sources(patch, heads))
    if any(finding.commit == heads[0].head for finding in live):
        return Answer("violated", grounds)
    if live and not view.known(commits):
        return unknown(commits)
    branch = view.records(commits, CommitRecord)
    shown = [commit for commit in branch if any(finding.commit == commit.sha for finding in live)]
    return Answer("violated", (*grounds, *view.sources(commits, shown))) if shown else SATISFIED


def is_live(finding: FindingRecord, wanted: Secrets) -> bool:
    """Return whether a finding is a credential that could be used, and that nobody else has let pass."""
    return (
        finding.validity in wanted.live
        and finding.entropy >= wanted.least_entropy
        and finding.rule not in wanted.public
        and not covered(wanted.allowed, finding.path)
        and set(finding.suppressions).isdisjoint(wanted.suppressions)
    )


def _is_suspect(files: Iterable[str], changes: Iterable[FileChange], wanted: Secrets) -> bool:
    touched = any(covered(wanted.watched, path) for path in files)
    return touched or any(LOOKS.search(line) for change in changes for line in change.added)


FAMILY = RuleFamily(
    name="secret",
    summary="No live credential comes in with a change, nor in a commit that a later one cleans up.",
    judge=judge,
    params=Secrets,
)
