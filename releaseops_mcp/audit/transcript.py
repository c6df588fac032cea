"""What an agent has seen of an episode so far: its calls and their answers, in pages.

Pure functions over logged events, for every door. No entry holds a reward, the truth, or the scenario's id where the
suite keeps it closed; `graded` adds the account of an episode that is over, which a door may show for open suites only.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from releaseops_mcp import canonical
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import EnvironmentFault, presentation
from releaseops_mcp.events import EpisodeStart, Fault, ToolCall, ToolResult
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.rows import ScoreDraft

PAGE_CHARS = 8_000
"""A page holds as many entries as fit into this many characters of JSON, and at least one."""
_TRIMMED = ("arguments", "observation", "result", "message")
"""What gives way, in this order, where one entry alone is longer than a page."""


def seen_by_agent(events: Iterable[LoggedEvent]) -> list[Json]:
    """Return one entry a call, in order; the first one is the start with its observation."""
    return [_trimmed(entry) for entry in _entries(events)]


def graded(score: ScoreDraft, account: Json) -> list[Json]:
    """Return the figure and the suite's account of an episode that is over; each item of a list is its own entry."""
    lists = {key: cast("list[Any]", value) for key, value in account.items() if _is_long(value)}
    rest = {key: value for key, value in account.items() if key not in lists}
    figure = {"reward_id": score.reward_id, "version": score.version, "total": score.total, **score.body}
    items = [{"account_of": key, "item": item} for key, values in lists.items() for item in values]
    return [_trimmed(entry) for entry in ({"reward": figure, "account": rest}, *items)]


def page(entries: Sequence[Json], offset: int) -> tuple[list[Json], int | None]:
    """Return the entries of the page that begins at number `offset`, and the number of the next page, if any."""
    chosen: list[Json] = []
    room = PAGE_CHARS
    for entry in entries[offset:]:
        room -= len(canonical.dumps(entry))
        if chosen and room < 0:
            return chosen, offset + len(chosen)
        chosen.append(entry)
    return chosen, None


def _entries(events: Iterable[LoggedEvent]) -> Iterator[Json]:
    call: Json = {}
    for event in events:
        if event.kind == EpisodeStart.kind:
            yield {"tool": "start_episode", "step": 0, "observation": event.data["observation"]}
        elif event.kind == ToolCall.kind:
            call = event.data
        elif event.kind == ToolResult.kind:
            yield _exchange(call, event.data)
        elif event.kind == Fault.kind:
            yield {"error": presentation(EnvironmentFault).code, "message": "the arena failed; no call was applied"}


def _exchange(call: Json, result: Json) -> Json:
    named = {key: call[key] for key in ("action_id", "expected_step") if call[key] is not None}
    entry = {"tool": call["tool"], "arguments": call["arguments"], **named, "step": result["step"]}
    if result["error"] is not None:
        return entry | {"error": result["error"], "message": result["message"]}
    shown = {key: result[key] for key in ("result", "observation", "done", "terminal_reason")}
    return entry | shown


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(canonical.dumps(value)) > PAGE_CHARS // 4


def _trimmed(entry: Json) -> Json:
    for key in _TRIMMED:
        size = len(canonical.dumps(entry))
        if size <= PAGE_CHARS:
            break
        if key in entry:
            chars = len(canonical.dumps(entry[key]))
            entry = entry | {key: {"$omitted": "too long for a transcript", "chars": chars}}
    return entry
