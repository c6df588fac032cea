"""Small harmless changes that make a pull request touch a part of the service, so that a rule bears on it."""

import re
from collections.abc import Mapping
from dataclasses import replace

from releaseops_mcp.world.changes.draft import CommitDraft, Draft
from releaseops_mcp.world.changes.ordinary.deployments import table_of
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws

COLUMNS = ("nickname", "locale", "referrer", "batch_note", "packed_by", "remark", "origin_hint", "colour")
LINES = ("Ask before a line goes.", "Teams are listed on the wiki.", "Keep it short.", "One line a folder.")
MIGRATION = re.compile(r"migrations/(\d+)_")


def touch(draft: Draft, surfaces: tuple[str, ...], draws: Draws) -> bool:
    """Touch one of the surfaces where the change does not yet; return whether it does now. No surface asks for none."""
    draws = draws.child("touched")
    touched = {draft.template.surface(path) for path in changed(draft)}
    if not surfaces or touched & {*surfaces}:
        return True
    if "schema" in surfaces:
        draft.amend(migration(draft, draws))
    elif "ownership" in surfaces and "CODEOWNERS" in draft.head.tree:
        draft.amend({"CODEOWNERS": f"# {draws.choice(LINES)}\n" + draft.head.tree["CODEOWNERS"]})
    elif "workflow" in surfaces:
        draft.amend({WORKFLOW: f"# {draws.choice(LINES)}\n" + draft.head.tree[WORKFLOW]})
    return bool({draft.template.surface(path) for path in changed(draft)} & {*surfaces})


def changed(draft: Draft) -> tuple[str, ...]:
    """Return the paths that differ between the base and the head."""
    old, new = draft.template.base, draft.head.tree
    return tuple(path for path in sorted({*old, *new}) if old.get(path) != new.get(path))


def migration(draft: Draft, draws: Draws) -> dict[str, str]:
    """Return a migration by its path: a new column that may stay empty, which breaks no release."""
    numbers = [int(match[1]) for path in draft.head.tree if (match := MIGRATION.match(path))]
    table, column = table_of(draft), draws.choice(COLUMNS)
    path = f"migrations/{max(numbers, default=0) + 1:04d}_{table}_{column}.sql"
    return {path: f"ALTER TABLE {table} ADD COLUMN {column} TEXT;\n"}


def instead(draft: Draft, files: Mapping[str, str], title: str, why: str) -> None:
    """Let the pull request be about these files and nothing else, under a title of its own."""
    first = draft.commits[0]
    draft.title, draft.body = title, draft.body.replace(draft.edit.why, why)
    draft.commits = [CommitDraft({**draft.template.base, **files}, title, first.minute)]


def dropped(draft: Draft, path: str) -> None:
    """Take a file out of the head commit; no error where it is not there."""
    tree = {each: text for each, text in draft.head.tree.items() if each != path}
    draft.commits[-1] = replace(draft.head, tree=tree)


def moved(draft: Draft, old: str, new: str) -> None:
    """Move a file of the head commit."""
    tree = {(new if path == old else path): text for path, text in draft.head.tree.items()}
    draft.commits[-1] = replace(draft.head, tree=tree)
