"""The run that a proposal names is of the commit that it asks to merge."""

from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.run import RunRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown
from releaseops_mcp.world.rules.pushes import only_harmless_since


class Provenance(Params):
    """Settings of the family."""

    harmless: tuple[str, ...] = ()
    """Paths that may change after the run without a new one."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the run's commit is not the head, and what was pushed since may not go untested."""
    wanted: Provenance = settings(rule, Provenance)
    patch, run, commits = case.topic("patch", "pr_"), case.topic("run", "ci_"), case.topic("commits", "pr_")
    runs, heads = view.records(run, RunRecord), view.records(patch, PatchHead)
    if not runs or not heads:
        return unknown(*([] if runs else [run]), *([] if heads else [patch]))
    if runs[0].head == heads[0].head:
        return SATISFIED
    branch: tuple[CommitRecord, ...] = ()
    if wanted.harmless:
        if not view.known(commits):
            return unknown(commits)
        branch = view.records(commits, CommitRecord)
        if only_harmless_since(branch, runs[0].head, wanted.harmless):
            return SATISFIED
    grounds = (*view.sources(run, runs), *view.sources(patch, heads), *view.sources(commits, branch))
    return Answer("violated", grounds)


FAMILY = RuleFamily(
    name="ci_provenance",
    summary="The named CI run is of the commit that is to be merged.",
    judge=judge,
    params=Provenance,
)
