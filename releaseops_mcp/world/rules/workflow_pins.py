"""An action of a third party is pinned to a commit that its own repository has under the version that is claimed."""

import re
from collections.abc import Iterator

from releaseops_mcp.world.artefacts.action import ActionRecord, TagRecord
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, unknown, violated
from releaseops_mcp.world.rules.workflow_lines import Place, places, workflows
from releaseops_mcp.world.rules.workflow_settings import Workflows

USES = re.compile(r"(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)(?:/[^@]*)?@(?P<ref>\S+)")
COMMIT = re.compile(r"[0-9a-f]{40}")
VERSION = re.compile(r"v?\d[\w.]*")


def judge(wanted: Workflows, case: Case, view: View) -> Answer:
    """Violated where an added action is named by tag, or by a commit that is not its own or another version's."""
    patch = case.topic("patch", "pr_")
    missing: list[Topic] = []
    for change, place, match in _added(workflows(view.records(patch, FileChange))):
        if match["owner"] in wanted.owners:
            continue
        if not COMMIT.fullmatch(match["ref"]):
            return violated(view, patch, [change])
        topic = Topic("action", f"{match['owner']}/{match['name']}")
        if not view.known(topic):
            missing.append(topic)
        elif not _is_right(topic, match["ref"], place.note, wanted, view):
            shown = view.sources(topic, view.records(topic, ActionRecord))
            return Answer("violated", (*view.sources(patch, [change]), *shown))
    if missing:
        return unknown(*missing)
    return SATISFIED if view.known(patch) else unknown(patch)


def _added(changes: list[FileChange]) -> Iterator[tuple[FileChange, Place, re.Match[str]]]:
    """Yield the actions that the changes add; those of the repository itself (`./`) are code under review."""
    for change in changes:
        for place in places(change):
            match = USES.fullmatch(place.value) if place.is_new and place.key == "uses" else None
            if match:
                yield change, place, match


def _is_right(topic: Topic, sha: str, note: str, wanted: Workflows, view: View) -> bool:
    """Return whether the upstream repository has the commit under a tag: the one of the remark, where there is one."""
    head = next(iter(view.records(topic, ActionRecord)))
    tags = {each.tag for each in view.records(topic, TagRecord) if each.sha == sha}
    claimed = VERSION.match(note) if wanted.remarks else None
    return head.found and not head.parent and bool(tags) and (claimed is None or claimed[0] in tags)
