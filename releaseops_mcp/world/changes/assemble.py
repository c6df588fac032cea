"""Derives what a draft implies: commit ids, CI results, reviews by commit, and the artefacts that show them."""

from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts import commits, junit, log, patch, reviews, run, ticket
from releaseops_mcp.world.changes.draft import Draft, ReviewDraft, RunDraft
from releaseops_mcp.world.ci.interpreter import run_workflow
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.hashing import Tree, commit_id, tree_id
from releaseops_mcp.world.state import Commit, PullRequest, Review, Run, Ticket

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
        artefacts = (*map(_ticket, draft.tickets), *draft.extras)
        return Assembled(artefacts, tuple(draft.refs), (), None)
    change = _pull_request(draft)
    surfaces = {draft.template.surface(path) for path in change.changed}
    runs = [_run(each, draft, change) for each in draft.runs]
    artefacts = (
        Artefact(change.id, "inspect_pr_diff", lambda: (*patch.sheets(change), *commits.sheets(change))),
        Artefact(change.id, "inspect_review", lambda: reviews.sheets(change)),
        *map(_ci, runs),
        *map(_ticket, draft.tickets),
        *draft.extras,
    )
    return Assembled(artefacts, (change.id, draft.runs[-1].id, *draft.refs), tuple(sorted(surfaces)), change)


def _pull_request(draft: Draft) -> PullRequest:
    base = _commit(draft.template.base, (), "Release of last week", "release-manager", ROOT_MINUTE)
    branch: list[Commit] = []
    for each in draft.commits:
        parent = branch[-1] if branch else base
        branch.append(_commit(each.tree, (parent.sha,), each.message, draft.worker, each.minute))
    return PullRequest(
        id=draft.pr,
        title=draft.title,
        body=draft.body,
        author=draft.worker,
        base=base,
        commits=tuple(branch),
        reviews=tuple(_review(each, draft, branch) for each in draft.reviews),
    )


def _commit(tree: Tree, parents: tuple[str, ...], message: str, author: str, minute: int) -> Commit:
    return Commit(
        commit_id(tree_id(tree), parents, author, clock.seconds(minute), message), tree, message, author, minute
    )


def _review(each: ReviewDraft, draft: Draft, branch: list[Commit]) -> Review:
    person = draft.org.person(each.user)
    kind = "User" if person is None or person.kind == "human" else "Bot"
    return Review(each.user, kind, each.state, branch[each.commit].sha, each.minute, each.body)


def _run(each: RunDraft, draft: Draft, change: PullRequest) -> Run:
    of = draft.commits[each.commit]
    result = run_workflow(of.tree, of.failing, of.broken_steps, change.changed)
    return Run(each.id, draft.title, change.commits[each.commit], result, each.minute, each.attempt)


def _ci(of: Run) -> Artefact:
    return Artefact(of.id, "inspect_ci_run", lambda: (*run.sheets(of), *junit.sheets(of), *log.sheets(of)))


def _ticket(of: Ticket) -> Artefact:
    return Artefact(of.id, "inspect_ticket", lambda: ticket.sheets(of))
