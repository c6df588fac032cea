"""Derives what a draft implies: commit ids, CI results, reviews by commit, and the artefacts that show them."""

from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts import (
    codeowners,
    commits,
    junit,
    lcov,
    log,
    patch,
    properties,
    reviews,
    run,
    secrets,
    ticket,
)
from releaseops_mcp.world.changes.draft import Draft, FindingDraft, ReviewDraft, RunDraft
from releaseops_mcp.world.changes.ship import artefacts_of
from releaseops_mcp.world.ci.interpreter import run_workflow
from releaseops_mcp.world.evidence.sheet import Artefact, Sheet
from releaseops_mcp.world.hashing import Tree, commit_id, tree_id
from releaseops_mcp.world.state import Commit, Finding, PullRequest, Review, Run, Ticket

ROOT_MINUTE = -10 * clock.DAY


@dataclass(frozen=True)
class Assembled:
    """One version of a proposal's evidence."""

    artefacts: tuple[Artefact, ...]
    refs: tuple[str, ...]
    """What the proposal names."""
    touches: tuple[str, ...]
    """Surfaces that the change touches, sorted."""
    pull_request: PullRequest | None


def assemble(draft: Draft) -> Assembled:
    """Return the evidence that follows from a draft."""
    if not draft.commits:
        shipped = artefacts_of(draft.ship, draft.service.name, draft.minute) if draft.ship else ()
        artefacts = (*map(_ticket, draft.tickets), *shipped, *draft.extras)
        return Assembled(artefacts, tuple(draft.refs), (), None)
    change = _pull_request(draft)
    surfaces = {draft.template.surface(path) for path in change.changed}
    runs = [_run(each, draft, change) for each in draft.runs]
    artefacts = (
        Artefact(change.id, "inspect_pr_diff", lambda: _change_sheets(change)),
        Artefact(change.id, "inspect_review", lambda: (*reviews.sheets(change), *codeowners.sheets(change))),
        *map(_ci, runs),
        *map(_ticket, draft.tickets),
        *draft.extras,
    )
    return Assembled(artefacts, (change.id, draft.runs[-1].id, *draft.refs), tuple(sorted(surfaces)), change)


def _change_sheets(change: PullRequest) -> tuple[Sheet, ...]:
    return (*patch.sheets(change), *commits.sheets(change), *secrets.sheets(change))


def _pull_request(draft: Draft) -> PullRequest:
    base = _commit(draft.base or draft.template.base, (), "Release of last week", "release-manager", ROOT_MINUTE)
    branch: list[Commit] = []
    for each in draft.commits:
        parent = branch[-1] if branch else base
        branch.append(_commit(each.tree, (parent.sha,), each.message, each.author or draft.worker, each.minute))
    return PullRequest(
        id=draft.pr,
        title=draft.title,
        body=draft.body,
        author=draft.worker,
        base=base,
        commits=tuple(branch),
        reviews=tuple(_review(each, draft, branch) for each in draft.reviews),
        unlisted=draft.unlisted,
        findings=tuple(_finding(each, draft, branch, base) for each in draft.findings),
    )


def _commit(tree: Tree, parents: tuple[str, ...], message: str, author: str, minute: int) -> Commit:
    return Commit(
        commit_id(tree_id(tree), parents, author, clock.seconds(minute), message), tree, message, author, minute
    )


def _review(each: ReviewDraft, draft: Draft, branch: list[Commit]) -> Review:
    person = draft.org.person(each.user)
    kind = "User" if person is None or person.kind == "human" else "Bot"
    association = "NONE" if person is None else "MEMBER"
    return Review(each.user, kind, each.state, branch[each.commit].sha, each.minute, each.body, association)


def _finding(each: FindingDraft, draft: Draft, branch: list[Commit], base: Commit) -> Finding:
    commit = base if each.commit is None else branch[each.commit]
    return Finding(each.rule, each.path, each.line, commit.sha, each.validity, each.entropy, each.suppression)


def _run(each: RunDraft, draft: Draft, change: PullRequest) -> Run:
    of = draft.commits[each.commit]
    result = run_workflow(
        of.tree,
        {**of.failing, **each.failing},
        of.broken_steps | each.broken_steps,
        change.changed,
        each.unfinished,
        each.flaky,
    )
    before = "" if each.previous is None else draft.runs[each.previous].id
    return Run(
        id=each.id,
        title=draft.title,
        commit=change.commits[each.commit],
        result=result,
        minute=each.minute,
        attempt=each.attempt,
        previous=before,
        base=change.base.tree,
        package=draft.template.package,
        properties=draft.template.checked(of.tree, draft.edit),
    )


def _ci(of: Run) -> Artefact:
    return Artefact(of.id, "inspect_ci_run", lambda: _ci_sheets(of))


def _ci_sheets(of: Run) -> tuple[Sheet, ...]:
    return (*run.sheets(of), *junit.sheets(of), *log.sheets(of), *lcov.sheets(of), *properties.sheets(of))


def _ticket(of: Ticket) -> Artefact:
    return Artefact(of.id, "inspect_ticket", lambda: ticket.sheets(of))
