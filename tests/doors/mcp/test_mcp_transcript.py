"""The agent's view of a log, as a pure function over its events."""

from typing import Any

from releaseops_mcp.audit.transcript import PAGE_CHARS, graded, page, seen_by_agent
from releaseops_mcp.canonical import dumps
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.rows import ScoreDraft

START = {"observation": {"phase": "one"}, "world_hash": "w", "scenario": "secret"}
CALL = {"tool": "look", "arguments": {"at": "x"}, "action_id": None, "expected_step": None, "origin": None}
RESULT = {
    "tool": "look",
    "step": 1,
    "judged": True,
    "error": None,
    "message": None,
    "result": {"text": "y"},
    "observation": {"phase": "two"},
    "observation_hash": "h",
    "done": False,
    "terminal_reason": None,
    "duration_ms": 1.0,
}


def events(*kinds_and_data: tuple[str, dict[str, Any]]) -> list[LoggedEvent]:
    return [LoggedEvent(seq, kind, 0, data, "") for seq, (kind, data) in enumerate(kinds_and_data)]


def test_calls_answers_and_faults_are_shown_and_nothing_else() -> None:
    refused = {**RESULT, "error": "bad", "message": "no", "result": None, "observation": None}
    log = events(
        ("episode_start", START),
        ("tool_call", CALL),
        ("tool_result", RESULT),
        ("message", {"role": "user", "content": "hm"}),
        ("error", {"error": "ZeroDivisionError"}),
        ("tool_call", {**CALL, "expected_step": 1}),
        ("tool_result", refused),
        ("episode_end", {"reason": "x", "steps": 2}),
    )

    entries = seen_by_agent(log)

    assert entries == [
        {"tool": "start_episode", "step": 0, "observation": {"phase": "one"}},
        {
            "tool": "look",
            "arguments": {"at": "x"},
            "step": 1,
            "result": {"text": "y"},
            "observation": {"phase": "two"},
            "done": False,
            "terminal_reason": None,
        },
        {"error": "environment_fault", "message": "the arena failed; no call was applied"},
        {"tool": "look", "arguments": {"at": "x"}, "expected_step": 1, "step": 1, "error": "bad", "message": "no"},
    ]


def test_pages_hold_what_fits_and_never_nothing() -> None:
    entries = [{"text": "x" * 3_000} for _ in range(5)] + [{"text": "y" * 20_000}]

    first, second = page(entries, 0)
    assert second is not None
    following, third = page(entries, second)

    assert (len(first), second) == (2, 2)
    assert (len(following), third) == (2, 4)
    assert page(entries, 5) == ([entries[5]], None)
    assert page(entries, 6) == ([], None)


def test_an_entry_that_fills_more_than_a_page_is_trimmed() -> None:
    call = {**CALL, "arguments": {"text": "x" * 20_000}}
    log = events(("tool_call", call), ("tool_result", {**RESULT, "observation": {"text": "y" * 9_000}}))

    (entry,) = seen_by_agent(log)

    assert len(dumps(entry)) <= PAGE_CHARS
    assert entry["arguments"] == {"$omitted": "too long for a transcript", "chars": 20_011}
    assert entry["observation"]["chars"] == 9_011
    assert entry["result"] == {"text": "y"}


def test_a_long_account_is_spread_over_entries() -> None:
    score = ScoreDraft(
        "r", "1.0.0", "hash", 0.5, {"components": {}, "metrics": {}, "flags": [], "validity": "complete"}
    )
    account = {"total": 0.5, "short": [1, 2], "transcript": [{"n": n, "text": "x" * 900} for n in range(3)]}

    entries = graded(score, account)

    assert entries[0]["reward"]["total"] == 0.5
    assert entries[0]["account"] == {"total": 0.5, "short": [1, 2]}
    assert [entry["item"]["n"] for entry in entries[1:]] == [0, 1, 2]
    assert {entry["account_of"] for entry in entries[1:]} == {"transcript"}
