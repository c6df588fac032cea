"""Nothing that a stranger writes is run: not a title in a shell line, not a pull request's code next to secrets."""

import re
from collections.abc import Iterator
from typing import Any, cast

import yaml

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, unknown, violated
from releaseops_mcp.world.rules.workflow_lines import Place, places, workflows
from releaseops_mcp.world.rules.workflow_settings import Workflows

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
WRITTEN = re.compile(
    r"github\.head_ref|github\.event\.(?:"
    r"(?:pull_request|issue|discussion)\.(?:title|body)|pull_request\.head\.(?:ref|label|repo\.default_branch)"
    r"|(?:comment|review|review_comment)\.body|head_commit\.(?:message|author\.(?:name|email))"
    r"|workflow_run\.(?:head_branch|display_title|head_commit\.message|pull_requests\b.*head\.ref))"
)
"""Contexts that hold text of whoever opened the pull request."""
BROUGHT = re.compile(
    r"github\.head_ref|github\.event\.pull_request\.head\.(?:sha|ref)|github\.event\.pull_request\.merge_commit_sha"
    r"|github\.event\.workflow_run\.head_(?:sha|branch)|refs/pull/"
)
"""What names the pull request's own code."""
RUNS = ("run", "script")
EVENT_IS = re.compile(r"(?:\$\{\{\s*)?github\.event_name\s*(==|!=)\s*'(\w+)'(?:\s*\}\})?")


def judge(wanted: Workflows, case: Case, view: View) -> Answer:
    """Violated where an added line runs a stranger's text, or a privileged event checks out a stranger's code."""
    patch = case.topic("patch", "pr_")
    changes = workflows(view.records(patch, FileChange))
    guilty = [change for change in changes if _runs_text(change) or _runs_code(change, wanted.triggers)]
    if guilty:
        return violated(view, patch, guilty)
    return SATISFIED if view.known(patch) else unknown(patch)


def _runs_text(change: FileChange) -> bool:
    return any(
        WRITTEN.search(expression)
        for place in places(change)
        if place.is_new and _is_run(place)
        for expression in EXPRESSION.findall(place.value)
    )


def _is_run(place: Place) -> bool:
    """Return whether a line is run; one of a block of which the patch shows no beginning may be."""
    return place.key in RUNS or (not place.key and place.under in (*RUNS, ""))


def _runs_code(change: FileChange, triggers: tuple[str, ...]) -> bool:
    """Return whether a checkout of a pull request's code can run on one of the events."""
    lines = list(places(change))
    brought = any(place.key in ("ref", "repository") and BROUGHT.search(place.value) for place in lines)
    if not brought:
        return False
    if change.status == "added":
        return any(_job_runs_code(job, events & set(triggers)) for job, events in _jobs(change))
    return any(set(triggers) & _named(place) for place in lines)


def _named(place: Place) -> set[str]:
    """Return the events that a line of the patch may name: of `on:`, or a key or an item below it."""
    return set(re.findall(r"\w+", place.value)) if place.key in ("on", "") else {place.key}


def _jobs(change: FileChange) -> Iterator[tuple[Any, set[str]]]:
    """Yield the jobs of a new file, each with the events that it runs on."""
    document: Any = yaml.safe_load("\n".join(change.added))
    # YAML 1.1 reads the key `on` as the boolean true.
    on: Any = document.get("on", document.get(True))
    events = {on} if isinstance(on, str) else set(cast("list[str]", list(on or ())))
    for job in document["jobs"].values():
        yield job, {event for event in events if _may_run(str(job.get("if", "")), event)}


def _may_run(condition: str, event: str) -> bool:
    """Return whether a condition lets a job run on an event; one that does not speak of events does."""
    match = EVENT_IS.fullmatch(condition.strip())
    return match is None or (match[2] == event) is (match[1] == "==")


def _job_runs_code(job: Any, events: set[str]) -> bool:
    steps: list[dict[str, Any]] = job.get("steps", [])
    settings = (cast("dict[str, Any]", step.get("with") or {}) for step in steps)
    return bool(events) and any(BROUGHT.search(str(value)) for each in settings for value in each.values())
