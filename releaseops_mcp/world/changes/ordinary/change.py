"""The change itself: one commit with the edit, a pull request, and a CI run of its head."""

from releaseops_mcp.world.changes.draft import CommitDraft, Draft, RunDraft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.draws import Draws


def add(draft: Draft, draws: Draws) -> None:
    """Commit the edit one to three days before the release process, and run CI on it."""
    minute = draft.minute - draws.integer(20, 60) * 60
    draft.pr = draft.new_id("pr")
    draft.title, draft.body = draft.edit.title, draft.edit.why
    draft.commits.append(CommitDraft(draft.template.edited(draft.edit), draft.title, minute))
    draft.runs.append(RunDraft(draft.new_id("ci"), 0, minute + draws.integer(2, 9)))


ORDINARY = Ordinary(name="change", order=10, requests=("merge_change",), add=add)
