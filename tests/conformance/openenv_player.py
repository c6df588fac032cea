"""Plays an episode through the OpenEnv client of whichever Python runs it: `PYTHON openenv_player.py ENVIRONMENT URL`.

It is run by the side environments' Pythons, which have OpenEnv and nothing of ours.
"""

import sys
from typing import Any

from openenv.core import GenericEnvClient

HOLD = {"action_type": "hold", "reasoning": "Every figure is well inside its guard."}
HOLD |= {"slo_breach_detected": False, "state_assessment": "healthy"}
DECIDE = {"tool": "decide_rollout", "arguments": HOLD}
WAIT = {"tool": "hold_release", "arguments": {"reason_code": "awaiting_fix"}}
ASK = {"tool": "ask_worker", "arguments": {"worker_id": "qa_triage", "question_type": "evidence_basis"}}

PLAYS: dict[str, list[tuple[dict[str, Any], list[dict[str, Any]]]]] = {
    "root": [
        ({"scenario": "classic-canary/easy/seed-7"}, [DECIDE]),
        ({"suite": "classic-gate", "seed": 7}, [ASK, WAIT]),
    ],
    "classic-gate": [({"family": "green_ci_disabled_payment_test", "seed": 7}, [ASK, WAIT])],
    "classic-canary": [({"task": "hard", "seed": 7}, [HOLD])],
}
"""What each environment is reset with, and the actions to make: the last one until the episode is over."""
LIMIT = 60


def main() -> int:
    name, url = sys.argv[1:]
    with GenericEnvClient(base_url=url).sync() as client:
        for asked, actions in PLAYS[name]:
            steps = _play(client, asked, actions)
            print(f"{steps} steps to the end of {' '.join(map(str, asked.values()))}")
    return 0


def _play(client: Any, asked: dict[str, Any], actions: list[dict[str, Any]]) -> int:
    begun = client.reset(**asked)
    assert begun.observation, "a reset shows an observation"
    assert not begun.done, "a fresh episode is not over"
    for step in range(LIMIT):
        result = client.step(actions[min(step, len(actions) - 1)])
        assert isinstance(result.reward, int | float), f"a reward is a number, not {result.reward!r}"
        state = client.state()
        assert "episode_id" in state, "a state names its episode"
        if result.done:
            return step + 1
    raise AssertionError(f"the episode is not over after {LIMIT} steps")


if __name__ == "__main__":
    sys.exit(main())
