"""`kill -9` at random moments: what was acknowledged is in the log, and a retried call counts once."""

import random
import time
from pathlib import Path

import pytest

from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.settings import Settings, open_store
from tests.faults.raw_server import RawServer

POINTS = 25
"""Kills a suite: fifty in all."""

DECISION = {
    "action_type": "hold",
    "reasoning": "Nothing moves until the server is back.",
    "slo_breach_detected": False,
    "state_assessment": "healthy",
}
GATE_CALL = ("ask_worker", {"worker_id": "nobody", "question_type": "policy_basis"})
PLAYS = {
    "classic-canary/silent/seed-3": ("decide_rollout", DECISION),
    "classic-gate/careful_qa_safe/low/seed-7": GATE_CALL,
}
"""Each call is worth one step and leaves its episode open for a while: holds, and refused questions."""


@pytest.mark.slow
@pytest.mark.parametrize("scenario", PLAYS)
def test_an_episode_goes_on_after_every_kill_and_each_named_call_counts_once(scenario: str, tmp_path: Path) -> None:
    tool, arguments = PLAYS[scenario]
    log = tmp_path / "log.sqlite3"
    moments = random.Random(scenario)
    episode, acknowledged = "", []
    server = RawServer(log)
    for point in range(POINTS):
        if point % 10 == 0:  # a classic-canary episode ends after twelve decisions
            episode = server.call("start_episode", {"scenario": scenario})["structuredContent"]["episode_id"]
        action = {"episode_id": episode, "action_id": f"kill-{point}", **arguments}

        server.send_call(tool, action)
        time.sleep(moments.uniform(0, 0.006))
        answered = [message["id"] for message in server.kill()]
        server = RawServer(log)
        before = server.call("observe", {"episode_id": episode})["structuredContent"]["step"]
        retried = server.call(tool, action)
        again = server.call(tool, action)
        after = server.call("observe", {"episode_id": episode})["structuredContent"]["step"]

        assert retried == again
        assert after == point % 10 + 1, "the retried call counted exactly once"
        assert before == after if answered else before in (after - 1, after), "an acknowledged call was there"
        acknowledged.append((episode, f"kill-{point}"))
    server.stop()

    store = open_store(Settings(database_url=f"sqlite:///{log}"))
    report = verify_store(store)
    assert report.episodes == 3
    for row in store.stream():
        bodies = [link.body for link in store.chain(row.number)[1] if link.kind == "tool_call"]
        for owner, name in acknowledged:
            assert sum(f'"{name}"' in body for body in bodies) == (1 if owner == row.id else 0)
    store.close()
