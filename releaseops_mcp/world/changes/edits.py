"""Which of a template's changes a proposal is: a kind that needs a certain sort may ask for another one."""

from collections.abc import Collection
from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.draws import Draws


def take(draft: Draft, able: Collection[str], draws: Draws) -> None:
    """Let the draft's first commit be one of these edits: the one that it is, or one that takes its place."""
    drawn = draws.choice(sorted(able))
    if draft.edit.name in able:
        return
    before = next(edit for edit in draft.template.edits if draft.body.startswith(edit.why))
    draft.edit = next(edit for edit in draft.template.edits if edit.name == drawn)
    draft.title = draft.edit.title
    draft.body = draft.body.replace(before.why, draft.edit.why, 1)
    first = draft.commits[0]
    draft.commits[0] = replace(first, tree=draft.template.edited(draft.edit), message=draft.title)
