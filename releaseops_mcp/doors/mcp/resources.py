"""Resources: each suite's visible policy, and of an episode the current observation and the transcript.

Reading one is not logged and costs nothing. A transcript holds the grading only of an episode that is over, and only
in suites whose scenario ids are open.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, ReadResourceResult, Resource, ResourceTemplate, TextResourceContents

from releaseops_mcp import canonical
from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.transcripts import transcript
from releaseops_mcp.doors.mcp.door import Door
from releaseops_mcp.episodes.base import Json, Suite
from releaseops_mcp.episodes.registry import is_open
from releaseops_mcp.errors import UnknownEpisode

POLICY = "releaseops://suites/{suite}/policy"
OBSERVATION = "releaseops://episodes/{episode_id}/observation"
TRANSCRIPT = "releaseops://episodes/{episode_id}/transcript"
TRANSCRIPT_FROM = f"{TRANSCRIPT}/{{offset}}"

MARKDOWN = "text/markdown"
JSON = "application/json"

TEMPLATES = [
    ResourceTemplate(
        name="policy",
        title="Policy of a suite",
        uri_template=POLICY,
        description="The visible rules of the organisation whose releases the suite supervises.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        name="observation",
        title="Observation of an episode",
        uri_template=OBSERVATION,
        description="The release as it stands, by the episode_id that start_episode returned.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        name="transcript",
        title="Transcript of an episode",
        uri_template=TRANSCRIPT,
        description="The calls made so far and what was answered; where truncated is true, read on from next_offset.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        name="transcript-from",
        title="Transcript of an episode, from an entry on",
        uri_template=TRANSCRIPT_FROM,
        description="The page of the transcript that begins at the entry whose number is offset, from 0.",
        mime_type=JSON,
    ),
]


def list_policies(shown: Mapping[str, Suite]) -> list[Resource]:
    """Return the policies as resources."""
    return [
        Resource(
            name=f"{suite.name}-policy",
            title=f"Policy: {suite.title}",
            uri=POLICY.format(suite=suite.name),
            description=f"The rules that a supervisor of {suite.name} goes by, as Markdown.",
            mime_type=MARKDOWN,
            size=len(suite.policy.encode()),
        )
        for suite in shown.values()
    ]


async def read_resource(door: Door, uri: str) -> ReadResourceResult:
    """Return the contents behind a URI; raises MCPError with the URI in its data where there is nothing."""
    if match := _POLICY.fullmatch(uri):
        suite = door.suites.get(match["suite"])
        if suite is not None:
            return _contents(uri, MARKDOWN, suite.policy)
    for pattern, render in _EPISODE_VIEWS:
        if match := pattern.fullmatch(uri):
            body = await door.read(partial(_render, render=render, found=match.groupdict()))
            if body is not None:
                return _contents(uri, JSON, canonical.dumps(body))
    raise MCPError(INVALID_PARAMS, f"there is no resource {ascii(uri)[:200]}", {"uri": uri})


def _render(arena: Arena, render: Callable[[Arena, Mapping[str, str]], Json], found: Mapping[str, str]) -> Json | None:
    try:
        return render(arena, found)
    except UnknownEpisode:
        return None


def _observation(arena: Arena, found: Mapping[str, str]) -> Json:
    seen = arena.peek(found["episode_id"]).public()
    del seen["result"]
    return seen


def _transcript(arena: Arena, found: Mapping[str, str]) -> Json:
    row = arena.store.episode(found["episode_id"])
    if row is None:
        raise UnknownEpisode(f"no episode {found['episode_id']} in this log")
    return transcript(arena.store, row, int(found.get("offset") or 0), grading=is_open(row.suite))


def _contents(uri: str, mime_type: str, text: str) -> ReadResourceResult:
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=mime_type, text=text)])


def _pattern(template: str) -> re.Pattern[str]:
    pattern = re.escape(template).replace(r"\{offset\}", "(?P<offset>[0-9]{1,9})")
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[A-Za-z0-9_.-]{1,80})", pattern))


_POLICY = _pattern(POLICY)
_EPISODE_VIEWS: tuple[tuple[re.Pattern[str], Callable[[Arena, Mapping[str, str]], Json]], ...] = (
    (_pattern(OBSERVATION), _observation),
    (_pattern(TRANSCRIPT), _transcript),
    (_pattern(TRANSCRIPT_FROM), _transcript),
)
