"""Single episodes and grades, as a running server gives them."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from releaseops_mcp.agents.scripted.classic_canary_policies import cautious_decision
from releaseops_mcp.artifacts import scripts
from releaseops_mcp.client.canary_episodes import CanaryEpisodesClient
from releaseops_mcp.episodes.base import Json

PLACEHOLDER = "episode-id"
"""Stands for every episode's id, so that one run's files equal another's."""
WATCH_WINDOW_STEPS = 5
ALL_STEPS = 12

_HURRIED = ("reckless_warning", "risky_warning", "dangerous_breach")

_TELEMETRY = (
    "traffic_pct",
    "canary_error_rate",
    "canary_p99_ms",
    "stable_error_rate",
    "stable_p99_ms",
    "alert_count",
    "step_number",
    "consecutive_holds",
)


def cautious_transcript(client: CanaryEpisodesClient, task: str, *, steps: int = ALL_STEPS) -> Json:
    """Let the cautious policy decide up to `steps` times on a task at seed 0, and return the account."""
    return _transcript(client, task, lambda observation, number: cautious_decision(observation), steps)


def scripted_transcript(client: CanaryEpisodesClient, script: Sequence[Json]) -> Json:
    """Make a script's decisions on the hard task at seed 0, and return the account."""
    return _transcript(client, scripts.TASK, lambda observation, number: script[number], len(script))


def last_entry(transcript: Json) -> Json:
    """Return the last decision of an episode."""
    return transcript["transcript"][-1]


def entry_labelled(transcript: Json, label: str) -> Json:
    """Return the first decision with a policy_assessment."""
    return next(entry for entry in transcript["transcript"] if entry["policy_assessment"] == label)


def hurried_entry(transcript: Json) -> Json:
    """Return the first decision that promoted a canary in trouble."""
    return next(entry for entry in transcript["transcript"] if entry["policy_assessment"].startswith(_HURRIED))


def grade(client: CanaryEpisodesClient, task: str, entry: Json) -> Json:
    """Return the server's grade of a decision on the telemetry that it was taken on, as shown."""
    return client.post("/grader", grader_request(task, entry))


def grader_request(task: str, entry: Json) -> Json:
    """Return what grades a transcript's entry again: its consecutive_holds count too."""
    shown = entry["pre_observation"]
    return {"task_id": task, "action": entry["action"], **{field: shown[field] for field in _TELEMETRY}}


def anonymous(value: Any) -> Any:
    """Return JSON data with a placeholder in place of every episode's id."""
    if isinstance(value, dict):
        items = cast("Json", value).items()
        return {key: PLACEHOLDER if key == "episode_id" else anonymous(item) for key, item in items}
    if isinstance(value, list):
        return [anonymous(item) for item in cast("list[Any]", value)]
    return value


def _transcript(client: CanaryEpisodesClient, task: str, rule: Callable[[Json, int], Json], steps: int) -> Json:
    begun = client.begin(task, scripts.SEED)
    observation, done = begun.observation, begun.done
    for number in range(steps):
        if done:
            break
        stepped = client.step(begun.episode_id, rule(observation.model_dump(), number))
        observation, done = stepped.observation, stepped.done
    return client.transcript(begun.episode_id)
